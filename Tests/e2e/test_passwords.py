"""E-mail and password, and anonymous users (contract §8)."""

from __future__ import annotations

import concurrent.futures
import itertools
import json
import socket
import struct

import pytest

from accounts import account, answer_link, callback, code, link, post, signed_in, submit, userinfo
from logins import NAVIGATION, new_client
from parts.gateway import Gateway, session_key
from parts.mailbox import Mailbox
from parts.processes import eventually

PASSWORD = "correct horse battery staple"
NEXT = "another horse, another battery"
NAMES = itertools.count()


def fresh_address() -> str:
    return f"person{next(NAMES)}@example.org"


@pytest.fixture(scope="module")
def mailbox():
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def start(start_gateway, dev, mailbox, tmp_path_factory):
    def start(accounts: dict | None = None, own: list[dict] | None = None, **changes) -> Gateway:
        place = tmp_path_factory.mktemp("accounts") / "accounts.db"
        return start_gateway(
            {
                "providers": [{**dev.configuration, "id": "oidc.one", "displayName": "One"}] + (own or [{"id": "password"}, {"id": "anonymous"}]),
                "accounts": {"store": f"sqlite:{place}", "keys": [session_key()], **(accounts or {})},
                "mail": {"url": mailbox.url, "from": "Example <no-reply@example.com>"},
                **changes,
            }
        )

    return start


@pytest.fixture(scope="module")
def gateway(start):
    return start()


def sign_up(gateway: Gateway, address: str, password: str = PASSWORD, client=None):
    answer = post(gateway, client or new_client(), "/sign-up", json={"email": address, "password": password})
    assert answer.status_code == 204, f"{answer.status_code}: {answer.text}"
    return answer


def log_in(gateway: Gateway, address: str, password: str = PASSWORD, client=None):
    client = client or new_client()
    return client, post(gateway, client, "/login/password", json={"email": address, "password": password})


def verified(gateway: Gateway, mailbox: Mailbox, password: str = PASSWORD) -> str:
    address = fresh_address()
    sign_up(gateway, address, password)
    assert post(gateway, new_client(), "/verify-email", json={"token": mailbox.token(address), "password": password}).status_code == 204
    return address


# --- Registration -------------------------------------------------------------------------------------------------------


