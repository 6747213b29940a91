"""Sign-ins that a rule finds too weak (`access.acr`; RFC 9470): the provider is asked for what is missing, once, and the browser comes back."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from accounts import begin, callback, code, signed_in, userinfo
from logins import NAVIGATION, new_client
from parts.gateway import Gateway
from test_second_factors import enrol, mailbox, messages, start  # noqa: F401 (fixtures)

ROUTES = [
    {"path": "/strong/**", "access": {"acr": ["phrh", "phr"]}},
    {"path": "/gold/**", "access": {"acr": ["gold"]}},
    {"path": "/both/**", "access": {"acr": ["phr"], "secondFactor": True}},
    {"path": "/either/**", "access": {"anyOf": [{"groups": ["nobody"]}, {"acr": ["phr"], "providers": ["oidc.one"]}]}},
    {"path": "/late/**", "access": {"acr": ["phr"], "maxAge": "1h"}},
    {"path": "/others/**", "access": {"acr": ["phr"], "groups": ["nobody"]}},
]


@pytest.fixture(scope="module")
def gateway(start_gateway, dev) -> Gateway:
    provider = {**dev.configuration, "id": "oidc.one", "displayName": "One"}
    return start_gateway({"providers": [provider], "routes": [route for route in ROUTES if "secondFactor" not in route["access"]]})


@pytest.fixture
def client(gateway, dev):
    return signed_in(gateway, dev, "one", "alice")


def open_page(gateway: Gateway, client, path: str):
    return client.get(gateway.url(path), headers=NAVIGATION, allow_redirects=False, timeout=60)


def at_provider(answer) -> dict[str, list[str]]:
    return parse_qs(urlsplit(answer.headers["Location"]).query)


def step_up(gateway: Gateway, dev, client, path: str, person: str = "alice"):
    """From the page to the callback's answer."""
    led = open_page(gateway, client, path)
    assert led.status_code == 302 and led.headers["Location"].startswith("/_gateway/login/oidc.one?"), led.headers
    return callback(dev, client, open_page(gateway, client, led.headers["Location"]), person)


def test_a_program_is_told_what_is_missing(gateway, client):
    answer = client.get(gateway.url("/strong/x?y=1"), timeout=60)
    assert answer.status_code == 401 and code(answer) == "auth/insufficient-user-authentication", answer.text
    challenge = answer.headers["WWW-Authenticate"]
    assert challenge.endswith('error="insufficient_user_authentication", acr_values="phrh phr"'), challenge
    assert answer.json()["error"]["login_url"] == gateway.own("/login/oidc.one?rd=%2Fstrong%2Fx%3Fy%3D1&acr_values=phrh%20phr")


def test_a_browser_is_led_to_the_provider_and_back(gateway, dev, client):
    led = open_page(gateway, client, "/strong/x?y=1")
    begun = open_page(gateway, client, led.headers["Location"])
    assert at_provider(begun)["acr_values"] == ["phrh phr"] and "max_age" not in at_provider(begun)
    done = callback(dev, client, begun, "alice")
    assert (done.status_code, done.headers["Location"]) == (303, "/strong/x?y=1")
    for path in ("/strong/x?y=1", "/either/x", "/late/x"):
        answer = client.get(gateway.url(path), timeout=60)
        assert (answer.status_code == 200) == (path != "/either/x" and path != "/late/x"), f"{path}: phrh is not phr"
    done = step_up(gateway, dev, client, "/either/x")
    assert done.headers["Location"] == "/either/x"
    for path in ("/strong/x", "/either/x", "/late/x"):
        assert client.get(gateway.url(path), timeout=60).status_code == 200, path


def test_a_provider_that_confirms_nothing_is_refused_and_not_asked_again(gateway, dev, client):
    done = step_up(gateway, dev, client, "/gold/x")
    assert done.status_code == 403 and code(done) == "auth/insufficient-user-authentication" and "A stronger sign-in is required" in done.text
    assert userinfo(gateway, client)["provider"] == "oidc.one", "the session is as it was"
    (failure,) = [event for event in gateway.events("login-failed") if event["code"] == "auth/insufficient-user-authentication"]
    assert failure["reason"] == "acr is not among the requested values"


def test_where_it_would_not_help_nobody_is_asked(gateway, client):
    assert client.get(gateway.url("/others/x"), timeout=60).status_code == 403


def test_strangers_cannot_ask_for_other_classes(gateway, client):
    for values in ("platinum", "phr platinum"):
        begun = begin(gateway, client, "/login/oidc.one", acr_values=values)
        assert begun.status_code == 302 and "acr_values" not in at_provider(begun)
    twice = client.get(gateway.own("/login/oidc.one?acr_values=phr&acr_values=gold"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert "acr_values" not in at_provider(twice)


def test_the_second_factor_of_the_session_goes_on_counting(start, dev):  # noqa: F811
    gateway = start(routes=ROUTES)
    client = signed_in(gateway, dev, "one", "alice")
    enrol(gateway, client)
    before = client.cookies.get("session")
    done = step_up(gateway, dev, client, "/both/x")
    assert (done.status_code, done.headers["Location"]) == (303, "/both/x"), "nobody is asked for the second factor again"
    assert client.cookies.get("session") != before and userinfo(gateway, client)["second_factor"] == "totp"
    assert client.get(gateway.url("/both/x"), timeout=60).status_code == 200
    # Another user at the provider gets a sign-in of their own, without it.
    done = step_up(gateway, dev, client, "/gold/x", person="bob")
    assert done.status_code == 403
    other = step_up(gateway, dev, signed_in(gateway, dev, "one", "carol"), "/both/x", person="alice")
    assert other.status_code == 303 and "/second-factor" in other.headers["Location"]


def test_users_without_an_openid_provider_are_refused(start):  # noqa: F811
    gateway = start(routes=ROUTES)
    client = new_client()
    answer = client.post(gateway.own("/login/anonymous"), headers={"Origin": gateway.origin, "Accept": "application/json"}, json={}, timeout=60)
    assert answer.status_code in (200, 303), answer.text
    refused = client.get(gateway.url("/strong/x"), timeout=60)
    assert refused.status_code == 403 and code(refused) == "auth/access-denied"
