"""A client that closes its connection closes the upstream's within a second, in every phase and protocol: contract §6 "Forwarding".

The tests allow ten, for a busy machine. A gateway that does not notice closes the connection after `timeouts.idle`, a minute.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator

import pytest

import h2wire
import wire
from conftest import StartGateway, mark
from h2wire import trusting
from parts.certificates import Authority
from parts.gateway import Gateway
from parts.processes import eventually
from parts.tcp_server import TCPServer
from parts.upstream_h2 import H2Upstream, Request

ALL_PUBLIC = [{"path": "/**", "access": "public"}]
TICKS = 50
FIN_WAIT2 = 5  # TCP_INFO: the peer has acknowledged the end


class PatientApp(TCPServer):
    """Reads a request head, answers as far as the path says, then waits until its connection is closed."""

    def __init__(self) -> None:
        self.waiting: set[str] = set()
        self.closed: set[str] = set()
        self.late = threading.Event()
        super().__init__()

    def serve(self, client: socket.socket) -> None:
        received = b""
        while b"\r\n\r\n" not in received:
            received += client.recv(1 << 16)
        path = received.split(b" ")[1].decode()
        try:
            if path.startswith("/stream"):
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n")
            if path.startswith("/length"):
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            if path.startswith("/late"):
                self.late.wait(30)
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate")
            if path.startswith("/ticking"):
                client.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                # For longer than an answer may stall, unless the connection ends.
                for _ in range(TICKS):
                    client.sendall(b"5\r\ntick\n\r\n")
                    if wire.is_readable(client, 0.02):
                        break
                client.sendall(b"0\r\n\r\n")
            self.waiting.add(path)
            while client.recv(1 << 16):
                pass
        except OSError:
            pass
        self.closed.add(path)
        client.close()


@pytest.fixture(scope="module")
def app() -> Iterator[PatientApp]:
    part = PatientApp()
    yield part
    part.close()


@pytest.fixture(scope="module")
def authority(folder) -> Authority:
    return Authority(folder, "abort-ca")


@pytest.fixture(scope="module")
def plain(start_gateway: StartGateway, app: PatientApp) -> Gateway:
    return start_gateway({"upstream": app.origin, "routes": ALL_PUBLIC}, name="gateway-abort")


@pytest.fixture(scope="module")
def prior_knowledge(start_gateway: StartGateway, app: PatientApp) -> Gateway:
    return start_gateway({"server": {"http2": "prior-knowledge"}, "upstream": app.origin, "routes": ALL_PUBLIC}, name="gateway-abort-h2c")


@pytest.fixture(scope="module")
def secure(start_gateway: StartGateway, app: PatientApp, authority: Authority) -> Gateway:
    keys = authority.issue("abort", ["localhost", "127.0.0.1"]).keys
    return start_gateway({"server": {"tls": keys}, "upstream": app.origin, "routes": ALL_PUBLIC}, name="gateway-abort-tls")


# Clients: each sends a request and returns how to close its connection.

Close = Callable[[], None]


def request(port: int, path: str, part: bytes | None) -> bytes:
    head = f"{'GET' if part is None else 'PUT'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    return (head + ("" if part is None else "Content-Length: 100000\r\n") + "\r\n").encode() + (part or b"")


def drained(connection: socket.socket, path: str) -> Close:
    """Reads the response so far: a socket that is closed with unread bytes sends RST, not FIN."""
    expected = {"/stream": b"data: 1\n\n\r\n", "/length": b"half"}.get(path.partition("-")[0], b"")
    received = b""
    while expected not in received:
        received += connection.recv(1 << 16)
    return connection.close


def h1_plain(port: int, path: str, part: bytes | None, _: Authority) -> Close:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(request(port, path, part))
    return drained(connection, path)


def h1_pipelined(port: int, path: str, part: bytes | None, _: Authority) -> Close:
    """More requests wait behind the one that is answered."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(request(port, path, part) + (b"" if part else request(port, "/never", None) * 3))
    return drained(connection, path)


