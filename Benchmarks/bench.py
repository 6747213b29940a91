"""What the gateway costs beside its peers, on this machine, in one run. Prints Markdown tables of ratios to nginx.

    make bench                                                    everything, about half an hour
    .venv/bin/python Benchmarks/bench.py --suite cpu --peers nginx,gateway --rounds 9 --seconds 5
    .venv/bin/python Benchmarks/bench.py --suite cpu --peers nginx     to see that the measuring itself works

How it measures. The program under test has the first CPU to itself; the load, the upstream (another nginx) and the identity
provider share the second. Every round measures every subject once, in an order that turns around with each round, so that a machine
that drifts drifts for all of them; ratios are made within a round. CPU time is what /proc/PID/stat says about the whole process tree
before and after. An answer that is no success, or a socket error, makes the run fail: a fast refusal is no result. Peers with a login
are driven through it against the gateway's own development provider.
"""

from __future__ import annotations

import argparse
import sys
import time

from standing import SIZES, machine, standing, two_cpus  # isort: skip  # first: it says where the other parts are
from idle import WebSocketUpstream, connection_costs, starting_times
from load import Load, Sample
from measuring import in_turn, percentile, process_tree, resident_kibibytes, spread
from peers import PEERS, Bench, Subject, deciding_subjects, gateway_subjects, nginx_subjects

SUITES = ["cpu", "tls", "latency", "logs", "decisions", "routes", "memory", "start"]


def interleaved(subjects: list[Subject], bodies: list[str], protocol: str, load: Load, rounds: int) -> dict[tuple[str, str], list[Sample]]:
    samples: dict[tuple[str, str], list[Sample]] = {}
    for label in bodies:
        path = f"/{SIZES[label]}"
        for subject in subjects:  # warm pools, caches and the branch predictor
            load.run(subject, path, protocol, seconds=1)
        for number in range(rounds):
            for subject in in_turn(subjects, number):
                sample = load.run(subject, path, protocol)
                samples.setdefault((label, subject.name), []).append(sample)
                print(f"bench: {protocol}, {label}, round {number + 1}: {subject.name}: {sample.microseconds:.1f} us, {sample.rate:.0f}/s", file=sys.stderr)
                time.sleep(0.1)
    return samples


def print_ratios(subjects: list[Subject], bodies: list[str], samples: dict[tuple[str, str], list[Sample]]) -> None:
    print("| body | | CPU per request / nginx | requests per second / nginx | CPU per request, µs |")
    print("|---|---|---|---|---|")
    for label in bodies:
        base = samples[label, subjects[0].name]
        for subject in subjects:
            own = samples[label, subject.name]
            pairs = list(zip(own, base, strict=True))
            print(
                f"| {label} | {subject.name} | {spread([a.microseconds / b.microseconds for a, b in pairs], 2)} "
                f"| {spread([a.rate / b.rate for a, b in pairs], 2)} | {spread([a.microseconds for a in own], 1)} |"
            )
    print()


def cpu_suite(subjects: list[Subject], load: Load, rounds: int, bench: Bench) -> None:
    print("### CPU per request, plain HTTP/1.1\n")
    samples = interleaved(subjects, list(SIZES), "h1", load, rounds)
    print_ratios(subjects, list(SIZES), samples)
    print("Resident after it: " + ", ".join(f"{process.name} {resident_kibibytes(process_tree(process.pid)) / 1024:.0f} MiB" for process in dict.fromkeys(s.process for s in subjects)) + ".\n")
    print("New upstream connections for 1,000 requests:\n\n| | |\n|---|---|")
    for subject in subjects:
        before = accepted_by_upstream(bench)
        sample = load.run(subject, "/1024", "h1")
        opened = accepted_by_upstream(bench) - before
        print(f"| {subject.name} | {opened / (sample.rate * load.seconds) * 1000:.1f} |")
    print()


def accepted_by_upstream(bench: Bench) -> int:
    import requests

    return int(requests.get(f"http://127.0.0.1:{bench.upstream}/status", timeout=5).text.split()[7])


