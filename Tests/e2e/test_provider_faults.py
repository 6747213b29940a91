"""A provider that misbehaves: OpenID Connect Core 3.1.3.7, RFC 8725, RFC 6749, discovery. No fault may end in a session."""

from __future__ import annotations

import json

import pytest

from conftest import mark
from logins import NAVIGATION, SESSION_COOKIE, callback_of, new_client, page_problems, sign_in
from parts.dev_provider import DevProvider
from parts.tokens import tokens_of

# Each is one line of OpenID Connect Core 3.1.3.7 or RFC 8725, as the provider's own table names it.
ID_TOKEN_FAULTS = """
iss-suffix iss-slash iss-upper-case iss-missing iss-array
aud-missing aud-other aud-case aud-untrusted aud-number azp-other aud-untrusted-azp
signature-flipped signature-empty other-key alg-none alg-none-mixed-case hs256-public-key hs256-client-secret
kid-unknown kid-path kid-huge embedded-key crit duplicate-members not-json
expired exp-missing exp-string exp-huge exp-negative iat-missing iat-old iat-future nbf-future
nonce-missing nonce-wrong sub-missing sub-empty sub-number sub-long at-hash-wrong typ-access-token logout-token
""".split()

TOKEN_RESPONSE_FAULTS = """
token-response.type-missing token-response.type-unknown token-response.access-token-missing token-response.access-token-number
token-response.id-token-missing token-response.id-token-garbage token-response.deep token-response.error-with-status-200
token-response.invalid-grant token-response.invalid-client
token.500 token.503 token.html token.empty token.huge token.truncated token.duplicate-members token.array token.redirect token.close
""".split()

KEY_FAULTS = """
keys.encryption-only keys.weak-rsa keys.empty-set keys.missing-key keys.other-algorithm keys.symmetric-key
jwks.500 jwks.html jwks.truncated jwks.array jwks.close jwks.redirect jwks.huge
""".split()

USERINFO_FAULTS = """
claims.sub-mismatch claims.sub-missing claims.unauthorized
userinfo.500 userinfo.html userinfo.empty userinfo.huge userinfo.truncated userinfo.duplicate-members userinfo.array
userinfo.wrong-content-type userinfo.redirect userinfo.close
""".split()

DISCOVERY_FAULTS = """
metadata.other-issuer metadata.issuer-slash metadata.issuer-missing metadata.token-endpoint-missing metadata.jwks-missing
metadata.insecure-endpoints discovery.500 discovery.html discovery.truncated discovery.array discovery.redirect discovery.huge discovery.close
""".split()

# What the standards allow must keep working.
HARMLESS = """
id-token.aud-array id-token.at-hash-missing id-token.auth-time-missing token-response.type-lower-case token-response.expires-in-missing
keys.encryption-keys-too keys.odd-keys-too keys.twenty-keys callback.extra-parameters callback.code-long
metadata.without-end-session metadata.without-userinfo metadata.without-revocation
""".split()

CALLBACK_FAULTS = """
callback.iss-wrong callback.iss-missing callback.iss-slash callback.iss-twice callback.state-missing callback.state-wrong
callback.state-twice callback.code-missing callback.code-twice callback.code-unknown callback.code-and-error callback.hostile-error
callback.temporarily-unavailable
""".split()


@pytest.fixture(scope="module")
def pair(folder, start_gateway):
    """A provider of this file's own, and a gateway that has discovered it while it behaved."""
    dev = DevProvider("dev-provider-faults", folder).wait()
    yield start_gateway({"providers": [dev.configuration]}, name="gateway-faults"), dev
    dev.process.kill()


def finish(gateway, dev, fault):
    """A whole login while `fault` is on; the answer to the callback and the client."""
    client = new_client()
    with dev.misbehaving(fault):
        callback = callback_of(gateway, dev, client)
        return client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60), client


def refused(response, client, statuses=(400, 403, 502)):
    assert not client.cookies.get(SESSION_COOKIE)
    assert response.status_code in statuses, f"{response.status_code}: {response.text[:800]}"
    assert page_problems(response) == []
    assert "<script" not in response.text
    assert "Development" in response.text, "the page names the provider"
    assert "Sign in again" in response.text or "Try again" in response.text, "and says what to do"


