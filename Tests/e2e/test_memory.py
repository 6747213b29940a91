"""Memory after a burst of connections. docs/performance.md."""

from __future__ import annotations

import os
import ssl

import pytest
from parts.certificates import Authority
from parts.processes import eventually
from test_lifecycle import connect

pytestmark = pytest.mark.skipif("GATEWAY_SANITIZER" in os.environ, reason="sanitizers keep freed memory and add some of their own")

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = 100_000
COUNT = 600


def test_an_idle_tls_connection_does_not_hold_what_it_has_sent(start_gateway, folder):
    """After a response of 100 KiB an idle connection held 122 KiB."""
    keys = Authority(folder, "large").issue("local", ["localhost"]).keys
    gateway = start_gateway(
        {
            "server": {"tls": keys},
            "routes": [{"path": "/**", "access": "public", "respond": {"body": "x" * LARGE}}],
            "logging": {"level": "info"},
        }
    )
    context = ssl.create_default_context(cafile=str(folder / "large.pem"))
    clients = []

    def hold(count: int) -> int:
        for _ in range(count):
            client = context.wrap_socket(connect(gateway), server_hostname="localhost")
            client.sendall(REQUEST)
            received = 0
            while received < LARGE:
                received += len(client.recv(65536))
            clients.append(client)
        return gateway.resident_kilobytes()

    before = hold(50)
    assert (hold(200) - before) / 200 < 48
    for client in clients:
        client.close()


def test_memory_goes_back_to_the_system_when_a_burst_of_connections_is_over(start_gateway, folder):
    """8,000 TLS connections left 449 MB, until the gateway stopped."""
    keys = Authority(folder, "memory").issue("local", ["localhost"]).keys
    gateway = start_gateway(
        {"server": {"tls": keys}, "routes": [{"path": "/**", "access": "public", "respond": {"body": "ok"}}], "logging": {"level": "info"}}
    )
    context = ssl.create_default_context(cafile=str(folder / "memory.pem"))
    clients = []
    for _ in range(COUNT):
        client = context.wrap_socket(connect(gateway), server_hostname="localhost")
        client.sendall(REQUEST)
        assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
        clients.append(client)
    held = gateway.resident_kilobytes()
    for client in clients:
        client.close()
    # A connection holds about 20 KiB.
    eventually(lambda: held - gateway.resident_kilobytes() > 12 * COUNT, "the memory of the connections", timeout=60)
