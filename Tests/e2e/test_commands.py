"""The other commands: contract §1."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess

import pytest
import requests

from parts.gateway import BINARY, ROOT, run_command
from parts.processes import Process, free_port


def test_keygen_session_prints_a_fresh_key_each_time():
    """§1 `keygen session`, §2 `session.keys`."""
    keys = [run_command("keygen", "session").stdout for _ in range(3)]
    assert len(set(keys)) == 3
    for key in keys:
        assert key.endswith("\n") and len(base64.b64decode(key.strip(), validate=True)) == 32


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["keygen", "session"], 1), (["run", "gateway.yaml"], 1), (["validate", "gateway.yaml"], 3), (["--version"], 0)],
    ids=lambda value: str(value[0]) if isinstance(value, list) else "",
)
def test_a_machine_without_cryptography_is_explained(tmp_path, arguments: list[str], status: int):
    """OpenSSL's own configuration can take every algorithm away: that is said, not a crash, and nothing is judged valid."""
    configuration = tmp_path / "openssl.cnf"
    configuration.write_text("openssl_conf = c\n[c]\nproviders = p\n[p]\nnull = n\n[n]\nactivate = 1\n")
    run = run_command(*arguments, folder=tmp_path, environment={"OPENSSL_CONF": str(configuration)})
    assert run.returncode == status, run.stderr
    if status:
        assert run.stdout == ""
        assert run.stderr.startswith("gateway: OpenSSL has no ") and "OPENSSL_CONF" in run.stderr
        assert max(len(line) for line in run.stderr.splitlines()) <= 80


def test_providers_lists_every_preset_and_shows_one():
    """§1 `providers`; §2 "Presets"."""
    listing = run_command("providers")
    assert listing.returncode == 0
    for name in ("google.com", "github.com", "yahoo.com"):
        assert name in listing.stdout
    one = run_command("providers", "github.com")
    assert one.returncode == 0
    assert "user:email" in one.stdout or "read:user" in one.stdout
    assert "/_gateway/callback/github.com" in one.stdout
    assert "{redirectURI}" not in one.stdout
    unknown = run_command("providers", "githib.com")
    assert unknown.returncode == 1 and "github.com" in unknown.stderr


def test_healthcheck_is_0_when_ready_and_1_otherwise(gateway):
    """§1 `healthcheck [URL]`."""
    assert run_command("healthcheck", f"{gateway.admin}/readyz").returncode == 0
    nobody = run_command("healthcheck", f"http://127.0.0.1:{free_port()}/readyz")
    assert nobody.returncode == 1 and nobody.stderr
    assert run_command("healthcheck", f"{gateway.admin}/no-such-page").returncode == 1
    clear = run_command("healthcheck", f"https://127.0.0.1:{gateway.admin_port}/readyz")
    assert clear.returncode == 1 and "no TLS connection" in clear.stderr, clear.stderr
    assert ".cc" not in clear.stderr and "checkouts" not in clear.stderr


@pytest.mark.parametrize("arguments", [["--no-such-option"], ["no-such-command"], ["keygen"], ["keygen", "nonsense"], ["run", "a", "b"]], ids=" ".join)
def test_wrong_usage_is_2(arguments):
    """§1 "Exit status"."""
    run = run_command(*arguments)
    assert run.returncode == 2, run.stderr
    assert run.stderr


def test_help_is_0():
    for arguments in (["--help"], ["run", "--help"], ["help", "validate"]):
        run = run_command(*arguments)
        assert run.returncode == 0 and run.stdout


def test_the_demo_prints_one_address_and_the_whole_way_works(tmp_path):
    """§1 `demo`: provider, app and gateway in one process; sign in, see the headers, sign out."""
    from forms import forms_of
    from logins import NAVIGATION, new_client
    from parts.dev_provider import DevProvider

    arguments = ["demo", "--port", "0"] if "--port" in run_command("demo", "--help").stdout else ["demo"]
    process = Process("demo", [str(BINARY), *arguments], tmp_path)
    try:
        process.wait_until(lambda: re.search(r"http://(localhost|127\.0\.0\.1):\d+", process.output()) is not None, "address")
        address = re.search(r"http://(?:localhost|127\.0\.0\.1):\d+", process.output())
        assert address is not None
        client = new_client()
        page = client.get(address.group(0) + "/", headers=NAVIGATION, timeout=60)
        if not any("person" in form.fields for form in forms_of(page.text)):
            link = re.search(r'href="([^"]*/_gateway/login/[^"]+)"', page.text)
            if link:
                page = client.get(requests.compat.urljoin(page.url, link.group(1).replace("&amp;", "&")), headers=NAVIGATION, timeout=60)
        callback = DevProvider.choose(client, page, "alice")
        app = client.get(callback, headers=NAVIGATION, timeout=60)
        assert app.status_code == 200
        assert "alice@example.com" in app.text and "X-Forwarded-User" in app.text
    finally:
        assert process.terminate() == 0