def why(gateway) -> str:
    """What the log says about the last failed login."""
    lines = [line for line in gateway.log.splitlines() if '"login-failed"' in line]
    return json.loads(lines[-1])["reason"]


@pytest.mark.parametrize("fault", ID_TOKEN_FAULTS)
def test_a_faulty_id_token_ends_in_an_error_page_and_no_session(pair, fault):
    """OpenID Connect Core 3.1.3.7, every step; RFC 8725 3; contract §6 "Statuses"."""
    response, client = finish(*pair, f"id-token.{fault}")
    refused(response, client, (400, 502))


@pytest.mark.parametrize("fault", TOKEN_RESPONSE_FAULTS)
def test_a_faulty_token_response_ends_in_an_error_page_and_no_session(pair, fault):
    """RFC 6749 5.1, 5.2 (O8, O10): refused within the limits of size and time, redirects not followed (§6 "Providers")."""
    response, client = finish(*pair, fault)
    refused(response, client)
    assert pair[1].counters().get("redirect-followed", 0) == 0


@pytest.mark.parametrize("fault", USERINFO_FAULTS)
def test_unusable_userinfo_ends_the_login_and_the_log_says_where(pair, fault):
    """OpenID Connect Core 5.3.2: its `sub` must equal the ID token's; whatever cannot be read is no person."""
    response, client = finish(*pair, fault)
    refused(response, client)
    assert "userinfo" in why(pair[0])


@pytest.mark.parametrize(
    "fault, reason",
    [
        ("token.html", "content type is not JSON"),
        ("token.truncated", "not JSON"),
        ("token.empty", "not JSON"),
        ("token.huge", "larger than 1 MiB"),
        ("token.duplicate-members", "not JSON"),
        ("token.array", "not a JSON object"),
        ("token.500", "status 500"),
        ("token.close", "no connection"),
        ("userinfo.huge", "larger than 1 MiB"),
        ("userinfo.html", "content type is not JSON"),
        ("id-token.sub-number", "sub is missing"),
        ("id-token.expired", "`exp` is 20"),
        ("id-token.kid-unknown", "no key of the provider has its kid"),
        ("token-response.id-token-missing", "no id_token"),
        ("token-response.expires-in-negative", "expires_in"),
    ],
)
def test_the_log_says_exactly_why(pair, fault, reason):
    """For the operator: what was wrong, where; nothing that the provider sent."""
    response, client = finish(*pair, fault)
    refused(response, client)
    assert reason in why(pair[0])
    assert "hotel Wi-Fi" not in pair[0].log


@pytest.mark.parametrize("fault", CALLBACK_FAULTS)
def test_a_faulty_authorization_response_makes_no_session(pair, fault):
    """RFC 6749 4.1.2, RFC 9207 2.4 (O18 to O20)."""
    gateway, dev = pair
    response, client = finish(gateway, dev, fault)
    assert not client.cookies.get(SESSION_COOKIE)
    assert "<script" not in response.text
    if response.status_code in (302, 303):
        assert "/_gateway/login" in response.headers["Location"] or response.headers["Location"].startswith(dev.issuer)
    else:
        assert response.status_code in (400, 403, 502, 503)


@pytest.mark.parametrize("fault", HARMLESS)
def test_what_the_standards_allow_is_accepted(folder, start_gateway, fault):
    """OpenID Connect Core, RFC 6749 4.1.2 and 5.1, RFC 7517: strict is not the same as brittle."""
    dev = DevProvider(f"dev-provider-{fault}", folder).wait()
    try:
        dev.control(faults=[fault])
        gateway = start_gateway({"providers": [dev.configuration]})
        client = new_client()
        response = client.get(callback_of(gateway, dev, client), headers=NAVIGATION, allow_redirects=False, timeout=60)
        assert response.status_code == 303, response.text[:800]
        assert client.cookies.get(SESSION_COOKIE)
        gateway.kill()
    finally:
        dev.process.kill()


