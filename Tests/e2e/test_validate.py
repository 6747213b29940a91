"""`gateway validate` from the outside: exit statuses, text and JSON. Contract §1, §5, §6."""

from __future__ import annotations

import json
import pathlib
import re
import socket
import threading

import pytest

from parts.gateway import run_command, session_key
from parts.redis_server import RedisServer

HEAD = """version: 1
server:
  listen: 127.0.0.1:4180
  publicURL: https://app.example.com
upstream: http://127.0.0.1:8080
session:
  keys: ["${env:SESSION_KEY}"]
routes:
  - path: /**
    access: { emails: ["*@example.com"] }
"""
PROVIDER = """providers:
  - id: oidc.acme
    issuer: https://auth.example.com
    clientID: acme-web
    clientSecret: ${env:ACME_SECRET}
"""
ENVIRONMENT = {"SESSION_KEY": session_key(), "ACME_SECRET": "a-secret-that-must-not-be-printed"}


def validate(folder: pathlib.Path, text: str, *arguments: str, name: str = "gateway.yaml"):
    (folder / name).write_text(text, encoding="utf-8")
    return run_command("validate", *arguments, name, folder=folder, environment=ENVIRONMENT)


def findings(folder: pathlib.Path, text: str) -> list[dict]:
    run = validate(folder, text, "--format", "json")
    return json.loads(run.stdout)["diagnostics"]


def test_a_good_file_is_silent_and_exits_0(tmp_path):
    """§1 exit status 0."""
    run = validate(tmp_path, HEAD + PROVIDER)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "error" not in run.stdout.replace("0 errors", "")


def test_the_report_is_the_documented_one(tmp_path):
    """§5, the sample: position, excerpt, underline, help, pointer to `explain`."""
    run = validate(tmp_path, HEAD + PROVIDER + "    customParameters:\n      redirect_uri: https://evil.example\n", "--color", "never")
    assert run.returncode == 1
    line = len((HEAD + PROVIDER).splitlines()) + 2
    report = run.stdout
    assert "error[reserved-parameter]: `redirect_uri` is reserved and cannot be a custom parameter\n" in report
    assert f"  --> gateway.yaml:{line}:7\n" in report
    assert f"{line} |       redirect_uri: https://evil.example\n" in report
    assert "       ^^^^^^^^^^^^" in report
    assert "https://app.example.com/_gateway/callback/oidc.acme" in report
    assert "= see `gateway explain reserved-parameter`" in report
    assert "gateway.yaml: 1 error, 0 warnings" in report
    assert "\x1b" not in report


def test_the_json_is_the_documented_one(tmp_path):
    """§5 `--format json`, §6 "Positions"."""
    text = HEAD + PROVIDER + "    customParameters:\n      redirect_uri: https://evil.example\n"
    run = validate(tmp_path, text, "--format", "json")
    assert run.returncode == 1
    report = json.loads(run.stdout)
    assert report["formatVersion"] == "1" and report["valid"] is False
    assert (report["errorCount"], report["warningCount"]) == (1, 0)
    (finding,) = report["diagnostics"]
    assert finding["rule"] == "reserved-parameter" and finding["severity"] == "error"
    assert finding["file"] == "gateway.yaml"
    offset = text.encode().index(b"redirect_uri")
    line = len((HEAD + PROVIDER).splitlines()) + 2
    assert finding["range"] == {"start": {"line": line, "column": 7, "offset": offset}, "end": {"line": line, "column": 19, "offset": offset + 12}}
    assert set(finding) == {"rule", "severity", "message", "help", "file", "range", "related", "fix"}


