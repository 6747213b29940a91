"""A gateway on a folder with its configuration, its keys and what it has stored, as an operator's machine has them."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import requests

from parts.gateway import BINARY, run_command
from parts.processes import Process, free_port

from .visitor import Visitor


def restore(source: pathlib.Path, target: pathlib.Path) -> pathlib.Path:
    """Copies a folder. Git keeps no modes, and the gateway's files are readable for its user only."""
    shutil.copytree(source, target)
    for path in target.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return target


class Installation:
    """`ports`: values of the variables that the configuration refers to."""

    def __init__(self, folder: pathlib.Path, **ports: object) -> None:
        self.folder = folder
        self.file = folder / "gateway.yaml"
        self.port, self.admin_port = free_port(), free_port()
        names = ("UPSTREAM_PORT", "PROVIDER_PORT", "SMTP_PORT", "HOOK_PORT", "REDIS_PORT")
        given = {"GATEWAY_PORT": self.port, "ADMIN_PORT": self.admin_port, "ACCOUNTS_STORE": "sqlite:./accounts.db", **ports}
        # Nobody listens at port 9.
        self.environment = {**dict.fromkeys(names, "9"), **{name: str(value) for name, value in given.items()}}
        found = re.search(r"publicURL: (\S+)", self.file.read_text(encoding="utf-8"))
        assert found
        self.public_url = found.group(1)
        self.process: Process | None = None

    def visitor(self, cookies: dict[str, str] | None = None) -> Visitor:
        return Visitor(self.port, self.public_url, dict(cookies or {}))

    @contextmanager
    def running(self) -> Iterator[Installation]:
        self.process = Process("gateway", [str(BINARY), "run", str(self.file)], self.folder, self.environment)
        try:
            self.process.wait_until(self._is_ready, "answer from /readyz")
            yield self
            assert self.process.terminate() == 0, self.process.output()[-4000:]
        finally:
            if self.process.running:
                self.process.kill()

    def _is_ready(self) -> bool:
        try:
            return requests.get(f"http://127.0.0.1:{self.admin_port}/readyz", timeout=2).status_code == 200
        except requests.RequestException:
            return False

    def admin(self, path: str, **headers: str) -> requests.Response:
        return requests.get(f"http://127.0.0.1:{self.admin_port}{path}", headers=headers, timeout=10)

    def users(self, *arguments: str, input: str | None = None) -> str:
        """`gateway users` on this installation."""
        run = run_command(
            "users", *arguments, "--config", str(self.file),
            folder=self.folder, environment=self.environment, input=input, timeout=60,
        )  # fmt: skip
        assert run.returncode == 0, f"users {' '.join(arguments)}: {run.returncode}\n{run.stdout}{run.stderr}"
        return run.stdout


def write_secret(path: pathlib.Path, text: str) -> None:
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    os.chmod(path, 0o600)
