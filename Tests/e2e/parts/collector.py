"""Takes what OpenTelemetry exporters post to `/v1/traces`, in the JSON form of OTLP."""

from __future__ import annotations

import json
import pathlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Collector:
    """`log`: every payload is kept there too, for the search for secrets."""

    def __init__(self, log: pathlib.Path) -> None:
        self.spans: list[dict[str, Any]] = []
        self.resources: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with log.open("ab") as file:
                    file.write(body + b"\n")
                assert self.path == "/v1/traces", self.path
                for resource in json.loads(body)["resourceSpans"]:
                    collector.resources.append(plain(resource["resource"]["attributes"]))
                    for scope in resource["scopeSpans"]:
                        collector.spans.extend(scope["spans"])
                collector.headers.append(dict(self.headers.items()))
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def of_trace(self, trace: str) -> list[dict[str, Any]]:
        return [span for span in self.spans if span["traceId"] == trace]

    def close(self) -> None:
        self.server.shutdown()


def plain(attributes: list[dict[str, Any]]) -> dict[str, Any]:
    """A list of attributes as a mapping."""
    return {item["key"]: next(iter(item["value"].values())) for item in attributes}
