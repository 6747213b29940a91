"""A thousand clients that take their time on purpose, and an honest one among them."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess

from conftest import mark
from parts.gateway import BINARY, Gateway, write_configuration
from test_lifecycle import connect, drain, read_head, upstream_of
from test_proxy_protocol import logged
from wire import Connection, is_readable

async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """An app that answers shortly, at length, or waits for a body."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            if b" /big" in head:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n")
                for _ in range(200):
                    writer.write(b"x" * 100_000)
                    await writer.drain()
            elif b" /upload" in head:
                await reader.readexactly(1_000_000)
            else:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    writer.close()


class Slow:
    """One slow client: `first` at once, then a byte each second, reading nothing; ends when the gateway ends it."""

    def __init__(self, first: bytes, drip: bytes) -> None:
        self.first = first
        self.drip = drip

    async def run(self, port: int, stopped: asyncio.Event) -> bool:
        """True when the gateway closed the connection, False when the test stopped before."""
        loop = asyncio.get_running_loop()
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.setblocking(False)
        try:
            await loop.sock_connect(client, ("127.0.0.1", port))
            await loop.sock_sendall(client, self.first)
            while True:
                with contextlib.suppress(TimeoutError):
                    return not await asyncio.wait_for(stopped.wait(), 1)
                if client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != 1:
                    return True  # no longer ESTABLISHED
                if self.drip:
                    await loop.sock_sendall(client, self.drip)
        except OSError:
            return True
        finally:
            client.close()


KINDS = [
    Slow(b"GET / HTTP/1.1\r\nHost: h\r\nX-", b"a"),
    Slow(b"POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n", b"b"),
    Slow(b"GET /big HTTP/1.1\r\nHost: h\r\n\r\n", b""),
]


async def besiege(upstream: socket.socket, port: int, count: int) -> tuple[int, int]:
    """How many requests of the honest client were answered until the slow ones were cut off, and how many of these were."""
    server = await asyncio.start_server(serve, sock=upstream, backlog=2048)
    stopped = asyncio.Event()
    tasks = [asyncio.create_task(KINDS[number % len(KINDS)].run(port, stopped)) for number in range(count)]
    answered = 0
    while answered < 600:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /honest HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        answer = await asyncio.wait_for(reader.read(), 30)
        assert answer.startswith(b"HTTP/1.1 200 ") and answer.endswith(b"ok"), answer
        writer.close()
        answered += 1
        if not (await asyncio.wait(tasks, timeout=0.1))[1]:
            break
    stopped.set()
    cut = sum(result is True for result in await asyncio.gather(*tasks, return_exceptions=True))
    server.close()
    return answered, cut


def test_an_honest_client_is_served_among_a_thousand_slow_ones(start_gateway):
    """Slow heads, slow bodies and slow readers are all cut off; meanwhile every honest request is answered."""
    upstream = socket.create_server(("127.0.0.1", 0), backlog=2048)
    # What is on the way to a client that does not read stays small.
    upstream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 * 1024)
    gateway = start_gateway(
        {
            "upstream": f"http://127.0.0.1:{upstream.getsockname()[1]}",
            "routes": [{"path": "/**", "access": "public"}],
            "server": {"timeouts": {"header": "3s", "idle": "4s", "rateWindow": "3s"}},
            "logging": {"level": "warning"},
        }
    )
    answered, cut = asyncio.run(besiege(upstream, gateway.port, 1000))
    assert cut == 1000, f"{1000 - cut} slow clients were kept"
    assert answered > 10
    assert gateway.alive


