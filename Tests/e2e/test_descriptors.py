"""A process that may open few files: strangers' connections do not take what upstreams, logs and the admin listener need."""

from __future__ import annotations

import contextlib
import resource
import socket
import ssl
import threading
from collections.abc import Iterator

import pytest
import requests

from parts.certificates import Authority
from parts.gateway import Gateway
from parts.processes import eventually
from test_lifecycle import connect, read_head, upstream_of

LIMIT = 256
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def answer(connection: socket.socket, _: int) -> None:
    while read_head(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        connection.close()
        return


@pytest.fixture(params=["clear text", "TLS"])
def small(start_gateway, request, folder) -> Iterator[Gateway]:
    with upstream_of(answer) as port:
        tls = {"server": {"tls": Authority(folder, "descriptors").issue("local", ["localhost"]).keys}} if request.param == "TLS" else {}
        gateway = start_gateway(
            {"upstream": f"http://127.0.0.1:{port}", "routes": [{"path": "/**", "access": "public"}], "logging": {"level": "info"}, **tls}
        )
        _, most = resource.prlimit(gateway.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(gateway.process.pid, resource.RLIMIT_NOFILE, (LIMIT, most))
        yield gateway


# One for all connections: each new one would read the system's certificates.
CONTEXT = ssl.create_default_context()
CONTEXT.check_hostname = False
CONTEXT.verify_mode = ssl.CERT_NONE


def opened(gateway: Gateway) -> socket.socket:
    client = connect(gateway)
    if "tls" not in gateway.configuration["server"]:
        return client
    return CONTEXT.wrap_socket(client, server_hostname="localhost")


def served(client: socket.socket) -> bool:
    with contextlib.suppress(OSError):
        client.sendall(REQUEST)
        data = b""
        while not data.endswith(b"ok"):
            if not (piece := client.recv(4096)):
                return False
            data += piece
        return data.startswith(b"HTTP/1.1 200 ")
    return False


def test_a_thousand_idle_clients_take_no_descriptor_that_a_request_needs(small):
    """Of 366 honest requests 98 got 502 and 31 ran into a timeout, on open connections too."""
    kept = opened(small)
    assert served(kept)
    idle = []
    outcomes = []
    for number in range(1000):
        with contextlib.suppress(OSError):
            idle.append(opened(small) if number % 2 else connect(small))
        if number % 10 == 0:
            assert served(kept), "a connection that is used stays open"
        if number % 5 == 0:
            with opened(small) as honest:
                outcomes.append(served(honest))
    assert len(outcomes) == 200 and all(outcomes), f"{outcomes.count(False)} of {len(outcomes)} requests failed"
    assert requests.get(f"{small.admin}/readyz", timeout=60).status_code == 200
    eventually(lambda: small.events("idle-connections-closed"), "the log line")
    page = small.metrics()
    closed = next(line for line in page.splitlines() if line.startswith("gateway_connections_closed_for_descriptors_total "))
    assert int(closed.split()[1]) > 500
    assert len(small.events("idle-connections-closed")) < 20, "a flood is a line for each loop and ten seconds"
    assert not small.events("accept-failed")
    for client in [kept, *idle]:
        client.close()


def test_a_new_client_is_refused_where_every_client_waits_for_its_response(start_gateway):
    """New clients come after requests that are running, whose responses need the descriptors."""
    release = threading.Event()

    def hold(connection: socket.socket, number: int) -> None:
        if read_head(connection):
            release.wait(60)
            with contextlib.suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        connection.close()

    with upstream_of(hold) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": [{"path": "/**", "access": "public"}]})
        _, most = resource.prlimit(gateway.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(gateway.process.pid, resource.RLIMIT_NOFILE, (128, most))
        clients = []
        for _ in range(120):
            clients.append(connect(gateway))
            with contextlib.suppress(OSError):
                clients[-1].sendall(REQUEST)
        eventually(lambda: any(event["reason"] == "descriptor-limit" for event in gateway.events("connection-refused")), "the log line")
        assert requests.get(f"{gateway.admin}/readyz", timeout=60).status_code == 200
        release.set()
        answers = []
        for client in clients:
            with contextlib.suppress(OSError):
                client.settimeout(30)
                answers.append(client.recv(4096)[:12])
            client.close()
        assert answers.count(b"HTTP/1.1 200") >= 25 and not answers.count(b"HTTP/1.1 502"), answers
