"""Tokens renewed before they expire, exactly once: contract §6 "Refresh", peers' oldest wound (oauth2-proxy#1992)."""

from __future__ import annotations

import concurrent.futures
import threading
import time

import pytest

from logins import session_cookie, sign_in
from parts.dev_provider import DevProvider

PARALLEL = 200


@pytest.fixture
def dev(folder, request):
    part = DevProvider(f"dev-provider-{request.node.name}"[:60], folder)
    yield part.wait()
    part.process.kill()


def burst(gateway, cookie: str, count: int = PARALLEL) -> list[int]:
    """`count` requests with one cookie that all start together."""
    import wire

    barrier = threading.Barrier(count)
    request = f"GET /app/x HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nConnection: close\r\nCookie: session={cookie}\r\n\r\n".encode()

    def one(_: int) -> int:
        with wire.Connection(gateway.port, timeout=40) as connection:
            barrier.wait(timeout=40)
            response = connection.send(request).response()
            return response.status if response else 0

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_200_requests_at_expiry_cause_exactly_one_refresh(start_gateway, dev):
    """§6 "Refresh": within the minute before expiry, on demand, exactly once however many requests arrive."""
    gateway = start_gateway({"providers": [dev.configuration]})
    dev.control(accessTokenLifetime=40)
    cookie = session_cookie(sign_in(gateway, dev))
    dev.control(accessTokenLifetime=3600)
    before = dev.counters()["refresh"]
    statuses = burst(gateway, cookie)
    assert statuses == [200] * PARALLEL
    assert dev.counters()["refresh"] - before == 1


def test_a_slow_token_endpoint_is_still_asked_once(start_gateway, dev):
    """peers: oauth2-proxy's two-second lock ran out while the call was under way."""
    gateway = start_gateway({"providers": [dev.configuration]})
    dev.control(accessTokenLifetime=40)
    cookie = session_cookie(sign_in(gateway, dev))
    dev.control(accessTokenLifetime=3600, faults=["refresh.slow"])
    before = dev.counters()["refresh"]
    statuses = burst(gateway, cookie, 50)
    assert statuses == [200] * 50
    assert dev.counters()["refresh"] - before == 1


def test_the_renewed_session_reaches_the_browser(start_gateway, dev):
    """The cookie that holds the new tokens is set, so that the next request refreshes nothing."""
    gateway = start_gateway({"providers": [dev.configuration]})
    dev.control(accessTokenLifetime=40)
    client = sign_in(gateway, dev)
    first = session_cookie(client)
    dev.control(accessTokenLifetime=3600)
    before = dev.counters()["refresh"]
    for _ in range(5):
        assert client.get(gateway.url("/app/x"), allow_redirects=False).status_code == 200
        time.sleep(0.05)
    assert dev.counters()["refresh"] - before == 1
    assert session_cookie(client) != first


def test_invalid_grant_ends_the_session(start_gateway, dev):
    """§6 "Refresh"; RFC 9700 4.14.2 (B17)."""
    gateway = start_gateway({"providers": [dev.configuration]})
    dev.control(accessTokenLifetime=1)
    client = sign_in(gateway, dev)
    time.sleep(1.2)
    with dev.misbehaving("refreshing.invalid-grant"):
        assert _eventual_status(client, gateway) == 401


@pytest.mark.parametrize("fault", ["refreshing.other-subject", "refreshing.other-audience", "refreshing.other-nonce"])
def test_a_refreshed_id_token_that_fails_its_checks_ends_the_session(start_gateway, dev, fault):
    """OpenID Connect Core 12.2."""
    gateway = start_gateway({"providers": [dev.configuration]})
    dev.control(accessTokenLifetime=1)
    client = sign_in(gateway, dev)
    time.sleep(1.2)
    with dev.misbehaving(fault):
        assert _eventual_status(client, gateway) == 401


@pytest.mark.parametrize("fault", ["refresh.503", "refresh.close", "refresh.html"])
def test_an_outage_does_not_end_the_session_and_is_not_hammered(start_gateway, dev, fault):
    """§6 "Refresh": retried with back-off."""
    gateway = start_gateway({"providers": [dev.configuration]})
    dev.control(accessTokenLifetime=40)
    client = sign_in(gateway, dev)
    before = dev.counters()["refresh"]
    with dev.misbehaving(fault):
        for _ in range(30):
            assert client.get(gateway.url("/app/x"), allow_redirects=False).status_code == 200
    assert 1 <= dev.counters()["refresh"] - before <= 5


def test_changed_claims_are_seen_after_a_refresh(start_gateway, dev):
    """advisory 91, peers: pomerium#2675: somebody who left a group loses its access."""
    gateway = start_gateway({"providers": [dev.configuration], "routes": [{"path": "/admins/**", "access": {"groups": ["admins"]}}]})
    dev.control(accessTokenLifetime=40)
    client = sign_in(gateway, dev)
    assert client.get(gateway.url("/admins/x"), allow_redirects=False).status_code == 200
    dev.control(groups={"alice": []})
    deadline = time.monotonic() + 10
    while client.get(gateway.url("/admins/x"), allow_redirects=False).status_code != 403:
        assert time.monotonic() < deadline, "the groups of a minute ago still count"
        time.sleep(0.2)


def _eventual_status(client, gateway) -> int:
    """A refresh may run beside the request that asked for it: the request after it sees the result."""
    status = 0
    for _ in range(20):
        status = client.get(gateway.url("/app/x"), headers={"Accept": "application/json"}, allow_redirects=False).status_code
        if status != 200:
            return status
        time.sleep(0.1)
    return status
