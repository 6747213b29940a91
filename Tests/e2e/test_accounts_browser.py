"""Accounts (contract §8) in a real Chromium, by clicking what a user sees."""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import staleness_of

from parts.browser import wait_for
from parts.dev_provider import DevProvider
from parts.gateway import Gateway, session_key
from parts.mailbox import Mailbox
from parts.postgres import Postgres
from parts.processes import free_port
from parts.visitor import Visitor

NUMBERS = itertools.count()
PASSWORD = "correct horse battery staple"
COMMON = "football1"
NEXT = "another horse, another battery"
SHORT, LONG = {"accounts": {"recentLogin": "1s"}}, {"accounts": {"recentLogin": "5m"}}


@pytest.fixture(scope="module")
def second(folder):
    provider = DevProvider("second-browser-dev", folder).wait()
    yield provider
    provider.process.kill()


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


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path) -> str:
    if request.param == "postgres":
        return request.getfixturevalue("postgres").database(f"browser{next(NUMBERS)}")
    return f"sqlite:{tmp_path}/accounts.db"


@pytest.fixture
def start(start_gateway, dev, second, mailbox, tmp_path) -> Callable[..., Gateway]:
    def start(store: str | None = None, own: list | None = None, **changes) -> Gateway:
        both = [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {**second.configuration, "id": "oidc.two", "displayName": "Two"}]
        with_mail = {"mail": {"url": mailbox.url, "from": "Example <no-reply@example.com>"}} if own else {}
        accounts = {"store": store or f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()], **changes.pop("accounts", {})}
        return start_gateway({"providers": both + [provider if isinstance(provider, dict) else {"id": provider} for provider in own or []], "accounts": accounts, **with_mail, **changes})

    return start


@pytest.fixture
def visit(browsers) -> Iterator[Callable[[Gateway], Visitor]]:
    """Opens a browser of its own at a gateway. At the end, no browser may have complained about anything."""
    visitors: list[Visitor] = []
    borrowed = contextlib.ExitStack()

    def visit(gateway: Gateway) -> Visitor:
        visitors.append(Visitor(borrowed.enter_context(browsers.borrowed()), gateway))
        return visitors[-1]

    with borrowed:
        yield visit
        assert [complaint for visitor in visitors for complaint in visitor.complaints()] == []


def leads_to(visitor: Visitor, label: str, origin: str) -> None:
    """The click leads to another origin, and the page's policy does not stop it."""
    visitor.click(label)
    wait_for(visitor.driver, lambda current: current.current_url.startswith(origin) or visitor.complaints(), f"a page of {origin}")
    complaints = visitor.complaints()
    visitor.messages.clear()
    assert complaints == []


