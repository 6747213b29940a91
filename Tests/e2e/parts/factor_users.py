"""Users of a gateway with `session.exchange`, each with every kind of second factor. Made in a few requests, without a provider's pages."""

from __future__ import annotations

import itertools
import secrets
from typing import Any

import requests

from .factor_devices import CodeApp, SoftwareKey
from .gateway import Gateway
from .signed_receiver import SignedReceiver
from .static_issuer import StaticIssuer

KINDS = ("totp", "recovery", "phone", "webauthn")
NUMBERS = itertools.count(1)
CLIENTS = map(lambda number: f"198.18.{number >> 8 & 255}.{number & 255}", itertools.count(1))


class Browser:
    """A client that keeps cookies and talks to one gateway as a program of the same origin.

    It has an address of its own where the gateway trusts this machine as a proxy: limits count clients.
    """

    def __init__(self, gateway: Gateway, cookies: dict[str, str] | None = None) -> None:
        self.gateway = gateway
        self.address = next(CLIENTS)
        self.client = requests.Session()
        self.client.trust_env = False
        for name, value in (cookies or {}).items():
            self.client.cookies.set(name, value, domain="127.0.0.1", path="/")

    @property
    def cookies(self) -> dict[str, str]:
        return {cookie.name: cookie.value or "" for cookie in self.client.cookies}

    def get(self, path: str, **headers: str) -> requests.Response:
        return self.client.get(self.gateway.url(path), headers=self._headers(headers), allow_redirects=False, timeout=60)

    def post(self, path: str, body: dict[str, Any] | None = None, **headers: str) -> requests.Response:
        headers = self._headers({"Origin": self.gateway.origin, **headers})
        return self.client.post(self.gateway.own(path), json=body or {}, headers=headers, allow_redirects=False, timeout=60)

    def _headers(self, headers: dict[str, str]) -> dict[str, str]:
        return {"Accept": "application/json", "X-Forwarded-For": self.address, **headers}

    def shown(self) -> dict[str, Any] | None:
        """The user of the session; None without one."""
        answer = self.get("/_gateway/userinfo")
        return answer.json() if answer.status_code == 200 else None


class FactorUser:
    """`proof` answers a question for a second factor, as a browser that waits for one, or whose session lacks one, may."""

    def __init__(self, gateway: Gateway, issuer: StaticIssuer, messages: SignedReceiver, provider: str = "oidc.one") -> None:
        self.gateway, self.issuer, self.messages, self.provider = gateway, issuer, messages, provider
        self.subject = "u" + secrets.token_hex(8)
        self.phone = f"+4915{next(NUMBERS):05d}{secrets.randbelow(10_000):04d}"
        self.key = SoftwareKey(gateway.origin)
        self.app: CodeApp | None = None
        self.codes: list[str] = []
        self.uid = ""

    def sign_in(self, browser: Browser | None = None, **claims: Any) -> tuple[Browser, requests.Response]:
        browser = browser or Browser(self.gateway)
        answer = browser.post("/session", {"provider": self.provider, "id_token": self.issuer.id_token(self.subject, **claims)})
        if answer.status_code == 200:
            self.uid = answer.json()["uid"]
        return browser, answer

    def session(self) -> Browser:
        browser, answer = self.sign_in()
        assert answer.status_code == 200, answer.text
        return browser

    def waiting(self) -> Browser:
        """The first factor is proven, the second is asked for."""
        browser, answer = self.sign_in()
        assert answer.status_code == 401 and answer.json()["error"]["code"] == "auth/multi-factor-auth-required", answer.text
        return browser

    def begin(self, browser: Browser, kind: str) -> dict[str, Any]:
        answer = browser.post("/account/second-factors/start", {"type": kind, "phone": self.phone, "display_name": f"My {kind}"})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def enrolment(self, begun: dict[str, Any]) -> dict[str, Any]:
        """The fields that complete an enrolment."""
        if "secret" in begun:
            self.app = CodeApp(begun["secret"])
            return {"enrollment": begun["enrollment"], "code": self.app.code()}
        if "publicKey" in begun:
            return {"enrollment": begun["enrollment"], "credential": self.key.register(begun["publicKey"])}
        return {"enrollment": begun["enrollment"], "code": self.messages.events("/send")[-1]["code"]}

    def enrol(self, browser: Browser, *kinds: str) -> FactorUser:
        for kind in kinds:
            begun = self.begin(browser, kind)
            if kind == "recovery":
                self.codes = begun["codes"]
                continue
            answer = browser.post("/account/second-factors/verify", self.enrolment(begun))
            assert answer.status_code == 204, answer.text
        return self

    def factors(self, browser: Browser) -> dict[str, str]:
        """The ids by type, as the session or the pending sign-in shows them."""
        answer = browser.get("/_gateway/account/second-factors")
        if answer.status_code == 200:
            return {factor["type"]: factor["id"] for factor in answer.json()["second_factors"]}
        return {hint["type"]: hint["id"] for hint in browser.get("/_gateway/second-factor").json()["hints"]}

    def proof(self, browser: Browser, kind: str, factor: str) -> dict[str, Any]:
        if kind == "totp":
            assert self.app is not None
            return {"factor": factor, "code": self.app.code()}
        if kind == "recovery":
            return {"factor": factor, "code": self.codes.pop()}
        begun = browser.post("/second-factor/start", {"factor": factor})
        assert begun.status_code in (200, 204), begun.text
        if kind == "webauthn":
            return {"factor": factor, "credential": self.key.sign(begun.json()["publicKey"])}
        return {"factor": factor, "code": self.messages.events("/send")[-1]["code"]}
