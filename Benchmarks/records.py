"""Recorded costs, and what a measurement differs by. Nothing here measures.

A record has one set of figures for each environment: the same program costs something else on another processor, with another C library or
from another compiler. An environment without a set is reported, and is no failure.
"""

from __future__ import annotations

import json
import os
import pathlib
from dataclasses import dataclass, field

# How many of the functions that changed most are named.
NAMED = 6


@dataclass
class Costs:
    """What each kind of request costs, and the part of each function that is worth a line: function, then kind."""

    totals: dict[str, float]
    functions: dict[str, dict[str, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """What is counted. `relative`: the part of the recorded figure by which a measurement may differ."""

    unit: str
    file: pathlib.Path
    # What counts and compares.
    program: str
    relative: float
    digits: int = 0
    # A function is recorded if it has this part of a request's costs.
    noted: float = 1.0

    def text(self, value: float) -> str:
        return f"{value:,.{self.digits}f}"

    @property
    def command(self) -> str:
        """Updates the record."""
        return f"{self.program} --record"

    # The file

    def read(self) -> dict[str, Costs]:
        """The sets by environment."""
        if not self.file.exists():
            return {}
        return {name: Costs(**members) for name, members in json.loads(self.file.read_text(encoding="utf-8")).items()}

    def write(self, sets: dict[str, Costs]) -> None:
        """One line for each figure and each function, so that a commit shows what changed."""

        def text(value: object) -> str:
            return json.dumps(value, ensure_ascii=False)

        def block(members: dict[str, str], indent: str) -> str:
            return "{\n" + ",\n".join(f"{indent}  {text(name)}: {value}" for name, value in members.items()) + f"\n{indent}}}"

        blocks = {}
        for name, costs in sorted(sets.items()):
            parts = {"totals": costs.totals, "functions": dict(sorted(costs.functions.items()))}
            blocks[name] = block({part: block({key: text(value) for key, value in of.items()}, "    ") for part, of in parts.items() if of}, "  ")
        self.file.write_text(block(blocks, "") + "\n", encoding="utf-8")

    def rounded(self, measured: Costs) -> Costs:
        """What is recorded of a measurement."""

        def number(value: float) -> float:
            return round(value, self.digits) if self.digits else round(value)

        functions = {
            name: {title: number(count) for title, count in counts.items() if count >= measured.totals[title] * self.noted}
            for name, counts in measured.functions.items()
        }
        totals = {title: number(total) for title, total in measured.totals.items()}
        return Costs(totals, {name: counts for name, counts in functions.items() if counts})

    def record(self, environment: str, measured: Costs) -> None:
        self.write({**self.read(), environment: self.rounded(measured)})

    # Comparing

    def report(self, environment: str, measured: Costs, records: bool) -> int:
        """Prints the figures, and the differences last; returns the exit status."""
        known = self.read().get(environment)
        print(f"{environment}\n\n| a request | {self.unit} | recorded |\n|---|---|---|")
        for title, total in measured.totals.items():
            before = known.totals.get(title) if known else None
            print(f"| {title} | {self.text(total)} | {'' if before is None else self.text(before)} |")
        print()
        if records:
            self.record(environment, measured)
            print(f"recorded in {os.path.relpath(self.file)}")
            return 0
        if known is None:
            print(self.unknown(environment))
            return 0
        differences = self.differences(known, measured)
        if differences:
            print(self.explained(differences))
        return 1 if differences else 0

    def explained(self, differences: dict[str, str]) -> str:
        """The differences, and as the last line what to do."""
        kinds = "1 kind of request" if len(differences) == 1 else f"{len(differences)} kinds of requests"
        what = f"{self.unit} of {kinds} are not the recorded ones: to repeat: {self.program}"
        return "\n".join([*differences.values(), f"{what}; if the change is meant, say why in the commit and update the record: {self.command}"])

    def unknown(self, environment: str) -> str:
        return f"nothing is recorded for {environment}; to record it: {self.command}"

    def differences(self, recorded: Costs, measured: Costs) -> dict[str, str]:
        """By title: what differs. The first line of each says the most, where only one line is shown."""
        found = {}
        for title in [*recorded.totals, *(title for title in measured.totals if title not in recorded.totals)]:
            if title not in measured.totals:
                found[title] = f"{title}: recorded, but no longer measured"
            elif title not in recorded.totals:
                found[title] = f"{title}: {self.text(measured.totals[title])} {self.unit}, not recorded yet"
            else:
                text = self._difference(title, recorded, measured)
                if text is not None:
                    found[title] = text
        return found

    def _difference(self, title: str, recorded: Costs, measured: Costs) -> str | None:
        before, after = recorded.totals[title], measured.totals[title]
        if abs(round(after, self.digits) - before) <= before * self.relative + 0.01 * 10**-self.digits:
            return None
        change = f" ({(after - before) / before:+.1%})" if before else ""
        moved = self._moved(title, recorded, measured, 1 if after > before else -1)
        most = f", most in {moved[0]}" if moved else ""
        head = f"{title}: {self.text(after)} {self.unit}, recorded are {self.text(before)}{change}{most}"
        return "".join([head, *(f"\n    {text}" for text in moved[1:])])

    def _moved(self, title: str, recorded: Costs, measured: Costs, sign: int) -> list[str]:
        """`function before → after` of those that changed most in that direction."""
        # A function that is not recorded had less than this.
        least = recorded.totals[title] * self.noted
        rows = []
        for name in {*recorded.functions, *measured.functions}:
            before, after = recorded.functions.get(name, {}).get(title), measured.functions.get(name, {}).get(title, 0.0)
            change = sign * (after - (min(least, after) if before is None else before))
            if change >= max(1.0, least / 10):
                text = f"less than {self.text(least)}" if before is None else self.text(before)
                rows.append((change, f"{name} {text} → {self.text(after)}"))
        return [text for _, text in sorted(rows, reverse=True)[:NAMED]]
