"""An introspection endpoint (RFC 7662) that answers for some tokens and leaves all others without an answer."""

from __future__ import annotations

import threading
from typing import Any
from urllib.parse import parse_qs

from .json_server import JSONHandler, JSONServer


class HangingIntrospection:
    """`answers`: by token. A request about any other token waits until `close`; `waiting` counts them."""

    def __init__(self) -> None:
        self.answers: dict[str, dict[str, Any]] = {}
        self.waiting = 0
        self._lock = threading.Lock()
        self._closed = threading.Event()
        part = self

        class Handler(JSONHandler):
            def do_POST(self) -> None:
                answer = part.answers.get(parse_qs(self.body().decode())["token"][0])
                if answer is None:
                    with part._lock:
                        part.waiting += 1
                    part._closed.wait(60)
                    self.close_connection = True
                    return
                self.answer(200, answer)

        self._server = JSONServer(Handler)

    @property
    def url(self) -> str:
        return f"{self._server.origin}/introspect"

    def close(self) -> None:
        self._closed.set()
        self._server.close()
