"""Tokens of a provider instead of a session: `Authorization: Bearer`, and `POST /session` (docs/bearer.md; seeds G1 to G4)."""

from __future__ import annotations

import concurrent.futures
import hashlib
import secrets
import threading

import pytest
import requests
from requests.adapters import HTTPAdapter

from conftest import mark
from jwt_reading import claims
from logins import NAVIGATION, SESSION_COOKIE, callback_of, new_client, session_cookie, sign_in
from parts.dev_provider import DevProvider
from parts.introspection import HangingIntrospection
from parts.processes import eventually
from parts.static_issuer import StaticIssuer
from parts.tokens import tokens_of
from test_provider_faults import ID_TOKEN_FAULTS

AUDIENCE = "https://api.example.com"
JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def dev(folder):
    part = DevProvider("dev-provider-bearer", folder)
    yield part.wait()
    part.process.kill()


@pytest.fixture(scope="module")
def gateway(start_gateway, dev):
    provider = {**dev.configuration, "accessTokens": {"audience": AUDIENCE}}
    introspecting = {**dev.configuration, "id": "oidc.asking", "accessTokens": {"audience": AUDIENCE, "introspection": True, "scopes": ["openid"]}}
    bearer = {"providers": ["oidc.dev"]}
    return start_gateway(
        {
            "providers": [provider, introspecting],
            "session": {"exchange": {"providers": ["oidc.dev"]}},
            "routes": [
                {"path": "/public/**", "access": "public", "bearer": bearer},
                {"path": "/api/**", "bearer": bearer},
                {"path": "/admins/**", "access": {"groups": ["admins"]}, "bearer": bearer},
                {"path": "/recent/**", "access": {"maxAge": "15m"}, "bearer": bearer},
                {"path": "/company/**", "access": {"emails": ["*@example.com"]}, "bearer": bearer},
                {"path": "/forwarded/**", "bearer": {**bearer, "forward": True}},
                {"path": "/nonce/**", "bearer": {**bearer, "nonce": "required"}},
                {"path": "/asking/**", "bearer": {"providers": ["oidc.asking"]}},
            ],
        },
        name="gateway-bearer",
    )


@pytest.fixture(autouse=True)
def well_behaved(dev):
    yield
    dev.control(faults=[], accessTokens="opaque", dpop="off")


def ask(gateway, path: str, token: str | None = None, **headers: str) -> requests.Response:
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    return new_client().get(gateway.url(path), headers={**JSON, **headers}, allow_redirects=False, timeout=60)


def refused(response: requests.Response, status: int, code: str, challenge: str | None) -> None:
    assert response.status_code == status, response.text
    assert response.json()["error"]["code"] == code
    header = response.headers.get("WWW-Authenticate")
    assert (header is None) if challenge is None else f'error="{challenge}"' in (header or ""), header
    assert response.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in response.headers


def test_g1_an_id_token_passes_as_its_person_and_ends_at_the_gateway(gateway, dev, upstream, minted):
    """The same uid as a session of that person; the token itself does not reach the app unless the route says so."""
    token = tokens_of(dev, "alice", minted)["id_token"]
    marker = mark()
    response = ask(gateway, f"/api/{marker}", token)
    assert response.status_code == 200, response.text
    assert "Set-Cookie" not in response.headers
    recording = upstream.only(marker)
    assert recording.value("Authorization") is None
    by_session = mark()
    sign_in(gateway, dev, start="oidc.dev").get(gateway.url(f"/api/{by_session}"))
    assert recording.value("X-Forwarded-User") == upstream.only(by_session).value("X-Forwarded-User")
    assert recording.value("X-Forwarded-Email") == "alice@example.com"
    forwarded = mark()
    assert ask(gateway, f"/forwarded/{forwarded}", token).status_code == 200
    assert upstream.only(forwarded).value("Authorization") == f"Bearer {token}"


