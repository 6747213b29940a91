"""Several targets for one upstream: least connections, retries where safe, ejection, active checks (docs/upstreams.md)."""

from __future__ import annotations

import contextlib
import socket
import threading

import pytest
import requests

import wire
from conftest import mark
from parts.processes import eventually, free_port
from parts.tcp_server import TCPServer
from parts.upstream import Upstream
from parts.upstream_h2 import H2Upstream

ALL_PUBLIC = [{"path": "/**", "access": "public"}]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def ask(gateway, path: str, method: str = "GET", body: bytes | None = None) -> wire.Response | None:
    length = "" if body is None else f"Content-Length: {len(body)}\r\n"
    with wire.Connection(gateway.port) as connection:
        connection.send(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{length}\r\n".encode() + (body or b""))
        return connection.response(method)


@pytest.fixture(scope="module")
def pair():
    parts = [Upstream(), Upstream()]
    yield parts
    for part in parts:
        part.close()


@pytest.fixture(scope="module")
def balanced(start_gateway, pair):
    return start_gateway({"upstream": [part.origin for part in pair], "routes": ALL_PUBLIC}, name="gateway-balanced")


def test_requests_are_spread_over_the_targets(balanced, pair):
    """Ties by rotation: an idle pair is used in turns."""
    marker = mark()
    for _ in range(20):
        assert ask(balanced, f"/{marker}").status == 200
    shares = [len(part.containing(marker)) for part in pair]
    assert sum(shares) == 20 and min(shares) >= 5, shares


def test_a_busy_target_gets_less(start_gateway):
    """Least connections: while one target holds a request, the next ones of that event loop go to the other."""
    parts = [Upstream(), Upstream()]
    path, release = f"/{mark()}", threading.Event()
    held: list[int] = []

    def hold(number: int):
        def script(client: socket.socket, _) -> bool:
            held.append(number)
            assert release.wait(60)
            client.sendall(OK)
            return True

        return script

    for number, part in enumerate(parts):
        part.scripts[path] = hold(number)
    gateway = start_gateway({"upstream": [part.origin for part in parts], "routes": ALL_PUBLIC})
    clients = [wire.Connection(gateway.port) for _ in range(16)]
    try:
        for count, client in enumerate(clients):
            client.send(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".replace("Host: x", f"Host: 127.0.0.1:{gateway.port}").encode())
            eventually(lambda: len(held) == count + 1, "the request is at a target")
        # However the clients fell to the event loops, each loop keeps its two targets within one of each other.
        assert 6 <= held.count(0) <= 10, held
    finally:
        release.set()
        for client in clients:
            client.response()
            client.socket.close()
        gateway.stop()
        for part in parts:
            part.close()


@pytest.mark.parametrize(("method", "body"), [("GET", None), ("POST", b"x" * 1000), ("DELETE", None), ("PATCH", b"1")])
def test_a_target_that_refuses_connections_costs_no_response(start_gateway, upstream, method, body):
    """No connection, no byte sent: any method goes to the other target (P23)."""
    targets = [f"http://127.0.0.1:{free_port()}", upstream.origin]
    gateway = start_gateway({"upstream": {"targets": targets, "ejection": {"failures": 2}}, "routes": ALL_PUBLIC})
    marker = mark()
    for _ in range(12):
        assert ask(gateway, f"/{marker}", method, body).status == 200
    gateway.stop()
    assert len(upstream.containing(marker)) == 12
    assert '"upstream-ejected"' in gateway.log


def test_a_request_that_a_target_may_have_seen_is_repeated_only_when_that_is_safe(start_gateway, upstream):
    """P23: an idempotent request without a body goes to the other target once; a POST does not."""
    rude = Upstream()
    gateway = start_gateway({"upstream": {"targets": [rude.origin, upstream.origin], "ejection": {"failures": 1000}}, "routes": ALL_PUBLIC})
    safe, unsafe = mark(), mark()
    rude.scripts[f"/{safe}"] = lambda _client, _recording: False
    rude.scripts[f"/{unsafe}"] = lambda _client, _recording: False
    assert [ask(gateway, f"/{safe}").status for _ in range(10)] == [200] * 10
    assert len(rude.containing(safe)) >= 2
    statuses = [ask(gateway, f"/{unsafe}", "POST", b"body").status for _ in range(10)]
    gateway.stop()
    rude.close()
    assert set(statuses) == {200, 502}
    # Each arrived exactly once, at one target or at the other.
    assert len(rude.containing(unsafe)) + len(upstream.containing(unsafe)) == 10


def test_an_answer_that_began_is_never_repeated(start_gateway, upstream):
    """P21, P23: what broke off after its head is aborted."""
    rude = Upstream()
    gateway = start_gateway({"upstream": [rude.origin, upstream.origin], "routes": ALL_PUBLIC})
    path = f"/{mark()}"
    rude.scripts[path] = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"
    seen = []
    for _ in range(8):
        try:
            response = ask(gateway, path)
        except ConnectionResetError:
            response = None
        seen.append(response is not None and response.complete)
    gateway.stop()
    rude.close()
    assert False in seen and True in seen
    assert len(rude.containing(path)) + len(upstream.containing(path)) == 8


def test_one_target_alone_is_always_tried(start_gateway):
    """Nothing to choose from: each request gets its own 502, and the app is found the moment it is there."""
    port = free_port()
    gateway = start_gateway({"upstream": {"targets": f"http://127.0.0.1:{port}", "ejection": {"failures": 1, "for": "1h"}}, "routes": ALL_PUBLIC})
    assert [ask(gateway, "/").status for _ in range(3)] == [502] * 3
    app = Upstream(port)
    assert ask(gateway, "/").status == 200
    gateway.stop()
    app.close()


def test_when_all_targets_are_ejected_they_are_tried_all_the_same(start_gateway):
    """A request that may fail is better than one that was not tried."""
    port = free_port()
    targets = [f"http://127.0.0.1:{port}", f"http://127.0.0.1:{free_port()}"]
    gateway = start_gateway({"upstream": {"targets": targets, "ejection": {"failures": 1, "for": "1h"}}, "routes": ALL_PUBLIC})
    assert [ask(gateway, "/").status for _ in range(6)] == [502] * 6
    app = Upstream(port)
    assert [ask(gateway, "/").status for _ in range(6)] == [200] * 6
    gateway.stop()
    app.close()


# --- Active checks ------------------------------------------------------------------------------------------------------


def health_of(gateway, origin: str) -> bool:
    lines = requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text.splitlines()
    [line] = [line for line in lines if origin in line]
    return "[+]" in line or " ok" in line.lower()


CHECK = {"path": "/healthz?deep=1", "interval": "100ms", "timeout": "500ms", "healthyAfter": 2, "unhealthyAfter": 2}


def test_a_target_that_fails_its_checks_gets_no_requests_until_it_passes_them(start_gateway):
    """`health`: out after `unhealthyAfter`, back after `healthyAfter`, and nobody notices."""
    good, ill = Upstream(), Upstream()
    status = {"now": 200}

    def check(client: socket.socket, _) -> bool:
        client.sendall(f"HTTP/1.1 {status['now']} X\r\nContent-Length: 0\r\n\r\n".encode())
        return True

    good.scripts["/healthz"] = ill.scripts["/healthz"] = lambda client, recording: check(client, recording)
    good.scripts["/healthz"] = lambda client, _: client.sendall(b"HTTP/1.1 204 No Content\r\n\r\n") or True
    gateway = start_gateway({"upstream": {"targets": [good.origin, ill.origin], "health": CHECK}, "routes": ALL_PUBLIC})
    try:
        eventually(lambda: ill.containing("GET /healthz?deep=1 HTTP/1.1"), "the target is asked")
        recording = ill.containing("GET /healthz?deep=1")[0]
        assert recording.value("Host") == f"127.0.0.1:{ill.port}" and recording.value("Cookie") is None
        for sick in (503, 302, 404):
            status["now"] = sick
            eventually(lambda: gateway.log.count('"upstream-unhealthy"') > gateway.log.count('"upstream-healthy"'), f"{sick} is ill")
            marker = mark()
            assert all(ask(gateway, f"/{marker}").status == 200 for _ in range(8))
            assert not ill.containing(marker) and len(good.containing(marker)) == 8
            assert requests.get(f"{gateway.admin}/readyz", timeout=60).status_code == 200
            assert ill.origin in requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text
            status["now"] = 200
            eventually(lambda: gateway.log.count('"upstream-unhealthy"') == gateway.log.count('"upstream-healthy"'), "it is back")
        marker = mark()
        assert all(ask(gateway, f"/{marker}").status == 200 for _ in range(8))
        assert ill.containing(marker)
    finally:
        gateway.stop()
        good.close()
        ill.close()


def test_a_target_that_answers_no_check_gets_no_requests(start_gateway):
    """Neither one that closes the connection of a check, nor one that refuses it."""
    good, closing, refusing = Upstream(), Upstream(), free_port()
    good.scripts["/healthz"] = lambda client, _: client.sendall(b"HTTP/1.1 204 No Content\r\n\r\n") or True
    closing.scripts["/healthz"] = lambda client, _: client.close() or True
    targets = [good.origin, closing.origin, f"http://127.0.0.1:{refusing}"]
    gateway = start_gateway({"upstream": {"targets": targets, "health": CHECK}, "routes": ALL_PUBLIC})
    try:
        eventually(lambda: gateway.log.count('"upstream-unhealthy"') == 2, "both are unhealthy")
        marker = mark()
        assert all(ask(gateway, f"/{marker}").status == 200 for _ in range(9))
        assert len(good.containing(marker)) == 9
    finally:
        gateway.stop()
        good.close()
        closing.close()


def test_one_checker_for_the_process_and_checks_over_http2(start_gateway):
    """However many event loops there are, a target has one connection for its checks, and `h2c` is checked over HTTP/2."""
    app = H2Upstream()
    gateway = start_gateway({"upstream": {"targets": app.origin, "health": CHECK}, "routes": ALL_PUBLIC})
    eventually(lambda: len(app.of("/healthz")) > 5, "the target is asked")
    gateway.stop()
    app.close()
    assert {request.connection.number for request in app.of("/healthz")} == {0}
    assert app.of("/healthz")[0].value("user-agent") == "gateway-health"


# --- Dying and returning -------------------------------------------------------------------------------------------------


def test_targets_die_and_return_under_requests_and_no_response_is_lost_or_mixed_up(start_gateway):
    """Issue 3 "It is done when": each response carries its request's nonce."""
    ports = [free_port(), free_port()]
    running: dict[int, Mortal] = {port: Mortal(port) for port in ports}
    gateway = start_gateway({"upstream": {"targets": [f"http://127.0.0.1:{port}" for port in ports], "ejection": {"for": "100ms"}}, "routes": ALL_PUBLIC})
    stop, problems, count = threading.Event(), [], []

    def client() -> None:
        while not stop.is_set():
            nonce = mark()
            try:
                response = ask(gateway, f"/{nonce}")
            except OSError as error:
                problems.append(repr(error))
                continue
            count.append(1)
            if response is None or response.status != 200 or response.body.decode() != nonce:
                problems.append(f"{nonce}: {response}")

    threads = [threading.Thread(target=client) for _ in range(4)]
    for thread in threads:
        thread.start()
    for round in range(6):
        port = ports[round % 2]
        # From here on: a request of four that saw both targets die would have nowhere to go.
        seen = len(count)
        eventually(lambda: len(count) > seen + 20 or problems, "requests are answered", timeout=60)
        running[port].die()
        seen = len(count)
        eventually(lambda: len(count) > seen + 20 or problems, "requests are answered without one", timeout=60)
        running[port] = Mortal(port)
    stop.set()
    for thread in threads:
        thread.join()
    for part in running.values():
        part.die()
    gateway.stop()
    assert not problems, problems[:3]
    assert len(count) > 100


class Mortal(TCPServer):
    """An app that answers with the path, and drops everything when it dies: open connections are reset between requests."""

    def __init__(self, port: int) -> None:
        self._clients: list[socket.socket] = []
        super().__init__(port)

    def die(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self.close()
        for client in self._clients:
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def serve(self, client: socket.socket) -> None:
        self._clients.append(client)
        buffer = b""
        try:
            while data := client.recv(1 << 16):
                buffer += data
                while b"\r\n\r\n" in buffer:
                    head, _, buffer = buffer.partition(b"\r\n\r\n")
                    nonce = head.split(b" ")[1][1:]
                    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(nonce), nonce))
        except OSError:
            pass
        client.close()
