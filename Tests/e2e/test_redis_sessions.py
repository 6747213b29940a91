"""Two gateways and one Redis: contract §7, "Sessions for several machines"."""

from __future__ import annotations

import concurrent.futures
import contextlib
import queue
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import requests

import wire
from logins import NAVIGATION, callback_of, new_client, session_cookie, sign_in
from parts.dev_provider import CLIENT_ID, DevProvider
from parts.gateway import SLOWDOWN, Gateway, session_key
from parts.processes import eventually
from parts.redis_server import RedisServer
from parts.relay import TokenRelay
from test_lifecycle import upstream_of
from test_logout import log_out
from test_session_streams import App, WebSocket

JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def dev(folder) -> Iterator[DevProvider]:
    part = DevProvider("dev-provider-redis", folder)
    yield part.wait()
    part.process.kill()


@pytest.fixture
def server(tmp_path) -> Iterator[RedisServer]:
    part = RedisServer(tmp_path).start()
    yield part
    part.kill()


@pytest.fixture
def replicas(start_gateway, dev):
    """Starts gateways with one public URL, one key and one store."""
    started: list[Gateway] = []

    def start(server: RedisServer, count: int = 2, store: object = None, **changes: object) -> list[Gateway]:
        key = session_key()
        session = changes.pop("session", {})
        for _ in range(count):
            server_section = {"publicURL": started[0].origin} if started else {}
            gateway = start_gateway(
                {
                    "server": server_section,
                    "providers": [dev.configuration],
                    "session": {"keys": [key], "store": store or server.url, **session},
                    "routes": [{"path": "/public/**", "access": "public"}],
                    **changes,
                }
            )
            started.append(gateway)
        for gateway in started:
            eventually(lambda gateway=gateway: hears(gateway), "a subscription that works", timeout=60 * SLOWDOWN)
        return started

    yield start
    for gateway in started:
        gateway.kill()


def check(gateway: Gateway) -> str:
    """The line of `/readyz` about the store."""
    lines = requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text.splitlines()
    return next(line for line in lines if "session-store" in line)


def serves(gateway: Gateway) -> bool:
    return check(gateway).startswith("[+]")


def hears(gateway: Gateway) -> bool:
    return check(gateway) == "[+]session-store ok"


def get(gateway: Gateway, cookie: str, path: str = "/app/x", **headers: str) -> requests.Response:
    return new_client().get(
        gateway.url(path), headers={**JSON, "Cookie": f"session={cookie}", **headers}, allow_redirects=False, timeout=60
    )


def wire_get(gateway: Gateway, cookie: str) -> int:
    """A request whose gateway may die."""
    line = f"GET /app/x HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nConnection: close\r\nCookie: session={cookie}\r\n\r\n"
    with wire.Connection(gateway.port, timeout=40) as connection:
        response = connection.send(line.encode()).response()
        return response.status if response else 0


def within(seconds: float, condition, what: str) -> None:
    """Contract §7 names these times. On a busy machine, everything may take five times as long."""
    eventually(condition, what, timeout=5 * seconds * SLOWDOWN)


def test_the_cookie_is_a_ticket_that_every_replica_opens(server, replicas, dev):
    one, two = replicas(server)
    client = sign_in(one, dev)
    cookie = session_cookie(client)
    assert len(cookie) <= 200
    assert [get(gateway, cookie).status_code for gateway in (one, two)] == [200, 200]
    dump = server.run("KEYS", "*")
    assert all(line.startswith("gateway:") for line in dump.split())
    assert "alice" not in "".join(server.run("--no-raw", "DUMP", key) for key in dump.split())
    # A restart of both ends nothing.
    for gateway in (one, two):
        gateway.stop()
        gateway.start()
    assert [get(gateway, cookie).status_code for gateway in (one, two)] == [200, 200]


def test_a_sign_out_on_one_replica_is_refused_on_the_other_and_closes_its_websocket(start_gateway, server, replicas, dev):
    app = App()
    with upstream_of(app) as port:
        one, two = replicas(server, upstream=f"http://127.0.0.1:{port}")
        client = sign_in(one, dev)
        cookie = session_cookie(client)
        assert get(two, cookie, "/plain").status_code == 200
        tunnel = WebSocket(two, client)
        log_out(one, client)
        assert get(one, cookie, "/plain").status_code == 401
        within(1, lambda: get(two, cookie, "/plain").status_code == 401, "the other replica refuses the session")
        tunnel.ends()