def test_the_sign_in_page_shows_the_password_form_below_the_buttons(gateway):
    page = new_client().get(gateway.own("/login"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200
    assert 0 < page.text.index("/_gateway/login/oidc.one") < page.text.index('action="/_gateway/login/password"')
    assert 'action="/_gateway/login/anonymous"' in page.text and "/_gateway/sign-up" in page.text and "/_gateway/password/reset" in page.text


def test_registration_verification_and_sign_in(gateway, mailbox):
    address = fresh_address()
    form = submit(gateway, new_client(), "/sign-up", email=address, password=PASSWORD)
    assert form.status_code == 303 and not form.cookies.get("session"), "it signs nobody in"
    sent = new_client().get(gateway.url(form.headers["Location"]), headers=NAVIGATION, timeout=60)
    assert sent.status_code == 200 and "Check your mail" in sent.text
    client, answer = log_in(gateway, address)
    assert answer.status_code == 200 and answer.json()["email_verified"] is False
    token = mailbox.token(address)
    link_page = client.get(gateway.own(f"/verify-email?token={token}"), headers=NAVIGATION, timeout=60)
    assert link_page.status_code == 200 and userinfo(gateway, client)["email_verified"] is False, "a scanner that opens links changes nothing"
    assert submit(gateway, client, "/verify-email", token=token).status_code == 303
    shown = userinfo(gateway, client)
    assert (shown["email"], shown["email_verified"], shown["provider"], shown["providers"]) == (address, True, "password", ["password"])
    again = post(gateway, client, "/verify-email", json={"token": token})
    assert again.status_code == 400 and code(again) == "auth/invalid-token"
    uid = shown["uid"]
    other, answer = log_in(gateway, address.upper())
    assert answer.status_code == 200 and answer.json()["uid"] == uid


def test_who_registers_before_the_mail_is_read_is_unverified(gateway, mailbox):
    address = fresh_address()
    sign_up(gateway, address)
    client, _ = log_in(gateway, address)
    assert account(gateway, client)["email_verified"] is False


@pytest.mark.parametrize("password", ["short", "x" * 1025, "a\u0000bcdefghijkl", ""])
def test_weak_passwords_are_refused(gateway, password):
    answer = post(gateway, new_client(), "/sign-up", json={"email": fresh_address(), "password": password})
    assert answer.status_code == 400 and code(answer) == "auth/weak-password"
    page = submit(gateway, new_client(), "/sign-up", email=fresh_address(), password=password)
    assert page.status_code == 400 and "<form" in page.text


def test_the_commonest_passwords_are_refused(start):
    gateway = start(own=[{"id": "password", "minimumLength": 8}])
    for password in ("password1", "FOOTBALL", "qwertyuiop"):
        answer = post(gateway, new_client(), "/sign-up", json={"email": fresh_address(), "password": password})
        assert answer.status_code == 400 and code(answer) == "auth/weak-password", password


@pytest.mark.parametrize("address", ["", "nobody", "a@b@c.example", "a b@example.org", "a@exa mple.org", "a" * 400 + "@example.org", "a@example.org\r\nBcc: x@example.org"])
def test_what_is_no_address_is_refused(gateway, address):
    answer = post(gateway, new_client(), "/sign-up", json={"email": address, "password": PASSWORD})
    assert answer.status_code == 400 and code(answer) == "auth/invalid-request"


@pytest.mark.parametrize("body", ["[]", '{"email": 1}', '{"email": null}', "{", '"x"'])
def test_a_body_that_is_none_is_refused(gateway, body):
    answer = post(gateway, new_client(), "/login/password", headers={"Content-Type": "application/json"}, data=body)
    assert answer.status_code == 400 and code(answer) == "auth/invalid-request"


def test_a_known_address_gets_the_same_answer(gateway, mailbox):
    address = verified(gateway, mailbox)
    unknown = sign_up(gateway, fresh_address())
    known = sign_up(gateway, address, NEXT)
    assert (known.status_code, known.text) == (unknown.status_code, unknown.text)
    assert {name for name in known.headers} == {name for name in unknown.headers}
    assert log_in(gateway, address, NEXT)[1].status_code == 401, "the password is the first one"
    assert log_in(gateway, address)[1].status_code == 200
    assert "/_gateway/login" in mailbox.latest(address, 2), "the owner hears of it"
    resets = [post(gateway, new_client(), "/password/reset", json={"email": given}) for given in (address, fresh_address())]
    assert [answer.status_code for answer in resets] == [204, 204]


def test_time_does_not_tell_whether_an_address_has_an_account(gateway, mailbox):
    """Measured as processor time, which other processes hardly change: a hash takes a hundred times as long as the rest of the request."""
    address = verified(gateway, mailbox)
    times: dict[bool, list[float]] = {True: [], False: []}
    for known in (True, False) * 4:
        began = gateway.processor_seconds()
        answer = log_in(gateway, address if known else fresh_address(), "wrong, and long enough")[1]
        times[known].append(gateway.processor_seconds() - began)
        assert answer.status_code == 401 and code(answer) == "auth/invalid-credential"
    known, unknown = min(times[True]), min(times[False])
    assert known > 0.01 and 0.4 < known / unknown < 2.5, times


def test_registration_may_be_an_operators(start):
    gateway = start(own=[{"id": "password", "signUp": False}])
    answer = post(gateway, new_client(), "/sign-up", json={"email": fresh_address(), "password": PASSWORD})
    assert answer.status_code == 403 and code(answer) == "auth/admin-restricted-operation"
    closed = start({"signUp": "closed"})
    for path, body in (("/sign-up", {"email": fresh_address(), "password": PASSWORD}), ("/login/anonymous", {})):
        answer = post(closed, new_client(), path, json=body)
        assert answer.status_code == 403 and code(answer) == "auth/admin-restricted-operation", path


# --- Guesses ------------------------------------------------------------------------------------------------------------


def test_five_wrong_passwords_close_an_address_for_the_right_one_too(start, mailbox):
    gateway = start()
    address = verified(gateway, mailbox)
    for _ in range(5):
        assert log_in(gateway, address, "wrong, and long enough")[1].status_code == 401
    answer = log_in(gateway, address)[1]
    assert answer.status_code == 429 and code(answer) == "auth/too-many-requests" and 0 < int(answer.headers["Retry-After"]) <= 900
    page = submit(gateway, new_client(), "/login/password", email=address, password=PASSWORD)
    assert page.status_code == 429 and "<form" in page.text
    unknown = fresh_address()
    statuses = [log_in(gateway, unknown, "wrong, and long enough")[1].status_code for _ in range(6)]
    assert statuses == [401] * 5 + [429], "for unknown addresses alike"
    gateway.restart()
    assert log_in(gateway, address)[1].status_code == 429, "a restart forgets nothing"


def test_parallel_guesses_count_too(start, mailbox):
    gateway = start()
    address = verified(gateway, mailbox)
    with concurrent.futures.ThreadPoolExecutor(15) as pool:
        statuses = list(pool.map(lambda _: log_in(gateway, address, "wrong, and long enough")[1].status_code, range(15)))
    assert sorted(statuses) == [401] * 5 + [429] * 10


def test_twenty_wrong_passwords_close_a_client(start):
    gateway = start()
    statuses = [log_in(gateway, fresh_address(), "wrong, and long enough")[1].status_code for _ in range(21)]
    assert statuses == [401] * 20 + [429]


# --- Changes ------------------------------------------------------------------------------------------------------------


def test_a_reset_sets_the_password_and_ends_every_session(gateway, mailbox):
    address = fresh_address()
    sign_up(gateway, address)
    client, _ = log_in(gateway, address)
    mailbox.token(address)
    form = submit(gateway, new_client(), "/password/reset", email=address)
    assert form.status_code == 303
    token = mailbox.token(address, 2)
    page = new_client().get(gateway.own(f"/password/new?token={token}"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200 and "new_password" in page.text
    weak = post(gateway, new_client(), "/password/new", json={"token": token, "new_password": "short"})
    assert weak.status_code == 400 and code(weak) == "auth/weak-password"
    assert post(gateway, new_client(), "/password/new", json={"token": token, "new_password": NEXT}).status_code == 204
    assert client.get(gateway.own("/userinfo"), timeout=60).status_code == 401
    assert log_in(gateway, address)[1].status_code == 401
    fresh, answer = log_in(gateway, address, NEXT)
    assert answer.status_code == 200 and answer.json()["email_verified"] is True, "a reset verifies the address"
    again = post(gateway, new_client(), "/password/new", json={"token": token, "new_password": PASSWORD})
    assert again.status_code == 400 and code(again) == "auth/invalid-token"
    used = new_client().get(gateway.own(f"/password/new?token={token}"), headers=NAVIGATION, timeout=60)
    assert used.status_code == 400 and code(used) == "auth/invalid-token"


def test_a_change_of_the_password_ends_the_other_sessions(gateway, mailbox):
    address = verified(gateway, mailbox)
    (client, _), (other, _) = log_in(gateway, address), log_in(gateway, address)
    answer = submit(gateway, client, "/account/password", new_password=NEXT)
    assert answer.status_code == 303, answer.text[:500]
    assert userinfo(gateway, client)["email"] == address
    assert other.get(gateway.own("/userinfo"), timeout=60).status_code == 401
    assert log_in(gateway, address)[1].status_code == 401 and log_in(gateway, address, NEXT)[1].status_code == 200


def test_a_change_of_the_address_takes_place_when_the_mail_is_read(gateway, mailbox):
    address, wanted = verified(gateway, mailbox), fresh_address()
    (client, _), (other, _) = log_in(gateway, address), log_in(gateway, address)
    assert post(gateway, client, "/account/email", json={"email": wanted}).status_code == 204
    assert account(gateway, client)["email"] == address
    assert post(gateway, client, "/verify-email", json={"token": mailbox.token(wanted)}).status_code == 204
    shown = userinfo(gateway, client)
    assert (shown["email"], shown["email_verified"]) == (wanted, True)
    assert other.get(gateway.own("/userinfo"), timeout=60).status_code == 401
    assert wanted in mailbox.latest(address, 2), "the old address hears of it"


def test_an_address_of_another_account_is_not_taken(gateway, mailbox):
    mine, taken = verified(gateway, mailbox), verified(gateway, mailbox)
    client, _ = log_in(gateway, mine)
    before = len(mailbox.to(taken))
    assert post(gateway, client, "/account/email", json={"email": taken}).status_code == 204, "the same answer"
    assert account(gateway, client)["email"] == mine and len(mailbox.to(taken)) == before


def test_a_first_password_beside_a_provider(start, dev):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    uid = userinfo(gateway, client)["uid"]
    assert post(gateway, client, "/account/password", json={"new_password": PASSWORD}).status_code == 204
    other, answer = log_in(gateway, "alice@example.com")
    assert answer.status_code == 200 and answer.json()["uid"] == uid and answer.json()["providers"] == ["oidc.one", "password"]
    assert post(gateway, other, "/unlink/oidc.one").status_code == 204
    assert userinfo(gateway, other)["providers"] == ["password"]


def test_reauthentication_with_the_password(gateway, mailbox):
    address, stranger = verified(gateway, mailbox), verified(gateway, mailbox)
    client, _ = log_in(gateway, address)
    cookie = client.cookies.get("session")
    page = client.get(gateway.own("/reauthenticate?rd=/x"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200 and 'action="/_gateway/reauthenticate"' in page.text
    wrong = submit(gateway, client, "/reauthenticate", email=stranger, password=PASSWORD, rd="/x")
    assert wrong.status_code == 403 and code(wrong) == "auth/user-mismatch" and client.cookies.get("session") == cookie
    answer = submit(gateway, client, "/reauthenticate", email=address, password=PASSWORD, rd="/x")
    assert answer.status_code == 303 and answer.headers["Location"] == "/x" and client.cookies.get("session") != cookie


def test_a_conflict_is_resolved_with_the_password(start, dev, mailbox):
    """Seed K4: providers contain the password: ask for it, then link."""
    gateway = start()
    sign_up(gateway, "bob@example.com")
    token = mailbox.token("bob@example.com", len(mailbox.to("bob@example.com")) or 1)
    assert post(gateway, new_client(), "/verify-email", json={"token": token, "password": PASSWORD}).status_code == 204
    client = new_client()
    begun = client.get(gateway.own("/login/oidc.one"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    conflict = callback(dev, client, begun, "bob")
    assert conflict.status_code == 409 and 'action="/_gateway/login/password"' in conflict.text
    answer = submit(gateway, client, "/login/password", email="bob@example.com", password=PASSWORD, rd="/")
    assert answer.status_code == 303 and answer.headers["Location"] == "/_gateway/account/pending"
    assert answer_link(gateway, client).status_code == 303
    assert userinfo(gateway, client)["providers"] == ["oidc.one", "password"]


# --- Anonymous ----------------------------------------------------------------------------------------------------------


def test_an_anonymous_user_keeps_the_uid_when_a_provider_is_linked(start, dev):
    gateway = start()
    client = new_client()
    answer = submit(gateway, client, "/login/anonymous", rd="/start")
    assert answer.status_code == 303 and answer.headers["Location"] == "/start"
    shown = userinfo(gateway, client)
    assert shown["anonymous"] is True and shown["provider"] == "anonymous" and shown["providers"] == []
    again = post(gateway, client, "/login/anonymous")
    assert again.json()["uid"] == shown["uid"], "who is anonymous already stays the same"
    linked = link(gateway, dev, "one", "alice", client)
    assert linked.status_code == 303, linked.text[:500]
    after = userinfo(gateway, client)
    assert (after["uid"], after["anonymous"], after["providers"], after["email"]) == (shown["uid"], False, ["oidc.one"], "alice@example.com")
    assert userinfo(gateway, signed_in(gateway, dev, "one", "alice"))["uid"] == shown["uid"]


def test_an_anonymous_user_registers_and_keeps_the_uid(start, mailbox):
    gateway = start()
    client = new_client()
    uid = post(gateway, client, "/login/anonymous").json()["uid"]
    address = fresh_address()
    sign_up(gateway, address, client=client)
    assert userinfo(gateway, client)["anonymous"] is True, "nothing changes before the mail's link is confirmed"
    assert post(gateway, client, "/verify-email", json={"token": mailbox.token(address)}).status_code == 204
    assert userinfo(gateway, client)["anonymous"] is False
    assert log_in(gateway, address)[1].json()["uid"] == uid


# --- Secrets ------------------------------------------------------------------------------------------------------------


def test_nothing_secret_is_logged_or_stored_in_clear(start, mailbox):
    gateway = start()
    address = verified(gateway, mailbox)
    client, _ = log_in(gateway, address)
    post(gateway, client, "/account/password", json={"new_password": NEXT})
    post(gateway, new_client(), "/password/reset", json={"email": address})
    token = mailbox.token(address, 3)
    location = gateway.configuration["accounts"]["store"].removeprefix("sqlite:")
    stored = b"".join(open(location + suffix, "rb").read() for suffix in ("", "-wal"))
    for secret in (PASSWORD, NEXT, token):
        assert secret not in gateway.log and secret.encode() not in stored
    assert address not in gateway.log
    assert b"$argon2id$v=19$m=19456,t=2,p=1$" in stored or b"$scrypt$ln=17,r=8,p=1$" in stored

def test_60_abandoned_password_requests_do_not_delay_a_sign_in(start, mailbox):
    """Their clients have gone before the threads that hash come to them: nothing is hashed for them."""
    gateway = start(server={"trustedProxies": ["127.0.0.0/8"]})
    address = verified(gateway, mailbox)
    connections = []
    for number in range(60):
        body = json.dumps({"email": f"nobody{number}@example.org", "password": PASSWORD}).encode()
        connection = socket.create_connection(("127.0.0.1", gateway.port), timeout=60)
        connection.sendall(
            f"POST /_gateway/login/password HTTP/1.1\r\nHost: {gateway.origin.partition('//')[2]}\r\nOrigin: {gateway.origin}\r\n"
            f"X-Forwarded-For: 203.0.113.{number}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        )
        connections.append(connection)
    for connection in connections:
        # A reset: the server hears of it at once.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    assert log_in(gateway, address)[1].status_code == 200

    def reasons() -> list[str]:
        return [event.get("reason", "") for event in gateway.events("login-failed")]

    eventually(lambda: len(reasons()) == 60, "the end of every request")
    # Two threads hash; the rest was let go before its turn.
    hashed = [reason for reason in reasons() if "disconnected" not in reason]
    assert len(hashed) <= 30, hashed
