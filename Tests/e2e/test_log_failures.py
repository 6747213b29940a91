"""Logs that cannot be written: a reader that stops, a full disk, a closed pipe. docs/operations/{logging,audit,drain}.md."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
from collections.abc import Iterator

import pytest
import requests

from conftest import mark
from logins import NAVIGATION, callback_of, new_client, sign_in
from parts.gateway import BINARY, Gateway, write_configuration
from parts.processes import eventually
from test_metrics import series, value

PUBLIC = [{"path": "/public/**", "access": "public"}]
OPEN = [{"path": "/**", "access": "public"}]


def unaudited(start_gateway, **configuration) -> Gateway:
    """A gateway that is not started yet, with public routes and without an audit stream."""
    gateway = start_gateway({"routes": OPEN, **configuration}, wait=False)
    del gateway.configuration["audit"]
    return gateway


class Run:
    """A gateway whose standard output and error a test chooses."""

    def __init__(self, gateway: Gateway, stdout: int, stderr: int | None = None) -> None:
        write_configuration(gateway.file, gateway.configuration)
        self.gateway = gateway
        self.log = gateway.folder / f"{gateway.name}-events.log"
        with open(self.log, "ab") as file:
            self.child = subprocess.Popen(
                [str(BINARY), "run", str(gateway.file)], stdin=subprocess.DEVNULL, stdout=stdout, stderr=file if stderr is None else stderr
            )
        eventually(gateway.is_ready, "answer from /readyz", timeout=60)

    def events(self, name: str) -> list[dict[str, object]]:
        lines = self.log.read_text().splitlines()
        return [json.loads(line) for line in lines if f'"event":"{name}"' in line]


@contextlib.contextmanager
def running(gateway: Gateway, stdout: int, stderr: int | None = None) -> Iterator[Run]:
    run = Run(gateway, stdout, stderr)
    try:
        yield run
    finally:
        run.child.kill()
        run.child.wait()


@contextlib.contextmanager
def full_pipe() -> Iterator[int]:
    """The writing end of a pipe that nobody reads and that has no room left."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, b"x" * 4096)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, b"x")
    os.set_blocking(writing, True)
    try:
        yield writing
    finally:
        os.close(reading)
        os.close(writing)


def verbose(gateway: Gateway) -> str:
    return requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text


# --- A reader that has stopped --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stuck", ["access log", "event log"])
def test_a_log_reader_that_stops_reading_does_not_hold_up_the_end(start_gateway, stuck):
    """Issue 19.30: SIGTERM ends it within `timeouts.shutdown` although a log's pipe is full."""
    gateway = unaudited(start_gateway, server={"timeouts": {"shutdown": "2s"}})
    with full_pipe() as pipe:
        ends = (pipe, None) if stuck == "access log" else (subprocess.DEVNULL, pipe)
        with running(gateway, *ends) as run:
            assert new_client().get(gateway.url("/public/x")).status_code == 200
            run.child.send_signal(signal.SIGTERM)
            assert run.child.wait(60) == 0
            if stuck == "access log":
                assert run.events("stopped")
                (report,) = run.events("log-incomplete")
                assert report["to"] == "stdout" and report["lines_lost"] == 1


def test_a_second_signal_ends_it_although_a_log_reader_has_stopped(start_gateway):
    """Issue 19.30: with an hour for the shutdown, the second SIGTERM ends the process."""
    gateway = unaudited(start_gateway, server={"timeouts": {"shutdown": "1h"}})
    with full_pipe() as pipe, running(gateway, pipe) as run:
        assert new_client().get(gateway.url("/public/x")).status_code == 200
        run.child.send_signal(signal.SIGTERM)
        eventually(lambda: run.events("stopped"), "it waits for the log alone")
        assert run.child.poll() is None
        run.child.send_signal(signal.SIGTERM)
        assert run.child.wait(60) == 0


# --- Lines that are lost --------------------------------------------------------------------------------------------------------------------


