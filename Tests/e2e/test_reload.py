"""Reading the configuration again: SIGHUP, changed files, Kubernetes' swapped links. docs/operations/reload.md."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading

import requests

import wire
from conftest import mark
from logins import NAVIGATION, callback_of, new_client, sign_in
from parts.gateway import BINARY, session_key
from parts.processes import eventually, free_port
from test_logout import log_out

PUBLIC = {"path": "/public/**", "access": "public"}


def verbose(gateway) -> str:
    return requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text


def status(gateway, path: str) -> int:
    return new_client().get(gateway.url(path), allow_redirects=False, timeout=60).status_code


def test_a_reload_serves_the_new_file_and_a_bad_one_changes_nothing(start_gateway, dev):
    """Issue 6.1: a whole new snapshot or none; a bad file is told in the log and by `/readyz?verbose`."""
    gateway = start_gateway({"providers": [dev.configuration], "routes": [PUBLIC]})
    assert status(gateway, "/public/x") == 200
    assert status(gateway, "/other/x") == 401

    gateway.rewrite(routes=[PUBLIC, {"path": "/other/**", "access": "public"}])
    record = gateway.reload()
    assert record["generation"] == 2
    assert status(gateway, "/other/x") == 200
    assert "[+]reload ok" in verbose(gateway)

    good = gateway.file.read_text()
    gateway.file.write_text(good.replace('"routes"', '"ruotes"'))
    failed = gateway.reload(expect="reload-failed")
    assert "error[unknown-key]" in failed["report"], "the whole report is in the log"
    assert "routes" in failed["report"]
    assert any(finding["rule"] == "unknown-key" for finding in gateway.events("configuration-error"))
    assert status(gateway, "/other/x") == 200, "what was served is served on"
    assert "[-]reload failed: the configuration has 1 error" in verbose(gateway)
    assert requests.get(f"{gateway.admin}/readyz", timeout=60).status_code == 200, "the old configuration serves: ready"

    gateway.file.unlink()
    assert "cannot be read" in gateway.reload(expect="reload-failed")["reason"]
    gateway.file.write_text(good)
    gateway.reload()
    assert "[+]reload ok" in verbose(gateway)
    assert status(gateway, "/other/x") == 200


def test_a_changed_file_is_noticed_without_a_signal(start_gateway, dev, folder):
    """Issue 6.1: the file, and the files it refers to; a volume of Kubernetes swaps a link beside them."""
    volume = folder / "session-key-volume"
    for version, key in (("v1", session_key()), ("v2", session_key())):
        (volume / version).mkdir(parents=True)
        (volume / version / "session.key").write_text(key + "\n")
        (volume / version / "session.key").chmod(0o600)
    os.symlink("v1", volume / "..data")
    os.symlink("..data/session.key", volume / "session.key")
    gateway = start_gateway({"providers": [dev.configuration], "routes": [PUBLIC], "session": {"keys": [f"${{file:{volume}/session.key}}"]}})

    gateway.rewrite(routes=[PUBLIC, {"path": "/watched/**", "access": "public"}])
    eventually(lambda: status(gateway, "/watched/x") == 200, "the changed file is served")

    reloads = len(gateway.events("reloaded"))
    os.symlink("v2", volume / "..data_next")
    os.replace(volume / "..data_next", volume / "..data")
    eventually(lambda: len(gateway.events("reloaded")) > reloads, "the swapped link is noticed")
    assert gateway.events("reloaded")[-1]["trigger"] == "a file changed"


def test_session_keys_rotate_without_a_sign_out(start_gateway, dev, minted):
    """Issue 6.1: the first key seals, every one opens; a key that is gone opens nothing."""
    gateway = start_gateway({"providers": [dev.configuration]})
    old = gateway.configuration["session"]["keys"][0]
    new = session_key()
    minted.add(new)
    client = sign_in(gateway, dev)
    assert client.get(gateway.url("/x")).status_code == 200

    gateway.rewrite(session={"keys": [new, old]})
    gateway.reload()
    assert client.get(gateway.url("/x")).status_code == 200, "the old key still opens"
    later = sign_in(gateway, dev)

    gateway.rewrite(session={"keys": [new]})
    gateway.reload()
    assert client.get(gateway.url("/x"), allow_redirects=False).status_code == 401, "a cookie under a key that is gone"
    assert later.get(gateway.url("/x")).status_code == 200


def test_a_sign_in_and_a_response_that_began_before_a_reload_end_after_it(start_gateway, dev, upstream):
    """Issue 6.1: requests in flight keep their snapshot; a sign-in's way through the provider outlives it."""
    gateway = start_gateway({"providers": [dev.configuration], "routes": [PUBLIC]})
    client = new_client()
    callback = callback_of(gateway, dev, client, rd="/after")
    spent = sign_in(gateway, dev)
    marker = mark()
    begun, go_on = threading.Event(), threading.Event()

    def slowly(connection, _) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
        begun.set()
        go_on.wait(60)
        connection.sendall(b" last")
        return True

    upstream.scripts[f"/public/{marker}"] = slowly
    with wire.Connection(gateway.port, timeout=60) as connection:
        connection.send(f"GET /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
        assert begun.wait(60)
        # The route of the response under way is taken away meanwhile.
        gateway.rewrite(routes=[{"path": "/else/**", "access": "public"}])
        gateway.reload()
        go_on.set()
        response = connection.response()
        assert response is not None and response.body == b"first last" and response.complete
        connection.send(f"GET /public/next HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
        following = connection.response()
        assert following is not None and following.status == 401, "the same connection's next request meets the new rules"
    answer = client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/after")
    assert spent.get(gateway.url("/x")).status_code == 200


def test_a_session_that_was_ended_stays_ended_over_a_reload(start_gateway, dev):
    gateway = start_gateway({"providers": [dev.configuration]})
    client = sign_in(gateway, dev)
    cookie = {"Cookie": "; ".join(f"{c.name}={c.value}" for c in client.cookies)}
    log_out(gateway, client)
    assert new_client().get(gateway.url("/x"), headers=cookie, allow_redirects=False).status_code == 401
    gateway.reload()
    assert new_client().get(gateway.url("/x"), headers=cookie, allow_redirects=False).status_code == 401


def test_listeners_move_and_an_address_that_is_taken_changes_nothing(start_gateway, upstream):
    """Addresses are rebound; the old one goes once the new one is open."""
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}]})
    moved = free_port()
    old = gateway.port
    gateway.rewrite(server={"listen": [f"127.0.0.1:{old}", f"127.0.0.1:{moved}"]})
    gateway.reload()
    for port in (old, moved):
        assert requests.get(f"http://127.0.0.1:{port}/x", timeout=60).status_code == 200

    with socket.create_server(("127.0.0.1", 0)) as taken:
        gateway.rewrite(server={"listen": [f"127.0.0.1:{moved}", f"127.0.0.1:{taken.getsockname()[1]}"]})
        failed = gateway.reload(expect="reload-failed")
        assert str(taken.getsockname()[1]) in failed["reason"]
        assert requests.get(f"http://127.0.0.1:{old}/x", timeout=60).status_code == 200
    gateway.rewrite(server={"listen": f"127.0.0.1:{moved}"})
    gateway.reload()
    assert requests.get(f"http://127.0.0.1:{moved}/x", timeout=60).status_code == 200
    eventually(lambda: refused(old), "the address that was taken away is closed")