@pytest.mark.parametrize("fault", KEY_FAULTS)
def test_without_a_usable_key_nobody_gets_in(folder, start_gateway, fault):
    """OpenID Connect Core 10.1, RFC 7517, RFC 8725 3: keys of the wrong use, type or strength never verify."""
    dev = DevProvider(f"dev-provider-{fault}", folder).wait()
    try:
        dev.control(faults=[fault])
        gateway = start_gateway({"providers": [dev.configuration]})
        client = new_client()
        start = client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60)
        if start.status_code == 302:
            response = client.get(callback_of(gateway, dev, client), headers=NAVIGATION, allow_redirects=False, timeout=60)
            refused(response, client)
        else:
            assert start.status_code in (502, 503, 504)
        gateway.kill()
    finally:
        dev.process.kill()


@pytest.mark.parametrize("fault", DISCOVERY_FAULTS)
def test_a_provider_whose_metadata_is_wrong_has_a_clear_page_and_recovers(folder, start_gateway, fault):
    """OpenID Connect Discovery 4.3 (O27 to O29): fails closed, tells so, and comes back by itself."""
    dev = DevProvider(f"dev-provider-{fault}", folder).wait()
    try:
        dev.control(faults=[fault])
        gateway = start_gateway({"providers": [dev.configuration]})
        client = new_client()
        start = client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60)
        assert start.status_code in (502, 503, 504), start.text[:500]
        assert page_problems(start) == []
        assert dev.counters().get("redirect-followed", 0) == 0
        dev.control(faults=[])
        from parts.processes import eventually

        eventually(
            lambda: client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == 302,
            "the login works again",
            timeout=60,
        )
        gateway.kill()
    finally:
        dev.process.kill()


def test_an_unknown_key_id_fetches_the_keys_again_but_not_for_every_token(pair):
    """OpenID Connect Core 10.1.1, advisory 108: one throttled refetch, then refusal."""
    gateway, dev = pair
    before = dev.counters()["jwks"]
    for _ in range(8):
        response, client = finish(gateway, dev, "id-token.kid-unknown")
        refused(response, client, (400, 502))
    assert dev.counters()["jwks"] - before <= 3


@pytest.fixture
def rotating(folder, start_gateway):
    """A provider of the test's own, and a gateway that has fetched its keys a moment ago and takes its tokens as bearers."""
    dev = DevProvider(f"dev-provider-rotating-{mark()}", folder).wait()
    started = [dev]
    gateway = start_gateway({"providers": [dev.configuration], "bearer": {"providers": ["oidc.dev"]}})
    sign_in(gateway, dev)

    def restart() -> DevProvider:
        """Starts it again: a new key under the old `kid`."""
        started[-1].process.kill()
        started.append(DevProvider(f"dev-provider-rotating-{mark()}", folder, port=dev.port).wait())
        return started[-1]

    yield gateway, dev, restart
    started[-1].process.kill()
    gateway.kill()


def bearer_status(gateway, token: str) -> int:
    headers = {"Accept": "application/json", "Authorization": f"Bearer {token}"}
    return new_client().get(gateway.url("/x"), headers=headers, allow_redirects=False, timeout=60).status_code


def test_issue_19_13_signing_key_rotation_right_after_a_key_fetch(rotating, minted):
    """§6 "Providers"; the conformance suite's `signing-key-rotation`: sign in, rotate, sign in."""
    gateway, dev, _ = rotating
    fetched = dev.counters()["jwks"]
    for _ in range(2):
        dev.control(rotateKeys=True)
        sign_in(gateway, dev)
        assert bearer_status(gateway, tokens_of(dev, "alice", minted)["id_token"]) == 200
    assert dev.counters()["jwks"] - fetched == 2


def test_issue_19_13_a_bearer_token_of_a_new_key_is_taken_at_once(rotating, minted):
    gateway, dev, _ = rotating
    for _ in range(2):
        dev.control(rotateKeys=True)
        assert bearer_status(gateway, tokens_of(dev, "alice", minted)["id_token"]) == 200