def test_each_line_that_a_full_disk_refuses_is_counted_and_the_log_says_so(start_gateway):
    """Issue 19.31: 40 requests, 40 lost lines; the event log, `/readyz?verbose` and a gauge tell; the gateway stays ready."""
    gateway = unaudited(start_gateway, logging={"access": {"to": "/dev/full"}}).start()
    client = new_client()
    for _ in range(40):
        assert client.get(gateway.url("/public/x")).status_code == 200
    name = "gateway_log_lines_dropped_total"
    eventually(lambda: value(series(gateway), name, to="/dev/full", stream="access") == 40, "each line is counted")
    assert value(series(gateway), name, stream="events") == 0
    assert value(series(gateway), "gateway_log_failing", to="/dev/full") == 1
    (report,) = gateway.events("log-write-failed")
    assert (report["to"], report["reason"]) == ("/dev/full", "no space left on device")
    assert "[-]log /dev/full" in verbose(gateway) and "40 lines lost" in verbose(gateway)
    assert gateway.is_ready(), "an access log is not needed to serve"


def test_a_pipe_whose_reader_went_away_is_told_in_the_event_log(start_gateway):
    """Issue 19.31: standard output is closed at the other end."""
    gateway = unaudited(start_gateway)
    reading, writing = os.pipe()
    with running(gateway, writing) as run:
        os.close(writing)
        os.close(reading)
        assert new_client().get(gateway.url("/public/x")).status_code == 200
        eventually(lambda: run.events("log-write-failed"), "the event log tells")
        assert run.events("log-write-failed")[0]["reason"] == "broken pipe"
        assert value(series(gateway), "gateway_log_lines_dropped_total", to="stdout", stream="access") == 1


def test_an_event_log_that_fails_is_told_on_standard_output(start_gateway, folder):
    """Issue 19.31: standard error takes nothing, so the report goes where lines can still be written."""
    gateway = unaudited(start_gateway)
    out = folder / f"{gateway.name}-out.log"
    with open(out, "wb") as file, open("/dev/full", "wb") as full, running(gateway, file.fileno(), full.fileno()):
        eventually(lambda: '"event":"log-write-failed"' in out.read_text(), "a report on standard output")
        assert '"to":"stderr"' in out.read_text()
        assert "[-]log stderr" in verbose(gateway)


def room(path: pathlib.Path) -> None:
    """A file system of 64 KiB, in the mount namespace of this test run."""
    path.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(path)], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"a tmpfs cannot be mounted: {mounted.stderr.strip()}")


