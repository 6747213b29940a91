"""`gateway trace` prints the head that an upstream receives: 200 generated requests, each sent and traced (docs/operations/trace-command.md)."""

from __future__ import annotations

import json

import pytest

from conftest import mark
from logins import session_cookie, sign_in
from parts.gateway import run_command
from parts.seed import seeded
from parts.tokens import tokens_of
from wire import Connection

REQUESTS = 50
LINE = "Via: 1.1 (this gateway)"

ROUTES = [
    {"path": "/public/**", "access": "public"},
    {"path": "/api/**", "bearer": {"providers": ["oidc.dev"]}},
    {"path": "/kept/**", "bearer": {"providers": ["oidc.dev"], "forward": True}},
    {"path": "/short/**", "stripPrefix": "/short"},
    {"path": "/edited/**", "requestHeaders": {"set": {"X-Mail": "{{ email }}"}, "remove": ["X-Custom"]}},
]
CONFIGURATIONS = {
    "plain": {},
    "assertion": {"identity": {"assertion": {}}},
    "trusted": {"server": {"trustedProxies": ["127.0.0.1/32"]}},
    "profile": {"identity": {"headers": "remote-user"}},
}
PATHS = ["/x/{m}", "/public/{m}?a=%20&b", "/api/{m}", "/kept/{m}", "/short/a%41/{m}?q", "/edited/{m}"]
FIELDS = [
    "X-Custom: 1",
    "Accept: text/html;q=0.9, */*",
    "X-Forwarded-User: root",
    "x_forwarded.email: root@example.com",
    "X-Forwarded-For: 192.0.2.7, 10.0.0.1",
    "Forwarded: for=192.0.2.9;proto=https",
    "X-Forwarded-Proto: https",
    "X-Forwarded-Host: other.example",
    "Connection: X-Hop, keep-alive",
    "X-Hop: 1",
    "TE: trailers",
    "Cookie: theme=dark; a=b",
    "tracestate: vendor=1",
    "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "Referer: http://127.0.0.1/y",
    "Via: 1.1 proxy.example",
    "Max-Forwards: 3",
    "X-Gateway-Assertion: forged",
    "User-Agent: test",
]
UPGRADE = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]


def without_chance(line: str, given_id: bool) -> str:
    """What `gateway trace` prints for a value that is new for each request."""
    name, _, value = line.partition(": ")
    if name == "Via" and "gateway-" in value:
        return LINE
    if name == "traceparent":
        return "traceparent: (a span of this request)"
    if name == "X-Request-Id" and not given_id:
        return "X-Request-Id: (new for each request)"
    if name == "X-Gateway-Assertion":
        return "X-Gateway-Assertion: (signed for each request)"
    return line


@pytest.mark.parametrize("kind", CONFIGURATIONS)
def test_what_is_printed_is_what_is_sent(start_gateway, dev, upstream, minted, kind):
    """Issue 21.1: byte for byte, but for the ids of the request, for sessions, tokens, upgrades and nobody."""
    configuration = {"providers": [dev.configuration], "routes": ROUTES, **json.loads(json.dumps(CONFIGURATIONS[kind]))}
    if kind == "assertion":
        key = run_command("keygen", "assertion").stdout
        minted.update(line for line in key.splitlines() if not line.startswith("-"))
        configuration["identity"]["assertion"]["keys"] = [key]
    gateway = start_gateway(configuration, name=f"gateway-heads-{kind}")
    client = sign_in(gateway, dev)
    cookie = f"session={session_cookie(client)}"
    groups = client.get(gateway.own("/userinfo")).json()["groups"]
    token = tokens_of(dev, "alice", minted)["id_token"]
    user = {
        "sub": dev.subject_of("alice"),
        "name": "Alice Adams",
        "email": "alice@example.com",
        "email_verified": True,
        "preferred_username": "alice",
        "groups": groups,
    }
    host = gateway.origin.removeprefix("http://")
    chance = seeded(kind)
    for _ in range(REQUESTS):
        marker = mark()
        path = chance.choice(PATHS).format(m=marker)
        fields = chance.sample(FIELDS, chance.randrange(6))
        who = chance.choice(["cookie", "cookies", "token"] + ["nobody"] * path.startswith("/public"))
        if who == "token" and not path.startswith(("/api", "/kept")):
            who = "cookie"
        if who == "cookie":
            fields.append(f"Cookie: {cookie}")
        if who == "cookies":
            fields.append(f"Cookie: other=1; {cookie}; last=2")
        if who == "token":
            fields.append(f"Authorization: Bearer {token}")
        method = chance.choice(["GET", "GET", "HEAD", "POST", "DELETE", "OPTIONS"])
        if method == "GET" and chance.random() < 0.2 and not any(field.startswith("Connection") for field in fields):
            fields += UPGRADE
        if method == "POST":
            fields.append("Content-Length: 0")
        text = "".join(f"{field}\r\n" for field in [f"Host: {host}", *fields])
        with Connection(gateway.port) as connection:
            connection.send(f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode())
            assert connection.response(method).status == 200, (path, fields)
        sent = upstream.only(marker)
        arguments = [part for field in [f"Host: {host}", *fields] for part in ("-H", field)]
        more = [] if who == "nobody" else ["--as", "-"]
        run = run_command(
            "trace", method, path, str(gateway.file), "--from", "127.0.0.1", *arguments, *more, "--format", "json",
            input=None if who == "nobody" else json.dumps(user),
        )
        assert run.returncode == 0, run.stderr
        answer = json.loads(run.stdout)
        printed = [item["line"] for item in answer["upstreamHead"]]
        expected = [without_chance(line, given_id=False) for line in sent.head.decode("latin-1").split("\r\n")]
        assert printed == expected, (kind, method, path, who, fields, answer)
