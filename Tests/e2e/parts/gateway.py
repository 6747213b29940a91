"""The gateway under test: its configuration as a Python value, its process, its two addresses."""

from __future__ import annotations

import base64
import json
import os
import pathlib
import signal
import subprocess
from typing import Any

import requests

from .processes import Process, accepts_connections, eventually, free_port

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("GATEWAY_BINARY", ROOT / ".build/release/gateway")).absolute()

# Where a program that counts which lines run puts the counts of each process (scripts/class-coverage).
COUNTS = os.environ.get("COUNTS")

# A program under a sanitizer takes several times as long and needs more memory; scripts/sanitize says so.
SLOWDOWN = 10 if os.environ.get("GATEWAY_SANITIZER") else 1


def session_key() -> str:
    return base64.b64encode(os.urandom(32)).decode()


def merged(base: Any, changes: Any) -> Any:
    """`base` with `changes` laid over it, mapping by mapping; None removes a key."""
    if not isinstance(base, dict) or not isinstance(changes, dict):
        return changes
    result = dict(base)
    for key, value in changes.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(base.get(key), value)
    return result


def write_configuration(path: pathlib.Path, configuration: dict[str, Any]) -> pathlib.Path:
    """JSON is YAML 1.2: what is written here needs no quoting rules."""
    path.write_text(json.dumps(configuration, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def run_command(
    *arguments: str,
    folder: pathlib.Path | None = None,
    environment: dict[str, str] | None = None,
    input: str | bytes | None = None,
    timeout: float = 120.0,
) -> subprocess.CompletedProcess[str]:
    """One of the commands that end by themselves."""
    return subprocess.run(
        [str(BINARY), *arguments],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        input=input,
        capture_output=True,
        text=not isinstance(input, bytes),
        timeout=timeout,
    )


class Gateway:
    """`gateway run` with one configuration."""

    def __init__(self, name: str, folder: pathlib.Path, configuration: dict[str, Any], port: int | None = None) -> None:
        self.name = name
        self.folder = folder
        self.port = port or free_port()
        self.admin_port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.admin = f"http://127.0.0.1:{self.admin_port}"
        self.configuration = merged(
            {
                "version": 1,
                "server": {"listen": f"127.0.0.1:{self.port}", "publicURL": self.origin},
                "admin": {"listen": f"127.0.0.1:{self.admin_port}"},
                "session": {"keys": [session_key()]},
                "logging": {"level": "trace", "format": "json"},
                "audit": {"to": "stdout"},
            },
            configuration,
        )
        self.file = folder / f"{name}.yaml"
        self.process: Process | None = None

    def start(self, environment: dict[str, str] | None = None) -> Gateway:
        write_configuration(self.file, self.configuration)
        if COUNTS:
            environment = {"LLVM_PROFILE_FILE": f"{COUNTS}/%p.profraw", **(environment or {})}
        self.process = Process(self.name, [str(BINARY), "run", str(self.file)], self.folder, environment)
        self.process.wait_until(self.is_ready, "answer from /readyz")
        return self

    def start_unready(self) -> Gateway:
        """Starts it, and waits until it listens: what it needs may be down."""
        write_configuration(self.file, self.configuration)
        self.process = Process(self.name, [str(BINARY), "run", str(self.file)], self.folder)
        self.process.wait_until(lambda: accepts_connections(self.admin_port), "a listening gateway")
        return self

    def restart(self, **changes: Any) -> Gateway:
        """Stops it properly and starts it again with a changed configuration, on the same ports."""
        self.stop()
        self.configuration = merged(self.configuration, changes)
        return self.start()

    def rewrite(self, **changes: Any) -> Gateway:
        """Puts a changed configuration in the place of the file, in one step, as editors and deployments do."""
        self.configuration = merged(self.configuration, changes)
        beside = self.file.with_suffix(".next")
        write_configuration(beside, self.configuration)
        os.replace(beside, self.file)
        return self

    def events(self, name: str) -> list[dict[str, Any]]:
        """The log's records of one event so far."""
        return self._events(name, self.log)

    @staticmethod
    def _events(name: str, log: str) -> list[dict[str, Any]]:
        marker = f'"event":"{name}"'
        return [json.loads(line) for line in log.splitlines() if marker in line and line.startswith("{")]

    def reload(self, expect: str = "reloaded") -> dict[str, Any]:
        """SIGHUP, until the log tells how it went; returns that record."""
        assert self.process is not None
        process = self.process

        def told() -> list[dict[str, Any]]:
            # As far as it is written: a gateway under load never rests.
            return self._events(expect, process.output())

        before = len(told())
        self.signal(signal.SIGHUP)
        eventually(lambda: len(told()) > before, f"{self.name}: {expect}", timeout=60 * SLOWDOWN)
        return told()[-1]

    def is_ready(self) -> bool:
        try:
            return requests.get(f"{self.admin}/readyz", timeout=60).status_code == 200
        except requests.RequestException:
            return False

    def stop(self) -> int:
        assert self.process is not None
        return self.process.terminate()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.child.send_signal(number)

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.running

    @property
    def log(self) -> str:
        """What it has written, with the lines that its answers so far caused. Lines of the access log come later, in batches."""
        assert self.process is not None
        self.process.rest()
        return self.process.output()

    def metrics(self) -> str:
        """The page at `/metrics`, with everything counted that its answers so far caused, unless the test started the process itself."""
        if self.process is not None:
            self.process.rest()
        return requests.get(f"{self.admin}/metrics", timeout=60).text

    def processor_seconds(self) -> float:
        """User and system time of all its threads so far, in steps of 10 ms."""
        assert self.process is not None
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_kilobytes(self) -> int:
        assert self.process is not None
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise AssertionError("no VmRSS")

    def url(self, path: str) -> str:
        return self.origin + path

    def own(self, path: str) -> str:
        """An endpoint of the gateway itself."""
        return f"{self.origin}/_gateway{path}"
