"""Counts how often each branch of the hot functions runs, for the compiler: packaging/hot-branches.

    .venv/bin/python Benchmarks/branches.py             builds the gateway that counts, puts it under load, writes the file

The next build puts what runs together side by side and out of the way what does not (docs/decisions/0022). Only what runs for many
requests is written: a function that is not in the file is compiled as without it, one that was counted as rarely run would be
compiled for size.
"""

from __future__ import annotations

import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
COUNTING = ROOT / ".build/instrumented/release/gateway"
FILE = ROOT / "packaging/hot-branches"
# Of the busiest branch of a function; the load is some 100,000 requests of each kind.
LEAST_COUNT = 2_000
SECONDS = 3


@dataclass(frozen=True)
class Function:
    """A record of LLVM's text format of IR-level counts."""

    name: str
    hash: str
    counters: list[int]
    # What is called through pointers, and how large what is copied is.
    values: list[str]

    @staticmethod
    def read(text: str) -> list[Function]:
        functions = []
        for block in text.split("\n\n"):
            lines = [line for line in block.splitlines() if not line.startswith((":", "#"))]
            if lines:
                end = 3 + int(lines[2])
                functions.append(Function(lines[0], lines[1], [int(line) for line in lines[3:end]], lines[end:]))
        return functions

    def __str__(self) -> str:
        # `$0`, no bitmap: without it a next name that begins with `$`, as Swift's do, is read as one.
        return "\n".join([self.name, self.hash, str(len(self.counters)), *map(str, self.counters), "$0", *self.values, "", ""])


def toolchain() -> pathlib.Path:
    information = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
    return pathlib.Path(json.loads(information)["paths"]["runtimeResourcePath"]).parents[1]


def put_under_load() -> None:
    # They read where the program is when they are loaded; the first says where the others are.
    from standing import standing, two_cpus  # isort: skip
    from load import Load
    from peers import deciding_subjects, gateway_subjects

    cpus = two_cpus()
    with standing(["gateway"], cpus) as stand:
        load = Load(stand.bench.folder, cpus[1], SECONDS, 64)
        logged = gateway_subjects(stand.bench, stand.websocket.port, {"logging": {"level": "warning"}}, "gateway-logged")
        for subject in [*stand.subjects, *logged]:
            if not subject.name.startswith("gateway"):
                continue
            for protocol in ["h1"] if subject.tls_port is None else ["tls", "h2"]:
                load.run(subject, "/1024", protocol)
                load.run(subject, "/102400", protocol, 1)
        # Decisions, as Envoy asks for them and as nginx does.
        for subject in deciding_subjects(stand.bench, stand.websocket.port)[1:]:
            load.run(subject, "/1024", "h1")


def main() -> None:
    subprocess.run([str(ROOT / "packaging/build-release"), "--instrumented", *sys.argv[1:]], check=True)
    with tempfile.TemporaryDirectory(prefix="gateway-branches-") as name:
        os.environ |= {"GATEWAY_BINARY": str(COUNTING), "LLVM_PROFILE_FILE": f"{name}/%p.profraw"}
        put_under_load()
        counts = glob.glob(f"{name}/*.profraw")
        if not counts:
            sys.exit(f"branches: {COUNTING} wrote no counts when it ended")
        text = subprocess.run(
            [str(toolchain() / "bin/llvm-profdata"), "merge", "--sparse", "--text", *counts, "-o", "-"], capture_output=True, text=True, check=True
        ).stdout
    hot = sorted((function for function in Function.read(text) if max(function.counters) >= LEAST_COUNT), key=lambda function: function.name)
    FILE.write_text(":ir\n" + "".join(map(str, hot)))
    print(f"branches: {len(hot)} functions in {FILE.relative_to(ROOT)}; build again, then Benchmarks/instructions.py --order packaging/hot-functions")


if __name__ == "__main__":
    main()
