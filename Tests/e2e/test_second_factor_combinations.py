"""Every endpoint in every state with every second factor (contract §9): only what the table lists is allowed.

The endpoints come from the table in the sources, so a new one fails this test until somebody says what each state gets from it. Each
request carries a valid proof of the factor, whatever the endpoint: a proof must count at the endpoints of second factors and nowhere else.
"""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from parts.factor_users import KINDS, Browser, FactorUser
from parts.gateway import ROOT, Gateway, run_command, session_key
from parts.mailbox import Mailbox
from parts.processes import eventually
from parts.signed_receiver import SignedReceiver
from parts.static_issuer import StaticIssuer

SECRET = "sms-secret-7be2f41c"
FACTORS = (*KINDS, "none")

# --- Endpoints ----------------------------------------------------------------------------------------------------------

# Beside the gateway's own endpoints: routes, a WebSocket, and tokens in `Authorization`.
ROUTES = {
    "GET route": "/any/x",
    "GET route with secondFactor": "/strong/x",
    "GET public route": "/public/x",
    "GET route as a WebSocket": "/any/socket",
    "GET route with the cookie as a bearer token": "/bearer/x",
    "GET route with an ID token": "/bearer/x",
    "GET route with secondFactor and an ID token": "/bearer-strong/x",
}


def endpoint_table() -> list[str]:
    source = (ROOT / "Sources/Endpoints/EndpointTable.swift").read_text(encoding="utf-8")
    rows = re.findall(r'Endpoint\(\[([.a-z, ]+)\], "([^"]+)"', source)
    assert len(rows) > 30, "the endpoint table is written in another form: read it anew"
    return [f"{method.upper()} {path}" for methods, path in rows for method in re.findall(r"\.(\w+)", methods) if method != "head"]


# --- States -------------------------------------------------------------------------------------------------------------


@dataclass
class World:
    """One browser in one state. `proof`: the fields that are sent along; `user`: whose they are."""

    gateway: Gateway
    cookies: dict[str, str]
    proof: dict[str, Any]
    enrolment: dict[str, Any]
    user: FactorUser


