"""Stopping, and the protocols of a service manager. docs/operations/drain.md, docs/operations/systemd.md."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
import requests

import wire
from conftest import mark
from parts.gateway import BINARY, write_configuration
from parts.processes import eventually

PUBLIC = {"routes": [{"path": "/**", "access": "public"}]}


def readiness(gateway) -> int:
    try:
        return requests.get(f"{gateway.admin}/readyz", timeout=60).status_code
    except requests.RequestException:
        return 0


def test_readiness_fails_at_once_while_connections_are_accepted_for_the_delay(start_gateway, upstream):
    """Issue 6.2: load balancers get time to notice; what comes meanwhile is served."""
    gateway = start_gateway({**PUBLIC, "server": {"timeouts": {"drainDelay": "1h"}}})
    gateway.signal(signal.SIGTERM)
    eventually(lambda: readiness(gateway) == 503, "/readyz fails")
    assert "[-]shutdown" in requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text
    assert requests.get(gateway.url("/still"), timeout=60).status_code == 200, "a new connection within the delay"
    assert requests.get(f"{gateway.admin}/livez", timeout=60).status_code == 200
    gateway.signal(signal.SIGTERM)
    assert gateway.process is not None
    assert gateway.process.child.wait(60) == 0


def test_it_stops_after_the_delay(start_gateway, upstream):
    gateway = start_gateway({**PUBLIC, "server": {"timeouts": {"drainDelay": "500ms"}}})
    gateway.signal(signal.SIGTERM)
    assert gateway.process is not None
    assert gateway.process.child.wait(60) == 0


def test_a_second_signal_ends_it_at_once(start_gateway, upstream):
    """Issue 6.2: neither the delay nor a response that never ends holds up who asks twice."""
    gateway = start_gateway({**PUBLIC, "server": {"timeouts": {"drainDelay": "1h", "shutdown": "1h"}}})
    marker = mark()
    begun = threading.Event()

    def forever(connection, _) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
        begun.set()
        connection.recv(1)  # until the gateway closes the connection
        return False

    upstream.scripts[f"/{marker}"] = forever
    with wire.Connection(gateway.port) as connection:
        connection.send(f"GET /{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
        assert begun.wait(60)
        gateway.signal(signal.SIGTERM)
        eventually(lambda: readiness(gateway) == 503, "/readyz fails")
        gateway.signal(signal.SIGTERM)
        assert gateway.process is not None
        assert gateway.process.child.wait(60) == 0


class Manager:
    """The end of a service manager's notification socket."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self.socket.settimeout(60)
        self.seen: list[str] = []

    def until(self, line: str) -> str:
        """The next message that has this line."""
        while True:
            message = self.socket.recv(4096).decode()
            self.seen.append(message)
            if line in message.splitlines():
                return message


@pytest.fixture(params=["path", "abstract"])
def manager(request, tmp_path) -> Iterator[tuple[Manager, str]]:
    address = str(tmp_path / "notify") if request.param == "path" else "@gateway-test-" + mark()
    part = Manager(address)
    yield part, address
    part.socket.close()


def test_a_service_manager_is_told_of_every_state(start_gateway, upstream, manager):
    """Issue 6.2, sd_notify(3): READY, WATCHDOG, RELOADING with the moment it began, STOPPING."""
    part, address = manager
    gateway = start_gateway(PUBLIC, wait=False)
    gateway.start({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "400000"})
    assert f"127.0.0.1:{gateway.port}" in part.until("READY=1")
    part.until("WATCHDOG=1")
    part.until("WATCHDOG=1")
    gateway.reload()
    reloading = part.until("RELOADING=1")
    moment = next(int(line.partition("=")[2]) for line in reloading.splitlines() if line.startswith("MONOTONIC_USEC="))
    assert 0 < moment <= time.monotonic_ns() // 1000
    part.until("READY=1")
    gateway.signal(signal.SIGTERM)
    part.until("STOPPING=1")
    assert gateway.process is not None
    assert gateway.process.child.wait(60) == 0


def test_no_word_goes_to_a_manager_that_watches_another_process(start_gateway, upstream, tmp_path):
    """sd_watchdog_enabled(3): `WATCHDOG_PID` of somebody else."""
    part = Manager(str(tmp_path / "notify"))
    gateway = start_gateway(PUBLIC, wait=False)
    gateway.start({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"})
    part.until("READY=1")
    gateway.stop()
    part.until("STOPPING=1")
    assert "WATCHDOG=1" not in part.seen


def test_a_restart_on_an_inherited_socket_refuses_no_connection(start_gateway, upstream, folder, tmp_path):
    """Issue 6.2, sd_listen_fds(3): the manager holds the socket; who connects in between waits and is served."""
    gateway = start_gateway(PUBLIC, wait=False)
    write_configuration(gateway.file, gateway.configuration)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    log = open(folder / "gateway-activated.log", "ab")

    def activated() -> subprocess.Popen[bytes]:
        script = 'LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=public exec "$0" run "$1" 3<&' + str(listening.fileno())
        return subprocess.Popen(
            ["bash", "-c", script, str(BINARY), str(gateway.file)], pass_fds=(listening.fileno(),), stderr=log, stdout=log, env=dict(os.environ)
        )

    child = activated()
    try:
        eventually(gateway.is_ready, "answer from /readyz", timeout=60)
        assert requests.get(f"http://127.0.0.1:{port}/x", timeout=60).status_code == 200
        with pytest.raises(requests.ConnectionError):
            requests.get(gateway.url("/x"), timeout=60)
        child.send_signal(signal.SIGTERM)
        assert child.wait(60) == 0
        with wire.Connection(port, timeout=60) as early:
            early.send(f"GET /between HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            child = activated()
            response = early.response()
            assert response is not None and response.status == 200
        child.send_signal(signal.SIGTERM)
        assert child.wait(60) == 0
    finally:
        child.kill()
        listening.close()
        log.close()


def test_sockets_of_another_process_are_not_ours(start_gateway, upstream):
    """sd_listen_fds(3): `LISTEN_PID` must be this process; a child of an activated service inherits the variables."""
    gateway = start_gateway(PUBLIC, wait=False)
    gateway.start({"LISTEN_PID": "1", "LISTEN_FDS": "1"})
    assert requests.get(gateway.url("/x"), timeout=60).status_code == 200
