"""The process: readiness, a provider that comes late, draining, exit statuses. Contract §1, §6 "Readiness"."""

from __future__ import annotations

import signal
import socket
import threading

import pytest
import requests

import wire
from conftest import mark
from logins import NAVIGATION, new_client, page_problems, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import run_command, write_configuration
from parts.processes import eventually, free_port


def test_live_and_ready_answer_on_the_admin_listener_only(gateway, upstream):
    """§3: `/livez`, `/readyz` are never on the public listener (advisory 95)."""
    for path in ("/livez", "/readyz"):
        assert requests.get(gateway.admin + path, timeout=60).status_code == 200
        assert new_client().get(gateway.url(path), allow_redirects=False).status_code == 401
        assert new_client().get(gateway.own(path), allow_redirects=False).status_code == 404
    assert requests.get(gateway.admin + "/anything", timeout=60).status_code == 404
    assert requests.get(gateway.admin + "/../etc/passwd", timeout=60).status_code in (400, 404)


def test_a_provider_that_is_down_stops_nobody_and_comes_back_by_itself(folder, start_gateway):
    """issue: `/readyz?verbose` says so, its login gives a clear page, it recovers (peers: oauth2-proxy#3487)."""
    port = free_port()
    configuration = DevProvider.configuration_at(port)
    gateway = start_gateway({"providers": [configuration], "routes": [{"path": "/public/**", "access": "public"}]})

    assert requests.get(f"{gateway.admin}/readyz", timeout=60).status_code == 200
    down = requests.get(f"{gateway.admin}/readyz?verbose", timeout=60)
    assert configuration["id"] in down.text
    assert new_client().get(gateway.url("/public/x")).status_code == 200
    page = new_client().get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert page.status_code in (502, 503)
    assert page_problems(page) == []
    assert "text/html" in page.headers["Content-Type"]
    assert f":{port}" not in page.text, "the page tells a person nothing of the inside"

    dev = DevProvider("dev-provider-late", folder, port).wait()
    try:
        eventually(
            lambda: new_client().get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == 302,
            "the provider is found",
            timeout=60,
        )
        eventually(lambda: requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text != down.text, "/readyz?verbose tells the difference")
        assert sign_in(gateway, dev).get(gateway.url("/x")).status_code == 200
    finally:
        dev.process.kill()