def test_a_token_is_taken_where_the_route_says_so_and_nowhere_else(gateway, dev, upstream, minted):
    """Advisory 65 (CVE-2022-29226): off by default, and elsewhere the header is the app's own business."""
    token = tokens_of(dev, "alice", minted)["id_token"]
    assert ask(gateway, "/elsewhere/x", token).status_code == 401
    marker = mark()
    client = sign_in(gateway, dev, start="oidc.dev")
    assert client.get(gateway.url(f"/elsewhere/{marker}"), headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert upstream.only(marker).value("Authorization") == f"Bearer {token}"
    basic = mark()
    assert client.get(gateway.url(f"/api/{basic}"), headers={"Authorization": "Basic YTpi"}).status_code == 200
    assert upstream.only(basic).value("Authorization") == "Basic YTpi"


def test_rfc6750_3_the_answers_to_no_token_and_to_bad_ones(gateway):
    response = ask(gateway, "/api/x")
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer realm=") and "error=" not in response.headers["WWW-Authenticate"]
    for token in ("x", "a.b.c", "e30.e30.e30", "", "two words", "ümlaut", "x" * 17_000):
        refused(ask(gateway, "/api/x", token.encode("utf-8").decode("latin-1")), 401, "auth/invalid-token", "invalid_token")
    refused(ask(gateway, "/public/x", "x"), 401, "auth/invalid-token", "invalid_token")
    assert ask(gateway, "/public/x").status_code == 200


def test_rfc6750_2_3_a_token_in_the_query_is_refused_and_one_in_a_body_is_not_seen(gateway, dev, minted):
    token = tokens_of(dev, "alice", minted)["id_token"]
    refused(ask(gateway, f"/api/x?access_token={token}"), 400, "auth/invalid-request", "invalid_request")
    refused(ask(gateway, "/api/x?a=b&acc%65ss_token=x&access_token=y", token), 400, "auth/invalid-request", "invalid_request")
    response = new_client().post(gateway.url("/api/x"), data={"access_token": token}, headers=JSON, timeout=60)
    assert response.status_code == 401


def test_a_token_decides_alone_even_beside_a_good_cookie(gateway, dev, upstream, minted):
    client = sign_in(gateway, dev, person="alice", start="oidc.dev")
    response = client.get(gateway.url("/api/x"), headers={**JSON, "Authorization": "Bearer nonsense"}, timeout=60)
    refused(response, 401, "auth/invalid-token", "invalid_token")
    marker = mark()
    bobs = tokens_of(dev, "bob", minted)["id_token"]
    assert client.get(gateway.url(f"/api/{marker}"), headers={"Authorization": f"Bearer {bobs}"}).status_code == 200
    assert upstream.only(marker).value("X-Forwarded-Email") == "bob@example.com"


# A nonce is nothing a bearer request is compared with, and the age of a token counts by its expiry alone.
LEGITIMATE = {"id-token.nonce-missing", "id-token.nonce-wrong", "id-token.iat-old", "id-token.auth-time-missing", "id-token.auth-time-old"}
TOKEN_FAULTS = {f"id-token.{name}" for name in ID_TOKEN_FAULTS if name != "kid-huge"}  # which does not fit into a header
# About the access token beside it, which a bearer request does not bring.
WITHOUT_MEANING = {"id-token.at-hash-wrong"}


@pytest.mark.parametrize("fault", sorted(TOKEN_FAULTS - LEGITIMATE - WITHOUT_MEANING))
def test_g4_a_token_that_fails_a_check_of_core_3_1_3_7_is_401(gateway, dev, minted, fault):
    with dev.misbehaving(fault):
        token = tokens_of(dev, "alice", minted)["id_token"]
        refused(ask(gateway, "/api/x", token), 401, "auth/invalid-token", "invalid_token")


@pytest.mark.parametrize("fault", sorted(LEGITIMATE))
def test_what_a_bearer_request_cannot_compare_is_no_reason_to_refuse(gateway, dev, minted, fault):
    with dev.misbehaving(fault):
        assert ask(gateway, "/api/x", tokens_of(dev, "alice", minted)["id_token"]).status_code == 200


def test_rules_hold_for_a_token_as_for_a_session(gateway, dev, minted):
    alice, bob = (tokens_of(dev, person, minted)["id_token"] for person in ("alice", "bob"))
    assert ask(gateway, "/admins/x", alice).status_code == 200
    refused_by_rule = ask(gateway, "/admins/x", bob)
    assert refused_by_rule.status_code == 403 and refused_by_rule.json()["error"]["code"] == "auth/access-denied"
    assert ask(gateway, "/company/x", alice).status_code == 200
    assert ask(gateway, "/recent/x", alice).status_code == 200
    for fault in ("id-token.auth-time-missing", "id-token.auth-time-old"):
        with dev.misbehaving(fault):
            response = ask(gateway, "/recent/x", tokens_of(dev, "alice", minted)["id_token"])
            assert response.status_code == 401 and response.json()["error"]["code"] == "auth/requires-recent-login"


def test_a_required_nonce_is_proven_by_its_raw_value(gateway, dev, upstream, minted):
    raw = secrets.token_hex(12)
    hashed = hashlib.sha256(raw.encode()).hexdigest()
    token = tokens_of(dev, "alice", minted, nonce=hashed)["id_token"]
    refused(ask(gateway, "/nonce/x", token), 401, "auth/invalid-token", "invalid_token")
    refused(ask(gateway, "/nonce/x", token, **{"X-Gateway-Nonce": "other"}), 401, "auth/invalid-token", "invalid_token")
    marker = mark()
    assert ask(gateway, f"/nonce/{marker}", token, **{"X-Gateway-Nonce": raw}).status_code == 200
    assert upstream.only(marker).value("X-Gateway-Nonce") is None
    # A route that does not ask has let it through; this one still asks.
    assert ask(gateway, "/api/x", token).status_code == 200
    refused(ask(gateway, "/nonce/x", token), 401, "auth/invalid-token", "invalid_token")


def test_e_an_opaque_access_token_proves_nothing_and_is_refused(gateway, dev, minted):
    """Seeds E: another app's token for the same person would do as well."""
    refused(ask(gateway, "/api/x", tokens_of(dev, "alice", minted)["access_token"]), 401, "auth/invalid-token", "invalid_token")
    assert "nothing proves that it was issued for this app" in gateway.log


def test_o33_a_jwt_access_token_for_our_audience_passes(gateway, dev, upstream, minted):
    """RFC 9068 section 4."""
    dev.control(accessTokens="jwt")
    marker = mark()
    assert ask(gateway, f"/api/{marker}", tokens_of(dev, "alice", minted)["access_token"]).status_code == 200
    assert upstream.only(marker).value("X-Forwarded-Preferred-Username") == "alice"


@pytest.mark.parametrize(
    "fault", "typ-jwt iss-other aud-other aud-missing aud-client expired exp-missing sub-missing bound other-key kid-unknown hs256-client-secret".split()
)
def test_o33_a_jwt_access_token_that_fails_a_check_is_401(gateway, dev, minted, fault):
    dev.control(accessTokens="jwt")
    with dev.misbehaving(f"access-token.{fault}"):
        refused(ask(gateway, "/api/x", tokens_of(dev, "alice", minted)["access_token"]), 401, "auth/invalid-token", "invalid_token")


def test_rfc9449_7_1_a_token_bound_to_a_key_is_no_bearer_token(gateway, dev, minted):
    dev.control(accessTokens="jwt", dpop="offered")
    token = tokens_of(dev, "alice", minted, proof=True)["access_token"]
    assert "cnf" in claims(token)
    refused(ask(gateway, "/api/x", token), 401, "auth/invalid-token", "invalid_token")


def test_o32_an_opaque_token_is_asked_about_once_and_remembered(gateway, dev, upstream, minted):
    token = tokens_of(dev, "alice", minted)["access_token"]
    before = dev.counters()["introspection"]
    marker = mark()
    assert ask(gateway, f"/asking/{marker}", token).status_code == 200
    assert upstream.only(marker).value("X-Forwarded-Email") == "alice@example.com"
    barrier = threading.Barrier(12)

    def one(_: int) -> int:
        barrier.wait(timeout=60)
        return ask(gateway, "/asking/x", token).status_code

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        assert list(pool.map(one, range(12))) == [200] * 12
    assert dev.counters()["introspection"] == before + 1


@pytest.mark.parametrize(
    "fault, status",
    [
        *((f"introspected.{name}", 401) for name in "inactive aud-other client-other iss-other sub-missing expired bound".split()),
        *((f"introspected.{name}", 503) for name in ("active-string", "active-missing")),
        *((f"introspection.{name}", 503) for name in "500 html empty truncated array duplicate-members redirect close".split()),
        ("introspected.aud-missing", 200),
    ],
)
def test_o32_an_answer_about_a_token_that_is_not_a_clear_yes_is_no(gateway, dev, minted, fault, status):
    """RFC 7662 section 2.2 and 4: not active is 401, an outage 503, never a pass."""
    with dev.misbehaving(fault):
        response = ask(gateway, "/asking/x", tokens_of(dev, "alice", minted)["access_token"])
    assert response.status_code == status, response.text
    if status == 503:
        assert response.headers["Retry-After"]


def test_o14_a_missing_scope_is_403_insufficient_scope(gateway, dev, minted):
    with dev.misbehaving("introspected.scopes-missing"):
        response = ask(gateway, "/asking/x", tokens_of(dev, "alice", minted)["access_token"])
    refused(response, 403, "auth/insufficient-scope", "insufficient_scope")


def test_junk_does_not_make_the_gateway_fetch_keys_at_its_pace(gateway, dev, minted):
    """An unknown kid: one look-up in ten seconds, however many tokens name one."""
    with dev.misbehaving("id-token.kid-unknown"):
        tokens = [tokens_of(dev, "alice", minted)["id_token"] for _ in range(6)]
    before = dev.counters()["jwks"]
    for token in tokens:
        assert ask(gateway, "/api/x", token).status_code == 401
    assert dev.counters()["jwks"] <= before + 1


# --- Introspection requests under attack ---------------------------------------------------------------------------------


class FromAnotherAddress(HTTPAdapter):
    def init_poolmanager(self, *arguments, **named) -> None:
        super().init_poolmanager(*arguments, source_address=("127.0.0.2", 0), **named)


@pytest.fixture
def hanging(start_gateway, dev):
    """A gateway whose provider answers no introspection request but those that the test names."""
    part = HangingIntrospection()
    asking = {
        **dev.configuration,
        "accessTokens": {"audience": AUDIENCE, "introspection": True},
        "endpoints": {"introspection": part.url},
    }
    # It has no issuer: every token is opaque to it.
    plain = {
        "id": "oauth2.plain",
        "clientID": "plain",
        "clientSecret": "plain-secret",
        "accessTokens": {"audience": AUDIENCE, "introspection": True},
        "endpoints": {
            "authorization": f"{dev.origin}/authorize",
            "token": f"{dev.origin}/token",
            "userinfo": f"{dev.origin}/userinfo",
            "introspection": part.url,
        },
    }
    gateway = start_gateway(
        {
            "providers": [asking, plain],
            "routes": [
                {"path": "/asking/**", "bearer": {"providers": ["oidc.dev"]}},
                {"path": "/both/**", "bearer": {"providers": ["oauth2.plain", "oidc.dev"]}},
            ],
        }
    )
    yield gateway, part
    part.close()
    gateway.kill()


def test_issue_19_6_junk_tokens_of_one_client_block_no_id_token_and_no_other_client(hanging, dev, minted):
    """32 requests about junk were all that could be under way, and every other token of the provider was answered with 503."""
    gateway, introspection = hanging
    id_token = tokens_of(dev, "alice", minted)["id_token"]
    introspection.answers["good"] = {"active": True, "aud": AUDIENCE, "sub": "alice"}
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        junk = [pool.submit(ask, gateway, "/asking/x", f"junk-{number}") for number in range(40)]
        try:
            eventually(lambda: introspection.waiting >= 32, "32 introspection requests that wait")
            assert ask(gateway, "/asking/x", id_token).status_code == 200
            assert ask(gateway, "/both/x", id_token).status_code == 200, "another provider's introspection does not count"
            with new_client() as other:
                other.mount("http://", FromAnotherAddress())
                for token in ("good", id_token):
                    headers = {**JSON, "Authorization": f"Bearer {token}"}
                    assert other.get(gateway.url("/asking/x"), headers=headers, timeout=8).status_code == 200
        finally:
            introspection.close()
        assert {answer.result().status_code for answer in junk} == {503}


def test_issue_19_29_junk_is_not_called_an_access_token(gateway):
    refused(ask(gateway, "/api/x", "junk"), 401, "auth/invalid-token", "invalid_token")
    reason = gateway.events("token-refused")[-1]["reason"]
    assert reason.startswith("it is not a JWT") and "it is an access token" not in reason


# --- POST /session -----------------------------------------------------------------------------------------------------


def exchange(gateway, body, headers=None, client=None) -> requests.Response:
    return (client or new_client()).post(gateway.own("/session"), json=body, headers=headers or {}, timeout=60)


def test_g2_g3_an_id_token_becomes_a_session(gateway, dev, upstream, minted):
    """Plain nonce, its SHA-256, or none at all (seeds: rawNonce may be nil); the profile is the token's claims."""
    raw = secrets.token_hex(12)
    for sent in (raw, hashlib.sha256(raw.encode()).hexdigest()):
        token = tokens_of(dev, "alice", minted, nonce=sent)["id_token"]
        client = new_client()
        response = exchange(gateway, {"provider": "oidc.dev", "id_token": token, "raw_nonce": raw}, {"Origin": gateway.origin}, client)
        assert response.status_code == 200, response.text
        assert response.json()["email"] == "alice@example.com" and "id_token" not in response.text
        minted.add(session_cookie(client))
        marker = mark()
        assert client.get(gateway.url(f"/elsewhere/{marker}")).status_code == 200
        assert upstream.only(marker).value("X-Forwarded-User") == response.json()["uid"]
        refused(exchange(gateway, {"provider": "oidc.dev", "id_token": token, "raw_nonce": "other"}), 401, "auth/invalid-token", "invalid_token")
    assert exchange(gateway, {"provider": "oidc.dev", "id_token": token}).status_code == 200


@pytest.mark.parametrize(
    "body, status, code",
    [
        ({"provider": "oidc.dev"}, 400, "auth/invalid-request"),
        ({"provider": "oidc.dev", "id_token": 7}, 400, "auth/invalid-request"),
        ({"provider": "oidc.dev", "id_token": "x", "raw_nonce": ""}, 400, "auth/invalid-request"),
        ({"provider": "oidc.dev", "id_token": "x", "more": 1}, 400, "auth/invalid-request"),
        ([], 400, "auth/invalid-request"),
        ({"provider": "oidc.asking", "id_token": "x"}, 404, "auth/unknown-provider"),
        ({"provider": "oidc.nobody", "id_token": "x"}, 404, "auth/unknown-provider"),
        ({"provider": "oidc.dev", "id_token": "x"}, 401, "auth/invalid-token"),
        ({"provider": "oidc.dev", "id_token": "a.b.c"}, 401, "auth/invalid-token"),
    ],
)
def test_g4_what_is_no_good_id_token_is_no_session(gateway, body, status, code):
    response = exchange(gateway, body)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code), response.text
    assert "Set-Cookie" not in response.headers


