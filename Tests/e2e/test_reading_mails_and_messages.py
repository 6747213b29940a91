"""What a reading of the account modules found about mails, text messages and cookies (docs/readings/2026-11-28.md)."""

from __future__ import annotations

import itertools
import json
import pathlib
from typing import Any

import pytest
import requests

from accounts import account, code, link, post, submit
from logins import NAVIGATION, new_client
from parts.factor_users import Browser, FactorUser
from parts.gateway import Gateway, session_key
from parts.mailbox import Mailbox
from parts.processes import eventually
from parts.signed_receiver import SignedReceiver
from parts.static_issuer import StaticIssuer
from test_mail_links import log_in, page, sign_up, token_of, works

PASSWORD = "correct horse battery staple"
EVIL = "the stranger's own password"
GOOD = "the owner's own password"
SECRET = "sms-secret-44b0e1f7"
NAMES = itertools.count()


def fresh_address() -> str:
    return f"owner{next(NAMES)}@example.org"


def records(place: pathlib.Path, event: str) -> list[dict[str, Any]]:
    """The audit stream's records of one event so far."""
    return [record for record in map(json.loads, place.read_text().splitlines()) if record["event"] == event]


@pytest.fixture(scope="module")
def mailbox():
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture
def gateway(start_gateway, dev, mailbox, tmp_path):
    gateway = start_gateway(
        {
            "providers": [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {"id": "password"}, {"id": "anonymous"}],
            "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
            "mail": {"url": mailbox.url, "from": "Example <no-reply@example.com>"},
            "audit": {"to": f"{tmp_path}/audit.log"},
        }
    )
    yield gateway
    gateway.kill()


def ask_for_reset(gateway: Gateway, address: str) -> None:
    assert post(gateway, new_client(), "/password/reset", json={"email": address}).status_code == 204


def set_password(gateway: Gateway, client: requests.Session, password: str) -> requests.Response:
    return post(gateway, client, "/account/password", json={"new_password": password})


# --- Medium 4: mails to the owner of an address ----------------------------------------------------------------------------


def test_the_user_of_an_unproven_account_cancels_no_mail_to_the_owner_of_its_address(gateway, mailbox, dev):
    """A stranger registers the address and changes the password after each mail: the owner's links did not work."""
    address = fresh_address()
    sign_up(gateway, address, EVIL)
    stranger = log_in(gateway, address, EVIL)
    registration = mailbox.token(address)
    assert set_password(gateway, stranger, EVIL + "!").status_code == 204
    assert works(gateway, registration), "I did not create this account"

    ask_for_reset(gateway, address)
    reset = token_of(mailbox, address, "/password/new")
    assert set_password(gateway, stranger, EVIL + "?").status_code == 204
    assert link(gateway, dev, "one", "carol", stranger).status_code == 303
    assert post(gateway, stranger, "/unlink/password").status_code == 204
    assert works(gateway, registration) and works(gateway, reset, "/password/new")

    assert post(gateway, new_client(), "/password/new", json={"token": reset, "new_password": GOOD}).status_code == 204
    owner = log_in(gateway, address, GOOD)
    assert [provider["id"] for provider in account(gateway, owner)["providers"]] == ["password"]
    assert stranger.get(gateway.own("/userinfo"), timeout=60).status_code == 401
    assert not works(gateway, registration), "the reset has proven the address"


def test_a_proven_account_cancels_its_mails_as_before(gateway, mailbox):
    address = fresh_address()
    sign_up(gateway, address)
    client = log_in(gateway, address)
    assert post(gateway, client, "/verify-email", json={"token": mailbox.token(address)}).status_code == 204
    ask_for_reset(gateway, address)
    reset = token_of(mailbox, address, "/password/new")
    assert set_password(gateway, client, GOOD).status_code == 204
    assert not works(gateway, reset, "/password/new")


