"""The second security reading (issue 38): what a second factor protects. Each test is named after what it found."""

from __future__ import annotations

import time
from typing import Any

import pytest
import requests

from accounts import account, answer_link, code, log_in, post, signed_in, submit, userinfo
from logins import NAVIGATION, new_client
from parts.factor_devices import CodeApp
from parts.gateway import Gateway, run_command, session_key
from parts.processes import eventually
from parts.static_issuer import StaticIssuer
from test_accounts import second  # noqa: F401 (fixture)
from test_second_factors import enrol, hints, mailbox, messages, pending, start  # noqa: F401 (fixtures)
from test_step_up import step_up

JSON = {"Accept": "application/json"}


def test_an_old_must_enrol_sign_in_gets_no_recovery_codes(start, dev):  # noqa: F811
    """Item 2: every operation of a pending sign-in is void once the account's factors have changed."""
    gateway = start({"policy": "required"})
    thief, answer = log_in(gateway, dev, "one", "alice")
    assert answer.status_code == 303 and "/account/second-factors" in answer.headers["Location"]
    begun = post(gateway, thief, "/account/second-factors/start", json={"type": "totp"})
    assert begun.status_code == 200, begun.text
    waiting = thief.cookies.get_dict()
    owner, _ = log_in(gateway, dev, "one", "alice")
    enrol(gateway, owner)
    assert userinfo(gateway, owner)["second_factor"] == "totp"

    def attempt(method: str, path: str, **body: object):
        client = new_client()
        client.cookies.update(waiting)
        answer = client.get(gateway.own(path), headers=JSON, timeout=10) if method == "GET" else post(gateway, client, path, json=body)
        assert not client.cookies.get("session"), f"{path}: {answer.text}"
        return answer

    for kind in ("recovery", "totp", "webauthn", "phone"):
        answer = attempt("POST", "/account/second-factors/start", type=kind, phone="+4915112341234")
        assert answer.status_code == 400 and code(answer) == "auth/code-expired", f"{kind}: {answer.text}"
    answer = attempt("POST", "/account/second-factors/verify", enrollment=begun.json()["enrollment"], code="000000")
    assert answer.status_code == 400 and code(answer) == "auth/code-expired", answer.text
    for path in ("/second-factor/start", "/second-factor/verify"):
        answer = attempt("POST", path, factor="none", code="000000")
        assert answer.status_code == 400 and code(answer) == "auth/code-expired", answer.text
    shown = attempt("GET", "/account/second-factors")
    assert shown.status_code == 400 and code(shown) == "auth/code-expired", "the factors of the account are not listed"
    assert code(attempt("GET", "/second-factor")) == "auth/login-required"
    page = thief.get(gateway.own("/second-factor?rd=/x"), headers=NAVIGATION, allow_redirects=False, timeout=10)
    assert page.status_code == 303 and page.headers["Location"] == "/_gateway/login?rd=%2Fx", "the user signs in again"


def test_a_step_up_does_not_renew_a_factor_that_was_not_shown(start, dev):  # noqa: F811
    """Item 7: a renewed sign-in keeps the second factor or renews the time, never both."""
    gateway = start(routes=[{"path": "/both/**", "access": {"acr": ["phr"], "secondFactor": True}}, {"path": "/acr/**", "access": {"acr": ["phr"]}}])
    client, bare = signed_in(gateway, dev, "one", "alice"), signed_in(gateway, dev, "one", "bob")
    enrol(gateway, client)
    before, without = userinfo(gateway, client), userinfo(gateway, bare)["auth_time"]
    eventually(lambda: time.time() > max(before["auth_time"], without) + 2, "a later second")
    done = step_up(gateway, dev, client, "/both/x")
    assert (done.status_code, done.headers["Location"]) == (303, "/both/x"), "nobody is asked for the second factor again"
    after = userinfo(gateway, client)
    assert after["second_factor"] == "totp" and after["auth_time"] == before["auth_time"], "the factor is as old as it was"
    assert client.get(gateway.url("/both/x"), timeout=10).status_code == 200
    # Without a factor to keep, the time is the new sign-in's.
    assert step_up(gateway, dev, bare, "/acr/x", person="bob").status_code == 303
    assert userinfo(gateway, bare)["auth_time"] > without


