"""Replaces what a test run inherits from its caller: environment, signals, umask, limits, locale.

A shell's background job ignores SIGINT, a service manager sets `NOTIFY_SOCKET`, and a developer sets `LC_ALL` or `http_proxy`. The gateway
and the other servers of a test inherit all of this, so each run starts from the same values. `reset` is the only place that sets them: it
changes the process that runs the tests, and each child process inherits from that process.
"""

from __future__ import annotations

import atexit
import locale
import os
import resource
import shutil
import signal
import tempfile
import time

# Variables that choose what is tested, that a sanitizer or a coverage report needs, or without which no program starts.
KEPT = {
    "PATH", "LD_LIBRARY_PATH", "USER", "LOGNAME", "PYENV_ROOT", "GATEWAY_BINARY", "GATEWAY_SANITIZER", "GATEWAY_TRANSPORT", "TEST_PORTS", "TEST_SEED",
    "UPDATE_DOCS", "COUNTS", "LLVM_PROFILE_FILE", "TSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS",
}  # fmt: skip
FIXED = {
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    # Programs in Python write no __pycache__ into the tree, and lose no output when they are killed.
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}
PROXIES = {"http_proxy", "https_proxy", "no_proxy", "all_proxy"}

OPEN_FILES = 65_536
STACK = 8 << 20

# Proxies of the caller, for the one test that downloads packages.
proxies = {name: value for name, value in os.environ.items() if name.lower() in PROXIES}


def reset() -> None:
    """Called once, before the first test."""
    _reset_environment()
    _reset_signals()
    _reset_limits()
    os.umask(0o022)


def _reset_environment() -> None:
    for name in set(os.environ) - KEPT:
        if not name.startswith("PYTEST_"):
            del os.environ[name]
    os.environ |= FIXED
    # Without TMPDIR: the path of a Unix socket has at most 107 bytes.
    tempfile.tempdir = None
    time.tzset()
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    # Empty: curl, Helm and psql read files in it.
    os.environ["HOME"] = home = tempfile.mkdtemp(prefix="gateway-tests-home-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)


def _reset_signals() -> None:
    """Child processes get the default action of each signal. This process goes on ignoring the signals that its caller told it to ignore."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        # Python ignores SIGPIPE and SIGXFSZ itself, and `subprocess` restores them.
        if number in (signal.SIGPIPE, signal.SIGXFSZ) or signal.getsignal(number) is not signal.SIG_IGN:
            continue
        # A child process does not inherit a function.
        signal.signal(number, signal.SIG_DFL if number == signal.SIGCHLD else _ignore)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _ignore(*_: object) -> None:
    pass


def _reset_limits() -> None:
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_STACK, STACK)
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
        _limit(kind, resource.RLIM_INFINITY)


def _limit(kind: int, wanted: int) -> None:
    """Sets the soft limit. Raises the hard limit for it where this process may, else uses all of the hard limit."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY and (wanted == resource.RLIM_INFINITY or wanted > hard):
        try:
            resource.setrlimit(kind, (wanted, wanted))
        except (ValueError, OSError):
            resource.setrlimit(kind, (hard, hard))
    else:
        resource.setrlimit(kind, (wanted, hard))
