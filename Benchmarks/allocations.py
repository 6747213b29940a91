"""Allocations per request of the optimised gateway, held against a threshold.

    .venv/bin/python Benchmarks/allocations.py            exit status 1 when a way of a request allocates more than it may

Deterministic: the same binary makes the same calls of malloc whatever else the machine does. The figures are those of a kept
connection whose session, route and upstream connection are known already. The development provider and the upstream are other
processes and do not count.
"""

from __future__ import annotations

import http.client
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("GATEWAY_BINARY", str(ROOT / ".build/release/gateway"))
sys.path.insert(0, str(ROOT / "Tests/e2e"))

from logins import session_cookie, sign_in  # noqa: E402
from parts.dev_provider import DevProvider  # noqa: E402
from parts.gateway import Gateway  # noqa: E402
from peers import Bench, start_upstream  # noqa: E402

REQUESTS = 2_000
# Calls of malloc and its kin for one request. A change that needs more says why in docs/performance.md.
THRESHOLDS = {"public route": 0.5, "authenticated route": 0.5, "authenticated route, access log": 1.0, "sign-in required": 55.0}


def allocations(counter: pathlib.Path) -> int:
    return struct.unpack("<Q", counter.read_bytes())[0]


def per_request(gateway: Gateway, counter: pathlib.Path, path: str, headers: dict[str, str]) -> float:
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)

    def ask(count: int) -> None:
        for _ in range(count):
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            response.read()

    ask(500)
    before = allocations(counter)
    ask(REQUESTS)
    used = allocations(counter) - before
    connection.close()
    return used / REQUESTS


def main() -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        sys.exit("allocations: no C compiler: install gcc")
    with tempfile.TemporaryDirectory(prefix="gateway-allocations-") as name:
        folder = pathlib.Path(name)
        library = folder / "allocations.so"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(ROOT / "Benchmarks/allocations.c"), "-ldl"], check=True)
        (folder / "www").mkdir()
        (folder / "www/public").mkdir()
        for place in ("www", "www/public"):
            (folder / place / "1024").write_bytes(b"x" * 1024)
        cpus = sorted(os.sched_getaffinity(0))
        bench = Bench(folder, (cpus[0], cpus[-1]))
        figures: dict[str, float] = {}
        try:
            start_upstream(bench)
            dev = DevProvider("dev-provider", folder)
            bench.running.append(dev.process)
            dev.wait()
            for title, access in (("", False), (", access log", True)):
                counter = folder / f"counter{access}"
                counter.write_bytes(bytes(8))
                gateway = Gateway(
                    f"gateway-{access}",
                    folder,
                    {
                        "upstream": f"http://127.0.0.1:{bench.upstream}",
                        "providers": [dev.configuration],
                        "routes": [{"path": "/public/**", "access": "public"}, {"path": "/**", "access": {"groups": ["admins"]}}],
                        "session": {"refresh": False},
                        "logging": {"level": "warning", "access": {"enabled": access}},
                    },
                )
                gateway.start({"LD_PRELOAD": str(library), "ALLOCATIONS_FILE": str(counter)})
                assert gateway.process is not None
                bench.running.append(gateway.process)
                cookie = {"Cookie": f"session={session_cookie(sign_in(gateway, dev))}"}
                figures["authenticated route" + title] = per_request(gateway, counter, "/1024", cookie)
                if not access:
                    figures["public route"] = per_request(gateway, counter, "/public/1024", {})
                    figures["sign-in required"] = per_request(gateway, counter, "/1024", {"Accept": "application/json"})
        finally:
            for process in reversed(bench.running):
                process.terminate()
    print("| allocations per request | measured | threshold |\n|---|---|---|")
    failed = False
    for title, threshold in THRESHOLDS.items():
        print(f"| {title} | {figures[title]:.1f} | {threshold:.1f} |")
        failed = failed or figures[title] > threshold
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
