"""Pushed authorization requests (RFC 9126), sender-constrained tokens (RFC 9449), acr and max_age, from the outside."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from conftest import mark
from logins import NAVIGATION, SESSION_COOKIE, callback_of, new_client, session_cookie, sign_in
from parts.dev_provider import CLIENT_ID, DevProvider
from parts.processes import eventually

SHORT_LIFETIME = 2  # seconds; an access token is due for a refresh after three quarters of it


@pytest.fixture(scope="module")
def dev(folder):
    part = DevProvider("dev-provider-strength", folder)
    yield part.wait()
    part.process.kill()


@pytest.fixture(autouse=True)
def well_behaved(dev):
    yield
    dev.control(faults=[], pushedAuthorization="off", dpop="off", accessTokenLifetime=300)


@pytest.fixture
def start(start_gateway, dev):
    """A gateway that has discovered the provider as it is set up at that moment."""
    started = []

    def begin(provider=None, **configuration):
        started.append(start_gateway({"providers": [{**dev.configuration, **(provider or {})}], **configuration}))
        return started[-1]

    yield begin
    for gateway in started:
        gateway.kill()


def location_of_login(gateway, client=None):
    return (client or new_client()).get(gateway.own("/login"), headers=NAVIGATION, allow_redirects=False, timeout=60)


# --- RFC 9126 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offer, setting", [("required", "auto"), ("offered", "required")])
def test_o21_the_address_holds_nothing_but_client_and_reference(start, dev, offer, setting):
    """RFC 9126 sections 2.1, 2.2 and 4; each sign-in pushes anew, and the provider takes each reference once."""
    dev.control(pushedAuthorization=offer)
    gateway = start({"pushedAuthorization": setting, "customParameters": {"ui_locales": "fr"}})
    before = dev.counters()["pushed-authorization"]
    response = location_of_login(gateway)
    query = parse_qs(urlsplit(response.headers["Location"]).query)
    assert set(query) == {"client_id", "request_uri"} and query["client_id"] == [CLIENT_ID]
    assert sign_in(gateway, dev).get(gateway.url("/app/x")).status_code == 200
    assert dev.counters()["pushed-authorization"] == before + 2


def test_what_is_offered_is_not_used_unless_it_is_asked_for(start, dev):
    dev.control(pushedAuthorization="offered")
    assert "state" in parse_qs(urlsplit(location_of_login(start()).headers["Location"]).query)


def test_o22_a_provider_that_requires_it_is_never_asked_without(start, dev):
    dev.control(pushedAuthorization="required")
    gateway = start({"pushedAuthorization": "off"})
    response = location_of_login(gateway)
    assert response.status_code == 502 and "Location" not in response.headers
    assert "pushedAuthorization is off" in gateway.log


@pytest.mark.parametrize(
    "fault, code",
    [
        ("pushing.invalid-request", "auth/provider-error"),
        ("pushing.request-uri-missing", "auth/invalid-token-response"),
        ("pushing.request-uri-number", "auth/invalid-token-response"),
        ("pushing.expiry-missing", "auth/invalid-token-response"),
        ("pushing.expiry-negative", "auth/invalid-token-response"),
        *((f"pushed-authorization.{name}", None) for name in "500 503 html empty truncated array duplicate-members redirect close huge".split()),
    ],
)
def test_o23_a_push_that_fails_is_a_page_and_no_request_in_the_open(start, dev, fault, code):
    """RFC 9126 section 2.3: whatever went wrong, the parameters do not go through the browser instead."""
    dev.control(pushedAuthorization="required")
    gateway = start()
    with dev.misbehaving(fault):
        response = location_of_login(gateway)
        assert response.status_code in (502, 504) and "Location" not in response.headers, response.text
        assert response.headers["Content-Type"].startswith("text/html")
        assert code is None or code in response.text
    assert location_of_login(gateway).status_code == 302


def test_a_reference_that_has_expired_is_pushed_anew_by_the_next_login(start, dev):
    dev.control(pushedAuthorization="required")
    gateway = start()
    client = new_client()
    with dev.misbehaving("pushing.expired"):
        page = client.get(gateway.own("/login"), headers=NAVIGATION, timeout=60)
        assert page.status_code == 400 and "expired" in page.text
    assert sign_in(gateway, dev, client).get(gateway.url("/app/x")).status_code == 200


def test_a_request_uri_from_a_browser_goes_nowhere(start, dev):
    """Reserved (contract section 2): dropped, in either way of asking."""
    dev.control(pushedAuthorization="required")
    gateway = start({"requestParameters": ["ui_locales"]})
    response = new_client().get(
        gateway.own("/login/oidc.dev"), params={"request_uri": "https://evil.example/r", "request": "x"}, headers=NAVIGATION, allow_redirects=False
    )
    assert "evil" not in response.headers["Location"]
    assert len(parse_qs(urlsplit(response.headers["Location"]).query)["request_uri"]) == 1


# --- RFC 9449 ----------------------------------------------------------------------------------------------------------


def wait_for_a_refresh(gateway, dev, client, before: int) -> None:
    """Asks until the access token is in the last quarter of its lifetime."""

    def is_refreshed() -> bool:
        assert client.get(gateway.url("/app/x")).status_code == 200
        return dev.counters()["refresh"] > before

    eventually(is_refreshed, "a refresh")


@pytest.mark.parametrize("mode", ["offered", "required", "nonce"])
def test_o24_tokens_are_bound_and_every_call_proves_the_key(start, dev, mode):
    """The provider checks typ, key, htm, htu, iat, a fresh jti, ath at userinfo and its nonce; the key outlives a restart in the session."""
    dev.control(dpop=mode, accessTokenLifetime=SHORT_LIFETIME)
    gateway = start()
    client = new_client()
    location = parse_qs(urlsplit(location_of_login(gateway, client).headers["Location"]).query)
    assert len(location["dpop_jkt"][0]) == 43
    sign_in(gateway, dev, client)
    before = dev.counters()["refresh"]
    dev.control(accessTokenLifetime=300)
    gateway.restart()
    wait_for_a_refresh(gateway, dev, client, before)
    assert dev.counters()["refresh"] == before + (2 if mode == "nonce" else 1)
    assert "refresh-refused" not in gateway.log


def test_every_session_has_a_key_of_its_own(start, dev):
    dev.control(dpop="offered")
    gateway = start()
    thumbprints = {parse_qs(urlsplit(location_of_login(gateway).headers["Location"]).query)["dpop_jkt"][0] for _ in range(4)}
    assert len(thumbprints) == 4


def test_o25_a_server_that_never_takes_its_nonce_is_asked_twice_and_no_more(start, dev):
    dev.control(dpop="offered")
    gateway = start()
    with dev.misbehaving("proof.nonce-forever"):
        client = new_client()
        callback = callback_of(gateway, dev, client)
        before = dev.counters()["token"]
        assert client.get(callback, headers=NAVIGATION, allow_redirects=False).status_code == 502
        assert dev.counters()["token"] == before + 2
        assert SESSION_COOKIE not in client.cookies


def test_o26_unbound_tokens_are_refused_where_dpop_is_required(start, dev):
    dev.control(dpop="offered")
    with dev.misbehaving("proof.ignored"):
        strict, lenient = start({"dpop": "required"}), start()
        client = new_client()
        response = client.get(callback_of(strict, dev, client), headers=NAVIGATION, allow_redirects=False)
        assert response.status_code == 502 and SESSION_COOKIE not in client.cookies
        assert "token_type is not DPoP" in strict.log
        assert sign_in(lenient, dev).get(lenient.url("/app/x")).status_code == 200


def test_a_bound_token_is_not_handed_to_an_app_that_could_not_use_it(start, dev, upstream, minted):
    """With a route that asks for the access token, `auto` leaves tokens unbound."""
    dev.control(dpop="offered")
    gateway = start(routes=[{"path": "/calls/**", "requestHeaders": {"set": {"X-Access-Token": "{{ accessToken }}"}}}])
    client = sign_in(gateway, dev)
    marker = mark()
    assert client.get(gateway.url(f"/calls/{marker}")).status_code == 200
    token = upstream.only(marker).value("X-Access-Token")
    assert token and token.startswith("at-")
    minted.add(token)


# --- acr_values, max_age -----------------------------------------------------------------------------------------------


def test_core_3_1_3_7_step_12_what_is_asked_for_must_come(start, dev):
    """The provider sends no acr, so a sign-in that asks for one fails closed."""
    gateway = start({"customParameters": {"acr_values": "urn:example:gold"}})
    client = new_client()
    assert client.get(callback_of(gateway, dev, client), headers=NAVIGATION, allow_redirects=False).status_code == 502
    assert "acr is not among the requested values" in gateway.log


def test_core_3_1_3_7_step_13_max_age_is_checked_and_not_only_sent(start, dev):
    gateway = start({"customParameters": {"max_age": "60"}})
    for fault, status in (("id-token.auth-time-missing", 502), ("id-token.auth-time-old", 502), (None, 303)):
        dev.control(faults=[fault] if fault else [])
        client = new_client()
        assert client.get(callback_of(gateway, dev, client), headers=NAVIGATION, allow_redirects=False).status_code == status, fault


@pytest.mark.parametrize("max_age", [2**63 - 1, 2**63 - 60, 2**64, -1, "1e9"])
def test_a_max_age_from_a_browser_that_is_out_of_range_is_dropped_and_crashes_nothing(start, dev, max_age):
    """A link with a `max_age` near the largest 64-bit integer used to end the process when the sign-in came back."""
    gateway = start({"requestParameters": ["max_age"]})
    client = new_client()
    response = client.get(gateway.own("/login"), params={"max_age": max_age}, headers=NAVIGATION, allow_redirects=False, timeout=60)
    callback = dev.sign_in(client, client.get(response.headers["Location"], headers=NAVIGATION, timeout=60), "alice")
    assert client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == 303
    assert "max_age" not in parse_qs(urlsplit(response.headers["Location"]).query)
    assert gateway.alive
    assert "not a number of seconds from 0 to 315360000" in gateway.log


@pytest.mark.parametrize("max_age", [str(2**63 - 1), str(2**63 - 60), "9" * 40, "315360000"])
def test_a_configured_max_age_that_is_out_of_range_counts_as_the_largest_and_crashes_nothing(start, dev, max_age):
    gateway = start({"customParameters": {"max_age": max_age}})
    for fault, status in ((None, 303), ("id-token.auth-time-missing", 502)):
        dev.control(faults=[fault] if fault else [])
        client = new_client()
        assert client.get(callback_of(gateway, dev, client), headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == status, fault
        assert gateway.alive


# --- Tokens for the app ------------------------------------------------------------------------------------------------

TOKEN_ROUTES = [
    {"path": "/both/**", "requestHeaders": {"set": {"X-Forwarded-Access-Token": "{{ accessToken }}", "X-ID-Token": "{{ idToken }}"}}},
    {"path": "/calls/**", "requestHeaders": {"set": {"Authorization": "Bearer {{ accessToken }}"}}},
    {"path": "/public/**", "access": "public", "requestHeaders": {"set": {"X-Forwarded-Access-Token": "{{ accessToken }}"}}},
    {"path": "/open/**", "access": "public"},
]


def test_d4_d5_tokens_go_to_the_routes_that_ask_and_to_no_other(start, dev, upstream, minted):
    gateway = start(routes=TOKEN_ROUTES)
    client = sign_in(gateway, dev)
    markers = {path: mark() for path in ("both", "calls", "public", "elsewhere", "open")}
    forged = {"X-Forwarded-Access-Token": "forged", "x_forwarded.access-token": "forged", "X-ID-Token": "forged", "Authorization": "Bearer forged"}
    for path, marker in markers.items():
        assert client.get(gateway.url(f"/{path}/{marker}"), headers=forged).status_code == 200
    found = {path: upstream.only(marker) for path, marker in markers.items()}
    token = found["both"].value("X-Forwarded-Access-Token")
    assert token and token.startswith("at-") and found["both"].value("X-ID-Token").count(".") == 2
    minted.update({token, found["both"].value("X-ID-Token")})
    assert found["calls"].value("Authorization") == f"Bearer {token}"
    assert found["public"].value("X-Forwarded-Access-Token") == token
    for path in ("elsewhere", "open"):
        assert found[path].value("X-Forwarded-Access-Token") is None and found[path].value("X-ID-Token") is None
    for recording in found.values():
        assert b"forged" not in recording.head
    anonymous = mark()
    assert new_client().get(gateway.url(f"/public/{anonymous}"), headers=forged).status_code == 200
    assert upstream.only(anonymous).value("X-Forwarded-Access-Token") is None
    assert token not in gateway.log


def test_d4_the_access_token_is_refreshed_when_due_and_absent_when_it_has_expired(start, dev, upstream, minted):
    dev.control(accessTokenLifetime=SHORT_LIFETIME)
    gateway = start(routes=TOKEN_ROUTES)
    client = sign_in(gateway, dev)
    before = dev.counters()["refresh"]
    dev.control(accessTokenLifetime=300)
    wait_for_a_refresh(gateway, dev, client, before)
    first, second = mark(), mark()
    assert client.get(gateway.url(f"/both/{first}")).status_code == 200
    assert client.get(gateway.url(f"/both/{second}")).status_code == 200
    tokens = [upstream.only(marker).value("X-Forwarded-Access-Token") for marker in (first, second)]
    minted.update(tokens)
    assert tokens[0] == tokens[1] and dev.counters()["refresh"] == before + 1


def test_d5_a_provider_without_id_tokens_is_no_error(start_gateway, dev, upstream, minted):
    gateway = start_gateway({"providers": [dev.github_configuration], "routes": TOKEN_ROUTES}, name="gateway-tokens-github")
    try:
        client = new_client()
        page = client.get(gateway.own("/login"), headers=NAVIGATION, timeout=60)
        client.get(dev.sign_in(client, page, "alice"), headers=NAVIGATION, allow_redirects=False)
        minted.add(session_cookie(client))
        marker = mark()
        assert client.get(gateway.url(f"/both/{marker}")).status_code == 200
        recording = upstream.only(marker)
        assert recording.value("X-ID-Token") is None and recording.value("X-Forwarded-Access-Token")
        minted.add(recording.value("X-Forwarded-Access-Token"))
    finally:
        gateway.kill()


# --- Logout messages of the provider -----------------------------------------------------------------------------------


@pytest.fixture
def signed_in(start, dev, upstream, minted):
    """A gateway, two browsers of alice's with a session each, and the `sid` of the first."""
    from jwt_reading import claims

    gateway = start(routes=[*TOKEN_ROUTES, {"path": "/api/**", "bearer": {"providers": ["oidc.dev"]}}])
    clients = [sign_in(gateway, dev), sign_in(gateway, dev)]
    marker = mark()
    clients[0].get(gateway.url(f"/both/{marker}"))
    token = upstream.only(marker).value("X-ID-Token")
    minted.add(token)
    return gateway, clients, claims(token)["sid"], token


