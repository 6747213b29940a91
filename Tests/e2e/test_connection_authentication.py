"""NTLM and Negotiate authenticate the connection (docs/upstreams.md): such an upstream connection serves one session of one client connection."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
from collections.abc import Iterator

import pytest

from conftest import StartGateway, mark
from logins import session_cookie, sign_in
from parts.gateway import Gateway
from parts.ntlm_app import NTLMApp
from parts.processes import eventually, free_port

ROUTES = [{"path": "/open/**", "access": "public"}, {"path": "/anyone/**", "access": "public"}]


class Client:
    """One client connection. Requests one after another, raw."""

    def __init__(self, gateway: Gateway, cookie: str | None = None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", gateway.port), timeout=60)
        self.file = self.socket.makefile("rb")
        self.cookie = cookie
        self.host = f"127.0.0.1:{gateway.port}"

    def head(self, path: str, credentials: str | None = None, cookie: str | None = None, *more: str) -> bytes:
        lines = [f"GET {path} HTTP/1.1", f"Host: {self.host}", "Accept: application/json", *more]
        if credentials:
            lines.append(f"Authorization: {credentials}")
        if cookie or self.cookie:
            lines.append(f"Cookie: session={cookie or self.cookie}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def send(self, path: str, credentials: str | None = None, cookie: str | None = None) -> tuple[int, str, int]:
        """Status, the user that the app saw, and the number of the app's connection."""
        self.socket.sendall(self.head(path, credentials, cookie))
        return self.read()

    def read(self) -> tuple[int, str, int]:
        status, _, body = self.response()
        user, _, number = body.decode().partition(" ")
        return (status, user, int(number)) if number.isdecimal() else (status, body.decode(), 0)

    def response(self) -> tuple[int, dict[str, str], bytes]:
        status = int(self.file.readline().split()[1])
        headers = {}
        while line := self.file.readline().strip().decode():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return status, headers, self.file.read(int(headers.get("content-length", 0)))

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def app() -> Iterator[NTLMApp]:
    part = NTLMApp()
    yield part
    part.close()


def start(start_gateway: StartGateway, dev, app: NTLMApp, server: dict | None = None, **more) -> Gateway:
    configuration = {"upstream": f"http://127.0.0.1:{app.port}", "providers": [dev.configuration], "routes": ROUTES, **more}
    if server:
        configuration["server"] = server
    return start_gateway(configuration, name=f"gateway-ntlm-{mark()}")


@pytest.fixture
def gateway(start_gateway, dev, app) -> Gateway:
    return start(start_gateway, dev, app)


@pytest.fixture
def alice(gateway, dev) -> str:
    return session_cookie(sign_in(gateway, dev))


@pytest.fixture
def bob(gateway, dev) -> str:
    return session_cookie(sign_in(gateway, dev, person="bob"))


@pytest.mark.parametrize("scheme", ["NTLM", "Negotiate", "negotiate"])
def test_ntlm_and_negotiate_do_not_cross_users(gateway, app, alice, bob, scheme):
    """20 requests of bob, each on a connection of its own, while alice's connection to the app waits."""
    first = Client(gateway, alice)
    assert first.send("/x", f"{scheme} alice")[:2] == (200, "alice")
    for _ in range(20):
        other = Client(gateway, bob)
        assert other.send("/x")[:2] == (401, "-")
        other.close()
    # It is still alice's, and still that one.
    number = first.send("/x")[2]
    assert first.send("/x") == (200, "alice", number)
    assert all(seen.user in ("", "alice") for seen in app.seen)


def test_the_handshake_goes_over_one_connection(gateway, app, alice):
    client = Client(gateway, alice)
    numbers = {client.send("/x")[2], client.send("/x", "NTLM alice")[2], client.send("/x")[2], client.send("/x", "NTLM alice")[2]}
    assert len(numbers) == 1