class States:
    def __init__(self, open_: Gateway, strict: Gateway, foreign: Gateway, issuer: StaticIssuer, messages: SignedReceiver, mailbox: Mailbox) -> None:
        self.open, self.strict, self.foreign, self.mailbox = open_, strict, foreign, mailbox
        self._new = lambda gateway: FactorUser(gateway, issuer, messages)
        self._subjects: list[str] = []
        self._model: dict[str, Any] | None = None

    def _equipped(self, kind: str) -> tuple[FactorUser, Browser]:
        """A user with a password, an app and the factor; and a session that has used one."""
        user = self._new(self.open)
        user.subject = self._with_password()
        browser = user.session()
        user.enrol(browser, "totp", *{"recovery", kind}.difference({"totp", "none"}))
        return user, browser

    def _plain(self, user: FactorUser) -> Browser:
        """A session that has used no factor: the browser was remembered."""
        remembered = user.waiting()
        proof = {"factor": user.factors(remembered)["recovery"], "code": user.codes.pop(), "remember": "true"}
        assert remembered.post("/second-factor/verify", proof).status_code == 200
        _, answer = user.sign_in(remembered)
        assert answer.status_code == 200 and answer.json()["second_factor"] is None, answer.text
        return Browser(self.open, {"session": remembered.cookies["session"]})

    def _with_password(self) -> str:
        """The subject of a new account with a password. They are imported with one hash: to make a hash takes a processor half a second."""
        if self._model is None:
            user = self._new(self.open)
            assert user.session().post("/account/password", {"new_password": PASSWORD}).status_code == 204
            exported = run_command("users", "export", "--config", str(self.open.file)).stdout.splitlines()
            self._model = next(account for account in map(json.loads, exported) if account["uid"] == user.uid)
        if not self._subjects:
            accounts = []
            for _ in range(50):
                self._subjects.append("u" + secrets.token_hex(8))
                email, uid = f"{self._subjects[-1]}@example.com", base64.b32encode(os.urandom(16)).decode().rstrip("=").lower()
                identities = [{**identity, "subject": self._subjects[-1], "email": email} for identity in self._model["identities"]]
                accounts.append({**self._model, "uid": uid, "email": email, "identities": identities})
            done = run_command("users", "import", "--config", str(self.open.file), input="\n".join(map(json.dumps, accounts)))
            assert done.returncode == 0, done.stderr
        return self._subjects.pop()

    def _world(self, user: FactorUser, browser: Browser, kind: str, owner: Browser | None = None, asked: Browser | None = None) -> World:
        """`owner`: a session of the user that begins the enrolment of the proof; `asked`: which browser starts the factor."""
        proof: dict[str, Any] = {"type": kind}
        if kind != "none":
            asked = asked or user.waiting()
            proof |= user.proof(asked, kind, user.factors(asked)[kind])
        enrolment: dict[str, Any] = {}
        if owner and kind in ("totp", "webauthn"):
            # A second device. The proof of a message would take the account's last message; `enrolment` has one of its own.
            other = FactorUser(user.gateway, user.issuer, user.messages)
            enrolment = other.enrolment(user.begin(owner, kind))
        return World(user.gateway, browser.cookies, proof, enrolment, user)

    def nobody(self, kind: str) -> World:
        user, owner = self._equipped(kind)
        return self._world(user, Browser(self.open), kind, owner)

    def pending(self, kind: str) -> World:
        user, owner = self._equipped(kind)
        browser = user.waiting()
        return self._world(user, browser, kind, owner, browser)

    def ended(self, kind: str) -> World:
        """After five wrong codes, the cookie kept by force."""
        user, owner = self._equipped(kind)
        browser = user.waiting()
        world = self._world(user, browser, kind, owner, browser)
        factor = user.factors(browser)["totp"]
        for _ in range(5):
            wrong = Browser(self.open, world.cookies).post("/second-factor/verify", {"factor": factor, "code": "000000"})
            assert wrong.status_code == 400, wrong.text
        return world

    def used(self, kind: str) -> World:
        """The pending sign-in has made a session; this is its cookie, kept by force."""
        user, owner = self._equipped(kind)
        browser = user.waiting()
        world = self._world(user, browser, kind, owner, browser)
        used_up = {"factor": user.factors(browser)["recovery"], "code": user.codes.pop()}
        assert Browser(self.open, world.cookies).post("/second-factor/verify", used_up).status_code == 200
        return world

    def stranger(self, kind: str) -> World:
        """The pending sign-in of another user, with this user's factor and proof."""
        user, owner = self._equipped(kind)
        other, _ = self._equipped(kind)
        return self._world(user, other.waiting(), kind, owner)

    def elsewhere(self, kind: str) -> World:
        """A pending sign-in of the user, with what another browser of the user was asked for."""
        user, owner = self._equipped(kind)
        return self._world(user, user.waiting(), kind, owner)

    def forged(self, kind: str) -> World:
        """A pending sign-in that another gateway has sealed."""
        user, owner = self._equipped(kind)
        world = self._world(user, Browser(self.open), kind, owner)
        same = self._new(self.foreign)
        same.subject = user.subject
        same.enrol(same.session(), "totp")
        return World(self.open, same.waiting().cookies, world.proof, world.enrolment, user)

    def swapped(self, kind: str) -> World:
        """The value of the pending sign-in as the session's cookie, and the session's as the pending sign-in."""
        user, owner = self._equipped(kind)
        old, waiting = self._plain(user), user.waiting()
        world = self._world(user, waiting, kind, owner, waiting)
        cookies = {"session": waiting.cookies["session-factor"], "session-factor": old.cookies["session"]}
        return World(self.open, cookies, world.proof, world.enrolment, user)

    def enrolling(self, kind: str) -> World:
        """Policy `required`, a user without a factor: the sign-in waits for the enrolment."""
        user = self._new(self.strict)
        browser, answer = user.sign_in()
        assert answer.status_code == 401 and answer.json()["hints"] == [], answer.text
        proof: dict[str, Any] = {"type": kind, "factor": "none", "code": "000000"}
        enrolment = user.enrolment(user.begin(browser, kind)) if kind in ("totp", "phone", "webauthn") else {}
        return World(self.strict, browser.cookies, proof, enrolment, user)

    def bare(self, kind: str) -> World:
        """A session of a user without factors."""
        user = self._new(self.open)
        browser = user.session()
        return World(self.open, browser.cookies, {"type": kind, "factor": "none", "code": "000000"}, self._own(user, browser, kind), user)

    def plain(self, kind: str) -> World:
        """A session that has not used a factor, of a user who has some."""
        user, owner = self._equipped(kind)
        old = self._plain(user)
        return self._world(user, old, kind, owner, old)

    def strong(self, kind: str) -> World:
        """A session that has used a factor."""
        user, owner = self._equipped(kind)
        return self._world(user, owner, kind, owner)

    def disabled(self, kind: str) -> World:
        world = self.strong(kind)
        assert run_command("users", "disable", world.user.uid, "--config", str(self.open.file)).returncode == 0
        eventually(lambda: Browser(self.open, world.cookies).shown() is None, "the session to end", timeout=60)
        return world

    @staticmethod
    def _own(user: FactorUser, browser: Browser, kind: str) -> dict[str, Any]:
        return user.enrolment(user.begin(browser, kind)) if kind in ("totp", "phone", "webauthn") else {}


