"""What costs without requests: memory at rest, kept connections, idle WebSockets, the time to start."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import resource
import selectors
import socket
import threading
import time
from dataclasses import dataclass

from measuring import pinned, process_tree, resident_kibibytes
from parts.gateway import BINARY, Gateway, write_configuration
from parts.processes import Process, free_port
from peers import Bench, Subject


class WebSocketUpstream:
    """Answers every handshake and then says nothing; a thread of its own."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.listener.setblocking(False)
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        selector = selectors.DefaultSelector()
        selector.register(self.listener, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select(1):
                connection = key.fileobj
                assert isinstance(connection, socket.socket)
                try:
                    if connection is self.listener:
                        accepted, _ = self.listener.accept()
                        accepted.setblocking(False)
                        selector.register(accepted, selectors.EVENT_READ)
                        continue
                    data = connection.recv(8192)
                except OSError:
                    data = b""
                if not data:
                    with contextlib.suppress(KeyError, ValueError):
                        selector.unregister(connection)
                    connection.close()
                    if connection is self.listener:
                        return
                    continue
                wanted = next((line.split(b":", 1)[1].strip() for line in data.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key:")), None)
                if wanted:
                    digest = base64.b64encode(hashlib.sha1(wanted + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
                    connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + digest + b"\r\n\r\n")

    def close(self) -> None:
        self.listener.close()


@dataclass
class Costs:
    idle: int  # KiB
    keep_alive: float  # KiB for each
    websocket: float | None


def connection_costs(subject: Subject, upstream: WebSocketUpstream) -> Costs:
    """Fewer than 10,000 where the limit of open files does not allow them: both ends of a WebSocket are ours."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    count = min(subject.most_connections, (hard - 500) // 2)
    pids = process_tree(subject.process.pid)
    idle = resident_kibibytes(pids)
    request = f"GET {subject.prefix}/1024 HTTP/1.1\r\nHost: 127.0.0.1:{subject.port}\r\n\r\n".encode()
    # What the first requests bring into memory is no connection's.
    _held(subject, request, 20, b"HTTP/1.1 200", pids)
    before = resident_kibibytes(pids)
    kept = min(subject.most_connections, hard - 500)
    keep_alive = (_held(subject, request, kept, b"HTTP/1.1 200", pids) - before) / kept
    websocket = None
    if subject.name.startswith(("nginx", "gateway")):
        handshake = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{subject.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()
        before = resident_kibibytes(pids)
        websocket = max(0.0, (_held(subject, handshake, count, b"HTTP/1.1 101", pids) - before) / count)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return Costs(idle, max(0.0, keep_alive), websocket)


def _held(subject: Subject, request: bytes, count: int, expected: bytes, pids: list[int]) -> int:
    """The resident memory while `count` connections stand idle behind their first answer."""
    connections: list[socket.socket] = []
    try:
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", subject.port), timeout=20)
            connections.append(connection)
            connection.sendall(request)
            received = b""
            while b"\r\n\r\n" not in received:
                data = connection.recv(4096)
                assert data, f"{subject.name} closed connection {len(connections)}"
                received += data
            assert received.startswith(expected), received[:200]
        return resident_kibibytes(pids)
    finally:
        for connection in connections:
            connection.close()


def starting_times(bench: Bench, rounds: int) -> list[float]:
    """Milliseconds from the start of the process to the first 200 of `/readyz`."""
    times = []
    assert bench.dev is not None
    for number in range(rounds):
        admin = free_port()
        configuration = {
            "upstream": f"http://127.0.0.1:{bench.upstream}", "providers": [bench.dev.configuration], "admin": {"listen": f"127.0.0.1:{admin}"},
            "routes": [{"path": "/**", "access": {"groups": ["admins"]}}],
        }
        gateway = Gateway(f"starting-{number}", bench.folder, configuration)
        write_configuration(gateway.file, gateway.configuration)
        began = time.perf_counter()
        gateway.process = Process(gateway.name, pinned(bench.cpus[0], str(BINARY), "run", str(gateway.file)), bench.folder)
        while not _is_ready(admin):
            time.sleep(0.0005)
        times.append((time.perf_counter() - began) * 1000)
        gateway.stop()
    return times


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
