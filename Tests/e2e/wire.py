"""A client that sends the bytes it is given and reads what comes back: the tests of framing need no library in between."""

from __future__ import annotations

import array
import fcntl
import pathlib
import select
import socket
import termios
from dataclasses import dataclass

from parts.processes import eventually


@dataclass
class Response:
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    complete: bool  # False: the connection ended before the framing said so

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def value(self, name: str) -> str | None:
        found = self.values(name)
        return found[0] if found else None


class Connection:
    def __init__(self, port: int, timeout: float = 60.0) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> Connection:
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused while we were still sending: the answer may be there to read all the same
        return self

    def _more(self) -> bool:
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            return False
        self._buffer += data
        return bool(data)

    def response(self, method: str = "GET") -> Response | None:
        """The next response; None when the peer closed without one. Interim (1xx) responses are skipped."""
        while True:
            head = self.head()
            if head is None:
                return None
            status, headers = head
            if status >= 200 or status == 101:
                break
        lowered = {name.lower(): value for name, value in headers}
        if method == "HEAD" or status in (101, 204, 304):
            return Response(status, headers, b"", True)
        if "chunked" in lowered.get("transfer-encoding", "").lower():
            body, complete = self._chunks()
        elif "content-length" in lowered:
            body, complete = self._exactly(int(lowered["content-length"]))
        else:
            while self._more():
                pass
            body, complete, self._buffer = self._buffer, True, b""
        return Response(status, headers, body, complete)

    def head(self) -> tuple[int, list[tuple[str, str]]] | None:
        """Status and headers only; the body stays to be read with `some`."""
        while b"\r\n\r\n" not in self._buffer:
            if not self._more():
                return None
        raw, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        lines = raw.decode("latin-1").split("\r\n")
        pairs = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])]
        return int(lines[0].split(" ")[1]), pairs

    def some(self) -> bytes:
        """Whatever of the body is there, at least a byte; empty at the end."""
        if not self._buffer:
            self._more()
        data, self._buffer = self._buffer, b""
        return data

    def is_closed(self) -> bool:
        """Whether the peer closes, within the timeout, without another byte."""
        if self._buffer:
            return False
        try:
            return not self._more()
        except TimeoutError:
            return False

    def _exactly(self, count: int) -> tuple[bytes, bool]:
        while len(self._buffer) < count:
            if not self._more():
                data, self._buffer = self._buffer, b""
                return data, False
        data, self._buffer = self._buffer[:count], self._buffer[count:]
        return data, True

    def _line(self) -> bytes | None:
        while b"\r\n" not in self._buffer:
            if not self._more():
                return None
        line, _, self._buffer = self._buffer.partition(b"\r\n")
        return line

    def _chunks(self) -> tuple[bytes, bool]:
        body = b""
        while True:
            line = self._line()
            if line is None:
                return body, False
            size = int(line.split(b";")[0], 16)
            if size == 0:
                while line := self._line():
                    pass
                return body, line is not None
            data, complete = self._exactly(size + 2)
            body += data[:size]
            if not complete:
                return body, False


def wait_for_end(connection: socket.socket, timeout: float = 30.0) -> None:
    """Returns when the peer has closed or reset the connection. Reads nothing: a reset discards what has arrived and was not read."""
    assert _is_ready(connection, select.POLLRDHUP, timeout), f"the peer did not close the connection within {timeout} s"


def is_readable(file: socket.socket | int, seconds: float) -> bool:
    """Whether bytes or an end arrive within this time. Unlike `select`, it takes descriptors above 1023."""
    return _is_ready(file, select.POLLIN, seconds)


def is_writable(file: socket.socket | int, seconds: float) -> bool:
    return _is_ready(file, select.POLLOUT, seconds)


def _is_ready(file: socket.socket | int, event: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(file, event)
    return bool(poll.poll(seconds * 1000))


def unread(connection: socket.socket) -> int:
    """How many bytes have arrived and were not read."""
    count = array.array("i", [0])
    fcntl.ioctl(connection, termios.FIONREAD, count)
    return count[0]


def wait_until_read(connection: socket.socket) -> None:
    """Returns when the peer, on this machine, has read all that was sent to it."""

    def address(pair: tuple[str, int]) -> str:
        return f"{socket.inet_aton(pair[0])[::-1].hex().upper()}:{pair[1]:04X}"

    ends = [address(connection.getpeername()), address(connection.getsockname())]

    def is_read() -> bool:
        # SIOCOUTQ: bytes that the peer's kernel has not acknowledged.
        count = array.array("i", [0])
        fcntl.ioctl(connection, termios.TIOCOUTQ, count)
        lines = (line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines())
        queues = [fields[4] for fields in lines if fields[1:3] == ends]
        return count[0] == 0 and all(queue.endswith(":00000000") for queue in queues)

    eventually(is_read, "the peer has read everything")


def exchange(port: int, data: bytes, timeout: float = 60.0) -> list[Response]:
    """Sends `data` and reads responses until the peer closes, or says nothing more for a second."""
    responses = []
    with Connection(port, timeout) as connection:
        connection.send(data)
        while True:
            try:
                response = connection.response()
            except TimeoutError:
                break
            if response is None:
                break
            responses.append(response)
            connection.socket.settimeout(1.0)
    return responses
