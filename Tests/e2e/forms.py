"""The forms on a page, read the way a browser reads them: enough to sign in by hand with `requests`."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

import requests


@dataclass
class Form:
    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)


class _FormReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(attributes.get("action", ""), attributes.get("method", "get").lower())
            self.forms.append(self._open)
        elif self._open is not None and tag in ("input", "button") and attributes.get("name"):
            submits = tag == "button" or attributes.get("type") in ("submit", "image")
            unchecked = attributes.get("type") in ("checkbox", "radio") and "checked" not in attributes
            if not submits and not unchecked:
                self._open.fields[attributes["name"]] = attributes.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None


def forms_of(page: str) -> list[Form]:
    reader = _FormReader()
    reader.feed(page)
    return reader.forms


def form_with(page: str, name: str) -> Form:
    """The form that has a field called `name`."""
    for form in forms_of(page):
        if name in form.fields:
            return form
    raise AssertionError(f"no form with a field {name!r} on this page:\n{page[:2000]}")


def submit(client: requests.Session, response: requests.Response, form: Form, **values: str) -> requests.Response:
    """Sends `form` as the page of `response` would, following redirects."""
    target = urljoin(response.url, form.action or response.url)
    return client.request(form.method.upper(), target, data={**form.fields, **values}, timeout=60)


def sign_in_at_canaille(client: requests.Session, response: requests.Response, name: str, password: str) -> requests.Response:
    """From Canaille's first page, through name and password, to wherever Canaille sends the browser."""
    response = submit(client, response, form_with(response.text, "login"), login=name)
    return submit(client, response, form_with(response.text, "password"), password=password)
