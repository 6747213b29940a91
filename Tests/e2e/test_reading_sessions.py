"""A reading of the modules of accounts (docs/readings/2026-11-28.md): sessions that end while one of their requests is under way."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable

import pytest
import requests

from accounts import account, code, link, log_in, post, signed_in, userinfo
from logins import NAVIGATION, new_client
from parts.dev_provider import CLIENT_ID
from parts.factor_devices import CodeApp
from parts.gateway import Gateway, run_command, session_key
from parts.mailbox import Mailbox
from parts.processes import eventually
from parts.redis_server import RedisServer
from parts.relay import Hold, TokenRelay
from parts.signed_receiver import SignedReceiver
from parts.tokens import tokens_of

PASSWORD = "correct horse battery staple"
NEXT = "another horse, another battery"
SECRET = "hook-secret-51c08d77"
NAMES = itertools.count()


@pytest.fixture(scope="module")
def mailbox():
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def relay(dev):
    relay = TokenRelay(requests.get(f"{dev.issuer}/.well-known/openid-configuration", timeout=60).json()["token_endpoint"])
    yield relay
    relay.close()


@pytest.fixture(scope="module")
def receiver():
    part = SignedReceiver(SECRET)
    yield part
    part.close()


@pytest.fixture(scope="module", params=["cookie", "redis"])
def gateway(request, start_gateway, dev, mailbox, relay, receiver, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reading")
    redis = RedisServer(folder).start() if request.param == "redis" else None
    provider = {**dev.configuration, "displayName": "One", "scopes": ["groups"]}
    gateway = start_gateway(
        {
            "providers": [{**provider, "id": "oidc.one", "endpoints": {"token": relay.url}}, {**provider, "id": "oidc.two"}, {"id": "password"}, {"id": "anonymous"}],
            "accounts": {
                "store": f"sqlite:{folder}/accounts.db",
                "keys": [session_key()],
                "hooks": {"beforeSignIn": {"url": receiver.url("/sign-in"), "secret": SECRET, "timeout": "7s"}},
            },
            "mail": {"url": mailbox.url, "from": "Example <no-reply@example.com>"},
            "session": {"keys": [session_key()], "exchange": {"providers": ["oidc.two"], "nonce": "optional"}, **({"store": {"url": redis.url}} if redis else {})},
        }
    )
    yield gateway
    gateway.kill()
    if redis:
        redis.kill()


def stranger(gateway: Gateway) -> tuple[str, requests.Session]:
    """Somebody who signed up with an address of somebody else's, and is signed in."""
    address = f"owner{next(NAMES)}@example.org"
    assert post(gateway, new_client(), "/sign-up", json={"email": address, "password": PASSWORD}).status_code == 204
    client = new_client()
    assert post(gateway, client, "/login/password", json={"email": address, "password": PASSWORD}).status_code == 200
    return address, client


def reset(gateway: Gateway, mailbox: Mailbox, address: str) -> Callable[[], None]:
    """The owner's reset, one step before its end."""
    assert post(gateway, new_client(), "/password/reset", json={"email": address}).status_code == 204

    def tokens() -> list[str]:
        texts = [mail.get_body(("plain",)).get_content() for mail in mailbox.to(address)]
        return [token for text in texts for token in re.findall(r"/password/new\?token=([\w-]{43})", text)]

    token = eventually(tokens, "the mail of the reset", timeout=60)[-1]

    def finish() -> None:
        assert post(gateway, new_client(), "/password/new", json={"token": token, "new_password": NEXT}).status_code == 204

    return finish


def copy(client: requests.Session) -> requests.Session:
    other = new_client()
    other.cookies.update(client.cookies)
    return other


def meanwhile(hold: Hold, request: Callable[[], requests.Response], event: Callable[[], None]) -> requests.Response:
    """The answer to a request during which something happened."""
    answers: list[requests.Response] = []
    thread = threading.Thread(target=lambda: answers.append(request()))
    thread.start()
    try:
        assert hold.entered.wait(60), "the request reaches the part that holds it"
        event()
    finally:
        hold.released.set()
        thread.join()
    return answers[0]


def is_alive(gateway: Gateway, client: requests.Session) -> bool:
    return copy(client).get(gateway.own("/userinfo"), timeout=60).status_code == 200


def ended(gateway: Gateway, client: requests.Session) -> None:
    """An operator's command is another process, which the gateway hears of within ten seconds."""
    eventually(lambda: not is_alive(gateway, client), "the session to end", timeout=20)


