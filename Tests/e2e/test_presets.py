"""Whole logins through presets, at the development provider with the habits that the real one documents (`--as`).

What each preset sends, byte for byte, is in Fixtures/providers; here are the two ends together, and the documented failures."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from conftest import mark
from logins import NAVIGATION, SESSION_COOKIE, new_client, page_problems
from parts.dev_provider import CLIENT_ID, CLIENT_SECRET, SUBJECTS, DevProvider
from parts.processes import eventually

ROUTES = [
    {"path": "/public/**", "access": "public"},
    {"path": "/admins/**", "access": {"groups": ["admins"]}},
    {"path": "/company/**", "access": {"emails": ["*@example.com"]}},
]


def uid(issuer: str, subject: str) -> str:
    """Contract §4 "uid"."""
    first, second = issuer.encode(), subject.encode()
    digest = hashlib.sha256(len(first).to_bytes(8, "big") + first + len(second).to_bytes(8, "big") + second).digest()
    return base64.b32encode(digest).decode().lower()[:26]


def start(gateway, rd="/", **parameters):
    response = new_client().get(gateway.own("/login"), params={"rd": rd, **parameters}, headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert response.status_code == 302, response.text[:800]
    return response.headers["Location"]


def sent(location: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(location).query, keep_blank_values=True)


def sign_in(gateway, dev, person="alice"):
    client = new_client()
    page = client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, timeout=60)
    callback = dev.sign_in(client, page, person)
    return client, client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60)


def seen(gateway, upstream, client, path="/app"):
    """What the app receives of a request with the client's session."""
    marker = mark()
    response = client.get(gateway.url(f"{path}/{marker}"), allow_redirects=False, timeout=60)
    assert response.status_code == 200, f"{response.status_code}: {response.text[:300]}"
    return upstream.only(marker)


def refused(client, response, statuses, *words):
    assert response.status_code in statuses, f"{response.status_code}: {response.text[:800]}"
    assert page_problems(response) == []
    assert SESSION_COOKIE not in client.cookies
    for word in words:
        assert word in response.text, f"the page does not say {word!r}: {response.text[:1500]}"


# --- yahoo.com


@pytest.fixture(scope="module")
def yahoo(folder, start_gateway):
    dev = DevProvider("dev-provider-yahoo", folder, emulation="yahoo").wait()
    provider = {
        "id": "yahoo.com",
        "issuer": dev.issuer,
        "clientID": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
        "scopes": ["mail-r", "sdct-w"],
        "preconfiguredScopes": ["openid", "profile", "email", "mail-r", "sdct-w"],
        "customParameters": {"prompt": "login", "language": "fr"},
        "requestParameters": ["language"],
    }
    yield start_gateway({"providers": [provider], "routes": ROUTES}, name="gateway-yahoo"), dev, provider
    dev.process.kill()


def test_yahoo_is_asked_for_exactly_what_its_console_grants(yahoo):
    """seeds A4, B1, C1, C5: base scopes, then `mail-r` and `sdct-w`; `prompt=login` and `language=fr` last, nothing else."""
    gateway, dev, _ = yahoo
    location = start(gateway)
    fields = sent(location)
    state, nonce, challenge = (dict(fields)[name] for name in ("state", "nonce", "code_challenge"))
    redirect = quote(gateway.own("/callback/yahoo.com"), safe="-._~")
    assert location == (
        f"{dev.origin}/authorize?response_type=code&client_id={CLIENT_ID}&redirect_uri={redirect}&scope=openid%20profile%20email%20mail-r%20sdct-w"
        f"&state={state}&nonce={nonce}&code_challenge={challenge}&code_challenge_method=S256&prompt=login&language=fr"
    )
    assert len(state) >= 22 and len(nonce) >= 22


def test_somebody_signs_in_with_yahoo(yahoo, upstream):
    """seeds A1, D1, D7: the whole flow; the uid is issuer and subject, the address verified."""
    gateway, dev, _ = yahoo
    client, response = sign_in(gateway, dev)
    assert response.status_code == 303, response.text[:800]
    recording = seen(gateway, upstream, client)
    assert recording.value("X-Forwarded-User") == uid(dev.issuer, SUBJECTS["alice"])
    assert recording.value("X-Forwarded-Email") == "alice@example.com"
    assert recording.value("X-Forwarded-Provider") == "yahoo.com"
    person = client.get(gateway.own("/userinfo")).json()
    assert person["provider"] == "yahoo.com" and person["email_verified"] is True