WITHOUT_SESSION = ("nobody", "pending", "ended", "used", "stranger", "elsewhere", "forged", "swapped", "enrolling")
WITH_SESSION = ("bare", "plain", "strong")
STATES = (*WITHOUT_SESSION, "disabled", *WITH_SESSION)

# --- What is allowed ----------------------------------------------------------------------------------------------------

Outcome = str | dict[str, str]
NOBODY, EXPIRED, ASKED = "401 auth/login-required", "401 auth/session-expired", "401 auth/multi-factor-auth-required"
NO_FACTOR, WRONG, LATE = "404 auth/multi-factor-info-not-found", "400 auth/invalid-verification-code", "400 auth/code-expired"


def everybody(outcome: Outcome, **others: Outcome) -> dict[str, Outcome]:
    return {state: others.get(state, outcome) for state in STATES}


def signed_in(outcome: Outcome, **others: Outcome) -> dict[str, Outcome]:
    """What waits for a second factor counts as little as no cookie at all."""
    refused = {**dict.fromkeys(WITHOUT_SESSION, NOBODY), "disabled": EXPIRED}
    return {**refused, **dict.fromkeys(WITH_SESSION, outcome), **others}


def each(outcome: str, **others: str) -> dict[str, str]:
    """By factor."""
    return {kind: others.get(kind, outcome) for kind in FACTORS}


def session(kind: str) -> str:
    return f"200, session {kind}"


STARTED = each("204", webauthn="200", none=NO_FACTOR)
COMPLETED = {**{kind: session(kind) for kind in KINDS}, "none": NO_FACTOR}
NEW_FACTOR = {"totp": "204, session totp", "webauthn": "204, session webauthn", "phone": "204, session phone", "recovery": LATE, "none": LATE}

