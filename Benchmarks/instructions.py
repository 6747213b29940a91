"""Instructions of the optimised gateway for one request, and the functions that they belong to.

    .venv/bin/python Benchmarks/instructions.py                     prints a table
    .venv/bin/python Benchmarks/instructions.py --order FILE        also writes the hot functions, in the order in which they run

Counted by callgrind, which is repeatable where times are not. The figures are those of kept connections under load, whose session,
route and upstream connections are known already; the kernel's part of a request is not in them. The linker lays the functions out in
the file's order (packaging/hot-functions, docs/decisions/0019): side by side they need a fifth of the pages.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ.get("GATEWAY_BINARY", ROOT / ".build/release/gateway"))
sys.path.insert(0, str(ROOT / "Tests/e2e"))

WARM_UP, REQUESTS = 400, 8_000
# What is called less often is not worth a place among the hot ones.
LEAST_CALLS = 0.2
ABOUT_THE_USER = [
    "auth.emailVerified", 'auth.uid != ""', 'auth.provider == "oidc.dev"', '"admins" in auth.groups', "has(auth.email)",
    'auth.email.endsWith("@example.com")', "!auth.secondFactor", 'auth.provider != "github.com"', "size(auth.groups) > 0", 'auth.uid != "nobody"',
]  # fmt: skip
# The permit of the first is kept with the session; the second is evaluated for each request.
CONDITIONS = {
    "ten operands about the user": ABOUT_THE_USER,
    "five about the user, five about the request": ABOUT_THE_USER[:5]
    + ['request.method == "GET"', 'request.path.startsWith("/")', 'request.host != ""', 'request.scheme == "http"', '!("x-blocked" in request.headers)'],
}
# Under callgrind every request goes through one run of `gateway run`; everything else runs as it is.
WRAPPER = """#!/bin/sh
[ "$1" = run ] || exec {program} "$@"
exec valgrind --tool=callgrind --demangle=no --callgrind-out-file={folder}/callgrind.%p {program} "$@"
"""


@dataclass
class Profile:
    """One dump of callgrind: who calls whom how often, and what it costs."""

    instructions: int = 0
    own: collections.Counter[str] = field(default_factory=collections.Counter)
    calls: dict[str, collections.Counter[str]] = field(default_factory=lambda: collections.defaultdict(collections.Counter))

    @staticmethod
    def read(file: pathlib.Path) -> Profile:
        profile = Profile()
        names: dict[str, str] = {}

        def name(text: str) -> str:
            number, _, given = text.partition(" ")
            # `f'2` is what callgrind calls a function that called itself.
            if given:
                names[number] = given.split("'")[0]
            return names[number]

        caller, callee, skips = "", "", False
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith("fn="):
                caller = name(line[3:])
            elif line.startswith("cfn="):
                callee = name(line[4:])
            elif line.startswith("calls="):
                profile.calls[caller][callee] += int(line[6:].split()[0])
                # The next line is what the calls cost: the callee's.
                skips = True
            elif line[:1] in set("0123456789+-*") and caller:
                if not skips:
                    cost = line.split()
                    profile.own[caller] += int(cost[1]) if len(cost) > 1 else 0
                skips = False
        profile.instructions = sum(profile.own.values())
        return profile

    def hot(self, requests: int) -> list[str]:
        """From caller to callee, the most frequent first: what runs one after the other comes one after the other."""
        called: collections.Counter[str] = collections.Counter()
        for callees in self.calls.values():
            called.update(callees)
        order: dict[str, None] = {}
        stack = sorted((f for f in self.own if called[f] >= LEAST_CALLS * requests), key=lambda f: self.own[f])
        # Where the profile begins, as far as it is known: what nobody called in it.
        stack += [f for f in self.own if not called[f] and self.own[f] >= LEAST_CALLS * requests]
        while stack:
            function = stack.pop()
            if function in order:
                continue
            order[function] = None
            often = [(n, f) for f, n in self.calls[function].items() if n >= LEAST_CALLS * requests]
            stack += [f for _, f in sorted(often)]
        return list(order)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--order", type=pathlib.Path, metavar="FILE", help="write the hot functions to FILE")
    arguments = parser.parse_args()
    for tool in ("valgrind", "callgrind_control", "h2load", "objcopy"):
        if shutil.which(tool) is None:
            sys.exit(f"instructions: no {tool}: run scripts/bootstrap bench")
    if not PROGRAM.exists():
        sys.exit(f"instructions: no {PROGRAM}: run make build")
    with tempfile.TemporaryDirectory(prefix="gateway-instructions-") as name:
        folder = pathlib.Path(name)
        program, wrapper = folder / "program", folder / "gateway"
        # callgrind reads debug information for minutes; the names of functions are enough.
        subprocess.run(["objcopy", "--strip-debug", str(PROGRAM), str(program)], check=True)
        wrapper.write_text(WRAPPER.format(program=program, folder=folder))
        wrapper.chmod(0o755)
        os.environ["GATEWAY_BINARY"] = str(wrapper)
        profiles = measured(folder)
        symbols = subprocess.run(["nm", "--defined-only", "--format=just-symbols", str(program)], capture_output=True, text=True, check=True)
    print("| a request | instructions |\n|---|---|")
    for title, profile in profiles.items():
        print(f"| {title} | {round(profile.instructions / REQUESTS, -2):,.0f} |")
    if arguments.order is not None:
        # What is another library's is not ours to place.
        ours = set(symbols.stdout.split())
        order = dict.fromkeys(f for profile in profiles.values() for f in profile.hot(REQUESTS) if f in ours)
        arguments.order.write_text("".join(f"{function}\n" for function in order))


def measured(folder: pathlib.Path) -> dict[str, Profile]:
    # They read where the program is when they are loaded.
    from parts.dev_provider import DevProvider
    from peers import Bench, Subject, deciding_subjects, gateway_subjects, start_upstream

    for place in ("www", "www/public"):
        (folder / place).mkdir()
        (folder / place / "1024").write_bytes(b"x" * 1024)
    cpus = sorted(os.sched_getaffinity(0))
    bench = Bench(folder, (cpus[0], cpus[-1]))

    def ask(subject: Subject, count: int, *options: str) -> None:
        headers = [part for header in subject.headers for part in ("-H", header)]
        url = subject.url("/1024", secure=subject.tls_port is not None)
        said = subprocess.run(["h2load", "-t1", f"-n{count}", *options, *headers, url], capture_output=True, text=True, check=True).stdout
        if f" {count} succeeded" not in said:
            sys.exit(f"instructions: {url} did not answer every request:\n{said}")

    def profile(subject: Subject, *options: str) -> Profile:
        dumps = []
        for count in (WARM_UP, REQUESTS):
            ask(subject, count, *options)
            pid = subject.process.pid
            before = set(folder.glob(f"callgrind.{pid}*"))
            # Counts from zero after each.
            subprocess.run(["callgrind_control", "--dump", str(pid)], capture_output=True, check=True)
            dumps += set(folder.glob(f"callgrind.{pid}*")) - before
        return Profile.read(dumps[-1])

    try:
        start_upstream(bench)
        bench.dev = DevProvider("dev-provider", folder)
        bench.running.append(bench.dev.process)
        bench.dev.wait()
        public, authenticated, secure, _ = gateway_subjects(bench, bench.upstream)
        conditions = {
            name: gateway_subjects(bench, bench.upstream, {"routes": [{"path": "/**", "access": {"condition": " && ".join(operands)}}]}, name)[1]
            for name, operands in CONDITIONS.items()
        }
        return {
            "public route": profile(public, "--h1", "-c8"),
            "authenticated route": profile(authenticated, "--h1", "-c8"),
            "public route over TLS": profile(secure, "--h1", "-c8"),
            "public route over HTTP/2": profile(secure, "-c8", "-m8"),
            "a decision for another proxy": profile(deciding_subjects(bench, bench.upstream)[1], "--h1", "-c8"),
            **{f"authenticated route, {name}": profile(subject, "--h1", "-c8") for name, subject in conditions.items()},
        }
    finally:
        for process in reversed(bench.running):
            process.terminate()


if __name__ == "__main__":
    main()
