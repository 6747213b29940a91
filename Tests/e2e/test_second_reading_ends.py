"""The second security reading (issue 39): what ends, and the pages and mails of accounts. Each test is named after what it found."""

from __future__ import annotations

import json
import pathlib
import re
import time
from typing import Any

import pytest
import requests

from accounts import account, code, link, post, signed_in, submit
from logins import NAVIGATION, new_client, page_problems, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import Gateway, run_command, session_key
from parts.mailbox import Mailbox
from parts.processes import eventually
from parts.relay import TokenRelay
from parts.tokens import tokens_of
from test_accounts import second  # noqa: F401 (fixture)
from test_logout import log_out

PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module")
def ending(folder):
    part = DevProvider("dev-provider-ends", folder)
    yield part.wait()
    part.process.kill()


# --- Item 4: ID tokens of ended sessions ---------------------------------------------------------------------------------


def exchange(gateway, token: str, provider: str = "oidc.dev") -> int:
    answer = new_client().post(gateway.own("/session"), json={"provider": provider, "id_token": token}, headers={"Origin": gateway.origin}, timeout=60)
    return answer.status_code


def bearer(gateway, token: str) -> int:
    return new_client().get(gateway.url("/api/x"), headers={"Authorization": f"Bearer {token}"}, timeout=60).status_code


def test_an_id_token_of_an_ended_session_buys_no_session_after_a_refresh(start_gateway, ending, tmp_path, minted):
    """Item 4: the session forgot the tokens that a refresh had replaced, and so did the list of what ended."""
    relay = TokenRelay(f"{ending.issuer}/token")
    (tmp_path / "state").mkdir()
    gateway = start_gateway(
        {
            "providers": [{**ending.configuration, "endpoints": {"token": relay.url}}],
            "routes": [{"path": "/api/**", "bearer": {"providers": ["oidc.dev"]}}],
            "session": {
                "keys": [session_key()],
                "revocations": str(tmp_path / "state/revocations"),
                "exchange": {"providers": ["oidc.dev"], "nonce": "optional"},
            },
        }
    )
    try:
        relay.lifetime = 1
        client = sign_in(gateway, ending)
        eventually(lambda: client.get(gateway.url("/x"), timeout=60).ok and relay.refreshes >= 2, "two refreshes")
        relay.lifetime = 3600
        eventually(lambda: client.get(gateway.url("/x"), timeout=60).ok and relay.refreshes >= 3, "the last refresh")
        others = tokens_of(ending, "bob", minted)["id_token"]
        first, *renewed = relay.id_tokens
        minted.update(relay.id_tokens)
        assert len(renewed) == relay.refreshes >= 3
        assert exchange(gateway, first) == 401, "the token of a sign-in opens the session of that sign-in alone"
        assert [bearer(gateway, token) for token in (first, *renewed)] == [200] * (1 + len(renewed)), "while the session lives"
        log_out(gateway, client)
        for _ in range(2):
            assert [(exchange(gateway, token), bearer(gateway, token)) for token in (first, *renewed)] == [(401, 401)] * (1 + len(renewed))
            assert (exchange(gateway, others), bearer(gateway, others)) == (200, 200), "of another user"
            known = len(gateway.events("provider"))
            gateway.restart()
            eventually(lambda known=known: len(gateway.events("provider")) > known, "the provider is reached")
        ended = int(time.time())
        eventually(lambda: int(time.time()) > ended, "a later second")
        assert exchange(gateway, tokens_of(ending, "alice", minted)["id_token"]) == 200, "of a later sign-in"
    finally:
        gateway.kill()
        relay.close()


def test_an_id_token_of_a_linked_provider_ends_with_the_sessions_of_its_account(start_gateway, dev, second, tmp_path, minted):  # noqa: F811
    """Item 4: `users revoke` ends what was issued before it, whichever of the account's providers issued it."""
    both = [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {**second.configuration, "id": "oidc.two", "displayName": "Two"}]
    gateway = start_gateway(
        {
            "providers": both,
            "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
            "session": {"exchange": {"providers": ["oidc.one", "oidc.two"], "nonce": "optional"}},
        }
    )
    try:
        client = signed_in(gateway, dev, "one", "alice")
        assert link(gateway, second, "two", "alice", client).status_code == 303
        uid = account(gateway, client)["uid"]
        token = tokens_of(second, "alice", minted)["id_token"]
        assert exchange(gateway, token, "oidc.two") == 200
        done = run_command("users", "revoke", uid, "--config", str(gateway.file))
        assert done.returncode == 0, done.stderr
        eventually(lambda: client.get(gateway.own("/userinfo"), timeout=10).status_code == 401, "the sessions to end", timeout=15)
        assert exchange(gateway, token, "oidc.two") == 401
        revoked = int(time.time())
        eventually(lambda: int(time.time()) > revoked, "a later second")
        assert exchange(gateway, tokens_of(second, "alice", minted)["id_token"], "oidc.two") == 200
    finally:
        gateway.kill()


# --- Item 4: what a page discloses, and where its forms lead -----------------------------------------------------------------


@pytest.fixture(scope="module")
def mailbox():
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture
def started(start_gateway, dev, mailbox, tmp_path):
    """A gateway with passwords, anonymous users, mail and an audit stream."""

    def start(**changes) -> Gateway:
        return start_gateway(
            {
                "providers": [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {"id": "password"}, {"id": "anonymous"}],
                "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
                "mail": {"url": mailbox.url, "from": "Example <no-reply@example.com>"},
                "audit": {"to": f"{tmp_path}/audit.log"},
                **changes,
            }
        )

    return start