def ends(gateway: Gateway, mailbox: Mailbox, address: str, client: requests.Session, end: str) -> Callable[[], None]:
    uid = userinfo(gateway, client)["uid"]

    def by_operator(*words: str) -> None:
        done = run_command("users", *words, uid, "--config", str(gateway.file))
        assert done.returncode == 0, done.stderr

    match end:
        case "reset":
            return reset(gateway, mailbox, address)
        case "revoke" | "disable":
            return lambda: by_operator(end)
        case "sign-out":
            return lambda: post(gateway, copy(client), "/logout").raise_for_status()
    raise ValueError(end)


@pytest.mark.parametrize("end", ["reset", "revoke", "disable", "sign-out"])
def test_a_link_whose_session_ends_meanwhile_links_nothing_and_begins_nothing(gateway, dev, relay, mailbox, end):
    """Finding 1: the session was revived, and the identity of a stranger joined the account of the owner."""
    address, client = stranger(gateway)
    uid = userinfo(gateway, client)["uid"]
    finish = ends(gateway, mailbox, address, client, end)
    person = "bob"
    begun = post(gateway, client, "/link/oidc.one")
    assert begun.status_code == 303, begun.text
    page = client.get(begun.headers["Location"], headers=NAVIGATION, timeout=60)
    callback = dev.sign_in(client, page, person)
    relay.hold = Hold()
    try:
        answer = meanwhile(relay.hold, lambda: client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60), finish)
    finally:
        relay.hold = None
    assert answer.status_code in (400, 401, 403), answer.text
    ended(gateway, client)
    # Whoever has that identity has another account.
    other, _ = log_in(gateway, dev, "one", person)
    assert userinfo(gateway, other)["uid"] != uid
    assert post(gateway, other, "/account/delete", json={}).status_code == 204


@pytest.mark.parametrize("end", ["reset", "revoke", "disable", "sign-out"])
def test_a_re_authentication_whose_session_ends_meanwhile_begins_no_session(gateway, receiver, mailbox, end):
    """Finding 2: the sign-in was written, then a hook was asked for seconds, then the session began after the owner's reset."""
    address, client = stranger(gateway)
    finish = ends(gateway, mailbox, address, client, end)
    hold = Hold()
    receiver.holds["/sign-in"] = hold
    answer = meanwhile(hold, lambda: post(gateway, client, "/reauthenticate", json={"email": address, "password": PASSWORD}), finish)
    if end == "sign-out":
        # The password is right, and the user has signed in: the session that ended is the other one.
        assert answer.status_code == 200, answer.text
        return
    if end == "revoke":
        # The password is still right: a sign-in that completes after the end is one like any other.
        assert answer.status_code in (200, 401), answer.text
        return
    assert answer.status_code in (401, 403), answer.text
    ended(gateway, client)


@pytest.mark.parametrize("end", ["reset", "disable"])
def test_a_sign_in_during_an_end_begins_before_it(gateway, receiver, mailbox, end):
    """Finding 2: a sign-in with the old password that waited for a hook had a session after the reset."""
    address, client = stranger(gateway)
    finish = ends(gateway, mailbox, address, client, end)
    hold = Hold()
    receiver.holds["/sign-in"] = hold
    late = new_client()
    answer = meanwhile(hold, lambda: post(gateway, late, "/login/password", json={"email": address, "password": PASSWORD}), finish)
    assert answer.status_code in (401, 403), answer.text
    assert not is_alive(gateway, late)
    ended(gateway, client)


def test_a_session_that_goes_on_keeps_its_beginning_unless_the_others_ended(gateway, dev):
    """Finding 1: each change began the absolute limit anew. The beginning shows in what ends the session."""
    client = signed_in(gateway, dev, "two", "zoe")
    before = userinfo(gateway, client)
    assert link(gateway, dev, "one", "zoe", client).status_code == 303
    linked = userinfo(gateway, client)
    assert (linked["uid"], linked["provider"]) == (before["uid"], "oidc.two")
    assert [item["id"] for item in account(gateway, client)["providers"]] == ["oidc.two", "oidc.one"]
    assert post(gateway, client, "/account/delete", json={}).status_code == 204
    assert not is_alive(gateway, client)


def test_an_anonymous_session_that_links_a_provider_is_that_providers(gateway, dev):
    """Finding 5: it kept the provider's groups after the provider's logout token, and after the provider was unlinked."""
    client = new_client()
    assert post(gateway, client, "/login/anonymous", json={}).status_code == 200
    uid = userinfo(gateway, client)["uid"]
    old = copy(client)
    assert link(gateway, dev, "two", "carol", client).status_code == 303
    seen = userinfo(gateway, client)
    assert (seen["uid"], seen["provider"], seen["anonymous"]) == (uid, "oidc.two", False) and seen["email"]
    assert not is_alive(gateway, old), "the anonymous session ended with it"
    token = dev.control(logoutToken={"client": CLIENT_ID, "person": "carol"})["logoutToken"]
    assert requests.post(gateway.own("/backchannel-logout/oidc.two"), data={"logout_token": token}, timeout=60).status_code == 200
    assert not is_alive(gateway, client)
    again = signed_in(gateway, dev, "two", "carol")
    assert userinfo(gateway, again)["uid"] == uid
    assert post(gateway, again, "/account/delete", json={}).status_code == 204


