"""Small differences to nginx, with how sure they are. Prints a Markdown table.

    .venv/bin/python Benchmarks/starts.py                               eight starts, about six minutes
    .venv/bin/python Benchmarks/starts.py --starts 20 --peers gateway

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

from standing import Standing, machine, standing, two_cpus  # isort: skip  # first: it says where the other parts are
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


def ratios(stand: Standing, load: Load, rounds: int) -> dict[tuple[str, str, str], float]:
    """By way, figure and subject: the geometric mean of the rounds' ratios to nginx."""
    # Half of what nginx manages, measured once it is warm.
    load.run(stand.subjects[0], "/1024", "h1")
    half = load.run(stand.subjects[0], "/1024", "h1").rate / 2
    logarithms: dict[tuple[str, str, str], list[float]] = {}
    for way, subjects, measure in (
        ("plain", stand.plain, requests("h1")),
        ("over TLS", stand.secure, requests("tls")),
        ("HTTP/2 over TLS", stand.secure, requests("h2")),
        ("plain", stand.plain, latency),
    ):
        for subject in subjects:
            measure(load, subject, half)
        for number in range(rounds):
            round_ = {subject.name: measure(load, subject, half) for subject in in_turn(subjects, number)}
            for name, figures in round_.items():
                for figure, value in figures.items():
                    logarithms.setdefault((way, figure, name), []).append(math.log(value / round_[subjects[0].name][figure]))
    return {key: statistics.mean(values) for key, values in logarithms.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3, help="of each start")
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--peers", default="nginx-forwarding,haproxy,gateway", help=f"of {', '.join(PEERS)}; nginx is always first")
    options = parser.parse_args()
    cpus = two_cpus()
    starts = []
    for number in range(options.starts):
        with standing(options.peers.split(","), cpus) as stand:
            starts.append(ratios(stand, Load(stand.bench.folder, cpus[1], options.seconds, 64), options.rounds))
        print(f"starts: {number + 1} of {options.starts}", file=sys.stderr)
    print(machine())
    print(f"Geometric mean ± standard error of {options.starts} starts, {options.rounds} rounds of {options.seconds} s each; 1 KiB, ratios to nginx.\n")
    print("| | | | lowest–highest start |\n|---|---|---|---|")
    for way, figure, name in starts[0]:
        own = [start[way, figure, name] for start in starts]
        if not any(own):
            continue  # nginx itself
        mean = math.exp(statistics.mean(own))
        error = mean * statistics.stdev(own) / math.sqrt(len(own)) if len(own) > 1 else 0
        print(f"| {way}, {figure} | {name} | {mean:.2f} ± {error:.2f} | {math.exp(min(own)):.2f}–{math.exp(max(own)):.2f} |")


if __name__ == "__main__":
    main()
