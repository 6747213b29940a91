"""An app that keeps every byte it receives, and answers as a test tells it to.

It reads HTTP/1.1 leniently, on purpose: what a lenient upstream would make of a gateway's bytes is what request
smuggling is about, so a smuggled request shows up here as one more recording.
"""

from __future__ import annotations

import hashlib
import json
import re
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass

from parts.tcp_server import TCPServer


@dataclass
class Recording:
    """One request, as it stood on the wire."""

    connection: int
    head: bytes  # request line and header lines, without the empty line
    body: bytes

    @property
    def request_line(self) -> str:
        return self.head.split(b"\r\n", 1)[0].decode("latin-1")

    @property
    def method(self) -> str:
        return self.request_line.split(" ")[0]

    @property
    def target(self) -> str:
        return self.request_line.split(" ")[1]

    @property
    def headers(self) -> list[tuple[str, str]]:
        pairs = []
        for line in self.head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            pairs.append((name.decode("latin-1"), value.decode("utf-8", "replace").strip(" \t")))
        return pairs

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def value(self, name: str) -> str | None:
        found = self.values(name)
        assert len(found) <= 1, f"{name} arrived {len(found)} times: {found}"
        return found[0] if found else None


Script = Callable[[socket.socket, Recording], bool]


class Upstream(TCPServer):
    """`scripts[path]` takes over the socket for one request: bytes are sent as they are, and the connection is closed unless they are
    one whole response; a callable gets the socket and the recording and returns whether the connection stays open.

    A connection that closes behind a whole response would be reused by the gateway at times, and the next test's request would break
    off with it.
    """

    def __init__(self, port: int = 0) -> None:
        self.scripts: dict[str, bytes | Script] = {}
        self._lock = threading.Lock()
        self._recordings: list[Recording] = []
        self._raw: dict[int, bytearray] = {}
        self.connections = 0
        super().__init__(port, backlog=512)

    # What arrived

    def containing(self, marker: str) -> list[Recording]:
        """The requests in which `marker` stands, in the head or in the body."""
        needle = marker.encode()
        with self._lock:
            return [item for item in self._recordings if needle in item.head or needle in item.body]

    def only(self, marker: str) -> Recording:
        found = self.containing(marker)
        assert len(found) == 1, f"expected one request with {marker}, got {[item.request_line for item in found]}"
        return found[0]

    def saw(self, marker: str) -> bool:
        """Whether `marker` arrived anywhere, even as bytes that are no whole request."""
        needle = marker.encode()
        with self._lock:
            return any(needle in data for data in self._raw.values())

    # The wire

    def serve(self, client: socket.socket) -> None:
        with self._lock:
            self.connections += 1
            number = self.connections
            self._raw[number] = bytearray()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = _Reader(client, self._raw[number])
        try:
            while (head := reader.until(b"\r\n\r\n")) is not None:
                body = self._body(reader, head)
                recording = Recording(number, head, body)
                with self._lock:
                    self._recordings.append(recording)
                if not self._answer(client, recording):
                    return
        except OSError:
            pass
        finally:
            client.close()

    def _body(self, reader: _Reader, head: bytes) -> bytes:
        if re.search(rb"(?im)^transfer-encoding:[^\r\n]*chunked", head):
            parts = []
            while True:
                size = int((reader.until(b"\r\n") or b"0").split(b";")[0] or b"0", 16)
                if size == 0:
                    while reader.until(b"\r\n"):
                        pass
                    return b"".join(parts)
                parts.append(reader.exactly(size))
                reader.exactly(2)
        length = re.search(rb"(?im)^content-length:[ \t]*(\d+)", head)
        return reader.exactly(int(length.group(1))) if length else b""

    def _answer(self, client: socket.socket, recording: Recording) -> bool:
        script = self.scripts.get(recording.target.split("?")[0])
        if isinstance(script, bytes):
            client.sendall(script)
            return _is_whole(script)
        if script is not None:
            return script(client, recording)
        body = json.dumps(
            {
                "method": recording.method,
                "target": recording.target,
                "headers": recording.headers,
                "bodyLength": len(recording.body),
                "bodySHA256": hashlib.sha256(recording.body).hexdigest(),
            }
        ).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        client.sendall(head if recording.method == "HEAD" else head + body)
        return True


def _is_whole(response: bytes) -> bool:
    """Whether a client that keeps connections may reuse one after these bytes; when in doubt, no."""
    head, separator, body = response.partition(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 1") and not head.startswith(b"HTTP/1.1 101"):
        return _is_whole(body)
    if not separator or not head.startswith(b"HTTP/1.1 ") or re.search(rb"(?im)^connection:", head):
        return False
    if re.search(rb"(?im)^transfer-encoding:", head):
        return body.endswith(b"0\r\n\r\n") or (b"\r\n0\r\n" in body and body.endswith(b"\r\n\r\n"))
    lengths = re.findall(rb"(?im)^content-length:[ \t]*(\d+)[ \t]*\r?$", head)
    return len(lengths) == 1 and int(lengths[0]) == len(body)


class _Reader:
    """Reads from a socket; `everything` keeps what came."""

    def __init__(self, client: socket.socket, everything: bytearray) -> None:
        self._client = client
        self._everything = everything
        self._buffer = b""

    def _more(self) -> bool:
        data = self._client.recv(1 << 16)
        # The keeping is for looking up markers in heads and small bodies; a big upload is not kept whole.
        if len(self._everything) < 1 << 20:
            self._everything += data
        self._buffer += data
        return bool(data)

    def until(self, end: bytes) -> bytes | None:
        while end not in self._buffer:
            if not self._more():
                return None
        line, _, self._buffer = self._buffer.partition(end)
        return line

    def exactly(self, count: int) -> bytes:
        parts = [self._buffer[:count]]
        self._buffer = self._buffer[count:]
        missing = count - len(parts[0])
        while missing > 0:
            data = self._client.recv(min(missing, 1 << 16))
            if not data:
                break
            if len(self._everything) < 1 << 20:
                self._everything += data
            parts.append(data)
            missing -= len(data)
        return b"".join(parts)