def test_another_session_on_the_client_connection_gets_a_connection_of_its_own(gateway, app, alice, bob):
    client = Client(gateway)
    status, user, number = client.send("/x", "NTLM alice", cookie=alice)
    assert (status, user) == (200, "alice")
    status, user, other = client.send("/x", cookie=bob)
    assert (status, user) == (401, "-") and other != number
    assert client.send("/x", "NTLM bob", cookie=bob) == (200, "bob", other)
    # Without a session it is neither.
    status, user, third = client.send("/open/x")
    assert (status, user) == (200, "-") and third not in (number, other)
    assert client.send("/x", cookie=alice) == (200, "alice", number)
    assert client.send("/x", cookie=bob) == (200, "bob", other)


def test_pipelined_requests_of_two_sessions_do_not_cross(gateway, app, alice, bob):
    client = Client(gateway)
    order = [(alice, "NTLM alice"), (bob, None), (alice, None), (bob, "NTLM bob"), (alice, None), (bob, None)]
    client.socket.sendall(b"".join(client.head(f"/{index}", credentials, cookie) for index, (cookie, credentials) in enumerate(order)))
    assert [client.read()[1] for _ in order] == ["alice", "-", "alice", "bob", "alice", "bob"]


@pytest.mark.parametrize("path", ["/x", "/list/x"])
def test_a_response_that_asks_for_it_marks_the_connection(gateway, app, alice, bob, path):
    """The next request on it, with credentials or without, is the same client's."""
    first = Client(gateway, alice)
    number = first.send(path)[2]
    # On all event loops.
    assert all(Client(gateway, bob).send(path)[2] != number for _ in range(10))
    assert first.send(path)[2] == number


def test_without_a_session_the_connection_belongs_to_the_client_connection(gateway, app):
    first, second = Client(gateway), Client(gateway)
    status, user, number = first.send("/anyone/x", "NTLM alice")
    assert (status, user) == (200, "alice")
    assert second.send("/open/x")[1:] != ("alice", number)
    assert first.send("/anyone/x") == (200, "alice", number)


def test_both_connections_end_together(gateway, app, alice):
    client = Client(gateway, alice)
    number = client.send("/x", "NTLM alice")[2]
    assert number in app.open
    client.close()
    eventually(lambda: number not in app.open, "the end of the connection to the app")
    # Its successor is nobody's.
    again = Client(gateway, alice)
    status, user, other = again.send("/x")
    assert (status, user) == (401, "-") and other != number


def test_ordinary_connections_are_shared_as_before(gateway, app, alice, bob):
    for _ in range(10):
        for cookie in (alice, bob):
            for credentials in (None, "Basic YTpi", "Bearer x"):
                assert Client(gateway, cookie).send("/open/x", credentials)[0] == 200
    # One for each event loop.
    assert app.count <= (os.cpu_count() or 1)


def test_a_web_socket_takes_the_connection_of_its_session(gateway, app, alice):
    client = Client(gateway, alice)
    number = client.send("/x", "NTLM alice")[2]
    handshake = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    client.socket.sendall(client.head("/ws", None, None, *handshake, f"Origin: http://{client.host}"))
    status, headers, _ = client.response()
    assert (status, headers["x-user"]) == (101, f"alice {number}")
    client.socket.sendall(b"\x81\x02hi")
    assert client.file.read(4) == b"\x81\x02hi"
    client.close()
    eventually(lambda: number not in app.open, "the end of the tunnel")


def test_a_trusted_proxy_needs_a_session(start_gateway, dev, app):
    """It puts many users on one connection."""
    gateway = start(start_gateway, dev, app, server={"trustedProxies": ["127.0.0.0/8"]})
    alice, bob = (session_cookie(sign_in(gateway, dev, person=person)) for person in ("alice", "bob"))
    proxy = Client(gateway)
    proxy.socket.sendall(proxy.head("/anyone/x", "NTLM alice"))
    status, _, body = proxy.response()
    assert status == 403 and b"proxy/connection-authentication" in body and b"NTLM or Negotiate" in body
    assert not app.seen
    # A challenge to a request without a session ends the app's connection: the next user of the proxy's gets another.
    assert {proxy.send("/anyone/x")[2] for _ in range(3)} == {1, 2, 3}
    number = proxy.send("/x", "NTLM alice", cookie=alice)[2]
    assert proxy.send("/x", cookie=bob)[:2] == (401, "-")
    assert proxy.send("/x", cookie=alice) == (200, "alice", number)
    assert proxy.send("/anyone/x")[1] == "-"
    events = [event["reason"] for event in gateway.events("request-refused")]
    assert events == ["connection-authentication"]


