"""What a request costs is what is recorded: instructions within 2 %, allocations exactly. Benchmarks/README.md says how to update a record."""

from __future__ import annotations

import pathlib
import warnings

import allocations
import instructions
import pytest
from records import Costs, Kind


def check(kind: Kind, environment: str, measured: Costs) -> None:
    recorded = kind.read().get(environment)
    if recorded is None:
        # The summary of pytest shows it.
        figures = "\n".join(f"    {title}: {kind.text(total)}" for title, total in measured.totals.items())
        warnings.warn(f"{kind.unit}: {kind.unknown(environment)}\n{figures}", stacklevel=1)
        return
    differences = kind.differences(recorded, measured)
    if differences:
        pytest.fail(kind.explained(differences), pytrace=False)


def test_instructions_are_the_recorded_ones(tmp_path: pathlib.Path) -> None:
    check(instructions.RECORD, instructions.environment(), instructions.measure(tmp_path))


def test_allocations_are_the_recorded_ones(tmp_path: pathlib.Path) -> None:
    check(allocations.RECORD, allocations.environment(), allocations.measure(tmp_path))
