"""docs/ as a site: it builds without a warning, loads nothing from elsewhere, and every page says what it is for."""

from __future__ import annotations

import functools
import http.server
import pathlib
import re
import subprocess
import threading

import pytest
from selenium.webdriver.common.by import By

from parts.browser import browser_programs, open_browser
from parts.gateway import ROOT
from parts.processes import eventually

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
# The heading, perhaps a rule's severity, then a paragraph. Comments are invisible.
OPENING = re.compile(r"# [^\n]+\n\n(?:\*(?:error|warning|note)\*\n\n)?(?P<paragraph>(?!#|\||<|```|[-*] |\d+\. )(?:[^\n]+\n)+)")


def build(target: pathlib.Path, configuration: pathlib.Path = ROOT / "mkdocs.yml") -> subprocess.CompletedProcess[str]:
    command = [str(ROOT / ".venv/bin/mkdocs"), "build", "--strict"]
    command += ["--config-file", str(configuration), "--site-dir", str(target)]
    return subprocess.run(command, capture_output=True, text=True, timeout=110)


def small_site(folder: pathlib.Path, nav: str) -> pathlib.Path:
    """A configuration that differs from mkdocs.yml in its pages only."""
    docs, configuration = folder / "docs", folder / "mkdocs.yml"
    docs.mkdir()
    (docs / "README.md").write_text("# Home\n\n[Other](other.md#part)\n")
    (docs / "other.md").write_text("# Other\n\n## Part\n")
    hooks = ROOT / "packaging/site/hooks.py"
    configuration.write_text(f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: {docs}\nhooks: [{hooks}]\nnav: {nav}\n")
    return configuration


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_built(site: pathlib.Path) -> None:
    built = {str(path.relative_to(site)) for path in site.rglob("*.html")}
    for page in PAGES:
        relative = page.relative_to(DOCS)
        assert str(relative.with_name("index.html") if page.name == "README.md" else relative.with_suffix(".html")) in built or (
            # A name such as github.com.md has a suffix of its own.
            f"{str(relative).removesuffix('.md')}.html" in built
        ), relative


def test_the_search_finds_a_rule(site: pathlib.Path, tmp_path: pathlib.Path) -> None:
    if browser_programs() is None:
        pytest.skip("no Chromium with chromedriver on this machine; scripts/bootstrap test installs them")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = open_browser(tmp_path / "browser")

    def results() -> list[str]:
        links = browser.find_elements(By.CSS_SELECTOR, ".md-search-result__link")
        return [link.get_dom_attribute("href") or "" for link in links]

    try:
        browser.get(f"http://127.0.0.1:{server.server_port}/index.html")
        browser.find_element(By.CSS_SELECTOR, "input.md-search__input").send_keys("cors-wildcard")
        eventually(lambda: any("rules/cors-wildcard.html" in link for link in results()), "the page of the rule among the results", 30)
    finally:
        browser.quit()
        server.shutdown()
        server.server_close()


def test_the_navigation_has_the_tasks_and_the_topics(site: pathlib.Path) -> None:
    home = (site / "index.html").read_text()
    tabs = re.findall(r'<li class="?md-tabs__item.*?<a [^>]*>\s*(.*?)\s*</a>', home, re.DOTALL)
    assert tabs == ["Home", "Start", "Configure", "Providers", "Protect", "Operate", "Reference", "Internals"]
    rule = (site / "rules/cors-wildcard.html").read_text()
    assert "Bearer tokens and cross-origin requests" in rule and "cors-same-site.html" in rule


def test_the_site_loads_nothing_from_other_servers(site: pathlib.Path) -> None:
    loading = re.compile(r"<(?:script|img|iframe|source)[^>]*\bsrc=[\"']?(?:https?:)?//|<link[^>]*\bhref=[\"']?(?:https?:)?//")
    for page in site.rglob("*.html"):
        assert not loading.search(page.read_text()), page
    for style in site.rglob("*.css"):
        assert not re.search(r"@import|url\([\"']?(?:https?:)?//", style.read_text()), style


def test_links_to_files_outside_of_docs_stay_inside_the_site(site: pathlib.Path) -> None:
    page = (site / "operations/installing.html").read_text()
    assert 'href="../repository/charts/gateway/index.html' in page
    assert "Three installs to copy" in (site / "repository/charts/gateway/index.html").read_text()


BROKEN = {
    "a missing page": "[x](missing.md)",
    "a missing anchor": "[x](#missing)",
    "an anchor missing on another page": "[x](other.md#missing)",
    "an absolute link": "[x](/other.html)",
    "an image that does not exist": "![x](missing.png)",
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_link_fails_the_build(case: str, tmp_path: pathlib.Path) -> None:
    configuration = small_site(tmp_path, "[README.md, other.md]")
    (tmp_path / "docs/README.md").write_text(f"# Home\n\n{BROKEN[case]}\n")
    assert build(tmp_path / "site", configuration).returncode != 0


def test_a_page_that_the_navigation_lacks_fails_the_build(tmp_path: pathlib.Path) -> None:
    assert build(tmp_path / "site", small_site(tmp_path, "[README.md]")).returncode != 0


def test_a_site_without_mistakes_builds(tmp_path: pathlib.Path) -> None:
    assert build(tmp_path / "site", small_site(tmp_path, "[README.md, other.md]")).returncode == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_starts_with_its_purpose(page: pathlib.Path) -> None:
    text = re.sub(r"<!--.*?-->\n*", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    opening = OPENING.match(text)
    assert opening, "a heading, an empty line, then a paragraph that says what the page is for"
    assert re.search(r"[.:](?:\s|$)", opening["paragraph"]), "the first paragraph has no sentence"