def test_readiness_can_wait_for_providers(folder, start_gateway):
    """§6 "Readiness": `admin.readyRequiresProviders`."""
    port = free_port()
    gateway = start_gateway({"providers": [DevProvider.configuration_at(port)], "admin": {"readyRequiresProviders": True}}, wait=False)
    from parts.gateway import BINARY
    from parts.processes import Process

    write_configuration(gateway.file, gateway.configuration)
    gateway.process = Process(gateway.name, [str(BINARY), "run", str(gateway.file)], folder)

    def status(path: str) -> int:
        try:
            return requests.get(gateway.admin + path, timeout=60).status_code
        except requests.RequestException:
            return 0

    gateway.process.wait_until(lambda: status("/livez") == 200, "answer from /livez")
    assert status("/readyz") == 503
    dev = DevProvider("dev-provider-later", folder, port).wait()
    try:
        eventually(lambda: status("/readyz") == 200, "ready once the provider is there", timeout=60)
    finally:
        dev.process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_drains_what_is_in_flight_and_exits_0(start_gateway, upstream, number):
    """§1: `run` ends with 0 after a drained SIGTERM or SIGINT; the response under way arrives whole."""
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}]})
    marker = mark()
    begun, go_on = threading.Event(), threading.Event()

    def slowly(client: socket.socket, _) -> bool:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
        begun.set()
        go_on.wait(60)
        client.sendall(b" last")
        return True

    upstream.scripts[f"/{marker}"] = slowly
    idle = wire.Connection(gateway.port)
    with wire.Connection(gateway.port, timeout=60) as connection:
        connection.send(f"GET /{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
        assert begun.wait(60)
        gateway.signal(number)
        eventually(lambda: _refuses(gateway.port), "new connections are refused while the old one drains")
        assert gateway.alive
        go_on.set()
        response = connection.response()
        assert response is not None and response.body == b"first last" and response.complete
    assert gateway.process is not None
    assert gateway.process.child.wait(60) == 0
    idle.socket.close()


def test_draining_ends_at_the_configured_time(start_gateway, upstream):
    """§2 `timeouts.shutdown`: an upstream that never ends cannot hold the process."""
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}], "server": {"timeouts": {"shutdown": "1s"}}})
    marker = mark()
    begun = threading.Event()

    def forever(client: socket.socket, _) -> bool:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
        begun.set()
        client.recv(1)  # until the gateway closes the connection
        return False

    upstream.scripts[f"/{marker}"] = forever
    with wire.Connection(gateway.port) as connection:
        connection.send(f"GET /{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
        assert begun.wait(60)
        gateway.signal(signal.SIGTERM)
        assert gateway.process is not None
        gateway.process.child.wait(60)


def _refuses(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as probe:
            probe.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            return probe.recv(1) == b""
    except OSError:
        return True


def test_a_bad_configuration_exits_78_with_the_validators_report(tmp_path):
    """§1 and issue: `run` refuses exactly what `validate` calls an error, with the same report."""
    file = tmp_path / "gateway.yaml"
    file.write_text("version: 1\nserver:\n  listem: 127.0.0.1:0\nupstream: http://127.0.0.1:1\nroutes:\n  - path: /**\n    access: public\n")
    run = run_command("run", str(file), folder=tmp_path)
    assert run.returncode == 78
    validate = run_command("validate", str(file), folder=tmp_path)
    assert validate.returncode == 1
    assert "error[unknown-key]" in validate.stdout
    assert validate.stdout.strip() in run.stderr + run.stdout


def test_a_missing_configuration_exits_78_and_names_the_file(tmp_path):
    run = run_command("run", str(tmp_path / "none.yaml"), folder=tmp_path)
    assert run.returncode == 78
    assert "none.yaml" in run.stderr


@pytest.mark.parametrize("which", ["server", "admin"])
def test_a_port_that_is_taken_exits_69_and_names_it(tmp_path, which):
    """§1: 69 cannot bind."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ports = {"server": free_port(), "admin": free_port(), which: port}
        file = write_configuration(
            tmp_path / "gateway.yaml",
            {
                "version": 1,
                "server": {"listen": f"127.0.0.1:{ports['server']}"},
                "admin": {"listen": f"127.0.0.1:{ports['admin']}"},
                "upstream": "http://127.0.0.1:1",
                "routes": [{"path": "/**", "access": "public"}],
            },
        )
        run = run_command("run", str(file), folder=tmp_path)
    assert run.returncode == 69
    assert str(port) in run.stderr


def test_the_configuration_is_found_in_the_documented_order(tmp_path):
    """§1: argument, `$GATEWAY_CONFIG`, `./gateway.yaml`; the log says which."""
    for name, folder in (("argument.yaml", tmp_path), ("environment.yaml", tmp_path), ("gateway.yaml", tmp_path)):
        (folder / name).write_text("version: 1\nunknown-here: 1\n")
    from_environment = {"GATEWAY_CONFIG": str(tmp_path / "environment.yaml")}
    assert "argument.yaml" in run_command("run", "argument.yaml", folder=tmp_path, environment=from_environment).stderr
    assert "environment.yaml" in run_command("run", folder=tmp_path, environment=from_environment).stderr
    assert "gateway.yaml" in run_command("run", folder=tmp_path, environment={"GATEWAY_CONFIG": ""}).stderr


def test_a_stop_right_after_ready_is_a_stop(start_gateway):
    """What a supervisor does when it changes its mind: the signal comes the moment `/readyz` says 200."""
    for number in range(5):
        gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}]}, name=f"gateway-stopped-{number}")
        assert gateway.stop() == 0
