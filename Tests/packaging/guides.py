"""The code blocks of a guide, and the comments that say how a test treats them (Tests/packaging/README.md)."""

from __future__ import annotations

import dataclasses
import pathlib
import re

DIRECTIVES = {"needs", "file", "adds to", "until"}
FENCE = re.compile(
    r"^(?P<comments>(?:<!-- [^\n]* -->\n)*)(?P<indent> *)```(?P<language>[\w-]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


@dataclasses.dataclass(frozen=True)
class Block:
    page: pathlib.Path
    line: int
    language: str
    directives: dict[str, str]
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"

    @property
    def is_shell(self) -> bool:
        return self.language in ("sh", "bash", "shell")

    @property
    def is_yaml(self) -> bool:
        return self.language in ("yaml", "yml")

    @property
    def commands(self) -> list[str]:
        """The lines of a shell block, with continued lines joined and comments left out."""
        joined = self.text.replace("\\\n", " ")
        return [line for line in map(str.strip, joined.splitlines()) if line and not line.startswith("#")]


def blocks(page: pathlib.Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in FENCE.finditer(text):
        comments = re.findall(r"<!-- (.*) -->", match["comments"])
        directives = dict(comment.split(": ", 1) for comment in comments if ": " in comment)
        line = text.count("\n", 0, match.start("indent")) + 1
        code = re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
        found.append(Block(page, line, match["language"], directives, code))
    return found


def file_block(page: pathlib.Path, name: str) -> str:
    """The text of the block that a guide saves as `name`."""
    (found,) = [block for block in blocks(page) if block.directives.get("file") == name]
    return found.text
