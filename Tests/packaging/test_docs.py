"""Links between the pages of the repository lead somewhere."""

from __future__ import annotations

import pathlib
import re

from parts.gateway import ROOT

PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md", "charts/**/*.md", "Tests/**/*.md")
    for path in ROOT.glob(pattern)
    if ".build" not in path.parts
)


def anchors(page: pathlib.Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found: set[str] = set()
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
        number = 0
        while f"{anchor}-{number}" in found or (number == 0 and anchor in found):
            number += 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def links(page: pathlib.Path) -> list[str]:
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", text) + re.findall(r"<(?:img|source|a) [^>]*\b(?:src|srcset|href)=\"([^\"]+)\"", text)


def problems(page: pathlib.Path) -> list[str]:
    found = []
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = (page.parent / target).resolve() if target else page
        if not path.exists():
            found.append(f"{page.relative_to(ROOT)}: {link}: there is no {path}")
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            found.append(f"{page.relative_to(ROOT)}: {link}: {path.name} has no such heading")
    return found


def test_links_lead_somewhere() -> None:
    assert len(PAGES) > 100
    assert [problem for page in PAGES for problem in problems(page)] == []
