"""A passkey instead of the password: its endpoints as a program uses them, and what they refuse."""

from __future__ import annotations

import concurrent.futures
import html
import json
import re

import pytest
import requests

from accounts import account, code, log_in, post, submit, userinfo
from logins import NAVIGATION, new_client
from parts.authenticator import PRESENT, SoftAuthenticator
from parts.gateway import Gateway, run_command, session_key
from parts.processes import eventually

PASSWORD = "correct horse battery staple"
EMAIL = "ada@example.com"


@pytest.fixture
def start(start_gateway, dev, tmp_path):
    def start(factors: dict | None = None, password: dict | None = None, **changes) -> Gateway:
        return start_gateway(
            {
                "providers": [
                    {"id": "password", "signUp": False, **(password or {})},
                    {**dev.configuration, "id": "oidc.one", "displayName": "One"},
                ],
                "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()], **changes.pop("accounts", {})},
                "secondFactor": {"factors": ["totp", "webauthn", "recovery"], **(factors or {})},
                "routes": [{"path": "/strong/**", "access": {"secondFactor": True}}],
                **changes,
            }
        )

    return start


def users(gateway: Gateway, *arguments: str, input: str | None = None) -> str:
    done = run_command("users", *arguments, "--config", str(gateway.file), input=input)
    assert done.returncode == 0, done.stderr
    return done.stdout


def create(gateway: Gateway, email: str = EMAIL) -> str:
    uid = re.search(r"[a-z2-7]{26}", users(gateway, "create", "--email", email, "--verified")).group(0)
    users(gateway, "set-password", uid, input=PASSWORD)
    return uid


def with_password(gateway: Gateway, email: str = EMAIL) -> tuple[requests.Session, requests.Response]:
    client = new_client()
    return client, post(gateway, client, "/login/password", json={"email": email, "password": PASSWORD})


def enrol(gateway: Gateway, client: requests.Session, flags: int | None = None) -> SoftAuthenticator:
    authenticator = SoftAuthenticator(gateway.origin, "127.0.0.1")
    begun = post(gateway, client, "/account/second-factors/start", json={"type": "webauthn", "display_name": "Key"})
    assert begun.status_code == 200, begun.text
    options = begun.json()["publicKey"]
    assert options["authenticatorSelection"] == {"residentKey": "preferred", "requireResidentKey": False, "userVerification": "preferred"}
    credential = authenticator.register(options) if flags is None else authenticator.register(options, flags)
    proof = {"enrollment": begun.json()["enrollment"], "credential": credential}
    answer = post(gateway, client, "/account/second-factors/verify", json=proof)
    assert answer.status_code == 204, answer.text
    return authenticator


def user(gateway: Gateway, email: str = EMAIL) -> tuple[str, requests.Session, SoftAuthenticator]:
    """An account with a password and a passkey, signed in."""
    uid = create(gateway, email)
    client, answer = with_password(gateway, email)
    assert answer.status_code == 200, answer.text
    return uid, client, enrol(gateway, client)


def options(gateway: Gateway, client: requests.Session, path: str = "/login/passkey") -> dict:
    begun = post(gateway, client, path + "/start", json={})
    assert begun.status_code == 200, begun.text
    return begun.json()["publicKey"]


def finish(gateway: Gateway, client: requests.Session, credential: dict, path: str = "/login/passkey") -> requests.Response:
    return post(gateway, client, path, json={"credential": credential})


def refused(answer: requests.Response, status: int = 401, name: str = "auth/invalid-credential") -> None:
    assert (answer.status_code, code(answer)) == (status, name), answer.text


def logs(gateway: Gateway, reason: str) -> None:
    """The log is written apart from the answer."""

    def last() -> str:
        return next((event.get("reason", "") for event in reversed(gateway.events("login-failed"))), "")

    eventually(lambda: reason in last(), f"the reason `{reason}` in the log")


def passkey_failures(gateway: Gateway) -> list[dict]:
    return [event for event in gateway.events("login.failure") if event.get("credential") == "passkey"]


# --- The sign-in --------------------------------------------------------------------------------------------------------


