"""scripts/count-tests: what counts as a failed run."""

from __future__ import annotations

import pathlib
import subprocess
import sys

from parts.gateway import ROOT

PASSED = '<testcase classname="test_a" name="test_one" />'
FAILED = '<testcase classname="test_a" name="test_two"><failure message="no" /></testcase>'
SKIPPED = '<testcase classname="test_a" name="test_three"><skipped message="no browser" /></testcase>'
LISTED = '<testcase classname="test_tls" name="test_h2spec_finds_nothing"><skipped message="no h2spec" /></testcase>'


def count(folder: pathlib.Path, *cases: str, runners: tuple[str, ...] = ("e2e",)) -> subprocess.CompletedProcess[str]:
    (folder / "e2e.xml").write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    return subprocess.run([sys.executable, str(ROOT / "scripts/count-tests"), str(folder), *runners], capture_output=True, text=True)


def test_passed_tests_are_counted(tmp_path: pathlib.Path) -> None:
    done = count(tmp_path, PASSED, PASSED)
    assert (done.returncode, done.stdout) == (0, "tests: 2 passed, 0 failed\n")


def test_a_failed_test_fails_the_run(tmp_path: pathlib.Path) -> None:
    assert count(tmp_path, PASSED, FAILED).returncode == 1


def test_a_skipped_test_fails_the_run(tmp_path: pathlib.Path) -> None:
    done = count(tmp_path, PASSED, SKIPPED)
    assert done.returncode == 1
    assert "test_a.test_three was skipped" in done.stderr


def test_a_skipped_test_that_the_list_names_does_not(tmp_path: pathlib.Path) -> None:
    done = count(tmp_path, PASSED, LISTED)
    assert (done.returncode, done.stdout) == (0, "tests: 1 passed, 0 failed, 1 skipped\n")


def test_a_runner_without_results_fails_the_run(tmp_path: pathlib.Path) -> None:
    done = count(tmp_path, PASSED, runners=("swift", "e2e"))
    assert done.returncode == 1 and "the swift runner left no results" in done.stderr


def test_results_that_were_cut_off_fail_the_run(tmp_path: pathlib.Path) -> None:
    (tmp_path / "swift.xml").write_text("<testsuites>\n<testsuite>")
    done = count(tmp_path, PASSED, runners=("swift", "e2e"))
    assert done.returncode == 1 and "cannot be read" in done.stderr


def test_failed_tests_are_named_to_run_again_and_pardoned(tmp_path: pathlib.Path) -> None:
    count(tmp_path, PASSED, FAILED)
    script, file = str(ROOT / "scripts/failed-tests"), str(tmp_path / "e2e.xml")
    named = subprocess.run([sys.executable, script, "Tests/e2e", file], capture_output=True, text=True, check=True).stdout
    assert named == "Tests/e2e/test_a.py::test_two\n"
    missing = subprocess.run([sys.executable, script, "Tests/e2e", file, file + ".2"], capture_output=True, text=True, check=True).stdout
    assert missing == "", "a process that wrote no results crashed"
    subprocess.run([sys.executable, script, "--pardon", file], check=True)
    assert subprocess.run([sys.executable, script, "Tests/e2e", file], capture_output=True, text=True, check=True).stdout == ""


def test_failed_swift_tests_are_named_by_their_suites(tmp_path: pathlib.Path) -> None:
    failed = ["A.SuiteTests", "A.SuiteTests", "A.SuiteTests.Inner", "A"]
    count(tmp_path, PASSED, *(FAILED.replace('classname="test_a"', f'classname="{suite}"') for suite in failed))
    script, file = str(ROOT / "scripts/failed-tests"), str(tmp_path / "e2e.xml")
    named = subprocess.run([sys.executable, script, "--swift", file], capture_output=True, text=True, check=True).stdout
    assert named.splitlines() == [r"^A\.SuiteTests/", r"^A\.SuiteTests/Inner/", r"^A\."]


def test_many_failed_tests_do_not_run_again(tmp_path: pathlib.Path) -> None:
    count(tmp_path, *(FAILED.replace("test_two", f"test_{number}") for number in range(6)))
    done = subprocess.run([sys.executable, str(ROOT / "scripts/failed-tests"), "Tests/e2e", str(tmp_path / "e2e.xml")], capture_output=True, text=True)
    assert done.stdout == ""
