"""`maxConnections` of an upstream: no more connections than that, a bounded wait, then 503 (docs/upstreams.md)."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import wire
from conftest import StartGateway, mark
from logins import NAVIGATION, new_client, page_problems
from parts.gateway import Gateway
from parts.processes import eventually
from parts.seed import seeded
from parts.upstream import Recording, Upstream
from parts.upstream_h2 import H2Upstream, Request

ALL_PUBLIC = [{"path": "/**", "access": "public"}]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Gate:
    """A script that holds requests until it is opened, and counts those that it holds at once."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.lock = threading.Lock()
        self.now = 0
        self.most = 0
        self.total = 0

    def enter(self) -> None:
        with self.lock:
            self.now += 1
            self.total += 1
            self.most = max(self.most, self.now)

    def leave(self) -> None:
        with self.lock:
            self.now -= 1

    def __call__(self, client: socket.socket, _: Recording) -> bool:
        self.enter()
        assert self.opened.wait(60)
        self.leave()
        client.sendall(OK)
        return True


@pytest.fixture
def app() -> Iterator[Upstream]:
    part = Upstream()
    yield part
    part.close()


@pytest.fixture
def limited(start_gateway: StartGateway, app: Upstream) -> Iterator[Callable[..., Gateway]]:
    started = []

    def start(most: int, targets: object = None, wait: str = "10s") -> Gateway:
        started.append(
            start_gateway(
                {
                    "upstream": {"targets": targets or app.origin, "maxConnections": most},
                    "server": {"timeouts": {"upstreamConnect": wait}},
                    "routes": ALL_PUBLIC,
                }
            )
        )
        return started[-1]

    yield start
    for gateway in started:
        gateway.stop()


def send(gateway: Gateway, path: str, body: bytes = b"") -> wire.Connection:
    head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n"
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return wire.Connection(gateway.port, timeout=60).send((head + length + "\r\n").encode() + body)


def figure(gateway: Gateway, name: str) -> float:
    for line in gateway.metrics().splitlines():
        if line.startswith(name):
            return float(line.split(" ")[-1])
    return 0


def waiting(gateway: Gateway) -> float:
    return figure(gateway, "gateway_upstream_requests_waiting")


def test_an_upstream_gets_no_more_connections_than_its_limit_and_the_others_wait(limited, app):
    """Of the whole process, whichever event loops the clients are on."""
    gateway, gate, path = limited(3), Gate(), f"/{mark()}"
    app.scripts[path] = gate
    clients = [send(gateway, path) for _ in range(20)]
    eventually(lambda: waiting(gateway) == 17 and gate.now == 3, "three requests are served and the others wait")
    assert app.connections == 3
    gate.opened.set()
    for client in clients:
        response = client.response()
        assert response is not None and response.status == 200
        client.socket.close()
    assert gate.most == 3 and gate.total == 20
    assert waiting(gateway) == 0


def test_a_request_that_gets_no_connection_is_503(limited, app):
    """`proxy/upstream-busy` after `upstreamConnect`, with Retry-After, a metric and a line in the log."""
    gateway, gate, path = limited(1, wait="500ms"), Gate(), f"/{mark()}"
    app.scripts[path] = gate
    with send(gateway, path) as first:
        eventually(lambda: gate.now == 1, "the only connection is in use")
        began = time.monotonic()
        page = new_client().get(gateway.url("/x"), headers=NAVIGATION)
        assert time.monotonic() - began > 0.4
        assert page.status_code == 503 and "text/html" in page.headers["Content-Type"] and page_problems(page) == []
        answer = new_client().get(gateway.url("/x"), headers={"Accept": "application/json"})
        assert answer.status_code == 503 and answer.json()["error"]["code"] == "proxy/upstream-busy"
        assert answer.headers["Retry-After"] == "1"
        assert [event["reason"] for event in gateway.events("upstream-failed")] == ["upstream-busy"] * 2
        assert figure(gateway, 'gateway_upstream_errors_total{route="/**",reason="upstream-busy"}') == 2
        gate.opened.set()
        assert first.response().status == 200
    assert new_client().get(gateway.url("/y")).status_code == 200


def test_an_unused_connection_of_one_event_loop_gives_way_to_a_request_on_another(limited, app):
    """With one connection for all event loops, nobody waits for the 50 s after which an unused connection ends."""
    gateway = limited(1, wait="60s")
    began = time.monotonic()
    for _ in range(50):
        # A new client connection each time: they fall to different event loops.
        with send(gateway, f"/{mark()}") as client:
            assert client.response().status == 200
    assert time.monotonic() - began < 40


