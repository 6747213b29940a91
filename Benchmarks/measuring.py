"""Processes, their CPU time and memory, and figures with their spread."""

from __future__ import annotations

import os
import pathlib
import re
import statistics
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")
TICKS = os.sysconf("SC_CLK_TCK")


def pinned(cpu: int, *command: str) -> list[str]:
    return ["taskset", "-c", str(cpu), *command]


def process_tree(root: int) -> list[int]:
    """`root` and its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parent = int(pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry))
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children.get(pid, [])
    return found


def cpu_seconds(pids: Sequence[int]) -> float:
    """User and system time of all of them so far."""
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])  # utime, stime
    return total / TICKS


def resident_kibibytes(pids: Sequence[int]) -> int:
    kibibytes = 0
    for pid in pids:
        match = re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())
        kibibytes += int(match.group(1)) if match else 0
    return kibibytes


def spread(values: Sequence[float], digits: int) -> str:
    """`median (lowest–highest)`."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def in_turn(items: list[Item], number: int) -> list[Item]:
    """Forwards and backwards by turns: what drifts within a round drifts for the last of one and the first of the next."""
    return items if number % 2 == 0 else items[::-1]


def percentile(values: Sequence[float], part: float) -> float:
    """The nearest-rank percentile; `part` from 0 to 1."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
