"""Everything that a measurement needs, up and ready: upstream, identity provider, nginx, the peers and the gateway."""

from __future__ import annotations

import contextlib
import os
import pathlib
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("GATEWAY_BINARY", str(ROOT / ".build/release/gateway"))
sys.path.insert(0, str(ROOT / "Tests/e2e"))

from idle import WebSocketUpstream  # noqa: E402
from parts.dev_provider import DevProvider  # noqa: E402
from peers import PEERS, Bench, Subject, start_upstream  # noqa: E402

SAME_REQUESTS = "nginx, cookie in the request"
SIZES = {"1 KiB": 1024, "100 KiB": 100 * 1024, "10 MiB": 10 * 1024 * 1024}


@dataclass
class Standing:
    """All subjects, nginx first. CPU 0 of `bench.cpus` is theirs, the other one the load's."""

    bench: Bench
    subjects: list[Subject]
    websocket: WebSocketUpstream

    @property
    def plain(self) -> list[Subject]:
        return [subject for subject in self.subjects if subject.port != subject.tls_port]

    @property
    def secure(self) -> list[Subject]:
        return [subject for subject in self.subjects if subject.tls_port is not None]


def two_cpus() -> tuple[int, int]:
    """One for the program under test, one for the load. This script and what it starts stay on the two."""
    available = sorted(os.sched_getaffinity(0))
    if len(available) < 2:
        sys.exit("bench: one CPU is for the program under test and one for the load; this machine offers only one")
    os.sched_setaffinity(0, set(available[:2]))
    return available[0], available[1]


@contextlib.contextmanager
def standing(peers: list[str], cpus: tuple[int, int]) -> Iterator[Standing]:
    """`peers`: of `PEERS`; nginx need not be named."""
    with tempfile.TemporaryDirectory(prefix="gateway-bench-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # Apache's workers are another user
        www = folder / "www"
        for place in (www, www / "public"):
            place.mkdir(exist_ok=True)
            for size in SIZES.values():
                (place / str(size)).write_bytes(b"x" * size)
        bench = Bench(folder, cpus)
        websocket = WebSocketUpstream()
        try:
            start_upstream(bench)
            bench.dev = DevProvider("dev-provider", folder)
            bench.running.append(bench.dev.process)
            os.sched_setaffinity(bench.dev.process.pid, {cpus[1]})
            bench.dev.wait()
            chosen = ["nginx"] + [peer for peer in peers if peer != "nginx"]
            subjects = [subject for peer in chosen for subject in PEERS[peer](bench, websocket.port)]
            yield Standing(bench, with_the_same_requests(subjects), websocket)
        finally:
            for process in reversed(bench.running):
                process.terminate()  # not killed: nginx's workers would outlive their master
            websocket.close()


def with_the_same_requests(subjects: list[Subject]) -> list[Subject]:
    """And nginx with the requests of the gateway's authenticated route, byte for byte: a session's cookie is most of such a request."""
    nginx, *others = subjects
    signed_in = [subject for subject in others if subject.name == "gateway, authenticated route"]
    return [nginx, *(Subject(SAME_REQUESTS, nginx.process, nginx.port, headers=subject.headers) for subject in signed_in), *others]


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} CPUs, {processor()}, Linux {platform.release()}; {time.strftime('%Y-%m-%d')}."


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown processor"