def test_limits_of_connections_are_applied_and_keys_for_new_connections_are_named(start_gateway):
    """`connectionsPerAddress` was read at the start only."""
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public", "respond": {"body": "ok"}}]})

    def served(count: int) -> int:
        """How many of `count` connections at once are answered."""
        clients = [socket.create_connection(("127.0.0.1", gateway.port), timeout=60) for _ in range(count)]
        answered = 0
        for client in clients:
            with contextlib.suppress(OSError):
                client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                answered += client.recv(4096).endswith(b"ok")
        for client in clients:
            client.close()
        return answered

    def connections() -> int:
        page = gateway.metrics()
        return int(next(line.split()[1] for line in page.splitlines() if line.startswith("gateway_connections ")))

    assert served(6) == 6
    for limits, expected in [({"connectionsPerAddress": 2}, 2), ({"connectionsPerAddress": 4}, 4), ({"connections": 3}, 3)]:
        eventually(lambda: connections() == 0, "no connection is left")
        gateway.rewrite(server={"limits": limits})
        gateway.reload()
        assert served(6) == expected
        eventually(lambda: gateway.events("reload-new-connections"), "the changed keys in the log")
    assert [event["keys"] for event in gateway.events("reload-new-connections")] == [
        "server.limits.connectionsPerAddress", "server.limits.connectionsPerAddress", "server.limits.connections",
    ]
    gateway.rewrite(server={"timeouts": {"idle": "3s", "shutdown": "1s"}, "http2": "off"})
    gateway.reload()
    eventually(lambda: len(gateway.events("reload-new-connections")) == 4, "the changed keys in the log")
    assert gateway.events("reload-new-connections")[-1]["keys"] == "server.http2, server.timeouts.idle"


def refused(port: int) -> bool:
    try:
        requests.get(f"http://127.0.0.1:{port}/x", timeout=60)
        return False
    except requests.ConnectionError:
        return True


def test_a_hundred_reloads_under_load_fail_no_request_and_sign_nobody_out(start_gateway, dev):
    """Issue 6.1: 100 reloads under load: 0 failed requests, 0 logouts."""
    gateway = start_gateway({"providers": [dev.configuration], "routes": [PUBLIC]})
    signed_in = sign_in(gateway, dev)
    stop = threading.Event()
    failures: list[object] = []
    counts = [0, 0]

    def keep_asking(which: int, client: requests.Session, path: str) -> None:
        while not stop.is_set():
            try:
                answer = client.get(gateway.url(path), allow_redirects=False, timeout=60)
                if answer.status_code != 200:
                    failures.append((path, answer.status_code))
            except requests.RequestException as error:
                failures.append((path, repr(error)))
            counts[which] += 1

    threads = [
        threading.Thread(target=keep_asking, args=(0, new_client(), "/public/load")),
        threading.Thread(target=keep_asking, args=(1, signed_in, "/app/load")),
    ]
    for thread in threads:
        thread.start()
    try:
        for number in range(100):
            gateway.rewrite(server={"timeouts": {"idle": f"{60 + number % 7}s"}}, routes=[PUBLIC, {"path": f"/r{number}/**", "access": "public"}])
            gateway.reload()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert min(counts) > 50, counts
    assert gateway.events("reload-failed") == []


def test_the_configuration_on_standard_input_is_read_once(start_gateway, dev, folder: pathlib.Path):
    """A reload asks for a file; without one SIGHUP ends nothing."""
    gateway = start_gateway({"providers": [dev.configuration], "routes": [PUBLIC]}, wait=False)
    child = subprocess.Popen([str(BINARY), "run", "-"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder)
    assert child.stdin is not None
    child.stdin.write(json.dumps(gateway.configuration).encode())
    child.stdin.close()
    try:
        eventually(gateway.is_ready, "answer from /readyz", timeout=60)
        child.send_signal(signal.SIGHUP)
        assert status(gateway, "/public/x") == 200
        child.send_signal(signal.SIGTERM)
        assert child.wait(60) == 0
    finally:
        child.kill()
