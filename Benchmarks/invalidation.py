"""Two ways in which replicas can learn that a session has ended, compared on a real Redis. Prints a Markdown table.

    .venv/bin/python Benchmarks/invalidation.py
    .venv/bin/python Benchmarks/invalidation.py --sessions 10000 --ends 1000        a short run

*publish*: the replica that ends a session writes a marker and publishes a message of 34 bytes to the others, as the gateway does. *tracking*:
client-side caching (RESP3). Each replica has read the markers of the sessions that it keeps, and the server tells it when one changes.
*prefix*: the same without a table in the server, which tells each replica of every marker (`BCAST`).

Replicas are connections of this program, which do nothing but read, so that the figures are the server's and the protocol's.
docs/decisions/0047-redis.md tells what follows from them.
"""

from __future__ import annotations

import argparse
import base64
import os
import pathlib
import select
import socket
import statistics
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/e2e"))

from measuring import cpu_seconds, percentile  # noqa: E402
from parts.redis_server import RedisServer  # noqa: E402

REPLICAS = 3
# The markers that end a session: its own, its user's, its account's (with and without provider), its provider session's, and everyone's.
MARKERS = 5
EVERYONE = b"gateway:end:everyone"


def marker(session: int, number: int) -> bytes:
    return b"gateway:end:" + base64.urlsafe_b64encode(session.to_bytes(15, "big") + bytes([number]))[:22]


def encoded(*parts: bytes) -> bytes:
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)


class Connection:
    def __init__(self, server: RedisServer) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def call(self, *commands: bytes, replies: int) -> None:
        """Sends commands whose replies are one line each."""
        self.socket.sendall(b"".join(commands))
        lines = 0
        while lines < replies:
            lines += self.socket.recv(1 << 20).count(b"\r\n")


class Replica:
    """Hears messages, and when."""

    def __init__(self, server: RedisServer, way: str, sessions: int) -> None:
        self.connection = Connection(server)
        self.heard = 0
        self.last = 0.0
        connection = self.connection
        if way == "publish":
            connection.call(encoded(b"SUBSCRIBE", b"gateway:events"), replies=3)
        else:
            connection.socket.sendall(encoded(b"HELLO", b"3"))
            time.sleep(0.2)
            connection.socket.recv(1 << 16)
            mode = [b"BCAST", b"PREFIX", b"gateway:end:"] if way == "prefix" else []
            connection.call(encoded(b"CLIENT", b"TRACKING", b"ON", *mode), replies=1)
        if way == "tracking":
            for start in range(0, sessions, 1_000):
                names = [marker(session, number) for session in range(start, min(start + 1_000, sessions)) for number in range(MARKERS)]
                connection.call(*(encoded(b"GET", name) for name in [*names, EVERYONE]), replies=len(names) + 1)
        self.bytes = 0
        self.is_open = True
        # A message of tracking names the key; one of a publication is as long.
        self.sign = b"message" if way == "publish" else b"invalidate"
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self) -> None:
        while self.is_open:
            if not select.select([self.connection.socket], [], [], 0.2)[0]:
                continue
            data = self.connection.socket.recv(1 << 20)
            if not data:
                return
            self.last = time.monotonic()
            self.bytes += len(data)
            self.heard += data.count(self.sign)


def run(folder: pathlib.Path, way: str, sessions: int, ends: int) -> list[str]:
    server = RedisServer(folder, "appendfsync everysec", "tracking-table-max-keys 0")
    server.start()
    try:

        def memory() -> int:
            return next(int(line.split(":")[1]) for line in server.run("INFO", "memory").splitlines() if line.startswith("used_memory:"))

        before = memory()
        assert server.process is not None
        pid = server.process.pid
        start = cpu_seconds([pid])
        replicas = [Replica(server, way, sessions) for _ in range(REPLICAS)]
        prepared = (cpu_seconds([pid]) - start) / max(1, sessions) * 1e6
        table = (memory() - before) / 1024 / 1024
        writer = Connection(server)
        for replica in replicas:
            replica.bytes = 0
        times: list[float] = []
        start = cpu_seconds([pid])
        message = os.urandom(34)
        for session in range(ends):
            commands = [encoded(b"SET", marker(session % sessions, 0), b"9007199254740991", b"PX", b"60000")]
            if way == "publish":
                commands.append(encoded(b"PUBLISH", b"gateway:events", message))
            began = time.monotonic()
            writer.socket.sendall(b"".join(commands))
            while any(replica.heard <= session for replica in replicas):
                time.sleep(0)
            times.append(max(replica.last for replica in replicas) - began)
            writer.socket.recv(1 << 16)
        used = (cpu_seconds([pid]) - start) / ends * 1e6
        for replica in replicas:
            replica.is_open = False
        sent = statistics.mean(replica.bytes for replica in replicas) / ends
        return [
            way, f"{statistics.median(times) * 1e3:.2f}", f"{percentile(times, 0.99) * 1e3:.2f}", f"{sent:.0f}", f"{used:.0f}",
            f"{prepared:.0f}" if way == "tracking" else "0", f"{table:.1f}",
        ]  # fmt: skip
    finally:
        server.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=100_000, help="sessions that each replica keeps")
    parser.add_argument("--ends", type=int, default=5_000)
    options = parser.parse_args()
    print(f"{REPLICAS} replicas that keep {options.sessions:,} sessions each; {options.ends:,} ends, one after the other.\n")
    print("| | median, ms | p99, ms | bytes to a replica per end | server's CPU per end, µs | per session kept, µs | server's table, MiB |")
    print("|---|---|---|---|---|---|---|")
    for way in ("publish", "tracking", "prefix"):
        with tempfile.TemporaryDirectory() as name:
            print(f"| {' | '.join(run(pathlib.Path(name), way, options.sessions, options.ends))} |", flush=True)


if __name__ == "__main__":
    main()
