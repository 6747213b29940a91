"""An HTTP/2 client that sends the frames it is given, well-formed or not, and reads what comes back."""

from __future__ import annotations

import socket
import ssl
import struct
import time
from dataclasses import dataclass, field

import hpack

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM = ACK = 0x1
END_HEADERS = 0x4
PADDED = 0x8
PRIORITIZED = 0x20

NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR = range(7)
REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM = range(7, 12)


@dataclass
class Frame:
    kind: int
    flags: int
    stream: int
    payload: bytes
    fields: list[tuple[str, str]] = field(default_factory=list)  # of HEADERS

    @property
    def code(self) -> int:
        """The error code of RST_STREAM and GOAWAY."""
        return struct.unpack(">I", self.payload[4:8] if self.kind == GOAWAY else self.payload[:4])[0]

    @property
    def last_stream(self) -> int:
        return struct.unpack(">I", self.payload[:4])[0] & 0x7FFFFFFF


@dataclass
class Answer:
    headers: list[tuple[str, str]] = field(default_factory=list)
    interim: list[list[tuple[str, str]]] = field(default_factory=list)
    body: bytes = b""
    trailers: list[tuple[str, str]] | None = None
    reset: int | None = None
    goaway: int | None = None
    closed: bool = False
    complete: bool = False

    @property
    def status(self) -> int | None:
        return int(self.value(":status")) if self.headers else None

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    def value(self, name: str) -> str | None:
        found = self.values(name)
        return found[0] if found else None

    @property
    def outcome(self) -> str:
        """In a word: what a table of cases compares."""
        if self.goaway is not None:
            return f"goaway {self.goaway}"
        if self.reset is not None and not self.complete:
            return f"reset {self.reset}"
        if self.status is not None:
            return str(self.status)
        return "closed" if self.closed else "nothing"


def frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(*pairs: tuple[int, int]) -> bytes:
    return frame(SETTINGS, payload=b"".join(struct.pack(">HI", *pair) for pair in pairs))


def window_update(stream: int, increment: int) -> bytes:
    return frame(WINDOW_UPDATE, stream=stream, payload=struct.pack(">I", increment))


def reset(stream: int, code: int = CANCEL) -> bytes:
    return frame(RST_STREAM, stream=stream, payload=struct.pack(">I", code))


