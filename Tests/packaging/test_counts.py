"""What fails a run: scripts/count-tests, scripts/class-coverage, scripts/sanitized."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys

from types import ModuleType

from parts.gateway import ROOT

PASSED = '<testcase classname="test_a" name="test_one" />'
FAILED = '<testcase classname="test_a" name="test_two"><failure message="no" /></testcase>'
SKIPPED = '<testcase classname="test_a" name="test_three"><skipped message="no browser" /></testcase>'
LISTED = '<testcase classname="test_tls" name="test_h2spec_finds_nothing"><skipped message="no h2spec" /></testcase>'


def count(folder: pathlib.Path, *cases: str, steps: tuple[str, ...] = ("e2e",)) -> subprocess.CompletedProcess[str]:
    for step in steps[:1]:
        (folder / step).mkdir()
        (folder / step / "1.xml").write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    return subprocess.run([sys.executable, str(ROOT / "scripts/count-tests"), str(folder), *steps], capture_output=True, text=True)


def script(name: str) -> ModuleType:
    """A script without the ending `.py`, as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "scripts" / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_passed_tests_are_counted(tmp_path: pathlib.Path) -> None:
    done = count(tmp_path, PASSED, PASSED)
    assert (done.returncode, done.stdout) == (0, "tests: 2 passed, 0 failed\n")


def test_a_failed_test_fails_the_run(tmp_path: pathlib.Path) -> None:
    assert count(tmp_path, PASSED, FAILED).returncode == 1


def test_a_failed_test_is_named_with_its_step_file_seed_logs_and_command(tmp_path: pathlib.Path) -> None:
    facts = {"seed": "7", "servers": "gateway (running): /tmp/a.log; app (ended): /tmp/b.log", "again": "TEST_SEED=7 pytest test_a.py::test_two"}
    listed = "".join(f'<property name="{name}" value="{value}" />' for name, value in facts.items())
    case = f'<testcase classname="test_a" name="test_two"><properties>{listed}</properties><failure message="no" /></testcase>'
    assert count(tmp_path, case).stderr.splitlines() == [
        "tests: test_a.test_two failed",
        "tests:   step    e2e",
        "tests:   file    Tests/e2e/test_a.py",
        "tests:   seed    7",
        "tests:   log     gateway (running): /tmp/a.log",
        "tests:   log     app (ended): /tmp/b.log",
        "tests:   repeat  TEST_SEED=7 pytest test_a.py::test_two",
    ]


def test_a_failed_swift_test_is_named_with_its_file_and_command(tmp_path: pathlib.Path) -> None:
    case = '<testcase classname="YAMLTests.ScalarOffsetsTests" name="places(yaml:expected:)"><failure message="no" /></testcase>'
    lines = count(tmp_path, case, steps=("swift",)).stderr.splitlines()
    assert "tests:   file    Tests/YAMLTests/ScalarOffsetsTests.swift" in lines
    assert lines[-1] == "tests:   repeat  swift test --filter '^YAMLTests[.]ScalarOffsetsTests/places'"


def test_a_skipped_test_fails_the_run(tmp_path: pathlib.Path) -> None:
    done = count(tmp_path, PASSED, SKIPPED)
    assert done.returncode == 1
    assert "test_a.test_three was skipped" in done.stderr


def test_a_skipped_test_that_the_list_names_does_not(tmp_path: pathlib.Path) -> None:
    done = count(tmp_path, PASSED, LISTED)
    assert (done.returncode, done.stdout) == (0, "tests: 1 passed, 0 failed, 1 skipped\n")


def test_a_step_without_results_fails_the_run(tmp_path: pathlib.Path) -> None:
    done = count(tmp_path, PASSED, steps=("e2e", "swift"))
    assert done.returncode == 1 and "the step swift left no results" in done.stderr


def test_results_that_were_cut_off_fail_the_run(tmp_path: pathlib.Path) -> None:
    (tmp_path / "swift").mkdir()
    (tmp_path / "swift/1.xml").write_text("<testsuites>\n<testsuite>")
    done = count(tmp_path, PASSED, steps=("e2e", "swift"))
    assert done.returncode == 1 and "cannot be read" in done.stderr


def test_a_class_that_no_test_executes_is_found(tmp_path: pathlib.Path) -> None:
    coverage = script("class-coverage")
    (tmp_path / "Sources/Server").mkdir(parents=True)
    (tmp_path / "Sources/Server/One.swift").write_text("package final class One {\n}\n\nstruct Two {\n    private final class Three {}\n}\nclass Four {}\n")
    classes = coverage.declared(tmp_path / "Sources")
    assert classes["Server", "Three"] == "Sources/Server/One.swift:5"
    functions = {
        "Server.One.read(from: Server.Four) -> ()": 2,
        "closure #1 () -> () in Server.Two.(Three in _0A).run(Server.Four) -> ()": 1,
        "Server.Four.close() -> ()": 0,
    }
    assert set(classes) - coverage.executed(functions, set(classes)) == {("Server", "Four")}


def test_a_change_below_a_module_asks_for_its_sanitizer_run(tmp_path: pathlib.Path) -> None:
    sanitized = script("sanitized")
    arrows = {"Low": [], "Other": [], "High": ["Low"]}
    for module in arrows:
        (tmp_path / module).mkdir()
        (tmp_path / module / "A.swift").write_text("let a = 1\n")
    digests = [sanitized.digest("High", arrows, tmp_path)]
    for module in ("Low", "Other", "High"):
        (tmp_path / module / "A.swift").write_text("let a = 2\n")
        digests.append(sanitized.digest("High", arrows, tmp_path))
    assert digests[0] != digests[1] == digests[2] != digests[3]


def test_the_recorded_modules_are_those_of_event_loops() -> None:
    sanitized = script("sanitized")
    assert set(json.loads(sanitized.RECORD.read_text())) <= set(sanitized.LOOPS)
