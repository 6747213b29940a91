"""A token endpoint in front of a provider's own: it counts, and changes answers on their way to the gateway."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import requests


class TokenRelay:
    """`lifetime` replaces `expires_in`; None leaves it as it is. The rest passes as it came."""

    def __init__(self, token_endpoint: str) -> None:
        self.lifetime: int | None = None
        self.grants: list[str] = []
        self._lock = threading.Lock()
        relay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                with relay._lock:
                    relay.grants += parse_qs(body.decode()).get("grant_type", [])
                headers = {name: value for name, value in self.headers.items() if name.lower() in ("authorization", "content-type", "accept")}
                try:
                    answer = requests.post(token_endpoint, data=body, headers=headers, timeout=15, allow_redirects=False)
                except requests.RequestException:
                    self.close_connection = True
                    return
                content = answer.content
                if relay.lifetime is not None and answer.ok:
                    try:
                        content = json.dumps({**answer.json(), "expires_in": relay.lifetime}).encode()
                    except ValueError:
                        pass
                self.send_response(answer.status_code)
                self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/token"

    @property
    def refreshes(self) -> int:
        return self.grants.count("refresh_token")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
