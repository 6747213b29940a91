"""The lives of connections: what a client or an upstream does to the other side, or to the next one, by coming and going."""

from __future__ import annotations

import contextlib
import resource
import socket
import struct
import threading
from collections.abc import Callable, Iterator

from parts.processes import eventually, settled
from wire import unread, wait_for_end

PUBLIC = [{"path": "/**", "access": "public"}]


@contextlib.contextmanager
def upstream_of(serve: Callable[[socket.socket, int], None], host: str = "127.0.0.1") -> Iterator[int]:
    """Calls `serve(connection, number)` in a thread for each connection."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.bind((host, 0))
    listener.listen(64)

    def accept() -> None:
        for number in range(10_000):
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection, number), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()


def read_head(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return b""
        data += piece
    return data


def connect(gateway, receive_buffer: int | None = None) -> socket.socket:
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(60)
    client.connect(("127.0.0.1", gateway.port))
    return client


def get(gateway, path: str = "/") -> bytes:
    with connect(gateway) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".encode())
        return drain(client)


def drain(client: socket.socket) -> bytes:
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(65536):
            data += piece
    return data


def test_a_client_that_never_reads_is_cut_off_and_harms_nobody(start_gateway):
    """Two limits that end in the same tick: the client's and its upstream's."""

    def serve(connection: socket.socket, _: int) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n")
        with contextlib.suppress(OSError):
            connection.sendall(b"x" * 50_000_000)

    with upstream_of(serve) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC, "server": {"timeouts": {"idle": "1s"}}})
        clients = [connect(gateway, 4096) for _ in range(20)]
        for client in clients:
            client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        for client in clients:
            wait_for_end(client)  # a client that does not read is not kept for ever
        for client in clients:
            client.close()
        assert gateway.alive


def test_an_upstream_that_resets_a_kept_connection_costs_no_request(start_gateway):
    """The next request does not go to the dead connection."""
    answered, reset = threading.Event(), threading.Event()

    def serve(connection: socket.socket, number: int) -> None:
        while read_head(connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            if number == 0:
                assert answered.wait(60)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
                reset.set()
                return

    with upstream_of(serve) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        assert get(gateway).endswith(b"ok")
        answered.set()
        assert reset.wait(60)
        for _ in range(4):
            assert get(gateway).endswith(b"ok")


def test_a_name_with_two_addresses_of_which_one_listens(start_gateway):
    """`localhost` is `::1` and `127.0.0.1` on most machines, and apps listen on one of them."""

    def serve(connection: socket.socket, _: int) -> None:
        while read_head(connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    with upstream_of(serve) as port:
        gateway = start_gateway({"upstream": f"http://localhost:{port}", "routes": PUBLIC})
        for _ in range(4):
            assert get(gateway).endswith(b"ok")


def test_the_last_bytes_of_a_closing_response_arrive(start_gateway):
    """`Connection: close` ends the connection after the response, not in it."""
    size = 4_000_000

    def serve(connection: socket.socket, _: int) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size)

    with upstream_of(serve) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        with connect(gateway, 8192) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            settled(lambda: unread(client), "what has arrived at the client")
            body = drain(client).partition(b"\r\n\r\n")[2]
        assert len(body) == size


def test_an_upstream_that_stalls_in_its_body_is_given_up(start_gateway):
    """§6: a stalled body falls to `idle`, whether the client was slow before or not."""

    def serve(connection: socket.socket, _: int) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n" + b"x" * 600_000)
        connection.recv(1)  # until the gateway closes the connection

    with upstream_of(serve) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC, "server": {"timeouts": {"idle": "1s"}}})
        with connect(gateway) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            assert len(drain(client)) < 900_000


def test_a_request_that_comes_back_is_a_loop(start_gateway):
    """RFC 9110 7.6.3: an upstream that is the gateway itself ends at once."""
    received = []

    def serve(connection: socket.socket, _: int) -> None:
        head = read_head(connection)
        received.append(head)
        with socket.create_connection(("127.0.0.1", gateway.port)) as again:
            again.sendall(head)
            connection.sendall(again.recv(65536))
        connection.close()

    with upstream_of(serve) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC})
        assert get(gateway).startswith(b"HTTP/1.1 508 ")
        assert len(received) == 1


def test_without_descriptors_clients_wait_and_the_log_says_why(start_gateway):
    """The system tells that a client waits again and again while none can be accepted: no busy loop, no silence."""
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public", "respond": {"status": 200, "body": "here"}}]})
    pid = gateway.process.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, hard))
    with connect(gateway) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        eventually(lambda: gateway.events("accept-failed"), "the log line")
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
        assert drain(client).endswith(b"here")
    (event,) = gateway.events("accept-failed")
    assert event["level"] == "error" and "Too many open files" in event["reason"] and "LimitNOFILE" in event["message"]


def test_connections_beyond_the_limit_are_closed_and_logged(start_gateway):
    """§2 limits.connections: over all event loops together."""

    def serve(connection: socket.socket, _: int) -> None:
        while read_head(connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    with upstream_of(serve) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": PUBLIC, "server": {"limits": {"connections": 3}}})
        held = [connect(gateway) for _ in range(3)]
        for client in held:
            client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            assert client.recv(4096).endswith(b"ok")
        with connect(gateway) as one_more:
            with contextlib.suppress(OSError):
                one_more.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            assert drain(one_more) == b""
        eventually(lambda: "too-many-connections" in gateway.log, "the log line")
        held.pop().close()
        eventually(lambda: get(gateway).endswith(b"ok"), "the place of the connection that was closed")
        for client in held:
            client.close()