def test_a_browser_may_set_the_language_and_nothing_that_is_reserved(yahoo):
    """seeds B3, B4: only `requestParameters`; a reserved name never."""
    gateway, _, _ = yahoo
    fields = dict(sent(start(gateway, language="de", prompt="none", scope="openid", redirect_uri="https://evil.example")))
    assert fields["language"] == "de" and fields["prompt"] == "login"
    assert fields["scope"].endswith("sdct-w") and fields["redirect_uri"] == gateway.own("/callback/yahoo.com")


def test_a_scope_that_the_console_does_not_grant_fails_with_a_page_that_says_so(yahoo, start_gateway):
    """seeds C5: `sdct-r` for `sdct-w` fails the flow, and the person is told; the log has the provider's code."""
    _, dev, provider = yahoo
    wrong = {key: value for key, value in provider.items() if key != "preconfiguredScopes"} | {"scopes": ["mail-r", "sdct-r"]}
    gateway = start_gateway({"providers": [wrong]})
    client = new_client()
    page = client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, timeout=60)
    refused(client, page, (502,), "Yahoo", "The provider returned an error.")
    eventually(lambda: gateway.events("login-failed"), "the failure in the log")
    (failure,) = gateway.events("login-failed")
    assert failure["provider_error"] == "invalid_scope" and failure["provider"] == "yahoo.com"
    gateway.kill()


# --- github.com


@pytest.fixture(scope="module")
def github(folder, start_gateway):
    dev = DevProvider("dev-provider-github-groups", folder).wait()
    provider = {**dev.github_configuration, "scopes": ["user:email", "read:org"], "customParameters": {"allow_signup": "false"}}
    yield start_gateway({"providers": [provider], "routes": ROUTES}, name="gateway-github-groups"), dev
    dev.process.kill()


def test_github_organisations_and_teams_are_groups_page_by_page(github, upstream):
    """seeds B2, C2: `allow_signup=false` as it is; `/user/orgs` and `/user/teams` behind `read:org`, pages by `Link`."""
    gateway, dev = github
    fields = sent(start(gateway))
    assert ("allow_signup", "false") in fields and ("scope", "read:user user:email read:org") in fields
    client, response = sign_in(gateway, dev)
    assert response.status_code == 303, response.text[:800]
    recording = seen(gateway, upstream, client, "/admins")
    assert recording.value("X-Forwarded-Groups") == "admins,staff,admins:team-of-admins,staff:team-of-staff"
    assert recording.value("X-Forwarded-User") == uid(dev.origin, "1001")


def test_an_organisation_that_keeps_the_app_out_costs_the_groups_and_not_the_login(github, upstream):
    gateway, dev = github
    with dev.misbehaving("github.orgs-forbidden"):
        client, response = sign_in(gateway, dev)
    assert response.status_code == 303
    assert client.get(gateway.url("/admins/x"), allow_redirects=False).status_code == 403
    eventually(lambda: "Some of a user's groups could not be read" in gateway.log, "the log says so")


# --- google.com


@pytest.fixture(scope="module")
def google(folder, start_gateway):
    dev = DevProvider("dev-provider-google", folder, emulation="google").wait()
    provider = {
        "id": "google.com",
        "issuer": dev.issuer,
        "clientID": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
        "customParameters": {"hd": "example.com", "access_type": "offline", "include_granted_scopes": "true"},
    }
    yield start_gateway({"providers": [provider], "routes": ROUTES}, name="gateway-google"), dev
    dev.process.kill()


def test_google_is_sent_hd_access_type_and_include_granted_scopes(google, upstream):
    gateway, dev = google
    fields = sent(start(gateway))
    assert fields[-3:] == [("hd", "example.com"), ("access_type", "offline"), ("include_granted_scopes", "true")]
    assert ("scope", "openid profile email") in fields
    client, response = sign_in(gateway, dev)
    assert response.status_code == 303, response.text[:800]
    assert seen(gateway, upstream, client, "/company").value("X-Forwarded-User") == uid(dev.issuer, SUBJECTS["alice"])


