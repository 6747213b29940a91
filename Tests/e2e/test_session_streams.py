"""WebSockets and event streams end when their session does: contract §7, "What counts as a live session"."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest
import requests

import h2wire
import wire
from logins import NAVIGATION, callback_of, new_client, session_cookie, sign_in
from parts.authority import Authority
from parts.dev_provider import DevProvider
from parts.gateway import Gateway
from parts.processes import eventually, free_port
from parts.tokens import tokens_of
from test_lifecycle import connect, drain, read_head, upstream_of
from test_logout import log_out
from test_websocket import FRAME, SWITCHING, exactly, handshake, request

GOING_AWAY = b"\x88\x02\x03\xe9"
EVENT = b"data: tick\n\n"
EVENT_STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"


class App:
    """WebSockets at `/ws…` that echo; `/plain`; event streams elsewhere, with one event at the start and, at `/ticking`, four a second."""

    def __init__(self) -> None:
        self.closed = threading.Event()

    def __call__(self, connection: socket.socket, _: int) -> None:
        head = read_head(connection)
        path = head.split(b" ")[1] if head else b""
        with contextlib.suppress(OSError):
            if path.startswith(b"/ws"):
                connection.sendall(SWITCHING)
                while data := connection.recv(65536):
                    connection.sendall(data)
            elif path == b"/plain":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            else:
                connection.sendall(EVENT_STREAM + self.chunk())
                connection.settimeout(0.25)
                while True:
                    try:
                        if not connection.recv(65536):
                            break
                    except TimeoutError:
                        if path.startswith(b"/ticking"):
                            connection.sendall(self.chunk())
        self.closed.set()
        connection.close()

    @staticmethod
    def chunk() -> bytes:
        return b"%x\r\n%s\r\n" % (len(EVENT), EVENT)


@pytest.fixture
def app() -> Iterator[tuple[App, int]]:
    part = App()
    with upstream_of(part) as port:
        yield part, port


def cookie_line(client: requests.Session) -> str:
    return f"Cookie: session={session_cookie(client)}\r\n"


class WebSocket:
    def __init__(self, gateway: Gateway, client: requests.Session) -> None:
        self.socket = connect(gateway)
        assert handshake(self.socket, request(extra=cookie_line(client))).startswith(b"HTTP/1.1 101 ")
        self.exchange()

    def exchange(self) -> None:
        self.socket.sendall(FRAME)
        assert exactly(self.socket, len(FRAME)) == FRAME

    def ends(self) -> None:
        assert drain(self.socket) == GOING_AWAY


class EventStream:
    """Over HTTP/1.1; the end is a whole chunked body, so that `EventSource` connects anew and is told to sign in."""

    def __init__(self, gateway: Gateway, client: requests.Session, path: str = "/events") -> None:
        self.connection = wire.Connection(gateway.port)
        self.connection.send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{cookie_line(client)}\r\n".encode())
        head = self.connection.head()
        assert head is not None and head[0] == 200
        self.exchange()

    def exchange(self) -> None:
        assert EVENT in self.connection.some()

    def ends(self) -> None:
        body = b""
        while not body.endswith(b"0\r\n\r\n"):
            piece = self.connection.some()
            assert piece, f"the connection ended after {body!r}"
            body += piece


class HTTP2EventStream:
    def __init__(self, gateway: Gateway, client: requests.Session, path: str = "/events", tls=None) -> None:
        self.connection = h2wire.Connection(gateway.port, tls=tls)
        fields = self.connection.fields(path=path, extra=[("cookie", f"session={session_cookie(client)}")])
        self.stream = self.connection.headers(fields)
        self.exchange()

    def exchange(self) -> None:
        found = self.connection.until(h2wire.DATA, self.stream)
        assert found is not None and EVENT in found.payload

    def ends(self) -> None:
        answer = self.connection.answer(self.stream)
        assert answer.complete, answer.outcome()


def start(start_gateway, dev: DevProvider, port: int, kind: type, **session: str) -> Gateway:
    return start_gateway(
        {
            "server": {"http2": "prior-knowledge" if kind is HTTP2EventStream else "alpn"},
            "upstream": f"http://127.0.0.1:{port}",
            "providers": [dev.configuration],
            "session": session,
        }
    )


def ended(gateway: Gateway) -> dict[str, str]:
    eventually(lambda: gateway.events("stream-ended"), "stream-ended")
    records = gateway.events("stream-ended")
    assert len(records) == 1, records
    return records[0]


KINDS = [WebSocket, EventStream, HTTP2EventStream]


@pytest.mark.parametrize("kind", KINDS)
def test_signing_out_ends_websockets_and_event_streams(start_gateway, dev, app, kind):
    part, port = app
    gateway = start(start_gateway, dev, port, kind)
    client, stranger = sign_in(gateway, dev), sign_in(gateway, dev, person="bob")
    stream, other = kind(gateway, client), kind(gateway, stranger)
    log_out(gateway, client)
    stream.ends()
    record = ended(gateway)
    assert record["reason"] == "revoked"
    assert record["kind"] == ("tunnel" if kind is WebSocket else "event-stream")
    assert part.closed.wait(60), "the upstream's connection is closed too"
    if kind is WebSocket:
        other.exchange()


@pytest.mark.parametrize("kind", KINDS)
def test_a_back_channel_logout_ends_websockets_and_event_streams(start_gateway, dev, app, kind):
    gateway = start(start_gateway, dev, app[1], kind)
    stream = kind(gateway, sign_in(gateway, dev))
    token = dev.control(logoutToken={"person": "alice", "client": dev.configuration["clientID"]})["logoutToken"]
    assert requests.post(gateway.own("/backchannel-logout/oidc.dev"), data={"logout_token": token}, timeout=60).status_code == 200
    stream.ends()
    assert ended(gateway)["reason"] == "revoked"


@pytest.mark.parametrize("kind", KINDS)
def test_a_reload_that_removes_the_provider_ends_websockets_and_event_streams(start_gateway, dev, app, kind):
    gateway = start(start_gateway, dev, app[1], kind)
    stream = kind(gateway, sign_in(gateway, dev))
    gateway.rewrite(providers=[{**dev.configuration, "id": "oidc.other"}])
    gateway.reload()
    stream.ends()
    assert ended(gateway)["reason"] == "unknown-provider"


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_without_traffic_ends_at_the_idle_limit(start_gateway, dev, app, kind):
    gateway = start(start_gateway, dev, app[1], kind, idleTimeout="2s")
    stream = kind(gateway, sign_in(gateway, dev))
    stream.ends()
    assert ended(gateway)["reason"] == "idle-limit"


@pytest.mark.parametrize("kind", [EventStream, HTTP2EventStream])
def test_traffic_keeps_a_stream_up_to_the_absolute_limit(start_gateway, dev, app, kind):
    gateway = start(start_gateway, dev, app[1], kind, idleTimeout="2s", absoluteTimeout="4s")
    client = sign_in(gateway, dev)
    kind(gateway, client, path="/ticking").ends()
    assert ended(gateway)["reason"] == "absolute-limit"


def test_requests_of_the_same_session_keep_a_quiet_stream(start_gateway, dev, app):
    """The cookie slides with each request; the stream was opened with an earlier one."""
    gateway = start(start_gateway, dev, app[1], WebSocket, idleTimeout="2s")
    client = sign_in(gateway, dev)
    socket_ = WebSocket(gateway, client)
    # A cookie is renewed after a tenth of the limit, so this takes longer than the limit.
    cookies = {session_cookie(client)}
    while len(cookies) < 13:
        assert client.get(gateway.url("/plain"), timeout=60).status_code == 200
        cookies.add(session_cookie(client))
    assert gateway.events("stream-ended") == []
    socket_.exchange()
    socket_.ends()
    assert ended(gateway)["reason"] == "idle-limit"


def test_a_websocket_in_the_middle_of_a_frame_ends_too(start_gateway, dev):
    """A frame that never ends does not keep a tunnel."""

    def endless(connection: socket.socket, _: int) -> None:
        read_head(connection)
        with contextlib.suppress(OSError):
            connection.sendall(SWITCHING + b"\x82\x7f" + (1 << 40).to_bytes(8, "big"))
            while True:
                connection.sendall(b"z" * 1000)

    with upstream_of(endless) as port:
        gateway = start(start_gateway, dev, port, WebSocket)
        client = sign_in(gateway, dev)
        with connect(gateway) as socket_:
            assert handshake(socket_, request(extra=cookie_line(client))).startswith(b"HTTP/1.1 101 ")
            log_out(gateway, client)
            with contextlib.suppress(ConnectionResetError):
                while socket_.recv(65536):
                    pass
    assert ended(gateway)["reason"] == "revoked"


def test_a_tunnel_of_a_token_ends_when_the_token_expires(start_gateway, folder, app, minted):
    """Not when the gateway would verify it anew: that is up to the next request."""
    provider = DevProvider("dev-provider-streams", folder)
    try:
        provider.wait().control(accessTokens="jwt", accessTokenLifetime=4)
        gateway = start_gateway(
            {
                "upstream": f"http://127.0.0.1:{app[1]}",
                "providers": [{**provider.configuration, "accessTokens": {"audience": "https://api.example.com"}}],
                "bearer": {"providers": ["oidc.dev"]},
            }
        )
        token = tokens_of(provider, "alice", minted)["access_token"]
        with connect(gateway) as client:
            assert handshake(client, request(extra=f"Authorization: Bearer {token}\r\n")).startswith(b"HTTP/1.1 101 ")
            assert drain(client) == GOING_AWAY
        assert ended(gateway)["reason"] == "token-expired"
    finally:
        provider.process.kill()


def test_a_tunnel_of_a_token_ends_when_the_session_that_holds_the_token_is_signed_out(start_gateway, dev, app, minted):
    """Requests with the token were refused from then on, its tunnels stayed."""
    gateway = start_gateway(
        {
            "upstream": f"http://127.0.0.1:{app[1]}",
            "providers": [dev.configuration],
            "bearer": {"providers": ["oidc.dev"]},
            "session": {"exchange": {"providers": ["oidc.dev"], "nonce": "optional"}},
        }
    )
    token = tokens_of(dev, "alice", minted)["id_token"]
    client = new_client()
    exchange = client.post(gateway.own("/session"), json={"provider": "oidc.dev", "id_token": token}, headers={"Origin": gateway.origin})
    assert exchange.status_code == 200, exchange.text
    with connect(gateway) as tunnel:
        assert handshake(tunnel, request(extra=f"Authorization: Bearer {token}\r\n")).startswith(b"HTTP/1.1 101 ")
        log_out(gateway, client)
        assert drain(tunnel) == GOING_AWAY
    assert ended(gateway)["reason"] == "revoked"


def test_streams_end_over_tls(start_gateway, dev, app, folder):
    authority = Authority(folder, "streams-ca")
    certificate, key = authority.issue("localhost", ["localhost"])
    port = free_port()
    gateway = start_gateway(
        {
            "server": {"publicURL": f"https://localhost:{port}", "tls": {"certificate": certificate, "key": key}},
            "upstream": f"http://127.0.0.1:{app[1]}",
            "providers": [dev.configuration],
        },
        port=port,
    )
    gateway.origin = f"https://localhost:{port}"
    client = new_client()
    client.verify = str(authority.file)
    response = client.get(callback_of(gateway, dev, client), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert response.status_code == 303
    cookie = f"__Host-session={client.cookies['__Host-session']}"

    connection = h2wire.Connection(port, tls=h2wire.trusting(str(authority.file), "h2"))
    connection.authority = f"localhost:{port}"
    stream = connection.headers(connection.fields(path="/events", extra=[("cookie", cookie)]))
    assert connection.until(h2wire.DATA, stream) is not None
    with h2wire.trusting(str(authority.file), "http/1.1").wrap_socket(connect(gateway), server_hostname="localhost") as websocket:
        head = request(extra=f"Cookie: {cookie}\r\n").replace(b"Host: h\r\n", f"Host: localhost:{port}\r\n".encode())
        assert handshake(websocket, head).startswith(b"HTTP/1.1 101 ")
        log_out(gateway, client)
        assert connection.answer(stream).complete
        assert drain(websocket) == GOING_AWAY


def test_responses_that_end_by_themselves_are_left_alone(start_gateway, dev, upstream):
    """A download that is under way at the sign-out is delivered whole. An event stream of the same session ends."""
    go_on = threading.Event()

    def events(connection: socket.socket, _) -> bool:
        connection.sendall(EVENT_STREAM + App.chunk())
        return bool(connection.recv(1))  # until the gateway closes the connection

    def slow(connection: socket.socket, _) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhello")
        assert go_on.wait(60)
        connection.sendall(b"world")
        return True

    upstream.scripts["/download-at-sign-out"] = slow
    upstream.scripts["/events-at-sign-out"] = events
    gateway = start_gateway({"providers": [dev.configuration]})
    client = sign_in(gateway, dev)
    with wire.Connection(gateway.port) as connection:
        connection.send(f"GET /download-at-sign-out HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{cookie_line(client)}\r\n".encode())
        head = connection.head()
        assert head is not None and head[0] == 200
        streams = [EventStream(gateway, client, path="/events-at-sign-out") for _ in range(10)]  # on all event loops
        log_out(gateway, client)
        for stream in streams:
            stream.ends()
        eventually(lambda: len(gateway.events("stream-ended")) == len(streams), "the ends in the log")
        go_on.set()
        body = b""
        while len(body) < 10:
            body += connection.some()
        assert body == b"helloworld"
    assert len(gateway.events("stream-ended")) == len(streams)


def test_an_event_stream_that_the_upstream_lets_stall_says_so(start_gateway, dev, app):
    """The server's own idle limit, whatever the session."""
    gateway = start_gateway(
        {"server": {"timeouts": {"idle": "1s"}}, "upstream": f"http://127.0.0.1:{app[1]}", "providers": [dev.configuration]}
    )
    stream = EventStream(gateway, sign_in(gateway, dev))
    while stream.connection.some():
        pass
    eventually(lambda: gateway.events("upstream-cut-off"), "upstream-cut-off")
    record = gateway.events("upstream-cut-off")[-1]
    assert (record["reason"], record["detail"]) == ("upstream-idle-timeout", "no byte for 1000 ms")