ALLOWED: dict[str, dict[str, Outcome]] = {
    "GET /login": everybody("200"),
    # The first factor is right each time: who has a second one gets no session by it.
    "POST /login/password": everybody(ASKED, enrolling="401 auth/invalid-credential", bare="401 auth/invalid-credential", disabled="403 auth/user-disabled"),
    # The credential answers the challenge of a second factor, and of no sign-in with a passkey.
    "POST /login/passkey": everybody("400 auth/code-expired"),
    "POST /login/passkey/start": everybody("200"),
    "POST /login/anonymous": everybody("200, session without a factor"),
    "GET /login/{provider}": everybody("302 /authorize"),
    "GET /callback/{provider}": everybody("400 auth/invalid-state"),
    "POST /callback/{provider}": everybody("400 auth/invalid-request"),
    "GET /logout": everybody("200"),
    "POST /logout": everybody("303 /_gateway/logged-out"),
    "GET /logged-out": everybody("200"),
    "GET /userinfo": signed_in("200"),
    "GET /jwks.json": everybody("200"),
    "POST /backchannel-logout/{provider}": everybody("400 auth/invalid-logout-token"),
    "GET /frontchannel-logout/{provider}": everybody("400 auth/invalid-request"),
    "POST /session": everybody(ASKED, bare="200, session without a factor", disabled="403 auth/user-disabled"),
    # The sealed cookie keeps no list of sessions.
    "GET /sessions": signed_in("409 auth/unsupported"),
    "POST /sessions/revoke": signed_in("409 auth/unsupported"),
    "GET /account": signed_in("200"),
    # What changes an account with factors needs a session that has used one.
    "GET /account/delete": signed_in("200", plain=ASKED),
    "POST /account/delete": signed_in("204", plain=ASKED),
    # Nothing waits to be linked.
    "GET /account/pending": signed_in("400 auth/invalid-credential"),
    "POST /account/pending": signed_in("400 auth/invalid-credential"),
    "POST /account/password": signed_in("204, session without a factor", plain=ASKED, strong=each("204, session totp", phone="204, session phone", webauthn="204, session webauthn")),
    "GET /account/email": everybody("302 /_gateway/account"),
    "POST /account/email": signed_in("204", plain=ASKED),
    "POST /link/{provider}": signed_in("303 /authorize", plain=ASKED),
    "POST /unlink/{provider}": signed_in("204", plain=ASKED, bare="409 auth/last-provider"),
    "GET /reauthenticate": signed_in("302 /authorize"),
    "POST /reauthenticate": signed_in(ASKED, bare="401 auth/invalid-credential", disabled=NOBODY),
    "POST /reauthenticate/passkey": signed_in("400 auth/code-expired", disabled=NOBODY),
    "POST /reauthenticate/passkey/start": signed_in(each(NO_FACTOR, webauthn="200"), bare=NO_FACTOR, disabled=NOBODY),
    "GET /second-factor": signed_in(
        ASKED, **dict.fromkeys(("pending", "ended", "used", "stranger", "elsewhere", "enrolling"), ASKED), disabled=NOBODY, strong="303 /"
    ),
    # A pending sign-in that has ended still says which factors there are, and sends the messages that the account has left.
    "POST /second-factor/start": signed_in(
        STARTED, **dict.fromkeys(("pending", "ended", "used", "elsewhere"), STARTED), **dict.fromkeys(("stranger", "enrolling"), NO_FACTOR),
        bare=NO_FACTOR, disabled=NOBODY, strong=NOBODY,
    ),
    "POST /second-factor/verify": signed_in(
        COMPLETED,
        pending=COMPLETED,
        ended=each("429 auth/too-many-requests", none=NO_FACTOR),
        used=each(LATE, none=NO_FACTOR),
        stranger=NO_FACTOR,
        # Codes of an app and of paper belong to the user; a message's and a passkey's answer to the browser that was asked.
        elsewhere={**COMPLETED, "phone": LATE, "webauthn": WRONG},
        enrolling=NO_FACTOR, disabled=NOBODY, bare=NO_FACTOR, strong=NOBODY,
    ),
    "GET /account/second-factors": signed_in("200", enrolling="200", disabled=NOBODY),
    "POST /account/second-factors/start": signed_in(
        each("200", none="400 auth/invalid-request"),
        enrolling=each("200", recovery="409 auth/multi-factor-info-not-found", none="400 auth/invalid-request"),
        bare=each("200", recovery="409 auth/multi-factor-info-not-found", none="400 auth/invalid-request"),
        plain=each(ASKED, none="400 auth/invalid-request"),
        disabled=NOBODY,
    ),
    # An enrolment belongs to the browser that began it.
    "POST /account/second-factors/verify": signed_in(
        {**NEW_FACTOR, "phone": LATE}, enrolling=NEW_FACTOR, bare=NEW_FACTOR, plain=LATE, disabled=NOBODY
    ),
    "POST /account/second-factors/remove": signed_in(each("204", none=NO_FACTOR), enrolling=ASKED, bare=NO_FACTOR, plain=ASKED, disabled=NOBODY),
    "GET /sign-up": everybody("200"),
    "POST /sign-up": everybody("204"),
    "GET /verify-email": everybody("400 auth/invalid-token"),
    "POST /verify-email": everybody("400 auth/invalid-token"),
    "GET /password/reset": everybody("200"),
    "POST /password/reset": everybody("204"),
    "GET /password/new": everybody("400 auth/invalid-token"),
    "POST /password/new": everybody("400 auth/invalid-token"),
    "GET route": signed_in("200"),
    "GET route with secondFactor": signed_in(ASKED, strong="200"),
    "GET public route": everybody("200"),
    "GET route as a WebSocket": signed_in("200"),
    "GET route with the cookie as a bearer token": everybody("401 auth/invalid-token"),
    # A bearer token is a program's: nobody can be asked. A route with `secondFactor` refuses it.
    "GET route with an ID token": everybody("200", disabled="401 auth/invalid-token"),
    "GET route with secondFactor and an ID token": everybody(ASKED, disabled="401 auth/invalid-token"),
}  # fmt: skip

