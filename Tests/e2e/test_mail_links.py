"""What the link of a mail proves (contract §8): who reads a mailbox, and not who has the account."""

from __future__ import annotations

import itertools
import re
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from accounts import account, callback, code, link, post, signed_in, submit, userinfo
from accounts import log_in as log_in_at
from logins import NAVIGATION, new_client
from parts.gateway import Gateway, session_key
from parts.mailbox import Mailbox
from parts.postgres import Postgres
from parts.processes import eventually

PASSWORD = "correct horse battery staple"
NEXT = "another horse, another battery"
NAMES = itertools.count()


def fresh_address() -> str:
    return f"reader{next(NAMES)}@example.org"


@pytest.fixture(scope="module")
def mailbox():
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def postgres():
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def start(request, start_gateway, dev, mailbox, tmp_path_factory):
    def start(accounts: dict | None = None, **changes) -> Gateway:
        if request.param == "postgres":
            store = request.getfixturevalue("postgres").database(f"links{next(NAMES)}")
        else:
            store = f"sqlite:{tmp_path_factory.mktemp('links')}/accounts.db"
        return start_gateway(
            {
                "providers": [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {"id": "password"}, {"id": "anonymous"}],
                "accounts": {"store": store, "keys": [session_key()], **(accounts or {})},
                "mail": {"url": mailbox.url, "from": "Example <no-reply@example.com>"},
                "routes": [{"path": "/owners/**", "access": {"emails": ["*@example.org"]}}],
                **changes,
            }
        )

    return start


@pytest.fixture(scope="module")
def gateway(start):
    return start()


def sign_up(gateway: Gateway, address: str, password: str = PASSWORD, client: requests.Session | None = None) -> None:
    answer = post(gateway, client or new_client(), "/sign-up", json={"email": address, "password": password})
    assert answer.status_code == 204, answer.text


def log_in(gateway: Gateway, address: str, password: str = PASSWORD) -> requests.Session:
    client = new_client()
    answer = post(gateway, client, "/login/password", json={"email": address, "password": password})
    assert answer.status_code == 200, answer.text
    return client


def refused(gateway: Gateway, address: str, password: str) -> bool:
    answer = post(gateway, new_client(), "/login/password", json={"email": address, "password": password})
    return answer.status_code == 401 and code(answer) == "auth/invalid-credential"


def verified(gateway: Gateway, mailbox: Mailbox) -> str:
    address = fresh_address()
    sign_up(gateway, address)
    confirmed = post(gateway, new_client(), "/verify-email", json={"token": mailbox.token(address), "password": PASSWORD})
    assert confirmed.status_code == 204, confirmed.text
    return address


def page(gateway: Gateway, client: requests.Session, token: str, path: str = "/verify-email") -> str:
    answer = client.get(gateway.own(f"{path}?token={token}"), headers=NAVIGATION, timeout=60)
    assert answer.status_code == 200, answer.text[:500]
    return answer.text


def works(gateway: Gateway, token: str, path: str = "/verify-email") -> bool:
    answer = new_client().get(gateway.own(f"{path}?token={token}"), headers=NAVIGATION, timeout=60)
    assert answer.status_code == 200 or (answer.status_code == 400 and code(answer) == "auth/invalid-token"), answer.text[:500]
    return answer.status_code == 200


def token_of(mailbox: Mailbox, address: str, path: str) -> str:
    """Of the latest mail with this link, whatever other mails came."""

    def found() -> list[str]:
        texts = [mail.get_body(("plain",)).get_content() for mail in mailbox.to(address)]
        return [token for text in texts for token in re.findall(re.escape(path) + r"\?token=([\w-]{43})", text)]

    return eventually(found, f"a mail with {path} to {address}", timeout=60)[-1]


# --- A stranger who caused the mail -------------------------------------------------------------------------------------


def test_the_owner_of_a_mailbox_who_presses_the_button_proves_nothing_for_a_stranger(gateway, mailbox):
    """Sign up with somebody else's address, sign in, and wait until the owner presses "Confirm address"."""
    victim = fresh_address()
    sign_up(gateway, victim)
    stranger = log_in(gateway, victim)
    token = mailbox.token(victim)
    owner = new_client()
    pressed = submit(gateway, owner, "/verify-email", token=token)
    assert pressed.status_code == 303 and pressed.headers["Location"] == f"/_gateway/verify-email?token={token}", "it asks who has the account"
    program = post(gateway, owner, "/verify-email", json={"token": token})
    assert program.status_code == 401 and code(program) == "auth/login-required"
    login = program.json()["error"]["login_url"]
    assert parse_qs(urlsplit(login).query)["rd"] == [f"/_gateway/verify-email?token={token}"]
    assert account(gateway, stranger)["email_verified"] is False
    again = log_in(gateway, victim)
    assert userinfo(gateway, again)["email_verified"] is False
    assert again.get(gateway.url("/owners/"), headers=NAVIGATION, timeout=60).status_code == 403
    assert works(gateway, token), "nothing used the link up"


