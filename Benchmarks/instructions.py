"""Instructions of the optimised gateway for one request, and the functions that they belong to.

    .venv/bin/python Benchmarks/instructions.py                     prints a table; exit status 1 if a figure is not the recorded one
    .venv/bin/python Benchmarks/instructions.py --record            writes the figures to Benchmarks/instructions.json
    .venv/bin/python Benchmarks/instructions.py --order FILE        writes the hot functions, in the order in which they run

Counted by callgrind, which is repeatable where times are not (costs.py says how). The figures are those of a kept connection with one request
at a time, whose session, route and upstream connection are known already; the kernel's part of a request is not in them. The linker lays the
functions out in the file's order (packaging/hot-functions, docs/decisions/0019): side by side they need a fifth of the pages.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from costs import BINARY, ENVIRONMENT, PROCESSOR, REQUESTS, ROOT, Failure, Shared, measured, middle, repeatable
from parts.gateway import Gateway
from records import Costs, Kind

RECORD = Kind(
    unit="instructions",
    file=ROOT / "Benchmarks/instructions.json",
    program=".venv/bin/python Benchmarks/instructions.py",
    relative=0.02,
    noted=0.005,
)
PARTS = ("plain", "secure", "stored")
# What is called less often is not worth a place among the hot ones.
LEAST_CALLS = 0.2
# Most of what they execute, no other request does: it would stand between what all of them need.
UNORDERED = ("bearer token, checked before", "sign-in required", "session in Redis, miss")
LONGEST_NAME = 120
LOADERS = {"x86_64": "/lib64/ld-linux-x86-64.so.2", "aarch64": "/lib/ld-linux-aarch64.so.1"}


@dataclass
class Profile:
    """One dump of callgrind: who calls whom how often, and what it costs."""

    instructions: int = 0
    own: collections.Counter[str] = field(default_factory=collections.Counter)
    calls: dict[str, collections.Counter[str]] = field(default_factory=lambda: collections.defaultdict(collections.Counter))
    # The file of the program or library that each function is in.
    objects: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def read(file: pathlib.Path) -> Profile:
        profile = Profile()
        names: dict[str, dict[str, str]] = {"fn": {}, "ob": {}}

        def name(kind: str, text: str) -> str:
            number, _, given = text.partition(" ")
            # `f'2` is what callgrind calls a function that called itself.
            if given:
                names[kind][number] = given.split("'")[0] if kind == "fn" else given
            return names[kind][number]

        caller, callee, place, skips = "", "", "", False
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith("fn="):
                caller = name("fn", line[3:])
                profile.objects[caller] = place
            elif line.startswith("ob="):
                place = name("ob", line[3:])
            elif line.startswith("cob="):
                name("ob", line[4:])
            elif line.startswith("cfn="):
                callee = name("fn", line[4:])
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


class Callgrind:
    """Counts instructions; a profile for each batch. `processor`: what the gateway finds of it."""

    def __init__(self, folder: pathlib.Path, processor: dict[str, str] = PROCESSOR) -> None:
        for tool in ("valgrind", "vgdb", "objcopy", "taskset"):
            if shutil.which(tool) is None:
                raise Failure(f"no {tool}: run scripts/bootstrap test")
        self.folder = folder
        self.environment = {**ENVIRONMENT, **processor}
        self.library = repeatable(folder)
        self.program = folder / "program"
        # callgrind reads debug information for minutes; the names of functions are enough.
        subprocess.run(["objcopy", "--strip-debug", str(BINARY), str(self.program)], check=True)
        self.shared: dict[str, Shared] = {}
        self.dumps: collections.Counter[str] = collections.Counter()

    def launch(self, gateway: Gateway) -> None:
        self.shared[gateway.name] = shared = Shared(self.folder, self.library, gateway, self.environment)
        options = ["--tool=callgrind", "--demangle=no", "--instr-atstart=no", f"--vgdb-prefix={self.folder}/vgdb"]
        shared.start("valgrind", *options, f"--callgrind-out-file={self._dump(gateway)}", str(self.program))

    def begin(self, gateway: Gateway) -> None:
        self.shared[gateway.name].stop_clocks()
        self._tell(gateway, "instrumentation on")

    def reset(self, gateway: Gateway) -> None:
        self._tell(gateway, "zero")

    def read(self, gateway: Gateway) -> Profile:
        self._tell(gateway, "dump")
        self.dumps[gateway.name] += 1
        return Profile.read(pathlib.Path(f"{self._dump(gateway)}.{self.dumps[gateway.name]}"))

    def _dump(self, gateway: Gateway) -> pathlib.Path:
        return self.folder / f"callgrind.{gateway.name}"

    def _tell(self, gateway: Gateway, command: str) -> None:
        assert gateway.process is not None
        done = subprocess.run(["vgdb", f"--vgdb-prefix={self.folder}/vgdb", f"--pid={gateway.process.pid}", command], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"callgrind did not obey `{command}`:\n{done.stdout}{done.stderr}{gateway.log[-2000:]}")


def said(*command: str) -> str:
    settings = {**os.environ, **PROCESSOR}
    try:
        return subprocess.run(command, capture_output=True, text=True, env=settings).stdout
    except OSError:
        return ""


def compiler() -> str:
    version = re.search(r"\((swift[^\s)]*)\)", said("swiftc", "--version"))
    return version.group(1) if version else "unknown Swift"


def environment() -> str:
    """What the figures depend on besides the program's sources: they are compared only where it is the same."""
    cryptography = ctypes.CDLL("libcrypto.so.3").OpenSSL_version
    cryptography.restype = ctypes.c_char_p
    return ", ".join(
        [
            platform.machine(),
            compiler(),
            os.confstr("CS_GNU_LIBC_VERSION") or "unknown libc",
            # Without the patch release.
            " ".join(cryptography(0).decode().split()[:2]).rpartition(".")[0],
            said("valgrind", "--version").strip() or "unknown valgrind",
            f"features {features(said('valgrind', '-q', '--tool=none', LOADERS.get(platform.machine(), 'unknown'), '--list-diagnostics'))}",
        ]
    )