# --- Item 3: what waits in a browser -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def issuer():
    part = StaticIssuer()
    yield part
    part.close()


class PublicBrowser:
    """A browser at `https://app.example.com`, whose TLS ends in front of the gateway. It keeps each `Set-Cookie` line."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway
        self.cookies: dict[str, str] = {}
        self.lines: list[str] = []

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None, **headers: str) -> requests.Response:
        return self._send(method, self.gateway.own(path), body, **headers)

    def visit(self, path: str) -> requests.Response:
        """A page under any path, as a browser asks for it."""
        return self._send("GET", self.gateway.url(path), **NAVIGATION)

    def _send(self, method: str, url: str, body: dict[str, Any] | None = None, **headers: str) -> requests.Response:
        own = {"Host": "app.example.com", "Origin": "https://app.example.com", "Accept": "application/json"}
        if self.cookies:
            own["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = requests.request(method, url, json=body, headers={**own, **headers}, allow_redirects=False, timeout=20)
        for line in answer.raw.headers.getlist("Set-Cookie"):
            self.lines.append(line)
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
            if "Max-Age=0" in line:
                del self.cookies[name]
        return answer

    def post(self, path: str, body: dict[str, Any]) -> requests.Response:
        return self.ask("POST", path, body=body)


def shared_domain(start_gateway, issuer: StaticIssuer, tmp_path, accounts: dict[str, Any] | None = None, **changes: Any) -> Gateway:
    return start_gateway(
        {
            "server": {"publicURL": "https://app.example.com"},
            "session": {"cookie": {"domain": "example.com"}, "exchange": {"providers": ["oidc.one", "oidc.two"]}},
            "providers": [
                {"id": "oidc.one", **issuer.configuration},
                {"id": "oidc.two", **issuer.configuration, "trustedDomains": ["example.com"]},
                {"id": "password", "signUp": False},
            ],
            "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()], **(accounts or {})},
            "secondFactor": {"factors": ["totp", "webauthn"], "rememberBrowser": "30d"},
            **changes,
        }
    )


def exchange(browser: PublicBrowser, issuer: StaticIssuer, subject: str, provider: str = "oidc.one", **claims: Any) -> requests.Response:
    return browser.post("/session", {"provider": provider, "id_token": issuer.id_token(subject, **claims)})


def add_app(browser: PublicBrowser) -> CodeApp:
    begun = browser.post("/account/second-factors/start", {"type": "totp"}).json()
    app = CodeApp(begun["secret"])
    assert browser.post("/account/second-factors/verify", {"enrollment": begun["enrollment"], "code": app.code()}).status_code == 204
    return app


def show_factor(browser: PublicBrowser, app: CodeApp, **fields: str) -> None:
    (hint,) = browser.ask("GET", "/second-factor").json()["hints"]
    answer = browser.post("/second-factor/verify", {"factor": hint["id"], "code": app.code(), **fields})
    assert answer.status_code == 200, answer.text


def test_no_sibling_host_can_plant_what_waits_in_a_browser(start_gateway, issuer, tmp_path):
    """Item 3: with `session.cookie.domain`, only the session's cookie has `Domain`; the others have the prefix `__Host-`."""
    gateway = shared_domain(start_gateway, issuer, tmp_path)

    owner = PublicBrowser(gateway)
    assert exchange(owner, issuer, "ada").status_code == 200
    app = add_app(owner)
    browser = PublicBrowser(gateway)
    assert exchange(browser, issuer, "ada").status_code == 401
    waiting = dict(browser.cookies)
    show_factor(browser, app, remember="true")
    thief = PublicBrowser(gateway)
    assert exchange(thief, issuer, "bob").status_code == 200
    planted = PublicBrowser(gateway)
    conflict = exchange(planted, issuer, "eve", "oidc.two", email="bob@example.com")
    assert conflict.status_code == 409, conflict.text
    assert planted.post("/login/passkey/start", {}).status_code == 200
    begun = planted.ask("GET", "/login/oidc.one", **NAVIGATION)
    assert begun.status_code == 302, begun.text
    lines = owner.lines + browser.lines + thief.lines + planted.lines
    shared = [line for line in lines if line.startswith("__Secure-session")]
    assert shared and all("Domain=example.com" in line for line in shared)
    assert {line.partition("=")[0] for line in shared} == {"__Secure-session"}, "the session is shared, and nothing else"
    beside = [line for line in lines if line not in shared]
    for line in beside:
        assert line.startswith("__Host-session-") and "; Path=/;" in line and "; Secure; HttpOnly" in line and "omain=" not in line, line
    kinds = {line.partition("=")[0].removeprefix("__Host-session-").partition("-")[0] for line in beside}
    assert kinds >= {"factor", "browser", "pending", "passkey", "login"}, kinds
    # Under a name that a sibling host can set, nothing of it counts.
    victim = PublicBrowser(gateway)
    victim.cookies = {name.replace("__Host-", "__Secure-"): value for name, value in {**planted.cookies, **waiting}.items()}
    assert victim.ask("GET", "/second-factor").status_code == 401 and "hints" not in victim.ask("GET", "/second-factor").json()
    assert exchange(victim, issuer, "bob").status_code == 200
    nothing = victim.ask("GET", "/account/pending")
    assert nothing.status_code == 400 and code(nothing) == "auth/invalid-credential"
    # In the browser that met the conflict, the same value is asked about.
    assert exchange(planted, issuer, "bob").status_code == 200
    asked = planted.ask("GET", "/account/pending")
    assert asked.status_code == 200 and (asked.json()["provider"], asked.json()["email"]) == ("oidc.two", "bob@example.com"), asked.text
    assert planted.ask("GET", "/userinfo").json()["providers"] == ["oidc.one"]


