"""The cost of accounts: what a sign-in adds, and how it grows with the number of accounts. Prints a Markdown table.

    .venv/bin/python Benchmarks/accounts.py                                    300 sign-ins of each kind, a thousand and a million accounts
    .venv/bin/python Benchmarks/accounts.py --sign-ins 100 --accounts 1000,100000

Every variant signs the same users of the local provider in, one after the other, and takes its turn in each round, so that a slow moment of the
machine falls on all of them. CPU is the gateway's own, of all its threads. p99 is of the callback's answer, the provider's part included.
"""

from __future__ import annotations

import argparse
import pathlib
import sqlite3
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/e2e"))

from accounts import begin  # noqa: E402
from logins import NAVIGATION, new_client  # noqa: E402
from parts.dev_provider import DevProvider  # noqa: E402
from parts.gateway import Gateway, session_key  # noqa: E402
from parts.postgres import Postgres  # noqa: E402
from parts.upstream import Upstream  # noqa: E402

from measuring import percentile  # noqa: E402

PEOPLE = ("alice", "bob", "carol", "zoe", "erin")


def cpu_seconds(pid: int) -> float:
    """The time on a processor of all threads, to the nanosecond."""
    return sum(int(file.read_text().split()[0]) for file in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def fill(path: pathlib.Path, count: int) -> None:
    """Adds accounts that nobody signs in to."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    numbers = range(count)
    database.executemany(
        "INSERT INTO accounts VALUES (?, ?, ?, ?, NULL, 0, 'mail', 'Somebody', NULL, 0, 0, 1700000000000, 1700000000000, NULL, 1)",
        ((f"u{n:025d}", f"user{n}@filler.example", f"user{n}@filler.example", f"user{n}@filler.example") for n in numbers),
    )
    database.executemany(
        "INSERT INTO identities VALUES ('oidc.filler', 'https://filler.example', ?, ?, 0, ?, 1, NULL, NULL, 1700000000000)",
        ((f"subject-{n}", f"u{n:025d}", f"user{n}@filler.example") for n in numbers),
    )
    database.commit()
    database.close()


class Variant:
    def __init__(self, name: str, folder: pathlib.Path, provider: DevProvider, upstream: Upstream, store: str | None) -> None:
        self.name = name
        accounts = {} if store is None else {"accounts": {"store": store, "keys": [session_key()]}}
        self.gateway = Gateway(
            name.replace(" ", "-").replace(",", ""), folder, {"upstream": upstream.origin, "providers": [provider.configuration], "logging": {"level": "warning"}, "audit": None, **accounts}
        )
        self.provider = provider
        self.cpu: list[float] = []
        self.times: list[float] = []

    def sign_in(self, person: str, measured: bool = True) -> None:
        client = new_client()
        begun = begin(self.gateway, client, "/login/oidc.dev")
        page = client.get(begun.headers["Location"], headers=NAVIGATION, timeout=20)
        callback = self.provider.sign_in(client, page, person)
        pid = self.gateway.process.pid
        cpu, began = cpu_seconds(pid), time.perf_counter()
        answer = client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=20)
        elapsed, used = time.perf_counter() - began, cpu_seconds(pid) - cpu
        assert answer.status_code == 303, answer.text[:500]
        client.close()
        if measured:
            self.cpu.append(used * 1e3)
            self.times.append(elapsed * 1e3)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sign-ins", type=int, default=300)
    options.add_argument("--accounts", default="1000,1000000", help="sizes of the SQLite stores")
    chosen = options.parse_args()
    sizes = [int(size) for size in chosen.accounts.split(",")]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gateway-accounts-"))
    upstream, postgres = Upstream(), Postgres()
    provider = DevProvider("dev-provider", folder).wait()
    variants = [Variant("no accounts", folder, provider, upstream, None), Variant("PostgreSQL", folder, provider, upstream, postgres.database("accounts"))]
    try:
        for size in sizes:
            path = folder / f"accounts-{size}.db"
            variant = Variant(f"SQLite, {size:,} accounts", folder, provider, upstream, f"sqlite:{path}")
            variant.gateway.start()  # makes the schema
            variant.gateway.stop()
            fill(path, size)
            variants.append(variant)
        for variant in variants:
            variant.gateway.start()
            for person in PEOPLE * 2:
                variant.sign_in(person, measured=False)
        for number in range(chosen.sign_ins):
            for variant in variants[number % len(variants) :] + variants[: number % len(variants)]:
                variant.sign_in(PEOPLE[number % len(PEOPLE)])
        plain = statistics.mean(variants[0].cpu)
        print("| sign-in | CPU, ms | added, ms | median, ms | p99, ms |\n|---|---|---|---|---|")
        for variant in variants:
            cpu = statistics.mean(variant.cpu)
            print(
                f"| {variant.name} | {cpu:.2f} | {cpu - plain:+.2f} | {statistics.median(variant.times):.1f} | {percentile(variant.times, 0.99):.1f} |"
            )
        p99 = [percentile(variant.times, 0.99) for variant in variants[2:]]
        print(f"\np99 with {sizes[-1]:,} accounts: {p99[-1] / p99[0]:.2f} of that with {sizes[0]:,}")
    finally:
        for variant in variants:
            variant.gateway.kill()
        provider.process.kill()
        postgres.close()
        upstream.close()


if __name__ == "__main__":
    main()