def features(diagnostics: str) -> str:
    """A name for what the C library makes of the processor, as it sees it below valgrind and with `ENVIRONMENT`."""
    lines = [line for line in diagnostics.splitlines() if re.match(r"dl_hwcap2?=|[a-z0-9]+\.cpu_features\.(?!.*\.cpuid\[)", line)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8] if lines else "unknown"


def readable(names: list[str]) -> dict[str, str]:
    """Functions as people write them, short enough for a line."""
    text = "\n".join(names)
    for command in (["swift", "demangle", "--compact", "--simplified"], ["c++filt", "-p"]):
        if shutil.which(command[0]):
            text = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.rstrip("\n")
    lines = text.split("\n")
    return {name: line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…" for name, line in zip(names, lines, strict=True)}


def costs(profiles: dict[str, Profile], program: pathlib.Path) -> Costs:
    """For one request. Another library counts as one function: its names are not installed everywhere."""
    names = readable(list(dict.fromkeys(function for profile in profiles.values() for function in profile.own)))
    functions: dict[str, dict[str, float]] = {}
    for title, profile in profiles.items():
        for function, instructions in profile.own.items():
            place = pathlib.Path(profile.objects[function])
            counts = functions.setdefault(names[function] if place.name == program.name else place.name, {})
            counts[title] = counts.get(title, 0) + instructions / REQUESTS
    return Costs({title: profile.instructions / REQUESTS for title, profile in profiles.items()}, functions)


def profiles(folder: pathlib.Path, callgrind: Callgrind) -> dict[str, Profile]:
    return {title: middle(batches, lambda profile: profile.instructions) for title, batches in measured(folder, callgrind, *PARTS)}


def measure(folder: pathlib.Path) -> Costs:
    callgrind = Callgrind(folder)
    return costs(profiles(folder, callgrind), callgrind.program)


def write_order(file: pathlib.Path, folder: pathlib.Path) -> None:
    # With all that the processor offers, as where the program is used.
    callgrind = Callgrind(folder, {})
    found = profiles(folder, callgrind)
    symbols = subprocess.run(["nm", "--defined-only", "--format=just-symbols", str(callgrind.program)], capture_output=True, text=True, check=True)
    # What is another library's is not ours to place.
    ours = set(symbols.stdout.split())
    order = dict.fromkeys(f for title, profile in found.items() if title not in UNORDERED for f in profile.hot(REQUESTS) if f in ours)
    file.write_text("".join(f"{function}\n" for function in order))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help=f"write the figures to {RECORD.file.relative_to(ROOT)}")
    parser.add_argument("--order", type=pathlib.Path, metavar="FILE", help="only write the hot functions to FILE")
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="gateway-instructions-") as name:
            if arguments.order is not None:
                return write_order(arguments.order, pathlib.Path(name))
            sys.exit(RECORD.report(environment(), measure(pathlib.Path(name)), arguments.record))
    except Failure as failure:
        sys.exit(f"instructions: {failure}")


if __name__ == "__main__":
    main()
