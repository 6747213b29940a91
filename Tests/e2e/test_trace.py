"""`gateway trace`, and the same for live requests: in the log and on the page of a refusal. docs/operations/trace-command.md."""

from __future__ import annotations

import json
import re

import pytest

from conftest import mark
from logins import NAVIGATION, new_client, sign_in
from parts.gateway import run_command
from parts.processes import eventually

ROUTES = [
    {"path": "/public/**", "access": "public"},
    {"path": "/moved/**", "access": "public", "redirect": {"to": "https://www.example.com/new/**", "status": 308}},
    {"path": "/note", "access": "public", "respond": {"status": 410, "body": "gone"}},
    {"path": "/reports/**", "access": {"anyOf": [{"groups": ["nobody-has-this"]}, {"emails": ["alice@example.com"], "maxAge": "15m"}]}},
    {"path": "/finance/**", "access": {"groups": ["nobody-has-this"], "emails": ["*@example.com"]}},
]


@pytest.fixture(scope="module")
def traced(start_gateway, dev):
    return start_gateway({"providers": [dev.configuration], "routes": ROUTES, "pages": {"explainDenials": True}}, name="gateway-traced")


def trace(traced, *arguments: str, claims: dict | None = None) -> dict:
    more = ["--as", "-"] if claims is not None else []
    run = run_command("trace", *arguments, str(traced.file), *more, "--format", "json", input=json.dumps(claims) if claims is not None else None)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


ALICE = {"sub": "alice", "email": "alice@example.com", "email_verified": True, "groups": ["staff"]}


def test_each_condition_is_judged_by_itself(traced):
    """Issue 6.4: route with its line, rule by rule verdict."""
    answer = trace(traced, "GET", "/finance/%61?x=1", claims=ALICE)
    assert (answer["outcome"], answer["status"], answer["reason"]) == ("deny", 403, "auth/access-denied")
    assert answer["path"] == "/finance/a"
    assert answer["route"]["label"] == "/finance/**"
    line = traced.file.read_text().splitlines()[answer["route"]["line"] - 1 :]
    assert "/finance/**" in "".join(line[:3])
    assert [(item["condition"], item["holds"]) for item in answer["access"]] == [("emails", True), ("groups", False)]
    assert answer["upstreamHead"] == []


@pytest.mark.parametrize(
    ("path", "note"),
    [("/moved/a?b=1", "the gateway redirects (308) to https://www.example.com/new/a?b=1"), ("/note", "the gateway responds with 410")],
)
def test_a_route_without_upstream_says_what_the_gateway_answers(traced, path, note):
    """The program's internals were printed, and an upstream that is never used."""
    run = run_command("trace", "GET", path, str(traced.file))
    assert run.returncode == 0, run.stderr
    assert f"note       {note}\n" in run.stdout + "\n" and "upstream   (none: the gateway answers)\n" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "outcome", "status"),
    [
        (("GET", "/public/x"), "permit", None),
        (("GET", "/x"), "challenge", 401),
        (("GET", "/x", "--browser"), "challenge", 302),
        (("GET", "/a/../b"), "refuse", 400),
        (("GET", "/a%2Fb"), "refuse", 400),
        (("TRACE", "/x"), "refuse", 405),
        (("GET", "/_gateway/login"), "own", None),
        (("GET", "http://127.0.0.1/x y"), "refuse", 400),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_nobody_gets(traced, arguments, outcome, status):
    answer = trace(traced, *arguments)
    assert (answer["outcome"], answer.get("status")) == (outcome, status)


def test_the_head_is_the_one_that_the_upstream_gets(traced, dev, upstream):
    """What is printed and what is sent come from the same code: they are compared line by line."""
    marker = mark()
    client = sign_in(traced, dev)
    claims = client.get(traced.own("/userinfo")).json()
    headers = {"X-Forwarded-User": "root", "X-Custom": "1", "Accept": "*/*"}
    client.get(traced.url(f"/x/{marker}?q=1"), headers=headers)
    sent = upstream.only(marker)
    answer = trace(
        traced,
        "GET",
        f"{traced.origin}/x/{marker}?q=1",
        "--from",
        "127.0.0.1",
        *(part for name, value in headers.items() for part in ("-H", f"{name}: {value}")),
        claims={
            "sub": claims["name"],
            "name": claims["name"],
            "email": claims["email"],
            "email_verified": claims["email_verified"],
            "groups": claims["groups"],
            "preferred_username": claims["username"],
        },
    )
    assert answer["outcome"] == "permit"
    printed = [item["line"] for item in answer["upstreamHead"]]
    assert printed[0] == sent.request_line
    by_chance = ("Via", "traceparent", "X-Request-Id", "X-Forwarded-User", "User-Agent", "Accept-Encoding", "Connection", "Cookie")

    def told(lines) -> set[str]:
        return {line for line in lines if line.partition(":")[0] not in by_chance}

    assert told(printed[1:]) == told(f"{name}: {value}" for name, value in sent.headers)
    assert "X-Forwarded-User: root" not in printed


@pytest.mark.parametrize("auth_time", [2**63 - 1, -(2**63), 253402300800, -1, 1e300, "1000"])
def test_an_auth_time_out_of_range_is_an_error_and_crashes_nothing(traced, auth_time):
    run = run_command("trace", "GET", "/reports/x", str(traced.file), "--as", "-", input=json.dumps({**ALICE, "auth_time": auth_time}))
    assert run.returncode == 1
    assert "`auth_time` must be Unix seconds between 1970 and 9999" in run.stderr


def test_text_is_for_people_and_mistakes_are_told(traced, tmp_path):
    run = run_command("trace", "GET", "/reports/x", str(traced.file), "--as", "-", input=json.dumps({**ALICE, "auth_time": 1000}))
    assert run.returncode == 0
    assert "- maxAge: the sign-in is older than 900 s" in run.stdout
    assert "auth/requires-recent-login" in run.stdout
    for arguments, said in [
        (("GET", "/x", str(traced.file), "--as", str(tmp_path / "none.json")), "none.json"),
        (("GET", "/x", str(traced.file), "--as", "-"), "no JSON object"),
        (("GET", "/x", str(traced.file), "--from", "here", "--as", "-"), ""),
        (("GET", "/x", str(tmp_path / "none.yaml")), "none.yaml"),
    ]:
        run = run_command("trace", *arguments, input="[]")
        assert run.returncode == 1 and said in run.stderr, run.stderr
    assert run_command("trace", "GET").returncode == 2


def test_a_live_request_is_traced_in_the_log_by_its_id(traced, dev):
    """Issue 6.4: the same trace at debug level, and on the page when configured."""
    client = sign_in(traced, dev)
    page = client.get(traced.url("/finance/x"), headers=NAVIGATION)
    assert page.status_code == 403
    assert "groups: none of the user" in page.text
    assert "nobody-has-this" not in page.text, "what would pass is not told"
    identifier = re.search(r"\b[0-9a-f]{32}\b", page.text)
    assert identifier

    def records() -> list[dict]:
        return [record for record in traced.events("request-trace") if record["request_id"] == identifier.group()]

    eventually(lambda: records(), "the trace is in the log")
    assert records()[0]["route"] == "/finance/**"
    assert records()[0]["access"] == "+ emails | - groups: none of the user's groups is listed"


def test_a_page_explains_nothing_unless_it_is_told_to(gateway, dev):
    page = sign_in(gateway, dev, new_client()).get(gateway.url("/only-bob/x"), headers=NAVIGATION)
    assert page.status_code == 403
    assert "emails:" not in page.text