MISTAKES = [
    # (what, the file, rule, the text at the finding's range)
    ("an unknown key with a suggestion", HEAD.replace("listen", "listem") + PROVIDER, "unknown-key", "listem"),
    ("a key twice", HEAD + "upstream: http://127.0.0.1:9\n" + PROVIDER, "duplicate-key", "upstream"),
    ("a list where a mapping belongs", HEAD.replace("server:\n  listen: 127.0.0.1:4180\n  publicURL: https://app.example.com\n", "server: [1]\n"), "wrong-type", None),
    ("no client ID", HEAD + PROVIDER.replace("    clientID: acme-web\n", ""), "missing-key", "id"),
    ("no client secret", HEAD + PROVIDER.replace("    clientSecret: ${env:ACME_SECRET}\n", ""), "missing-client-secret", None),
    ("an unset variable", HEAD + PROVIDER.replace("ACME_SECRET", "NOT_SET_ANYWHERE"), "unresolved-reference", "${env:NOT_SET_ANYWHERE}"),
    ("an unreadable file", HEAD + PROVIDER.replace("env:ACME_SECRET", "file:no-such-file"), "unresolved-reference", "${file:no-such-file}"),
    ("a provider nobody knows", HEAD + PROVIDER.replace("oidc.acme", "GitHub.com"), "unknown-provider", "GitHub.com"),
    ("a provider twice", HEAD + PROVIDER + PROVIDER.removeprefix("providers:\n"), "duplicate-provider", "oidc.acme"),
    ("a future version", HEAD.replace("version: 1", "version: 2") + PROVIDER, "unsupported-version", "2"),
    ("a bad duration", HEAD + PROVIDER + "admin: { listen: '127.0.0.1:1' }\n" + "x-note: 1\n" + "logging: { level: loud }\n", "invalid-value", "loud"),
    ("a public URL that is none", HEAD.replace("https://app.example.com", "app.example.com") + PROVIDER, "public-url", "app.example.com"),
    ("an issuer in plain http", HEAD + PROVIDER.replace("https://auth", "http://auth"), "insecure-url", "http://auth.example.com"),
    ("an unquoted boolean parameter", HEAD + PROVIDER + "    customParameters: { allow_signup: false }\n", "non-string-parameter", "false"),
    ("broken YAML", HEAD + "  bad: [1, 2\n", "yaml-syntax", None),
]


@pytest.mark.parametrize(("what", "text", "rule", "place"), MISTAKES, ids=[case[0] for case in MISTAKES])
def test_each_mistake_is_found_at_its_place(tmp_path, what, text, rule, place):
    """§5, §6: the rule, and the bytes that must change."""
    found = findings(tmp_path, text)
    matching = [finding for finding in found if finding["rule"] == rule]
    assert matching, [finding["rule"] for finding in found]
    if place is not None:
        covered = [text.encode()[item["range"]["start"]["offset"] : item["range"]["end"]["offset"]].decode() for item in matching]
        assert place in covered, covered
    assert all(finding["severity"] == "error" for finding in matching)
    assert matching[0]["help"] or rule == "yaml-syntax"


def test_all_findings_of_a_file_come_in_one_run_in_file_order(tmp_path):
    """§5."""
    found = findings(tmp_path, HEAD.replace("listen", "listem").replace("version: 1", "version: 3") + PROVIDER.replace("https://auth", "http://auth"))
    offsets = [finding["range"]["start"]["offset"] for finding in found]
    assert {"unsupported-version", "unknown-key", "insecure-url"} <= {finding["rule"] for finding in found}
    assert offsets == sorted(offsets)


def test_a_duplicate_shows_both_places(tmp_path):
    """§5: a second place is shown as a second snippet."""
    (finding,) = [item for item in findings(tmp_path, HEAD + "upstream: http://127.0.0.1:9\n" + PROVIDER) if item["rule"] == "duplicate-key"]
    assert finding["related"][0]["range"]["start"]["line"] == 5


def test_a_warning_fails_only_with_strict(tmp_path):
    """§1 `--strict`; §6 "Commands": `valid` means no errors, whatever `--strict`."""
    text = HEAD + PROVIDER.replace("${env:ACME_SECRET}", "a-literal-secret-in-the-file-3781")
    assert validate(tmp_path, text).returncode == 0
    strict = validate(tmp_path, text, "--strict", "--format", "json")
    assert strict.returncode == 1
    report = json.loads(strict.stdout)
    assert report["valid"] is True and report["warningCount"] >= 1
    assert "literal-secret" in [finding["rule"] for finding in report["diagnostics"]]


def test_a_secret_is_never_printed(tmp_path):
    """§2 "References": an error names the variable and never prints a value."""
    text = HEAD + PROVIDER + "    customParameters: { client_secret: '${env:ACME_SECRET}' }\n    clientSecre: ${env:ACME_SECRET}\n"
    for format in ("text", "json"):
        run = validate(tmp_path, text, "--format", format)
        assert run.returncode == 1
        for secret in ENVIRONMENT.values():
            assert secret not in run.stdout + run.stderr


def test_the_exit_statuses_are_the_documented_ones(tmp_path):
    """§1: 2 wrong usage, 3 could not run."""
    assert run_command("validate", "--format", "nonsense", "gateway.yaml", folder=tmp_path).returncode == 2
    assert run_command("validate", "--no-such-option", folder=tmp_path).returncode == 2
    assert run_command("validate", "no-such-file.yaml", folder=tmp_path).returncode == 3


def test_standard_input_is_a_file_too(tmp_path):
    """§6 "Commands": `-` is named `<stdin>`."""
    run = run_command("validate", "-", folder=tmp_path, input="version: 1\nnonsense: 1\n")
    assert run.returncode == 1
    assert "<stdin>:2:1" in run.stdout


