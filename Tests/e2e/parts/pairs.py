"""Few combinations that contain every pair of values of two dimensions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

Combination = dict[str, str]
Pair = frozenset[tuple[str, str]]


def pairs(combination: Combination) -> Iterator[Pair]:
    for two in itertools.combinations(sorted(combination.items()), 2):
        yield frozenset(two)


def every_pair(dimensions: dict[str, list[str]]) -> set[Pair]:
    return {
        frozenset(((one, a), (two, b)))
        for one, two in itertools.combinations(sorted(dimensions), 2)
        for a, b in itertools.product(dimensions[one], dimensions[two])
    }


def covering(dimensions: dict[str, list[str]], allowed: Callable[[Combination], bool]) -> list[Combination]:
    """The same list in each run. `allowed` refuses whole combinations; a pair that no allowed combination has is left out.

    Takes the combination with the most pairs that are new, again and again.
    """
    names = list(dimensions)
    candidates = [one for one in (dict(zip(names, values)) for values in itertools.product(*dimensions.values())) if allowed(one)]
    sets = [frozenset(pairs(candidate)) for candidate in candidates]
    missing = set().union(*sets)
    chosen: list[Combination] = []
    while missing:
        best = max(range(len(candidates)), key=lambda number: len(sets[number] & missing))
        chosen.append(candidates[best])
        missing -= sets[best]
    return chosen