def test_pages_with_a_form_send_their_origin_here_alone_and_no_password_form_leads_anywhere(started, dev):
    """Item 4: account pages sent their origin to every site, and an injected form could have sent a password to any host."""
    gateway = started(server={"allowedRedirects": ["https://b.example"]})
    stranger, signed = new_client(), signed_in(gateway, dev, "one", "carol")
    asked = [
        *((stranger, path) for path in ("/login?rd=/x", "/sign-up", "/sign-up?sent=1", "/password/reset", "/logged-out", "/login/nobody")),
        *((signed, path) for path in ("/account", "/account/delete", "/logout")),
    ]
    forms = passwords = 0
    for browser, path in asked:
        page = browser.get(gateway.own(path), headers=NAVIGATION, allow_redirects=False, timeout=60)
        assert page_problems(page) == [], path
        forms += "<form" in page.text
        if 'type="password"' in page.text:
            passwords += 1
            (targets,) = re.findall(r"form-action ([^;]*);", page.headers["Content-Security-Policy"])
            assert targets.split() == ["'self'", "https://b.example", dev.origin], path
    assert (forms, passwords) == (6, 3)


# --- Item 2: mails -----------------------------------------------------------------------------------------------------------


def lost(tmp_path: pathlib.Path) -> list[dict[str, Any]]:
    records = [json.loads(line) for line in (tmp_path / "audit.log").read_text().splitlines()]
    return [record for record in records if record["event"] == "account.mail_lost"]


def registered(gateway, mailbox, address: str) -> requests.Session:
    assert post(gateway, new_client(), "/sign-up", json={"email": address, "password": PASSWORD}).status_code == 204
    client = new_client()
    assert post(gateway, client, "/login/password", json={"email": address, "password": PASSWORD}).status_code == 200
    assert post(gateway, client, "/verify-email", json={"token": mailbox.token(address)}).status_code == 204
    return client


def change(gateway, client, address: str) -> requests.Response:
    return post(gateway, client, "/account/email", json={"email": address})


def test_every_mail_counts_by_recipient_account_and_client(started, mailbox, tmp_path):
    """Item 2: `/account/email` sent without limit."""
    gateway = started()
    client = registered(gateway, mailbox, "owner@example.org")
    assert [change(gateway, client, "victim@example.org").status_code for _ in range(8)] == [204] * 8, "the answer does not tell"
    # Four of the five: one is left for a reset.
    mailbox.latest("victim@example.org", 4)
    assert [record["reason"] for record in lost(tmp_path)] == ["too many mails to one address"] * 4
    # The account, whichever address the mail is for. Its registration was one.
    answers = [change(gateway, client, f"other{number}@example.org") for number in range(9)]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [204] * 5 + [429] * 4 and code(answers[-1]) == "auth/too-many-requests" and int(answers[-1].headers["Retry-After"]) > 0
    assert lost(tmp_path)[-1]["reason"] == "too many mails for one account" and lost(tmp_path)[-1]["uid"]
    mailbox.latest("other4@example.org")
    assert len(mailbox.to("victim@example.org")) == 4 and not mailbox.to("other5@example.org")
    # A registration counts against the same recipient.
    assert post(gateway, new_client(), "/sign-up", json={"email": "victim@example.org", "password": PASSWORD}).status_code == 204
    eventually(lambda: len(lost(tmp_path)) == 9, "the mail of the registration is lost")
    assert "example.org" not in (tmp_path / "audit.log").read_text(), "no address is in the audit stream"


def test_strangers_cannot_use_up_the_mails_that_announce_a_change(started, mailbox, tmp_path):
    """Item 2: what a stranger asks for is limited, and what happened to the account is mailed all the same."""
    gateway = started()
    client = registered(gateway, mailbox, "busy@example.org")
    for _ in range(6):
        assert post(gateway, new_client(), "/password/reset", json={"email": "busy@example.org"}).status_code == 204
    mailbox.latest("busy@example.org", 5)
    eventually(lambda: len(lost(tmp_path)) == 2, "two of the mails are refused")
    assert post(gateway, client, "/account/password", json={"new_password": "another horse, another battery"}).status_code == 204
    assert "password" in mailbox.latest("busy@example.org", 6)


def test_an_anonymous_account_gets_no_mail_by_account_email(started, mailbox):
    """Item 2: 60 mails from an anonymous session to one address; `/sign-up` is the way to an address."""
    gateway = started()
    client = new_client()
    assert post(gateway, client, "/login/anonymous").status_code == 200
    answer = change(gateway, client, "quiet@example.org")
    assert (answer.status_code, code(answer)) == (403, "auth/operation-not-allowed"), answer.text
    assert "your account does not allow this" in answer.json()["error"]["message"]
    form = submit(gateway, client, "/account/email", email="quiet@example.org")
    assert form.status_code == 403 and not mailbox.to("quiet@example.org")


class Refusing(Mailbox):
    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        return "550 no such mailbox"


def test_a_mail_that_is_lost_is_an_audit_event(started, tmp_path):
    """Item 2: the answer was 204, and only the log had a line."""
    box = Refusing()
    try:
        gateway = started(mail={"url": box.url, "from": "no-reply@example.com"})
        assert post(gateway, new_client(), "/sign-up", json={"email": "gone@example.org", "password": PASSWORD}).status_code == 204
        eventually(lambda: lost(tmp_path), "the audit event")
        (record,) = lost(tmp_path)
        assert record["outcome"] == "failure" and record["kind"] == "verifyAddress" and "550" in record["reason"]
        assert record["request_id"] and "gone@" not in json.dumps(record)
    finally:
        box.close()