# --- Requests -----------------------------------------------------------------------------------------------------------

PASSWORD = "correct horse 41"


def ask(endpoint: str, world: World) -> tuple[requests.Response, Browser]:
    browser = Browser(world.gateway, world.cookies)
    method, _, path = endpoint.partition(" ")
    if endpoint in ROUTES:
        headers: dict[str, str] = {}
        if "WebSocket" in path:
            headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        if "cookie as a bearer" in path:
            headers = {"Authorization": "Bearer " + (world.cookies.get("session-factor") or world.cookies.get("session") or "none")}
        if "ID token" in path:
            headers = {"Authorization": "Bearer " + world.user.issuer.id_token(world.user.subject)}
        return browser.get(ROUTES[endpoint], **headers), browser
    # The provider to link is one at which nobody has an identity.
    path = path.replace("{provider}", "oidc.two" if path == "/link/{provider}" else "oidc.one")
    if method == "GET":
        return browser.get("/_gateway" + path), browser
    address = f"{world.user.subject}@example.com"
    fields = {"email": address, "password": PASSWORD, "new_password": PASSWORD + "x", "token": "x" * 43, **world.proof}
    if path == "/account/email":
        fields["email"] = "new-" + address
    if path == "/account/second-factors/verify":
        fields = {**world.enrolment}
    if path == "/account/second-factors/start":
        fields["phone"] = "+49151999" + world.user.phone[-4:]
    if path == "/session":
        fields = {"provider": "oidc.one", "id_token": world.user.issuer.id_token(world.user.subject)}
    if path == "/sessions/revoke":
        fields = {"others": True}
    if path == "/account/pending":
        fields = {"accept": True}
    return browser.post(path, fields), browser


def outcome(answer: requests.Response, browser: Browser) -> str:
    text = str(answer.status_code)
    if answer.headers.get("Content-Type", "").startswith("application/json") and '"error"' in answer.text:
        text += " " + answer.json()["error"]["code"]
    elif answer.is_redirect:
        text += " " + re.sub(r"^https?://127\.0\.0\.1:\d+|\?.*", "", answer.headers["Location"])
    if any(line.startswith("session=") and not line.startswith("session=;") for line in answer.raw.headers.getlist("Set-Cookie")):
        shown = browser.shown()
        text += f", session {shown['second_factor'] or 'without a factor'}" if shown else ", a session that is none"
    return text


def has_changed(endpoint: str, state: str, answer: requests.Response) -> bool:
    """Whether the next request needs a new world. A proof is used up, a wrong answer counts, a session has ended."""
    if endpoint in ("POST /second-factor/start", "POST /second-factor/verify"):
        return answer.status_code != 401
    changes = ("POST /login", "POST /logout", "POST /session", "POST /account", "POST /unlink")
    return answer.status_code < 400 and endpoint.startswith(changes) and (state in WITH_SESSION or "second-factors" in endpoint)


