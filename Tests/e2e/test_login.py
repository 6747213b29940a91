"""The way of one login, seen from the browser's side without a browser: contract §3, RFC 9700, RFC 9207."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit, urlunsplit

import pytest
import requests

from conftest import mark
from logins import NAVIGATION, SESSION_COOKIE, callback_of, leaves_origin, new_client, page_problems, sign_in


def visit(client: requests.Session, url: str) -> requests.Response:
    return client.get(url, headers=NAVIGATION, allow_redirects=False, timeout=60)


def without_session(client: requests.Session) -> bool:
    return not client.cookies.get(SESSION_COOKIE)


def changed(url: str, **changes: str | None) -> str:
    """`url` with query parameters replaced, or removed where the value is None."""
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in changes]
    query += [(name, value) for name, value in changes.items() if value is not None]
    return urlunsplit(parts._replace(query=urlencode(query)))


def authorization_request(gateway, client: requests.Session, path: str = "/login/oidc.dev", query: str = "") -> dict[str, list[str]]:
    response = visit(client, gateway.own(path + query))
    assert response.status_code == 302, response.text[:500]
    return parse_qs(urlsplit(response.headers["Location"]).query, keep_blank_values=True)


# --- Starting -----------------------------------------------------------------------------------------------------------


def test_a_login_asks_for_a_code_with_pkce_state_and_nonce(gateway, dev, client):
    """RFC 9700 2.1.1 (B4, B8), OpenID Connect Core 3.1.2.1, RFC 7636 4.2."""
    sent = authorization_request(gateway, client, f"/login/{dev.configuration['id']}")
    assert sent["response_type"] == ["code"]
    assert sent["client_id"] == [dev.configuration["clientID"]]
    assert sent["redirect_uri"] == [gateway.own(f"/callback/{dev.configuration['id']}")]
    assert set(sent["scope"][0].split()) >= {"openid", "profile", "email"}
    assert sent["code_challenge_method"] == ["S256"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", sent["code_challenge"][0])
    assert len(sent["state"][0]) >= 22 and len(sent["nonce"][0]) >= 22
    assert all(len(values) == 1 for values in sent.values()), "no parameter twice"


def test_every_login_has_its_own_state_nonce_and_challenge(gateway, dev, client):
    """RFC 7636 7.1, advisory 70."""
    requests_sent = [authorization_request(gateway, client, f"/login/{dev.configuration['id']}") for _ in range(5)]
    for name in ("state", "nonce", "code_challenge"):
        assert len({sent[name][0] for sent in requests_sent}) == 5


def test_custom_and_request_parameters_go_out_and_reserved_ones_never(start_gateway, dev, client):
    """§2 `customParameters`, `requestParameters`, reserved parameters (advisories 77, 78): in any case, however often."""
    gateway = start_gateway(
        {"providers": [{**dev.configuration, "customParameters": {"prompt": "login", "language": "fr"}, "requestParameters": ["login_hint", "ui_locales"]}]}
    )
    path = f"/login/{dev.configuration['id']}"
    sent = authorization_request(gateway, client, path, "?login_hint=a%40b.example&evil=1&rd=/")
    assert sent["prompt"] == ["login"] and sent["language"] == ["fr"]
    assert sent["login_hint"] == ["a@b.example"]
    assert "evil" not in sent
    reserved = "client_id redirect_uri response_type scope state response_mode nonce code_challenge code_challenge_method request request_uri".split()
    for name in reserved + [name.upper() for name in reserved]:
        sent = authorization_request(gateway, client, path, f"?{name}=planted-by-a-link")
        assert "planted-by-a-link" not in str(sent), name
    sent = authorization_request(gateway, client, path, "?ui_locales=fr&ui_locales=de")
    assert "ui_locales" not in sent, "sent twice by a browser, it is dropped (§6 Providers)"


def test_an_unknown_provider_is_a_404_page(gateway, client):
    """§3 `GET /login/{provider}`."""
    for name in ("oidc.nobody", "", "..", "%2e%2e", "github.com"):
        response = visit(client, gateway.own(f"/login/{name}x"))
        assert response.status_code in (400, 404), name
        assert without_session(client)
    response = visit(client, gateway.own("/login/oidc.nobody"))
    assert response.status_code == 404 and "text/html" in response.headers["Content-Type"]
    assert page_problems(response) == []


def test_one_provider_goes_straight_to_it_and_two_have_a_page(gateway, start_gateway, dev, client):
    """§3 `GET /login`: one button per provider; one provider, straight to it."""
    first = visit(client, gateway.own("/login?rd=/x"))
    assert first.status_code == 302
    second = {**dev.configuration, "id": "oidc.second", "displayName": "The Second <b>One</b>"}
    two = start_gateway({"providers": [dev.configuration, second]})
    page = visit(client, two.own("/login?rd=/x%3Fa%3D1"))
    assert page.status_code == 200
    assert page_problems(page) == []
    assert f"/_gateway/login/{dev.configuration['id']}" in page.text and "/_gateway/login/oidc.second" in page.text
    assert "The Second &lt;b&gt;One&lt;/b&gt;" in page.text
    assert "<script" not in page.text
    assert 'lang="' in page.text and "<h1" in page.text


def test_each_provider_has_a_redirect_uri_of_its_own(start_gateway, dev, client):
    """RFC 9700 2.1, 4.4.2.2 (B7): a callback meant for one provider is refused at another's."""
    second = {**dev.configuration, "id": "oidc.second"}
    gateway = start_gateway({"providers": [dev.configuration, second]})
    one = authorization_request(gateway, client, f"/login/{dev.configuration['id']}")
    two = authorization_request(gateway, client, "/login/oidc.second")
    assert one["redirect_uri"] != two["redirect_uri"]
    page = client.get(gateway.own("/login/oidc.second"), headers=NAVIGATION, timeout=60)
    callback = dev.sign_in(client, page, "alice")
    response = visit(client, callback.replace("oidc.second", dev.configuration["id"]))
    assert response.status_code != 303 or not urlsplit(response.headers["Location"]).path == "/"
    assert without_session(client)


