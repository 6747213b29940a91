"""An app that speaks HTTP/2, in clear text or by ALPN under TLS, and does what a test tells it to: well or badly.

`scripts[path]` is called with the request and answers it, through the library or with frames of its own.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings

from parts.tcp_server import TCPServer


@dataclass
class Request:
    """One request; `body` and `trailers` grow while it comes in."""

    connection: Connection
    stream: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    trailers: list[tuple[str, str]] = field(default_factory=list)
    reset: int | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def path(self) -> str:
        return self.value(":path") or ""

    def value(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key == name]
        assert len(found) <= 1, f"{name} arrived {len(found)} times"
        return found[0] if found else None

    # Answers

    def head(self, headers: list[tuple[str, str]], end: bool = False) -> None:
        self.connection.do(lambda h2: h2.send_headers(self.stream, headers, end_stream=end))

    def data(self, data: bytes, end: bool = False) -> None:
        self.connection.send_data(self.stream, data, end)

    def respond(self, body: bytes, headers: list[tuple[str, str]] | None = None, status: int = 200) -> None:
        self.head([(":status", str(status)), ("content-length", str(len(body))), *(headers or [])])
        self.data(body, end=True)

    def rst(self, code: int) -> None:
        self.connection.do(lambda h2: h2.reset_stream(self.stream, code))


Script = Callable[[Request], None]


class Connection:
    """One accepted connection; everything that is sent goes through `do`, under one lock."""

    def __init__(self, owner: H2Upstream, client: socket.socket, number: int) -> None:
        self.owner = owner
        self.client = client
        self.number = number
        config = h2.config.H2Configuration(
            client_side=False, header_encoding="utf-8", validate_outbound_headers=False, normalize_outbound_headers=False
        )
        self.h2 = h2.connection.H2Connection(config)
        self.lock = threading.RLock()
        self.window = threading.Condition(self.lock)
        self.requests: dict[int, Request] = {}
        self.closed = False

    def do(self, action: Callable[[h2.connection.H2Connection], None]) -> None:
        with self.lock:
            action(self.h2)
            self.client.sendall(self.h2.data_to_send())

    def raw(self, data: bytes) -> None:
        with self.lock:
            self.client.sendall(data)

    def send_data(self, stream: int, data: bytes, end: bool) -> None:
        """In as many frames as the windows allow."""
        with self.window:
            while data:
                room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size, len(data))
                if room <= 0:
                    if not self.window.wait(60) or self.closed:
                        raise OSError("no window")
                    continue
                self.do(lambda h2: h2.send_data(stream, data[:room]))
                data = data[room:]
            if end:
                self.do(lambda h2: h2.end_stream(stream))

    def close(self) -> None:
        """Ends the connection. The thread that reads it closes the descriptor: another could already use the number."""
        self.closed = True
        with self.lock, contextlib.suppress(OSError):
            self.client.shutdown(socket.SHUT_RDWR)

    def receive(self) -> bytes:
        """The next bytes. A TLS connection must not be read and written at the same time, so the reading waits without the lock."""
        if not (isinstance(self.client, ssl.SSLSocket) and self.client.pending()):
            poll = select.poll()
            poll.register(self.client, select.POLLIN)
            poll.poll()
        with self.lock:
            return self.client.recv(1 << 16)

    def serve(self) -> None:
        try:
            with self.lock:
                if self.owner.max_streams is not None:
                    codes = h2.settings.SettingCodes
                    self.h2.local_settings = h2.settings.Settings(
                        client=False, initial_values={codes.MAX_CONCURRENT_STREAMS: self.owner.max_streams}
                    )
                self.h2.initiate_connection()
                if self.owner.before_settings is not None:
                    self.owner.before_settings(self)
                self.client.sendall(self.h2.data_to_send())
            while data := self.receive():
                with self.lock:
                    events = self.h2.receive_data(data)
                    self.client.sendall(self.h2.data_to_send())
                    self.window.notify_all()
                for event in events:
                    self.handle(event)
        except (OSError, h2.exceptions.ProtocolError):
            pass
        finally:
            with self.window:
                self.closed = True
                self.window.notify_all()
                self.client.close()
            for request in self.requests.values():
                request.ended.set()

    def handle(self, event: h2.events.Event) -> None:
        if isinstance(event, h2.events.RequestReceived):
            request = Request(self, event.stream_id, list(event.headers))
            self.requests[event.stream_id] = request
            self.owner.requests.append(request)
            script = self.owner.scripts.get(request.path.split("?")[0], echo)
            threading.Thread(target=self.run, args=(script, request), daemon=True).start()
        elif isinstance(event, h2.events.DataReceived):
            self.requests[event.stream_id].body += event.data
            if self.owner.takes_bodies:
                self.do(lambda h2: h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id))
        elif isinstance(event, h2.events.TrailersReceived):
            self.requests[event.stream_id].trailers = list(event.headers)
        elif isinstance(event, h2.events.StreamEnded):
            self.requests[event.stream_id].ended.set()
        elif isinstance(event, h2.events.StreamReset):
            self.requests[event.stream_id].reset = event.error_code
            self.requests[event.stream_id].ended.set()

    def run(self, script: Script, request: Request) -> None:
        try:
            script(request)
        except (OSError, h2.exceptions.ProtocolError):
            pass


def echo(request: Request) -> None:
    """Waits for the whole request and says what it was."""
    request.ended.wait(60)
    body = json.dumps({"headers": request.headers, "bodyLength": len(request.body), "connection": request.connection.number}).encode()
    request.respond(body, [("content-type", "application/json")])


class H2Upstream(TCPServer):
    """`tls`: certificate and key; without it the app speaks HTTP/2 by prior knowledge."""

    scheme = "h2c"

    def __init__(
        self, tls: tuple[str, str] | None = None, protocols: tuple[str, ...] = ("h2",), client_authority: str | None = None
    ) -> None:
        self.context: ssl.SSLContext | None = None
        if tls is not None:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*tls)
            self.context.set_alpn_protocols(list(protocols))
            if client_authority is not None:
                self.context.load_verify_locations(client_authority)
                self.context.verify_mode = ssl.CERT_REQUIRED
        self.names: list[str | None] = []
        if self.context is not None:
            self.context.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self.scripts: dict[str, Script] = {}
        self.requests: list[Request] = []
        self.connections: list[Connection] = []
        self.max_streams: int | None = None
        self.takes_bodies = True
        self.before_settings: Callable[[Connection], None] | None = None
        super().__init__()

    def of(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path.split("?")[0] == path]

    def close(self) -> None:
        super().close()
        for connection in self.connections:
            connection.close()

    def serve(self, client: socket.socket) -> None:
        try:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.context is not None:
                client = self.context.wrap_socket(client, server_side=True)
                if client.selected_alpn_protocol() != "h2":
                    self._serve_http1(client)
                    return
        except (OSError, ssl.SSLError):
            client.close()
            return
        connection = Connection(self, client, len(self.connections))
        self.connections.append(connection)
        connection.serve()

    def _serve_http1(self, client: socket.socket) -> None:
        """One answer after another, to requests without a body."""
        buffer = b""
        while data := client.recv(1 << 16):
            buffer += data
            while b"\r\n\r\n" in buffer:
                head, _, buffer = buffer.partition(b"\r\n\r\n")
                body = json.dumps({"line": head.split(b"\r\n")[0].decode(), "protocol": client.selected_alpn_protocol()}).encode()
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
        client.close()