def test_the_session_of_another_account_confirms_no_address(gateway, mailbox, dev):
    victim = fresh_address()
    sign_up(gateway, victim)
    token = mailbox.token(victim)
    other = signed_in(gateway, dev, "one", "alice")
    answer = post(gateway, other, "/verify-email", json={"token": token})
    assert answer.status_code == 403 and code(answer) == "auth/user-mismatch"
    shown = page(gateway, other, token)
    assert "You are signed in to another account" in shown and "account=select" in shown
    wrong = post(gateway, other, "/verify-email", json={"token": token, "password": NEXT})
    assert wrong.status_code == 401 and code(wrong) == "auth/invalid-credential"
    assert userinfo(gateway, log_in(gateway, victim))["email_verified"] is False


def test_no_account_gets_the_address_of_somebody_who_only_reads_the_mail(gateway, mailbox):
    """`/account/email` with somebody else's address, from any account."""
    mine, victim = verified(gateway, mailbox), fresh_address()
    stranger = log_in(gateway, mine)
    assert post(gateway, stranger, "/account/email", json={"email": victim}).status_code == 204
    token = mailbox.token(victim)
    owner = new_client()
    shown = page(gateway, owner, token)
    assert "I did not ask for this" in shown and "I did not create this account" not in shown and mine not in shown
    assert post(gateway, owner, "/verify-email", json={"token": token}).status_code == 401
    assert account(gateway, stranger)["email"] == mine
    cancelled = submit(gateway, owner, "/verify-email", token=token, refuse="true")
    assert cancelled.status_code == 303 and cancelled.headers["Location"].endswith("notice=mail-cancelled")
    notice = owner.get(gateway.url(cancelled.headers["Location"]), headers=NAVIGATION, timeout=60)
    assert notice.status_code == 200 and "Nothing else was changed" in notice.text
    late = post(gateway, stranger, "/verify-email", json={"token": token})
    assert late.status_code == 400 and code(late) == "auth/invalid-token"
    assert account(gateway, stranger)["email"] == mine and not works(gateway, token)
    sign_up(gateway, victim, NEXT)
    assert userinfo(gateway, log_in(gateway, victim, NEXT))["email"] == victim, "the address is the owner's to use"


# --- The user who has both ----------------------------------------------------------------------------------------------


def test_the_button_confirms_in_a_session_of_the_account(gateway, mailbox):
    address = fresh_address()
    sign_up(gateway, address)
    client = log_in(gateway, address)
    token = mailbox.token(address)
    shown = page(gateway, client, token)
    assert "type=\"password\"" not in shown and ">Confirm address</button>" in shown and address in shown
    assert userinfo(gateway, client)["email_verified"] is False, "a program that opens links changes nothing"
    assert submit(gateway, client, "/verify-email", token=token).status_code == 303
    assert userinfo(gateway, client)["email_verified"] is True
    assert client.get(gateway.url("/owners/"), headers=NAVIGATION, timeout=60).status_code == 200
    assert not works(gateway, token), "once"


def test_somebody_who_signs_up_on_a_desktop_and_confirms_on_a_phone_keeps_the_password(gateway, mailbox):
    address = fresh_address()
    sign_up(gateway, address)
    desktop, phone = log_in(gateway, address), new_client()
    token = mailbox.token(address)
    assert 'name="password" type="password"' in page(gateway, phone, token)
    confirmed = submit(gateway, phone, "/verify-email", token=token, password=PASSWORD)
    assert confirmed.status_code == 303 and confirmed.headers["Location"].endswith("notice=email-verified")
    assert not phone.cookies.get("session"), "the password on the page confirms and does not sign in"
    assert account(gateway, desktop)["email_verified"] is True
    assert userinfo(gateway, log_in(gateway, address))["email_verified"] is True


