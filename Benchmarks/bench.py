"""CPU per request of the gateway beside nginx, on this machine, in one run. Prints a Markdown table.

    make bench                                             the default: five rounds of three seconds
    .venv/bin/python Benchmarks/bench.py --rounds 9 --seconds 5
    .venv/bin/python Benchmarks/bench.py --only nginx      to see that the measuring itself works

How it measures. The program under test has the first CPU to itself; the load (wrk, one thread), the upstream (another nginx)
and the identity provider share the second. Every round measures every subject once, in turn, so that a machine that drifts
drifts for all of them; ratios are made within a round. CPU time is what /proc/PID/stat says about the whole process tree
before and after. A response that is no 200, or a socket error, makes the run fail: a fast refusal is no result.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("GATEWAY_BINARY", str(ROOT / ".build/release/gateway"))
sys.path.insert(0, str(ROOT / "Tests/e2e"))

from parts.processes import Process, accepts_connections, free_port  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
SIZES = {"1 KiB": 1024, "100 KiB": 100 * 1024}

UPSTREAM = """
worker_processes 1; daemon off; pid {folder}/upstream.pid; error_log {folder}/upstream.err;
events {{ worker_connections 4096; }}
http {{
    access_log off; sendfile on; tcp_nodelay on; default_type text/plain;
    keepalive_requests 100000000; keepalive_timeout 1h;
    open_file_cache max=16; open_file_cache_valid 1h;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    server {{ listen 127.0.0.1:{port} backlog=4096; root {folder}/www; }}
}}
"""

PROXY = """
worker_processes 1; daemon off; pid {folder}/proxy.pid; error_log {folder}/proxy.err;
events {{ worker_connections 4096; }}
http {{
    access_log off; tcp_nodelay on; keepalive_requests 100000000; keepalive_timeout 1h;
    client_body_temp_path {folder}/p1; proxy_temp_path {folder}/p2; fastcgi_temp_path {folder}/p3; uwsgi_temp_path {folder}/p4; scgi_temp_path {folder}/p5;
    upstream app {{ server 127.0.0.1:{upstream}; keepalive 128; keepalive_requests 100000000; keepalive_timeout 1h; }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location / {{ proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; }}
    }}
}}
"""

# wrk tells a script what it counted, without rounding.
SUMMARY = """
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %.0f\\n", summary.requests, summary.duration, e.status,
    e.connect + e.read + e.write + e.timeout, latency:percentile(99)))
end
"""


@dataclass
class Subject:
    """A way through a proxy: where to send the load, and whose CPU it costs."""

    name: str
    process: Process
    origin: str
    prefix: str = ""
    headers: list[str] = field(default_factory=list)


@dataclass
class Sample:
    microseconds: float  # CPU per request
    rate: float  # requests per second
    p99: float  # microseconds


def pinned(cpu: int, *command: str) -> list[str]:
    return ["taskset", "-c", str(cpu), *command]


def process_tree(root: int) -> list[int]:
    """`root` and its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parent = int(pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry))
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children.get(pid, [])
    return found


def cpu_seconds(pids: list[int]) -> float:
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])  # utime, stime
    return total / TICKS


def resident_mebibytes(pids: list[int]) -> float:
    kilobytes = 0
    for pid in pids:
        match = re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())
        kilobytes += int(match.group(1)) if match else 0
    return kilobytes / 1024


