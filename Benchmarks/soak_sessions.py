"""Ten minutes of replicas that share their sessions, while the store fails over and replicas are killed.

    .venv/bin/python Benchmarks/soak_sessions.py                                   1,000 users, 20 fail-overs and kills, ten minutes
    .venv/bin/python Benchmarks/soak_sessions.py --seconds 60 --disturbances 4
    .venv/bin/python Benchmarks/soak_sessions.py --store standalone                one server that is killed and loses nothing

Tests/e2e/session_soak.py says what is done and what must not happen. Prints the counts; exits with 1 after a violation.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("GATEWAY_BINARY", str(ROOT / ".build/release/gateway"))
sys.path.insert(0, str(ROOT / "Tests/e2e"))

from session_soak import Soak  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--users", type=int, default=1000)
    parser.add_argument("--disturbances", type=int, default=20)
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--store", choices=["sentinel", "standalone"], default="sentinel")
    parser.add_argument("--lifetime", type=int, default=30, help="seconds of an access token")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(pathlib.Path(folder), arguments.users, arguments.store, arguments.replicas, arguments.seed, arguments.lifetime)
        try:
            soak.run(arguments.seconds, arguments.disturbances, arguments.workers)
        finally:
            soak.close()
        for name, count in sorted(soak.counts.items()):
            print(f"{count:8} {name}")
        for violation in soak.violations[:50]:
            print(f"VIOLATION {violation}")
        if soak.violations:
            print("disturbances: " + ", ".join(f"{start:.2f} to {end:.2f}" for start, end in soak.trouble))
        print(f"{len(soak.violations)} violations")
    return 1 if soak.violations else 0


if __name__ == "__main__":
    sys.exit(main())
