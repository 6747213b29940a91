"""The gateway's own identity provider, `gateway dev-provider`, with the control endpoint that makes it misbehave."""

from __future__ import annotations

import contextlib
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import requests

from .gateway import BINARY
from .processes import Process, free_port


class DevProvider:
    def __init__(self, name: str, folder: pathlib.Path, port: int | None = None) -> None:
        self.port = port or free_port()
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.process = Process(name, [str(BINARY), "dev-provider", "--port", str(self.port), "--control"], folder)

    def wait(self) -> DevProvider:
        self.process.wait_until(lambda: re.search(r"ready http://\S+", self.process.output()) is not None, "line `ready http://…`")
        return self

    def control(self, **settings: Any) -> None:
        answer = requests.post(f"{self.issuer}/_control", json=settings, timeout=10)
        assert answer.ok, f"the control endpoint refused {settings}: {answer.status_code} {answer.text}"

    @contextlib.contextmanager
    def misbehaving(self, *faults: str) -> Iterator[None]:
        self.control(faults=list(faults))
        try:
            yield
        finally:
            self.control(faults=[])

    def counters(self) -> dict[str, Any]:
        return requests.get(f"{self.issuer}/_control", timeout=10).json()
