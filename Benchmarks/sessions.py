"""The cost of sessions in Redis, compared with sessions in cookies. Prints a Markdown table.

    .venv/bin/python Benchmarks/sessions.py
    .venv/bin/python Benchmarks/sessions.py --sessions 2000 --live 5000 --sign-outs 500 --rounds 2      a short run

CPU is the gateway's own, of all its threads, for a signed-in request with a response of 1 KiB on one of 32 connections. *hit*: a session that this process has opened
before; *miss*: one that it has not. The variants take turns in each round. Store traffic is what the server counts in both directions, with the
gateway's beats, at a steady rate of requests. Propagation is the time from the answer to a sign-out on one replica until another one refuses.
"""

from __future__ import annotations

import argparse
import collections
import http.client
import json
import os
import pathlib
import selectors
import socket
import statistics
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("GATEWAY_BINARY", str(ROOT / ".build/release/gateway"))
sys.path.insert(0, str(ROOT / "Tests/e2e"))

from measuring import percentile, resident_kibibytes, spread  # noqa: E402
from parts.gateway import Gateway, session_key  # noqa: E402
from parts.processes import Process, accepts_connections, eventually, free_port  # noqa: E402
from parts.redis_server import RedisServer  # noqa: E402
from parts.strict_issuer import StrictIssuer  # noqa: E402
from peers import NGINX, program  # noqa: E402


CONNECTIONS = 32


