"""Child processes on free loopback ports, with their output in a file and an end that is certain."""

from __future__ import annotations

import os
import pathlib
import signal
import socket
import subprocess
import time
from collections.abc import Callable

START_TIMEOUT = 30.0  # seconds; generous, because a test machine may be busy with something else


# The kernel may offer a port again while its first owner has not bound it yet.
_offered: set[int] = set()
# Where several processes run tests at the same time: which ports the others took.
_shared: pathlib.Path | None = None


def claim(folder: pathlib.Path, name: str) -> bool:
    """Whether no process had claimed this name in the folder before."""
    try:
        (folder / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def share_ports(folder: pathlib.Path) -> None:
    global _shared
    _shared = folder


def free_port() -> int:
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if port not in _offered and (_shared is None or claim(_shared, f"port-{port}")):
            _offered.add(port)
            return port


def accepts_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


class Process:
    """A child process whose standard output and error go to `log`."""

    def __init__(self, name: str, command: list[str], folder: pathlib.Path, environment: dict[str, str] | None = None) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self._file = open(self.log, "ab")
        self.child = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=self._file,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )

    @property
    def pid(self) -> int:
        return self.child.pid

    @property
    def running(self) -> bool:
        return self.child.poll() is None

    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_until(self, condition: Callable[[], bool], what: str, timeout: float = START_TIMEOUT) -> None:
        deadline = time.monotonic() + timeout
        while not condition():
            if not self.running:
                raise AssertionError(f"{self.name} ended with status {self.child.returncode} before {what}:\n{self.output()[-4000:]}")
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.name}: no {what} within {timeout} s:\n{self.output()[-4000:]}")
            time.sleep(0.03)

    def terminate(self, timeout: float = 15.0) -> int:
        """SIGTERM, then SIGKILL for one that does not listen. Returns the exit status."""
        if self.running:
            self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(timeout)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            raise AssertionError(f"{self.name} did not end within {timeout} s of SIGTERM") from None
        finally:
            self._file.close()

    def kill(self) -> None:
        """Ends it at once; for clean-up."""
        if self.running:
            self.child.kill()
        self.child.wait()
        self._file.close()


def eventually(condition: Callable[[], object], what: str, timeout: float = 10.0) -> None:
    """Waits for something that another process does in its own time."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout} s: {what}")
        time.sleep(0.03)