@pytest.mark.parametrize("use", ["sign-in", "bearer"])
def test_issue_19_13_a_provider_that_restarts_with_a_new_key_under_the_old_kid(rotating, minted, use):
    """The signature is bad, the `kid` is known: fetch once more."""
    gateway, _, restart = rotating
    dev = restart()
    if use == "sign-in":
        sign_in(gateway, dev)
    else:
        assert bearer_status(gateway, tokens_of(dev, "alice", minted)["id_token"]) == 200


def test_issue_19_13_junk_from_strangers_does_not_stop_a_sign_in_after_a_rotation(rotating, minted):
    """Anybody can send bearer and logout tokens: they never use the look-up that the next sign-in needs."""
    gateway, dev, _ = rotating
    with dev.misbehaving("id-token.kid-unknown"):
        unknown = tokens_of(dev, "alice", minted)["id_token"]
    with dev.misbehaving("id-token.other-key"):
        forged = tokens_of(dev, "alice", minted)["id_token"]
    fetched = dev.counters()["jwks"]
    for token in (unknown, forged) * 5:
        assert bearer_status(gateway, token) == 401
        assert new_client().post(gateway.own("/backchannel-logout/oidc.dev"), data={"logout_token": token}, timeout=60).status_code == 400
    assert dev.counters()["jwks"] - fetched <= 1
    dev.control(rotateKeys=True)
    sign_in(gateway, dev)


def test_an_error_for_a_caller_that_is_no_browser_is_json(pair):
    """§3: pages for navigations, `{"error":{"code","message","request_id"}}` otherwise."""
    gateway, dev = pair
    client = new_client()
    with dev.misbehaving("id-token.expired"):
        callback = callback_of(gateway, dev, client)
        response = client.get(callback, headers={"Accept": "application/json"}, allow_redirects=False, timeout=60)
    error = response.json()["error"]
    assert error["code"] == "auth/invalid-id-token"
    assert error["message"] and error["request_id"]
    assert response.headers["Cache-Control"] == "no-store"


def test_an_unverified_address_is_never_believed(pair, upstream, start_gateway):
    """§4 and OpenID Connect Core 5.7: `email` only when `email_verified` is the boolean true; no rule accepts another."""

    _, dev = pair
    gateway = start_gateway({"providers": [dev.configuration], "routes": [{"path": "/team/**", "access": {"emails": ["*@example.com", "*@example.org"]}}]})
    for person, fault in (("carol", None), ("alice", "claims.email-unverified")):
        marker = mark()
        dev.control(faults=[fault] if fault else [])
        client = sign_in(gateway, dev, person=person)
        dev.control(faults=[])
        assert client.get(gateway.url(f"/app/{marker}")).status_code == 200
        recording = upstream.only(marker)
        assert recording.values("X-Forwarded-Email") == []
        assert recording.value("X-Forwarded-Email-Verified") == "false"
        assert client.get(gateway.url("/team/x")).status_code == 403


def test_hostile_names_and_groups_never_break_a_header(pair, upstream, start_gateway):
    """§6 "Header templates", "Groups in headers": control characters drop the header, they never split it."""

    gateway, dev = pair
    marker = mark()
    with dev.misbehaving("claims.hostile-values"):
        client = sign_in(gateway, dev)
    assert client.get(gateway.url(f"/app/{marker}")).status_code == 200
    recording = upstream.only(marker)
    assert b"\n" not in recording.head.replace(b"\r\n", b"")
    assert b"\r" not in recording.head.replace(b"\r\n", b"")
    assert all("injected" not in name.lower() for name, _ in recording.headers)


def test_letters_beyond_ascii_arrive_as_utf8(gateway, dev, upstream):
    """§6 "Header templates", "Groups in headers": UTF-8; a group that holds the separator is left out."""

    marker = mark()
    client = sign_in(gateway, dev, person="zoe")
    assert client.get(gateway.url(f"/app/{marker}")).status_code == 200
    recording = upstream.only(marker)
    assert recording.value("X-Forwarded-Name") == "Zoë Žižková"
    assert recording.value("X-Forwarded-Groups") == "finance"
