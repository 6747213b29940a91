"""Passkeys in a real Chromium, whose virtual authenticator stands for the user's device."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.virtual_authenticator import Credential, Protocol, Transport, VirtualAuthenticatorOptions

from parts.browser import wait_for
from parts.gateway import Gateway, run_command, session_key
from parts.processes import free_port
from parts.visitor import Visitor

PASSWORD = "correct horse battery staple"
EMAIL = "ada@example.com"
NOT_USED = "The passkey was not used."
NOT_ACCEPTED = "The passkey was not accepted."


@pytest.fixture
def start(start_gateway, tmp_path) -> Callable[..., Gateway]:
    """At `localhost`: browsers have no passkeys on an IP address."""

    def start(**changes) -> Gateway:
        port = free_port()
        origin = f"http://localhost:{port}"
        gateway = start_gateway(
            {
                "server": {"publicURL": origin},
                "providers": [{"id": "password", "signUp": False}],
                "accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()], **changes.pop("accounts", {})},
                "secondFactor": {"factors": ["totp", "webauthn", "recovery"], "rememberBrowser": "30d", **changes.pop("secondFactor", {})},
                "routes": [{"path": "/strong/**", "access": {"secondFactor": True}}],
                **changes,
            },
            port=port,
        )
        gateway.origin = origin
        return gateway

    return start


@pytest.fixture
def visit(browsers) -> Iterator[Callable[..., Visitor]]:
    """A browser with an authenticator that keeps passkeys and verifies its user."""
    visitors: list[Visitor] = []
    borrowed = contextlib.ExitStack()

    def visit(gateway: Gateway) -> Visitor:
        visitor = Visitor(borrowed.enter_context(browsers.borrowed()), gateway)
        visitors.append(visitor)
        visitor.driver.add_virtual_authenticator(
            VirtualAuthenticatorOptions(
                Protocol.CTAP2, Transport.INTERNAL, has_resident_key=True, has_user_verification=True, is_user_verified=True
            )
        )
        return visitor

    with borrowed:
        yield visit
        assert [complaint for visitor in visitors for complaint in visitor.complaints()] == []


def users(gateway: Gateway, *arguments: str, input: str | None = None) -> str:
    done = run_command("users", *arguments, "--config", str(gateway.file), input=input)
    assert done.returncode == 0, done.stderr
    return done.stdout


def create(gateway: Gateway, email: str = EMAIL) -> str:
    uid = re.search(r"[a-z2-7]{26}", users(gateway, "create", "--email", email, "--verified")).group(0)
    users(gateway, "set-password", uid, input=PASSWORD)
    return uid


def with_password(visitor: Visitor, path: str = "/private", email: str = EMAIL) -> Visitor:
    return visitor.open(path).fill("E-mail address", email).fill("Password", PASSWORD).click("Sign in with password")


def enrol(visitor: Visitor) -> Visitor:
    visitor.open("/_gateway/account/second-factors").click("Add a passkey").click("Create passkey")
    return visitor.sees("The second factor was added.")


def second_factor(visitor: Visitor) -> str | None:
    script = "return fetch('/_gateway/userinfo').then(answer => answer.json()).then(user => user.second_factor)"
    visitor.driver.get(visitor.gateway.url("/private"))
    return visitor.driver.execute_script(script)


def with_passkey(gateway: Gateway, visit: Callable[..., Visitor]) -> tuple[str, Visitor]:
    """A user with a passkey, signed out."""
    uid = create(gateway)
    visitor = enrol(with_password(visit(gateway)).arrives("/private"))
    return uid, visitor.sign_out()


def use_passkey(visitor: Visitor) -> Visitor:
    """On the page with the dialog: the page before it has a button of the same name."""
    wait_for(visitor.driver, lambda current: current.find_elements(By.CSS_SELECTOR, "#passkey:not([hidden])"), "the form of the passkey")
    return visitor.click("Use passkey")


def change_options(visitor: Visitor, change: str) -> None:
    """Changes the options that the page holds, as a browser that ignores them would: `key` are those of `publicKey`."""
    visitor.driver.execute_script(
        "const form = document.getElementById('passkey'), all = JSON.parse(form.dataset.options), key = all.publicKey;"
        f"{change}; form.dataset.options = JSON.stringify(all);"
    )


def test_a_passkey_is_added_and_is_the_second_factor(visit, start):
    gateway = start()
    _, visitor = with_passkey(gateway, visit)
    (credential,) = visitor.driver.get_credentials()
    assert credential.is_resident_credential and credential.rp_id == "localhost"
    with_password(visitor, "/deep?x=1").sees("Confirm your sign-in")
    assert visitor.driver.get_cookie("session") is None
    visitor.click("Use passkey").sees("Confirm your sign-in")
    use_passkey(visitor).arrives("/deep?x=1")
    assert second_factor(visitor) == "webauthn"


def test_the_same_authenticator_is_not_added_twice(visit, start):
    gateway = start()
    create(gateway)
    visitor = enrol(with_password(visit(gateway)).arrives("/private"))
    visitor.open("/_gateway/account/second-factors").click("Add a passkey").click("Create passkey")
    visitor.sees("This passkey is already a second factor of your account.")
    assert len(visitor.driver.get_credentials()) == 1


def test_a_route_asks_for_the_passkey_and_leads_back(visit, start):
    gateway = start()
    _, visitor = with_passkey(gateway, visit)
    with_password(visitor).click("Use passkey")
    wait_for(visitor.driver, lambda current: current.find_elements(By.ID, "remember"), "the box to tick")
    visitor.driver.find_element(By.ID, "remember").click()
    visitor.click("Use passkey").arrives("/private").sign_out()
    with_password(visitor).arrives("/private")
    assert second_factor(visitor) is None, "the browser is remembered"
    visitor.open("/strong/page?q=1").sees("Confirm your sign-in").click("Use passkey")
    use_passkey(visitor).arrives("/strong/page?q=1")
    assert second_factor(visitor) == "webauthn"


def test_a_passkey_takes_the_place_of_the_password(visit, start):
    gateway = start()
    uid, visitor = with_passkey(gateway, visit)
    # One click: the dialog opens with the page.
    visitor.open("/strong/page").click("Sign in with a passkey").arrives("/strong/page")
    assert second_factor(visitor) == "webauthn" and visitor.driver.get_cookie("session-passkey") is None
    visitor.open("/_gateway/account")
    assert visitor.uid == uid


def test_a_passkey_confirms_that_it_is_the_user(visit, start):
    gateway = start()
    _, visitor = with_passkey(gateway, visit)
    visitor.open("/private").click("Sign in with a passkey").arrives("/private")
    gateway.rewrite(accounts={"recentLogin": "1s"}).reload()
    wait_for(visitor.driver, lambda _: visitor.open("/_gateway/account").controls("Sign in again"), "a page of a sign-in that is too old")
    visitor.click("Sign in again").sees("Confirm that it is you")
    gateway.rewrite(accounts={"recentLogin": "5m"}).reload()
    visitor.click("Sign in with a passkey").arrives("/_gateway/account")
    assert not visitor.controls("Sign in again")


def test_a_removed_passkey_opens_nothing(visit, start):
    gateway = start()
    _, visitor = with_passkey(gateway, visit)
    visitor.open("/private").click("Sign in with a passkey").arrives("/private")
    visitor.open("/_gateway/account/second-factors").click("Remove Passkey or security key")
    visitor.sees("The second factor was removed.").sign_out()
    visitor.open("/private").click("Sign in with a passkey").sees(NOT_ACCEPTED, "Sign in with a passkey")
    assert visitor.driver.get_cookie("session") is None
    visitor.click("Back to the sign-in").sees("Sign in with password")
    with_password(visitor).arrives("/private")
    assert second_factor(visitor) is None


def test_a_passkey_of_another_account_is_no_second_factor(visit, start):
    gateway = start()
    create(gateway, "eve@example.com")
    _, visitor = with_passkey(gateway, visit)
    (mine,) = visitor.driver.get_credentials()
    visitor.driver.remove_all_credentials()
    enrol(with_password(visitor, email="eve@example.com").arrives("/private")).sign_out()
    # The browser offers none: the options name the account's passkey, which this device does not have any more.
    with_password(visitor).click("Use passkey")
    use_passkey(visitor).sees(NOT_USED)
    # A browser that ignores the options sends the other one: the gateway refuses it.
    change_options(visitor, "key.allowCredentials = []")
    visitor.click("Use passkey").sees(NOT_ACCEPTED)
    assert visitor.driver.get_cookie("session") is None
    visitor.driver.remove_all_credentials()
    visitor.driver.add_credential(mine)
    visitor.click("Use passkey")
    use_passkey(visitor).arrives("/private")


def test_the_user_must_be_verified_instead_of_the_password(visit, start):
    gateway = start()
    _, visitor = with_passkey(gateway, visit)
    visitor.driver.set_user_verified(False)
    visitor.open("/private").click("Sign in with a passkey").sees(NOT_USED)
    # A browser that ignores the options sends an assertion without verification.
    change_options(visitor, "key.userVerification = 'discouraged'")
    visitor.click("Use passkey").sees(NOT_ACCEPTED)
    assert visitor.driver.get_cookie("session") is None
    assert "the authenticator did not verify the user" in gateway.events("login-failed")[-1]["reason"]
    # The page has a new challenge, so another attempt works at once.
    visitor.driver.set_user_verified(True)
    visitor.click("Use passkey").arrives("/private")


def test_presence_is_enough_for_the_second_factor(visit, start):
    gateway = start()
    _, visitor = with_passkey(gateway, visit)
    visitor.driver.set_user_verified(False)
    with_password(visitor).click("Use passkey")
    use_passkey(visitor).arrives("/private")


def test_a_copied_authenticator_is_refused(visit, start):
    gateway = start()
    _, visitor = with_passkey(gateway, visit)
    visitor.open("/private").click("Sign in with a passkey").arrives("/private").sign_out()
    (credential,) = visitor.driver.get_credentials()
    visitor.driver.remove_all_credentials()
    # As it was before its last use.
    data = credential.to_dict()
    visitor.driver.add_credential(Credential.from_dict({**data, "signCount": data["signCount"] - 1}))
    visitor.open("/private").click("Sign in with a passkey").sees(NOT_ACCEPTED)
    assert "the signature counter did not grow" in gateway.events("login-failed")[-1]["reason"]
    assert gateway.events("login.failure")[-1]["credential"] == "passkey"
    with_password(visitor).click("Use passkey")
    wait_for(visitor.driver, lambda current: current.find_elements(By.CSS_SELECTOR, "#passkey:not([hidden])"), "the form of the passkey")
    # The refused assertion has raised the copy's counter: its next one is the first that could count again.
    (copy,) = visitor.driver.get_credentials()
    visitor.driver.remove_all_credentials()
    visitor.driver.add_credential(Credential.from_dict({**copy.to_dict(), "signCount": copy.sign_count - 1}))
    visitor.click("Use passkey").sees(NOT_ACCEPTED)
    assert "the signature counter did not grow" in gateway.events("account.factor_refused")[-1]["reason"]


def test_a_disabled_account_is_told_so_and_a_deleted_one_is_not_known(visit, start):
    gateway = start()
    uid, visitor = with_passkey(gateway, visit)
    users(gateway, "disable", uid)
    visitor.open("/private").click("Sign in with a passkey").sees("auth/user-disabled")
    users(gateway, "delete", uid)
    visitor.open("/private").click("Sign in with a passkey").sees(NOT_ACCEPTED)


def test_a_device_without_a_passkey_is_led_back(visit, start):
    gateway = start()
    create(gateway)
    visitor = visit(gateway).open("/private").click("Sign in with a passkey").sees(NOT_USED)
    assert visitor.driver.switch_to.active_element.get_attribute("id") == "passkey-failed", "a screen reader reads it"
    visitor.click("Back to the sign-in").sees("Sign in with password")
    with_password(visitor).arrives("/private")


def test_an_old_browser_converts_the_options_itself(visit, start):
    """Without the functions of WebAuthn Level 3, which older browsers lack."""
    gateway = start()
    _, visitor = with_passkey(gateway, visit)
    source = "delete PublicKeyCredential.parseRequestOptionsFromJSON; delete PublicKeyCredential.parseCreationOptionsFromJSON;"
    visitor.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    visitor.open("/private").click("Sign in with a passkey").arrives("/private")
    visitor.driver.remove_all_credentials()
    enrol(visitor)
