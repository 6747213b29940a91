"""What counts as a live session: contract §7, "What counts as a live session"."""

from __future__ import annotations

import pytest
from logins import new_client, session_cookie, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import Gateway, session_key
from parts.processes import eventually
from test_sessions import status_with


def refusal(gateway: Gateway, cookie: str) -> str:
    """Why the gateway refuses this cookie."""
    before = len(gateway.events("session-refused"))
    assert status_with(gateway, f"session={cookie}") == 401
    eventually(lambda: len(gateway.events("session-refused")) > before, "session-refused")
    return gateway.events("session-refused")[-1]["reason"]


@pytest.fixture(scope="module")
def other(folder):
    """Another provider, so that a configuration without the first one is a good one."""
    part = DevProvider("dev-provider-other", folder)
    yield {**part.wait().configuration, "id": "oidc.other"}
    part.process.kill()


@pytest.mark.parametrize(
    "change, reason",
    [
        ("removed", "unknown-provider"),
        ("disabled", "unknown-provider"),
        ("another issuer", "issuer-changed"),
    ],
)
def test_a_reload_ends_the_sessions_of_a_provider_that_it_removes_disables_or_moves(start_gateway, dev, other, change, reason):
    gateway = start_gateway({"providers": [dev.configuration, other]})
    client = sign_in(gateway, dev, start="oidc.dev")
    cookie = session_cookie(client)
    # Twice: the event loop's cache holds it now.
    assert status_with(gateway, f"session={cookie}") == 200
    assert status_with(gateway, f"session={cookie}") == 200
    changed = {
        "removed": [other],
        "disabled": [{**dev.configuration, "enabled": False}, other],
        "another issuer": [{**dev.configuration, "issuer": other["issuer"]}, other],
    }
    gateway.rewrite(providers=changed[change])
    gateway.reload()
    assert refusal(gateway, cookie) == reason
    assert new_client().get(gateway.own("/userinfo"), headers={"Cookie": f"session={cookie}"}).status_code == 401
    gateway.rewrite(providers=[dev.configuration, other])
    gateway.reload()
    assert status_with(gateway, f"session={cookie}") == 200, "the provider is back before the session reached its limits"


def test_a_cookie_of_staging_does_not_open_in_production(start_gateway, dev):
    """Both have the same session key; the public URL is part of the seal."""
    shared = {"providers": [dev.configuration], "session": {"keys": [session_key()]}}
    staging, production = start_gateway(shared), start_gateway(shared)
    cookie = session_cookie(sign_in(staging, dev))
    assert status_with(staging, f"session={cookie}") == 200
    assert refusal(production, cookie) == "seal"
