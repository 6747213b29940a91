"""Signing out: contract §3 `/logout`, §6 "Logout", OpenID Connect RP-Initiated Logout 1.0."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
import requests

import jwt_reading

from forms import forms_of, submit
from logins import NAVIGATION, SESSION_COOKIE, new_client, page_problems, session_cookie, sign_in
from test_sessions import status_with


def log_out(gateway, client: requests.Session, rd: str | None = None) -> requests.Response:
    """Presses the button on the sign-out page, as a browser on that page would."""
    page = client.get(gateway.own("/logout"), params={"rd": rd} if rd else None, headers=NAVIGATION, timeout=60)
    assert page.status_code == 200, page.text[:500]
    form = next(form for form in forms_of(page.text) if form.method == "post")
    client.headers.update({"Origin": gateway.origin, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Accept": "text/html"})
    redirects, client.max_redirects = client.max_redirects, 0
    try:
        return submit(client, page, form)
    except requests.TooManyRedirects as stopped:
        assert stopped.response is not None
        return stopped.response
    finally:
        client.max_redirects = redirects
        for name in ("Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode"):
            client.headers.pop(name, None)


def test_get_logout_is_a_page_and_ends_nothing(gateway, dev):
    """§3, ASVS 3.5.3: signing out is a POST; a link or an image cannot do it."""
    client = sign_in(gateway, dev)
    cookie = session_cookie(client)
    page = client.get(gateway.own("/logout"), headers=NAVIGATION)
    assert page.status_code == 200 and "<button" in page.text
    assert page_problems(page) == []
    assert status_with(gateway, f"session={cookie}") == 200


def test_post_logout_ends_the_session_here_and_at_the_provider(gateway, dev):
    """§6 "Logout": RP-initiated with `id_token_hint` and `post_logout_redirect_uri`; R1 to R3."""
    client = sign_in(gateway, dev)
    cookie = session_cookie(client)
    response = log_out(gateway, client)
    assert response.status_code == 303
    assert SESSION_COOKIE not in client.cookies
    location = urlsplit(response.headers["Location"])
    assert response.headers["Location"].startswith(dev.issuer)
    query = parse_qs(location.query)
    assert query["post_logout_redirect_uri"] == [gateway.own("/logged-out")]
    assert query["client_id"] == [dev.configuration["clientID"]]
    assert jwt_reading.claims(query["id_token_hint"][0])["sub"] == dev.subject_of("alice")
    assert status_with(gateway, f"session={cookie}") == 401, "a copy of the cookie is dead too (advisory 61)"


def test_the_deletion_has_the_attributes_of_the_cookie(gateway, dev):
    """RFC 6265bis C10, advisory 55."""
    client = sign_in(gateway, dev)
    response = log_out(gateway, client)
    deletion = next(cookie.lower() for cookie in response.raw.headers.getlist("Set-Cookie") if cookie.startswith("session="))
    assert "path=/" in deletion and "httponly" in deletion and "samesite=lax" in deletion and "max-age=0" in deletion


def test_the_way_back_from_the_provider_ends_on_the_signed_out_page(gateway, dev):
    """§6 "Logout": `{publicURL}{pathPrefix}/logged-out`; R4: a wrong or missing state strands nobody."""
    client = sign_in(gateway, dev)
    log_out(gateway, client)
    for suffix in ("", "?state=other"):
        page = client.get(gateway.own("/logged-out") + suffix, headers=NAVIGATION, allow_redirects=False)
        assert page.status_code == 200 and page_problems(page) == []
        assert SESSION_COOKIE not in client.cookies


def test_a_provider_without_end_session_means_a_local_logout(start_gateway, folder):
    """R5: local only, and the page is ours."""
    from parts.dev_provider import DevProvider

    dev = DevProvider("dev-provider-no-end-session", folder).wait()
    try:
        dev.control(faults=["metadata.without-end-session"])
        gateway = start_gateway({"providers": [dev.configuration]})
        client = sign_in(gateway, dev)
        cookie = session_cookie(client)
        response = log_out(gateway, client)
        assert response.status_code == 303
        assert urlsplit(response.headers["Location"]).path == "/_gateway/logged-out"
        assert status_with(gateway, f"session={cookie}") == 401
    finally:
        dev.process.kill()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "file://", ""])
def test_another_site_cannot_sign_anybody_out(gateway, dev, origin):
    """ASVS 3.5.1, R1: a cross-site POST changes nothing."""
    client = sign_in(gateway, dev)
    cookie = session_cookie(client)
    response = client.post(
        gateway.own("/logout"),
        data={"a": "b"},
        headers={**NAVIGATION, "Origin": origin, "Sec-Fetch-Site": "cross-site"},
        allow_redirects=False,
    )
    assert response.status_code in (400, 403)
    assert status_with(gateway, f"session={cookie}") == 200


def test_the_button_works_in_a_browser_that_hides_the_origin(gateway, dev):
    """Fetch, "append a request `Origin` header": under `Referrer-Policy: no-referrer`, which a template may carry, a form's POST
    says `Origin: null` even to its own origin; `Sec-Fetch-Site` says where it came from."""
    client = sign_in(gateway, dev)
    cookie = session_cookie(client)
    response = client.post(gateway.own("/logout"), data={"a": "b"}, headers={**NAVIGATION, "Origin": "null", "Sec-Fetch-Site": "same-origin"}, allow_redirects=False)
    assert response.status_code == 303
    assert status_with(gateway, f"session={cookie}") == 401


def test_signing_out_without_a_session_is_no_error(gateway):
    """Twice, or in a second tab: it ends on the signed-out page."""
    client = new_client()
    assert client.get(gateway.own("/logout"), headers=NAVIGATION).status_code == 200
    response = client.post(gateway.own("/logout"), data={}, headers={**NAVIGATION, "Origin": gateway.origin}, allow_redirects=False)
    assert response.status_code == 303
    assert urlsplit(response.headers["Location"]).path == "/_gateway/logged-out"


def test_the_state_of_a_sign_out_carries_no_foreign_address(gateway, dev):
    """§3 `POST /logout`: 303 to `rd`, by way of the provider; only what we sealed ourselves is followed."""
    client = sign_in(gateway, dev)
    query = parse_qs(urlsplit(log_out(gateway, client, rd="/bye?x=1").headers["Location"]).query)
    back = client.get(gateway.own("/logged-out"), params={"state": query["state"][0]}, headers=NAVIGATION, allow_redirects=False)
    assert back.status_code in (302, 303) and back.headers["Location"].endswith("/bye?x=1")
    for state in ("//evil.example", "https://evil.example", query["state"][0][:-4] + "AAAA"):
        page = client.get(gateway.own("/logged-out"), params={"state": state}, headers=NAVIGATION, allow_redirects=False)
        assert page.status_code == 200 and "evil.example" not in page.text


def test_userinfo_says_who_and_never_a_token(gateway, dev):
    """§3 `GET /userinfo`; advisory 94."""
    client = sign_in(gateway, dev)
    response = client.get(gateway.own("/userinfo"))
    assert response.status_code == 200 and response.headers["Content-Type"].startswith("application/json")
    assert "no-store" in response.headers["Cache-Control"]
    body = response.json()
    assert set(body) == {"uid", "email", "email_verified", "name", "username", "groups", "provider", "auth_time", "expires_at"}
    assert body["email"] == "alice@example.com" and body["email_verified"] is True
    assert body["username"] == "alice" and "admins" in body["groups"]
    assert body["provider"] == dev.configuration["id"]
    assert isinstance(body["auth_time"], int) and isinstance(body["expires_at"], int)
    assert len(body["uid"]) == 26
    assert "eyJ" not in response.text


def test_userinfo_without_a_session_is_401_json(gateway):
    """§3 `GET /userinfo`."""
    response = new_client().get(gateway.own("/userinfo"), headers=NAVIGATION, allow_redirects=False)
    assert response.status_code == 401
    assert response.json()["error"]["code"]


def test_what_is_unknown_under_the_prefix_never_reaches_the_upstream(gateway, dev, upstream):
    """§2 `pathPrefix`: never proxied, whoever asks, whatever the method."""
    from conftest import mark

    client = sign_in(gateway, dev)
    for method in ("GET", "POST", "DELETE", "OPTIONS"):
        for path in ("", "/", "/{}", "/login/x/{}", "/userinfo/{}"):
            marker = mark()
            response = client.request(method, gateway.url("/_gateway" + path.format(marker)), allow_redirects=False)
            assert response.status_code in (302, 303, 400, 401, 404, 405), (method, path, response.status_code)
            assert not upstream.saw(marker)