def test_an_access_token_is_no_id_token(gateway, dev, minted):
    """Standards B20, RFC 8725 3.12, in both forms."""
    for form in ("opaque", "jwt"):
        dev.control(accessTokens=form)
        token = tokens_of(dev, "alice", minted)["access_token"]
        refused(exchange(gateway, {"provider": "oidc.dev", "id_token": token}), 401, "auth/invalid-token", "invalid_token")


def test_a_foreign_page_signs_nobody_in(gateway, dev, minted):
    """Login CSRF: the type needs a preflight, and the origin is looked at besides."""
    body = {"provider": "oidc.dev", "id_token": tokens_of(dev, "bob", minted)["id_token"]}
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
        assert exchange(gateway, body, headers).status_code == 403
    import json as json_module

    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        response = new_client().post(gateway.own("/session"), data=json_module.dumps(body), headers={"Content-Type": kind}, timeout=60)
        assert response.status_code == 400, kind
    assert new_client().get(gateway.own("/session"), headers=JSON).status_code == 405


def test_without_its_key_there_is_no_exchange(start_gateway, dev):
    """The endpoint is not there until `session.exchange` names a provider."""
    plain = start_gateway({"providers": [dev.configuration]}, name="gateway-without-exchange")
    try:
        response = exchange(plain, {"provider": "oidc.dev", "id_token": "x"})
        assert (response.status_code, response.json()["error"]["code"]) == (404, "proxy/not-found")
        assert new_client().get(plain.url("/x"), headers=NAVIGATION, allow_redirects=False).status_code == 302
    finally:
        plain.kill()


