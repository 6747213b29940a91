"""An operator's endpoint for hooks and text messages: checks each signature and keeps what it gets."""

from __future__ import annotations

import hashlib
import hmac
import http.server
import json
import threading
import time
from typing import Any

from .processes import free_port
from .relay import Hold


class SignedReceiver:
    """`answers`: status and body (JSON, or bytes as they are) for each path; `default` for the others."""

    def __init__(self, secret: str, default: tuple[int, object] = (200, {})) -> None:
        self.received: list[tuple[str, dict[str, Any]]] = []
        self.answers: dict[str, tuple[int, object]] = {}
        # The next request to a path waits there.
        self.holds: dict[str, Hold] = {}
        # Cleared: requests wait until it is set.
        self.may_answer = threading.Event()
        self.may_answer.set()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fields = dict(part.split("=", 1) for part in self.headers["Gateway-Signature"].split(","))
                expected = hmac.new(secret.encode(), fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
                assert hmac.compare_digest(fields["v1"], expected) and abs(time.time() - int(fields["t"])) < 60
                receiver.received.append((self.path, json.loads(body)))
                receiver.may_answer.wait(60)
                if (hold := receiver.holds.pop(self.path, None)) is not None:
                    hold.wait()
                status, answer = receiver.answers.get(self.path, default)
                text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *arguments: object) -> None:
                pass

        self.port = free_port()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def events(self, path: str) -> list[dict[str, Any]]:
        """The bodies that a path got, in order."""
        return [body for given, body in list(self.received) if given == path]

    def close(self) -> None:
        self._server.shutdown()
