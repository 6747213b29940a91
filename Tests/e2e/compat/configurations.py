"""Configuration files of a version: what its linter said, and what they meant with every default filled in."""

from __future__ import annotations

import datetime
import json
import pathlib
import re
import secrets
import shutil
import subprocess
from typing import Any

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from parts.gateway import ROOT, run_command, session_key

from .installation import write_secret
from .keys import schema_keys, used_keys

SOURCES = pathlib.Path(__file__).parent / "configurations"
REFERENCE = re.compile(r"\$\{(env|file):([^}:]+)(:-)?")


def environment(folder: pathlib.Path) -> dict[str, str]:
    return json.loads((folder / "environment.json").read_text(encoding="utf-8"))


def validate(folder: pathlib.Path, names: list[str]) -> dict[str, Any]:
    run = run_command("validate", "--format", "json", *names, folder=folder, environment=environment(folder), timeout=60)
    assert run.returncode in (0, 1), run.stderr
    return json.loads(run.stdout)


def findings(report: dict[str, Any], file: str) -> list[dict[str, Any]]:
    """What a later version must repeat: texts may change."""
    found = ((item, item["range"]["start"]) for item in report["diagnostics"] if item["file"] == file)
    return [{"rule": item["rule"], "severity": item["severity"], "line": start["line"], "column": start["column"]} for item, start in found]


def effective(folder: pathlib.Path, name: str) -> Any:
    """The configuration with its defaults, as `gateway config` prints it."""
    run = run_command("config", name, folder=folder, environment=environment(folder))
    assert run.returncode == 0, f"{name}: {run.stderr}"
    return yaml.safe_load(run.stdout)


def _certificates(folder: pathlib.Path) -> None:
    """A hundred years long: the fixtures are read by every later version."""
    now = datetime.datetime.now(datetime.UTC)
    for name in ("app", "shop", "client", "clients-ca"):
        host = f"{name}.example.com"
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=36500))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=name == "clients-ca", path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        suffix = "pem" if name == "clients-ca" else "crt"
        (folder / f"{name}.{suffix}").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        if name != "clients-ca":
            text = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
            write_secret(folder / f"{name}.key", text.decode())


def _secret(name: str) -> str:
    if name in ("assertion.pem", "apple.pem"):
        return run_command("keygen", "assertion").stdout
    if name == "client.pem":
        return subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, text=True, check=True).stdout
    if name == "PUBLIC_URL":
        return "https://app.example.com"
    return session_key() if name.lower().endswith("key") else secrets.token_hex(20)


def record_configurations(target: pathlib.Path, schema: pathlib.Path) -> None:
    """The files of `configurations`, which use every key, and those of the examples and of people that need no file elsewhere."""
    shutil.copytree(SOURCES, target)
    others = [("example", path) for path in sorted((ROOT / "examples").glob("*.yaml"))]
    others += [("realistic", path) for path in sorted((ROOT / "Fixtures/lint/realistic").glob("*.yaml"))]
    for kind, path in others:
        if not re.search(r"\$\{file:/", path.read_text(encoding="utf-8")):
            shutil.copyfile(path, target / f"{kind}-{path.name}")
    _certificates(target)
    variables: dict[str, str] = {}
    names = sorted(path.name for path in target.glob("*.yaml"))
    for name in names:
        for kind, reference, default in REFERENCE.findall((target / name).read_text(encoding="utf-8")):
            if kind == "env" and not default:
                variables.setdefault(reference, _secret(reference))
            elif kind == "file" and not (target / reference).exists():
                write_secret(target / reference, _secret(pathlib.Path(reference).name))
    (target / "environment.json").write_text(json.dumps(variables, indent=1, sort_keys=True) + "\n", encoding="utf-8")

    known = json.loads(schema.read_text(encoding="utf-8"))
    used = set().union(*(used_keys(known, yaml.safe_load((target / name).read_text(encoding="utf-8-sig"))) for name in names))
    missing = sorted(schema_keys(known) - used)
    assert not missing, f"no file of {SOURCES} uses these keys: {missing}"
    report = validate(target, names)
    assert report["errorCount"] == 0, [item for item in report["diagnostics"] if item["severity"] == "error"]
    for name in names:
        recorded = {"findings": findings(report, name), "effective": effective(target, name)}
        (target / name).with_suffix(".json").write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