def tls_suite(secure: list[Subject], load: Load, rounds: int) -> None:
    for protocol, title in (("tls", "HTTP/1.1 over TLS"), ("h2", "HTTP/2 over TLS, 8 connections")):
        print(f"### CPU per request, {title}\n")
        print_ratios(secure, list(SIZES), interleaved(secure, list(SIZES), protocol, load, rounds))
    print("### A TLS 1.3 handshake and one request (ECDSA P-256)\n\n| | CPU / nginx | CPU, µs |\n|---|---|---|")
    figures: dict[str, list[float]] = {}
    # Who asks for what behind it makes no difference to a handshake.
    secure = [subject for subject in secure if not subject.is_authenticated]
    for _ in range(rounds):
        for subject in secure:
            figures.setdefault(subject.name, []).append(load.handshakes(subject, 500))
    for subject in secure:
        own = figures[subject.name]
        print(f"| {subject.name} | {spread([a / b for a, b in zip(own, figures[secure[0].name], strict=True)], 2)} | {spread(own, 0)} |")
    print()


def latency_suite(subjects: list[Subject], load: Load, rounds: int) -> None:
    """At half of what nginx manages, on sixteen connections."""
    rate = load.run(subjects[0], "/1024", "h1").rate / 2
    print(f"### Latency at half of nginx's load ({rate:.0f} requests per second), 1 KiB\n")
    print("| | p50, µs | p99, µs | p99.9, µs | p99 / nginx |\n|---|---|---|---|---|")
    figures: dict[str, list[list[float]]] = {}
    # What cannot keep up at that rate is measured queueing, not adding: it is left out.
    able = [subject for subject in subjects if load.run(subject, "/1024", "h1", seconds=1).rate > rate * 1.2]
    for number in range(rounds):
        for subject in in_turn(able, number):
            figures.setdefault(subject.name, []).append(load.latencies(subject, "/1024", rate, load.seconds))
    for subject in able:
        rows = figures[subject.name]
        base = figures[subjects[0].name]
        p = [[percentile(row, part) for row in rows] for part in (0.5, 0.99, 0.999)]
        ratios = [percentile(a, 0.99) / percentile(b, 0.99) for a, b in zip(rows, base, strict=True)]
        print(f"| {subject.name} | {spread(p[0], 0)} | {spread(p[1], 0)} | {spread(p[2], 0)} | {spread(ratios, 2)} |")
    print()


def logs_suite(bench: Bench, load: Load, rounds: int, websocket: int) -> None:
    """What the access log costs: the same gateway with and without it."""
    quiet = gateway_subjects(bench, websocket, {"logging": {"level": "warning", "access": {"enabled": False}}}, "quiet")[1]
    logged = gateway_subjects(bench, websocket, {"logging": {"level": "warning", "access": {"to": "stdout"}}}, "logging")[1]
    samples = interleaved([quiet, logged], ["1 KiB"], "h1", load, rounds)
    pairs = zip(samples["1 KiB", logged.name], samples["1 KiB", quiet.name], strict=True)
    print("### The access log\n")
    print(f"CPU per request with it / without it, 1 KiB, authenticated: {spread([a.microseconds / b.microseconds for a, b in pairs], 3)}\n")


def decisions_suite(bench: Bench, load: Load, rounds: int, websocket: int) -> None:
    """What a decision costs beside forwarding, and nginx with `auth_request` beside nginx, both of its processes counted."""
    plain = nginx_subjects(bench, websocket, "nginx alone")[0]
    proxies, decides, tcp, unix = deciding_subjects(bench, websocket)
    samples = interleaved([plain, proxies, decides, tcp, unix], ["1 KiB"], "h1", load, rounds)

    def ratio(one: Subject, other: Subject) -> str:
        pairs = zip(samples["1 KiB", one.name], samples["1 KiB", other.name], strict=True)
        return spread([a.microseconds / b.microseconds for a, b in pairs], 2)

    print("### Decisions for other proxies\n\n| CPU per signed-in request, 1 KiB | ratio | at most |\n|---|---|---|")
    print(f"| a decision / the same request proxied by the gateway | {ratio(decides, proxies)} | 0.5 |")
    print(f"| nginx with `auth_request` and the gateway, over a Unix socket / nginx alone | {ratio(unix, plain)} | 2.0 |")
    print(f"| the same over TCP / nginx alone | {ratio(tcp, plain)} | |\n")


