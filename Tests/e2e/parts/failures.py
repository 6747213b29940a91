"""What the report of a failed test adds: the logs of its servers, its seed, and the command that repeats it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

import pytest

from . import processes
from .gateway import BINARY, ROOT
from .seed import SEED

sizes = pytest.StashKey[dict[processes.Process, int]]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    item.stash[sizes] = {process: process.log_size for process in processes.started}
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed:
        command = repetition(item)
        report.sections.append(("servers", "\n".join(servers(item)) or "none"))
        report.sections.append(("seed", str(SEED)))
        report.sections.append(("run this test again", command))
        # For the file of --junitxml.
        item.user_properties += [("seed", SEED), ("again", command), ("servers", "; ".join(servers(item)))]
    return report


def servers(item: pytest.Item) -> list[str]:
    """A line for each server that was started, ended or wrote to its log during the test."""
    before = item.stash.get(sizes, {})
    used = [process for process in processes.started if before.get(process) != process.log_size]
    return [f"{process.name} ({process.state}): {process.log}" for process in used]


def repetition(item: pytest.Item) -> str:
    """The command that runs the test once more with the same program, transport and seed, in the root of the project."""
    chosen = {name: os.environ[name] for name in ("GATEWAY_TRANSPORT", "GATEWAY_SANITIZER") if name in os.environ}
    variables = {"GATEWAY_BINARY": relative(str(BINARY)), **chosen, "TEST_SEED": str(SEED)}
    words = [f"{name}={shlex.quote(value)}" for name, value in variables.items()]
    name = relative(str(item.path)) + "::" + item.nodeid.partition("::")[2]
    return f"{' '.join(words)} .venv/bin/python -m pytest {shlex.quote(name)}"


def relative(path: str) -> str:
    return path.removeprefix(f"{ROOT}/")
