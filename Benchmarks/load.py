"""The load: wrk for HTTP/1.1, h2load for HTTP/2, handshakes and a fixed rate."""

from __future__ import annotations

import pathlib
import re
import ssl
import subprocess
import sys
from dataclasses import dataclass
from urllib.request import Request, urlopen

from measuring import cpu_seconds, pinned, process_tree
from peers import Subject

LARGE = str(10 * 1024 * 1024)

# wrk tells a script what it counted, without rounding.
SUMMARY = """
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %.0f\\n", summary.requests, summary.duration, e.status,
    e.connect + e.read + e.write + e.timeout, latency:percentile(99)))
end
"""


def counted(subject: Subject) -> list[int]:
    """The processes whose CPU a subject costs."""
    return [pid for process in (subject.process, *subject.also) for pid in process_tree(process.pid)]


@dataclass
class Sample:
    microseconds: float  # CPU per request
    rate: float  # requests per second
    p99: float  # microseconds


@dataclass
class Load:
    """How the requests are made, on the CPU that is not under test."""

    folder: pathlib.Path
    cpu: int
    seconds: float
    connections: int

    def __post_init__(self) -> None:
        (self.folder / "summary.lua").write_text(SUMMARY)

    def run(self, subject: Subject, path: str, protocol: str, seconds: float | None = None) -> Sample:
        """`protocol`: `h1`, `tls` (HTTP/1.1 over TLS), `h2` (over TLS). An answer that is no success ends the run."""
        seconds = seconds or self.seconds
        url = subject.url(path, secure=protocol != "h1")
        headers = self._headers(subject)
        pids = counted(subject)
        before = cpu_seconds(pids)
        if protocol == "h2":
            # As many streams in flight as HTTP/1.1 has connections, on eight of them; of large answers one each.
            streams = 1 if path.endswith(LARGE) else max(1, self.connections // 8)
            sample = self._h2load(["-c8", f"-m{streams}", f"-D{seconds:g}", *headers, url], subject, path)
        else:
            # A large answer fills the pipe by itself; sixty-four of them would not end within a round.
            connections = 8 if path.endswith(LARGE) else self.connections
            sample = self._wrk([f"-c{connections}", f"-d{seconds:g}s", *headers, url], seconds, subject, path)
        used = cpu_seconds(pids) - before
        requests, rate, p99 = sample
        return Sample(used / requests * 1e6, rate, p99)

    def _wrk(self, arguments: list[str], seconds: float, subject: Subject, path: str) -> tuple[int, float, float]:
        output = self._output(["wrk", "-t1", "-s", str(self.folder / "summary.lua"), *arguments], seconds)
        result = re.search(r"^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$", output, re.MULTILINE)
        if result is None:
            sys.exit(f"bench: wrk said nothing useful about {subject.name}:\n{output}")
        requests, duration, wrong, broken, p99 = map(int, result.groups())
        # Apache closes kept connections when its threads are busy; wrk opens new ones and counts the old as broken.
        if wrong or (broken and not subject.drops_connections) or not requests:
            sys.exit(f"bench: {subject.name}{path}: {requests} requests, {wrong} answers that were no success, {broken} socket errors")
        return requests, requests / (duration / 1e6), p99

    def _h2load(self, arguments: list[str], subject: Subject, path: str, seconds: float | None = None) -> tuple[int, float, float]:
        output = self._output(["h2load", "-t1", *arguments], seconds or self.seconds)
        counted = re.search(r"requests: (\d+) total, .* (\d+) succeeded, (\d+) failed, (\d+) errored", output)
        rate = re.search(r"finished in .*, ([\d.]+) req/s", output)
        if counted is None or rate is None:
            sys.exit(f"bench: h2load said nothing useful about {subject.name}:\n{output}")
        succeeded, failed = int(counted.group(2)), int(counted.group(3))
        if failed or not succeeded:
            sys.exit(f"bench: {subject.name}{path}: {succeeded} requests, {failed} that failed")
        return succeeded, float(rate.group(1)), 0

    def handshakes(self, subject: Subject, count: int) -> float:
        """CPU microseconds for one new TLS connection and one request on it."""
        pids = counted(subject)
        before = cpu_seconds(pids)
        # h2load lets each connection make one request and begins with all of them: in batches, so that the backlog holds.
        for _ in range(count // 100):
            self._h2load(["--h1", "-n100", "-c100", *self._headers(subject), subject.url("/1024", secure=True)], subject, "/1024")
        return (cpu_seconds(pids) - before) / (count // 100 * 100) * 1e6

    def at_rate(self, subject: Subject, path: str, rate: float) -> float:
        """CPU microseconds per request at a fixed rate over the kept connections: what is quicker does not get more to do."""
        pids = counted(subject)
        options = ["--h1", f"-c{self.connections}", f"--rps={rate / self.connections:.1f}", f"-D{self.seconds:g}", *self._headers(subject)]
        before = cpu_seconds(pids)
        requests, _, _ = self._h2load([*options, subject.url(path)], subject, path)
        return (cpu_seconds(pids) - before) / requests * 1e6

    def latencies(self, subject: Subject, path: str, rate: float, seconds: float) -> list[float]:
        """Microseconds of each request at a fixed rate over 16 kept connections."""
        log = self.folder / "latencies.tsv"
        log.unlink(missing_ok=True)
        clients = 16
        self._h2load(
            ["--h1", f"-c{clients}", f"--rps={rate / clients:.1f}", f"-D{seconds:g}", f"--log-file={log}", *self._headers(subject), subject.url(path)],
            subject,
            path,
            seconds,
        )
        rows = [line.split("\t") for line in log.read_text().splitlines()]
        return [float(row[2]) for row in rows if len(row) >= 3 and row[1] == "200"]

    @staticmethod
    def _headers(subject: Subject) -> list[str]:
        """The subject's headers as options. A renewed session is taken as a browser takes it: wrk and h2load never look at `Set-Cookie`."""
        if subject.is_authenticated:
            fields = dict(header.split(": ", 1) for header in subject.headers)
            cookies = dict(pair.split("=", 1) for pair in fields["Cookie"].split("; "))
            request = Request(subject.url("/1024", secure=subject.port == subject.tls_port), headers=fields)
            # The certificate is ours, and none that the system knows.
            with urlopen(request, timeout=20, context=ssl._create_unverified_context()) as response:
                renewed = [line.split(";")[0].split("=", 1) for line in response.headers.get_all("Set-Cookie") or []]
            cookies.update({name: value for name, value in renewed if name in cookies})
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
            subject.headers = [f"{name}: {value}" for name, value in fields.items()]
        return [part for header in subject.headers for part in ("-H", header)]

    def _output(self, command: list[str], seconds: float) -> str:
        result = subprocess.run(pinned(self.cpu, *command), capture_output=True, text=True, timeout=seconds + 60)
        return result.stdout + result.stderr
