"""Tokens renewed before they expire, exactly once: contract §6 "Refresh", peers' oldest wound (oauth2-proxy#1992)."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import threading
import time

import pytest
import requests

import wire
from logins import session_cookie, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import session_key
from parts.processes import eventually
from parts.relay import TokenRelay

PARALLEL = 200
SOON = 2  # seconds; a token of this lifetime is due for a refresh after three quarters of it
LATER = 3600


@pytest.fixture(scope="module")
def dev(folder):
    part = DevProvider("dev-provider-refresh", folder)
    yield part.wait()
    part.process.kill()


@pytest.fixture
def relay(dev):
    part = TokenRelay(f"{dev.issuer}/token")
    yield part
    part.close()
    dev.control(faults=[])


@dataclasses.dataclass
class Due:
    """Clients whose access tokens are due for a refresh, and what a gateway needs that opens their sessions."""

    port: int
    key: str
    clients: list[requests.Session]


@pytest.fixture(scope="module")
def due(start_gateway, dev) -> Due:
    """All of them sign in together: a token's first refresh is due a second after its issue."""
    relay = TokenRelay(f"{dev.issuer}/token")
    key = session_key()
    gateway = start_gateway({"providers": [{**dev.configuration, "endpoints": {"token": relay.url}}], "session": {"keys": [key]}})
    relay.lifetime = 1
    clients = [sign_in(gateway, dev) for _ in range(30)]  # more than the tests of this file take
    last = sign_in(gateway, dev)
    relay.lifetime = LATER
    eventually(lambda: status(gateway, last) == 200 and relay.refreshes, "the refresh of the last one")
    gateway.kill()
    relay.close()
    return Due(gateway.port, key, clients)


@pytest.fixture
def client(due, relay) -> requests.Session:
    """A client whose access token is due for a refresh. The tokens of the refresh live long, unless a test says otherwise."""
    relay.lifetime = LATER
    return due.clients.pop()


@pytest.fixture
def start(start_gateway, dev, relay, due):
    """Starts a gateway whose access tokens live as long as the relay says. It opens the sessions of `due`."""
    started = []

    def start(**session: object):
        configuration = {
            "providers": [{**dev.configuration, "endpoints": {"token": relay.url}}],
            "session": {"keys": [due.key], **session},
            "routes": [{"path": "/company/**", "access": {"emails": ["*@example.com"]}}],
        }
        started.append(start_gateway(configuration, port=due.port))
        return started[0]

    yield start
    for gateway in started:
        gateway.kill()


@pytest.fixture
def gateway(start):
    return start()


def burst(gateway, cookie: str, count: int = PARALLEL) -> list[int]:
    """`count` requests with one cookie that all start together."""
    barrier = threading.Barrier(count)
    request = f"GET /app/x HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nConnection: close\r\nCookie: session={cookie}\r\n\r\n".encode()

    def one(_: int) -> int:
        with wire.Connection(gateway.port, timeout=40) as connection:
            barrier.wait(timeout=60)
            response = connection.send(request).response()
            return response.status if response else 0

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def status(gateway, client, path: str = "/app/x") -> int:
    return client.get(gateway.url(path), headers={"Accept": "application/json"}, allow_redirects=False, timeout=60).status_code


def test_200_requests_at_expiry_cause_exactly_one_refresh(gateway, dev, relay, client):
    """§6 "Refresh": within the last minute or the last quarter, on demand, exactly once however many requests arrive."""
    cookie = session_cookie(client)
    assert burst(gateway, cookie) == [200] * PARALLEL
    assert relay.refreshes == 1
    # The old cookie, from a tab that has not seen the new one yet: the refresh token in it is spent.
    assert burst(gateway, cookie, 20) == [200] * 20
    assert relay.refreshes == 1


def test_a_slow_token_endpoint_is_still_asked_once(gateway, dev, relay, client):
    """peers: oauth2-proxy's two-second lock ran out while the call was under way."""
    cookie = session_cookie(client)
    dev.control(faults=["refresh.slow"], slowMilliseconds=3000)
    assert burst(gateway, cookie, 50) == [200] * 50
    assert relay.refreshes == 1


def test_the_renewed_session_reaches_the_browser(gateway, dev, relay, client):
    """The cookie that holds the new tokens is set, so that the next request refreshes nothing."""
    first = session_cookie(client)
    for _ in range(5):
        assert status(gateway, client) == 200
    assert relay.refreshes == 1
    assert session_cookie(client) != first


def test_a_token_that_lives_long_is_left_alone(gateway, dev, relay):
    """§6 "Refresh": only within the last minute or the last quarter of the lifetime."""
    relay.lifetime = LATER
    client = sign_in(gateway, dev)
    assert [status(gateway, client) for _ in range(5)] == [200] * 5
    assert relay.refreshes == 0


def test_refresh_can_be_switched_off(start, relay, client):
    """§6 `session.refresh: false`."""
    gateway = start(refresh=False)
    assert status(gateway, client) == 200
    assert relay.refreshes == 0