def two_providers(start, dev, second, factors: dict | None = None, **changes: Any) -> Gateway:  # noqa: F811
    both = [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {**second.configuration, "id": "oidc.two", "displayName": "Two"}]
    return start(factors, providers=both, **changes)


@pytest.mark.parametrize("person", ["alice", "carol"])
def test_a_pending_credential_is_linked_only_after_a_question(start, dev, second, person):  # noqa: F811
    """Item 3: the page names provider and user, says where the address is unconfirmed, and has "No" first."""
    gateway = two_providers(start, dev, second)
    signed_in(gateway, dev, "one", person)
    client, conflict = log_in(gateway, second, "two", person, rd="/first?x=1")
    assert conflict.status_code == 409
    kept = client.cookies.get("session-pending")
    nobody = client.get(gateway.own("/account/pending"), headers=NAVIGATION, allow_redirects=False, timeout=10)
    assert nobody.status_code == 302 and nobody.headers["Location"] == "/_gateway/login?rd=%2F_gateway%2Faccount%2Fpending"
    _, answer = log_in(gateway, dev, "one", person, client)
    assert answer.headers["Location"] == "/_gateway/account/pending", answer.headers
    page = client.get(gateway.own("/account/pending"), headers=NAVIGATION, timeout=10).text
    question = client.get(gateway.own("/account/pending"), headers=JSON, timeout=10).json()
    assert "<bdi>Two</bdi>" in page and f"<bdi>{question['username']}</bdi>" in page and question["username"]
    assert ("has not confirmed" in page) == (person == "carol") == (not question["email_verified"])
    assert page.index("No, do not link") < page.index("Yes, link")
    foreign = post(gateway, client, "/account/pending", headers={"Origin": "https://evil.example"}, json={"accept": True})
    assert foreign.status_code == 403 and code(foreign) == "auth/cross-site-request"
    for wrong in ({}, {"accept": "maybe"}):
        assert post(gateway, client, "/account/pending", json=wrong).status_code == 400
    assert userinfo(gateway, client)["providers"] == ["oidc.one"], "nothing is linked without the answer"
    answer = answer_link(gateway, client, accept=False)
    assert answer.status_code == 303 and answer.headers["Location"] == "/first?x=1"
    client.cookies.set("session-pending", kept, domain="127.0.0.1", path="/")
    again = post(gateway, client, "/account/pending", json={"accept": True})
    assert again.status_code == 400 and userinfo(gateway, client)["providers"] == ["oidc.one"], "No uses the value up"


