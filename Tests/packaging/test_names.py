"""packaging/names: the one place that says under which names the gateway is built and published."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys

import yaml

from parts.gateway import ROOT, run_command

# What users copy from; decisions and the changelog tell what was.
FOLDERS = ["charts", "docs", "examples", "observability", "packaging", "Sources/gateway", ".github", "README.md", "Dockerfile", "Makefile", "action.yml"]
HISTORY = ROOT / "docs/decisions"


def names(root: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(root / "scripts/names"), *arguments], capture_output=True, text=True)


def texts() -> dict[pathlib.Path, str]:
    found = {}
    for name in FOLDERS:
        for path in [ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*")):
            if path.is_file() and HISTORY not in path.parents and path.suffix not in (".png", ".webp"):
                found[path] = path.read_text(encoding="utf-8", errors="replace")
    return found


def test_every_file_has_the_names_of_packaging_names() -> None:
    done = names(ROOT, "--check")
    assert (done.returncode, done.stdout) == (0, ""), f"run scripts/names: {done.stdout}"


def test_nothing_that_users_copy_has_a_placeholder_for_a_name() -> None:
    placeholder = re.compile(r"\b(OWNER|REGISTRY)\b(?=[/:]|`)")
    assert [str(path.relative_to(ROOT)) for path, text in texts().items() if placeholder.search(text)] == []


def test_render_sidecar_takes_the_same_image() -> None:
    assert "gateway:local" in run_command("render", "sidecar", "--help").stdout


def test_a_release_has_its_own_names_everywhere_and_can_be_undone(tmp_path: pathlib.Path) -> None:
    for name in [*FOLDERS, "scripts/names"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy2)(ROOT / name, tmp_path / name)
    before = {path: path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file()}
    done = names(tmp_path, "IMAGE=ghcr.io/acme/gateway:1.2.3", "REPOSITORY=https://git.example.com/acme/gateway")
    assert done.returncode == 0, done.stderr
    image = yaml.safe_load((tmp_path / "charts/gateway/values.yaml").read_text())["image"]
    assert (image["registry"], image["repository"], str(image["tag"])) == ("ghcr.io", "acme/gateway", "1.2.3")
    assert yaml.safe_load((tmp_path / "charts/gateway/Chart.yaml").read_text())["home"] == "https://git.example.com/acme/gateway"
    alerts = (tmp_path / "observability/alerts.yaml").read_text()
    assert "runbook_url: https://git.example.com/acme/gateway/blob/main/docs/operations/runbook.md#" in alerts
    assert "ghcr.io/acme/gateway:1.2.3" in (tmp_path / "docs/operations/installing.md").read_text()
    assert not [path for path in before if HISTORY.name not in path.parts and "gateway:local" in path.read_text(errors="replace") and path.suffix in (".md", ".yaml")]
    assert names(tmp_path, "--check").returncode == 0
    assert names(tmp_path, "IMAGE=gateway:local", "REPOSITORY=").returncode == 0
    assert {path: path.read_text(errors="replace") for path in before} == before
    assert names(tmp_path, "OTHER=x").returncode == 2