@pytest.mark.parametrize("fault", ["refreshing.invalid-grant", "refreshing.other-subject", "refreshing.other-audience", "refreshing.other-nonce"])
def test_a_refusal_or_somebody_elses_id_token_ends_the_session(gateway, dev, relay, client, fault):
    """§6 "Refresh"; RFC 9700 4.14.2 (B17); OpenID Connect Core 12.2."""
    cookie = session_cookie(client)
    dev.control(faults=[fault])
    eventually(lambda: status(gateway, client) == 401, "the end of the session")
    assert burst(gateway, cookie, 3) == [401] * 3, "a copy of the cookie has ended too"


@pytest.mark.parametrize("fault", ["refreshing.keeps-token", "refreshing.without-id-token"])
def test_what_a_provider_may_leave_out_of_a_refresh_is_no_problem(gateway, dev, relay, client, fault):
    """RFC 6749 6 (O11), OpenID Connect Core 12.2: no new refresh token, no new ID token."""
    dev.control(faults=[fault])
    assert [status(gateway, client) for _ in range(5)] == [200] * 5
    assert relay.refreshes == 1


@pytest.mark.parametrize("fault", ["refresh.503", "refresh.close", "refresh.html"])
def test_an_outage_does_not_end_the_session_and_is_not_hammered(gateway, dev, relay, client, fault):
    """§6 "Refresh": retried with back-off."""
    dev.control(faults=[fault])
    assert [status(gateway, client) for _ in range(30)] == [200] * 30
    assert 1 <= relay.refreshes <= 5


def test_changed_claims_are_seen_after_a_refresh(gateway, dev, relay, client):
    """advisory 91, peers: pomerium#2675: what the provider no longer vouches for opens nothing."""
    dev.control(faults=["claims.email-unverified"])
    eventually(lambda: status(gateway, client, "/company/x") == 403, "the address of a minute ago no longer counts")
    assert relay.refreshes == 1


@pytest.mark.parametrize("lifetime", [60, 30, 20])
def test_issue_19_14_a_token_that_lives_a_minute_or_less_is_not_refreshed_on_every_request(gateway, dev, relay, lifetime):
    """§6 "Refresh": within the last quarter of the lifetime where that is shorter than a minute."""
    relay.lifetime = lifetime
    client = sign_in(gateway, dev)
    assert [status(gateway, client) for _ in range(8)] == [200] * 8
    assert relay.refreshes == 0


@pytest.mark.parametrize("lifetime", [40, SOON, 0])
def test_issue_19_25_one_due_refresh_is_one_call(gateway, dev, relay, client, lifetime):
    """Eight requests caused sixteen refreshes: the tokens of each refresh counted as due again."""
    relay.lifetime = lifetime
    began = time.monotonic()
    old = session_cookie(client)
    assert [status(gateway, client) for _ in range(8)] == [200] * 8
    # A client that goes on with its old cookie shares the refresh.
    assert burst(gateway, old, 8) == [200] * 8
    assert 1 <= relay.refreshes <= 1 + (0 if lifetime == 40 else time.monotonic() - began)


@pytest.mark.parametrize("fault", ["refresh.503", "refresh.html"])
def test_issue_19_29_a_failed_refresh_carries_the_request_id(gateway, dev, relay, client, fault):
    dev.control(faults=[fault])
    assert status(gateway, client) == 200
    (record,) = gateway.events("refresh-failed")
    assert len(record["request_id"]) == 32 and record["reason"]


def test_issue_19_29_a_refresh_carries_the_request_id(gateway, dev, relay, client):
    assert status(gateway, client) == 200
    (record,) = gateway.events("refreshed")
    assert len(record["request_id"]) == 32 and record["uid"]


def test_issue_19_24_another_auth_time_ends_no_session_and_is_reported_once(gateway, dev, relay, client, due):
    """§6 "Refreshed ID tokens": django-oauth-toolkit changes auth_time with every sign-in elsewhere."""
    clients = [client, due.clients.pop()]
    times = [_auth_time(gateway, client) for client in clients]
    with dev.misbehaving("refreshing.other-auth-time"):
        assert [status(gateway, client) for client in clients] == [200, 200]
    assert relay.refreshes == 2
    assert [_auth_time(gateway, client) for client in clients] == times, "the sign-in's stays"
    assert gateway.events("refresh-refused") == []
    (warning,) = [record for record in gateway.events("provider") if "auth_time" in record["message"]]
    assert warning["level"] == "warning" and warning["gw.provider"] == "oidc.dev"


@pytest.mark.parametrize(
    "fault, level, message, reason",
    [
        ("refreshing.invalid-grant", "notice", "the provider refused the refresh token", "invalid_grant"),
        ("refreshing.other-subject", "warning", "failed verification", "the refreshed ID token failed verification: sub differs"),
        ("refreshing.other-audience", "warning", "failed verification", "the refreshed ID token failed verification: aud is not"),
        ("refreshing.other-nonce", "warning", "failed verification", "the refreshed ID token failed verification: nonce differs"),
    ],
)
def test_issue_19_24_the_log_names_the_check_that_ended_the_session(gateway, dev, relay, client, fault, level, message, reason):
    """A check of the gateway's is never put down to the provider."""
    dev.control(faults=[fault])
    eventually(lambda: status(gateway, client) == 401, "the end of the session")
    (record,) = gateway.events("refresh-refused")
    assert record["level"] == level and message in record["message"] and reason in record["reason"]
    assert len(record["request_id"]) == 32


def _auth_time(gateway, client) -> int:
    return client.get(gateway.own("/userinfo"), timeout=60).json()["auth_time"]