def test_an_anonymous_session_ends_when_its_linked_provider_is_unlinked(gateway, dev):
    client = new_client()
    assert post(gateway, client, "/login/anonymous", json={}).status_code == 200
    assert link(gateway, dev, "two", "carol", client).status_code == 303
    assert link(gateway, dev, "one", "bob", client).status_code == 303
    assert post(gateway, client, "/unlink/oidc.two", json={}).status_code in (204, 303)
    assert not is_alive(gateway, client)
    again = signed_in(gateway, dev, "one", "bob")
    assert post(gateway, again, "/account/delete", json={}).status_code == 204


def test_an_id_token_whose_exchange_waits_while_its_user_is_ended_opens_nothing(gateway, dev, receiver, minted):
    """A further reading: the token was checked before a hook was asked, and its session began after the end."""
    first = signed_in(gateway, dev, "two", "alice")
    uid = userinfo(gateway, first)["uid"]
    token = tokens_of(dev, "alice", minted)["id_token"]
    late = new_client()
    hold = Hold()
    receiver.holds["/sign-in"] = hold

    def revoke() -> None:
        done = run_command("users", "revoke", uid, "--config", str(gateway.file))
        assert done.returncode == 0, done.stderr

    answer = meanwhile(hold, lambda: post(gateway, late, "/session", json={"provider": "oidc.two", "id_token": token}), revoke)
    assert answer.status_code == 401, answer.text
    ended(gateway, first)
    assert not is_alive(gateway, late)


def test_the_hooks_are_asked_before_an_anonymous_session_becomes_a_providers(gateway, dev, receiver):
    """A further reading: a provider that the hook refuses gave an anonymous session its groups."""
    client = new_client()
    assert post(gateway, client, "/login/anonymous", json={}).status_code == 200
    receiver.answers["/sign-in"] = (200, {"deny": "no guests"})
    try:
        answer = link(gateway, dev, "two", "bob", client)
        assert answer.status_code == 403 and code(answer) == "auth/access-denied", answer.text[:500]
        assert account(gateway, client)["providers"] == [] and userinfo(gateway, client)["anonymous"]
    finally:
        del receiver.answers["/sign-in"]
    asked = receiver.events("/sign-in")[-1]
    assert asked["provider"] == "oidc.two"
    assert (asked["user"]["anonymous"], asked["user"]["providers"]) == (False, ["oidc.two"]) and asked["user"]["email"], "the account as it will be"
    assert link(gateway, dev, "two", "bob", client).status_code == 303
    assert post(gateway, client, "/account/delete", json={}).status_code == 204


def test_a_sign_in_that_must_enrol_ends_with_its_user(start_gateway, dev, tmp_path):
    """A further reading: a logout token between the first factor and the enrolment was forgotten by the enrolment's own end."""
    gateway = start_gateway(
        {
            "providers": [{**dev.configuration, "id": "oidc.one", "displayName": "One"}],
            "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
            "secondFactor": {"policy": "required", "factors": ["totp"]},
        }
    )

    def enrolment(client: requests.Session) -> tuple[dict[str, str], CodeApp]:
        begun = post(gateway, client, "/account/second-factors/start", json={"type": "totp"})
        assert begun.status_code == 200, begun.text
        return begun.json(), CodeApp(begun.json()["secret"])

    try:
        client, answer = log_in(gateway, dev, "one", "zoe")
        assert answer.status_code == 303 and "/account/second-factors" in answer.headers["Location"]
        begun, app = enrolment(client)
        token = dev.control(logoutToken={"client": CLIENT_ID, "person": "zoe"})["logoutToken"]
        assert requests.post(gateway.own("/backchannel-logout/oidc.one"), data={"logout_token": token}, timeout=60).status_code == 200
        verified = post(gateway, client, "/account/second-factors/verify", json={"enrollment": begun["enrollment"], "code": app.code()})
        assert verified.status_code in (400, 401) and not is_alive(gateway, client), verified.text
        again, answer = log_in(gateway, dev, "one", "zoe")
        assert "/account/second-factors" in answer.headers["Location"], "no factor was added"
        begun, app = enrolment(again)
        verified = post(gateway, again, "/account/second-factors/verify", json={"enrollment": begun["enrollment"], "code": app.code()})
        assert verified.status_code == 204 and is_alive(gateway, again), verified.text
    finally:
        gateway.kill()
