"""A real Chromium, a real provider, the recording app: the main job, as a person sees it."""

from __future__ import annotations

import json

import pytest
from selenium.webdriver.common.by import By

from parts.browser import wait_for


def body_of(driver) -> str:
    return driver.find_element(By.TAG_NAME, "body").text


def type_into(driver, name: str, value: str) -> None:
    wait_for(driver, lambda current: current.find_elements(By.NAME, name), f"a field called {name}")
    field = driver.find_element(By.NAME, name)
    field.send_keys(value)
    field.submit()


def sign_in_at_canaille(driver, canaille, name: str = "alice") -> None:
    type_into(driver, "login", name)
    type_into(driver, "password", canaille.password_of(name))


def shows_app(driver, target: str) -> bool:
    return f'"target": "{target}"' in driver.page_source or f'"target": "{target}"' in body_of(driver)


def test_a_person_signs_in_sees_the_app_signs_out_and_back_shows_nothing_private(browser, canaille_gateway):
    """issue "Real parts": sign in through the page, see the app, sign out, Back shows nothing private."""
    gateway, canaille = canaille_gateway
    browser.get(gateway.url("/private?page=1"))
    wait_for(browser, lambda current: current.current_url.startswith(canaille.issuer), "Canaille's page")
    sign_in_at_canaille(browser, canaille)
    wait_for(browser, lambda current: current.current_url == gateway.url("/private?page=1"), "the page that was asked for")
    assert shows_app(browser, "/private?page=1")
    headers = {name.lower(): value for name, value in json.loads(body_of(browser))["headers"]}
    assert headers["x-forwarded-email"] == "alice@example.com"
    assert "code=" not in browser.current_url and "state=" not in browser.current_url

    session = browser.get_cookie("session")
    assert session is not None and session["httpOnly"] and session["sameSite"] == "Lax" and session["path"] == "/"

    browser.get(gateway.url("/second"))
    assert shows_app(browser, "/second")

    browser.get(gateway.own("/logout"))
    browser.find_element(By.CSS_SELECTOR, "form button, form input[type=submit]").click()
    wait_for(browser, lambda current: current.current_url.startswith(gateway.own("/logged-out")), "the signed-out page, by way of the provider")
    assert browser.get_cookie("session") is None
    assert browser.find_elements(By.TAG_NAME, "h1")

    for _ in range(4):
        browser.back()
        assert "alice@example.com" not in browser.page_source, f"private content at {browser.current_url}"
    browser.get(gateway.url("/private?page=1"))
    wait_for(browser, lambda current: current.current_url.startswith(canaille.issuer), "Canaille's page again")


def test_five_tabs_at_once_all_sign_in(browser, canaille_gateway):
    """issue: five tabs at once, each at its own address (peers: oauth2-proxy#817)."""
    gateway, canaille = canaille_gateway
    tabs = [browser.current_window_handle]
    for _ in range(4):
        browser.switch_to.new_window("tab")
        tabs.append(browser.current_window_handle)
    for number, tab in enumerate(tabs):
        browser.switch_to.window(tab)
        browser.get(gateway.url(f"/tab/{number}"))
        wait_for(browser, lambda current: current.current_url.startswith(canaille.issuer), "Canaille's page")
    # Canaille keeps one pending sign-in per browser, so one tab signs in; the others go back to their own start and
    # find the provider signed in already. All five logins of the gateway are under way all that time.
    browser.switch_to.window(tabs[4])
    sign_in_at_canaille(browser, canaille)
    wait_for(browser, lambda current: current.current_url == gateway.url("/tab/4"), "the app in the last tab")
    for number in (2, 0, 3, 1):
        browser.switch_to.window(tabs[number])
        browser.get(gateway.own(f"/login?rd=/tab/{number}"))
        wait_for(browser, lambda current: current.current_url == gateway.url(f"/tab/{number}"), f"the app in tab {number}")
        assert shows_app(browser, f"/tab/{number}")


def test_five_logins_at_the_provider_at_once_all_come_back(browser, gateway, dev):
    """The same at a provider that keeps every tab's request apart: five callbacks, the oldest first."""
    tabs = []
    for number in range(5):
        browser.switch_to.new_window("tab")
        tabs.append(browser.current_window_handle)
        browser.get(gateway.url(f"/tab/{number}"))
        wait_for(browser, lambda current: current.current_url.startswith(dev.issuer), "the provider's page")
    for number, tab in enumerate(tabs):
        browser.switch_to.window(tab)
        dev.sign_in_with_browser(browser, "alice")
        wait_for(browser, lambda current: current.current_url == gateway.url(f"/tab/{number}"), f"the app in tab {number}")
        assert shows_app(browser, f"/tab/{number}")


def test_the_logo_and_the_accent_color_show_under_the_content_policy(browser, start_gateway, dev, folder):
    """issue "The first hour", looks: a logo from a file is shown, and an SVG logo runs no script."""
    (folder / "browser-logo.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="document.title=1"><rect width="8" height="8"/></svg>'
    )
    second = {**dev.configuration, "id": "oidc.second", "displayName": "Second"}
    look = {"logo": "browser-logo.svg", "accentColor": "#5b3cc4"}
    gateway = start_gateway({"providers": [dev.configuration, second], "pages": look}, name="gateway-browser-look")
    browser.get(gateway.own("/login"))
    browser.add_cookie({"name": "session-provider", "value": "oidc.second", "path": "/"})
    browser.get(gateway.own("/login"))
    logo = browser.find_element(By.CSS_SELECTOR, "img.logo")
    assert browser.execute_script("return arguments[0].complete && arguments[0].naturalWidth > 0", logo)
    assert logo.size["height"] == 32 and browser.title == f"Sign in · {gateway.origin.removeprefix('http://').split(':')[0]}"
    primary = browser.find_elements(By.CSS_SELECTOR, ".choice")[0]
    assert "Second" in primary.text and primary.value_of_css_property("background-color") == "rgba(91, 60, 196, 1)"
    assert primary.value_of_css_property("color") == "rgba(255, 255, 255, 1)"
    assert [entry for entry in browser.get_log("browser") if "Content Security Policy" in entry["message"]] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sign_in_page_is_usable_with_the_keyboard_in_light_and_dark(browser, start_gateway, dev, scheme):
    """issue "Own endpoints": semantic HTML, no JavaScript needed, light and dark, keyboard, nothing refused by the CSP."""
    second = {**dev.configuration, "id": "oidc.second", "displayName": "Second"}
    gateway = start_gateway({"providers": [dev.configuration, second]})
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.get(gateway.own("/login?rd=/x"))
    assert len(browser.find_elements(By.TAG_NAME, "h1")) == 1
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang")
    assert browser.find_elements(By.TAG_NAME, "main")
    choices = [element for element in browser.find_elements(By.CSS_SELECTOR, "a, button") if "Second" in element.text]
    assert len(choices) == 1
    colour = choices[0].value_of_css_property("color")
    background = browser.find_element(By.TAG_NAME, "body").value_of_css_property("background-color")
    assert colour != background
    assert [entry for entry in browser.get_log("browser") if "Content Security Policy" in entry["message"]] == []
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    choices[0].send_keys("\ue007")  # Enter
    wait_for(browser, lambda current: current.current_url.startswith(dev.issuer), "the provider's page")