def test_no_number_of_logins_piles_up_cookies(gateway, client):
    """design §5; peers: mod_auth_openidc#331: capped, the oldest are evicted."""
    for _ in range(40):
        visit(client, gateway.own("/login?rd=/"))
    assert len(client.cookies) <= 12
    assert sum(len(cookie.name) + len(cookie.value or "") for cookie in client.cookies) <= 8192


def test_the_transaction_cookie_is_short_lived_httponly_and_lax(gateway, client):
    """RFC 6265bis C2, C3; design §5."""
    response = visit(client, gateway.own("/login?rd=/"))
    set_cookie = response.headers["Set-Cookie"]
    assert "httponly" in set_cookie.lower() and "samesite=lax" in set_cookie.lower()
    max_age = re.search(r"(?i)max-age=(\d+)", set_cookie)
    assert max_age and 0 < int(max_age.group(1)) <= 3600


# --- Coming back --------------------------------------------------------------------------------------------------------


def test_a_login_ends_at_the_place_where_it_began(gateway, dev, upstream, client):
    """§3 `/callback/{provider}`: 303 to `rd`; the cookie is HttpOnly, Lax, on /."""
    marker = mark()
    first = visit(client, gateway.url(f"/app/{marker}?a=1&b=%C3%A9"))
    page = client.get(first.headers["Location"] if "://" in first.headers["Location"] else gateway.url(first.headers["Location"]), headers=NAVIGATION, timeout=60)
    response = visit(client, dev.sign_in(client, page, "alice"))
    assert response.status_code == 303
    assert response.headers["Location"] in (f"/app/{marker}?a=1&b=%C3%A9", gateway.url(f"/app/{marker}?a=1&b=%C3%A9"))
    assert "no-store" in response.headers["Cache-Control"]
    cookie = next(value for value in response.raw.headers.getlist("Set-Cookie") if value.startswith("session="))
    lowered = cookie.lower()
    assert "httponly" in lowered and "samesite=lax" in lowered and "path=/" in lowered and "domain" not in lowered
    assert visit(client, gateway.url(f"/app/{marker}?a=1&b=%C3%A9")).status_code == 200
    assert upstream.only(marker).target == f"/app/{marker}?a=1&b=%C3%A9"