def test_a_remembered_browser_shows_the_factor_before_the_question(start, dev, second):  # noqa: F811
    """Item 3: an account with factors is linked in a session that has shown one."""
    gateway = two_providers(start, dev, second, {"rememberBrowser": "30d"})
    app = enrol(gateway, signed_in(gateway, dev, "one", "alice"))
    client, _ = pending(gateway, dev, "alice")
    (hint,) = hints(gateway, client)
    assert submit(gateway, client, "/second-factor/verify", factor=hint["id"], code=app.code(), remember="true").status_code == 303
    assert log_in(gateway, second, "two", "alice", client, rd="/first")[1].status_code == 409
    _, answer = log_in(gateway, dev, "one", "alice", client)
    assert answer.headers["Location"] == "/_gateway/account/pending" and userinfo(gateway, client)["second_factor"] is None
    program = post(gateway, client, "/account/pending", json={"accept": True})
    assert program.status_code == 401 and code(program) == "auth/multi-factor-auth-required", program.text
    page = client.get(gateway.own("/account/pending"), headers=NAVIGATION, allow_redirects=False, timeout=10)
    assert page.status_code == 303 and page.headers["Location"] == "/_gateway/second-factor?rd=%2F_gateway%2Faccount%2Fpending"
    shown = submit(gateway, client, "/second-factor/verify", factor=hint["id"], code=app.code(), rd="/_gateway/account/pending")
    assert shown.status_code == 303 and shown.headers["Location"] == "/_gateway/account/pending", shown.text[:500]
    assert answer_link(gateway, client).headers["Location"] == "/first"
    assert [way["id"] for way in account(gateway, client)["providers"]] == ["oidc.one", "oidc.two"]


def test_a_provider_that_is_trusted_later_leads_nobody_in_a_circle(start_gateway, issuer, tmp_path):
    """A session's provider has proven a factor, and was not trusted with it then: `/second-factor` gives the session the factor."""
    routes = [{"path": "/strong/**", "access": {"secondFactor": True}}]
    gateway = shared_domain(start_gateway, issuer, tmp_path, routes=routes)
    bare, owner, browser = PublicBrowser(gateway), PublicBrowser(gateway), PublicBrowser(gateway)
    assert exchange(bare, issuer, "bob", amr=["pwd", "otp"]).status_code == 200
    assert exchange(owner, issuer, "ada").status_code == 200
    app = add_app(owner)
    assert exchange(browser, issuer, "ada").status_code == 401
    show_factor(browser, app, remember="true")
    assert exchange(browser, issuer, "eve", "oidc.two", email="ada@example.com").status_code == 409
    assert exchange(browser, issuer, "ada", amr=["pwd", "otp"]).json()["second_factor"] is None
    gateway.stop()
    gateway.configuration["providers"][0]["secondFactor"] = "trusted"
    gateway.start()
    for client, path in ((bare, "/strong/x"), (browser, "/_gateway/account/pending")):
        led = client.visit(path).headers["Location"]
        assert led.startswith("/_gateway/second-factor?rd="), led
        shown = client.visit(led)
        assert shown.status_code == 303 and shown.headers["Location"] == path, shown.headers
        assert client.visit(path).status_code == 200, "not led there again"
        assert client.ask("GET", "/userinfo").json()["second_factor"] == "provider"


def test_an_identity_that_cannot_be_linked_any_more_strands_nobody(start_gateway, issuer, tmp_path):
    """The account has another identity of the provider: there is nothing to ask, and the sign-in goes on."""
    gateway = shared_domain(start_gateway, issuer, tmp_path)
    browser = PublicBrowser(gateway)
    assert exchange(browser, issuer, "bob").status_code == 200
    assert exchange(browser, issuer, "eve", email="bob@example.com").status_code == 409
    assert exchange(browser, issuer, "bob").status_code == 200 and "__Host-session-pending" in browser.cookies
    nothing = browser.ask("GET", "/account/pending")
    assert nothing.status_code == 400 and "__Host-session-pending" not in browser.cookies, "it is used up"
    assert exchange(browser, issuer, "eve", email="bob@example.com").status_code == 409
    led = browser.visit("/_gateway/account/pending")
    assert led.status_code == 303 and led.headers["Location"] == "/", "to the page of the sign-in, not to the account"
    led = browser.visit("/_gateway/account/pending")
    assert led.status_code == 303 and led.headers["Location"] == "/_gateway/account", "nothing waits"