def test_a_stranger_who_uses_up_the_mails_of_an_address_leaves_a_reset_to_its_owner(gateway, mailbox, tmp_path):
    """Registrations, and what a session of the account asks for and does, count apart from resets."""
    address = fresh_address()
    for _ in range(6):
        sign_up(gateway, address, EVIL)
    stranger = log_in(gateway, address, EVIL)
    for number in range(6):
        assert set_password(gateway, stranger, f"{EVIL}{number}").status_code == 204
    answers = [post(gateway, stranger, "/account/email", json={"email": fresh_address()}).status_code for _ in range(12)]
    assert answers[-1] == 429 and set(answers) == {204, 429}, "the account has caused ten mails"
    ask_for_reset(gateway, address)
    reset = token_of(mailbox, address, "/password/new")
    assert post(gateway, new_client(), "/password/new", json={"token": reset, "new_password": GOOD}).status_code == 204
    log_in(gateway, address, GOOD)
    # Four that strangers asked for and one reset, and five of the seven that announce a change.
    eventually(lambda: len(mailbox.to(address)) >= 10, "the mails")
    lost = [record["kind"] for record in records(tmp_path / "audit.log", "account.mail_lost")]
    assert len(mailbox.to(address)) == 10 and lost.count("passwordChanged") == 2, lost


def test_a_stranger_who_uses_up_the_resets_of_an_address_leaves_a_registration_to_its_owner(gateway, mailbox):
    address = fresh_address()
    for _ in range(8):
        ask_for_reset(gateway, address)
    sign_up(gateway, address)
    assert post(gateway, new_client(), "/verify-email", json={"token": mailbox.token(address), "password": PASSWORD}).status_code == 204
    assert len(mailbox.to(address)) == 1


# --- Medium 6: text messages ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def issuer():
    part = StaticIssuer()
    yield part
    part.close()


@pytest.fixture(scope="module")
def messages():
    part = SignedReceiver(SECRET)
    yield part
    part.close()


@pytest.fixture
def texting(start_gateway, issuer, messages, tmp_path):
    started = []

    def start(**phone: Any) -> Gateway:
        gateway = start_gateway(
            {
                "providers": [{"id": "oidc.one", **issuer.configuration}],
                "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
                "secondFactor": {"factors": ["totp", "phone"], "phone": {"url": messages.url("/send"), "secret": SECRET, **phone}},
                "session": {"exchange": {"providers": ["oidc.one"]}},
                "server": {"trustedProxies": ["127.0.0.0/8"]},
                "audit": {"to": f"{tmp_path}/audit.log"},
            }
        )
        started.append(gateway)
        return gateway

    yield start
    for gateway in started:
        gateway.kill()


def request_code(user: FactorUser, number: str, address: str | None = None) -> requests.Response:
    """A new account adds the number, from a client of its own or from `address`."""
    browser = Browser(user.gateway)
    browser.address = address or browser.address
    user.sign_in(browser)
    return browser.post("/account/second-factors/start", {"type": "phone", "phone": number})


def refused(answer: requests.Response) -> bool:
    return answer.status_code == 429 and code(answer) == "auth/too-many-requests" and int(answer.headers["Retry-After"]) > 0


def test_one_number_gets_five_messages_in_15_minutes_whoever_asks(texting, issuer, messages, tmp_path):
    """Eight accounts sent 24 messages to one number within 16 seconds."""
    gateway = texting()
    number = "+4915170000001"
    answers = [request_code(FactorUser(gateway, issuer, messages), number) for _ in range(8)]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5 and all(map(refused, answers[5:]))
    assert len([sent for sent in messages.events("/send") if sent["to"] == number]) == 5
    lost = records(tmp_path / "audit.log", "account.message_lost")
    assert [(record["reason"], record["outcome"]) for record in lost] == [("too many text messages to one number", "failure")] * 3
    assert all(record["uid"] and record["request_id"] for record in lost)
    assert number[1:] not in (tmp_path / "audit.log").read_text() + gateway.log, "no number is in a log"
    metrics = gateway.metrics()
    assert 'gateway_text_messages_total{outcome="sent"} 5' in metrics and 'gateway_text_messages_total{outcome="limited"} 3' in metrics


