"""Noise, a thousand times over: issue "It is done when", advisories 11, 31, 67, 109."""

from __future__ import annotations

import base64
import random

import pytest

import wire
from conftest import mark
from logins import session_cookie, sign_in
from parts.seed import seeded

COUNT = 1000


@pytest.fixture(scope="module")
def quiet(start_gateway, dev):
    """A gateway of this file's own, whose memory nobody else moves; its log is as in production."""
    return start_gateway({"providers": [dev.configuration], "logging": {"level": "info"}}, name="gateway-junk")


def noise(source: random.Random, length: int) -> bytes:
    kind = source.randrange(5)
    if kind == 0:
        return source.randbytes(length)
    if kind == 1:
        return bytes(source.choice(b"abcdefghijklmnopqrstuvwxyz0123456789-_.") for _ in range(length))
    if kind == 2:
        return base64.urlsafe_b64encode(source.randbytes(length))
    if kind == 3:
        return bytes(source.choice(b"%&=;?#/\\\"'<>(){}[],:@!$*+ \t\x00\x7f\xff\xc3\xa9") for _ in range(length))
    return b"%" + b"%".join(b"%02x" % byte for byte in source.randbytes(length))


def printable(data: bytes) -> bytes:
    """The part of `data` that may stand in a target or a field: so that the noise gets past the parser."""
    return bytes(byte for byte in data if 0x21 <= byte <= 0x7E and byte not in b"#\\\"<>^`{|}")


def callbacks(gateway, source: random.Random):
    names = [b"code", b"state", b"iss", b"error", b"error_description", b"session_state", b"id_token", b"CODE", b"state[]", b""]
    for _ in range(COUNT):
        query = b"&".join(source.choice(names) + source.choice([b"=", b"", b"=="]) + printable(noise(source, source.randrange(0, 200))) for _ in range(source.randrange(0, 7)))
        method = source.choice([b"GET", b"GET", b"POST", b"HEAD"])
        provider = source.choice([b"oidc.dev", b"oidc.dev", b"github.com", b"%2e%2e", printable(noise(source, 8)).replace(b"/", b"") or b"x"])
        cookie = b"; ".join(printable(noise(source, 20)).replace(b";", b"") for _ in range(source.randrange(0, 4)))
        if method == b"POST":
            yield b"POST /_gateway/callback/" + provider + b" HTTP/1.1\r\nHost: x\r\nCookie: " + cookie + b"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(query) + query
        else:
            yield method + b" /_gateway/callback/" + provider + b"?" + query + b" HTTP/1.1\r\nHost: x\r\nSec-Fetch-Mode: navigate\r\nCookie: " + cookie + b"\r\n\r\n"


def cookies(gateway, source: random.Random, valid: str):
    for _ in range(COUNT):
        kind = source.randrange(6)
        if kind == 0:
            position = source.randrange(len(valid))
            changed = bytearray(valid.encode())
            changed[position] ^= 1 << source.randrange(5)
            value = b"session=" + bytes(changed)
        elif kind == 1:
            value = b"session=" + valid.encode()[: source.randrange(len(valid))]
        elif kind == 2:
            value = b"session=" + valid.encode() + b"; session=" + printable(noise(source, 30))
        else:
            value = source.choice([b"session=", b"session.0=", b"session.1=", b"__Host-session=", b""]) + noise(source, source.randrange(0, 400)).replace(b"\r", b"").replace(b"\n", b"")
        yield b"GET /app/junk HTTP/1.1\r\nHost: x\r\nCookie: " + value + b"\r\n\r\n"


def heads(gateway, source: random.Random):
    good = b"GET /app/junk HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nX-Forwarded-User: admin\r\nCookie: a=b\r\n\r\n"
    for _ in range(COUNT):
        kind = source.randrange(4)
        if kind == 0:
            yield noise(source, source.randrange(1, 600)) + b"\r\n\r\n"
        elif kind == 1:
            data = bytearray(good)
            for _ in range(source.randrange(1, 6)):
                data[source.randrange(len(data))] = source.randrange(256)
            yield bytes(data) + b"\r\n\r\n"
        elif kind == 2:
            cut = source.randrange(len(good))
            yield good[:cut] + noise(source, source.randrange(0, 40)) + good[cut:]
        else:
            yield b"GET /app/" + printable(noise(source, 60)) + b" HTTP/1.1\r\nHost: x\r\n" + b"".join(printable(noise(source, 10)).replace(b":", b"") + b": " + noise(source, 30) + b"\r\n" for _ in range(10)) + b"\r\n"


@pytest.mark.parametrize("what", ["callbacks", "cookies", "heads"])
def test_a_thousand_pieces_of_junk_open_nothing_crash_nothing_and_leave_nothing(quiet, dev, upstream, what):
    """No 2xx on a protected route, nothing at the upstream, the process alive, its memory bounded."""
    source = seeded(what)
    valid = session_cookie(sign_in(quiet, dev))
    pieces = {"callbacks": lambda: callbacks(quiet, source), "cookies": lambda: cookies(quiet, source, valid), "heads": lambda: heads(quiet, source)}[what]
    host = f"127.0.0.1:{quiet.port}".encode()
    seen = upstream.connections

    def throw() -> None:
        for piece in pieces():
            with wire.Connection(quiet.port, timeout=60) as connection:
                connection.send(piece.replace(b"Host: x\r\n", b"Host: " + host + b"\r\nConnection: close\r\n", 1))
                connection.socket.shutdown(1)  # whatever is half a request now stays half
                try:
                    response = connection.response("HEAD" if piece.startswith(b"HEAD") else "GET")
                except (ConnectionError, TimeoutError):
                    response = None
                if response is not None:
                    assert not 200 <= response.status < 300, (response.status, piece)
                    assert response.status < 500 or response.status in (501, 502, 503, 505), (response.status, piece)
                    assert not any(cookie.startswith("session=") and "max-age=0" not in cookie.lower() for cookie in response.values("Set-Cookie")), piece

    throw()  # the first thousand also warms pools and caches
    before = quiet.resident_kilobytes()
    throw()
    throw()
    assert quiet.alive
    assert quiet.resident_kilobytes() - before < 16 * 1024
    assert upstream.connections == seen, "nothing reached the upstream"
    marker = mark()
    assert sign_in(quiet, dev).get(quiet.url(f"/{marker}")).status_code == 200, "it still serves"