def cpu_seconds(pid: int) -> float:
    """The time on a processor of all threads, to the nanosecond."""
    return sum(int(file.read_text().split()[0]) for file in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


class Client:
    """One connection that stays open."""

    def __init__(self, gateway: Gateway, host: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
        self.host = host

    def send(self, method: str, path: str, cookie: str = "", body: str | None = None, **headers: str) -> tuple[int, http.client.HTTPMessage]:
        fields = {"Host": self.host, "Accept": "application/json", **headers}
        if cookie:
            fields["Cookie"] = f"session={cookie}"
        self.connection.request(method, path, body, fields)
        answer = self.connection.getresponse()
        answer.read()
        return answer.status, answer.headers


def ask(port: int, host: str, cookies: list[str]) -> None:
    """A request with each of these cookies, on connections that each send one at a time."""
    waiting = collections.deque(cookies)
    missing = len(cookies)
    with selectors.DefaultSelector() as selector:

        def send(connection: socket.socket) -> None:
            if waiting:
                connection.sendall(f"GET /1024 HTTP/1.1\r\nHost: {host}\r\nCookie: session={waiting.popleft()}\r\n\r\n".encode())

        connections = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(min(CONNECTIONS, missing))]
        received = dict.fromkeys(connections, b"")
        for connection in connections:
            selector.register(connection, selectors.EVENT_READ)
            send(connection)
        while missing:
            for key, _ in selector.select(30):
                connection = key.fileobj
                assert isinstance(connection, socket.socket)
                data = received[connection] + connection.recv(1 << 16)
                head, _, body = data.partition(b"\r\n\r\n")
                if len(body) < 1024:
                    received[connection] = data
                    continue
                assert head.startswith(b"HTTP/1.1 200"), head
                received[connection] = b""
                missing -= 1
                send(connection)
        for connection in connections:
            connection.close()


class Fleet:
    """Gateways with one key, with or without a store."""

    def __init__(self, folder: pathlib.Path, name: str, issuer: StrictIssuer, upstream: int, store: str | None, count: int) -> None:
        key = session_key()
        self.issuer = issuer
        self.gateways: list[Gateway] = []
        for number in range(count):
            session = {"keys": [key], "exchange": {"providers": ["oidc.strict"], "nonce": "optional"}, "idleTimeout": "4h"}
            configuration = {
                "server": {"publicURL": self.gateways[0].origin} if self.gateways else {},
                "upstream": f"http://127.0.0.1:{upstream}",
                "providers": [{**issuer.configuration, "accessTokens": {"audience": "https://api.example.com"}}],
                "session": {**session, **({"store": store} if store else {})},
                "logging": {"level": "warning"},
                "audit": None,
            }
            self.gateways.append(Gateway(f"{name}-{number}", folder, configuration, free_port()).start())
        self.host = f"127.0.0.1:{self.gateways[0].port}"

    def client(self, number: int) -> Client:
        return Client(self.gateways[number], self.host)

    def sign_in(self, count: int, first: int = 0, threads: int = 4) -> list[str]:
        """Cookies of new sessions, one for each user, made by the first gateway."""
        waiting = collections.deque(range(first, first + count))
        cookies: list[str] = []

        def work() -> None:
            client = self.client(0)
            while True:
                try:
                    user = waiting.popleft()
                except IndexError:
                    return
                token = self.issuer._tokens_of(f"user{user}", None)["id_token"]
                status, headers = client.send(
                    "POST", "/_gateway/session", body=json.dumps({"provider": "oidc.strict", "id_token": token}),
                    Origin=self.gateways[0].origin, **{"Content-Type": "application/json"},
                )  # fmt: skip
                assert status == 200, status
                lines = [line.split(";")[0].split("=", 1) for line in headers.get_all("Set-Cookie") or []]
                cookies.append(next(value for name, value in lines if name == "session"))

        workers = [threading.Thread(target=work) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert len(cookies) == count
        return cookies

    def cost(self, number: int, cookies: list[str]) -> float:
        """Microseconds of CPU for a request with each of these cookies."""
        gateway = self.gateways[number]
        before = cpu_seconds(gateway.process.pid)
        ask(gateway.port, self.host, cookies)
        return (cpu_seconds(gateway.process.pid) - before) / len(cookies) * 1e6

    def kill(self) -> None:
        for gateway in self.gateways:
            gateway.kill()


def nginx(folder: pathlib.Path) -> tuple[Process, int]:
    port = free_port()
    (folder / "1024").write_bytes(b"x" * 1024)
    user = "user root; " if os.geteuid() == 0 else ""
    body = f"server {{ listen 127.0.0.1:{port}; keepalive_requests 1000000; root {folder}; }}"
    file = folder / "upstream.conf"
    file.write_text(NGINX.format(user=user, folder=folder, name="upstream", body=body))
    process = Process("upstream", [program("nginx") or "nginx", "-c", str(file), "-p", str(folder), "-e", str(folder / "upstream.err")], folder)
    process.wait_until(lambda: accepts_connections(port), "listening socket")
    return process, port


def traffic(server: RedisServer) -> int:
    text = server.run("INFO", "stats")
    return sum(int(line.split(":")[1]) for line in text.splitlines() if line.startswith(("total_net_input_bytes:", "total_net_output_bytes:")))


def costs(cookie: Fleet, redis: Fleet, count: int, rounds: int) -> None:
    figures: dict[str, list[float]] = {}
    for number in range(rounds):
        for name, fleet in (("cookie", cookie), ("Redis", redis)) if number % 2 == 0 else (("Redis", redis), ("cookie", cookie)):
            cookies = fleet.sign_in(count, number * count)
            figures.setdefault(f"{name}, miss", []).append(fleet.cost(1, cookies))
            figures.setdefault(f"{name}, hit", []).append(fleet.cost(1, cookies[:1] * count))
    print("| sessions | CPU, µs per request | / cookie, hit | / cookie, miss |\n|---|---|---|---|")
    for name in ("cookie, hit", "cookie, miss", "Redis, hit", "Redis, miss"):
        ratios = [
            spread([a / b for a, b in zip(figures[name], figures[base], strict=True)], 2) for base in ("cookie, hit", "cookie, miss")
        ]
        print(f"| {name} | {spread(figures[name], 0)} | {ratios[0]} | {ratios[1]} |")
    print()


def steady_traffic(redis: Fleet, server: RedisServer, seconds: float = 5) -> None:
    client, [cookie] = redis.client(1), redis.sign_in(1, 10_000_000)
    client.send("GET", "/1024", cookie)
    before, start, requests = traffic(server), time.monotonic(), 0
    while time.monotonic() - start < seconds:
        client.send("GET", "/1024", cookie)
        requests += 1
    # With INFO's own answer, of about 2 KB.
    used = traffic(server) - before
    print(f"Store traffic: {used / requests:.1f} bytes per request at {requests / seconds:.0f} requests per second, {len(redis.gateways)} replicas.\n")


def memory(redis: Fleet, count: int) -> None:
    pid = redis.gateways[1].process.pid
    # The caches are full after this; what is added by more sessions is measured.
    bound = min(count, 30_000)
    cookies = redis.sign_in(count, 20_000_000, threads=8)
    redis.cost(1, cookies[:bound])
    full = resident_kibibytes([pid])
    redis.cost(1, cookies[bound:] + cookies[:1])
    after = resident_kibibytes([pid])
    print(f"Memory of a replica that served {bound} sessions: {full / 1024:.1f} MiB; after {count}: {after / 1024:.1f} MiB.\n")


def propagation(redis: Fleet, count: int, each_minute: int) -> None:
    cookies = collections.deque(redis.sign_in(count, 30_000_000))
    times: list[float] = []
    threads = 4
    pause = 60 / each_minute * threads

    def work() -> None:
        one, two = redis.client(0), redis.client(1)
        due = time.monotonic()
        while True:
            try:
                cookie = cookies.popleft()
            except IndexError:
                return
            assert two.send("GET", "/1024", cookie)[0] == 200
            status, _ = one.send("POST", "/_gateway/logout", cookie, Origin=redis.gateways[0].origin)
            assert status in (200, 204, 303), status
            start = time.monotonic()
            while two.send("GET", "/1024", cookie)[0] != 401:
                pass
            times.append(time.monotonic() - start)
            due += pause
            time.sleep(max(0.0, due - time.monotonic()))

    began = time.monotonic()
    workers = [threading.Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    rate = count / (time.monotonic() - began) * 60
    print(
        f"Propagation at {rate:.0f} sign-outs a minute: median {statistics.median(times) * 1e3:.1f} ms, "
        f"p99 {percentile(times, 0.99) * 1e3:.1f} ms, longest {max(times) * 1e3:.1f} ms.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=5_000, help="sessions for each figure of CPU")
    parser.add_argument("--live", type=int, default=100_000, help="live sessions for the figure of memory")
    parser.add_argument("--sign-outs", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=10_000, help="sign-outs a minute")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        issuer = StrictIssuer(lifetime=100_000)
        server = RedisServer(folder)
        server.start()
        upstream, port = nginx(folder)
        cookie = Fleet(folder, "cookie", issuer, port, None, 2)
        redis = Fleet(folder, "redis", issuer, port, server.url, 2)
        try:
            for gateway in redis.gateways:
                eventually(lambda gateway=gateway: gateway.is_ready(), "ready")
            costs(cookie, redis, arguments.sessions, arguments.rounds)
            steady_traffic(redis, server)
            propagation(redis, arguments.sign_outs, arguments.rate)
            memory(redis, arguments.live)
        finally:
            cookie.kill()
            redis.kill()
            upstream.kill()
            server.kill()
            issuer.close()


if __name__ == "__main__":
    main()