class Forwarder(ThreadingHTTPServer):
    """Another origin that redirects every request to `target`, as an identity provider does that asks yet another one."""

    def __init__(self, target: str) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(302)
                self.send_header("Location", target + self.path)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        super().__init__(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


# --- Linking, conflicts, deletion ------------------------------------------------------------------------------------------


def test_a_user_links_a_provider_and_signs_in_with_it(visit, start, store):
    visitor = visit(start(store)).sign_in("One", "alice")
    visitor.open("/_gateway/account")
    uid = visitor.uid
    assert visitor.heading == "Your account" and visitor.ways == ["One"]
    assert not visitor.controls("Remove One"), "the last way to sign in stays"
    visitor.click("Link Two").choose("alice").arrives("/_gateway/account")
    assert visitor.ways == ["One", "Two"] and visitor.uid == uid
    visitor.sign_out().sign_in("Two", "alice").open("/_gateway/account")
    assert visitor.ways == ["One", "Two"] and visitor.uid == uid


def test_the_form_that_links_may_lead_to_the_provider(visit, start, second):
    """Browsers apply `form-action` to the redirect after the form."""
    visitor = visit(start()).sign_in("One", "alice").open("/_gateway/account")
    visitor.click("Link Two")
    wait_for(visitor.driver, lambda current: current.current_url.startswith(second.origin), "the provider's page")
    visitor.choose("alice").arrives("/_gateway/account")


def test_a_provider_that_asks_another_one_can_be_linked(visit, start, second):
    """Brokers and federated sign-ins redirect from the authorization endpoint to another origin."""
    gateway = start()
    with Forwarder(second.origin) as broker:
        gateway.configuration["providers"][1]["endpoints"] = {"authorization": broker.origin + "/authorize"}
        gateway.rewrite().reload()
        visitor = visit(gateway).sign_in("One", "alice").open("/_gateway/account")
        leads_to(visitor, "Link Two", second.origin)


def test_a_provider_that_was_down_can_be_linked_later(visit, start_gateway, dev, folder, tmp_path):
    port = free_port()
    both = [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {**DevProvider.configuration_at(port), "id": "oidc.two", "displayName": "Two"}]
    gateway = start_gateway({"providers": both, "accounts": {"store": f"sqlite:{tmp_path}/late.db", "keys": [session_key()]}}, wait=False)
    gateway.is_ready = lambda: bool(gateway.events("ready"))
    visitor = visit(gateway.start()).sign_in("One", "alice").open("/_gateway/account")
    late = DevProvider("late-dev", folder, port).wait()
    try:
        leads_to(visitor, "Link Two", late.origin)
    finally:
        late.process.kill()


def test_a_user_resolves_a_conflict(visit, start, store):
    visitor = visit(start(store)).sign_in("One", "bob").open("/_gateway/account")
    uid = visitor.uid
    visitor.sign_out()
    visitor.open("/deep?x=1").click("Sign in with Two").choose("bob").sees("This address already has an account", "bob@example.com")
    assert visitor.driver.get_cookie("session") is None, "nobody is signed in"
    visitor.click("Sign in with One").choose("bob").sees("Link Two to your account?").click("Yes, link").arrives("/deep?x=1")
    visitor.open("/_gateway/account")
    assert visitor.ways == ["One", "Two"] and visitor.uid == uid
    visitor.sign_out().sign_in("Two", "bob").open("/_gateway/account")
    assert visitor.uid == uid


def test_a_credential_of_another_account_is_not_linked(visit, start):
    visitor = visit(start()).sign_in("Two", "bob").open("/_gateway/account")
    other = visitor.uid
    visitor.sign_out().sign_in("One", "erin").open("/_gateway/account")
    mine = visitor.uid
    visitor.click("Link Two").choose("bob").sees("Already linked to another account", "bob@example.com")
    visitor.click("Keep using this account").arrives("/_gateway/account")
    assert visitor.uid == mine and visitor.ways == ["One"]
    visitor.click("Link Two").choose("bob").click("Sign in to the other account").choose("bob").arrives("/_gateway/account")
    assert visitor.uid == other and visitor.ways == ["Two"]


def test_a_user_confirms_that_it_is_them_unlinks_and_deletes_the_account(visit, start, store):
    gateway = start(store)
    visitor = visit(gateway).sign_in("One", "alice").open("/_gateway/account").click("Link Two").choose("alice").arrives("/_gateway/account")
    uid = visitor.uid
    # The sign-in becomes too old while the page is open.
    gateway.rewrite(**SHORT).reload()
    wait_for(visitor.driver, lambda _: visitor.open("/_gateway/account").controls("Sign in again"), "a page of a sign-in that is too old")
    assert not visitor.controls("Remove Two") and visitor.ways == ["One", "Two"]
    visitor.click("Sign in again")
    gateway.rewrite(**LONG).reload()
    visitor.choose("alice").arrives("/_gateway/account")
    assert visitor.uid == uid
    # Or after the page was sent: then the refusal leads through the sign-in and back.
    gateway.rewrite(**SHORT).reload()
    page = visitor.driver.current_window_handle
    visitor.driver.switch_to.new_window("tab")
    wait_for(visitor.driver, lambda _: visitor.open("/_gateway/account").controls("Sign in again"), "a sign-in that is too old")
    visitor.driver.switch_to.window(page)
    visitor.click("Remove Two").sees("auth/requires-recent-login").click("Sign in again")
    gateway.rewrite(**LONG).reload()
    visitor.choose("alice").arrives("/_gateway/account").click("Remove Two").sees("was removed")
    assert visitor.ways == ["One"] and visitor.uid == uid
    visitor.click("Delete account").sees("Delete your account?").click("Keep the account").arrives("/_gateway/account")
    visitor.click("Delete account").click("Delete the account for good").sees("Your account was deleted")
    assert visitor.driver.get_cookie("session") is None
    visitor.open("/private").sees("Sign in with One")
    # Nobody has the address any more: no conflict.
    visitor.sign_in("Two", "alice").open("/_gateway/account")
    assert visitor.ways == ["Two"]


def test_another_user_at_the_provider_does_not_confirm(visit, start):
    gateway = start()
    visitor = visit(gateway).sign_in("One", "alice")
    visitor.open("/_gateway/reauthenticate?rd=/_gateway/account").choose("bob").sees("auth/user-mismatch")
    visitor.open("/_gateway/account")
    assert "alice@example.com" in visitor.text, "the session stays"


# --- Back, tabs, keyboard ----------------------------------------------------------------------------------------------------


def way_on(visitor: Visitor, person: str = "alice") -> None:
    """From whatever page is shown to the app or the account page, by at most three clicks on the first thing that a page offers."""
    for _ in range(4):
        if visitor.heading == "Your account" or not visitor.at.startswith(("/_gateway/", "http")):
            return
        page = visitor.driver.find_element(By.TAG_NAME, "html")
        if visitor.driver.find_elements(By.CSS_SELECTOR, "input[name=authorization_request]"):
            DevProvider.sign_in_with_browser(visitor.driver, person)
        else:
            found = visitor.driver.find_elements(By.CSS_SELECTOR, "main a, main button")
            assert found, f"no way on from {visitor.driver.current_url}:\n{visitor.text}"
            found[0].click()
        wait_for(visitor.driver, staleness_of(page), "another page")
        wait_for(visitor.driver, lambda _: visitor.text, "a page with text")
    raise AssertionError(f"no way out of {visitor.driver.current_url}:\n{visitor.text}")


def test_back_after_a_finished_link_strands_nobody(visit, start):
    visitor = visit(start()).sign_in("One", "alice").open("/_gateway/account").click("Link Two").choose("alice").arrives("/_gateway/account")
    wait_for(visitor.driver, lambda _: visitor.ways == ["One", "Two"], "the account page")
    visitor.back()
    wait_for(visitor.driver, lambda current: current.find_elements(By.CSS_SELECTOR, "input[name=authorization_request]"), "the provider's page")
    way_on(visitor)
    # The page before it is the account page as it is now, not as it was.
    visitor.open("/_gateway/account")
    assert visitor.ways == ["One", "Two"] and not visitor.controls("Link Two")


def test_back_after_a_resolved_conflict_strands_nobody(visit, start):
    visitor = visit(start()).sign_in("One", "alice").sign_out()
    visitor.open("/private").click("Sign in with Two").choose("alice").sees("This address already has an account")
    visitor.click("Sign in with One").choose("alice").sees("Link Two to your account?").click("Yes, link").arrives("/private")
    # The question, the provider's page, and what came before them.
    for steps in (1, 2, 3):
        for _ in range(steps):
            visitor.back()
        wait_for(visitor.driver, lambda _: visitor.text, "a page")
        way_on(visitor)
        visitor.open("/_gateway/account")
        assert visitor.ways == ["One", "Two"], steps


def test_back_to_the_conflict_page_offers_the_sign_in_again(visit, start):
    visitor = visit(start()).sign_in("One", "alice").sign_out()
    visitor.open("/private").click("Sign in with Two").choose("alice").sees("This address already has an account").click("Sign in with One")
    wait_for(visitor.driver, lambda _: "authorization_request" in visitor.driver.page_source, "the provider's page")
    visitor.back().click("Sign in with One").choose("alice").sees("Link Two to your account?").click("Yes, link")
    wait_for(visitor.driver, lambda _: visitor.at.startswith("/") and not visitor.at.startswith("/_gateway"), "the app")
    visitor.open("/_gateway/account")
    assert visitor.ways == ["One", "Two"], "what waited in the cookie is linked"


def test_five_tabs_that_link_at_once_end_with_one_identity(visit, start):
    visitor = visit(start()).sign_in("One", "alice")
    tabs = []
    for _ in range(5):
        visitor.driver.switch_to.new_window("tab")
        tabs.append(visitor.driver.current_window_handle)
        visitor.open("/_gateway/account").click("Link Two")
        wait_for(visitor.driver, lambda current: "authorization_request" in current.page_source, "the provider's page")
    for number, tab in enumerate(tabs):
        visitor.driver.switch_to.window(tab)
        visitor.choose("alice")
        if number:
            visitor.sees("auth/provider-already-linked")
            way_on(visitor)
        visitor.arrives("/_gateway/account")
        wait_for(visitor.driver, lambda _: visitor.ways == ["One", "Two"], "both ways")


def test_five_tabs_with_a_conflict_are_resolved_in_one(visit, start):
    visitor = visit(start()).sign_in("One", "bob").sign_out()
    tabs = []
    for number in range(5):
        visitor.driver.switch_to.new_window("tab")
        tabs.append(visitor.driver.current_window_handle)
        visitor.open(f"/tab/{number}").click("Sign in with Two").choose("bob").sees("This address already has an account")
    for number in (3, 0, 1, 2, 4):
        visitor.driver.switch_to.window(tabs[number])
        visitor.click("Sign in with One").choose("bob")
        if number == 3:
            visitor.sees("Link Two to your account?").click("Yes, link")
        visitor.arrives(f"/tab/{number}")
    visitor.open("/_gateway/account")
    assert visitor.ways == ["One", "Two"]


def test_everything_works_with_the_keyboard_alone(visit, start):
    visitor = visit(start()).open("/private").tab_to("Sign in with One").press(Keys.ENTER)
    wait_for(visitor.driver, lambda current: "authorization_request" in current.page_source, "the provider's page")
    person = visitor.driver.find_element(By.CSS_SELECTOR, 'button[value="alice"]').text
    visitor.tab_to(person).press(Keys.ENTER).arrives("/private")
    visitor.open("/_gateway/account").tab_to("Link Two").press(Keys.ENTER)
    wait_for(visitor.driver, lambda current: "authorization_request" in current.page_source, "the provider's page")
    visitor.tab_to(person).press(Keys.SPACE).arrives("/_gateway/account")
    wait_for(visitor.driver, lambda _: visitor.ways == ["One", "Two"], "both ways")
    visitor.tab_to("Remove Two").press(Keys.ENTER).sees("was removed")
    visitor.tab_to("Delete account").press(Keys.ENTER).sees("Delete your account?")
    visitor.tab_to("Delete the account for good").press(Keys.ENTER).sees("Your account was deleted")


# --- Passwords ---------------------------------------------------------------------------------------------------------------


def registered(visitor: Visitor, mailbox: Mailbox, path: str = "/private") -> str:
    """Registers by form from the sign-in page and opens the link in the mail."""
    address = f"person{next(NUMBERS)}@browser.example"
    visitor.open(path).click("Create an account").fill("E-mail address", address).fill("Password", PASSWORD).click("Create an account")
    visitor.sees("Check your mail")
    link = re.search(r"http://\S+/verify-email\?token=\S+", mailbox.latest(address)).group(0)
    visitor.open(link.removeprefix(visitor.gateway.origin)).fill("Password", PASSWORD).click("Confirm address")
    visitor.sees("Your e-mail address is confirmed")
    return address


def test_a_user_registers_confirms_the_address_and_signs_in(visit, start, mailbox, store):
    visitor = visit(start(store, own=["password", "anonymous"])).open("/private")
    buttons = visitor.controls("Sign in with One")[0].location["y"]
    assert buttons < visitor.driver.find_element(By.NAME, "password").location["y"], "the form is below the buttons"
    address = registered(visitor, mailbox)
    visitor.open("/private").fill("E-mail address", address).fill("Password", "not the right one").click("Sign in with password")
    visitor.sees("The e-mail address or the password is wrong.")
    field = visitor.driver.switch_to.active_element
    assert field.get_attribute("name") == "password" and field.get_attribute("value") == "", "the focus is where the correction goes"
    assert visitor.driver.find_element(By.NAME, "email").get_attribute("value") == address
    visitor.fill("Password", PASSWORD).click("Sign in with password").arrives("/private")
    visitor.open("/_gateway/account")
    assert visitor.ways == ["E-mail and password"] and address in visitor.text


def test_a_weak_password_and_a_reset(visit, start, mailbox):
    visitor = visit(start(own=[{"id": "password", "minimumLength": 8}]))
    address = registered(visitor, mailbox)
    visitor.open("/private").click("Forgot your password?").fill("E-mail address", address).click("Send the mail").sees("Check your mail")
    link = re.search(r"http://\S+/password/new\?token=\S+", mailbox.latest(address, 2)).group(0)
    visitor.open(link.removeprefix(visitor.gateway.origin))
    visitor.fill("New password", COMMON).click("Change password").sees("Many people use this password")
    visitor.fill("New password", NEXT).click("Change password").sees("Your password was changed")
    visitor.open("/private").fill("E-mail address", address).fill("Password", NEXT).click("Sign in with password").arrives("/private")
    # The same on the account page: the form again, with the reason, and the other forms still work.
    visitor.open("/_gateway/account").fill("New password", COMMON).click("Change password").sees("Many people use this password")
    visitor.fill("New password", PASSWORD).click("Change password").sees("Your password was changed")


def test_a_provider_can_be_linked_after_a_password_was_refused(visit, start, mailbox, second):
    """The page that shows the reason has the same buttons, so its policy has to let them work."""
    visitor = visit(start(own=[{"id": "password", "minimumLength": 8}]))
    address = registered(visitor, mailbox)
    visitor.open("/private").fill("E-mail address", address).fill("Password", PASSWORD).click("Sign in with password").arrives("/private")
    visitor.open("/_gateway/account").fill("New password", COMMON).click("Change password").sees("Many people use this password")
    leads_to(visitor, "Link Two", second.origin)
    visitor.choose("erin").arrives("/_gateway/account")
    assert visitor.ways == ["Two", "E-mail and password"]


def test_a_password_is_typed_with_the_keyboard_alone(visit, start, mailbox):
    visitor = visit(start(own=["password", "anonymous"])).open("/private").tab_to("Create an account").press(Keys.ENTER)
    address = f"keys{next(NUMBERS)}@browser.example"
    visitor.sees("Create an account").tab_to("E-mail address").press(address).tab_to("Password").press(PASSWORD, Keys.ENTER)
    visitor.sees("Check your mail")
    visitor.open("/private").tab_to("E-mail address").press(address).tab_to("Password").press("wrong", Keys.ENTER)
    # The field to correct has the focus.
    visitor.sees("The e-mail address or the password is wrong.").press(PASSWORD, Keys.ENTER).arrives("/private")


@pytest.mark.parametrize("button", ["Sign in with password", "Continue without an account"])
def test_a_sign_in_by_form_may_lead_to_an_app_that_redirects(visit, start, mailbox, second, button):
    """A route or the app itself sends the user on to another origin."""
    visitor = visit(start(own=["password", "anonymous"], routes=[{"path": "/out", "redirect": {"to": second.origin + "/"}}]))
    address = registered(visitor, mailbox)
    visitor.open("/out").fill("E-mail address", address).fill("Password", PASSWORD)
    leads_to(visitor, button, second.origin)


def test_a_conflict_with_a_password_is_resolved_in_its_form(visit, start, mailbox):
    gateway = start(own=["password"])
    visitor = visit(gateway)
    visitor.open("/_gateway/sign-up").fill("E-mail address", "zoe@example.com").fill("Password", PASSWORD).click("Create an account")
    link = re.search(r"http://\S+/verify-email\?token=\S+", mailbox.latest("zoe@example.com")).group(0)
    visitor.open(link.removeprefix(gateway.origin)).fill("Password", PASSWORD).click("Confirm address").sees("confirmed")
    visitor.open("/deep").click("Sign in with One").choose("zoe").sees("This address already has an account")
    assert visitor.driver.find_element(By.NAME, "email").get_attribute("value") == "zoe@example.com"
    visitor.fill("Password", "wrong").click("Sign in with password").sees("The e-mail address or the password is wrong.")
    visitor.fill("Password", PASSWORD).click("Sign in with password")
    visitor.sees("Link One to your account?").click("Yes, link").arrives("/deep")
    visitor.open("/_gateway/account")
    assert visitor.ways == ["One", "E-mail and password"]


def test_a_user_without_credentials_links_some(visit, start, mailbox):
    visitor = visit(start(own=["password", "anonymous"])).open("/private").click("Continue without an account").arrives("/private")
    visitor.open("/_gateway/account").sees("You use this site without an account")
    uid = visitor.uid
    visitor.click("Link One").choose("alice").arrives("/_gateway/account")
    assert visitor.uid == uid and visitor.ways == ["One"] and "without an account" not in visitor.text


def test_a_password_confirms_that_it_is_them(visit, start, mailbox):
    gateway = start(own=["password"])
    visitor = visit(gateway)
    address = registered(visitor, mailbox)
    visitor.open("/private").fill("E-mail address", address).fill("Password", PASSWORD).click("Sign in with password").arrives("/private")
    gateway.rewrite(**SHORT).reload()
    wait_for(visitor.driver, lambda _: visitor.open("/_gateway/account").controls("Sign in again"), "a page of a sign-in that is too old")
    visitor.click("Sign in again").sees("Confirm that it is you")
    visitor.fill("Password", "wrong").click("Sign in with password").sees("The e-mail address or the password is wrong.")
    gateway.rewrite(**LONG).reload()
    visitor.fill("Password", PASSWORD).click("Sign in with password").arrives("/_gateway/account")
    assert not visitor.controls("Sign in again")