def test_a_user_without_a_password_confirms_after_the_sign_in_page_and_back(gateway, dev, mailbox):
    address = fresh_address()
    client = signed_in(gateway, dev, "one", "carol")
    assert post(gateway, client, "/account/email", json={"email": address}).status_code == 204
    token = mailbox.token(address)
    phone = new_client()
    shown = page(gateway, phone, token)
    assert "type=\"password\"" not in shown and ">Confirm address</button>" not in shown
    way = re.search(r'href="(/_gateway/login\?rd=[^"]+)">Sign in</a>', shown)
    assert way, shown
    back = parse_qs(urlsplit(way.group(1)).query)["rd"][0]
    _, returned = log_in_at(gateway, dev, "one", "carol", phone, rd=back)
    assert returned.status_code == 303 and returned.headers["Location"] == f"/_gateway/verify-email?token={token}"
    assert ">Confirm address</button>" in page(gateway, phone, token)
    assert submit(gateway, phone, "/verify-email", token=token).status_code == 303
    assert account(gateway, phone)["email"] == address
    assert client.get(gateway.own("/userinfo"), timeout=60).status_code == 401, "a change ends the other sessions"


def test_the_password_on_the_page_counts_as_at_a_sign_in(gateway, mailbox):
    address = fresh_address()
    sign_up(gateway, address)
    token = mailbox.token(address)
    for _ in range(4):
        wrong = post(gateway, new_client(), "/verify-email", json={"token": token, "password": "wrong, and long enough"})
        assert wrong.status_code == 401 and code(wrong) == "auth/invalid-credential"
    shown = submit(gateway, new_client(), "/verify-email", token=token, password="wrong, and long enough")
    assert shown.status_code == 401 and "The e-mail address or the password is wrong." in shown.text and 'name="refuse"' in shown.text
    limited = post(gateway, new_client(), "/verify-email", json={"token": token, "password": PASSWORD})
    assert limited.status_code == 429 and code(limited) == "auth/too-many-requests" and int(limited.headers["Retry-After"]) > 0
    sign_in = post(gateway, new_client(), "/login/password", json={"email": address, "password": PASSWORD})
    assert sign_in.status_code == 429, "the same limit"


def test_somebody_who_mistypes_a_new_address_loses_nothing_to_its_owner(gateway, mailbox):
    mine, typo = verified(gateway, mailbox), fresh_address()
    client = log_in(gateway, mine)
    assert post(gateway, client, "/account/email", json={"email": typo}).status_code == 204
    token = mailbox.token(typo)
    stranger = new_client()
    assert post(gateway, stranger, "/verify-email", json={"token": token}).status_code == 401
    assert post(gateway, stranger, "/verify-email", json={"token": token, "refuse": True}).status_code == 204
    shown = account(gateway, client)
    assert (shown["email"], shown["email_verified"]) == (mine, True)
    assert userinfo(gateway, log_in(gateway, mine))["email"] == mine
    new = post(gateway, stranger, "/password/new", json={"token": token, "new_password": NEXT})
    assert new.status_code == 400 and code(new) == "auth/invalid-token"


# --- "I did not create this account" ------------------------------------------------------------------------------------


def test_the_owner_of_an_address_gets_the_account_that_a_stranger_made(gateway, mailbox, dev):
    victim = fresh_address()
    sign_up(gateway, victim)
    stranger = log_in(gateway, victim)
    uid = userinfo(gateway, stranger)["uid"]
    assert link(gateway, dev, "one", "bob", stranger).status_code == 303
    token = token_of(mailbox, victim, "/verify-email")
    assert post(gateway, new_client(), "/password/reset", json={"email": victim}).status_code == 204
    reset = token_of(mailbox, victim, "/password/new")
    owner = new_client()
    assert "I did not create this account" in page(gateway, owner, token)
    taken = submit(gateway, owner, "/verify-email", token=token, refuse="true")
    assert taken.status_code == 303 and urlsplit(taken.headers["Location"]).path == "/_gateway/password/new", taken.headers
    assert stranger.get(gateway.own("/userinfo"), timeout=60).status_code == 401, "sessions end"
    assert refused(gateway, victim, PASSWORD), "the password is gone"
    assert not works(gateway, token) and not works(gateway, reset, "/password/new"), "other mails are void"
    assert gateway.events("account-taken-over")
    form = owner.get(gateway.url(taken.headers["Location"]), headers=NAVIGATION, timeout=60)
    assert form.status_code == 200 and 'name="new_password"' in form.text and "I did not ask for this" not in form.text
    next_token = parse_qs(urlsplit(taken.headers["Location"]).query)["token"][0]
    assert submit(gateway, owner, "/password/new", token=next_token, new_password=NEXT).status_code == 303
    mine = log_in(gateway, victim, NEXT)
    shown = account(gateway, mine)
    assert (shown["uid"], shown["email_verified"], [way["id"] for way in shown["providers"]]) == (uid, True, ["password"])
    assert userinfo(gateway, signed_in(gateway, dev, "one", "bob"))["uid"] != uid, "the stranger's identity no longer opens it"