@contextlib.contextmanager
def slow_refresh(replicas, server: RedisServer, dev: DevProvider, milliseconds: int) -> Iterator[tuple[Gateway, Gateway, str, TokenRelay]]:
    """Two replicas, and the cookie of a session whose access token has expired. The provider takes `milliseconds` for a refresh."""
    relay = TokenRelay(f"{dev.issuer}/token")
    try:
        one, two = replicas(server, providers=[{**dev.configuration, "endpoints": {"token": relay.url}}])
        relay.lifetime = 1
        cookie = session_cookie(sign_in(one, dev))
        later = session_cookie(sign_in(one, dev, person="bob"))
        relay.lifetime = 3600
        # The token of the later session has expired once it is refreshed, so the other one's has, too.
        eventually(lambda: get(one, later).status_code == 200 and relay.refreshes == 1, "the end of the token")
        relay.grants.clear()
        dev.control(faults=["refresh.slow"], slowMilliseconds=milliseconds)
        yield one, two, cookie, relay
    finally:
        dev.control(faults=[])
        relay.close()


def test_requests_on_two_replicas_refresh_once(server, replicas, dev):
    with slow_refresh(replicas, server, dev, 1000) as (one, two, cookie, relay):
        gateways = [one, two] * 10
        barrier = threading.Barrier(len(gateways))

        def request(gateway: Gateway) -> int:
            line = f"GET /app/x HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nConnection: close\r\nCookie: session={cookie}\r\n\r\n"
            with wire.Connection(gateway.port, timeout=40) as connection:
                barrier.wait(timeout=60)
                response = connection.send(line.encode()).response()
                return response.status if response else 0

        with concurrent.futures.ThreadPoolExecutor(len(gateways)) as pool:
            assert list(pool.map(request, gateways)) == [200] * len(gateways)
        assert relay.refreshes == 1
        for gateway in (one, two):
            assert get(gateway, cookie).status_code == 200
        assert relay.refreshes == 1, "the ticket stays the same and leads to the new tokens"


def test_a_refresh_whose_result_cannot_be_kept_at_once_is_kept_later(server, replicas, dev):
    """The provider has spent the old refresh token by then: a second refresh with it would end the session."""
    with slow_refresh(replicas, server, dev, 1500) as (one, two, cookie, relay):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            answer = pool.submit(get, one, cookie)
            eventually(lambda: relay.refreshes == 1, "a refresh")
            server.kill()
            assert answer.result(timeout=60).status_code == 503
        server.start()
        start = time.monotonic()
        for gateway in (two, one):
            within(3, lambda gateway=gateway: get(gateway, cookie).status_code == 200, "the session is back")
        assert time.monotonic() - start < 9 * SLOWDOWN, "a request waits ten seconds for a result that was lost"
        assert relay.refreshes == 1
        assert not one.events("refresh-refused") + two.events("refresh-refused")


def test_a_login_is_finished_once_over_all_replicas(server, replicas, dev):
    one, two = replicas(server)
    client = new_client()
    callback = callback_of(one, dev, client)
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    first = new_client().get(callback, headers={**NAVIGATION, "Cookie": cookies}, allow_redirects=False, timeout=60)
    assert first.status_code == 303 and "session=" in first.headers["Set-Cookie"]
    again = new_client().get(
        callback.replace(one.origin, two.origin), headers={**NAVIGATION, "Cookie": cookies}, allow_redirects=False, timeout=60
    )
    assert "session=" not in again.headers.get("Set-Cookie", "").replace("session=;", "")