def test_an_exchanged_session_keeps_no_more_than_that_of_a_login(start_gateway, dev, upstream, minted):
    """One function issues sessions: a claim that nothing reads and that is too large for the profile goes, whoever brought the ID token."""
    provider = {**dev.configuration, "claims": {"groups": "roles"}}
    gateway = start_gateway({"providers": [provider], "session": {"exchange": {"providers": ["oidc.dev"]}}}, name="gateway-exchange-claims")
    dev.control(groups={"alice": [secrets.token_hex(16) for _ in range(100)]})
    try:
        token = tokens_of(dev, "alice", minted, scope="openid profile email groups")["id_token"]
        assert len(claims(token)["groups"]) == 100
        exchanged = new_client()
        assert exchange(gateway, {"provider": "oidc.dev", "id_token": token}, client=exchanged).status_code == 200
        signed_in = new_client()
        assert signed_in.get(callback_of(gateway, dev, signed_in), headers=NAVIGATION, allow_redirects=False).status_code == 303
    finally:
        dev.control(groups={"alice": ["admins", "staff"]})
    # What a session has kept shows once a header asks for it.
    gateway.rewrite(identity={"headers": {"X-Subject": "{{ claims.sub }}", "X-Kept": "{{ claims.groups }}"}})
    gateway.reload()
    for client in (exchanged, signed_in):
        marker = mark()
        assert client.get(gateway.url(f"/{marker}")).status_code == 200
        assert upstream.only(marker).value("X-Subject") == dev.subject_of("alice")
        assert upstream.only(marker).value("X-Kept") is None


