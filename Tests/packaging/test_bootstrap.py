"""scripts/bootstrap: a package server that fails for a moment, and one that fails for good."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest

from parts.gateway import ROOT

# A package that every build needs, and that no machine has here: pkg-config knows none.
STUBS = {
    "pkg-config": "exit 1",
    "swift": "exit 0",
    "sudo": 'shift; exec "$@"',
    "apt-get": """
        echo "apt-get $*" >>"$CALLS"
        [ "$(grep -c ' install ' "$CALLS")" -gt "$FAILURES" ] && exit 0
        case " $* " in *" libyaml-dev "* | *" update "*) echo "E: Failed to fetch libyaml-dev" >&2; exit 100 ;; esac
    """,
}


@pytest.fixture
def bootstrap(tmp_path: pathlib.Path):
    """Runs it on a machine whose apt-get fails the given number of times for libyaml-dev."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, script in STUBS.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    calls = tmp_path / "calls"
    calls.touch()

    def run(failures: int) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "CALLS": str(calls), "FAILURES": str(failures), "BOOTSTRAP_WAIT": "0"}
        done = subprocess.run([str(ROOT / "scripts/bootstrap"), "build"], env=environment, capture_output=True, text=True, timeout=60)
        return done, calls.read_text().splitlines()

    return run


def test_a_package_server_that_fails_for_a_moment_is_asked_again(bootstrap) -> None:
    done, calls = bootstrap(failures=1)
    assert done.returncode == 0, done.stderr
    assert "trying again" in done.stderr
    assert sum(" install " in call for call in calls) == 2


def test_a_package_that_cannot_be_installed_is_named(bootstrap) -> None:
    done, _ = bootstrap(failures=1000)
    assert done.returncode != 0
    # The last attempts are made one by one: only this package fails then.
    assert "could not install: libyaml-dev\n" in done.stderr
    assert "E: Failed to fetch libyaml-dev" in done.stderr