RD = [
    "https://evil.example/",
    "http://evil.example",
    "//evil.example/",
    "///evil.example/",
    "////evil.example/",
    "/\\evil.example/",
    "\\/evil.example/",
    "\\\\evil.example/",
    "/\\/evil.example",
    "/\t/evil.example/",
    "/\n/evil.example/",
    "/\r\n/evil.example/",
    "\t//evil.example/",
    " //evil.example/",
    "\x00//evil.example/",
    "/%09/evil.example/",
    "/%0a/evil.example/",
    "/%0d%0aSet-Cookie:%20session=planted",
    "/%5cevil.example/",
    "/%2f/evil.example/",
    "%2f%2fevil.example/",
    "/%2fevil.example/",
    "/.//evil.example/",
    "/./\\evil.example/",
    "/../\\evil.example/",
    "/..//evil.example/",
    "/x/..//evil.example/",
    "/ \t/evil.example/",
    "https:evil.example",
    "https:/evil.example",
    "https:/\\evil.example",
    "HtTpS://evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "@evil.example",
    ":@evil.example/",
    "http://{host}@evil.example/",
    "//{host}@evil.example/",
    "http://{host}.evil.example/",
    "//{host}.evil.example",
    "http://{host}\\@evil.example/",
    "http://{host}%2f@evil.example/",
    "http://{host}#@evil.example/",
    "http://evil.example#{host}",
    "http://evil.example?{host}",
    "http://evil.example\\{host}",
    "https://{host}/",
    "ftp://{host}/",
    "//%65vil.example/",
    "//evil%2eexample/",
    "//evil\u3002example/",
    "/\u2215/evil.example",
    "\u2028//evil.example/",
    "\ufeff//evil.example/",
    "http://[::1]@evil.example/",
    "//[::ffff:203.0.113.1]/",
    "//3405803777/",
    "?//evil.example",
    "#//evil.example",
    "",
    "relative/path",
    "../up",
    "/ok\r\nLocation: https://evil.example/",
    "/_gateway/login?rd=//evil.example",
    "/_gateway/logout",
]


@pytest.mark.parametrize("payload", RD, ids=lambda payload: repr(payload)[1:-1])
@pytest.mark.parametrize("sent", ["encoded", "encoded twice"])
def test_rd_never_leaves_the_origin(gateway, dev, payload, sent):
    """§3 `rd`; RFC 9700 4.11.1 (B1); advisories 35 to 49."""
    client = new_client()
    payload = payload.replace("{host}", urlsplit(gateway.origin).netloc)
    value = quote(payload, safe="")
    if sent == "encoded twice":
        value = quote(value, safe="")
    start = client.get(gateway.own(f"/login?rd={value}"), headers=NAVIGATION, timeout=60)
    if start.status_code == 400:
        return  # refusing it before anything starts is as good
    response = visit(client, dev.sign_in(client, start, "alice"))
    assert response.status_code == 303
    location = response.headers["Location"]
    assert not leaves_origin(location, gateway.url("/_gateway/callback/oidc.dev")), location
    assert not re.search(r"[\x00-\x20\x7f\\]", location), repr(location)
    assert not location.startswith("//")
    assert all("planted" not in cookie for cookie in response.raw.headers.getlist("Set-Cookie"))


@pytest.mark.parametrize("payload", ["//evil.example/", "/\\evil.example", "https://evil.example/", "/\t/evil.example"])
def test_rd_of_the_logout_goes_through_the_same_check(gateway, dev, payload):
    """advisory 41: CVE-2021-32786, one validator for every address."""
    from test_logout import log_out

    client = sign_in(gateway, dev)
    response = log_out(gateway, client, rd=payload)
    location = response.headers["Location"]
    assert "evil.example" not in location


