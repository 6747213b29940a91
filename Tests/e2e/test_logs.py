"""What the gateways of the whole run wrote down. Comes last (conftest.py)."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from urllib.parse import quote

from conftest import METRICS, mark
from logins import MINTED, NAVIGATION, callback_of, new_client, session_cookie
from parts.processes import eventually


def logs(folder) -> dict[str, str]:
    """Logs, access logs, audit streams and exported spans of all gateways of the run."""
    return {file.name: file.read_text(encoding="utf-8", errors="replace") for file in folder.glob("gateway*.log")}


def found_in(texts: dict[str, str], secrets: set[str], folder: pathlib.Path) -> list[str]:
    """Names of texts and the beginnings of the secrets that they contain."""
    wanted = {form for secret in secrets if len(secret) >= 8 for form in (secret, quote(secret, safe=""))}
    lines = folder / "secrets"
    lines.write_text("\n".join(line for form in wanted for line in form.splitlines() if len(line) >= 8), encoding="utf-8")
    found = []
    for name, text in texts.items():
        # One pass for all of them.
        done = subprocess.run(
            ["grep", "--text", "--only-matching", "--fixed-strings", f"--file={lines}"], input=text, capture_output=True, text=True, timeout=60
        )
        assert done.returncode in (0, 1), done.stderr
        found += [f"{name}: {form[:12]}…" for form in set(done.stdout.splitlines()) if any(form in secret for secret in wanted)]
    return found


def test_the_search_finds_secrets(tmp_path):
    texts = {"a": "x secret-one y\nkey=secret%2Btwo", "b": "nothing", "c": "two\nlines of a secret"}
    found = found_in(texts, {"secret-one", "secret+two", "of a key\nlines of a secret", "short"}, tmp_path)
    assert sorted(found) == ["a: secret%2Btwo…", "a: secret-one…", "c: lines of a s…"]


def test_no_log_contains_a_secret(folder, gateway, dev, minted, tmp_path):
    """issue "Process", RFC 9700 B14, advisory 64: keys, client secrets, codes, tokens, cookies, verifiers, at any level."""
    client = new_client()
    callback = callback_of(gateway, dev, client)
    transactions = {cookie.value for cookie in client.cookies if cookie.value}
    client.get(callback, headers=NAVIGATION, allow_redirects=False)
    from urllib.parse import parse_qs, urlsplit

    query = parse_qs(urlsplit(callback).query)
    marker = mark()
    client.get(gateway.url(f"/app/{marker}?token=in-the-query-{marker}"), headers={"Authorization": f"Bearer app-token-{marker}"})
    from test_logout import log_out

    cookie = session_cookie(client)
    hint = parse_qs(urlsplit(log_out(gateway, client).headers["Location"]).query)["id_token_hint"]
    at_canaille = folder / "canaille-minted.txt"
    secrets = {
        *minted,
        *MINTED,
        *(at_canaille.read_text().split() if at_canaille.exists() else []),
        *transactions,
        *query["code"],
        *query["state"],
        *hint,
        cookie,
        dev.configuration["clientSecret"],
        f"app-token-{marker}",
        f"in-the-query-{marker}",
    }
    counted = {f"metrics of {name}": text for name, text in METRICS.items()}
    counted["metrics of gateway"] = gateway.metrics()
    assert found_in({**logs(folder), **counted}, secrets, tmp_path) == []
    for name, text in logs(folder).items():
        assert not re.search(r"eyJ[A-Za-z0-9_-]{20,}\.eyJ", text), f"a JWT in {name}"


def test_every_line_is_json_and_every_refusal_has_a_reason_and_a_request_id(folder, gateway):
    """issue "Process": log as JSON, every refusal with a reason code and a request id."""
    response = new_client().get(gateway.url("/app/x"), headers={"Accept": "application/json"}, allow_redirects=False)
    identifier = response.json()["error"]["request_id"]
    file = folder / "gateway.log"
    # Another thread writes the log.
    eventually(lambda: identifier in file.read_text(encoding="utf-8"), "the request id of the answer stands in the log")
    # Before the log begins the linter's warnings are printed, for people; then every line is a record.
    _, started, records = file.read_text(encoding="utf-8").rpartition("\n")[0].partition('{"time"')
    lines = [json.loads(line) for line in (started + records).splitlines()]
    about = [line for line in lines if identifier in json.dumps(line)]
    assert any(line.get("event") == "sign-in-required" for line in about), about
    refusals = [line for line in lines if line.get("event") in ("request-refused", "access-denied", "login-failed", "session-refused")]
    assert all((line.get("reason") or line.get("code")) and line.get("request_id") for line in refusals), refusals[:3]


def test_no_process_crashed(folder):
    """A trap, an exclusivity violation or a leaked promise would show here."""
    for name, text in logs(folder).items():
        for sign in ("Fatal error", "leaking promise", "Simultaneous accesses", "Thread 0 crashed", "ERROR: AddressSanitizer", "*** Program crashed"):
            assert sign not in text, f"{sign} in {name}"