# --- Item 4: a mailbox is one factor ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("linking", ["verified-email", "trusted-domains"])
def test_a_mailbox_provider_strips_no_second_factor(start, dev, second, tmp_path, linking):  # noqa: F811
    """Item 4: an account with factors is linked after a factor was shown, and is never taken over."""
    one = {**dev.configuration, "id": "oidc.one", "displayName": "One"}
    both = [one, {**second.configuration, "id": "oidc.two", "displayName": "Two", "trustedDomains": ["example.com"]}]
    accounts = {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()], "linking": linking}
    gateway = start(providers=both, accounts=accounts)
    first = signed_in(gateway, dev, "one", "alice")
    app = enrol(gateway, first)
    client, answer = log_in(gateway, second, "two", "alice")
    assert answer.status_code == 409 and code(answer) == "auth/account-exists-with-different-credential", answer.headers
    assert not client.cookies.get("session") and not gateway.events("account-taken-over")
    assert [factor["type"] for factor in account(gateway, first)["second_factors"]] == ["totp"]
    assert userinfo(gateway, first)["providers"] == ["oidc.one"]
    _, waiting = log_in(gateway, dev, "one", "alice", client)
    assert "/second-factor" in waiting.headers["Location"] and account(gateway, first)["providers"][-1]["id"] == "oidc.one"
    (hint,) = hints(gateway, client)
    shown = submit(gateway, client, "/second-factor/verify", factor=hint["id"], code=app.code())
    assert shown.headers["Location"] == "/_gateway/account/pending", shown.headers
    assert answer_link(gateway, client).status_code == 303
    assert userinfo(gateway, client)["providers"] == ["oidc.one", "oidc.two"]
    # The identity is the account's now, and its sign-in asks for the factor, too.
    assert "/second-factor" in log_in(gateway, second, "two", "alice")[1].headers["Location"]
    # Without a factor, the word is enough, as before.
    signed_in(gateway, dev, "one", "bob")
    assert userinfo(gateway, signed_in(gateway, second, "two", "bob"))["providers"][-1] == "oidc.two"


@pytest.mark.parametrize("linking", ["confirm", "verified-email", "trusted-domains", "never"])
def test_no_policy_links_an_account_with_a_factor_to_a_token(start_gateway, issuer, tmp_path, linking):
    """Item 4, for programs: a token of a provider that vouches for the address is a conflict, too."""
    gateway = shared_domain(start_gateway, issuer, tmp_path, {"linking": linking})
    owner, program = PublicBrowser(gateway), PublicBrowser(gateway)
    assert exchange(owner, issuer, "ada").status_code == 200
    app = add_app(owner)
    refused = exchange(program, issuer, "eve", "oidc.two", email="ada@example.com")
    wanted = (403, "auth/email-already-in-use") if linking == "never" else (409, "auth/account-exists-with-different-credential")
    assert (refused.status_code, code(refused)) == wanted, refused.text
    assert owner.ask("GET", "/userinfo").json()["providers"] == ["oidc.one"]
    assert exchange(program, issuer, "ada").status_code == 401
    assert program.ask("GET", "/account/pending").status_code == 401, "there is no session before the factor"
    show_factor(program, app)
    assert program.post("/account/pending", {"accept": True}).status_code == (400 if linking == "never" else 204)
    assert len(owner.ask("GET", "/account").json()["providers"]) == (1 if linking == "never" else 2)


# --- Item 5: what a factor protects ----------------------------------------------------------------------------------------