def test_bytes_that_are_no_utf8_are_a_finding(tmp_path):
    """§6 "Commands": `yaml-syntax`."""
    (tmp_path / "gateway.yaml").write_bytes(b"version: 1\nname: \xff\xfe\n")
    run = run_command("validate", "--format", "json", "gateway.yaml", folder=tmp_path)
    assert run.returncode == 1
    assert [finding["rule"] for finding in json.loads(run.stdout)["diagnostics"]] == ["yaml-syntax"]


@pytest.mark.parametrize("colour", ["always", "never"])
def test_colour_is_as_asked(tmp_path, colour):
    """§6 "Commands": `--color always` beats `NO_COLOR`."""
    (tmp_path / "gateway.yaml").write_text("version: 1\nnonsense: 1\n")
    run = run_command("validate", "--color", colour, "gateway.yaml", folder=tmp_path, environment={"NO_COLOR": "1"})
    assert ("\x1b[" in run.stdout) == (colour == "always")


def validate_store(tmp_path, store: str, *more: str):
    """Findings about the session store with `--online`, and what the command said besides."""
    file = tmp_path / "gateway.yaml"
    file.write_text(f"version: 1\nupstream: http://127.0.0.1:1\nroutes: [{{path: /**, access: public}}]\nsession:\n  store: {store}\n")
    result = run_command("validate", "--online", "--format", "json", *more, str(file))
    findings = [item for item in json.loads(result.stdout)["diagnostics"] if item["rule"] == "session-store-unreachable"]
    assert all(item["range"]["start"]["line"] == 5 and item["severity"] == "warning" for item in findings)
    assert "hunter2" not in result.stdout + result.stderr
    return [item["message"] for item in findings], result


HELLO = "*4\r\n$6\r\nserver\r\n$%d\r\n%s\r\n$7\r\nversion\r\n$%d\r\n%s\r\n"


@pytest.mark.parametrize(
    ("hello", "reported", "said"),
    [
        (HELLO % (5, "redis", 6, "6.2.14"), None, "the session store is Redis 6.2.14"),
        (HELLO % (6, "valkey", 5, "8.0.1"), None, "the session store is Valkey 8.0.1"),
        (HELLO % (5, "redis", 6, "6.0.16"), "it is Redis 6.0.16", None),
        (HELLO % (5, "redis", 8, "\x1b[31m6.2"), "does not say its version", None),
        ("-ERR unknown command\r\n", "older than Redis 6.2", None),
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "something other than replies of Redis", None),
        ("", "closed the connection", None),
    ],
)
def test_online_asks_the_session_store_for_its_version(tmp_path, hello, reported, said):
    """Issue 24.7. The password goes to the store, and nowhere else."""
    received = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                received.append(connection.recv(1024))
                connection.sendall(b"+OK\r\n+PONG\r\n")
                received.append(connection.recv(1024))
                connection.sendall(hello.encode())

        thread = threading.Thread(target=serve)
        thread.start()
        messages, result = validate_store(tmp_path, f"redis://:hunter2-hunter2@127.0.0.1:{listener.getsockname()[1]}/0")
        thread.join()
    assert [reported in message for message in messages] == ([True] if reported else []), messages
    assert (said or "the session store is") in result.stderr or said is None
    assert b"hunter2-hunter2" in received[0] and b"SET" not in b"".join(received)


def test_online_signs_in_at_a_real_session_store(tmp_path):
    part = RedisServer(tmp_path, "requirepass hunter2-right").start()
    try:
        address = f"127.0.0.1:{part.port}"
        messages, result = validate_store(tmp_path, f"redis://:hunter2-right@{address}/3")
        assert messages == [] and re.search(r"the session store is Redis 7\.\d+\.\d+", result.stderr)
        for store, reason in (
            (f"redis://:hunter2-wrong@{address}", "WRONGPASS"),
            (f"redis://{address}", "NOAUTH"),
            (f"redis+cluster://:hunter2-right@{address}", None),
            (f"redis+sentinel://:hunter2-right@{address}/mymaster", "Sentinel"),
            ("redis://127.0.0.1:1", "refuses connections"),
            ("redis+unix:///nowhere.sock", "connection"),
        ):
            messages, result = validate_store(tmp_path, store)
            assert len(messages) == (1 if reason else 0), store
            assert not reason or reason in messages[0], messages
        assert validate_store(tmp_path, "redis://127.0.0.1:1", "--strict")[1].returncode == 1
        assert part.run("-a", "hunter2-right", "DBSIZE").strip() == "0", "nothing is written"
    finally:
        part.kill()
