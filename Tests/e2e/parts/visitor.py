"""A user in front of a real Chromium, who sees pages and clicks what they show."""

from __future__ import annotations

import re

from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from .browser import wait_for
from .gateway import Gateway


class Visitor:
    def __init__(self, driver, gateway: Gateway) -> None:
        self.driver = driver
        self.gateway = gateway
        self.messages: list[str] = []

    # What the user sees

    @property
    def text(self) -> str:
        """Empty while one page takes the place of another."""
        try:
            return self.driver.find_element(By.TAG_NAME, "body").text
        except (NoSuchElementException, StaleElementReferenceException):
            return ""

    @property
    def heading(self) -> str:
        """The page's heading; empty on a page without one."""
        return " ".join(element.text for element in self.driver.find_elements(By.TAG_NAME, "h1"))

    @property
    def at(self) -> str:
        """The address without the gateway's origin."""
        return self.driver.current_url.removeprefix(self.gateway.origin)

    @property
    def ways(self) -> list[str]:
        """The ways to sign in that the account page lists."""
        return [element.text for element in self.driver.find_elements(By.CSS_SELECTOR, "section[aria-labelledby=ways] .rows strong")]

    @property
    def uid(self) -> str:
        """The user ID that the account page shows."""
        return self.driver.find_element(By.CSS_SELECTOR, "p.small code").text

    def controls(self, label: str) -> list[WebElement]:
        """Links and buttons with this visible text, or this name for a screen reader."""
        return [
            element
            for element in self.driver.find_elements(By.CSS_SELECTOR, "a, button")
            if label in self._names(element) and element.is_displayed()
        ]

    # What the user does

    def open(self, path: str) -> Visitor:
        self.note_messages()
        self.driver.get(self.gateway.url(path))
        return self

    def click(self, label: str) -> Visitor:
        found = wait_for(self.driver, lambda _: self.controls(label), f"something to click that says {label!r}")
        assert len(found) == 1, f"{len(found)} times {label!r} on {self.driver.current_url}:\n{self.text}"
        self.note_messages()
        found[0].click()
        return self

    def back(self) -> Visitor:
        self.note_messages()
        self.driver.back()
        return self

    def fill(self, label: str, value: str) -> Visitor:
        """Types into the field with this label."""
        labels = [element for element in self.driver.find_elements(By.TAG_NAME, "label") if element.text == label]
        assert len(labels) == 1, f"{len(labels)} fields {label!r} in:\n{self.text}"
        field = self.driver.find_element(By.ID, labels[0].get_attribute("for"))
        field.clear()
        field.send_keys(value)
        return self

    def press(self, *keys: str) -> Visitor:
        ActionChains(self.driver).send_keys(*keys).perform()
        return self

    def tab_to(self, label: str, limit: int = 40) -> Visitor:
        """Presses Tab until the focus is on what has this text, name or label."""
        for _ in range(limit):
            self.press(Keys.TAB)
            element = self.driver.switch_to.active_element
            if label in self._names(element):
                return self
        raise AssertionError(f"no {label!r} within {limit} times Tab on {self.driver.current_url}:\n{self.text}")

    def _names(self, element: WebElement) -> list[str]:
        """Its name for a screen reader, its label, its text and each line of it: a provider's icon can be a letter."""
        identifier = element.get_attribute("id")
        labels = self.driver.find_elements(By.CSS_SELECTOR, f'label[for="{identifier}"]') if identifier else []
        text = element.text.strip()
        return [element.get_attribute("aria-label") or text, text, *text.splitlines(), *(found.text for found in labels)]

    def choose(self, person: str) -> Visitor:
        """At a provider's page: as this person, whoever is signed in there."""
        wait_for(self.driver, lambda current: current.find_elements(By.CSS_SELECTOR, "input[name=authorization_request]"), "a provider's page")
        others = self.driver.find_elements(By.CSS_SELECTOR, "button[name=decision][value=other]")
        if others:
            others[0].click()
        buttons = wait_for(self.driver, lambda current: current.find_elements(By.CSS_SELECTOR, f'button[name=person][value="{person}"]'), person)
        self.note_messages()
        buttons[0].click()
        return self

    def arrives(self, path: str) -> Visitor:
        wait_for(self.driver, lambda _: self.at == path, f"the address {path}")
        return self

    def sees(self, *texts: str) -> Visitor:
        for text in texts:
            wait_for(self.driver, lambda _, text=text: text in self.text, f"the text {text!r}")
        return self

    def sign_in(self, provider: str, person: str, path: str = "/private") -> Visitor:
        """From a page that needs a sign-in, with the provider's button."""
        return self.open(path).click(f"Sign in with {provider}").choose(person).arrives(path)

    def sign_out(self) -> Visitor:
        self.open("/_gateway/logout").click("Sign out")
        wait_for(self.driver, lambda current: current.get_cookie("session") is None, "the end of the session")
        return self

    # What the browser complains about

    def note_messages(self) -> None:
        self.messages += [f"{entry['level']} {entry['source']} {entry['message']}" for entry in self.driver.get_log("browser")]

    def complaints(self) -> list[str]:
        """Console messages so far, but for those that only name the status of a page that the user was shown."""
        self.note_messages()
        expected = re.compile(r"SEVERE network \S+ - Failed to load resource: the server responded with a status of 4\d\d ")
        return [message for message in self.messages if not expected.match(message)]