def test_under_load_every_request_is_answered_on_few_connections(limited, app):
    gateway, gate, path = limited(2), Gate(), f"/{mark()}"
    gate.opened.set()
    app.scripts[path] = gate

    def ask(_: int) -> list[int]:
        with wire.Connection(gateway.port, timeout=60) as connection:
            request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode()
            return [connection.send(request).response().status for _ in range(25)]

    with ThreadPoolExecutor(24) as pool:
        statuses = [status for part in pool.map(ask, range(24)) for status in part]
    assert statuses == [200] * 600
    assert gate.most <= 2
    # Most go from one request to the next of the same event loop.
    assert app.connections < 300


def test_a_client_that_leaves_waits_no_longer(limited, app):
    gateway, gate, path, gone = limited(1), Gate(), f"/{mark()}", f"/{mark()}"
    app.scripts[path] = gate
    with send(gateway, path) as first:
        eventually(lambda: gate.now == 1, "the only connection is in use")
        leaver = send(gateway, gone)
        eventually(lambda: waiting(gateway) == 1, "a request waits")
        leaver.socket.close()
        eventually(lambda: waiting(gateway) == 0, "it waits no longer")
        with send(gateway, f"{path}-after") as last:
            eventually(lambda: waiting(gateway) == 1, "another request waits")
            gate.opened.set()
            assert first.response().status == 200 and last.response().status == 200
    assert not app.saw(gone)


def test_a_body_that_had_to_wait_arrives_whole(limited, app):
    gateway, gate, path, marker = limited(1), Gate(), f"/{mark()}", mark()
    app.scripts[path] = gate
    body = seeded("body").randbytes(300_000)
    with send(gateway, path) as first:
        eventually(lambda: gate.now == 1, "the only connection is in use")
        with send(gateway, f"/{marker}", body) as second:
            eventually(lambda: waiting(gateway) == 1, "the body waits")
            gate.opened.set()
            assert first.response().status == 200 and second.response().status == 200
    assert app.only(marker).body == body


def test_a_target_at_its_limit_leaves_requests_to_the_others(limited, app):
    other, gate, path = Upstream(), Gate(), f"/{mark()}"
    app.scripts[path] = other.scripts[path] = gate
    gateway = limited(2, targets=[app.origin, other.origin])
    clients = [send(gateway, path) for _ in range(4)]
    eventually(lambda: gate.now == 4, "all are at a target")
    assert app.connections == other.connections == 2
    gate.opened.set()
    for client in clients:
        assert client.response().status == 200
        client.socket.close()
    other.close()


def test_streams_of_a_connection_do_not_count(limited):
    """Requests share a connection of HTTP/2; the limit is one of connections."""
    app, gate, path = H2Upstream(), Gate(), f"/{mark()}"

    def hold(request: Request) -> None:
        gate.enter()
        assert gate.opened.wait(60)
        gate.leave()
        request.respond(b"ok")

    app.scripts[path] = hold
    gateway = limited(os.cpu_count() or 1, targets=app.origin)
    clients = [send(gateway, path) for _ in range(40)]
    eventually(lambda: gate.now == 40, "all are at the upstream")
    assert len(app.connections) <= (os.cpu_count() or 1)
    gate.opened.set()
    for client in clients:
        assert client.response().status == 200
        client.socket.close()
    app.close()


def test_requests_wait_for_a_stream_when_no_further_connection_may_be_opened(limited):
    app, gate, path = H2Upstream(), Gate(), f"/{mark()}"
    app.max_streams = 2

    def hold(request: Request) -> None:
        gate.enter()
        assert gate.opened.wait(60)
        gate.leave()
        request.respond(b"ok")

    app.scripts[path] = hold
    gateway = limited(os.cpu_count() or 1, targets=app.origin)
    clients = [send(gateway, path) for _ in range(40)]
    eventually(lambda: gate.now > 0 and gate.now + waiting(gateway) == 40, "each request has a stream or waits for one")
    gate.opened.set()
    for client in clients:
        assert client.response().status == 200
        client.socket.close()
    assert gate.most <= 2 * (os.cpu_count() or 1)
    app.close()


def test_an_unused_http2_connection_gives_way_too(limited):
    app = H2Upstream()
    gateway = limited(1, targets=app.origin)
    for _ in range(20):
        with send(gateway, f"/{mark()}") as client:
            assert client.response().status == 200
    app.close()


def test_a_reload_changes_the_limit(limited, app):
    gateway, gate, path = limited(1), Gate(), f"/{mark()}"
    app.scripts[path] = gate
    gateway.rewrite(upstream={"targets": app.origin, "maxConnections": 4})
    gateway.reload()
    clients = [send(gateway, path) for _ in range(6)]
    eventually(lambda: gate.now == 4 and waiting(gateway) == 2, "four are at the app, two wait")
    gate.opened.set()
    for client in clients:
        assert client.response().status == 200
        client.socket.close()
