"""An introspection endpoint (RFC 7662) that answers for some tokens and leaves all others without an answer."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs


class HangingIntrospection:
    """`answers`: by token. A request about any other token waits until `close`; `waiting` counts them."""

    def __init__(self) -> None:
        self.answers: dict[str, dict[str, Any]] = {}
        self.waiting = 0
        self._lock = threading.Lock()
        self._closed = threading.Event()
        part = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                answer = part.answers.get(parse_qs(body.decode())["token"][0])
                if answer is None:
                    with part._lock:
                        part.waiting += 1
                    part._closed.wait(60)
                    self.close_connection = True
                    return
                content = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/introspect"

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()
