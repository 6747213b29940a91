"""A token endpoint in front of a provider's own: it counts, and changes answers on their way to the gateway."""

from __future__ import annotations

import contextlib
import json
import threading
from urllib.parse import parse_qs

import requests

from .json_server import JSONHandler, JSONServer


class Hold:
    """A place where somebody waits until the test goes on."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.released = threading.Event()

    def wait(self) -> None:
        self.entered.set()
        assert self.released.wait(60)


class TokenRelay:
    """`lifetime` replaces `expires_in`; None leaves it as it is. The rest passes as it came, and waits while `hold` is set."""

    def __init__(self, token_endpoint: str) -> None:
        self.lifetime: int | None = None
        self.hold: Hold | None = None
        self.grants: list[str] = []
        self.id_tokens: list[str] = []
        self._lock = threading.Lock()
        relay = self

        class Handler(JSONHandler):
            def do_POST(self) -> None:
                body = self.body()
                if relay.hold is not None:
                    relay.hold.wait()
                with relay._lock:
                    relay.grants += parse_qs(body.decode()).get("grant_type", [])
                headers = {name: value for name, value in self.headers.items() if name.lower() in ("authorization", "content-type", "accept")}
                try:
                    answer = requests.post(token_endpoint, data=body, headers=headers, timeout=60, allow_redirects=False)
                except requests.RequestException:
                    self.close_connection = True
                    return
                content = answer.content
                with contextlib.suppress(ValueError, KeyError), relay._lock:
                    relay.id_tokens.append(answer.json()["id_token"])
                if relay.lifetime is not None and answer.ok:
                    try:
                        content = json.dumps({**answer.json(), "expires_in": relay.lifetime}).encode()
                    except ValueError:
                        pass
                self.answer(answer.status_code, content, answer.headers.get("Content-Type", "application/json"))

        self._server = JSONServer(Handler)

    @property
    def url(self) -> str:
        return f"{self._server.origin}/token"

    @property
    def refreshes(self) -> int:
        return self.grants.count("refresh_token")

    def close(self) -> None:
        self._server.close()
