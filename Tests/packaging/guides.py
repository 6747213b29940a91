"""The code blocks of a guide, and the comments that say how a test treats them (Tests/packaging/README.md)."""

from __future__ import annotations

import dataclasses
import pathlib
import re
import shlex

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


def script(page: pathlib.Path, renders: bool) -> str:
    """The guide as one Bash script: files are written and shell blocks run in order, in one shell.

    With `renders`, the installs of blocks that need a cluster are rendered; for this the guide has to run in a clone.
    """
    lines = ["set -euo pipefail", STOP_AND_WAIT.replace("SECONDS_TO_WAIT", str(SECONDS))]
    for block in blocks(page):
        if "file" in block.directives:
            path = shlex.quote(block.directives["file"])
            lines += [f'mkdir -p "$(dirname {path})"', f"cat > {path} <<'END OF THE BLOCK'", f"{block.text}END OF THE BLOCK"]
        elif not block.is_shell:
            continue
        elif block.directives.get("needs") == "cluster":
            lines += [f"echo '== {block.name}, rendered'", *rendered(block)] if renders else []
        elif "needs" in block.directives:
            continue
        elif "until" in block.directives:
            log = f'"$LOGS/{block.line}"'
            lines += [f"echo '== {block.name}, in the background'", f"(\n{block.text}) >{log} 2>&1 &"]
            lines.append(f"wait_until {log} {shlex.quote(block.directives['until'])}")
        else:
            lines += [f"echo '== {block.name}'", block.text.rstrip("\n")]
    return "\n".join(lines) + "\n"


def rendered(block: Block) -> list[str]:
    """The installs of a block that needs a cluster, as `helm template`, which needs none."""
    installs = [command for command in block.commands if re.match(r"helm (install|upgrade) ", command)]
    return [re.sub(r"^helm (install|upgrade)( --install)?", "helm template", command) + " >/dev/null" for command in installs]


# How long a server may take to print the text of `until`.
SECONDS = 30
STOP_AND_WAIT = """
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
wait_until() {
    for _ in $(seq $((SECONDS_TO_WAIT * 10))); do
        if grep --quiet --fixed-strings -- "$2" "$1"; then return; fi
        sleep 0.1
    done
    echo "not within SECONDS_TO_WAIT s: $2"; cat "$1"; return 1
}
"""
