"""What somebody who is not signed in gets: contract §6, "Not signed in"."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from conftest import mark
from logins import NAVIGATION

HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

CASES = [
    # (what, method, headers, status)
    ("a navigation by Sec-Fetch-Mode", "GET", {"Sec-Fetch-Mode": "navigate", "Accept": "*/*"}, 302),
    ("an HTML-accepting GET of an old browser", "GET", {"Accept": HTML}, 302),
    ("a form POST", "POST", {"Sec-Fetch-Mode": "navigate", "Accept": HTML, "Content-Type": "application/x-www-form-urlencoded"}, 303),
    ("a fetch that accepts HTML", "GET", {"Sec-Fetch-Mode": "cors", "Accept": HTML}, 401),
    ("an image", "GET", {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image", "Accept": "image/*"}, 401),
    ("an XHR of an old browser", "GET", {"Accept": HTML, "X-Requested-With": "XMLHttpRequest"}, 401),
    ("an API call", "GET", {"Accept": "application/json"}, 401),
    ("curl", "GET", {"Accept": "*/*"}, 401),
    ("a call without Accept", "GET", {}, 401),
    ("an API POST", "POST", {"Accept": "application/json", "Content-Type": "application/json"}, 401),
    ("a PUT", "PUT", {"Accept": HTML}, 401),
    ("a DELETE", "DELETE", {"Accept": "*/*"}, 401),
]


@pytest.mark.parametrize(("what", "method", "headers", "status"), CASES, ids=[case[0] for case in CASES])
def test_navigations_are_sent_to_the_login_and_everything_else_gets_401(gateway, upstream, client, what, method, headers, status):
    """§6 "Not signed in": 302 for a navigation, 303 for a form POST, 401 for the rest; nothing reaches the upstream."""
    marker = mark()
    client.headers.clear()
    response = client.request(method, gateway.url(f"/app/{marker}?q=1"), headers=headers, data=b"a=b" if method == "POST" else None, allow_redirects=False)
    assert response.status_code == status
    assert not upstream.saw(marker)
    assert "no-store" in response.headers["Cache-Control"]
    if status == 401:
        assert response.headers.get("WWW-Authenticate")
        error = response.json()["error"]
        assert error["code"] and error["message"] and error["request_id"]
        assert "/_gateway/login" in response.text, "the JSON names the login URL (§3)"
        assert not [cookie for cookie in response.headers.get("Set-Cookie", "").split(",") if cookie], "only navigations start logins"
    else:
        location = urlsplit(response.headers["Location"])
        assert location.path.startswith("/_gateway/login")
        assert location.netloc in ("", urlsplit(gateway.origin).netloc)
        if method == "GET":
            assert parse_qs(location.query)["rd"] == [f"/app/{marker}?q=1"]


def test_a_preflight_never_reaches_the_upstream_unauthenticated(gateway, upstream, client):
    """§6 "Not signed in": a preflight `OPTIONS` never reaches the upstream unauthenticated."""
    marker = mark()
    response = client.options(
        gateway.url(f"/app/{marker}"),
        headers={"Origin": "https://other.example", "Access-Control-Request-Method": "PUT"},
        allow_redirects=False,
    )
    assert response.status_code == 401
    assert not upstream.saw(marker)


def test_a_public_route_needs_nobody(gateway, upstream, client):
    """§2 routes: `access: public`."""
    marker = mark()
    assert client.get(gateway.url(f"/public/{marker}")).status_code == 200
    assert upstream.only(marker).target == f"/public/{marker}"


def test_deny_answers_401_to_a_navigation_too(start_gateway, dev, client):
    """§2 `onUnauthenticated: deny`."""
    gateway = start_gateway({"providers": [dev.configuration], "onUnauthenticated": "deny"})
    assert client.get(gateway.url("/"), headers=NAVIGATION, allow_redirects=False).status_code == 401


def test_redirect_answers_302_to_an_api_call_too(start_gateway, dev, client):
    """§2 `onUnauthenticated: redirect`."""
    gateway = start_gateway({"providers": [dev.configuration], "onUnauthenticated": "redirect"})
    assert client.get(gateway.url("/"), headers={"Accept": "application/json"}, allow_redirects=False).status_code == 302


@pytest.mark.parametrize(
    "header",
    [
        ("X-Forwarded-Uri", "/public/x"),
        ("X-Original-URL", "/public/x"),
        ("X-Rewrite-URL", "/public/x"),
        ("X-Forwarded-Path", "/public/x"),
        ("X-Forwarded-For", "127.0.0.1"),
        ("X-HTTP-Method-Override", "OPTIONS"),
        ("User-Agent", "GoogleHC/1.0"),
        ("User-Agent", "kube-probe/1.29"),
        ("Authorization", "Bearer anything"),
        ("Authorization", "Basic YWxpY2U6cGFzc3dvcmQ="),
    ],
    ids=lambda header: f"{header[0]}: {header[1]}",
)
def test_no_header_turns_a_refusal_into_a_permit(gateway, upstream, client, header):
    """advisories 3, 4, 5, 65: CVE-2026-40575, CVE-2026-76835, CVE-2026-34457, CVE-2022-29226."""
    marker = mark()
    response = client.get(gateway.url(f"/app/{marker}"), headers=dict([header]), allow_redirects=False)
    assert response.status_code == 401
    assert not upstream.saw(marker)


ESCAPES_FROM_PUBLIC = [
    "/public/../app/{}",
    "/public/%2e%2e/app/{}",
    "/public/%2E%2E/app/{}",
    "/public/.%2e/app/{}",
    "/public/..%2fapp/{}",
    "/public/..%5capp/{}",
    "/public/..;/app/{}",
    "/public/./../app/{}",
    "/public//../app/{}",
    "/app/{}?x=/public/y",
    "/app/{}?/public/",
    "/app/{}%3f/public/y",
    "/app/{};/public/y",
    "/app/{}%23/public/y",
    "/%61pp/{}",
    "//public/../app/{}",
]


@pytest.mark.parametrize("target", ESCAPES_FROM_PUBLIC)
def test_no_spelling_of_a_path_reaches_a_protected_place_through_a_public_one(gateway, upstream, target):
    """advisories 1, 2, 6 to 10, 14 to 16: the path that is matched is the path that is forwarded."""
    import wire

    marker = mark()
    request = f"GET {target.format(marker)} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nConnection: close\r\n\r\n"
    responses = wire.exchange(gateway.port, request.encode())
    assert [response.status for response in responses] in ([400], [401])
    assert not upstream.saw(marker)


def test_errors_of_the_gateway_never_quote_the_request(gateway, client):
    """§6 "Statuses": pages and JSON never carry text that came from the request (advisory 100 to 104)."""
    payload = "<script>alert(1)</script>"
    for path in (f"/_gateway/login/{payload}", f"/_gateway/callback/oidc.dev?error={payload}&error_description={payload}", f"/_gateway/nothing?{payload}"):
        response = client.get(gateway.url(path), headers=NAVIGATION, allow_redirects=False)
        assert "<script" not in response.text
        assert "alert(1)" not in response.text


def test_rules_admit_whom_they_name_and_nobody_else(gateway, dev):
    """§2 `access`: groups, emails, `*@domain`, anyOf; a refusal is 403 (advisory 90: each rule has a deny test)."""
    from logins import sign_in

    def statuses(session: requests.Session) -> dict[str, int]:
        return {path: session.get(gateway.url(f"/{path}/x"), allow_redirects=False).status_code for path in ("admins", "only-bob", "company", "either", "app")}

    assert statuses(sign_in(gateway, dev, person="alice")) == {"admins": 200, "only-bob": 403, "company": 200, "either": 200, "app": 200}
    assert statuses(sign_in(gateway, dev, person="bob")) == {"admins": 403, "only-bob": 200, "company": 200, "either": 200, "app": 200}