# --- The test -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def states(start_gateway, tmp_path_factory):
    issuer, messages, mailbox = StaticIssuer(), SignedReceiver(SECRET), Mailbox()

    def start(policy: str) -> Gateway:
        place = tmp_path_factory.mktemp("combinations") / "accounts.db"
        bearer = {"providers": ["oidc.one"]}
        return start_gateway(
            {
                "providers": [
                    {"id": "oidc.one", **issuer.configuration}, {"id": "oidc.two", **issuer.configuration}, {"id": "password"}, {"id": "anonymous"},
                ],
                "accounts": {"store": f"sqlite:{place}", "keys": [session_key()]},
                "secondFactor": {
                    "policy": policy, "factors": ["totp", "webauthn", "recovery", "phone"], "rememberBrowser": "30d",
                    "phone": {"url": messages.url("/send"), "secret": SECRET, "messagesPerDay": 100_000},
                },
                "session": {"exchange": {"providers": ["oidc.one", "oidc.two"]}},
                # Each browser is a client of its own: one client gets ten messages in 15 minutes.
                "server": {"trustedProxies": ["127.0.0.0/8"]},
                "mail": {"url": mailbox.url, "from": "no-reply@example.com"},
                "routes": [
                    {"path": "/public/**", "access": "public"},
                    {"path": "/strong/**", "access": {"secondFactor": True}},
                    {"path": "/bearer/**", "bearer": bearer},
                    {"path": "/bearer-strong/**", "bearer": bearer, "access": {"secondFactor": True}},
                ],
                "logging": {"level": "info"},
            }
        )  # fmt: skip

    yield States(start("enrolled"), start("required"), start("enrolled"), issuer, messages, mailbox)
    issuer.close()
    messages.close()
    mailbox.close()


def test_the_table_lists_every_endpoint():
    assert sorted(ALLOWED) == sorted([*endpoint_table(), *ROUTES])
    assert all(set(row) == set(STATES) for row in ALLOWED.values())


@pytest.mark.parametrize("kind", FACTORS)
@pytest.mark.parametrize("state", STATES)
def test_only_the_listed_combinations_succeed(states, state, kind):
    world, wrong = None, []
    for endpoint, row in ALLOWED.items():
        expected = row[state] if isinstance(row[state], str) else row[state][kind]
        world = world or getattr(states, state)(kind)
        answer, browser = ask(endpoint, world)
        got = outcome(answer, browser)
        if got != expected:
            wrong.append(f"{endpoint}: {got}, expected: {expected}")
        if has_changed(endpoint, state, answer):
            world = None
    assert not wrong, "\n".join(wrong)


def test_an_identity_that_met_a_conflict_is_linked_after_the_second_factor(states):
    """The first factor alone changes nothing of the account, and both together ask first."""
    user, owner = states._equipped("totp")
    providers = lambda: [provider["id"] for provider in owner.get("/_gateway/account").json()["providers"]]  # noqa: E731
    assert providers() == ["oidc.one", "password"]
    other = FactorUser(states.open, user.issuer, user.messages, "oidc.two")
    other.subject = user.subject
    browser, answer = other.sign_in()
    assert answer.status_code == 409, answer.text
    _, answer = user.sign_in(browser)
    assert answer.status_code == 401 and providers() == ["oidc.one", "password"], "with the first factor alone"
    factor = user.factors(browser)["totp"]
    done = browser.post("/second-factor/verify", user.proof(browser, "totp", factor))
    assert done.status_code == 200 and providers() == ["oidc.one", "password"], "without the question"
    question = browser.get("/_gateway/account/pending").json()
    assert (question["provider"], question["email_verified"]) == ("oidc.two", True)
    assert browser.post("/account/pending", {"accept": True}).status_code == 204
    assert browser.shown()["providers"] == providers() == ["oidc.one", "oidc.two", "password"]


def test_a_reset_of_the_password_opens_no_account_with_a_second_factor(states):
    user, _ = states._equipped("totp")
    address = f"{user.subject}@example.com"
    browser = Browser(states.open)
    assert browser.post("/password/reset", {"email": address}).status_code == 204
    token = states.mailbox.token(address, 3)
    assert browser.post("/password/new", {"token": token, "new_password": PASSWORD + " new"}).status_code == 204
    assert browser.shown() is None
    answer = browser.post("/login/password", {"email": address, "password": PASSWORD + " new"})
    assert outcome(answer, browser) == ASKED and set(user.factors(browser)) == {"totp", "recovery"}
