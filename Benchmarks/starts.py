"""Small differences to nginx, with how sure they are. Prints a Markdown table.

    .venv/bin/python Benchmarks/starts.py                               eight starts, about a quarter of an hour
    .venv/bin/python Benchmarks/starts.py --starts 20 --peers nginx-forwarding,gateway --ways plain,latency

Where a program's memory happens to lie makes it faster or slower by a few percent until it ends: rounds with the same processes, however
many, agree with each other and are wrong together. So all programs are started anew a number of times, a start's ratios are averaged,
and what is told is the geometric mean over the starts with its standard error.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Callable

from standing import SAME_REQUESTS, Standing, machine, standing, two_cpus  # isort: skip  # first: it says where the other parts are
from load import Load
from measuring import in_turn, percentile
from peers import PEERS, Subject

Figures = dict[str, float]


def requests(protocol: str) -> Callable[[Load, Subject, float], Figures]:
    def measure(load: Load, subject: Subject, _: float) -> Figures:
        sample = load.run(subject, "/1024", protocol)
        return {"CPU": sample.microseconds, "requests per second": sample.rate}

    return measure


def latency(load: Load, subject: Subject, rate: float) -> Figures:
    return {"p99 at half load": percentile(load.latencies(subject, "/1024", rate, load.seconds), 0.99)}


def same_rate(load: Load, subject: Subject, half: float) -> Figures:
    return {"CPU at three quarters of nginx's load": load.at_rate(subject, "/1024", half * 1.5)}


WAYS: dict[str, tuple[str, Callable[[Standing], list[Subject]], Callable[[Load, Subject, float], Figures]]] = {
    "plain": ("plain", lambda stand: stand.plain, requests("h1")),
    "tls": ("over TLS", lambda stand: stand.secure, requests("tls")),
    "h2": ("HTTP/2 over TLS", lambda stand: stand.secure, requests("h2")),
    "rate": ("plain", lambda stand: stand.plain, same_rate),
    "latency": ("plain", lambda stand: stand.plain, latency),
}


def logarithms(stand: Standing, load: Load, rounds: int, ways: list[str]) -> dict[tuple[str, str], dict[str, list[float]]]:
    """By way and figure: the rounds' logarithms of each subject."""
    # Half of what nginx manages, measured once it is warm.
    load.run(stand.subjects[0], "/1024", "h1")
    half = load.run(stand.subjects[0], "/1024", "h1").rate / 2
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    for way, choose, measure in (WAYS[name] for name in ways):
        subjects = choose(stand)
        for subject in subjects:
            measure(load, subject, half)
        for number in range(rounds):
            for subject in in_turn(subjects, number):
                for figure, value in measure(load, subject, half).items():
                    found.setdefault((way, figure), {}).setdefault(subject.name, []).append(math.log(value))
    return found


def table(starts: list[dict[tuple[str, str], dict[str, list[float]]]], base: str) -> None:
    print(f"\nRatios to {base}:\n\n| | | | lowest–highest start |\n|---|---|---|---|")
    for way, figure in starts[0]:
        if base not in starts[0][way, figure]:
            continue
        for name in starts[0][way, figure]:
            if name == base:
                continue
            own = [statistics.mean(start[way, figure][name]) - statistics.mean(start[way, figure][base]) for start in starts]
            mean = math.exp(statistics.mean(own))
            error = mean * statistics.stdev(own) / math.sqrt(len(own)) if len(own) > 1 else 0
            print(f"| {way}, {figure} | {name} | {mean:.2f} ± {error:.2f} | {math.exp(min(own)):.2f}–{math.exp(max(own)):.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3, help="of each start")
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--peers", default="nginx-forwarding,haproxy,gateway", help=f"of {', '.join(PEERS)}; nginx is always first")
    parser.add_argument("--ways", default=",".join(WAYS), help=f"of {', '.join(WAYS)}")
    options = parser.parse_args()
    peers, ways = options.peers.split(","), options.ways.split(",")
    cpus = two_cpus()
    starts = []
    for number in range(options.starts):
        with standing(peers, cpus) as stand:
            starts.append(logarithms(stand, Load(stand.bench.folder, cpus[1], options.seconds, 64), options.rounds, ways))
        print(f"starts: {number + 1} of {options.starts}", file=sys.stderr)
    print(machine())
    print(f"Geometric mean ± standard error of {options.starts} starts, {options.rounds} rounds of {options.seconds} s each; 1 KiB.")
    table(starts, "nginx")
    if "gateway" in peers:
        table(starts, SAME_REQUESTS)
    if "nginx-forwarding" in peers:
        table(starts, "nginx with forwarding headers")


if __name__ == "__main__":
    main()