def test_an_origin_that_the_configuration_lists_is_allowed(start_gateway, dev, client):
    """§6 "More keys": `server.allowedRedirects`, compared as an origin and not as a prefix (advisories 39, 49)."""
    gateway = start_gateway({"providers": [dev.configuration], "server": {"allowedRedirects": ["https://other.example.com"]}})

    def destination(rd: str) -> str:
        browser = new_client()
        start = browser.get(gateway.own("/login"), params={"rd": rd}, headers=NAVIGATION, timeout=60)
        return visit(browser, dev.sign_in(browser, start, "alice")).headers["Location"]

    assert destination("https://other.example.com/x") == "https://other.example.com/x"
    for rd in ("https://other.example.com.evil.example/", "https://other.example.com@evil.example/", "http://other.example.com/", "https://other.example.com:444/", "https://evilother.example.com/"):
        assert not destination(rd).startswith("http") or destination(rd).startswith(gateway.origin), rd


def test_a_callback_without_the_browsers_transaction_is_refused(gateway, dev, client):
    """RFC 9700 4.7.1 (B2): login CSRF, with no cookie and with another browser's."""
    victim = new_client()
    callback = callback_of(gateway, dev, client)
    visit(victim, callback)
    assert without_session(victim)
    visit(victim, gateway.own("/login?rd=/"))  # a transaction, but not this one
    response = visit(victim, callback)
    assert without_session(victim)
    assert not (response.status_code == 303 and response.headers["Location"] == "/")


def test_a_callback_works_once(gateway, dev, client):
    """RFC 9700 4.2.4, 4.7.1 (B3): the same callback a second time gives no second session, even without the first one's cookie."""
    callback = callback_of(gateway, dev, client)
    before = {cookie.name: cookie.value for cookie in client.cookies}
    assert visit(client, callback).status_code == 303
    exchanges = dev.counters()["token"]
    again = new_client()
    for name, value in before.items():  # a thief who copied the transaction cookie before the browser used it
        again.cookies.set(name, value, domain="127.0.0.1", path="/")
    visit(again, callback)
    assert without_session(again)
    assert dev.counters()["token"] in (exchanges, exchanges + 1)


def test_a_late_callback_with_a_live_session_goes_to_the_app(gateway, dev, client):
    """design §5, peers: oauth2-proxy#817, mod_auth_openidc#409: never an error page."""
    callback = callback_of(gateway, dev, client, rd="/somewhere")
    assert visit(client, callback).status_code == 303
    session = client.cookies.get(SESSION_COOKIE)
    response = visit(client, callback)
    assert response.status_code in (302, 303)
    assert not response.headers["Location"].startswith("/_gateway/login")
    assert not leaves_origin(response.headers["Location"], gateway.origin + "/")
    assert client.cookies.get(SESSION_COOKIE) == session


def test_a_late_callback_without_a_session_restarts_the_login(gateway, dev, client):
    """design §5, peers: mod_auth_openidc#86: a used transaction, met again with Back or from the history, restarts the login."""
    callback = callback_of(gateway, dev, client)
    assert visit(client, callback).status_code == 303
    client.cookies.clear()
    response = visit(client, callback)
    assert response.status_code in (302, 303), response.text[:500]
    location = response.headers["Location"]
    assert "/_gateway/login" in location or location.startswith(dev.issuer)
    assert without_session(client)


def test_five_logins_begun_together_all_succeed(gateway, dev, client):
    """issue: five tabs at once, in any order (peers: oauth2-proxy#817, lua-resty-openidc#482)."""
    callbacks = [callback_of(gateway, dev, client, rd=f"/tab/{number}") for number in range(5)]
    for number in (3, 0, 4, 2, 1):
        response = visit(client, callbacks[number])
        assert response.status_code == 303
        assert response.headers["Location"].endswith(f"/tab/{number}")