@pytest.mark.parametrize("person, fault", [("carol", None), ("alice", "emulation.google-no-domain"), ("alice", "emulation.google-other-domain")])
def test_an_account_outside_the_domain_is_refused_by_the_tokens_hd(google, person, fault):
    """The parameter is a hint that anybody can take out of the address; the claim is what counts."""
    gateway, dev = google
    dev.control(faults=[fault] if fault else [])
    client, response = sign_in(gateway, dev, person)
    dev.control(faults=[])
    refused(client, response, (403,), "Google")


# --- facebook.com


@pytest.fixture(scope="module")
def facebook(folder, start_gateway):
    dev = DevProvider("dev-provider-facebook", folder, emulation="facebook").wait()
    provider = {
        "id": "facebook.com",
        "baseURL": dev.origin,
        "apiVersion": "v21.0",
        "clientID": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
        "customParameters": {"auth_type": "rerequest"},
    }
    yield start_gateway({"providers": [provider], "routes": ROUTES}, name="gateway-facebook"), dev
    dev.process.kill()


def test_somebody_signs_in_with_facebook(facebook, upstream):
    """Graph version in the addresses, `appsecret_proof` with the profile, `debug_token` for the token's audience."""
    gateway, dev = facebook
    location = start(gateway)
    assert location.startswith(f"{dev.origin}/v21.0/dialog/oauth?response_type=code&client_id={CLIENT_ID}&")
    assert ("scope", "email public_profile") in sent(location) and sent(location)[-1] == ("auth_type", "rerequest")
    before = dev.counters()["facebook-debug-token"]
    client, response = sign_in(gateway, dev)
    assert response.status_code == 303, response.text[:800]
    assert dev.counters()["facebook-debug-token"] == before + 1
    recording = seen(gateway, upstream, client)
    assert recording.value("X-Forwarded-User") == uid(dev.origin, "1001")
    assert recording.value("X-Forwarded-Name") == "Alice Adams"
    assert recording.values("X-Forwarded-Email") == [] and recording.value("X-Forwarded-Email-Verified") == "false"


def test_a_facebook_account_without_an_address_signs_in_as_well(facebook, upstream):
    gateway, dev = facebook
    with dev.misbehaving("emulation.facebook-no-email"):
        client, response = sign_in(gateway, dev)
    assert response.status_code == 303
    assert seen(gateway, upstream, client).values("X-Forwarded-Email") == []


@pytest.mark.parametrize(
    "fault, code, reason",
    [
        ("emulation.facebook-other-app", "auth/invalid-token-response", "issued to another app"),
        ("emulation.facebook-token-invalid", "auth/invalid-token-response", "not valid"),
        ("emulation.facebook-other-person", "auth/subject-mismatch", "different users"),
        ("facebook-debug-token.html", "auth/invalid-token-response", "not JSON"),
        ("facebook-debug-token.500", "auth/invalid-token-response", "status 500"),
        ("callback.code-unknown", "auth/provider-error", "token endpoint answered with an error"),
        ("facebook-me.truncated", "auth/invalid-userinfo", "not JSON"),
    ],
)
def test_facebooks_refusals_end_on_a_page_and_say_why_in_the_log(facebook, fault, code, reason):
    """seeds E1, E2: a token of another app is no sign-in here."""
    gateway, dev = facebook
    with dev.misbehaving(fault):
        client, response = sign_in(gateway, dev)
    refused(client, response, (502,), "Facebook", code)
    eventually(lambda: any(reason in failure["reason"] for failure in gateway.events("login-failed")), "the reason in the log")


def test_graphs_error_object_is_read(facebook):
    """`{"error":{"type","code"}}`: type and code go to the log, its text does not."""
    gateway, dev = facebook
    with dev.misbehaving("callback.code-unknown"):
        sign_in(gateway, dev)

    def is_told() -> bool:
        return any(failure.get("provider_error") == "OAuthException.100" for failure in gateway.events("login-failed"))

    eventually(is_told, "type and code in the log")
    assert "fbtrace_id" not in gateway.log


