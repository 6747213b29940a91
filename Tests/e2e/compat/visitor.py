"""A client of a gateway whose public URL is not where it listens, with cookies that a test can give and take."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

PROGRAM = {"Accept": "application/json"}
NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Accept": "text/html"}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str:
        return ", ".join(value for key, value in self.headers if key.lower() == name.lower())

    @property
    def code(self) -> str:
        """The error's code; empty without one."""
        try:
            return self.json()["error"]["code"]
        except (ValueError, KeyError, TypeError):
            return ""


@dataclass
class Visitor:
    port: int
    public_url: str
    cookies: dict[str, str] = field(default_factory=dict)

    def request(
        self, method: str, path: str, *, body: Any = None, form: dict[str, str] | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """`path` may be an address of the public URL. `body` is sent as JSON."""
        target = urlsplit(path)
        fields = {"Host": urlsplit(self.public_url).netloc, "User-Agent": "compat", **(headers or PROGRAM)}
        if self.cookies:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        content = None
        if method == "POST":
            fields.setdefault("Origin", self.public_url)
            content = urlencode(form).encode() if form is not None else json.dumps(body or {}).encode()
            fields["Content-Type"] = "application/json" if form is None else "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, target.path + (f"?{target.query}" if target.query else ""), content, fields)
            response = connection.getresponse()
            answer = Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()
        for name, line in answer.headers:
            if name.lower() == "set-cookie":
                self._keep(line)
        return answer

    def _keep(self, line: str) -> None:
        pair, *attributes = line.split(";")
        name, _, value = pair.strip().partition("=")
        if any(attribute.strip().lower() == "max-age=0" for attribute in attributes):
            self.cookies.pop(name, None)
        else:
            self.cookies[name] = value

    def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        return self.request("GET", path, headers=headers)

    def own(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        return self.get("/_gateway" + path, headers)

    def post(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        return self.request("POST", "/_gateway" + path, body=body, headers=headers)

    def userinfo(self) -> dict[str, Any]:
        answer = self.own("/userinfo")
        assert answer.status == 200, f"{answer.status}: {answer.text[:500]}"
        return answer.json()

    def session(self) -> dict[str, str]:
        """The cookies of the session, without those of sign-ins that are under way."""
        return {name: value for name, value in self.cookies.items() if not any(part in name for part in ("-login", "-factor", "-browser"))}