def test_a_passkey_signs_in_without_the_password_and_the_second_factor(start):
    gateway = start()
    uid, _, authenticator = user(gateway)
    waiting, asked = with_password(gateway)
    refused(asked, 401, "auth/multi-factor-auth-required")
    key = options(gateway, waiting)
    assert key["allowCredentials"] == [] and key["userVerification"] == "required" and key["rpId"] == "127.0.0.1"
    answer = finish(gateway, waiting, authenticator.sign(key))
    assert answer.status_code == 200 and answer.json()["uid"] == uid, answer.text
    shown = userinfo(gateway, waiting)
    assert (shown["second_factor"], shown["provider"]) == ("webauthn", "password")
    assert waiting.get(gateway.url("/strong/x"), timeout=60).status_code == 200, "possession and verification are two factors"
    assert not waiting.cookies.get("session-passkey") and not waiting.cookies.get("session-factor")
    (record,) = [event for event in gateway.events("login.passkey") if event.get("outcome") == "success"]
    assert record["uid"] == uid
    metrics = gateway.metrics()
    assert 'gateway_passkey_logins_total{outcome="success",reason=""} 1' in metrics


def test_a_required_second_factor_is_shown_with_the_passkey(start):
    gateway = start()
    _, _, authenticator = user(gateway)
    gateway.rewrite(secondFactor={"policy": "required"}).reload()
    client = new_client()
    assert finish(gateway, client, authenticator.sign(options(gateway, client))).status_code == 200


def test_the_return_path_is_checked(start):
    gateway = start()
    _, _, authenticator = user(gateway)
    for rd, target in (("/deep?x=1", "/deep?x=1"), ("https://evil.example/", "/"), ("//evil.example", "/")):
        client = new_client()
        page = submit(gateway, client, "/login/passkey/start", rd=rd)
        assert page.status_code == 200 and "data-opens" in page.text and "evil.example" not in page.text
        key = json.loads(html.unescape(re.search(r'data-options="([^"]+)"', page.text).group(1)))["publicKey"]
        answer = submit(gateway, client, "/login/passkey", rd=rd, credential=json.dumps(authenticator.sign(key)))
        assert answer.status_code == 303 and answer.headers["Location"] == target, answer.text[:500]


def test_without_a_script_the_page_says_what_passkeys_need(start):
    gateway = start()
    client = new_client()
    page = client.get(gateway.own("/login?rd=/x"), headers=NAVIGATION, timeout=60)
    assert 'action="/_gateway/login/passkey/start"' in page.text and "Sign in with a passkey" in page.text
    assert "<script" not in page.text and "script-src" not in page.headers["Content-Security-Policy"]
    begun = submit(gateway, client, "/login/passkey/start", rd="/x")
    assert "Passkeys need JavaScript" in begun.text and re.search(r"script-src 'sha256-[^']+'", begun.headers["Content-Security-Policy"])
    assert 'href="/_gateway/login?rd=%2Fx"' in begun.text


def test_a_passkey_confirms_that_it_is_the_user(start):
    gateway = start()
    uid, client, authenticator = user(gateway)
    page = client.get(gateway.own("/reauthenticate?provider=password"), headers=NAVIGATION, timeout=60)
    assert 'action="/_gateway/reauthenticate/passkey/start"' in page.text
    key = options(gateway, client, "/reauthenticate/passkey")
    assert len(key["allowCredentials"]) == 1
    before = client.cookies.get("session")
    answer = finish(gateway, client, authenticator.sign(key, names_user=False), "/reauthenticate/passkey")
    assert answer.status_code == 200 and client.cookies.get("session") != before
    assert (answer.json()["uid"], userinfo(gateway, client)["second_factor"]) == (uid, "webauthn")
    assert post(gateway, new_client(), "/reauthenticate/passkey/start", json={}).status_code == 401
    assert post(gateway, new_client(), "/reauthenticate/passkey", json={"credential": {}}).status_code == 401


