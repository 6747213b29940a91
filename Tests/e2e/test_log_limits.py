"""What one request of a stranger may write: a bounded number of lines of bounded length. docs/decisions/0025-one-line-per-request.md."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import pytest

import wire
from conftest import mark
from parts.processes import eventually
from test_metrics import series, value

FILES = ("events", "access", "audit")
# What all streams together may write about one request, and in how many lines.
MOST_LINES = 5
MOST_BYTES = 24 * 1024


@pytest.fixture(scope="module")
def limited(start_gateway, dev, folder):
    """Every stream in a file of its own, at the level that is the default."""
    provider = {**dev.configuration, "requestParameters": ["login_hint"]}
    return start_gateway(
        {
            "providers": [provider],
            "routes": [
                {"path": "/public/**", "access": "public"},
                {"path": "/api/**", "access": "authenticated", "bearer": {"providers": [provider["id"]]}},
                {"path": "/cors/**", "access": "public", "cors": {"origins": ["https://other.example"]}},
            ],
            "session": {"exchange": {"providers": [provider["id"]]}},
            "logging": {"level": "info", "access": {"to": str(folder / "gateway-limits-access.log")}},
            "audit": {"to": str(folder / "gateway-limits-audit.log")},
        },
        name="gateway-limits",
    )


class Streams:
    """The log, the access log and the audit stream from now on."""

    def __init__(self, gateway, folder: pathlib.Path) -> None:
        self.files = {
            "events": folder / "gateway-limits.log",
            "access": folder / "gateway-limits-access.log",
            "audit": folder / "gateway-limits-audit.log",
        }
        self.before = {name: file.stat().st_size for name, file in self.files.items()}

    def lines(self) -> dict[str, list[bytes]]:
        return {name: file.read_bytes()[self.before[name] :].splitlines() for name, file in self.files.items()}

    def records(self, event: str) -> list[dict[str, Any]]:
        """Of the log."""
        return [record for record in map(json.loads, self.lines()["events"]) if record["event"] == event]

    def settled(self) -> dict[str, list[bytes]]:
        """When the access log has its line: the others are written before."""
        eventually(lambda: len(self.lines()["access"]) >= 1, "the access log's line")
        last: dict[str, list[bytes]] = {}

        def unchanged() -> bool:
            nonlocal last
            now, before = self.lines(), last
            last = now
            return now == before

        eventually(unchanged, "the streams are at rest")
        return last


@pytest.fixture
def streams(limited, folder) -> Streams:
    # Each test waits for its own lines; only those of the start may be on their way.
    eventually(lambda: "gateway.start" in (folder / "gateway-limits-audit.log").read_text(), "the record of the start")
    eventually(lambda: '"event":"ready"' in (folder / "gateway-limits.log").read_text(), "the event of the start")
    return Streams(limited, folder)


def ask(gateway, request: bytes) -> int:
    with wire.Connection(gateway.port) as connection:
        connection.send(request)
        return connection.response().status


def head(gateway, target: str, *fields: str, method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{gateway.port}", *fields, "", ""]).encode("latin-1")


def processor_seconds(gateway) -> float:
    """What the gateway has used of the processor, all threads together."""
    fields = pathlib.Path(f"/proc/{gateway.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_thousands_of_parameters_of_a_login_leave_one_line_and_are_counted(limited, streams, dev):
    """Issue 19.2: 9,443 names in 32 KiB wrote 2.5 MB. Fields beyond the hundredth are dropped; names that are sent twice as well."""
    names = [f"name{number}" for number in range(3_500)]
    query = "&".join(["login_hint=al", *names, "login_hint=eve"])
    assert 28_000 < len(query) < 32_000
    name = "gateway_login_parameters_dropped_total"
    before = value(series(limited), name)
    used = processor_seconds(limited)
    assert ask(limited, head(limited, f"/_gateway/login/{dev.configuration['id']}?{query}")) == 302
    assert processor_seconds(limited) - used < 0.5, "names are not compared each with each"
    streams.settled()
    (record,) = streams.records("parameter-dropped")
    assert record["count"] == 3_502
    assert record["parameters"] == "login_hint, name0, name1, name2, name3"
    assert record["reason"] == "not in requestParameters: 99; duplicate: 1; beyond the 100th parameter: 3402"
    assert value(series(limited), name) - before == 3_502
    assert value(series(limited), name, reason="beyond the 100th parameter") == 3_402


def test_look_alikes_of_identity_headers_leave_one_line_and_one_record(limited, streams):
    """Issue 19.2: 90 spellings on a public route."""
    spellings = [
        "".join(letter.upper() if number >> index & 1 else letter for index, letter in enumerate("remote_user")) for number in range(90)
    ]
    before = value(series(limited), "gateway_stripped_identity_headers_total")
    fields = [f"{name}: root" for name in spellings] + ["X-Forwarded-Email: root@example.com"]
    assert ask(limited, head(limited, "/public/x", *fields)) == 200
    lines = streams.settled()
    (record,) = streams.records("identity-header-stripped")
    assert (record["header"], record["count"]) == ("remote-user, x-forwarded-email", 91)
    assert len(lines["audit"]) == 1
    assert value(series(limited), "gateway_stripped_identity_headers_total") - before == 2, "each name counts once for a request"


LONG = "/" + "x" * 30_000
ESCAPED = "\u00ff" * 7_000
AGENT = f"User-Agent: {ESCAPED}"
FORM = "Content-Type: application/x-www-form-urlencoded"


def body(gateway, target: str, content: bytes, *fields: str) -> bytes:
    return head(gateway, target, *fields, f"Content-Length: {len(content)}", method="POST") + content


HOSTILE = {
    "a public route, a path of 30 KB": lambda g, p: head(g, "/public" + LONG),
    "a public route, a query that redaction makes longer": lambda g, p: head(g, "/public/x?" + "a&" * 15_000),
    "a public route, names in a query": lambda g, p: head(g, "/public/x?" + "%C2%80=&" * 3_700),
    "a public route, an agent of bytes that are escaped": lambda g, p: head(g, "/public/x", AGENT, f"Referer: {ESCAPED}"),
    "a long method": lambda g, p: head(g, "/public/x", method="A" * 20_000),
    "a long host": lambda g, p: b"GET /public/x HTTP/1.1\r\nHost: " + b"a" * 20_000 + b"\r\n\r\n",
    "look-alike headers": lambda g, p: head(g, "/public" + LONG[:4_000], AGENT, *[f"Remote{'_' if n & 1 else '-'}User: {n}" for n in range(90)]),
    "a protected route with junk cookies": lambda g, p: head(g, LONG, "Cookie: " + "; ".join(f"session={n}" for n in range(100))),
    "a protected route with pieces of a cookie": lambda g, p: head(g, "/x", AGENT, "Cookie: " + "; ".join(f"session.{n}=x" for n in range(900))),
    "a junk token": lambda g, p: head(g, "/api/x", AGENT, "Authorization: Bearer " + "x" * 15_000),
    "a token in the query": lambda g, p: head(g, "/api/x?access_token=" + "x" * 20_000),
    "a preflight": lambda g, p: head(
        g, "/cors" + LONG[:9_000], "Origin: https://" + "o" * 9_000, "Access-Control-Request-Method: PUT",
        "Access-Control-Request-Headers: " + "x," * 4_000, method="OPTIONS"),
    "GET /login": lambda g, p: head(g, "/_gateway/login?rd=/" + "x" * 20_000, AGENT),
    "GET /login/{provider}": lambda g, p: head(g, f"/_gateway/login/{p}?" + "&".join(f"{n:x}" for n in range(5_000)), AGENT),
    "GET /login/{provider} with login cookies": lambda g, p: head(
        g, f"/_gateway/login/{p}", "Cookie: " + "; ".join(f"session-login-{n}=x" for n in range(1_000))),
    "GET /login/ of no provider": lambda g, p: head(g, "/_gateway/login/" + "x" * 30_000),
    "GET /callback/{provider}": lambda g, p: head(g, f"/_gateway/callback/{p}?state=" + "x" * 15_000, AGENT),
    "GET /callback/{provider} with an error": lambda g, p: head(g, f"/_gateway/callback/{p}?error=" + "%0A" * 5_000),
    "GET /callback/{provider} with parameters twice": lambda g, p: head(g, f"/_gateway/callback/{p}?" + "state=1&" * 1_900),
    "POST /callback/{provider}": lambda g, p: body(g, f"/_gateway/callback/{p}", b"state=" + b"x" * 60_000, FORM),
    "POST /logout": lambda g, p: body(g, "/_gateway/logout", b"rd=/" + b"x" * 60_000, FORM, AGENT),
    "GET /logout": lambda g, p: head(g, "/_gateway/logout?rd=/" + "x" * 20_000),
    "GET /logged-out": lambda g, p: head(g, "/_gateway/logged-out?state=" + "x" * 20_000),
    "GET /userinfo": lambda g, p: head(g, "/_gateway/userinfo", AGENT),
    "GET /jwks.json": lambda g, p: head(g, "/_gateway/jwks.json?" + "x&" * 9_000),
    "POST /backchannel-logout": lambda g, p: body(g, f"/_gateway/backchannel-logout/{p}", b"logout_token=" + b"x" * 60_000, FORM, AGENT),
    "POST /backchannel-logout with tokens": lambda g, p: body(g, f"/_gateway/backchannel-logout/{p}", b"logout_token=a&" * 4_000, FORM),
    "GET /frontchannel-logout": lambda g, p: head(g, f"/_gateway/frontchannel-logout/{p}?iss=x&sid=" + "x" * 20_000, AGENT),
    "POST /session": lambda g, p: body(
        g, "/_gateway/session", json.dumps({"provider": p, "id_token": "x" * 60_000}).encode(), "Content-Type: application/json", AGENT),
    "POST /session of no provider": lambda g, p: body(
        g, "/_gateway/session", json.dumps({"provider": "x" * 60_000, "id_token": "x"}).encode(), "Content-Type: application/json"),
    "no such endpoint": lambda g, p: head(g, "/_gateway/" + "x" * 30_000, AGENT),
    "not HTTP": lambda g, p: b"\x16\x03\x01" + b"x" * 30_000 + b"\r\n\r\n",
    "a forwarded chain": lambda g, p: head(g, "/public/x", "X-Forwarded-For: " + "1.2.3.4, " * 3_000, "Forwarded: " + "for=1.2.3.4," * 500),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_request_of_a_stranger_writes_a_few_bounded_lines(limited, dev, streams, name):
    """Issue 19.2: whatever it holds, and wherever it goes."""
    ask(limited, HOSTILE[name](limited, dev.configuration["id"]))
    lines = streams.settled()
    everything = [line for stream in FILES for line in lines[stream]]
    assert len(everything) <= MOST_LINES, everything
    assert len(lines["access"]) == 1
    assert sum(map(len, everything)) <= MOST_BYTES, {stream: [len(line) for line in lines[stream]] for stream in FILES}
    for line in everything:
        assert len(line) <= MOST_BYTES / 2
        json.loads(line)
