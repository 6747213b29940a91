"""Child processes on free loopback ports, with their output in a file and an end that is certain."""

from __future__ import annotations

import contextlib
import itertools
import os
import pathlib
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

START_TIMEOUT = 30.0  # seconds; generous, because a test machine may be busy with something else
# Between two looks at a condition. Only this file sleeps: test_no_test_sleeps of Tests/packaging checks it.
POLL = 0.02

Value = TypeVar("Value")


# Below the ports of outgoing connections (net.ipv4.ip_local_port_range): none of them takes a port before its server does, or while it restarts.
PORTS = range(10_240, int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0]))
_ports = itertools.cycle([*PORTS[(start := random.randrange(len(PORTS))) :], *PORTS[:start]])
# Where several processes run tests at the same time: a folder with the ports that any of them took.
_shared = pathlib.Path(os.environ["TEST_PORTS"]) if "TEST_PORTS" in os.environ else None


def claim(folder: pathlib.Path, name: str) -> bool:
    """Whether no process had claimed this name in the folder before."""
    try:
        (folder / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses, and that no other call returns."""
    for port in _ports:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if _shared is None or claim(_shared, f"port-{port}"):
            return port
    raise AssertionError("unreachable: the ports repeat")


def accepts_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


# All servers of this run, for the reports of failed tests.
started: list[Process] = []


class Process:
    """A child process whose standard output and error go to `log`."""

    def __init__(self, name: str, command: list[str], folder: pathlib.Path, environment: dict[str, str] | None = None) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        with open(self.log, "ab") as output:
            self.child = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                # A group of its own, so that `kill` reaches its children, too: nginx's workers outlive their master.
                start_new_session=True,
            )
        started.append(self)

    @property
    def pid(self) -> int:
        return self.child.pid

    @property
    def running(self) -> bool:
        return self.child.poll() is None

    @property
    def state(self) -> str:
        return "running" if self.running else f"ended with status {self.child.returncode}"

    @property
    def log_size(self) -> int:
        return self.log.stat().st_size if self.log.exists() else 0

    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def rest(self, limit: float = 2.0) -> None:
        """Waits until every thread sleeps, so that what answers so far caused (lines in a log, counters) has happened.

        Work that a thread was given wakes it before the giver sleeps. So when no thread ran between two readings, there was a moment
        without work. A process that is busy for all of `limit`, in seconds, has no such moment, and the caller goes on.
        """
        deadline = time.monotonic() + limit
        earlier = self._sleeping_threads()
        while self.running and time.monotonic() < deadline:
            now = self._sleeping_threads()
            if now is not None and now == earlier:
                return
            earlier = now
            time.sleep(POLL / 10)

    def _sleeping_threads(self) -> dict[str, str] | None:
        """How often each thread went to sleep; None if one does not sleep."""
        times: dict[str, str] = {}
        try:
            for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
                status = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
                if not status["State"].lstrip().startswith("S"):
                    return None
                times[task.name] = status["voluntary_ctxt_switches"]
        except (FileNotFoundError, ProcessLookupError, KeyError):
            return None
        return times

    def wait_until(self, condition: Callable[[], bool], what: str, timeout: float = START_TIMEOUT) -> None:
        deadline = time.monotonic() + timeout
        while not condition():
            if not self.running:
                raise AssertionError(f"{self.name} ended with status {self.child.returncode} before {what}:\n{self.output()[-4000:]}")
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.name}: no {what} within {timeout} s:\n{self.output()[-4000:]}")
            time.sleep(POLL)

    def terminate(self, timeout: float = 60.0) -> int:
        """SIGTERM, then SIGKILL for one that does not listen. Returns the exit status."""
        if self.running:
            self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.name} did not end within {timeout} s of SIGTERM") from None

    def kill(self) -> None:
        """Ends it and its children at once; for clean-up."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()


def eventually(condition: Callable[[], Value], what: str, timeout: float = 30.0) -> Value:
    """Waits for something that another process does in its own time, and returns the first value of `condition` that is true."""
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout} s: {what}")
        time.sleep(POLL)
    return value


def settled(figure: Callable[[], object], what: str, readings: int = 10, timeout: float = 30.0) -> None:
    """Waits until a figure stops changing: so many readings in a row are equal. For buffers that another process fills."""
    last: list[object] = []

    def is_settled() -> bool:
        last.append(figure())
        return len(last) >= readings and len(set(last[-readings:])) == 1

    eventually(is_settled, f"{what} stops changing", timeout)
