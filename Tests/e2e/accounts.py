"""Steps of users with accounts, as a browser and as a program takes them."""

from __future__ import annotations

import re
from typing import Any

import requests

from logins import NAVIGATION, new_client
from parts.dev_provider import DevProvider
from parts.gateway import Gateway


def callback(provider: DevProvider, client: requests.Session, begun: requests.Response, person: str) -> requests.Response:
    """From the answer that leads to the provider to the callback's answer, which is not followed."""
    assert begun.is_redirect, f"{begun.status_code}: {begun.text[:800]}"
    page = client.get(begun.headers["Location"], headers=NAVIGATION, timeout=60)
    return client.get(provider.sign_in(client, page, person), headers=NAVIGATION, allow_redirects=False, timeout=60)


def begin(gateway: Gateway, client: requests.Session, path: str, **query: str) -> requests.Response:
    return client.get(gateway.own(path), params=query, headers=NAVIGATION, allow_redirects=False, timeout=60)


def log_in(
    gateway: Gateway, provider: DevProvider, slug: str, person: str, client: requests.Session | None = None, rd: str = "/"
) -> tuple[requests.Session, requests.Response]:
    client = client or new_client()
    return client, callback(provider, client, begin(gateway, client, f"/login/oidc.{slug}", rd=rd), person)


def signed_in(gateway: Gateway, provider: DevProvider, slug: str, person: str) -> requests.Session:
    client, answer = log_in(gateway, provider, slug, person)
    assert answer.status_code == 303, f"{answer.status_code}: {answer.text[:800]}"
    return client


def userinfo(gateway: Gateway, client: requests.Session) -> dict[str, Any]:
    answer = client.get(gateway.own("/userinfo"), timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def account(gateway: Gateway, client: requests.Session) -> dict[str, Any]:
    answer = client.get(gateway.own("/account"), headers={"Accept": "application/json"}, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(gateway: Gateway, client: requests.Session, path: str, headers: dict[str, str] | None = None, **arguments: Any) -> requests.Response:
    """As a program: with `Origin`, and JSON or a form as `arguments` say."""
    return client.post(gateway.own(path), headers={"Origin": gateway.origin, **(headers or {})}, allow_redirects=False, timeout=60, **arguments)


def submit(gateway: Gateway, client: requests.Session, path: str, **fields: str) -> requests.Response:
    """As a browser that submits a form of the gateway's page."""
    return post(gateway, client, path, headers={**NAVIGATION, "Sec-Fetch-Site": "same-origin"}, data=fields)


def link(gateway: Gateway, provider: DevProvider, slug: str, person: str, client: requests.Session, **query: str) -> requests.Response:
    return callback(provider, client, post(gateway, client, f"/link/oidc.{slug}", params=query), person)


def answer_link(gateway: Gateway, client: requests.Session, accept: bool = True) -> requests.Response:
    """Answers the page that asks whether to link the identity that met a conflict."""
    page = client.get(gateway.own("/account/pending"), headers=NAVIGATION, allow_redirects=False, timeout=20)
    assert page.status_code == 200 and page.text.index('value="false"') < page.text.index('value="true"'), page.text[:800]
    return submit(gateway, client, "/account/pending", accept=str(accept).lower())


def code(answer: requests.Response) -> str:
    """The error's code, of JSON or of a page."""
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        return answer.json()["error"]["code"]
    found = re.search(r"(auth|proxy)/[a-z-]+", answer.text)
    return found.group(0) if found else f"no code in {answer.status_code}: {answer.text[:300]}"
