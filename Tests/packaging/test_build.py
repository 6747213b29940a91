"""The optimised build: what it reads (docs/decisions/0019 and 0022), and its size (0030)."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess

import pytest

from parts.gateway import BINARY, ROOT

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


def test_the_program_as_it_is_shipped_stays_below_45_mb(stripped: pathlib.Path) -> None:
    """One dependency that imports Foundation adds 44 MB, most of it Unicode data."""
    assert stripped.stat().st_size < 45_000_000


def test_nothing_links_foundation_or_unicode_data() -> None:
    """`swift build` links FoundationEssentials for async-http-client; the whole of Foundation brings ICU along."""
    symbols = subprocess.run(["nm", "--defined-only", str(BINARY)], capture_output=True, text=True, check=True).stdout
    libraries = subprocess.run(["ldd", str(BINARY)], capture_output=True, text=True, check=True).stdout
    assert "icudt" not in symbols and not re.search(r"libFoundation\.so|FoundationICU", libraries)


def test_the_program_loads_no_library_from_its_own_folder_and_binds_at_the_start() -> None:
    dynamic = subprocess.run(["readelf", "--dynamic", str(BINARY)], capture_output=True, text=True, check=True).stdout
    if "libswiftCore" in dynamic:
        pytest.skip("the debug build takes the Swift runtime from the toolchain")
    assert "RUNPATH" not in dynamic and "RPATH" not in dynamic and "BIND_NOW" in dynamic
