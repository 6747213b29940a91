"""Signing in without a browser, and the looks at cookies and addresses that several tests share."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests

from forms import sign_in_at_canaille
from parts.canaille import Canaille
from parts.dev_provider import DevProvider
from parts.gateway import Gateway

NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SESSION_COOKIE = "session"

# Codes, states and session cookies that went through these functions: no log may hold one (test_logs.py).
MINTED: set[str] = set()


def new_client() -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    return session


def callback_of(gateway: Gateway, provider: DevProvider, client: requests.Session, rd: str = "/", person: str = "alice", start: str | None = None) -> str:
    """Goes through a login up to the provider's redirect and returns the callback address, not yet visited. `start`: which provider, where there are several."""
    response = client.get(gateway.own(f"/login/{start}" if start else "/login"), params={"rd": rd}, headers=NAVIGATION, timeout=60)
    callback = provider.sign_in(client, response, person)
    MINTED.update(value for name, value in parse_qsl(urlsplit(callback).query) if name in ("code", "state"))
    return callback


def sign_in(gateway: Gateway, provider: DevProvider, client: requests.Session | None = None, person: str = "alice", start: str | None = None) -> requests.Session:
    """A client with a session of `person`."""
    client = client or new_client()
    response = client.get(callback_of(gateway, provider, client, person=person, start=start), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert response.status_code == 303, f"the callback answered {response.status_code}: {response.text[:1000]}"
    MINTED.add(session_cookie(client))
    return client


def sign_in_through_canaille(gateway: Gateway, canaille: Canaille, client: requests.Session, person: str = "alice") -> requests.Response:
    """The same through Canaille's pages; returns the app's answer at the end."""
    response = client.get(gateway.url("/"), headers=NAVIGATION, timeout=60)
    assert urlsplit(response.url).port == canaille.port, f"the login did not lead to Canaille but to {response.url}: {response.text[:500]}"
    return sign_in_at_canaille(client, response, person, canaille.password_of(person))


def session_cookie(client: requests.Session) -> str:
    value = client.cookies.get(SESSION_COOKIE)
    assert value, f"no session cookie among {list(client.cookies.keys())}"
    return value


def leaves_origin(location: str, base: str) -> bool:
    """Whether a browser at `base` that follows `location` ends up elsewhere, read the way browsers read it (WHATWG URL):
    tabs and line breaks vanish, leading controls and spaces too, a backslash is a slash."""
    cleaned = re.sub(r"[\t\n\r]", "", location).lstrip("".join(map(chr, range(0x21)))).replace("\\", "/")
    # Any number of slashes before a host counts as two in a browser, so urljoin must not see three.
    cleaned = re.sub(r"^/{2,}", "//", cleaned)
    cleaned = re.sub(r"^(https?:)/*", r"\1//", cleaned, flags=re.IGNORECASE)
    target, origin = urlsplit(urljoin(base, cleaned)), urlsplit(base)
    return (target.scheme, target.netloc) != (origin.scheme, origin.netloc)


def page_problems(response: requests.Response) -> list[str]:
    """What a page of the gateway's own lacks of contract §6 "Statuses"."""
    headers = response.headers
    problems = []
    if headers.get("Cache-Control") != "no-store":
        problems.append(f"Cache-Control: {headers.get('Cache-Control')}")
    # Browsers send `Origin: null` with the forms of a page that hides the referrer.
    if headers.get("Referrer-Policy") != ("same-origin" if "<form" in response.text else "no-referrer"):
        problems.append(f"Referrer-Policy: {headers.get('Referrer-Policy')}")
    if headers.get("X-Content-Type-Options") != "nosniff":
        problems.append(f"X-Content-Type-Options: {headers.get('X-Content-Type-Options')}")
    policy = headers.get("Content-Security-Policy", "")
    for directive in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"):
        if directive not in policy:
            problems.append(f"Content-Security-Policy without {directive}: {policy}")
    if "unsafe" in policy:
        problems.append(f"Content-Security-Policy: {policy}")
    return problems