def test_another_account_s_passkey_does_not_confirm(start):
    gateway = start()
    _, client, _ = user(gateway)
    _, _, other = user(gateway, "eve@example.com")
    answer = finish(gateway, client, other.sign(options(gateway, client, "/reauthenticate/passkey")), "/reauthenticate/passkey")
    refused(answer, 403, "auth/user-mismatch")
    assert userinfo(gateway, client)["email"] == EMAIL, "the session stays"


# --- Refusals -----------------------------------------------------------------------------------------------------------


def test_an_answer_counts_once_whatever_runs_in_parallel(start):
    gateway = start()
    _, _, authenticator = user(gateway)
    client = new_client()
    key = options(gateway, client)
    credential = authenticator.sign(key)
    cookie = client.cookies.get("session-passkey")

    def attempt(_: int) -> int:
        copy = new_client()
        copy.cookies.set("session-passkey", cookie)
        return finish(gateway, copy, credential).status_code

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(attempt, range(8)))
    assert sorted(statuses)[0] == 200 and statuses.count(200) == 1 and set(statuses) <= {200, 400, 401}, statuses
    # A challenge that was completed takes no other assertion either.
    copy = new_client()
    copy.cookies.set("session-passkey", cookie)
    refused(finish(gateway, copy, authenticator.sign(key)), 400, "auth/code-expired")


def test_the_challenge_belongs_to_the_browser(start):
    gateway = start()
    _, session, authenticator = user(gateway)
    client, other = new_client(), new_client()
    key = options(gateway, client)
    refused(finish(gateway, new_client(), authenticator.sign(key)), 400, "auth/code-expired")
    options(gateway, other)
    refused(finish(gateway, other, authenticator.sign(key)))
    logs(gateway, "the challenge is another one")
    # A challenge of one purpose is none of the other.
    session.cookies.set("session-passkey", client.cookies.get("session-passkey"), domain="127.0.0.1")
    refused(finish(gateway, session, authenticator.sign(key), "/reauthenticate/passkey"), 400, "auth/code-expired")
    client.cookies.set("session-passkey", client.cookies.get("session-passkey")[:-4] + "AAAA", domain="127.0.0.1")
    refused(finish(gateway, client, authenticator.sign(key)), 400, "auth/code-expired")


def test_what_is_refused_and_why_the_log_says(start):
    gateway = start()
    _, _, authenticator = user(gateway)
    stranger = SoftAuthenticator(gateway.origin, "127.0.0.1")
    copy = SoftAuthenticator(gateway.origin, "127.0.0.1")
    stranger.user_handle = authenticator.user_handle
    copy.id, copy.user_handle, copy.counter = authenticator.id, authenticator.user_handle, 100
    client = new_client()
    for credential, reason in (
        (lambda key: authenticator.sign(key, flags=PRESENT), "the authenticator did not verify the user"),
        (lambda key: authenticator.sign(key, flags=0x04), "did not ask for the user's presence"),
        (lambda key: authenticator.sign(key, names_user=False), "the response names no user"),
        (lambda key: {**authenticator.sign(key), "type": "password"}, "malformed"),
        (stranger.sign, "none of the account's"),
        (copy.sign, "the signature is wrong"),
        (lambda key: authenticator.sign(key, counter=1), "the signature counter did not grow"),
        (lambda key: {}, "malformed"),
    ):
        answer = finish(gateway, client, credential(options(gateway, client)))
        refused(answer)
        assert not client.cookies.get("session") and not client.cookies.get("session-passkey")
        logs(gateway, reason)
        message = answer.json()["error"]["message"]
        assert message == "The e-mail address or the password is wrong, or the passkey was not accepted.", "the same for all"
    eventually(lambda: len(passkey_failures(gateway)) == 8, "the audit events")
    assert all(event["code"] == "auth/invalid-credential" for event in passkey_failures(gateway))
    metrics = gateway.metrics()
    assert 'gateway_passkey_logins_total{outcome="failure",reason="auth/invalid-credential"} 8' in metrics


