#!/usr/bin/env python3
"""CPU time of `gateway validate`: a file of 500 routes and 30 providers, and a small one. Prints a Markdown table.

    .venv/bin/python Benchmarks/validate.py [BINARY]      default: .build/release/gateway

User and system time of the process, as the kernel counts it: minimum, median and maximum of 40 runs, the two files in turn.
The goals are 50 ms and 15 ms of CPU (median).
"""

from __future__ import annotations

import base64
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RUNS = 40

HEAD = """version: 1
server:
  listen: 127.0.0.1:4180
  publicURL: https://app.example.com
upstream: http://127.0.0.1:8080
session:
  keys: ["${env:SESSION_KEY}"]
providers:
"""
PROVIDER = """  - id: oidc.team-{n}
    displayName: Team {n}
    issuer: https://auth{n}.example.com
    clientID: client-{n}
    clientSecret: ${{env:SECRET_{n}}}
    scopes: [mail.read, calendars.read]
    customParameters: {{ login_hint: user@example.com }}
    requestParameters: [login_hint, ui_locales]
"""
ROUTE = """  - host: app{host}.example.com
    path: /service{n}/**
    methods: [GET, POST]
    upstream: http://127.0.0.1:{port}
    access: {{ groups: [team-{group}, admins], emails: ["*@example.com"] }}
"""


def configuration(providers: int, routes: int) -> str:
    return (
        HEAD
        + "".join(PROVIDER.format(n=n) for n in range(providers))
        + "routes:\n"
        + "".join(ROUTE.format(n=n, host=n % 25, port=9000 + n % 100, group=n % max(1, providers)) for n in range(routes))
    )


def milliseconds(binary: str, file: pathlib.Path, environment: dict[str, str]) -> float:
    child = subprocess.Popen([binary, "validate", str(file)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{file.name} is not valid: run `gateway validate` on it to see why")
    return (usage.ru_utime + usage.ru_stime) * 1000


def main() -> None:
    binary = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/release/gateway")
    secrets = {f"SECRET_{n}": f"a-long-and-secret-value-{n}" for n in range(30)}
    environment = {**os.environ, **secrets, "SESSION_KEY": base64.b64encode(os.urandom(32)).decode()}
    with tempfile.TemporaryDirectory() as folder:
        cases = {}
        for name, providers, routes, goal in [("500 routes, 30 providers", 30, 500, 50), ("1 route, 1 provider", 1, 1, 15)]:
            file = pathlib.Path(folder) / f"{routes}.yaml"
            file.write_text(configuration(providers, routes), encoding="utf-8")
            cases[name] = (file, goal, [])
        for _ in range(RUNS):
            for file, _, times in cases.values():
                times.append(milliseconds(binary, file, environment))
        print("| file | size | goal | minimum | median | maximum |\n|---|---|---|---|---|---|")
        for name, (file, goal, times) in cases.items():
            size = f"{file.stat().st_size / 1024:.0f} KiB"
            print(f"| {name} | {size} | {goal} ms | {min(times):.1f} ms | {statistics.median(times):.1f} ms | {max(times):.1f} ms |")


if __name__ == "__main__":
    main()