def test_a_program_gets_the_token_of_the_new_password(gateway, mailbox):
    victim = fresh_address()
    sign_up(gateway, victim)
    taken = post(gateway, new_client(), "/verify-email", json={"token": mailbox.token(victim), "refuse": True})
    assert taken.status_code == 200, taken.text
    assert post(gateway, new_client(), "/password/new", json={"token": taken.json()["token"], "new_password": NEXT}).status_code == 204
    assert userinfo(gateway, log_in(gateway, victim, NEXT))["email_verified"] is True


def test_a_confirmation_that_is_sent_again_is_a_mail_of_the_sign_up_until_something_is_proven(gateway, mailbox):
    address = fresh_address()
    sign_up(gateway, address)
    client = log_in(gateway, address)
    mailbox.token(address)
    tokens = []
    for count in (2, 3):
        assert post(gateway, client, "/account/email", json={"email": address}).status_code == 204
        tokens.append(mailbox.token(address, count))
    assert "I did not create this account" in page(gateway, new_client(), tokens[0])
    assert post(gateway, client, "/verify-email", json={"token": tokens[0]}).status_code == 204
    assert "I did not create this account" not in page(gateway, new_client(), tokens[1])
    assert post(gateway, new_client(), "/verify-email", json={"token": tokens[1], "refuse": True}).status_code == 204, "it only cancels"
    assert not works(gateway, tokens[1]) and userinfo(gateway, client)["email_verified"] is True
    assert userinfo(gateway, log_in(gateway, address))["email_verified"] is True


def test_an_identity_that_vouches_for_the_address_proves_it_and_stays(start, dev, mailbox):
    gateway = start()
    before = len(mailbox.to("alice@example.com"))
    sign_up(gateway, "alice@example.com")
    client = log_in(gateway, "alice@example.com")
    token = mailbox.token("alice@example.com", before + 1)
    assert "I did not create this account" in page(gateway, new_client(), token)
    assert link(gateway, dev, "one", "alice", client).status_code == 303
    assert account(gateway, client)["email_verified"] is True
    assert "I did not create this account" not in page(gateway, new_client(), token)
    assert post(gateway, new_client(), "/verify-email", json={"token": token, "refuse": True}).status_code == 204
    assert userinfo(gateway, signed_in(gateway, dev, "one", "alice"))["uid"] == userinfo(gateway, client)["uid"]


# --- Resets -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["link", "proof"])
def test_a_reset_keeps_an_identity_only_if_the_address_was_proven_before_it_was_linked(start, dev, mailbox, first):
    gateway = start()
    address = fresh_address()
    sign_up(gateway, address)
    client = log_in(gateway, address)
    uid = userinfo(gateway, client)["uid"]
    steps = {
        "link": lambda: link(gateway, dev, "one", "bob", client).status_code == 303,
        "proof": lambda: post(gateway, client, "/verify-email", json={"token": token_of(mailbox, address, "/verify-email")}).status_code == 204,
    }
    for step in (["link", "proof"] if first == "link" else ["proof", "link"]):
        assert steps[step](), step
    assert post(gateway, new_client(), "/password/reset", json={"email": address}).status_code == 204
    token = token_of(mailbox, address, "/password/new")
    assert post(gateway, new_client(), "/password/new", json={"token": token, "new_password": NEXT}).status_code == 204
    ways = [way["id"] for way in account(gateway, log_in(gateway, address, NEXT))["providers"]]
    assert ways == (["password"] if first == "link" else ["oidc.one", "password"])
    assert (userinfo(gateway, signed_in(gateway, dev, "one", "bob"))["uid"] == uid) == (first == "proof")


