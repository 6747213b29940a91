"""Runs of the tests themselves: what they inherit, what the report of a failure says, and that they wait for events."""

from __future__ import annotations

import ast
import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

from parts import isolation
from parts.gateway import BINARY, ROOT

# A module with this content is run as a test of Tests/e2e would be.
SAMPLE = '''
import sys
from parts.processes import Process

SHOW = """
import json, os, resource, tempfile, time
status = dict(line.split(":", 1) for line in open("/proc/self/status").read().splitlines())
umask = os.umask(0)
files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
core = resource.getrlimit(resource.RLIMIT_CORE)[0]
environment = {name: value for name, value in os.environ.items() if name not in ("PATH", "HOME") and not name.startswith("PYTEST_")}
print(json.dumps({
    "ignored": int(status["SigIgn"], 16), "blocked": int(status["SigBlk"], 16), "umask": umask, "files": files, "core": core,
    "temporary": tempfile.gettempdir(), "zone": time.tzname[0], "home": os.listdir(os.environ["HOME"]), "environment": environment,
}))
"""


def test_shows_what_a_child_process_inherits(tmp_path):
    process = Process("child", [sys.executable, "-S", "-c", SHOW], tmp_path)
    assert process.child.wait(20) == 0
    print("CHILD " + process.output())


def test_fails(start_gateway):
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}]}, name="gateway-of-a-failure")
    assert not gateway.alive, "on purpose"
'''


