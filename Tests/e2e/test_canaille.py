"""A real OpenID provider, Canaille, without a browser: discovery, code flow with PKCE, userinfo, logout."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from conftest import mark
from logins import SESSION_COOKIE, sign_in_through_canaille
from test_logout import log_out


def test_alice_signs_in_through_canaille(canaille_gateway, upstream, client, minted):
    """Its secret needs form-urlencoding before Basic (RFC 6749 2.3.1, O2); its `auth_time` has fractions (RFC 7519 2)."""
    gateway, canaille = canaille_gateway
    answer = sign_in_through_canaille(gateway, canaille, client)
    assert answer.status_code == 200 and answer.url == gateway.url("/")
    marker = mark()
    assert client.get(gateway.url(f"/app/{marker}")).status_code == 200
    recording = upstream.only(marker)
    assert recording.value("X-Forwarded-Preferred-Username") == "alice"
    assert recording.value("X-Forwarded-Email") == "alice@example.com"
    assert set((recording.value("X-Forwarded-Groups") or "").split(",")) == {"readers", "admins"}
    minted.update(cookie.value for cookie in client.cookies if cookie.value and len(cookie.value) >= 16)


def test_the_wrong_password_is_no_session(canaille_gateway, client):
    from forms import sign_in_at_canaille
    from logins import NAVIGATION

    gateway, canaille = canaille_gateway
    response = client.get(gateway.url("/"), headers=NAVIGATION, timeout=60)
    response = sign_in_at_canaille(client, response, "alice", "wrong")
    assert urlsplit(response.url).port == canaille.port
    assert SESSION_COOKIE not in client.cookies


def test_signing_out_goes_to_canaille_and_back(canaille_gateway, client):
    """RP-Initiated Logout at a provider that checks the hint and the address."""
    gateway, canaille = canaille_gateway
    sign_in_through_canaille(gateway, canaille, client)
    response = log_out(gateway, client)
    location = response.headers["Location"]
    assert location.startswith(f"{canaille.issuer}/oauth/end_session?")
    assert parse_qs(urlsplit(location).query)["post_logout_redirect_uri"] == [gateway.own("/logged-out")]
    back = client.get(location, timeout=60)
    assert back.url.startswith(gateway.own("/logged-out")), back.text[:500]
    assert SESSION_COOKIE not in client.cookies