def remembered(gateway: Gateway, dev, app: CodeApp, person: str = "alice") -> requests.Session:  # noqa: F811
    """A browser that is not asked for the factor again."""
    client, _ = pending(gateway, dev, person)
    (hint,) = [hint for hint in hints(gateway, client) if hint["type"] == "totp"]
    assert submit(gateway, client, "/second-factor/verify", factor=hint["id"], code=app.code(), remember="true").status_code == 303
    return client


def protected(start, dev, second, mail: str, **changes: Any) -> Gateway:  # noqa: F811
    both = [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {**second.configuration, "id": "oidc.two", "displayName": "Two"}]
    return start({"rememberBrowser": "30d"}, providers=[*both, {"id": "password"}], mail={"url": mail, "from": "no-reply@example.com"}, **changes)


def test_a_session_that_never_showed_the_factor_changes_nothing(start, dev, second, mailbox):  # noqa: F811
    """Item 5: a remembered browser's session, however recent, neither changes the account nor gets recovery codes."""
    gateway = protected(start, dev, second, mailbox.url)
    first = signed_in(gateway, dev, "one", "alice")
    app = enrol(gateway, first)
    plain = remembered(gateway, dev, app)
    assert log_in(gateway, dev, "one", "alice", plain)[1].headers["Location"] == "/" and userinfo(gateway, plain)["second_factor"] is None
    (factor,) = account(gateway, first)["second_factors"]
    changes: list[tuple[str, dict[str, Any]]] = [
        ("/account/second-factors/remove", {"factor": factor["id"]}),
        *(("/account/second-factors/start", {"type": kind, "phone": "+4915112341234"}) for kind in ("recovery", "totp", "webauthn", "phone")),
        ("/account/password", {"new_password": "correct horse 41"}),
        ("/account/email", {"email": "eve@example.com"}),
        ("/link/oidc.two", {}),
        ("/unlink/oidc.one", {}),
        ("/account/delete", {}),
    ]
    for path, body in changes:
        answer = post(gateway, plain, path, json=body)
        assert answer.status_code == 401 and code(answer) == "auth/multi-factor-auth-required", f"{path}: {answer.status_code} {answer.text}"
        assert "/_gateway/second-factor" in answer.json()["error"]["login_url"], path
        page = submit(gateway, plain, path, **body)
        assert page.status_code == 401 and "/_gateway/second-factor" in page.text, f"{path}: {page.text[:500]}"
    assert plain.get(gateway.own("/account/delete"), headers=NAVIGATION, timeout=10).status_code == 401
    shown = plain.get(gateway.own("/account"), headers=NAVIGATION, timeout=10).text
    assert "/_gateway/reauthenticate" in shown and "/_gateway/unlink/" not in shown, "the page offers to sign in again instead"
    assert [found["type"] for found in account(gateway, first)["second_factors"]] == ["totp"]
    assert not [mail for mail in mailbox.to("eve@example.com")]
    # With the factor it works.
    answer = submit(gateway, plain, "/second-factor/verify", factor=factor["id"], code=app.code(), rd="/_gateway/account")
    assert answer.status_code == 303, answer.text[:500]
    assert len(post(gateway, plain, "/account/second-factors/start", json={"type": "recovery"}).json()["codes"]) == 10


def test_an_old_sign_in_with_the_factor_changes_nothing_either(start, dev, second, mailbox, tmp_path):  # noqa: F811
    """Item 5: while an account has factors, linking needs a recent sign-in, too."""
    accounts = {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()], "recentLogin": "4s"}
    gateway = protected(start, dev, second, mailbox.url, accounts=accounts)
    client, bare = signed_in(gateway, dev, "one", "alice"), signed_in(gateway, dev, "one", "bob")
    enrol(gateway, client)
    eventually(lambda: code(post(gateway, client, "/unlink/oidc.five")) == "auth/requires-recent-login", "the sign-in to be old")
    for path in ("/link/oidc.two", "/account/delete", "/account/second-factors/start", "/account/password"):
        answer = post(gateway, client, path, json={"type": "totp", "new_password": "correct horse 41"})
        assert answer.status_code == 401 and code(answer) == "auth/requires-recent-login", f"{path}: {answer.text}"
    eventually(lambda: code(post(gateway, bare, "/unlink/oidc.five")) == "auth/requires-recent-login", "the sign-in to be old")
    assert post(gateway, bare, "/link/oidc.two").status_code == 303, "without factors, linking needs no recent sign-in"