def test_a_body_below_the_rate_is_answered_408_and_one_above_it_is_not(start_gateway, upstream):
    """limits.bodyRate over timeouts.rateWindow: however steadily it drips, and whatever its framing."""
    marker = mark()
    gateway = start_gateway(
        {"routes": [{"path": "/**", "access": "public"}], "server": {"limits": {"bodyRate": "100B"}, "timeouts": {"rateWindow": "1s", "idle": "60s"}}}
    )
    for head in (b"Content-Length: 4000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\nfa0\r\n"):
        with Connection(gateway.port) as slow:
            slow.send(b"POST /slow HTTP/1.1\r\nHost: h\r\n" + head)
            for _ in range(300):
                slow.send(b"x")
                if is_readable(slow.socket, 0.1):
                    break
            response = slow.response()
            assert response is not None and response.status == 408
    with Connection(gateway.port) as steady:
        steady.send(f"POST /{marker} HTTP/1.1\r\nHost: h\r\nContent-Length: 4000\r\n\r\n".encode())
        for _ in range(19):
            steady.send(b"x" * 200)
            # All of this takes longer than the window.
            assert not is_readable(steady.socket, 0.1), steady.response()
        steady.send(b"x" * 200)
        response = steady.response()
        assert response is not None and response.status == 200
    assert len(upstream.only(marker).body) == 4000


def test_a_body_that_answers_an_answer_may_take_its_time(start_gateway):
    """Once the response has begun it is a conversation: only `idle` counts."""

    def talk(connection: socket.socket, _: int) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n")
        data = b""
        while b"0\r\n\r\n" not in data:
            data += connection.recv(4096)
        connection.sendall(b"3\r\nbye\r\n0\r\n\r\n")

    with upstream_of(talk) as port:
        gateway = start_gateway(
            {
                "upstream": f"http://127.0.0.1:{port}",
                "routes": [{"path": "/**", "access": "public"}],
                "server": {"limits": {"bodyRate": "1KiB"}, "timeouts": {"rateWindow": "300ms"}},
            }
        )
        with connect(gateway) as client:
            client.sendall(b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nhi\r\n")
            beginning = b""
            while not beginning.endswith(b"2\r\nhi\r\n"):
                beginning += client.recv(4096)
            for _ in range(4):
                assert not is_readable(client, 0.4), "the connection ended, although the window was the only limit"
                client.sendall(b"1\r\nx\r\n")
            client.sendall(b"0\r\n\r\n")
            assert drain(client).endswith(b"3\r\nbye\r\n0\r\n\r\n")


def test_connections_of_one_address_are_limited_and_trusted_proxies_are_not(start_gateway):
    """limits.connectionsPerAddress, logged once for a burst."""
    limits = {"limits": {"connectionsPerAddress": 3}}
    public = [{"path": "/**", "access": "public", "respond": {"body": "ok"}}]
    gateway = start_gateway({"routes": public, "server": limits})
    trusting = start_gateway({"routes": public, "server": {**limits, "trustedProxies": ["127.0.0.0/8"]}})

    def hold(target, source: str = "127.0.0.1") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", target.port), timeout=60, source_address=(source, 0))
        with contextlib.suppress(OSError):
            client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        return client

    def answers(client: socket.socket) -> bool:
        with contextlib.suppress(ConnectionResetError):
            return client.recv(4096).endswith(b"ok")
        return False

    held = [hold(gateway) for _ in range(3)]
    assert all(answers(client) for client in held)
    for _ in range(20):
        with hold(gateway) as refused:
            assert not answers(refused)
    with hold(gateway, "127.0.0.9") as other:
        assert answers(other)
    assert logged(gateway, "too-many-connections-of-address")
    assert gateway.log.count("too-many-connections-of-address") <= 4, "a burst is one line for each event loop"
    many = [hold(trusting) for _ in range(10)]
    assert all(answers(client) for client in many)
    for client in held + many:
        client.close()


def test_a_low_limit_of_open_files_is_raised_as_far_as_it_goes_and_logged(folder):
    gateway = Gateway("gateway-few-files", folder, {"routes": [{"path": "/**", "access": "public", "respond": {"body": "ok"}}]})
    write_configuration(gateway.file, gateway.configuration)
    command = f"ulimit -Sn 100; ulimit -Hn 300; exec {BINARY} run {gateway.file}"
    child = subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert child.stdout is not None
        lines = []
        for line in child.stdout:
            lines.append(line)
            if '"ready"' in line:
                break
        assert any('"descriptor-limit-low"' in line and '"limit":300' in line for line in lines), lines
    finally:
        child.terminate()
        child.wait(timeout=60)