CALLBACK_FAULTS = [
    ("no state", {"state": None}),
    ("an empty state", {"state": ""}),
    ("a foreign state", {"state": "x" * 43}),
    ("a huge state", {"state": "x" * 6000}),
    ("no code", {"code": None}),
    ("an empty code", {"code": ""}),
    ("an error as well as a code", {"error": "access_denied"}),
    ("an error instead of a code", {"code": None, "error": "access_denied", "error_description": "<script>alert(1)</script>"}),
    ("a foreign iss", {"iss": "https://evil.example"}),
    ("iss with a trailing slash", {"iss": "ISSUER/"}),
    ("iss in capitals", {"iss": "HTTP://LOCALHOST"}),
]


@pytest.mark.parametrize(("what", "changes"), CALLBACK_FAULTS, ids=[case[0] for case in CALLBACK_FAULTS])
def test_a_callback_with_a_fault_makes_no_session_and_asks_for_no_token(folder, start_gateway, what, changes):
    """RFC 6749 4.1.2 (O5 to O7), RFC 9207 2.4 (O18, O20), RFC 9700 4.7.1."""
    gateway, dev = fault_pair(folder, start_gateway)
    client = new_client()
    callback = callback_of(gateway, dev, client)
    exchanges = dev.counters()["token"]
    response = visit(client, changed(callback, **{name: value.replace("ISSUER", dev.issuer) if value else value for name, value in changes.items()}))
    assert without_session(client)
    assert dev.counters()["token"] == exchanges
    assert "<script" not in response.text and "alert(1)" not in response.text
    if response.status_code >= 400:
        assert response.status_code in (400, 403)
        assert page_problems(response) == []
    else:
        assert "/_gateway/login" in response.headers["Location"] or response.headers["Location"].startswith(dev.issuer)


@pytest.mark.parametrize("name", ["code", "state", "error", "iss"])
def test_a_protocol_parameter_twice_is_refused(folder, start_gateway, name):
    """RFC 6749 3.1 (O4), advisory 76: neither the first nor the last wins."""
    gateway, dev = fault_pair(folder, start_gateway)
    client = new_client()
    callback = callback_of(gateway, dev, client)
    exchanges = dev.counters()["token"]
    given = parse_qs(urlsplit(callback).query).get(name, ["access_denied"])[0]
    response = visit(client, f"{callback}&{name}={quote(given)}" + ("" if name != "error" else f"&error={quote(given)}"))
    assert response.status_code == 400
    assert without_session(client)
    assert dev.counters()["token"] == exchanges


def test_unknown_parameters_of_a_callback_are_ignored(gateway, dev, client):
    """RFC 6749 4.1.2 (O5)."""
    assert visit(client, changed(callback_of(gateway, dev, client), session_state="abc", foo="bar")).status_code == 303


def test_a_code_of_another_login_is_refused(gateway, dev, client):
    """RFC 9700 4.5.3.2 (B6): code injection; the verifier and the nonce bind a code to its login."""
    other = new_client()
    stolen = parse_qs(urlsplit(callback_of(gateway, dev, other)).query)["code"][0]
    response = visit(client, changed(callback_of(gateway, dev, client), code=stolen))
    assert response.status_code >= 400
    assert without_session(client)


def test_a_login_gives_a_new_session_whatever_the_browser_brought(gateway, dev, client):
    """RFC 6265bis C12, advisory 60: no session fixation."""
    sign_in(gateway, dev, client)
    first = client.cookies.get(SESSION_COOKIE)
    visit(client, callback_of(gateway, dev, client))
    assert client.cookies.get(SESSION_COOKIE) != first


_pair = None


def fault_pair(folder, start_gateway):
    """A provider and a gateway that no other file counts calls of."""
    global _pair
    if _pair is None:
        from parts.dev_provider import DevProvider

        dev = DevProvider("dev-provider-callbacks", folder).wait()
        _pair = (start_gateway({"providers": [dev.configuration]}), dev)
    return _pair


@pytest.fixture(scope="module", autouse=True)
def end_of_the_pair():
    yield
    if _pair is not None:
        _pair[1].process.kill()