def logout_token(dev, minted, **wanted) -> str:
    token = dev.control(logoutToken={"client": CLIENT_ID, "person": "alice", **wanted})["logoutToken"]
    minted.add(token)
    return token


def send_logout(gateway, token, **more):
    return new_client().post(gateway.own("/backchannel-logout/oidc.dev"), data={"logout_token": token, **more}, timeout=60)


def is_signed_in(gateway, client) -> bool:
    status = client.get(gateway.url("/app/x"), headers={"Accept": "application/json"}, allow_redirects=False).status_code
    assert status in (200, 401)
    return status == 200


def test_backchannel_logout_with_sid_ends_that_session_and_its_tokens(signed_in, dev, minted):
    """Back-Channel Logout 1.0 sections 2.5 to 2.8."""
    gateway, (first, second), sid, token = signed_in
    bearer = {"Authorization": f"Bearer {token}"}
    assert new_client().get(gateway.url("/api/x"), headers=bearer).status_code == 200
    logout = logout_token(dev, minted, sid=sid)
    response = send_logout(gateway, logout, unknown="ignored")
    assert response.status_code == 200 and response.headers["Cache-Control"] == "no-store"
    assert not is_signed_in(gateway, first) and is_signed_in(gateway, second)
    assert new_client().get(gateway.url("/api/x"), headers=bearer).status_code == 401
    again = send_logout(gateway, logout)
    assert again.status_code == 400 and again.headers["Cache-Control"] == "no-store"
    assert again.json()["error"]["code"] == "auth/invalid-logout-token"