def test_a_token_right_after_the_start_waits_for_the_first_discovery(start_gateway):
    """It was 503 `auth/provider-unavailable` until the provider had answered."""
    issuer = StaticIssuer()
    issuer.answers.clear()
    bearer = {"providers": ["oidc.slow"]}
    gateway = start_gateway(
        {
            "providers": [{"id": "oidc.slow", **issuer.configuration}],
            "session": {"exchange": bearer},
            "routes": [{"path": "/api/**", "bearer": bearer}],
        }
    )
    headers = {"Authorization": "Bearer " + issuer.id_token("alice"), **JSON}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        request = pool.submit(requests.get, gateway.url("/api/x"), headers=headers, timeout=60)
        exchange = pool.submit(
            requests.post, gateway.url("/_gateway/session"), json={"provider": "oidc.slow", "id_token": issuer.id_token("alice")}, timeout=60
        )
        eventually(lambda: issuer.asked, "a call of the provider")
        for _ in range(10):  # on all event loops
            assert new_client().get(gateway.own("/nothing"), timeout=60).status_code == 404
        assert not request.done() and not exchange.done(), "answered before the provider"
        issuer.answers.set()
        assert request.result().status_code == 200, request.result().text
        assert exchange.result().status_code == 200, exchange.result().text
    issuer.close()