def h1_pipelined_far_ahead(port: int, path: str, part: bytes | None, _: Authority) -> Close:
    """More than the gateway reads ahead, so the FIN is behind unread bytes."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(request(port, path, part) + (b"" if part else request(port, "/never", None) * 2000))
    return drained(connection, path)


def h1_reset(port: int, path: str, part: bytes | None, _: Authority) -> Close:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    connection.sendall(request(port, path, part))
    return connection.close


def h1_tls(port: int, path: str, part: bytes | None, authority: Authority) -> Close:
    """Closes the socket without `close_notify`."""
    connection = trusting(str(authority.file)).wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
    connection.sendall(request(port, path, part))
    return drained(connection, path)


def h1_tls_notified(port: int, path: str, part: bytes | None, authority: Authority) -> Close:
    """Says `close_notify`, then closes the socket."""
    connection = trusting(str(authority.file)).wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
    connection.sendall(request(port, path, part))
    drained(connection, path)

    def close() -> None:
        connection.settimeout(0.1)
        try:
            connection.unwrap()
        except (OSError, ssl.SSLError):
            pass  # it need not be answered
        connection.close()

    return close


def frames(connection: h2wire.Connection, path: str, part: bytes | None) -> Close:
    fields = connection.fields("GET" if part is None else "PUT", path)
    stream = connection.headers(fields, end=part is None)
    if part is not None:
        connection.data(stream, part)
    if not path.startswith(("/head", "/body")):
        connection.until(h2wire.DATA)
    return connection.socket.close


def h2_tls(port: int, path: str, part: bytes | None, authority: Authority) -> Close:
    return frames(h2wire.Connection(port, trusting(str(authority.file), "h2")), path, part)


def h2c(port: int, path: str, part: bytes | None, _: Authority) -> Close:
    return frames(h2wire.Connection(port), path, part)


def h1_plain_beside_h2c(port: int, path: str, part: bytes | None, authority: Authority) -> Close:
    return h1_plain(port, path, part, authority)


CLIENTS = [h1_plain, h1_plain_beside_h2c, h1_pipelined, h1_pipelined_far_ahead, h1_reset, h1_tls, h1_tls_notified, h2_tls, h2c]


@pytest.mark.parametrize("phase", ["head", "stream", "length", "body"])
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_a_client_that_closes_its_connection_closes_the_upstreams(plain, prior_knowledge, secure, authority, app, client, phase):
    name = client.__name__
    gateway = secure if "tls" in name else prior_knowledge if "h2c" in name else plain
    path = f"/{phase}-{mark()}"
    close = client(gateway.port, path, b"x" * 1000 if phase == "body" else None, authority)
    eventually(lambda: path in app.waiting, "the app has the request")
    assert path not in app.closed
    close()
    eventually(lambda: path in app.closed, "the app's connection is closed", timeout=10)


@pytest.mark.parametrize("phase", ["head", "stream"])
def test_a_client_that_closes_its_connection_resets_the_upstreams_stream(start_gateway, phase):
    """The same towards an upstream that speaks HTTP/2: the stream ends, the connection stays."""
    app, began, requests = H2Upstream(), threading.Event(), []
    path = f"/{mark()}"

    def waits(request: Request) -> None:
        requests.append(request)
        if phase == "stream":
            request.head([(":status", "200")])
            request.data(b"data: 1\n\n")
        began.set()

    app.scripts[path] = waits
    gateway = start_gateway({"upstream": app.origin, "routes": ALL_PUBLIC})
    connection = socket.create_connection(("127.0.0.1", gateway.port))
    connection.sendall(request(gateway.port, path, None))
    assert began.wait(30)
    if phase == "stream":
        received = b""
        while b"data: 1" not in received:
            received += connection.recv(1 << 16)
    connection.close()
    eventually(lambda: requests[0].reset is not None, "the stream is reset", timeout=10)
    gateway.stop()
    app.close()


# A client that only sends no more


@pytest.mark.parametrize(("path", "body"), [("/late", b"late"), ("/ticking", b"tick\n" * TICKS)], ids=["late", "ticking"])
def test_a_client_that_only_ends_its_sending_side_still_gets_an_answer_that_moves(plain, app, path, body):
    """RFC 9112 9.6: nc and the like. An answer that stalls is given up: see above."""
    with wire.Connection(plain.port) as connection:
        connection.send(request(plain.port, f"{path}-{mark()}", None))
        connection.socket.shutdown(socket.SHUT_WR)
        eventually(lambda: connection.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == FIN_WAIT2, "the gateway's system has the end")
        for _ in range(10):  # on all event loops, so the gateway has seen the end by then
            with wire.Connection(plain.port) as other:
                assert other.send(request(plain.port, "/_gateway/nothing", None)).response().status == 404
        app.late.set()
        response = connection.response()
        assert response is not None and response.status == 200 and response.complete and response.body == body
        assert connection.is_closed()
