"""A few seconds of Benchmarks/soak_sessions.py: what must never happen while a store and replicas are killed."""

from __future__ import annotations

from parts.seed import SEED
from session_soak import Soak


def test_kills_of_the_store_and_of_a_replica_lose_revive_and_mix_up_nothing(tmp_path):
    soak = Soak(tmp_path, users=60, lifetime=5, seed=SEED, heard=4.0)
    try:
        soak.run(seconds=14, disturbances=4)
        assert not soak.violations, "\n".join(soak.violations[:20])
        assert all(soak.counts[kind] > 0 for kind in ("refreshes", "sign-outs", "WebSockets ended")), soak.counts
        assert soak.counts["kills of the store"] == 3 and soak.counts["kills of a replica"] == 1
    finally:
        soak.close()