def test_without_its_store_only_what_needs_a_session_fails_and_all_recovers(server, replicas, dev):
    one, two = replicas(server)
    client = sign_in(one, dev)
    cookie = session_cookie(client)
    assert get(two, cookie).status_code == 200
    server.kill()
    for gateway in (one, two):
        within(3, lambda gateway=gateway: not serves(gateway), "unready")
        eventually(lambda gateway=gateway: get(gateway, cookie).status_code == 503, "503")
        refused = get(gateway, cookie)
        assert refused.json()["error"]["code"] == "auth/store-unavailable", refused.text
        assert int(refused.headers["Retry-After"]) > 0
        assert "Set-Cookie" not in refused.headers
        page = new_client().get(gateway.url("/app/x"), headers={**NAVIGATION, "Cookie": f"session={cookie}"}, allow_redirects=False)
        assert page.status_code == 503 and "text/html" in page.headers["Content-Type"]
        start = time.monotonic()
        assert [get(gateway, cookie).status_code for _ in range(40)] == [503] * 40
        assert time.monotonic() - start < 20 * SLOWDOWN, "a store that is down is not asked by every request, which takes a second"
        assert get(gateway, cookie, "/public/x").status_code == 200
        assert get(gateway, cookie, "/_gateway/userinfo").status_code == 503
        signed_out = requests.post(
            gateway.own("/logout"),
            headers={"Cookie": f"session={cookie}", "Origin": one.origin, "Accept": "application/json"},
            allow_redirects=False,
            timeout=60,
        )
        assert signed_out.status_code == 503 and signed_out.json()["error"]["code"] == "auth/signout-failed", signed_out.text
        assert "Set-Cookie" not in signed_out.headers
        within(2, lambda gateway=gateway: gateway.events("session-store-unavailable"), "an event")
    server.start()
    for gateway in (one, two):
        within(2, lambda gateway=gateway: get(gateway, cookie).status_code == 200, "the session is back")
        within(2, lambda gateway=gateway: serves(gateway), "ready")


def test_a_slow_store_costs_a_request_its_time_limit_and_no_more(server, replicas, dev):
    (one,) = replicas(server, count=1, store={"url": server.url, "timeout": "300ms"})
    cookie = session_cookie(sign_in(one, dev))
    server.pause()
    try:
        eventually(lambda: get(one, cookie).status_code == 503, "503")
        start = time.monotonic()
        assert get(one, cookie).status_code == 503
        assert time.monotonic() - start < 10 * SLOWDOWN
    finally:
        server.resume()
    within(2, lambda: get(one, cookie).status_code == 200, "the session is back")


class SlowWire:
    """Passes bytes on to a server, and its answers back after `delay` seconds."""

    def __init__(self, port: int) -> None:
        self.delay = 0.0
        self._closed = threading.Event()
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                late: queue.Queue[tuple[float, bytes]] = queue.Queue()
                for work, arguments in ((self._pass, (client, server)), (self._read, (server, late)), (self._write, (client, late))):
                    threading.Thread(target=work, args=arguments, daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)

    def _read(self, server: socket.socket, late: queue.Queue) -> None:
        data = b"x"
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                late.put((time.monotonic() + self.delay, data))
        late.put((0, b""))

    def _write(self, client: socket.socket, late: queue.Queue) -> None:
        with contextlib.suppress(OSError):
            while True:
                due, data = late.get()
                if not data:
                    break
                self._closed.wait(max(0.0, due - time.monotonic()))
                client.sendall(data)
        client.close()

    def close(self) -> None:
        self._closed.set()
        self._listener.close()


def test_the_time_limit_counts_for_all_that_a_request_asks_the_store(server, replicas, dev):
    """Each answer comes in time, and two of them do not. The connection stays: others may be content with one."""
    wire_to_store = SlowWire(server.port)
    try:
        store = {"url": f"redis://127.0.0.1:{wire_to_store.port}", "timeout": "1500ms"}
        old, new = session_key(), session_key()
        (one,) = replicas(server, count=1, store=store, session={"keys": [old]})
        cookie = session_cookie(sign_in(one, dev))
        # The ticket names no markers of the new key: they are a second question.
        _, two = replicas(server, count=1, store=store, session={"keys": [new, old]})
        wire_to_store.delay = 0.9
        answer = get(two, cookie)
        assert answer.status_code == 503 and answer.json()["error"]["code"] == "auth/store-unavailable"
        assert serves(two) and not two.events("session-store-unavailable")
        wire_to_store.delay = 0.1
        within(2, lambda: get(two, cookie).status_code == 200, "the session is there")
    finally:
        wire_to_store.close()


def test_a_full_store_serves_sessions_and_refuses_what_it_cannot_keep(server, replicas, dev):
    (one,) = replicas(server, count=1)
    client = sign_in(one, dev)
    cookie = session_cookie(client)
    callback = callback_of(one, dev, other := new_client())
    server.run("CONFIG", "SET", "maxmemory", "1")
    assert get(one, cookie).status_code == 200
    refused = other.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert refused.status_code == 503, refused.text[:300]
    signed_out = log_out(one, client)
    assert signed_out.status_code == 503 and "Set-Cookie" not in signed_out.headers
    server.run("CONFIG", "SET", "maxmemory", "0")
    assert get(one, cookie).status_code == 200
    assert log_out(one, client).status_code == 303
    assert get(one, cookie).status_code == 401


