"""A server on a loopback port, with a thread for each connection."""

from __future__ import annotations

import socket
import threading


class TCPServer:
    """A subclass implements `serve` and sets its fields before it calls `super().__init__()`: connections are accepted from then on."""

    scheme = "http"

    def __init__(self, port: int = 0, backlog: int = 128) -> None:
        self._listener = socket.create_server(("127.0.0.1", port), backlog=backlog)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def origin(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._listener.close()

    def serve(self, client: socket.socket) -> None:
        """Serves one connection on a thread of its own, and closes it."""
        raise NotImplementedError

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()