def routes_suite(bench: Bench, load: Load, rounds: int, websocket: int) -> None:
    """What a request costs on the last of ten thousand routes with captures and conditions, beside the last of ten."""
    few, many = (routes_subject(bench, websocket, count) for count in (10, 10_000))
    samples = interleaved([few, many], ["1 KiB"], "h1", load, rounds)
    pairs = zip(samples["1 KiB", many.name], samples["1 KiB", few.name], strict=True)
    print("### Routes\n")
    print(f"CPU per signed-in request, 1 KiB, 10,000 routes / ten: {spread([a.microseconds / b.microseconds for a, b in pairs], 2)} (at most 1.2)\n")


def routes_subject(bench: Bench, websocket: int, count: int) -> Subject:
    routes = [{"path": f"/t{number}/{{user}}/**", "access": {"condition": 'path.user == "alice"'}} for number in range(count)]
    folder = bench.folder / f"www/t{count - 1}/alice"
    folder.mkdir(parents=True)
    (folder / "1024").write_bytes(b"x" * 1024)
    changes = {"routes": [*routes, {"path": "/**"}], "session": {"refresh": False}}
    subject = gateway_subjects(bench, websocket, changes, f"routes-{count}")[1]
    subject.prefix = f"/t{count - 1}/alice"
    return subject


def memory_suite(subjects: list[Subject], websocket: WebSocketUpstream) -> None:
    print("### Memory and idle connections\n")
    print("| | after the start, MiB | per idle keep-alive connection, KiB | per idle WebSocket, KiB |\n|---|---|---|---|")
    for subject in subjects:
        costs = connection_costs(subject, websocket)
        print(f"| {subject.name} | {costs.idle / 1024:.0f} | {costs.keep_alive:.1f} | {f'{costs.websocket:.1f}' if costs.websocket else '–'} |")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--peers", default=",".join(PEERS), help=f"of {', '.join(PEERS)}; nginx is always first")
    parser.add_argument("--suite", default=",".join(SUITES), help=f"of {', '.join(SUITES)}")
    options = parser.parse_args()
    suites = options.suite.split(",")

    cpus = two_cpus()
    with standing(options.peers.split(","), cpus) as stand:
        bench, websocket, plain = stand.bench, stand.websocket, stand.plain
        has_gateway = "gateway" in options.peers.split(",")
        load = Load(bench.folder, cpus[1], options.seconds, options.connections)
        print(machine())
        print(f"Median (lowest–highest) of {options.rounds} rounds of {options.seconds:g} s, {options.connections} keep-alive connections.\n")
        if "memory" in suites:
            memory_suite([s for s in plain if not s.is_authenticated], websocket)
        if "cpu" in suites:
            cpu_suite(plain, load, options.rounds, bench)
        if "tls" in suites:
            tls_suite(stand.secure, load, options.rounds)
        if "latency" in suites:
            latency_suite(plain, load, options.rounds)
        if "logs" in suites and has_gateway:
            logs_suite(bench, load, options.rounds, websocket.port)
        if "decisions" in suites and has_gateway:
            decisions_suite(bench, load, options.rounds, websocket.port)
        if "routes" in suites and has_gateway:
            routes_suite(bench, load, options.rounds, websocket.port)
        if "start" in suites and has_gateway:
            print("### Start to ready\n")
            print(f"`gateway run` to the first 200 of `/readyz`, milliseconds: {spread(starting_times(bench, options.rounds), 0)}\n")


if __name__ == "__main__":
    main()