@pytest.fixture
def small_disk(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    path = tmp_path / "disk"
    room(path)
    yield path
    subprocess.run(["umount", "-l", str(path)], check=False)


def test_lines_written_and_lines_counted_as_lost_are_all_lines(start_gateway, small_disk):
    """Issue 19.31: nothing disappears uncounted on a disk that fills up, and a torn line spoils no other one."""
    file = small_disk / "access.log"
    gateway = unaudited(start_gateway, logging={"access": {"to": str(file)}}).start()
    client = new_client()
    for _ in range(400):
        assert client.get(gateway.url("/public/x")).status_code == 200

    def complete(text: str) -> int:
        count = 0
        for line in text.splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                count += json.loads(line)["event"] == "access"
        return count

    def lost() -> int:
        return int(value(series(gateway), "gateway_log_lines_dropped_total", to=str(file)))

    eventually(lambda: complete(file.read_text()) + lost() == 400, "each line is written or counted")
    assert lost() > 0
    before = file.read_text()
    os.truncate(file, 0)

    def has_recovered() -> bool:
        """It counts when a line is written after a second without a failure."""
        client.get(gateway.url("/public/again"))
        return bool(gateway.events("log-write-recovered"))

    eventually(has_recovered, "the recovery is told")
    (report,) = gateway.events("log-write-recovered")
    assert report["lines_lost"] == 400 - complete(before) and report["to"] == str(file)
    assert f"[+]log {file}" in verbose(gateway)
    assert complete(file.read_text()) >= 1


def test_a_named_pipe_without_a_reader_does_not_block_the_start(start_gateway, tmp_path):
    """Issue 19.30: opening it would wait for a reader for good."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    gateway = unaudited(start_gateway, logging={"access": {"to": str(pipe)}})
    write_configuration(gateway.file, gateway.configuration)
    ended = subprocess.run([str(BINARY), "run", str(gateway.file)], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 78 and f"cannot write to {pipe}: no program reads this pipe" in ended.stderr


def test_a_file_that_cannot_be_opened_anew_is_told(start_gateway, tmp_path):
    """Issue 19.31: after a rotation into a folder that is gone, lines go on into the old file."""
    folder = tmp_path / "logs"
    folder.mkdir()
    gateway = unaudited(start_gateway, logging={"access": {"to": str(folder / "access.log")}}).start()
    folder.rename(tmp_path / "moved")
    gateway.signal(signal.SIGHUP)
    eventually(lambda: gateway.events("log-not-reopened"), "the log tells")
    assert new_client().get(gateway.url("/kept")).status_code == 200
    eventually(lambda: "/kept" in (tmp_path / "moved" / "access.log").read_text(), "the old file takes the line")


# --- audit.onFailure ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [None, "continue"])
def test_by_default_requests_are_served_while_audit_records_are_lost(start_gateway, dev, policy):
    """Issue 19.31: `continue`."""
    audit = {"to": "/dev/full", **({"onFailure": policy} if policy else {})}
    gateway = start_gateway({"providers": [dev.configuration], "routes": PUBLIC, "audit": audit})
    assert sign_in(gateway, dev).get(gateway.url("/x")).status_code == 200
    eventually(lambda: value(series(gateway), "gateway_log_lines_dropped_total", to="/dev/full", stream="audit") >= 3, "lost records are counted")
    assert "[-]audit /dev/full" in verbose(gateway)
    assert gateway.is_ready()


def test_refuse_answers_503_until_audit_records_can_be_written_again(start_gateway, dev, small_disk):
    """Issue 19.31: sign-ins and protected routes are refused, public ones served; it recovers by itself."""
    file = small_disk / "audit.log"
    audit = {"to": str(file), "onFailure": "refuse"}
    gateway = start_gateway({"providers": [dev.configuration], "routes": PUBLIC, "audit": audit})
    client = sign_in(gateway, dev)
    late = new_client()
    callback = callback_of(gateway, dev, late)
    filler = small_disk / "filler"
    with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as disk:
        while True:
            disk.write(b"x" * 512)
    stranger = new_client()

    def fill() -> bool:
        stranger.get(gateway.own("/login/" + dev.configuration["id"]), headers=NAVIGATION, allow_redirects=False)
        return client.get(gateway.url("/x")).status_code == 503

    eventually(fill, "the first lost record closes protected routes")
    refused = client.get(gateway.url("/x"), headers={"Accept": "application/json"})
    assert refused.json()["error"]["code"] == "proxy/audit-unavailable"
    assert refused.headers["Retry-After"] == "5"
    for path in ("/login", "/login/" + dev.configuration["id"]):
        assert stranger.get(gateway.own(path), headers=NAVIGATION, allow_redirects=False).status_code == 503, path
    assert late.get(callback, headers=NAVIGATION, allow_redirects=False).status_code == 503
    assert stranger.get(gateway.url("/public/x")).status_code == 200
    assert client.get(gateway.own("/userinfo")).status_code == 200
    assert requests.get(f"{gateway.admin}/readyz", timeout=60).status_code == 503
    assert f"[-]audit {file} failed: no space left on device" in verbose(gateway)
    filler.unlink()
    eventually(lambda: client.get(gateway.url("/x")).status_code == 200, "it recovers without a restart")
    assert gateway.is_ready()
    assert late.get(callback, headers=NAVIGATION, allow_redirects=False).status_code == 303, "the sign-in was not spent"
    eventually(lambda: "log.recovered" in file.read_text(), "the audit stream tells of the gap")
    records = []
    for line in file.read_text().splitlines():
        with contextlib.suppress(json.JSONDecodeError):
            records.append(json.loads(line))
    events = [record["event"] for record in records]
    assert events.index("log.failed") < events.index("log.recovered")
    recovered = records[events.index("log.recovered")]
    assert recovered["lines_lost"] == value(series(gateway), "gateway_log_lines_dropped_total", stream="audit")


def test_refuse_follows_a_reload(start_gateway, dev, folder):
    """Issue 19.31: switched on and off without a restart."""
    gateway = start_gateway({"providers": [dev.configuration], "routes": PUBLIC, "audit": {"to": "/dev/full"}})
    client = sign_in(gateway, dev)
    assert client.get(gateway.url("/x")).status_code == 200
    gateway.rewrite(audit={"onFailure": "refuse"})
    gateway.reload()
    eventually(lambda: client.get(gateway.url("/x")).status_code == 503, "refused")
    gateway.rewrite(audit={"to": str(folder / f"{gateway.name}-audit-{mark()}.log")})
    gateway.reload()
    assert client.get(gateway.url("/x")).status_code == 200
    assert gateway.is_ready()
    assert value(series(gateway), "gateway_log_failing") == 0, "the destination from before is not used any more"
