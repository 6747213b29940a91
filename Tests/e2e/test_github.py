"""Plain OAuth 2.0 through the preset `github.com`, at the development provider's GitHub side (`baseURL`)."""

from __future__ import annotations

import base64
import hashlib
from urllib.parse import parse_qs, urlsplit

import pytest

from conftest import mark
from logins import NAVIGATION, SESSION_COOKIE, new_client, page_problems
from parts.dev_provider import DevProvider


@pytest.fixture(scope="module")
def pair(folder, start_gateway):
    dev = DevProvider("dev-provider-github", folder).wait()
    gateway = start_gateway(
        {"providers": [dev.github_configuration], "routes": [{"path": "/company/**", "access": {"emails": ["*@example.com"]}}]},
        name="gateway-github",
    )
    yield gateway, dev
    dev.process.kill()


def sign_in(pair, person: str = "alice"):
    gateway, dev = pair
    client = new_client()
    start = client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, timeout=60)
    callback = dev.sign_in(client, start, person)
    return client, client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60)


def test_the_authorization_request_is_githubs(pair):
    """providers §3.2: base scopes and those of the configuration, state and PKCE S256, no nonce, no openid."""
    gateway, dev = pair
    response = new_client().get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False)
    location = urlsplit(response.headers["Location"])
    assert f"{location.scheme}://{location.netloc}" == dev.origin and location.path == "/login/oauth/authorize"
    sent = parse_qs(location.query)
    assert "user:email" in sent["scope"][0].split() and "openid" not in sent["scope"][0]
    assert sent["code_challenge_method"] == ["S256"] and sent["state"]
    assert "nonce" not in sent


def test_somebody_signs_in_and_the_address_is_the_verified_primary_one(pair, upstream):
    """`/user/emails`; the uid's issuer is the base URL, its subject the account number (contract §4 uid)."""
    gateway, dev = pair
    client, response = sign_in(pair)
    assert response.status_code == 303, response.text[:500]
    marker = mark()
    assert client.get(gateway.url(f"/company/{marker}")).status_code == 200
    recording = upstream.only(marker)
    assert recording.value("X-Forwarded-Email") == "alice@example.com"
    assert recording.value("X-Forwarded-Provider") == "github.com"
    issuer, subject = dev.origin.encode(), b"1001"
    digest = hashlib.sha256(len(issuer).to_bytes(8, "big") + issuer + len(subject).to_bytes(8, "big") + subject).digest()
    assert recording.value("X-Forwarded-User") == base64.b32encode(digest).decode().lower()[:26]


@pytest.mark.parametrize("fault", ["github.bad-verification-code", "github.incorrect-client-credentials", "github.id-missing", "github.bad-credentials", "github-user.500", "github-token.html", "github-user.truncated"])
def test_an_error_that_comes_with_status_200_is_an_error(pair, fault):
    """providers quirk 7: no access token means failure, whatever the status."""
    gateway, dev = pair
    with dev.misbehaving(fault):
        client, response = sign_in(pair)
    assert response.status_code in (403, 502)
    assert page_problems(response) == []
    assert SESSION_COOKIE not in client.cookies


@pytest.mark.parametrize("fault", ["github.emails-empty", "github.emails-unverified", "github.emails-not-found"])
def test_without_a_verified_address_no_email_rule_admits(pair, fault):
    """§4: verified addresses only; the sign-in itself may succeed."""
    gateway, dev = pair
    with dev.misbehaving(fault):
        client, response = sign_in(pair)
    if response.status_code == 303:
        assert client.get(gateway.url("/company/x"), allow_redirects=False).status_code == 403
    else:
        assert response.status_code in (403, 502)
