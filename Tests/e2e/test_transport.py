"""The transport that carries connections: `GATEWAY_TRANSPORT` (docs/decisions/0023-a-transport-of-our-own.md)."""

import pytest
import requests
from parts.gateway import run_command, write_configuration

ROUTES = {"routes": [{"path": "/**", "access": "public"}]}


@pytest.mark.parametrize(("value", "transport"), [("nio", "nio"), ("own", None), ("", None)])
def test_the_variable_chooses_the_transport(start_gateway, value, transport):
    gateway = start_gateway(ROUTES, wait=False).start({"GATEWAY_TRANSPORT": value})
    assert requests.get(gateway.origin + "/", timeout=60).status_code == 200
    assert gateway.events("ready")[-1].get("transport") == transport
    assert gateway.stop() == 0


def test_an_unknown_transport_is_refused_at_the_start(start_gateway):
    gateway = start_gateway(ROUTES, wait=False)
    write_configuration(gateway.file, gateway.configuration)
    run = run_command("run", str(gateway.file), environment={"GATEWAY_TRANSPORT": "uring"})
    assert run.returncode == 78
    assert "GATEWAY_TRANSPORT is `uring`; use own or nio, or remove it" in run.stderr