@pytest.mark.parametrize(
    ("client", "most", "reason"),
    [
        (lambda number: "203.0.113.7", 10, "too many text messages for one client"),
        (lambda number: f"2001:db8:1:7:{number:x}::1", 10, "too many text messages for one client"),
        (lambda number: f"2001:db8:2:{number:x}::1", 40, "too many text messages for the /48 of one client"),
    ],
    ids=["an address", "a /64", "a /48"],
)
def test_one_client_adds_so_many_numbers_whichever_accounts_ask(texting, issuer, messages, tmp_path, client, most, reason):
    gateway = texting()
    answers = [
        request_code(FactorUser(gateway, issuer, messages), f"+49151711{number:05d}", client(number)) for number in range(most + 2)
    ]
    assert [answer.status_code for answer in answers[:most]] == [200] * most and all(map(refused, answers[most:]))
    assert [record["reason"] for record in records(tmp_path / "audit.log", "account.message_lost")] == [reason] * 2
    assert request_code(FactorUser(gateway, issuer, messages), "+4915171199999").status_code == 200, "another client"


def start(user: FactorUser, address: str | None = None) -> requests.Response:
    """A sign-in of a user who has a number asks for the code."""
    browser = Browser(user.gateway)
    browser.address = address or browser.address
    answer = user.sign_in(browser)[1]
    assert answer.status_code == 401, answer.text
    return browser.post("/second-factor/start", {"factor": user.factors(browser)["phone"]})


def test_a_stranger_s_enrolments_of_a_number_never_stop_the_sign_in_of_the_user_who_has_it(texting, issuer, messages, tmp_path):
    """Two accounts used up the number's messages, and its user could not sign in."""
    gateway = texting()
    user = FactorUser(gateway, issuer, messages)
    user.enrol(user.session(), "phone")
    # From the user's own address, too: a stranger can be in the same office.
    office = "203.0.113.9"
    answers = [request_code(FactorUser(gateway, issuer, messages), user.phone, office) for _ in range(6)]
    assert [answer.status_code for answer in answers[:4]] == [200] * 4 and all(map(refused, answers[4:])), "the user's own was the first"
    for number in range(7):
        other = request_code(FactorUser(gateway, issuer, messages), f"+49151741{number:05d}", office)
        assert other.status_code == (200 if number < 6 else 429), number
    lost = [record["reason"] for record in records(tmp_path / "audit.log", "account.message_lost")]
    assert lost == ["too many text messages to one number"] * 2 + ["too many text messages for one client"]

    browser = Browser(gateway)
    browser.address = office
    user.sign_in(browser)
    answer = browser.post("/second-factor/verify", user.proof(browser, "phone", user.factors(browser)["phone"]))
    assert answer.status_code == 200 and browser.shown()["second_factor"] == "phone"
    assert start(user, office).status_code == 204
    assert refused(start(user, office)), "the account's three"


def test_the_users_of_an_office_sign_in_behind_one_address(texting, issuer, messages):
    """The eleventh within 15 minutes got no message."""
    gateway = texting()
    users = [FactorUser(gateway, issuer, messages) for _ in range(15)]
    for user in users:
        user.enrol(user.session(), "phone")
    assert [start(user, "203.0.113.11").status_code for user in users] == [204] * 15


