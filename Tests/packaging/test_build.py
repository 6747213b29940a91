"""What the optimised build reads: docs/decisions/0019 and 0022."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess

import pytest

from parts.gateway import ROOT

BRANCHES = ROOT / "packaging/hot-branches"


def test_the_order_of_functions_is_one_for_the_linker() -> None:
    names = (ROOT / "packaging/hot-functions").read_text().splitlines()
    assert len(names) == len(set(names)) > 500
    assert all(re.fullmatch(r"[A-Za-z_$][\w$.]*", name) for name in names)


def test_the_counts_name_no_machine() -> None:
    """A private function is named with its file, without the folder that it was compiled in."""
    lines = BRANCHES.read_text().splitlines()
    assert lines[0] == ":ir"
    assert not [line for line in lines if "/" in line]


def test_the_compilers_tool_reads_the_counts(tmp_path: pathlib.Path) -> None:
    information = json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout)
    tool = pathlib.Path(information["paths"]["runtimeResourcePath"]).parents[1] / "bin/llvm-profdata"
    if not tool.exists():
        pytest.skip(f"no {tool}: packaging/build-release builds without the counts there")
    merged = tmp_path / "counts.profdata"
    subprocess.run([str(tool), "merge", str(BRANCHES), "-o", str(merged)], check=True)
    shown = subprocess.run([str(tool), "show", str(merged)], capture_output=True, text=True, check=True).stdout
    assert "Instrumentation level: IR" in shown
    assert int(re.search(r"Total functions: (\d+)", shown)[1]) > 500  # type: ignore[index]
