"""Radicale, a calendar server that believes the header `X-Remote-User`."""

from __future__ import annotations

import pathlib
import sys

from .processes import Process, accepts_connections, free_port


class Radicale:
    def __init__(self, folder: pathlib.Path) -> None:
        self.port = free_port()
        configuration = folder / "radicale.conf"
        configuration.write_text(
            f"""
[server]
hosts = 127.0.0.1:{self.port}
[auth]
type = http_x_remote_user
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = {folder / "radicale-collections"}
"""
        )
        self.process = Process("radicale", [sys.executable, "-m", "radicale", "--config", str(configuration)], folder)

    def wait(self) -> Radicale:
        self.process.wait_until(lambda: accepts_connections(self.port), "listening socket")
        return self

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"