def test_a_reset_that_nobody_asked_for_can_be_cancelled(gateway, mailbox):
    address = verified(gateway, mailbox)
    before = len(mailbox.to(address))
    assert post(gateway, new_client(), "/password/reset", json={"email": address}).status_code == 204
    token = mailbox.token(address, before + 1)
    owner = new_client()
    assert "I did not ask for this" in page(gateway, owner, token, "/password/new")
    assert submit(gateway, owner, "/password/new", token=token, refuse="true").status_code == 303
    assert not works(gateway, token, "/password/new")
    assert userinfo(gateway, log_in(gateway, address))["email"] == address


# --- Anonymous users ----------------------------------------------------------------------------------------------------


def anonymous(gateway: Gateway) -> tuple[requests.Session, str]:
    client = new_client()
    answer = post(gateway, client, "/login/anonymous")
    assert answer.status_code == 200, answer.text
    return client, answer.json()["uid"]


def test_an_anonymous_user_has_the_address_and_the_password_when_the_link_is_confirmed(gateway, mailbox):
    client, uid = anonymous(gateway)
    address = fresh_address()
    sign_up(gateway, address, client=client)
    assert (userinfo(gateway, client)["anonymous"], account(gateway, client)["email"]) == (True, None)
    assert refused(gateway, address, PASSWORD), "nothing changes before the link is confirmed"
    token = mailbox.token(address)
    assert submit(gateway, client, "/verify-email", token=token).status_code == 303
    shown = userinfo(gateway, client)
    assert (shown["uid"], shown["anonymous"], shown["email"], shown["email_verified"]) == (uid, False, address, True)
    assert userinfo(gateway, log_in(gateway, address))["uid"] == uid


def test_an_anonymous_user_confirms_on_a_phone_with_the_password_of_the_registration(gateway, mailbox):
    client, uid = anonymous(gateway)
    address = fresh_address()
    sign_up(gateway, address, client=client)
    token = mailbox.token(address)
    shown = page(gateway, new_client(), token)
    assert 'name="password" type="password"' in shown and "/_gateway/login?" not in shown, "the account has no other way to sign in yet"
    assert post(gateway, new_client(), "/verify-email", json={"token": token, "password": NEXT}).status_code == 401
    assert post(gateway, new_client(), "/verify-email", json={"token": token, "password": PASSWORD}).status_code == 204
    assert userinfo(gateway, log_in(gateway, address))["uid"] == uid
    assert account(gateway, client)["anonymous"] is False


def test_an_anonymous_account_stays_anonymous_when_the_owner_of_the_address_refuses(gateway, mailbox):
    client, uid = anonymous(gateway)
    victim = fresh_address()
    sign_up(gateway, victim, client=client)
    token = mailbox.token(victim)
    owner = new_client()
    shown = page(gateway, owner, token)
    assert "I did not ask for this" in shown and "I did not create this account" not in shown
    assert post(gateway, owner, "/verify-email", json={"token": token, "refuse": True}).status_code == 204
    assert not works(gateway, token)
    shown = account(gateway, client)
    assert (shown["uid"], shown["anonymous"], shown["email"]) == (uid, True, None)
    assert refused(gateway, victim, PASSWORD)


def test_an_anonymous_account_gets_no_address_without_a_registration(gateway):
    client, _ = anonymous(gateway)
    answer = post(gateway, client, "/account/email", json={"email": fresh_address()})
    assert answer.status_code == 403 and code(answer) == "auth/operation-not-allowed"


# --- Logs ---------------------------------------------------------------------------------------------------------------


def test_the_token_of_a_mail_is_in_no_log_on_the_way_to_the_sign_in_and_back(start, dev, mailbox):
    access = {"enabled": True, "to": "stderr", "query": "full"}
    gateway = start(logging={"level": "trace", "format": "json", "access": access})
    address = fresh_address()
    client = signed_in(gateway, dev, "one", "carol")
    assert post(gateway, client, "/account/email", json={"email": address}).status_code == 204
    token = mailbox.token(address)
    phone = new_client()
    way = re.search(r'href="(/_gateway/login\?rd=[^"]+)">Sign in</a>', page(gateway, phone, token))
    assert way
    phone.get(gateway.url(way.group(1)), headers=NAVIGATION, timeout=60)
    _, returned = log_in_at(gateway, dev, "one", "carol", phone, rd=f"/_gateway/verify-email?token={token}")
    page(gateway, phone, returned.headers["Location"].split("token=")[1])
    eventually(lambda: '"query":"rd=' in gateway.log and gateway.log.count('"query":"token=[redacted]"') >= 2, "the access log")
    assert token not in gateway.log
