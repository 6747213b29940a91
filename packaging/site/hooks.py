"""Hooks of mkdocs.yml.

Sections of the navigation come from the README.md of a folder. Files outside of docs/ that a page links to become pages below
`repository/`, so that the same links work in a repository browser and on the site.
"""

from __future__ import annotations

import pathlib
import posixpath
import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTSIDE = "repository/"
IMAGES = {".png", ".svg"}
# Code first: it can contain anything that looks like a link.
CODE_OR_LINK = re.compile(
    r"(?P<code>^ *```.*?^ *```$)|(?P<link>!?\[(?P<text>(?:[^\[\]`]|`[^`\n]*`)*)\]\((?P<target>[^)\s]+)\))|(?P<span>`[^`\n]+`)",
    re.MULTILINE | re.DOTALL,
)


# --- Navigation -----------------------------------------------------------------------------------------------------------


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = expanded(config.nav, pathlib.Path(config.docs_dir))
    return config


def expanded(entries: list[Any], docs: pathlib.Path) -> list[Any]:
    """The navigation with the sections of each folder in its place."""
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, dict):
            found.append({title: expanded(value, docs) if isinstance(value, list) else value for title, value in entry.items()})
        elif entry.endswith("/"):
            found += section(docs, entry)
        else:
            found.append(entry)
    return found


def section(docs: pathlib.Path, folder: str) -> list[Any]:
    """The README.md of a folder, then the pages it links to, below its level-2 headings."""
    index = (docs / folder / "README.md").read_text(encoding="utf-8")
    start, *topics = re.split(r"^## (.+)\n", index, flags=re.MULTILINE)

    def pages(text: str) -> list[str]:
        return [f"{folder}{page}" for page in dict.fromkeys(re.findall(r"\]\(([\w.-]+\.md)\)", text))]

    groups = zip(topics[::2], topics[1::2])
    return [f"{folder}README.md", *pages(start), *({title.replace("`", ""): pages(text)} for title, text in groups)]


# --- Links out of docs/ ----------------------------------------------------------------------------------------------------


def site_path(path: str) -> str | None:
    """The source path in the site of a file of the repository; None for a folder without a README.md."""
    if (ROOT / path).is_dir():
        path = posixpath.join(path, "README.md")
        if not (ROOT / path).is_file():
            return None
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    suffix = pathlib.PurePosixPath(path).suffix
    return OUTSIDE + path if suffix == ".md" or suffix in IMAGES else f"{OUTSIDE}{path}.md"


def repository_path(src_uri: str) -> str:
    return src_uri.removeprefix(OUTSIDE) if src_uri.startswith(OUTSIDE) else f"docs/{src_uri}"


def target_of(link: str, page: str) -> str | None:
    """The path in the repository that a relative link of a page leads to, if that exists."""
    target = link.partition("#")[0]
    if not target or re.match(r"[a-z][a-z+.-]*:", target) or target.startswith("/"):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    return path if not path.startswith("..") and (ROOT / path).exists() else None


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the files outside of docs/ that pages link to, and those that the added pages link to."""
    if pathlib.Path(config.docs_dir) != ROOT / "docs":
        return files
    open_pages = [repository_path(file.src_uri) for file in files.documentation_pages()]
    while open_pages:
        page = open_pages.pop()
        if not (page.endswith(".md") and (ROOT / page).is_file()):
            continue
        for match in CODE_OR_LINK.finditer((ROOT / page).read_text(encoding="utf-8")):
            target = target_of(match["target"], page) if match["link"] else None
            if target is None:
                continue
            source = site_path(target)
            if source and source.startswith(OUTSIDE) and files.get_file_from_path(source) is None:
                files.append(published(source, config))
                open_pages.append(source.removeprefix(OUTSIDE))
    return files


def published(source: str, config: MkDocsConfig) -> File:
    path = source.removeprefix(OUTSIDE)
    if (ROOT / path).is_file():
        return File.generated(config, source, abs_src_path=str(ROOT / path), inclusion=InclusionLevel.NOT_IN_NAV)
    path = path.removesuffix(".md")
    language = {".yaml": "yaml", ".swift": "swift", ".py": "python", ".json": "json"}.get(pathlib.PurePosixPath(path).suffix, "text")
    code = (ROOT / path).read_text(encoding="utf-8")
    content = f"# `{path}`\n\nThis page shows the file `{path}` of the repository.\n\n````{language}\n{code}````\n"
    return File.generated(config, source, content=content, inclusion=InclusionLevel.NOT_IN_NAV)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    source = page.file.src_uri
    origin = repository_path(source)

    def rewritten(match: re.Match[str]) -> str:
        if match["span"]:
            # Repository browsers need the backslash inside a table, Python-Markdown would print it.
            return match["span"].replace("\\|", "|")
        target = target_of(match["target"], origin) if match["link"] else None
        if target is None:
            return match[0]
        path = site_path(target)
        if path is None:
            return match["text"]
        anchor = match["target"].partition("#")[1:]
        link = posixpath.relpath(path, posixpath.dirname(source) or ".") + "".join(anchor)
        return match["link"].removesuffix(f"({match['target']})") + f"({link})"

    return CODE_OR_LINK.sub(rewritten, markdown)