# --- apple.com


@pytest.fixture(scope="module")
def apple(folder, start_gateway):
    key = folder / "AuthKey_ABC123DEFG.p8"
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", str(key)], check=True, capture_output=True)
    key.chmod(0o600)
    dev = DevProvider("dev-provider-apple", folder, emulation="apple", client_key=key).wait()
    provider = {
        "id": "apple.com",
        "issuer": dev.issuer,
        "clientID": CLIENT_ID,
        "privateKey": f"${{file:{key}}}",
        "keyID": "ABC123DEFG",
        "teamID": "DEF456GHIJ",
    }
    yield start_gateway({"providers": [provider], "routes": ROUTES}, name="gateway-apple"), dev
    dev.process.kill()


def apple_sign_in(gateway, dev, person="alice"):
    """Apple posts a form from its own site: the transaction comes back in a cookie that is SameSite=None and Secure."""
    from forms import form_with

    client = new_client()
    begin = client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert begin.status_code == 302, begin.text[:800]
    cookie = begin.headers["Set-Cookie"]
    attributes = [part.strip() for part in cookie.split(";")]
    assert "SameSite=None" in attributes and "Secure" in attributes and "HttpOnly" in attributes
    page = client.get(begin.headers["Location"], headers=NAVIGATION, timeout=60)
    form = form_with(page.text, "authorization_request")
    answer = client.post(f"{dev.origin}{form.action}" if form.action.startswith("/") else form.action, data={**form.fields, "person": person}, timeout=60)
    handover = form_with(answer.text, "state")
    assert handover.action == gateway.own("/callback/apple.com")
    # A loopback address has no TLS, so this client is told to send what a browser would over https.
    response = client.post(handover.action, data=handover.fields, headers={**NAVIGATION, "Cookie": attributes[0], "Origin": dev.origin}, allow_redirects=False, timeout=60)
    return client, response, handover.fields


def test_apple_answers_with_a_form_and_tells_the_name_once(apple, upstream):
    """form_post, the client secret a JWT that Apple's rules accept, the name of the `user` field at the first sign-in only."""
    gateway, dev = apple
    fields = sent(start(gateway))
    assert ("response_mode", "form_post") in fields and ("scope", "openid name email") in fields
    client, response, posted = apple_sign_in(gateway, dev)
    assert response.status_code == 303, response.text[:800]
    assert json.loads(posted["user"])["name"] == {"firstName": "Alice", "lastName": "Adams"}
    recording = seen(gateway, upstream, client)
    assert recording.value("X-Forwarded-Name") == "Alice Adams"
    assert recording.value("X-Forwarded-Email") == "alice@example.com", 'email_verified came as the text "true"'
    assert recording.value("X-Forwarded-User") == uid(dev.issuer, SUBJECTS["alice"])
    client, response, posted = apple_sign_in(gateway, dev)
    assert response.status_code == 303 and "user" not in posted
    assert seen(gateway, upstream, client).values("X-Forwarded-Name") == []


def test_an_apple_callback_as_a_link_or_without_its_cookie_is_refused(apple):
    gateway, dev = apple
    client, response, posted = apple_sign_in(gateway, dev, "bob")
    assert response.status_code == 303
    again = new_client().post(gateway.own("/callback/apple.com"), data=posted, headers=NAVIGATION, allow_redirects=False)
    assert SESSION_COOKIE not in again.cookies and again.status_code in (303, 400)
    link = new_client().get(gateway.own("/callback/apple.com"), params=posted, headers=NAVIGATION, allow_redirects=False)
    assert link.status_code == 400


# --- microsoft.com


@pytest.fixture(scope="module")
def microsoft(folder, start_gateway):
    dev = DevProvider("dev-provider-microsoft", folder, emulation="microsoft").wait()

    def gateway(tenant, **more):
        provider = {"id": "microsoft.com", "baseURL": dev.origin, "tenant": tenant, "clientID": CLIENT_ID, "clientSecret": CLIENT_SECRET, **more}
        return start_gateway({"providers": [provider], "routes": ROUTES}, name=f"gateway-microsoft-{tenant[:5]}")

    yield gateway("organizations", scopes=["GroupMember.Read.All"]), dev, gateway
    dev.process.kill()


TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"


def test_somebody_of_any_directory_signs_in_with_microsoft(microsoft, upstream):
    """The metadata's issuer has `{tenantid}`; the token's is its tenant's. The person is directory and `oid`."""
    gateway, dev, _ = microsoft
    client, response = sign_in(gateway, dev)
    assert response.status_code == 303, response.text[:800]
    recording = seen(gateway, upstream, client, "/admins")
    assert recording.value("X-Forwarded-User") == uid(f"{dev.origin}/{TENANT}/v2.0", "oid-of-alice")
    assert recording.value("X-Forwarded-Email") == "alice@example.com"
    client, response = sign_in(gateway, dev, "carol")
    assert seen(gateway, upstream, client).values("X-Forwarded-Email") == [], "without xms_edov nothing is verified"


@pytest.mark.parametrize("fault", ["emulation.microsoft-foreign-issuer", "emulation.microsoft-personal"])
def test_a_token_of_a_tenant_that_is_not_meant_is_refused(microsoft, fault):
    gateway, dev, _ = microsoft
    with dev.misbehaving(fault):
        client, response = sign_in(gateway, dev)
    refused(client, response, (502,), "Microsoft", "auth/invalid-id-token")


def test_one_tenant_admits_no_other(microsoft):
    _, dev, started = microsoft
    gateway = started("11111111-2222-3333-4444-555555555555")
    response = new_client().get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    refused(new_client(), response, (502,), "Microsoft")
    eventually(lambda: "{tenantid}" in gateway.log, "the log names both issuers")
    gateway.kill()


def test_groups_that_do_not_fit_are_read_from_graph(microsoft, upstream):
    """`_claim_names` names them, Graph lists them over two pages; the source that the token names is never asked."""
    gateway, dev, _ = microsoft
    with dev.misbehaving("emulation.microsoft-overage"):
        client, response = sign_in(gateway, dev)
    assert response.status_code == 303, response.text[:800]
    assert seen(gateway, upstream, client, "/admins").value("X-Forwarded-Groups") == "admins,staff"


@pytest.mark.parametrize("fault, groups", [("emulation.graph-forbidden", []), ("emulation.graph-elsewhere", ["admins"])])
def test_groups_that_graph_does_not_give_are_missing_and_the_log_says_so(microsoft, upstream, fault, groups):
    gateway, dev, _ = microsoft
    with dev.misbehaving("emulation.microsoft-overage", fault):
        client, response = sign_in(gateway, dev)
    assert response.status_code == 303
    assert seen(gateway, upstream, client).values("X-Forwarded-Groups") == groups
    eventually(lambda: "Some of a user's groups could not be read" in gateway.log, "the log says so")


# --- oauth2.<slug>, oidc.<slug>


@pytest.fixture(scope="module")
def legacy(folder, start_gateway):
    dev = DevProvider("dev-provider-legacy", folder).wait()
    dev.control(groups={"alice": [f"group-{number:03}-of-many-that-are-of-no-use-here" for number in range(500)] + ["eng-core", "8f1c2d3e"]})
    oauth2 = {
        "id": "oauth2.legacy",
        "clientID": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
        "clientAuthentication": "client_secret_post",
        "endpoints": {"authorization": f"{dev.origin}/login/oauth/authorize", "token": f"{dev.origin}/login/oauth/access_token", "userinfo": f"{dev.origin}/api/v3/user"},
        "claims": {"subject": "id", "username": "login", "name": "name"},
    }
    kept = {**dev.configuration, "id": "oidc.kept", "groups": {"keep": ["eng-*"], "rename": {"8f1c2d3e": "admins"}}}
    everything = {**dev.configuration, "id": "oidc.everything"}
    yield start_gateway({"providers": [oauth2, kept, everything], "routes": [*ROUTES, {"path": "/core/**", "access": {"groups": ["eng-core"]}}]}, name="gateway-legacy"), dev
    dev.process.kill()


def sign_in_by(provider, gateway, dev):
    client = new_client()
    page = client.get(gateway.own(f"/login/{provider}?rd=/"), headers=NAVIGATION, timeout=60)
    callback = dev.sign_in(client, page, "alice")
    return client, client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60)


