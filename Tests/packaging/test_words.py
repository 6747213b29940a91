"""`scripts/words`: what it finds, and what it leaves alone."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

from parts.gateway import ROOT


def found(path: pathlib.Path, text: str) -> list[str]:
    """The findings without the file's name, and the exit status that goes with them."""
    path.write_text(text, encoding="utf-8")
    run = subprocess.run([sys.executable, str(ROOT / "scripts/words"), str(path)], capture_output=True, text=True, timeout=60)
    lines = run.stdout.splitlines()
    assert run.returncode == (1 if lines else 0), run.stderr
    return [line.removeprefix(f"{path.name}:") for line in lines]


@pytest.mark.parametrize(
    "text, line, word",
    [
        ("A person signs in.", 1, "person"),
        ("Words.\n\nWhoever is not signed in\n", 3, "Whoever"),
        ("the upstream is\ntold the prefix", 1, "is told"),
        ("> one room\n", 1, "room"),
        ("| cell | the other side |", 1, "the other side"),
        ("Two letters wait", 1, "letters"),
    ],
)
def test_words_are_found_in_prose(tmp_path: pathlib.Path, text: str, line: int, word: str) -> None:
    findings = found(tmp_path / "page.md", text)
    assert len(findings) == 1
    assert findings[0].startswith(f'{line}: "{word}": write ')


@pytest.mark.parametrize(
    "text",
    [
        "The user signs in; headroom and placeholders; a personal address.",
        "```yaml\nperson: whoever\n```\n",
        "`person` and [a link](room.md)",
        "the test “a person signs in”",
        "lower-case letters, or letters and digits; fixed in place",
    ],
)
def test_code_and_terms_of_the_field_are_left_alone(tmp_path: pathlib.Path, text: str) -> None:
    assert found(tmp_path / "page.md", text) == []


def test_comments_of_examples_are_read(tmp_path: pathlib.Path) -> None:
    assert [finding.split(":")[0] for finding in found(tmp_path / "gateway.yaml", "version: 1\n# Whoever signs in may pass.\n")] == ["2"]


@pytest.mark.parametrize(
    "text, lines",
    [
        ('log("one person") // whoever\n', ["1"]),
        ('/* a room */ let person = names["x"]\n', []),
        ('help = """\n    what\n      came\n    """\n', ["2"]),
        ('text = "is \\\n told"', ["1"]),
        ('text = "a \\(person ? "one room" : f("x")) by whoever"', ["1", "1"]),
        ('fields["person"], "<input name=\\"person\\">"', []),
        ('let raw = #"a "quoted" person"#, other = "// by whoever"\n', ["1", "1"]),
    ],
)
def test_only_string_literals_of_swift_are_read(tmp_path: pathlib.Path, text: str, lines: list[str]) -> None:
    assert [finding.split(":")[0] for finding in found(tmp_path / "Source.swift", text)] == lines