def test_all_messages_of_a_day_are_limited_and_new_numbers_leave_half_to_sign_ins(texting, issuer, messages, tmp_path):
    gateway = texting(messagesPerDay=4)
    user = FactorUser(gateway, issuer, messages)
    user.enrol(user.session(), "phone")
    assert request_code(FactorUser(gateway, issuer, messages), "+4915172000001").status_code == 200
    limited = request_code(FactorUser(gateway, issuer, messages), "+4915172000002")
    assert refused(limited) and int(limited.headers["Retry-After"]) > 3600

    assert [start(user).status_code for _ in range(2)] == [204, 204]
    # Its account has had three; another user's sign-in meets the limit of the day.
    assert refused(start(user))
    reasons = [record["reason"] for record in records(tmp_path / "audit.log", "account.message_lost")]
    assert reasons == ["half of secondFactor.phone.messagesPerDay is used up", "too many text messages for one account"]


def test_a_message_that_the_endpoint_does_not_take_is_an_audit_event(texting, issuer, messages, tmp_path):
    gateway = texting()
    messages.answers["/send"] = (500, {})
    try:
        failed = request_code(FactorUser(gateway, issuer, messages), "+4915173000001")
    finally:
        del messages.answers["/send"]
    assert failed.status_code == 503
    (record,) = records(tmp_path / "audit.log", "account.message_lost")
    assert record["outcome"] == "failure" and "500" in record["reason"]
    assert 'gateway_text_messages_total{outcome="failed"} 1' in gateway.metrics()


# --- Low 7 and 8 --------------------------------------------------------------------------------------------------------------


def test_in_a_session_the_page_of_a_mail_s_link_names_the_account(gateway, mailbox):
    """A sibling host can plant its own session: the reader must see for which account the address would be confirmed."""
    own, wanted = fresh_address(), fresh_address()
    sign_up(gateway, own)
    client = log_in(gateway, own)
    assert post(gateway, client, "/account/email", json={"email": wanted}).status_code == 204
    token = mailbox.token(wanted)
    shown = page(gateway, client, token)
    assert f"for the account <bdi>{own}</bdi>." in shown and "Confirm address" in shown
    outside = page(gateway, new_client(), token)
    assert own not in outside, "the mail may have gone to a stranger"

    visitor = new_client()
    assert post(gateway, visitor, "/login/anonymous").status_code == 200
    registered = fresh_address()
    sign_up(gateway, registered, client=visitor)
    assert "for the registration that was begun in this browser." in page(gateway, visitor, mailbox.token(registered))

    ask_for_reset(gateway, own)
    assert f'value="{own}"' in page(gateway, new_client(), token_of(mailbox, own, "/password/new"), "/password/new")


def test_a_sign_out_forgets_the_sign_in_that_waits_and_not_the_remembered_browser(start_gateway, issuer, messages, tmp_path):
    gateway = start_gateway(
        {
            "providers": [{"id": "oidc.one", **issuer.configuration}],
            "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
            "secondFactor": {"factors": ["totp", "recovery"], "rememberBrowser": "30d"},
            "session": {"exchange": {"providers": ["oidc.one"]}},
        }
    )
    try:
        user = FactorUser(gateway, issuer, messages)
        user.enrol(user.session(), "totp", "recovery")
        browser = user.waiting()
        proof = {"factor": user.factors(browser)["recovery"], "code": user.codes.pop(), "remember": "true"}
        assert browser.post("/second-factor/verify", proof).status_code == 200
        # Another user begins to sign in, in the same browser, and leaves.
        other = FactorUser(gateway, issuer, messages)
        other.enrol(other.session(), "totp")
        assert other.sign_in(browser)[1].status_code == 401
        assert {"session", "session-factor", "session-browser"} <= browser.cookies.keys()
        answer = submit(gateway, browser.client, "/logout")
        assert answer.status_code == 303, answer.text
        assert browser.cookies.keys() & {"session", "session-factor", "session-browser"} == {"session-browser"}
        asked = browser.client.get(gateway.own("/second-factor"), headers=NAVIGATION, allow_redirects=False, timeout=60)
        assert asked.status_code == 303 and "/login" in asked.headers["Location"]
        assert user.sign_in(browser)[1].status_code == 200, "the browser is still remembered"
    finally:
        gateway.kill()
