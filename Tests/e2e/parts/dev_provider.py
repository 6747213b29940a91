"""The gateway's own identity provider, `gateway dev-provider`, with the control endpoint that makes it misbehave."""

from __future__ import annotations

import contextlib
import pathlib
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import requests

from forms import form_with

from .gateway import BINARY
from .processes import Process, free_port

CLIENT_ID = "gateway-tests"
CLIENT_SECRET = "dev-provider-secret-2f8a11"
# `sub` of the people whom the tests sign in (Sources/DevProvider/Person.swift).
SUBJECTS = {"alice": "a1c5e0d2-7f43", "bob": "b2d6f1e3-8054", "carol": "c3e702f4-9165", "zoe": "d4f81305-a276"}


class DevProvider:
    """Any loopback redirect URI is accepted from its one client. Counters and faults belong to one process."""

    def __init__(
        self, name: str, folder: pathlib.Path, port: int | None = None, emulation: str | None = None, client_key: pathlib.Path | None = None
    ) -> None:
        """`emulation`: the provider whose documented habits it takes on (Sources/DevProvider/Emulation.swift)."""
        self.port = port or free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.issuer = self.origin
        self.process = Process(
            re.sub(r"[^A-Za-z0-9.-]", "-", name),
            [str(BINARY), "dev-provider", "--port", str(self.port), "--control", "--client-id", CLIENT_ID, "--client-secret", CLIENT_SECRET]
            + (["--as", emulation] if emulation else [])
            + (["--client-key", str(client_key)] if client_key else []),
            folder,
        )

    def wait(self) -> DevProvider:
        self.process.wait_until(lambda: re.search(r"ready http://\S+", self.process.output()) is not None, "line `ready http://…`")
        return self

    # What a gateway's configuration says about it

    @staticmethod
    def configuration_at(port: int) -> dict[str, Any]:
        return {
            "id": "oidc.dev",
            "displayName": "Development",
            "issuer": f"http://127.0.0.1:{port}",
            "clientID": CLIENT_ID,
            "clientSecret": CLIENT_SECRET,
        }

    @property
    def configuration(self) -> dict[str, Any]:
        return self.configuration_at(self.port)

    @property
    def github_configuration(self) -> dict[str, Any]:
        return {"id": "github.com", "baseURL": self.origin, "clientID": CLIENT_ID, "clientSecret": CLIENT_SECRET, "scopes": ["user:email"]}

    @staticmethod
    def subject_of(person: str) -> str:
        return SUBJECTS[person]

    # Control

    def control(self, **settings: Any) -> dict[str, Any]:
        answer = requests.post(f"{self.origin}/_control", json=settings, timeout=60)
        assert answer.ok, f"the control endpoint refused {settings}: {answer.status_code} {answer.text}"
        return answer.json()

    @contextlib.contextmanager
    def misbehaving(self, *faults: str) -> Iterator[None]:
        self.control(faults=list(faults))
        try:
            yield
        finally:
            self.control(faults=[])

    def counters(self) -> dict[str, int]:
        return requests.get(f"{self.origin}/_control", timeout=60).json()["counters"]

    # Signing in

    @staticmethod
    def choose(client: requests.Session, page: requests.Response, person: str) -> str:
        """Chooses `person` on the provider's page; the address that the provider then sends the browser to."""
        form = form_with(page.text, "authorization_request")
        answer = client.post(urljoin(page.url, form.action), data={**form.fields, "person": person}, allow_redirects=False, timeout=60)
        assert answer.status_code in (302, 303), f"{answer.status_code}: {answer.text[:800]}"
        return answer.headers["Location"]

    def sign_in(self, client: requests.Session, page: requests.Response, person: str) -> str:
        assert page.url.startswith(self.origin), f"the login did not lead to the provider but to {page.url} ({page.status_code}): {page.text[:600]}"
        return self.choose(client, page, person)

    @staticmethod
    def sign_in_with_browser(driver, person: str) -> None:
        from selenium.webdriver.common.by import By

        buttons = driver.find_elements(By.CSS_SELECTOR, f'button[name=person][value="{person}"]')
        if not buttons:  # this browser is known there already
            buttons = driver.find_elements(By.CSS_SELECTOR, "button[name=decision][value=continue]")
        buttons[0].click()