def test_a_logout_message_of_the_provider_ends_the_session_on_every_replica_once(server, replicas, dev):
    one, two = replicas(server, providers=[dev.configuration])
    cookie = session_cookie(sign_in(one, dev))
    other = session_cookie(sign_in(one, dev, person="bob"))
    assert [get(two, each).status_code for each in (cookie, other)] == [200, 200]

    def send(gateway: Gateway, token: str) -> requests.Response:
        return new_client().post(gateway.own("/backchannel-logout/oidc.dev"), data={"logout_token": token}, timeout=60)

    token = dev.control(logoutToken={"client": CLIENT_ID, "person": "alice"})["logoutToken"]
    server.kill()
    eventually(lambda: not serves(one), "unready")
    assert send(one, token).status_code == 400, "the provider sends it again"
    server.start()
    within(3, lambda: hears(one) and hears(two), "recovery")
    assert get(two, cookie).status_code == 200
    assert send(one, token).status_code == 200
    assert get(one, cookie).status_code == 401
    within(1, lambda: get(two, cookie).status_code == 401, "the other replica refuses the session")
    assert [send(gateway, token).status_code for gateway in (one, two)] == [400, 400], "a jti counts once for all"
    assert [get(gateway, other).status_code for gateway in (one, two)] == [200, 200]


def test_a_replica_that_dies_during_a_refresh_signs_nobody_out(server, replicas, dev):
    """Another waits for the result for ten seconds, and goes on with the old claims."""
    with slow_refresh(replicas, server, dev, 3000) as (one, two, cookie, relay):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            asked = pool.submit(wire_get, one, cookie)
            eventually(lambda: relay.refreshes == 1, "a refresh")
            start = time.monotonic()
            one.kill()
            asked.exception(timeout=60)
        assert get(two, cookie).status_code == 200
        # Ten seconds from the beginning of the refresh; a lock without an end would keep the request for as long as it may take.
        assert 8 < time.monotonic() - start < 60 * SLOWDOWN
        assert relay.refreshes == 1


def test_a_store_that_is_unreachable_at_the_start_keeps_the_gateway_unready_and_not_down(start_gateway, tmp_path, dev):
    server = RedisServer(tmp_path)
    gateway = start_gateway({"providers": [dev.configuration], "session": {"store": server.url}}, wait=False)
    gateway.start_unready()
    try:
        eventually(lambda: gateway.events("session-store-unavailable"), "an event", timeout=60 * SLOWDOWN)
        answer = requests.get(f"{gateway.admin}/readyz", timeout=60)
        assert answer.status_code == 503 and "session-store" in answer.text
        assert requests.get(f"{gateway.admin}/livez", timeout=60).status_code == 200
        assert new_client().get(gateway.own("/login"), headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == 302
        server.start()
        within(2, gateway.is_ready, "ready")
        assert get(gateway, session_cookie(sign_in(gateway, dev))).status_code == 200
    finally:
        server.kill()


def test_a_killed_replica_signs_nobody_out(server, replicas, dev):
    one, two = replicas(server)
    cookie = session_cookie(sign_in(one, dev))
    one.kill()
    assert get(two, cookie).status_code == 200


def test_a_flush_ends_sessions_and_nothing_else(server, replicas, dev):
    one, two = replicas(server)
    cookie = session_cookie(sign_in(one, dev))
    server.run("FLUSHALL")
    assert get(two, cookie).status_code == 401
    assert get(one, session_cookie(sign_in(one, dev))).status_code == 200


def test_a_wrong_password_keeps_the_gateway_unready_and_is_not_logged(start_gateway, tmp_path, dev):
    server = RedisServer(tmp_path, "requirepass right-password").start()
    try:
        gateway = start_gateway(
            {
                "providers": [dev.configuration],
                "session": {"store": f"redis://:wrong-password@127.0.0.1:{server.port}"},
            },
            wait=False,
        )
        gateway.start_unready()
        eventually(lambda: gateway.events("session-store-unavailable"), "an event", timeout=60 * SLOWDOWN)
        found = check(gateway)
        assert found.startswith("[-]") and "WRONGPASS" in found
        assert "wrong-password" not in gateway.log
        assert get(gateway, "x" * 100, "/app/x").status_code == 401, "no ticket: no question to the store"
        gateway.rewrite(session={"store": f"redis://:right-password@127.0.0.1:{server.port}"})
        gateway.reload()
        eventually(gateway.is_ready, "ready with the right password")
    finally:
        server.kill()