class Connection:
    """Begins with the preface and empty settings, unless `raw`."""

    def __init__(
        self,
        port: int,
        tls: ssl.SSLContext | None = None,
        server_name: str = "localhost",
        raw: bool = False,
        timeout: float = 60.0,
        first: bytes = settings(),
        receive_buffer: int | None = None,
        plain: socket.socket | None = None,
    ) -> None:
        self.socket = plain or socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        if plain is None:
            self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_hostname=server_name)
        self.encoder = hpack.Encoder()
        self.decoder = hpack.Decoder()
        self.decoder.max_header_list_size = 1 << 20
        self.authority = f"127.0.0.1:{port}"
        self.scheme = "https" if tls else "http"
        self._buffer = b""
        self.frames: list[Frame] = []
        self.closed = False
        self.next = 1
        self.timeout = timeout
        if not raw:
            self.send(PREFACE + first)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> Connection:
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            pass  # refused while we were still sending: the answer may be there to read all the same
        return self

    def fields(self, method: str = "GET", path: str = "/", extra: list[tuple[str, str]] | None = None) -> list[tuple[str, str]]:
        return [(":method", method), (":scheme", self.scheme), (":path", path), (":authority", self.authority), *(extra or [])]

    def block(self, fields: list[tuple[str, str]]) -> bytes:
        return self.encoder.encode(fields)

    def headers(self, fields: list[tuple[str, str]], stream: int | None = None, end: bool = True) -> int:
        """Sends HEADERS; returns the stream."""
        if stream is None:
            stream = self.next
            self.next += 2
        parts = self.block(fields)
        frames = [parts[start : start + 16384] for start in range(0, len(parts), 16384)] or [b""]
        data = b""
        for number, part in enumerate(frames):
            flags = (END_STREAM if end and number == 0 else 0) | (END_HEADERS if number == len(frames) - 1 else 0)
            data += frame(CONTINUATION if number else HEADERS, flags, stream, part)
        self.send(data)
        return stream

    def data(self, stream: int, data: bytes, end: bool = False) -> Connection:
        return self.send(frame(DATA, END_STREAM if end else 0, stream, data))

    def request(self, method: str = "GET", path: str = "/", extra: list[tuple[str, str]] | None = None, body: bytes | None = None) -> Answer:
        stream = self.headers(self.fields(method, path, extra), end=body is None)
        if body is not None:
            for start in range(0, len(body), 16384):
                self.data(stream, body[start : start + 16384])
            self.data(stream, b"", end=True)
        return self.answer(stream)

    # Reading

    def read(self) -> Frame | None:
        """The next frame; None at the end of the connection."""
        while len(self._buffer) < 9 or len(self._buffer) < 9 + int.from_bytes(self._buffer[:3], "big"):
            try:
                data = self.socket.recv(1 << 16)
            except (ConnectionResetError, ssl.SSLError):
                data = b""
            if not data:
                self.closed = True
                return None
            self._buffer += data
        length = int.from_bytes(self._buffer[:3], "big")
        found = Frame(
            self._buffer[3], self._buffer[4], int.from_bytes(self._buffer[5:9], "big") & 0x7FFFFFFF, self._buffer[9 : 9 + length]
        )
        self._buffer = self._buffer[9 + length :]
        if found.kind == HEADERS:
            # Each of them, whether anybody asks or not: the next ones build on its table.
            found.fields = [(text(name), text(value)) for name, value in self.decoder.decode(found.payload, raw=True)]
        self.frames.append(found)
        if found.kind == SETTINGS and not found.flags & ACK:
            self.send(frame(SETTINGS, ACK))
        return found

    def answer(self, stream: int, credit: bool = True) -> Answer:
        """What becomes of a stream: its response, its reset, or the end of the connection. `credit`: the windows are kept open."""
        answer = Answer()
        while True:
            found = self.read()
            if found is None:
                answer.closed = True
                return answer
            if found.kind == GOAWAY and found.code != NO_ERROR:
                answer.goaway = found.code
                return answer
            if found.kind == HEADERS:
                fields = found.fields
                if found.stream != stream:
                    continue
                assert found.flags & END_HEADERS
                if answer.headers:
                    answer.trailers = fields
                elif fields[0][1].startswith("1"):
                    answer.interim.append(fields)
                    continue
                else:
                    answer.headers = fields
            elif found.kind == DATA:
                if credit and found.payload:
                    self.send(window_update(0, len(found.payload)))
                if found.stream != stream:
                    continue
                answer.body += found.payload
                if credit and found.payload and not found.flags & END_STREAM:
                    self.send(window_update(stream, len(found.payload)))
            elif found.kind == RST_STREAM and found.stream == stream:
                answer.reset = found.code
                return answer
            else:
                continue
            if found.flags & END_STREAM:
                answer.complete = True
                return answer

    def until(self, kind: int, stream: int | None = None, flags: int = 0) -> Frame | None:
        """Reads up to a frame of a kind; None when the connection ended before."""
        while (found := self.read()) is not None:
            if found.kind == kind and (stream is None or found.stream == stream) and found.flags & flags == flags:
                return found
        return None

    def end(self) -> Answer:
        """Reads until the connection ends or says why it will."""
        answer = Answer()
        deadline = time.monotonic() + self.timeout
        while time.monotonic() < deadline:
            found = self.read()
            if found is None:
                answer.closed = True
                return answer
            if found.kind == GOAWAY:
                answer.goaway = found.code
                return answer
        return answer

    def ping(self) -> bool:
        """Whether the connection still answers."""
        self.send(frame(PING, payload=b"whatever"))
        while (found := self.until(PING, flags=ACK)) is not None:
            if found.payload == b"whatever":
                return True
        return False


def text(value: bytes | str) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def trusting(authority: str, *protocols: str) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=authority)
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context