def run(folder: pathlib.Path, *arguments: str, before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the sample in a shell that has executed `before`."""
    file = folder / "test_sample.py"
    file.write_text(SAMPLE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-c", str(ROOT / "Tests/e2e/pytest.ini"), "--rootdir", str(folder)]
    command += ["--basetemp", str(folder / "base"), *arguments, str(file)]
    # With `-p conftest`, the module is imported before pytest reads `pythonpath`.
    environment = {"PYTHONPATH": str(ROOT / "Tests/e2e"), "GATEWAY_BINARY": str(BINARY), **environment}
    shell = ["bash", "-c", f'{before}\nexec "$@"', "bash", *command]
    return subprocess.run(shell, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=200)


@pytest.mark.parametrize(
    ("before", "environment"),
    [
        ("", {}),
        ("trap '' INT QUIT HUP TERM USR1 CHLD", {}),
        ("umask 077; ulimit -S -n 256; ulimit -S -c unlimited 2>/dev/null || true", {}),
        ("", {"LC_ALL": "C", "LANG": "de_DE.ISO-8859-1", "LANGUAGE": "de", "TZ": "Asia/Tokyo"}),
        ("", {"http_proxy": "http://127.0.0.1:1", "HTTPS_PROXY": "http://127.0.0.1:1", "NO_PROXY": "localhost", "ALL_PROXY": "socks5://127.0.0.1:1"}),
        ("", {"NO_COLOR": "1", "CI": "true", "TERM": "dumb", "COLUMNS": "20"}),
        ("", {"XDG_CONFIG_HOME": "/nowhere", "BASH_ENV": "/nowhere", "HOME": "/nowhere"}),
        ("", {"GATEWAY_CONFIG": "/nowhere", "GATEWAY_REPLICAS": "x", "NOTIFY_SOCKET": "/nowhere", "LISTEN_FDS": "1", "OTEL_TRACES_EXPORTER": "x"}),
        ("", {"PYTHONWARNINGS": "error", "PYTHONHASHSEED": "1", "PYTHONSTARTUP": "/nowhere"}),
    ],
    ids=["nothing", "signals", "umask and limits", "locale", "proxies", "terminal", "files", "services", "python"],
)
def test_a_child_process_of_a_test_inherits_nothing_of_the_caller(tmp_path, before, environment):
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    done = run(tmp_path, "-k", "shows", "-s", before=before, **environment, TMPDIR=str(deep))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(next(line for line in done.stdout.splitlines() if "CHILD " in line).partition("CHILD ")[2])
    kept = found.pop("environment")
    # Python ignores SIGPIPE and SIGXFSZ itself. Signals of libc (32 and 33) are not valid ones: no program may set them.
    ignored = {number for number in signal.valid_signals() if found["ignored"] >> (number - 1) & 1}
    assert ignored <= {signal.SIGPIPE, signal.SIGXFSZ}
    del found["ignored"]
    assert found.pop("files") >= 256
    assert found == {"blocked": 0, "umask": 0o022, "core": 0, "temporary": "/tmp", "zone": "UTC", "home": []}
    allowed = {"LANG": "C.UTF-8", "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "GATEWAY_BINARY": str(BINARY)}
    more = isolation.KEPT - {"GATEWAY_BINARY"} | {"LC_CTYPE"}
    assert {name: value for name, value in kept.items() if name not in more} == allowed


def test_a_failed_test_names_the_logs_of_its_servers_its_seed_and_the_command_that_repeats_it(tmp_path):
    done = run(tmp_path, "-k", "fails", TEST_SEED="4711", GATEWAY_TRANSPORT="nio")
    assert done.returncode == 1, done.stdout + done.stderr
    log = next(line for line in done.stdout.splitlines() if line.startswith("gateway-of-a-failure (running): ")).partition(": ")[2]
    assert '"ready"' in pathlib.Path(log).read_text(encoding="utf-8")
    assert "\n4711\n" in done.stdout
    variables = f"GATEWAY_BINARY={str(BINARY).removeprefix(f'{ROOT}/')} GATEWAY_TRANSPORT=nio TEST_SEED=4711"
    assert f"{variables} .venv/bin/python -m pytest {tmp_path}/test_sample.py::test_fails" in done.stdout


def test_a_failed_random_test_in_swift_is_repeated_with_its_seed(tmp_path):
    (tmp_path / "swift").mkdir()
    (tmp_path / "swift/results.xml").write_text(
        """<testsuites><testsuite name="TestResults"><testcase classname="PrimitivesTests.BaseEncodingTests" name="`every length comes back`()">
        <failure message="Expectation failed: \x1b\x00 == 2 (error): seed 4711; TEST_SEED=4711 repeats it" /></testcase></testsuite></testsuites>""",
        encoding="utf-8",
    )
    done = subprocess.run([ROOT / "scripts/count-tests", tmp_path, "swift"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    lines = [line.partition(":   ")[2].split(None, 1) for line in done.stderr.splitlines() if ":   " in line]
    assert ["file", "Tests/PrimitivesTests/BaseEncodingTests.swift"] in lines and ["seed", "4711"] in lines
    (command,) = [rest for first, rest in lines if first == "repeat"]
    assert command.startswith("TEST_SEED=4711 swift test --filter '^PrimitivesTests[.]")


def test_the_name_of_a_swift_test_may_have_quotes(tmp_path):
    """The runner writes it into an attribute as it is; the whole step was unreadable."""
    (tmp_path / "swift").mkdir()
    (tmp_path / "swift/results.xml").write_text(
        """<testsuites><testsuite name="TestResults">
        <testcase classname="PagesTests.AccountPagesTests" name="`"it was not me" is < a form & its own`()" time="95.56" />
        <testcase classname="PagesTests.AccountPagesTests" name="`a &quot; that is escaped`()" time="1e-05"><failure message="no" /></testcase>
        </testsuite></testsuites>""",
        encoding="utf-8",
    )
    done = subprocess.run([ROOT / "scripts/count-tests", tmp_path, "swift"], capture_output=True, text=True, timeout=60)
    assert "tests: 1 passed, 1 failed" in done.stdout + done.stderr
    # pytest writes all tests into one line.
    (tmp_path / "e2e").mkdir()
    (tmp_path / "e2e/1.xml").write_text(
        """<testsuites><testsuite name="pytest"><testcase classname="test_a" name="test_b" time="0.1" /><testcase classname="test_a" name="test_c"
        time="0.1" /><testcase classname="test_a" name="test_d[x&quot;y]" time="0.1"><failure message="no" /></testcase></testsuite></testsuites>""",
        encoding="utf-8",
    )
    done_too = subprocess.run([ROOT / "scripts/count-tests", tmp_path, "e2e"], capture_output=True, text=True, timeout=60)
    assert "tests: 2 passed, 1 failed" in done_too.stdout + done_too.stderr
    assert 'PagesTests.AccountPagesTests.`a " that is escaped`() failed' in done.stdout + done.stderr


def sleeps(source: str, file: pathlib.Path) -> list[str]:
    """Calls of a function named `sleep`, imports of one, waits for an event that nobody can set, and polls of nothing but the clock."""

    def name(node: ast.AST) -> str:
        return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""

    def is_sleep(node: ast.AST) -> bool:
        if isinstance(node, ast.ImportFrom):
            return any(alias.name == "sleep" for alias in node.names)
        if not isinstance(node, ast.Call):
            return False
        if name(node.func) == "wait" and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            return name(node.func.value.func) == "Event"
        if name(node.func) == "eventually" and node.args:
            return any(name(inner) in ("monotonic", "perf_counter", "time_ns") for inner in ast.walk(node.args[0]))
        return name(node.func) == "sleep"

    return sorted(f"{file}:{node.lineno}" for node in ast.walk(ast.parse(source)) if is_sleep(node))


def test_no_test_sleeps():
    """Tests wait for events, with a limit after which they fail; `parts/processes.py` is the one place that polls."""
    files = {path for folder in ("e2e", "packaging") for path in (ROOT / "Tests" / folder).rglob("*.py")}
    polls = ROOT / "Tests/e2e/parts/processes.py"
    assert len(files) > 100 and polls in files
    found = [place for file in sorted(files - {polls}) for place in sleeps(file.read_text(encoding="utf-8"), file.relative_to(ROOT))]
    assert found == [], "wait for an event: `eventually` and `Process.wait_until` in Tests/e2e/parts/processes.py"

    examples = [
        "time.sleep(1)", "asyncio.sleep(1)", "from time import sleep", "threading.Event().wait(1)", "eventually(lambda: time.monotonic() > due, '')",
    ]  # fmt: skip
    assert [sleeps(example, pathlib.Path("x")) for example in examples] == [["x:1"]] * len(examples)
    assert sleeps("stopped.wait(1)\neventually(lambda: gateway.events('x'), 'x')", pathlib.Path("x")) == []