def measure(subject: Subject, path: str, seconds: float, connections: int, cpu: int, script: pathlib.Path) -> Sample:
    pids = process_tree(subject.process.pid)
    headers = [part for header in subject.headers for part in ("-H", header)]
    before = cpu_seconds(pids)
    load = subprocess.run(
        pinned(cpu, "wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "-s", str(script), *headers, f"{subject.origin}{subject.prefix}{path}"),
        capture_output=True,
        text=True,
        timeout=seconds + 60,
    )
    used = cpu_seconds(pids) - before
    result = re.search(r"^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$", load.stdout, re.MULTILINE)
    if result is None:
        sys.exit(f"bench: wrk said nothing useful about {subject.name}:\n{load.stdout}{load.stderr}")
    requests, duration, wrong, broken, p99 = map(int, result.groups())
    if wrong or broken or not requests:
        sys.exit(f"bench: {subject.name}{path}: {requests} requests, {wrong} answers that were no success, {broken} socket errors")
    return Sample(used / requests * 1e6, requests / (duration / 1e6), p99)


def start_nginx(name: str, text: str, folder: pathlib.Path, cpu: int, port: int) -> Process:
    file = folder / f"{name}.conf"
    # Without this, workers of a server that root starts could not read a folder of root's.
    file.write_text(("user root;\n" if os.geteuid() == 0 else "") + text)
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    process = Process(name, pinned(cpu, nginx, "-c", str(file), "-p", str(folder), "-e", str(folder / f"{name}.err")), folder)
    process.wait_until(lambda: accepts_connections(port), "listening socket")
    return process


def gateway_subjects(folder: pathlib.Path, upstream: int, cpus: tuple[int, int], running: list[Process]) -> list[Subject]:
    """The same gateway twice: a public route, and one that needs the session of a real login."""
    from logins import session_cookie, sign_in
    from parts.dev_provider import DevProvider
    from parts.gateway import Gateway

    dev = DevProvider("dev-provider", folder)
    running.append(dev.process)
    os.sched_setaffinity(dev.process.pid, {cpus[1]})
    dev.wait()
    gateway = Gateway(
        "gateway",
        folder,
        {
            "upstream": f"http://127.0.0.1:{upstream}",
            "providers": [dev.configuration],
            "routes": [{"path": "/public/**", "access": "public"}, {"path": "/**", "access": {"groups": ["admins"]}}],
            # As in production; a token that would be renewed in the middle of a round is none of this measurement's business.
            "logging": {"level": "warning"},
            "session": {"refresh": False},
        },
    )
    # Pinned before it starts: threads made later inherit it, and the number of event loops follows it.
    os.sched_setaffinity(0, {cpus[0]})
    try:
        gateway.start()
    finally:
        os.sched_setaffinity(0, set(cpus))
    assert gateway.process is not None
    running.append(gateway.process)
    cookie = session_cookie(sign_in(gateway, dev))
    return [
        Subject("gateway, public route", gateway.process, gateway.origin, "/public"),
        Subject("gateway, authenticated route", gateway.process, gateway.origin, "", [f"Cookie: session={cookie}"]),
    ]


def spread(values: list[float], digits: int) -> str:
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--only", choices=["nginx"], help="leave the gateway out")
    options = parser.parse_args()

    available = sorted(os.sched_getaffinity(0))
    if len(available) < 2:
        sys.exit("bench: one CPU is for the program under test and one for the load; this machine offers only one")
    cpus = (available[0], available[1])
    # This script and what it starts stay away from the CPU under test, but for the subjects themselves.
    os.sched_setaffinity(0, set(cpus))

    running: list[Process] = []
    with tempfile.TemporaryDirectory(prefix="gateway-bench-") as name:
        folder = pathlib.Path(name)
        www = folder / "www"
        for place in (www, www / "public"):
            place.mkdir(exist_ok=True)
            for size in SIZES.values():
                (place / str(size)).write_bytes(b"x" * size)
        script = folder / "summary.lua"
        script.write_text(SUMMARY)
        try:
            upstream, proxy = free_port(), free_port()
            running.append(start_nginx("upstream", UPSTREAM.format(folder=folder, port=upstream), folder, cpus[1], upstream))
            running.append(start_nginx("proxy", PROXY.format(folder=folder, port=proxy, upstream=upstream), folder, cpus[0], proxy))
            subjects = [Subject("nginx, plain proxy", running[-1], f"http://127.0.0.1:{proxy}")]
            if options.only != "nginx":
                subjects += gateway_subjects(folder, upstream, cpus, running)
            report(subjects, options, cpus, script)
        finally:
            for process in reversed(running):
                process.terminate()  # not killed: nginx's workers would outlive their master


def report(subjects: list[Subject], options: argparse.Namespace, cpus: tuple[int, int], script: pathlib.Path) -> None:
    samples: dict[tuple[str, str], list[Sample]] = {}
    for label, size in SIZES.items():
        for subject in subjects:  # warm pools, caches and the branch predictor
            measure(subject, f"/{size}", 1, options.connections, cpus[1], script)
        for number in range(options.rounds):
            for subject in subjects:
                sample = measure(subject, f"/{size}", options.seconds, options.connections, cpus[1], script)
                samples.setdefault((label, subject.name), []).append(sample)
                print(f"bench: {label}, round {number + 1}: {subject.name}: {sample.microseconds:.1f} us, {sample.rate:.0f}/s", file=sys.stderr)
                time.sleep(0.2)

    reference = subjects[0].name
    print(f"\nRatios to nginx in the same round: median (lowest–highest) of {options.rounds} rounds of {options.seconds:g} s, {options.connections} keep-alive connections.\n")
    print("| body | | CPU per request / nginx | requests per second / nginx | CPU per request, µs | p99 / nginx |")
    print("|---|---|---|---|---|---|")
    for label in SIZES:
        base = samples[label, reference]
        for subject in subjects:
            own = samples[label, subject.name]
            pairs = list(zip(own, base, strict=True))
            print(
                f"| {label} | {subject.name} "
                f"| {spread([a.microseconds / b.microseconds for a, b in pairs], 2)} "
                f"| {spread([a.rate / b.rate for a, b in pairs], 2)} "
                f"| {spread([a.microseconds for a in own], 1)} "
                f"| {spread([a.p99 / max(b.p99, 1) for a, b in pairs], 2)} |"
            )
    print()
    for process in dict.fromkeys(subject.process for subject in subjects):
        print(f"Resident after the run: {process.name} {resident_mebibytes(process_tree(process.pid)):.0f} MiB")


if __name__ == "__main__":
    main()
