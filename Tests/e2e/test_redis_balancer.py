"""examples/docker-compose/replicas, without Docker: two gateways, one store, and the nginx of the example, which takes them in turn."""

from __future__ import annotations

import pathlib
import re
import shutil
from collections.abc import Iterator

import pytest

from logins import NAVIGATION, new_client, session_cookie, sign_in
from parts.gateway import ROOT, SLOWDOWN, Gateway, session_key
from parts.processes import Process, accepts_connections, eventually, free_port
from test_logout import log_out
from test_metrics import series, value
from test_redis_sessions import dev, hears, server, within  # noqa: F401

EXAMPLE = ROOT / "examples/docker-compose/replicas"


@pytest.fixture
def balanced(start_gateway, server, dev, tmp_path: pathlib.Path) -> Iterator[tuple[Gateway, list[Gateway]]]:  # noqa: F811
    """The balancer, as a gateway's address, and the gateways behind it."""
    key, port = session_key(), free_port()
    gateways = [
        start_gateway(
            {
                "server": {"publicURL": f"http://127.0.0.1:{port}", "trustedProxies": ["127.0.0.1/32"]},
                "providers": [dev.configuration],
                "session": {"keys": [key], "store": server.url},
                "routes": [{"path": "/public/**", "access": "public"}],
            }
        )
        for _ in range(2)
    ]
    text = (EXAMPLE / "nginx.conf").read_text()
    for name, gateway in zip(("gateway-one", "gateway-two"), gateways, strict=True):
        text, count = re.subn(rf"server {name}:4180", f"server 127.0.0.1:{gateway.port}", text)
        assert count == 1
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};").replace("/tmp/", f"{tmp_path}/").replace("worker_processes auto", "worker_processes 1")
    file = tmp_path / "nginx.conf"
    file.write_text(f"daemon off;\nuser root;\n{text}")
    process = Process("balancer", [shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(file), "-p", str(tmp_path), "-e", "stderr"], tmp_path)
    process.wait_until(lambda: accepts_connections(port), "a listening balancer")
    for gateway in gateways:
        eventually(lambda gateway=gateway: hears(gateway), "a subscription", timeout=60 * SLOWDOWN)
    front = Gateway("front", tmp_path, {}, port)
    yield front, gateways
    process.kill()
    for gateway in gateways:
        gateway.kill()


def status(front: Gateway, cookie: str) -> int:
    client = new_client()
    return client.get(front.url("/x"), headers={"Accept": "application/json", "Cookie": f"session={cookie}"}, timeout=60).status_code


def allowed(gateway: Gateway) -> float:
    return value(series(gateway), "gateway_auth_decisions_total", decision="allow")


def test_any_replica_serves_any_request_of_a_user(balanced, dev):  # noqa: F811
    front, gateways = balanced
    client = sign_in(front, dev)
    cookie = session_cookie(client)
    before = [allowed(gateway) for gateway in gateways]
    assert [status(front, cookie) for _ in range(10)] == [200] * 10
    grown = [allowed(gateway) - earlier for gateway, earlier in zip(gateways, before, strict=True)]
    assert grown == [5, 5], "in turn"
    assert log_out(front, client).status_code == 303
    within(1, lambda: [status(front, cookie) for _ in range(4)] == [401] * 4, "refused everywhere")


def test_a_rolling_restart_signs_nobody_out(balanced, dev):  # noqa: F811
    front, gateways = balanced
    client = sign_in(front, dev)
    cookie = session_cookie(client)
    for gateway in gateways:
        gateway.kill()
        assert [status(front, cookie) for _ in range(4)] == [200] * 4
        gateway.start()
        eventually(lambda gateway=gateway: hears(gateway), "a subscription", timeout=60 * SLOWDOWN)
        # The balancer avoids a server for two seconds after a failure.
        eventually(lambda gateway=gateway: status(front, cookie) == 200 and allowed(gateway) > 0, "its turn", timeout=60 * SLOWDOWN)
    page = client.get(front.own("/userinfo"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200 and page.json()["username"] == "alice"