def test_the_first_factor_ends_the_other_sessions(start, dev, second, mailbox):  # noqa: F811
    """Item 5: a session from before the enrolment has never shown the factor."""
    gateway = protected(start, dev, second, mailbox.url)
    old, client = signed_in(gateway, dev, "one", "alice"), signed_in(gateway, dev, "one", "alice")
    stale = post(gateway, old, "/account/second-factors/start", json={"type": "totp"})
    assert stale.status_code == 200, stale.text
    enrol(gateway, client)
    assert old.get(gateway.own("/userinfo"), timeout=10).status_code == 401, "the other session has ended"
    assert userinfo(gateway, client)["second_factor"] == "totp", "the one that enrolled goes on"
    # An enrolment that another session began before it is void.
    begun = stale.json()
    late = post(gateway, client, "/account/second-factors/verify", json={"enrollment": begun["enrollment"], "code": CodeApp(begun["secret"]).code()})
    assert late.status_code == 400 and code(late) == "auth/code-expired", late.text
    begun = post(gateway, client, "/account/second-factors/start", json={"type": "recovery"})
    other, _ = pending(gateway, dev, "alice")
    recovery = next(hint for hint in hints(gateway, other) if hint["type"] == "recovery")
    assert post(gateway, other, "/second-factor/verify", json={"factor": recovery["id"], "code": begun.json()["codes"][0]}).status_code == 200
    enrol(gateway, client, "Second app")
    assert userinfo(gateway, client)["second_factor"] == "totp" and userinfo(gateway, other), "a further factor ends nothing"


def test_a_sign_in_that_must_enrol_ends_the_other_sessions_and_goes_on(start, dev):  # noqa: F811
    """Item 5, with `policy: required`: the session begins after the end of the others."""
    gateway = start()
    old = signed_in(gateway, dev, "one", "alice")
    gateway.stop()
    gateway.configuration["secondFactor"]["policy"] = "required"
    gateway.start()
    assert userinfo(gateway, old)
    client, answer = log_in(gateway, dev, "one", "alice")
    assert "/account/second-factors" in answer.headers["Location"]
    enrol(gateway, client)
    assert userinfo(gateway, client)["second_factor"] == "totp"
    assert old.get(gateway.own("/userinfo"), timeout=10).status_code == 401


@pytest.mark.parametrize("how", ["revoke", "disable", "reset"])
def test_what_ends_all_sessions_forgets_remembered_browsers(start, dev, second, mailbox, how):  # noqa: F811
    """Item 5: a reset, `users revoke` and `disable` make every browser show the factor again."""
    gateway = protected(start, dev, second, mailbox.url)
    first = signed_in(gateway, dev, "one", "alice")
    uid = userinfo(gateway, first)["uid"]
    client = remembered(gateway, dev, enrol(gateway, first))
    assert log_in(gateway, dev, "one", "alice", client)[1].headers["Location"] == "/", "it is remembered"
    if how == "reset":
        before = len(mailbox.to("alice@example.com"))
        assert post(gateway, new_client(), "/password/reset", json={"email": "alice@example.com"}).status_code == 204
        token = mailbox.token("alice@example.com", before + 1)
        assert post(gateway, new_client(), "/password/new", json={"token": token, "new_password": "correct horse 41"}).status_code == 204
    else:
        for command in ("revoke",) if how == "revoke" else ("disable", "enable"):
            done = run_command("users", command, uid, "--config", str(gateway.file))
            assert done.returncode == 0, done.stderr
    eventually(lambda: first.get(gateway.own("/userinfo"), timeout=10).status_code == 401, "the sessions to end", timeout=15)
    assert "/second-factor" in log_in(gateway, dev, "one", "alice", client)[1].headers["Location"]
    assert [hint["type"] for hint in hints(gateway, client)] == ["totp"], "no factor was removed"
