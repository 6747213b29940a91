"""The seed of random tests. `TEST_SEED` sets it; the report of a failed test shows it (parts/failures.py)."""

from __future__ import annotations

import os
import random

SEED = int(os.environ.get("TEST_SEED") or random.SystemRandom().getrandbits(32))


def seeded(name: str) -> random.Random:
    """A generator of its own for each `name`, so that a test makes the same choices whether it runs alone or after others."""
    return random.Random(f"{SEED} {name}")
