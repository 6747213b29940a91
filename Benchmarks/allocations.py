"""Allocations of the optimised gateway for one request.

    .venv/bin/python Benchmarks/allocations.py              prints a table; exit status 1 if a figure is not the recorded one
    .venv/bin/python Benchmarks/allocations.py --record     writes the figures to Benchmarks/allocations.json

Counts the calls of malloc and its kin (repeatable.c). The requests are those of instructions.py, and one with the access log (costs.py).
"""

from __future__ import annotations

import argparse
import pathlib
import platform
import sys
import tempfile

from costs import BINARY, ENVIRONMENT, REQUESTS, ROOT, Failure, Shared, measured, middle, repeatable
from instructions import PARTS, compiler
from parts.gateway import Gateway
from records import Costs, Kind

RECORD = Kind(
    unit="allocations",
    file=ROOT / "Benchmarks/allocations.json",
    program=".venv/bin/python Benchmarks/allocations.py",
    relative=0,
    digits=1,
)


class Allocations:
    """Counts allocations; a number for each batch."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.library = repeatable(folder)
        self.shared: dict[str, Shared] = {}
        self.before = 0

    def launch(self, gateway: Gateway) -> None:
        self.shared[gateway.name] = Shared(self.folder, self.library, gateway, ENVIRONMENT)
        self.shared[gateway.name].start(str(BINARY))

    def begin(self, gateway: Gateway) -> None:
        self.shared[gateway.name].stop_clocks()

    def reset(self, gateway: Gateway) -> None:
        self.before = self.shared[gateway.name].allocations

    def read(self, gateway: Gateway) -> int:
        before, self.before = self.before, self.shared[gateway.name].allocations
        return self.before - before


def environment() -> str:
    """What the figures depend on besides the program's sources."""
    return f"{platform.machine()}, {compiler()}"


def measure(folder: pathlib.Path) -> Costs:
    batches = measured(folder, Allocations(folder), *PARTS, "logged")
    return Costs({title: middle(counts, float) / REQUESTS for title, counts in batches})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help=f"write the figures to {RECORD.file.relative_to(ROOT)}")
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="gateway-allocations-") as name:
            sys.exit(RECORD.report(environment(), measure(pathlib.Path(name)), arguments.record))
    except Failure as failure:
        sys.exit(f"allocations: {failure}")


if __name__ == "__main__":
    main()
