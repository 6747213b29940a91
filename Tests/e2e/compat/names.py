"""The names that a version shows to the world, as sorted lists, and which of them the current program still knows."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Callable, Iterator
from typing import Any

from parts.gateway import ROOT, run_command

DOCS = ROOT / "docs"
PROFILES = ("forwarded", "auth-request", "remote-user", "webauth")


def _run(*arguments: str) -> str:
    run = run_command(*arguments)
    assert run.returncode == 0, run.stderr
    return run.stdout


def _page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def rules() -> set[str]:
    return {line.split()[1] for line in _run("explain").splitlines() if line.startswith(("error", "warning", "note"))}


def providers() -> set[str]:
    return {line.split()[0] for line in _run("providers").splitlines() if re.match(r"[a-z0-9.]+ ", line)}


def commands() -> set[str]:
    """Each command with each of its options."""

    def walk(command: dict[str, Any], path: str) -> Iterator[str]:
        yield path
        for argument in command.get("arguments", []):
            for name in argument.get("names", []):
                if argument.get("shouldDisplay", True):
                    yield f"{path} {'--' if name['kind'] == 'long' else '-'}{name['name']}"
        for inner in command.get("subcommands", []):
            if inner.get("shouldDisplay", True) and inner["commandName"] != "help":
                yield from walk(inner, f"{path} {inner['commandName']}")

    return set(walk(json.loads(_run("--experimental-dump-help"))["command"], "gateway"))


def errors() -> set[str]:
    """The codes with a row in `docs/errors.md`."""
    return set(re.findall(r"^\| `((?:auth|proxy)/[a-z-]+)` \|", _page("errors.md"), re.MULTILINE))


def audit_events() -> set[str]:
    table = _page("operations/audit.md").split("| `event` | when |", 1)[1].split("\n\n", 1)[0]
    return {name for line in table.splitlines() for name in re.findall(r"`([a-z]+\.[a-z_]+)`", line.split("|")[1] if "|" in line else "")}


def metrics() -> set[str]:
    rows = (line.split("|") for line in _page("operations/metrics.md").splitlines() if line.startswith("| `gateway_"))
    return {name for row in rows for name in re.findall(r"`(gateway_[a-z_]+)`", row[1])}


def headers() -> set[str]:
    """`PROFILE HEADER` for each profile of the table in `docs/identity-headers.md`."""
    lines = [line for line in _page("identity-headers.md").splitlines() if line.startswith("|")]
    columns = [re.findall(r"`([a-z-]+)`", cell) for cell in lines[0].split("|")]
    found = set()
    for line in lines[2:]:
        for profile, cell in zip(columns, line.split("|")):
            name = re.match(r"\s*`((?:X-|Remote-)[A-Za-z-]+)`", cell)
            if profile and profile[0] in PROFILES and name:
                found.add(f"{profile[0]} {name.group(1)}")
    return found


def endpoints() -> set[str]:
    """`METHOD /path` below `pathPrefix`, from the program's own table. Tests ask the program for each."""
    text = (ROOT / "Sources/Endpoints/EndpointTable.swift").read_text(encoding="utf-8")
    rows = re.findall(r"Endpoint\(\[([a-z., ]+)\], \"(/[^\"]+)\"", text)
    return {f"{method.strip(' .').upper()} {path}" for methods, path in rows for method in methods.split(",")}


LISTS: dict[str, tuple[Callable[[], set[str]], int]] = {
    # The smallest number that is plausible: a page or a source in another form must not make an empty list.
    "rules": (rules, 100), "providers": (providers, 25), "commands": (commands, 60), "errors": (errors, 60),
    "audit-events": (audit_events, 40), "metrics": (metrics, 40), "headers": (headers, 15), "endpoints": (endpoints, 50),
}  # fmt: skip


def record(target: pathlib.Path) -> None:
    target.mkdir()
    for name, (collect, least) in LISTS.items():
        found = collect()
        assert len(found) >= least, f"only {len(found)} {name}: {sorted(found)}"
        (target / f"{name}.txt").write_text("\n".join(sorted(found)) + "\n", encoding="utf-8")