def test_backchannel_logout_with_sub_alone_ends_all_of_the_persons_sessions(signed_in, dev, minted):
    gateway, clients, _, _ = signed_in
    bob = sign_in(gateway, dev, person="bob")
    assert send_logout(gateway, logout_token(dev, minted)).status_code == 200
    assert not any(is_signed_in(gateway, client) for client in clients)
    assert is_signed_in(gateway, bob)


def test_what_is_no_logout_token_ends_nothing(signed_in, dev, minted):
    gateway, (first, _), sid, id_token = signed_in
    own = gateway.own("/backchannel-logout/oidc.dev")
    good = logout_token(dev, minted, sid=sid)
    for body in ({}, {"logout_token": "x"}, {"logout_token": id_token}, {"logout_token": good[:-4] + "AAAA"}):
        assert new_client().post(own, data=body).status_code == 400, list(body)
    assert new_client().post(own, data=[("logout_token", good), ("logout_token", good)]).status_code == 400
    assert new_client().post(own, json={"logout_token": good}).status_code == 400
    assert new_client().get(own, headers={"Accept": "application/json"}).status_code == 405
    assert new_client().post(gateway.own("/backchannel-logout/oidc.nobody"), data={"logout_token": good}).status_code == 404
    foreign = logout_token(dev, minted, sid=sid, client="another-client")
    assert send_logout(gateway, foreign).status_code == 400
    assert is_signed_in(gateway, first)


def test_frontchannel_logout_ends_the_named_session_only(signed_in, dev):
    """Front-Channel Logout 1.0 sections 2 and 3."""
    gateway, (first, second), sid, _ = signed_in
    own = gateway.own("/frontchannel-logout/oidc.dev")
    for query in ({"iss": dev.issuer}, {"sid": sid}, {}, {"iss": dev.issuer + "/", "sid": sid}, [("iss", dev.issuer), ("sid", sid), ("sid", "x")]):
        assert new_client().get(own, params=query).status_code == 400, query
    assert new_client().get(own, params={"iss": dev.issuer, "sid": "another"}).status_code == 200
    assert is_signed_in(gateway, first)
    response = new_client().get(own, params={"iss": dev.issuer, "sid": sid})
    assert response.status_code == 200 and response.headers["Cache-Control"] == "no-store"
    assert f"frame-ancestors {dev.origin}" in response.headers["Content-Security-Policy"] and "X-Frame-Options" not in response.headers
    assert not is_signed_in(gateway, first) and is_signed_in(gateway, second)