def test_a_refused_form_offers_another_attempt(start):
    gateway = start()
    client = new_client()
    submit(gateway, client, "/login/passkey/start", rd="/x")
    page = submit(gateway, client, "/login/passkey", rd="/x", credential="{}")
    assert page.status_code == 401 and "The passkey was not accepted. Try again, or sign in another way." in page.text
    assert "data-options" in page.text and "data-opens" not in page.text and client.cookies.get("session-passkey")
    client.cookies.clear()
    late = submit(gateway, client, "/login/passkey", rd="/x", credential="{}")
    assert late.status_code == 400 and "The sign-in took too long" in late.text


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {}])
def test_a_foreign_page_cannot_use_the_endpoints(start, headers):
    gateway = start()
    for path in ("/login/passkey/start", "/login/passkey", "/reauthenticate/passkey/start", "/reauthenticate/passkey"):
        answer = new_client().post(gateway.own(path), headers=headers, json={}, timeout=60)
        refused(answer, 403, "auth/cross-site-request")


def test_a_disabled_account_is_refused(start):
    gateway = start()
    uid, _, authenticator = user(gateway)
    users(gateway, "disable", uid)
    client = new_client()
    refused(finish(gateway, client, authenticator.sign(options(gateway, client))), 403, "auth/user-disabled")
    users(gateway, "enable", uid)
    assert finish(gateway, client, authenticator.sign(options(gateway, client))).status_code == 200


def test_a_deleted_account_a_removed_passkey_and_an_account_without_password(start, dev):
    gateway = start()
    uid, client, authenticator = user(gateway)
    (factor,) = account(gateway, client)["second_factors"]
    assert post(gateway, client, "/account/second-factors/remove", json={"factor": factor["id"]}).status_code == 204
    stranger = new_client()
    refused(finish(gateway, stranger, authenticator.sign(options(gateway, stranger))))
    logs(gateway, "none of the account's")
    again = enrol(gateway, client)
    users(gateway, "delete", uid)
    refused(finish(gateway, stranger, again.sign(options(gateway, stranger))))
    # A passkey takes the place of the password, not of the provider.
    other, _ = log_in(gateway, dev, "one", "bob")
    second = enrol(gateway, other)
    refused(finish(gateway, stranger, second.sign(options(gateway, stranger))))
    logs(gateway, "no password")


def test_a_new_password_keeps_the_passkey_and_a_reset_of_the_factors_ends_it(start):
    gateway = start()
    uid, first, authenticator = user(gateway)
    users(gateway, "set-password", uid, input="another horse, another battery")
    client = new_client()
    assert finish(gateway, client, authenticator.sign(options(gateway, client))).status_code == 200
    users(gateway, "reset-factors", uid)
    eventually(lambda: client.get(gateway.own("/userinfo"), timeout=60).status_code == 401, "the sessions to end", timeout=60)
    refused(finish(gateway, client, authenticator.sign(options(gateway, client))))


def test_twenty_refused_passkeys_of_one_client_are_the_limit(start):
    gateway = start()
    _, _, authenticator = user(gateway)
    client = new_client()

    def attempt(_: int) -> int:
        own = new_client()
        options(gateway, own)
        return finish(gateway, own, {"id": "AAAA"}).status_code

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(attempt, range(24)))
    assert statuses.count(401) == 20 and statuses.count(429) == 4, statuses
    answer = finish(gateway, client, authenticator.sign(options(gateway, client)))
    refused(answer, 429, "auth/too-many-requests")
    assert int(answer.headers["Retry-After"]) > 60
    # The password has a limit of its own.
    refused(with_password(gateway)[1], 401, "auth/multi-factor-auth-required")


@pytest.mark.parametrize(
    "changes",
    [{"factors": {"factors": ["totp", "recovery"]}}, {"factors": {"policy": "off"}, "routes": []}, {"password": {"enabled": False}}],
    ids=["without webauthn", "without second factors", "without passwords"],
)
def test_without_passkeys_there_are_no_endpoints(start, changes):
    gateway = start(**changes)
    client = new_client()
    for path in ("/login/passkey/start", "/login/passkey", "/reauthenticate/passkey/start", "/reauthenticate/passkey"):
        assert post(gateway, client, path, json={}).status_code in (404, 405), path
    page = client.get(gateway.own("/login?notice=form-not-sent"), headers=NAVIGATION, timeout=60)
    assert "passkey" not in page.text
