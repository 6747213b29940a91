"""Commands on a terminal: what they need, what they say, and whether it fits 80 columns. Contract §1."""

from __future__ import annotations

import json
import pathlib
import re

import pytest

from parts.gateway import ROOT, run_command

CONFIGURATION = """version: 1
server: { listen: ":4180", publicURL: https://app.example.com, trustedProxies: [10.0.0.0/8] }
admin: { listen: ":9180" }
upstream: http://127.0.0.1:8080
session: { keys: ["${file:./session.key}", "${env:UNSET_KEY}"] }
requestHeaders: { set: { X-Api-Key: "Bearer ${env:UNSET_API_KEY}" } }
providers:
  - id: oidc.acme
    issuer: https://auth.example.com
    clientID: ${env:UNSET_CLIENT_ID}
    clientSecret: ${env:UNSET_SECRET}
routes:
  - { path: /**, access: { groups: [staff] } }
"""

WITHOUT_SECRETS = {
    "providers": (["providers", "oidc.acme", "gateway.yaml"], "https://app.example.com/_gateway/callback/oidc.acme"),
    "trace": (["trace", "GET", "/", "gateway.yaml", "--as", "claims.json"], "X-Api-Key: Bearer ${env:UNSET_API_KEY}"),
    "config": (["config", "gateway.yaml"], "env UNSET_SECRET (not resolved)"),
    "render": (["render", "sidecar", "gateway.yaml"], "name: UNSET_SECRET"),
    "validate": (["validate", "--strict", "--no-secrets", "gateway.yaml"], "gateway.yaml: 0 errors, 0 warnings"),
}


def write(folder: pathlib.Path, configuration: str = CONFIGURATION) -> None:
    (folder / "gateway.yaml").write_text(configuration)
    (folder / "claims.json").write_text(json.dumps({"sub": "1", "groups": ["staff"]}))


@pytest.mark.parametrize("command", WITHOUT_SECRETS)
def test_a_command_that_needs_no_secret_works_without_any(tmp_path, command):
    write(tmp_path)
    arguments, expected = WITHOUT_SECRETS[command]
    run = run_command(*arguments, folder=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert expected in run.stdout


@pytest.mark.parametrize("arguments", [["validate", "gateway.yaml"], ["run", "gateway.yaml"]], ids=" ".join)
def test_serving_and_plain_validation_need_every_secret(tmp_path, arguments):
    write(tmp_path)
    run = run_command(*arguments, folder=tmp_path)
    assert run.returncode in (1, 78)
    for name in ("UNSET_KEY", "UNSET_CLIENT_ID", "UNSET_SECRET", "./session.key"):
        assert f"`{name}`" in run.stdout + run.stderr


@pytest.mark.parametrize("command", WITHOUT_SECRETS)
def test_a_reference_that_decides_the_answer_is_reported(tmp_path, command):
    key, value = ("listen", '":4180"') if command == "render" else ("publicURL", "https://app.example.com")
    write(tmp_path, CONFIGURATION.replace(f"{key}: {value}", f'{key}: "${{env:UNSET_ADDRESS}}"'))
    run = run_command(*WITHOUT_SECRETS[command][0], folder=tmp_path)
    assert run.returncode == 1
    report = run.stdout if command == "validate" else run.stderr
    assert "error[unresolved-reference]: the environment variable `UNSET_ADDRESS` is not set" in report


@pytest.mark.parametrize("arguments", [["validate"], ["config"], ["trace", "GET", "/"], ["render", "sidecar"], ["run"]], ids=" ".join)
def test_without_a_file_the_paths_that_were_tried_are_listed(tmp_path, arguments):
    run = run_command(*arguments, folder=tmp_path)
    assert run.returncode == {"validate": 3, "run": 78}.get(arguments[0], 1)
    assert run.stderr == (
        "gateway: no configuration file found. Tried:\n"
        "  $GATEWAY_CONFIG: not set\n"
        "  ./gateway.yaml: no such file\n"
        "  /etc/gateway/gateway.yaml: no such file\n"
        "help: name the file, set GATEWAY_CONFIG, or write a file with `gateway init`\n"
    )


def test_a_file_that_the_environment_names_is_reported_with_the_variable(tmp_path):
    run = run_command("validate", folder=tmp_path, environment={"GATEWAY_CONFIG": "/no/such.yaml"})
    assert (run.returncode, run.stderr) == (3, "gateway: cannot read /no/such.yaml, which GATEWAY_CONFIG names: no such file\n")


def test_explain_knows_every_code_of_the_documentation():
    codes = re.findall(r"^\| `((?:auth|proxy)/[a-z-]+)` \| (\d{3}) \|", (ROOT / "docs/errors.md").read_text(), re.MULTILINE)
    assert len(codes) > 40
    for code, status in codes:
        run = run_command("explain", code)
        assert run.returncode == 0 and run.stdout.startswith(f"{code} (status {status})\n\n"), run.stderr
        assert "\nWhat to do\n" in run.stdout
    misspelt = run_command("explain", "auth/invalid-stat")
    assert misspelt.returncode == 1 and "Did you mean `auth/invalid-state`?" in misspelt.stderr


def test_providers_lists_only_ids_that_it_accepts():
    listing = run_command("providers").stdout
    ids = [line.split()[0] for line in listing.split("\n\n")[0].splitlines()]
    assert len(ids) > 29 and "oidc.acme" in ids
    for name in ids:
        run = run_command("providers", name)
        assert run.returncode == 0, run.stderr


def test_an_everyday_name_leads_to_the_preset():
    run = run_command("providers", "entra")
    assert run.returncode == 1 and "Did you mean `microsoft.com`?" in run.stderr


COMMANDS = ["", "run", "validate", "explain", "schema", "config", "providers", "render", "render sidecar", "keygen", "healthcheck", "trace", "users"]
USERS = ["list", "show", "create", "disable", "enable", "delete", "revoke", "link", "unlink", "set-password", "export", "import", "reseal"]
COMMANDS += [f"users {name}" for name in USERS]
PAGES = ["explain no-access-rule", "explain trailing-comma", "explain foreign-configuration", "explain auth/invalid-state", "providers", "providers keycloak", "providers password"]


@pytest.mark.parametrize("command", [f"{name} --help".strip() for name in COMMANDS] + PAGES + ["providers entra", "explain nothing"])
def test_help_and_pages_fit_80_columns(command):
    run = run_command(*command.split(), environment={"COLUMNS": "80"})
    # Examples stay as they are written, and words are not broken.
    prose = [line for line in (run.stdout + run.stderr).splitlines() if not line.startswith("    ") or "--help" in command]
    too_long = [line for line in prose if len(line) > 80 and " " in line.strip()]
    assert prose and too_long == []


def test_the_examples_of_the_help_texts_are_valid_commands(tmp_path):
    write(tmp_path)
    examples = [
        line.split()[1:]
        for command in COMMANDS
        for line in run_command(*command.split(), "--help").stdout.splitlines()
        if line.startswith("  gateway ") and "<" not in line
    ]
    assert len(examples) >= 6
    for arguments in examples:
        run = run_command(*arguments, folder=tmp_path)
        assert run.returncode == 0, f"{arguments}: {run.stderr}"
