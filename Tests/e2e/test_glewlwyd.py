"""A real provider with the stronger protocols, Glewlwyd: PAR, DPoP, back-channel logout, introspection, bearer ID tokens."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from conftest import mark
from jwt_reading import claims
from logins import NAVIGATION, SESSION_COOKIE, new_client, session_cookie
from parts.glewlwyd import CLIENT_ID, CLIENT_SECRET, Glewlwyd, missing
from parts.processes import eventually, free_port

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))


@pytest.fixture(scope="module")
def pair(folder, start_gateway, minted):
    port = free_port()
    provider = Glewlwyd(folder, f"http://127.0.0.1:{port}")
    minted.update({CLIENT_SECRET, provider.password_of("alice")})
    try:
        provider.wait()
        gateway = start_gateway(
            {
                "providers": [{**provider.configuration, "dpop": "required"}],
                "routes": [{"path": "/ids/**", "requestHeaders": {"set": {"X-ID-Token": "{{ idToken }}"}}}, {"path": "/api/**", "bearer": {"providers": ["oidc.glewlwyd"]}}],
            },
            port=port,
            name="gateway-glewlwyd",
        )
        yield gateway, provider
    finally:
        provider.process.kill()


def sign_in(gateway, provider):
    client = new_client()
    start = client.get(gateway.own("/login"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    location = start.headers["Location"]
    assert set(parse_qs(urlsplit(location).query)) == {"client_id", "request_uri"}, location
    response = client.get(provider.sign_in(client, location), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert response.status_code == 303, f"{response.status_code} {response.text[:600]}"
    return client


def test_alice_signs_in_with_a_pushed_request_and_bound_tokens(pair, upstream, minted):
    """RFC 9126 is required there, RFC 9449 here: without token_type DPoP the sign-in would have been refused."""
    gateway, provider = pair
    client = sign_in(gateway, provider)
    minted.add(session_cookie(client))
    marker = mark()
    assert client.get(gateway.url(f"/ids/{marker}")).status_code == 200
    recording = upstream.only(marker)
    assert recording.value("X-Forwarded-Preferred-Username") == "alice"
    assert recording.value("X-Forwarded-Email") == "alice@example.com"
    token = recording.value("X-ID-Token")
    minted.add(token)
    assert claims(token)["aud"] == CLIENT_ID
    answer = new_client().get(gateway.url("/api/x"), headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert answer.status_code == 200, answer.text


def test_a_sign_out_there_ends_the_session_here(pair, upstream, minted):
    """Back-Channel Logout 1.0: Glewlwyd posts the logout token by itself."""
    gateway, provider = pair
    client, other = sign_in(gateway, provider), sign_in(gateway, provider)
    minted.update({session_cookie(client), session_cookie(other)})
    marker = mark()
    assert client.get(gateway.url(f"/ids/{marker}"), allow_redirects=False).status_code == 200
    token = upstream.only(marker).value("X-ID-Token")
    minted.add(token)
    provider.end_session(client, claims(token)["sid"])

    def status(who) -> int:
        return who.get(gateway.url("/x"), headers={"Accept": "application/json"}, allow_redirects=False, timeout=60).status_code

    eventually(lambda: status(client) == 401, "end of the session")
    assert status(other) == 200


def test_the_plain_request_that_it_does_not_take_is_never_made(pair):
    """It refuses what is not pushed; the gateway has nothing else in the address."""
    gateway, provider = pair
    answer = new_client().get(
        f"{provider.issuer}/auth",
        params={"response_type": "code", "client_id": CLIENT_ID, "redirect_uri": gateway.own("/callback/oidc.glewlwyd"), "scope": "openid"},
        allow_redirects=False,
        timeout=60,
    )
    assert "code=" not in answer.headers.get("Location", "")
    assert SESSION_COOKIE not in answer.cookies