def test_every_example_is_valid(tmp_path):
    """Every file in examples/, with what its operator would put into the environment, even under --strict."""
    examples = sorted((ROOT / "examples").glob("*.yaml"))
    assert len(examples) >= 5
    environment = {
        "GITHUB_CLIENT_SECRET": os.urandom(20).hex(),
        "GOOGLE_CLIENT_SECRET": os.urandom(20).hex(),
        "OIDC_CLIENT_SECRET": os.urandom(20).hex(),
        "SMTP_PASSWORD": os.urandom(20).hex(),
        "SESSION_KEY": base64.b64encode(os.urandom(32)).decode(),
        "ACCOUNTS_KEY": base64.b64encode(os.urandom(32)).decode(),
    }
    run = run_command("validate", "--strict", "--format", "json", *map(str, examples), environment=environment)
    assert run.returncode == 0, json.dumps(json.loads(run.stdout)["diagnostics"], indent=1)
    for example in examples:
        assert example.read_text().startswith("# yaml-language-server: $schema="), example.name


REST = """
version: 1
server: { listen: "127.0.0.1:4180", publicURL: https://app.example.com }
upstream: http://127.0.0.1:8080
session: { keys: ["${file:./session.key}"] }
"""


@pytest.mark.parametrize("page", ["README.md", "docs/getting-started.md", "docs/claims.md", "docs/providers/oidc.md", "docs/providers/github.com.md"])
def test_the_configurations_in_the_documentation_are_valid(tmp_path, page):
    """What a newcomer copies must work, even under --strict. A block that begins with `providers:` needs the rest of a file."""
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    files = [block for block in blocks if block.startswith("version: 1")]
    nobody = "routes: [{ path: /**, access: { users: [mfrggzdfmztwq2lknnwg23tpob] } }]\n"
    files += [REST + block + ("" if "\nroutes:" in block else nobody) for block in blocks if block.startswith("providers:")]
    assert files
    for name, text in (("session.key", base64.b64encode(os.urandom(32)).decode()), ("client.secret", os.urandom(20).hex())):
        (tmp_path / name).write_text(text + "\n")
        (tmp_path / name).chmod(0o600)
    environment = {name: os.urandom(20).hex() for name in ("CLIENT_SECRET", "GITHUB_CLIENT_SECRET", "GOOGLE_CLIENT_SECRET", "OIDC_CLIENT_SECRET")}
    for text in files:
        (tmp_path / "gateway.yaml").write_text(text)
        run = run_command("validate", "--strict", "gateway.yaml", folder=tmp_path, environment=environment)
        assert run.returncode == 0, text + run.stdout


def test_the_report_in_the_readme_is_what_validate_prints(tmp_path):
    """Line numbers and wording are exact. With UPDATE_DOCS=1 in the environment, the report is written anew."""
    page = ROOT / "README.md"
    text = page.read_text(encoding="utf-8")
    shown = re.search(r"```yaml\n(# gateway\.yaml.*?)```\n\n```\n\$ gateway validate\n(.*?)```\n", text, re.DOTALL)
    assert shown
    sample, report = shown.groups()
    (tmp_path / "gateway.yaml").write_text(sample)
    (tmp_path / "session.key").write_text(base64.b64encode(os.urandom(32)).decode())
    (tmp_path / "session.key").chmod(0o600)
    run = run_command("validate", folder=tmp_path, environment={"GOOGLE_CLIENT_SECRET": os.urandom(20).hex()})
    assert run.returncode == 1, run.stdout + run.stderr
    printed = re.sub(r"\n(gateway\.yaml: .*\n)?\Z", "\n", run.stdout).rstrip("\n") + "\n"
    if os.environ.get("UPDATE_DOCS") == "1":
        page.write_text(text[: shown.start(2)] + printed + text[shown.end(2) :], encoding="utf-8")
    else:
        assert report == printed


def test_the_figures_in_the_readme_are_those_of_the_performance_page():
    """A row of the README's table holds figures that the page on performance has in the row of the same size."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
    table = page.split("\n## CPU per request, plain HTTP/1.1")[1].split("\n## ")[0]
    names = {
        "gateway, signed-in user": "gateway, authenticated route",
        "gateway, public route": "gateway, public route",
        "nginx with forwarding headers, no sign-in": "nginx with forwarding headers",
        "HAProxy, no sign-in": "HAProxy",
        "Envoy with its OAuth2 filter": "Envoy, OAuth2 filter",
        "Caddy, no sign-in": "Caddy",
        "Apache with mod_auth_openidc": "Apache, mod_auth_openidc",
    }
    for shown, measured in names.items():
        row = next(line for line in readme.splitlines() if line.replace("*", "").startswith(f"| {shown} |"))
        figures = [cell.strip() for cell in row.replace("*", "").split("|")[2:5]]
        for size, figure in zip(("1 KiB", "100 KiB", "10 MiB"), figures, strict=True):
            assert f"| {size} | {measured} | {figure} |" in table, (shown, size, figure)


def test_a_reader_that_leaves_is_no_crash():
    """`gateway providers | head -1`: SIGPIPE or not, no trace on the terminal."""
    child = subprocess.Popen([str(BINARY), "providers"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None and child.stderr is not None
    child.stdout.close()
    assert child.wait(60) in (0, 1, -signal.SIGPIPE)
    assert b"Fatal" not in child.stderr.read()
    child.stderr.close()