def _http2(gateway: Gateway, path: str, *headers: str) -> tuple[str, str]:
    options = [option for header in headers for option in ("--header", header)]
    done = subprocess.run(
        ["curl", "--silent", "--http2-prior-knowledge", *options, "--write-out", "\n%{http_version} %{http_code}", gateway.url(path)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    body, _, status = done.stdout.rpartition("\n")
    return status, body


def test_http_2_refuses_them_with_an_explanation(start_gateway, dev, app):
    gateway = start(start_gateway, dev, app, server={"http2": "prior-knowledge"})
    alice = session_cookie(sign_in(gateway, dev))
    for headers in (["Authorization: NTLM alice"], ["Authorization: Negotiate alice", f"Cookie: session={alice}"]):
        status, body = _http2(gateway, "/anyone/x", "Accept: application/json", *headers)
        assert status == "2 403" and "proxy/connection-authentication" in body
    assert not app.seen
    # The challenge passes, and its connection is not used again.
    assert [_http2(gateway, "/anyone/x") for _ in range(3)] == [("2 401", "- 1"), ("2 401", "- 2"), ("2 401", "- 3")]


def test_credentials_that_a_route_removes_are_no_reason_to_refuse(start_gateway, dev, app):
    gateway = start(
        start_gateway, dev, app, server={"http2": "prior-knowledge"},
        routes=[{"path": "/open/**", "access": "public", "requestHeaders": {"remove": ["Authorization"]}}],
    )  # fmt: skip
    assert _http2(gateway, "/open/x", "Authorization: NTLM alice")[0] == "2 200"


def test_an_upstream_over_http_2_never_gets_them(start_gateway, dev, app):
    gateway = start(start_gateway, dev, app, upstream=f"h2c://127.0.0.1:{free_port()}")
    client = Client(gateway)
    client.socket.sendall(client.head("/anyone/x", "Negotiate alice"))
    assert client.response()[0] == 502
    assert [event["reason"] for event in gateway.events("upstream-failed")] == ["upstream-no-connection-authentication"]


def test_an_authenticated_connection_gives_way_when_max_connections_is_reached(start_gateway, dev, app):
    """One connection: alice's waits for her next request while another request waits for a connection."""
    gateway = start(start_gateway, dev, app, upstream={"targets": [f"http://127.0.0.1:{app.port}"], "maxConnections": 1})
    alice = session_cookie(sign_in(gateway, dev))
    first, other = Client(gateway, alice), Client(gateway)
    assert first.send("/x", "NTLM alice") == (200, "alice", 1)
    assert other.send("/open/x") == (200, "-", 2)
    # Her own request authenticates anew.
    assert first.send("/x")[:2] == (401, "-")


def test_the_gateway_stops_while_authenticated_connections_wait(start_gateway, dev, app):
    gateway = start(start_gateway, dev, app)
    client = Client(gateway)
    number = client.send("/anyone/x", "NTLM alice")[2]
    gateway.stop()
    eventually(lambda: number not in app.open, "the end of the connection to the app")
    with contextlib.suppress(OSError):
        assert client.socket.recv(1) == b""


def test_a_reload_that_changes_the_upstream_leaves_the_old_connection(start_gateway, dev, app):
    other = NTLMApp()
    try:
        gateway = start(start_gateway, dev, app)
        client = Client(gateway)
        number = client.send("/anyone/x", "NTLM alice")[2]
        gateway.rewrite(upstream=f"http://127.0.0.1:{other.port}")
        gateway.reload()
        eventually(lambda: number not in app.open, "the end of the connection to the earlier app")
        assert client.send("/anyone/x")[:2] == (401, "-")
        assert other.seen and re.fullmatch(r"/anyone/x", other.seen[-1].target)
    finally:
        other.close()
