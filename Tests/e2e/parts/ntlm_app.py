"""An app that authenticates its connections, as servers with NTLM do: the credentials of one request count for all that follow."""

from __future__ import annotations

import re
import socket
import threading
from dataclasses import dataclass

from parts.tcp_server import TCPServer


@dataclass(frozen=True)
class Seen:
    connection: int
    target: str
    user: str


class NTLMApp(TCPServer):
    """`Authorization: NTLM alice` makes a connection alice's. Without a user it answers 401 with a challenge, below `/open/` 200."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.seen: list[Seen] = []
        self.count = 0
        self.open: set[int] = set()
        super().__init__()

    def serve(self, client: socket.socket) -> None:
        with self.lock:
            self.count += 1
            number = self.count
            self.open.add(number)
        user = ""
        data = b""
        try:
            while True:
                while b"\r\n\r\n" not in data:
                    more = client.recv(65536)
                    if not more:
                        return
                    data += more
                head, _, data = data.partition(b"\r\n\r\n")
                target = head.split(b" ")[1].decode()
                credentials = re.search(rb"(?im)^authorization: *(NTLM|Negotiate) +(\w+)", head)
                if credentials:
                    user = credentials[2].decode()
                with self.lock:
                    self.seen.append(Seen(number, target, user))
                body = f"{user or '-'} {number}".encode()
                if re.search(rb"(?im)^upgrade:", head) and user:
                    client.sendall(
                        b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nX-User: " + body + b"\r\n\r\n"
                    )
                    while more := client.recv(65536):
                        client.sendall(more)
                    return
                if user or target.startswith("/open/"):
                    status, challenge = b"200 OK", b""
                else:
                    status = b"401 Unauthorized"
                    challenge = b"WWW-Authenticate: " + (b'Basic realm="x", Negotiate' if target.startswith("/list/") else b"NTLM") + b"\r\n"
                client.sendall(b"HTTP/1.1 " + status + b"\r\n" + challenge + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        finally:
            client.close()
            with self.lock:
                self.open.discard(number)
