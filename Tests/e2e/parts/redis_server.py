"""`redis-server` of the system, in a folder of its own."""

from __future__ import annotations

import pathlib
import shutil
import signal
import socket
import subprocess

from .processes import Process, free_port

PROGRAM = shutil.which("redis-server") or "/usr/bin/redis-server"


class RedisServer:
    """A server without files. `options`: further lines of its configuration."""

    def __init__(self, folder: pathlib.Path, *options: str) -> None:
        self.port = free_port()
        self.folder = folder / f"redis-{self.port}"
        self.folder.mkdir()
        self.options = list(options)
        self.process: Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> RedisServer:
        lines = [
            f"port {self.port}",
            "bind 127.0.0.1",
            f"dir {self.folder}",
            'save ""',
            "appendonly yes",
            "appendfsync always",
            "maxmemory-policy noeviction",
            *self.options,
        ]
        configuration = self.folder / "redis.conf"
        configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.process = Process(f"redis-{self.port}", [PROGRAM, str(configuration)], self.folder)
        self.process.wait_until(self.answers, "answer to PING")
        return self

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(100)[:1] in (b"+", b"-")
        except OSError:
            return False

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    def pause(self) -> None:
        assert self.process is not None
        self.process.child.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self.process is not None
        self.process.child.send_signal(signal.SIGCONT)

    def run(self, *arguments: str) -> str:
        return subprocess.run(
            ["redis-cli", "-p", str(self.port), *arguments], capture_output=True, text=True, timeout=20, check=True
        ).stdout
