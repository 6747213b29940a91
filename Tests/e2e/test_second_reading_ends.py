"""The second security reading (issue 39): what ends, and the pages and mails of accounts. Each test is named after what it found."""

from __future__ import annotations

import re
import time

import pytest

from accounts import account, link, signed_in
from logins import NAVIGATION, new_client, page_problems, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import Gateway, run_command, session_key
from parts.mailbox import Mailbox
from parts.processes import eventually
from parts.relay import TokenRelay
from parts.tokens import tokens_of
from test_accounts import second  # noqa: F401 (fixture)
from test_logout import log_out


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