def test_plain_oauth2_with_endpoints_by_hand(legacy, upstream):
    """The issuer of the uid is the token endpoint's origin (contract §4 "uid")."""
    gateway, dev = legacy
    client, response = sign_in_by("oauth2.legacy", gateway, dev)
    assert response.status_code == 303, response.text[:800]
    recording = seen(gateway, upstream, client)
    assert recording.value("X-Forwarded-User") == uid(dev.origin, "1001")
    assert recording.value("X-Forwarded-Preferred-Username") == "alice"


def test_a_person_in_500_groups_gets_a_small_session(legacy, upstream):
    """`groups.keep` and `groups.rename` are applied before anything is stored."""
    gateway, dev = legacy
    client, response = sign_in_by("oidc.kept", gateway, dev)
    assert response.status_code == 303, response.text[:800]
    assert seen(gateway, upstream, client, "/admins").value("X-Forwarded-Groups") == "eng-core,admins"
    assert sum(len(cookie.value) for cookie in client.cookies if cookie.name.startswith(SESSION_COOKIE)) < 4000


def test_500_groups_without_a_filter_keep_those_that_rules_name(legacy, upstream):
    """What does not fit into the cookies is left out and logged; nobody is locked out for being in many groups."""
    gateway, dev = legacy
    client, response = sign_in_by("oidc.everything", gateway, dev)
    assert response.status_code == 303, response.text[:800]
    assert client.get(gateway.url("/core/x"), allow_redirects=False).status_code == 200
    assert client.get(gateway.url("/admins/x"), allow_redirects=False).status_code == 403
    eventually(lambda: gateway.events("groups-left-out"), "the log says so")


def test_a_rotated_secret_file_is_used_at_the_next_login(folder, start_gateway, dev):
    """The file is read again; no restart. A secret that is wrong, then right."""
    secret = folder / "rotated-secret"
    secret.write_text("a-secret-from-before-the-rotation\n")
    secret.chmod(0o600)
    gateway = start_gateway({"providers": [{**dev.configuration, "clientSecret": f"${{file:{secret}}}"}]}, name="gateway-rotated")
    client, response = sign_in(gateway, dev)
    refused(client, response, (502,), "Development")
    secret.write_text(CLIENT_SECRET + "\n")
    client, response = sign_in(gateway, dev)
    assert response.status_code == 303, response.text[:800]
    assert CLIENT_SECRET not in gateway.log
    gateway.kill()


def test_a_provider_in_trouble_does_not_touch_the_others(folder, start_gateway, dev, upstream):
    """The page names the one that failed; the other signs people in meanwhile."""
    broken = DevProvider("dev-provider-broken", folder).wait()
    gateway = start_gateway({"providers": [{**broken.configuration, "id": "oidc.broken", "displayName": "Broken Ltd"}, dev.configuration]}, name="gateway-two")
    with broken.misbehaving("discovery.html"):
        first = new_client()
        page = first.get(gateway.own("/login/oidc.broken?rd=/"), headers=NAVIGATION, timeout=60)
        if page.url.startswith(broken.origin):  # discovered before the fault was on
            with broken.misbehaving("token.html"):
                page = first.get(broken.sign_in(first, page, "alice"), headers=NAVIGATION, allow_redirects=False, timeout=60)
        refused(first, page, (502,), "Broken Ltd")
        client, response = sign_in_by("oidc.dev", gateway, dev)
        assert response.status_code == 303
    gateway.kill()
    broken.process.kill()


# --- gateway providers


def test_providers_prints_what_to_click_with_the_addresses_of_a_file(yahoo):
    from parts.gateway import run_command

    gateway, _, _ = yahoo
    shown = run_command("providers", "yahoo.com", str(gateway.file))
    assert shown.returncode == 0, shown.stderr
    # The command wraps its lines at 80 columns.
    assert f"Enter {gateway.own('/callback/yahoo.com')} as the Redirect URI" in " ".join(shown.stdout.split())
    second = run_command("providers", "github.com/partners", str(gateway.file))
    assert f"{gateway.own('/callback/github.com~partners')}" in second.stdout
    assert run_command("providers", "yahoo.com", "/nowhere.yaml").returncode == 1
