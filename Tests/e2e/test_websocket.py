"""WebSockets through the gateway: authorised like any request, then bytes both ways."""

from __future__ import annotations

import contextlib
import signal
import socket

import pytest
from logins import session_cookie, sign_in
from test_lifecycle import PUBLIC, connect, drain, read_head, upstream_of

HANDSHAKE = "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
SWITCHING = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
FRAME = b"\x81\x02hi"


class Echo:
    """Accepts the handshake after a while, and sends back what it gets."""

    def __init__(self, delay: float = 0.0, answer: bytes = SWITCHING) -> None:
        self.delay = delay
        self.answer = answer
        self.heads: list[bytes] = []
        self.early: list[bytes] = []

    def __call__(self, connection: socket.socket, _: int) -> None:
        self.heads.append(read_head(connection))
        if self.delay:
            connection.settimeout(self.delay)
            with contextlib.suppress(TimeoutError):
                self.early.append(connection.recv(65536))
            connection.settimeout(None)
        connection.sendall(self.answer)
        with contextlib.suppress(OSError):
            while data := connection.recv(65536):
                connection.sendall(data)
        connection.close()


def request(path: str = "/ws", extra: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: h\r\n{HANDSHAKE}{extra}\r\n".encode()


def exactly(client: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = client.recv(count - len(data))
        assert piece, f"the connection ended after {data!r}"
        data += piece
    return data


def handshake(client: socket.socket, text: bytes) -> bytes:
    client.sendall(text)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += exactly(client, 1)
    return head


def test_bytes_go_both_ways_after_the_101(start_gateway):
    echo = Echo()
    with upstream_of(echo) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        with connect(gateway) as client:
            head = handshake(client, request())
            assert head.startswith(b"HTTP/1.1 101 ")
            assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head and b"upgrade: websocket" in head.lower()
            assert b"content-length" not in head.lower()
            for _ in range(3):
                client.sendall(FRAME)
                assert exactly(client, len(FRAME)) == FRAME
            big = b"\x82\x7f" + (3_000_000).to_bytes(8, "big") + b"z" * 3_000_000
            client.settimeout(60)
            client.sendall(big[:1000])
            client.sendall(big[1000:])
            assert exactly(client, len(big)) == big
    assert b"\r\nConnection: Upgrade\r\n" in echo.heads[0] and b"\r\nUpgrade: websocket\r\n" in echo.heads[0]


def test_p19_bytes_before_the_101_are_not_passed_on(start_gateway):
    """P19, CVE-2026-2833."""
    echo = Echo(delay=0.5)
    with upstream_of(echo) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        with connect(gateway) as client:
            head = handshake(client, request() + FRAME)
            assert head.startswith(b"HTTP/1.1 101 ")
            assert exactly(client, len(FRAME)) == FRAME
    assert echo.early == []


def test_p19_a_refused_upgrade_goes_on_as_http(start_gateway):
    echo = Echo(answer=b"HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n")
    with upstream_of(echo) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        with connect(gateway) as client:
            assert handshake(client, request()).startswith(b"HTTP/1.1 426 ")


@pytest.mark.parametrize("upgrade", ["h2c", "websocket, h2c", "TLS/1.3", "websocket2"])
def test_p19_other_upgrades_are_never_forwarded(start_gateway, upgrade):
    """P19: h2c smuggling."""
    echo = Echo(answer=b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    with upstream_of(echo) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        with connect(gateway) as client:
            head = handshake(client, f"GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: {upgrade}\r\nHTTP2-Settings: AAA\r\n\r\n".encode())
            assert head.startswith(b"HTTP/1.1 200 ")
    assert b"upgrade" not in echo.heads[0].lower()


def test_p21_a_101_that_nobody_asked_for_is_a_502(start_gateway):
    echo = Echo()
    with upstream_of(echo) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        with connect(gateway) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            assert drain(client).startswith(b"HTTP/1.1 502 ")


def test_a_websocket_is_authorised_like_any_request(start_gateway, dev):
    echo = Echo()
    with upstream_of(echo) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "providers": [dev.configuration]})
        with connect(gateway) as client:
            assert handshake(client, request()).startswith(b"HTTP/1.1 401 ")
        assert echo.heads == []
        cookie = f"Cookie: session={session_cookie(sign_in(gateway, dev))}\r\n"
        for origin, status in [("", 101), (f"Origin: {gateway.origin}\r\n", 101), ("Origin: https://evil.example\r\n", 403), ("Origin: null\r\n", 403)]:
            with connect(gateway) as client:
                assert handshake(client, request(extra=cookie + origin)).startswith(f"HTTP/1.1 {status} ".encode()), origin
    assert all(b"\r\nX-Forwarded-User: " in head and b"session=" not in head for head in echo.heads)
    assert len(echo.heads) == 2


def test_a_tunnel_ends_with_the_session(start_gateway, dev):
    """1001 (going away) at the absolute limit."""
    with upstream_of(Echo()) as port:
        gateway = start_gateway(
            {"upstream": f"http://127.0.0.1:{port}", "providers": [dev.configuration], "session": {"idleTimeout": "3s", "absoluteTimeout": "3s"}}
        )
        cookie = f"Cookie: session={session_cookie(sign_in(gateway, dev))}\r\n"
        with connect(gateway) as client:
            assert handshake(client, request(extra=cookie)).startswith(b"HTTP/1.1 101 ")
            assert drain(client) == b"\x88\x02\x03\xe9"


def test_a_drain_says_goodbye_between_two_frames(start_gateway):
    """RFC 6455 7.4.1: 1001, never in the middle of an upstream's frame."""
    with upstream_of(Echo()) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        with contextlib.ExitStack() as stack:
            # So many that each event loop has one, and has begun to drain once all of them have ended.
            idle = [stack.enter_context(connect(gateway)) for _ in range(20)]
            busy = stack.enter_context(connect(gateway))
            for client in [*idle, busy]:
                assert handshake(client, request()).startswith(b"HTTP/1.1 101 ")
            frame = b"\x81\x06frames"
            for number, end in enumerate([3, 5, len(frame)]):
                part = frame[[0, 3, 5][number] : end]
                busy.sendall(part)
                assert exactly(busy, len(part)) == part
                if number == 0:
                    gateway.signal(signal.SIGTERM)
                    assert [drain(client) for client in idle] == [b"\x88\x02\x03\xe9"] * len(idle)
            assert drain(busy) == b"\x88\x02\x03\xe9"
        assert gateway.process.child.wait(timeout=60) == 0
