"""What a release is made of: workflows, tarball, manual page, completions."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
from typing import Any

import pytest
import yaml

from parts.gateway import BINARY, ROOT, run_command, session_key

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
DUMP = json.loads(run_command("--experimental-dump-help").stdout)["command"]
COMMANDS = [item for item in DUMP["subcommands"] if item["shouldDisplay"] and item["commandName"] != "help"]


def leaves(command: dict[str, Any], prefix: str = "") -> list[tuple[str, dict[str, Any]]]:
    """The commands that do something, under their whole names."""
    name = f"{prefix}{command['commandName']}"
    inner = [item for item in command.get("subcommands", []) if item["shouldDisplay"] and item["commandName"] != "help"]
    return [leaf for item in inner for leaf in leaves(item, f"{name} ")] or [(name, command)]


LEAVES = [leaf for command in COMMANDS for leaf in leaves(command)]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_are_workflows(file: pathlib.Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(file)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    if shutil.which("actionlint"):
        done = subprocess.run(["actionlint", str(file)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def steps(file: pathlib.Path) -> list[dict[str, Any]]:
    return [step for job in yaml.safe_load(file.read_text())["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_take_no_foreign_code_by_a_name_that_moves_and_no_input_into_scripts(file: pathlib.Path) -> None:
    workflow = yaml.safe_load(file.read_text())
    assert workflow["permissions"] == {"contents": "read"}, "more is given job by job"
    for step in steps(file):
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"]), step["uses"]
        assert "${{" not in step.get("run", ""), "it goes through the environment, where it is data"
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 120
        assert job["runs-on"] != "ubuntu-latest"


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_scripts_in_workflows_name_files_that_there_are_and_parse(file: pathlib.Path) -> None:
    for step in steps(file):
        script = step.get("run", "")
        assert subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True).returncode == 0, script
        for path in re.findall(r"(?<![\w/.-])(?:packaging|scripts|\.ci|charts)/[\w.-]+", script):
            assert (ROOT / path).exists(), path


# --- The manual page --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("manual") / "gateway.1"
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging/manual"), str(BINARY)], capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    )
    assert done.returncode == 0, done.stderr
    path.write_bytes(done.stdout)
    return path


def test_every_command_and_every_option_is_in_the_manual(manual: pathlib.Path) -> None:
    if not shutil.which("mandoc"):
        pytest.skip("no mandoc on this machine")
    text = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=200", str(manual)], capture_output=True, text=True).stdout
    text = re.sub(".\b", "", text)
    assert len(LEAVES) >= 11 and "render sidecar" in dict(LEAVES)
    for name, command in LEAVES:
        assert re.search(rf"^ +{name}$", text, re.MULTILINE), name
        assert f"gateway {name}" in text
        for argument in command.get("arguments", []):
            if argument["shouldDisplay"] and argument["kind"] != "positional" and argument["valueName"] not in ("help", "version"):
                assert f"--{argument['preferredName']['name']}" in text, (name, argument["valueName"])
    for status in ("0", "1", "2", "3", "69", "78"):
        assert re.search(rf"^ +{status}\b", text[text.index("EXIT STATUS") :], re.MULTILINE)


def test_mandoc_has_nothing_to_complain_about(manual: pathlib.Path) -> None:
    if not shutil.which("mandoc"):
        pytest.skip("no mandoc on this machine")
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "style", str(manual)], capture_output=True, text=True)
    assert done.stdout == "" and done.returncode == 0


# --- Tarball and completions ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A stand-in for the program, because nothing here depends on its size: it hands every question on."""
    folder = tmp_path_factory.mktemp("tarball")
    program = folder / "gateway"
    program.write_text(f'#!/bin/sh\nexec "{BINARY}" "$@"\n')
    program.chmod(0o755)
    paths = []
    for name, umask in (("one", 0o022), ("two", 0o077)):
        done = subprocess.run(
            [str(ROOT / "packaging/tarball"), str(program), str(folder / name)],
            capture_output=True,
            text=True,
            env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "PYTHON": sys.executable},
            umask=umask,
        )
        assert done.returncode == 0, done.stderr
        paths.append(pathlib.Path(done.stdout.strip()))
    assert hashlib.sha256(paths[0].read_bytes()).digest() == hashlib.sha256(paths[1].read_bytes()).digest(), "the same program, other bytes"
    return paths[0]


def test_a_tarball_is_the_same_bytes_twice_and_holds_what_it_should(tarball: pathlib.Path) -> None:
    version = run_command("--version").stdout.strip()
    assert tarball.name == f"gateway-{version}-linux-{os.uname().machine}.tar.gz"
    with tarfile.open(tarball) as archive:
        members = {member.name.split("/", 1)[-1]: member for member in archive.getmembers()}
        assert [member.name for member in archive.getmembers()] == sorted((member.name for member in archive.getmembers()))
    assert {
        "bin/gateway",
        "share/man/man1/gateway.1",
        "share/bash-completion/completions/gateway",
        "share/zsh/site-functions/_gateway",
        "share/fish/vendor_completions.d/gateway.fish",
        "share/gateway/gateway.schema.json",
        "share/gateway/observability/alerts.yaml",
        "share/doc/gateway/LICENSE",
        "share/doc/gateway/examples/minimal.yaml",
    } <= members.keys()
    for name, member in members.items():
        assert (member.uid, member.gid, member.mtime) == (0, 0, 1700000000), name
        assert member.mode == (0o755 if member.isdir() or name == "bin/gateway" else 0o644), name


def test_a_tarball_is_unpacked_and_its_program_runs(stripped: pathlib.Path, tmp_path: pathlib.Path) -> None:
    packed = subprocess.run([str(ROOT / "packaging/tarball"), str(stripped), str(tmp_path)], capture_output=True, text=True, env={**os.environ, "PYTHON": sys.executable})
    assert packed.returncode == 0, packed.stderr
    prefix = tmp_path / "usr/local"
    prefix.mkdir(parents=True)
    subprocess.run(["tar", "--extract", "--gzip", "--file", packed.stdout.strip(), "--directory", str(prefix), "--strip-components", "1"], check=True)
    environment = {"PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    for asked in (["--version"], ["explain", "reserved-parameter"]):
        done = subprocess.run(["gateway", *asked], env=environment, capture_output=True, text=True, timeout=30)
        assert done.returncode == 0 and done.stdout == run_command(*asked).stdout, done.stderr
    (tmp_path / "session.key").write_text(session_key())
    (tmp_path / "session.key").chmod(0o600)
    (tmp_path / "gateway.yaml").write_text(
        'version: 1\nupstream: http://127.0.0.1:9\nserver: { listen: "127.0.0.1:4180", publicURL: "https://app.example.com" }\n'
        'session: { keys: ["${file:session.key}"] }\nroutes: [{ path: /**, access: public }]\n'
    )
    done = subprocess.run(["gateway", "validate", "gateway.yaml"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_know_every_command(shell: str, tmp_path: pathlib.Path) -> None:
    done = subprocess.run([str(ROOT / "packaging/completions"), str(BINARY), str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (file,) = [path for path in tmp_path.rglob("*gateway*") if path.is_file() and shell in str(path.relative_to(tmp_path))]
    text = file.read_text()
    for command in COMMANDS:
        assert re.search(rf"\b{command['commandName']}\b", text), command["commandName"]
    if shutil.which(shell):
        assert subprocess.run([shell, "-n", str(file)], capture_output=True).returncode == 0


def test_bash_completes_a_command(tmp_path: pathlib.Path) -> None:
    script = run_command("--generate-completion-script", "bash").stdout
    (tmp_path / "completions").write_text(script)
    ask = "source completions; COMP_WORDS=(gateway vali); COMP_CWORD=1; _gateway gateway vali gateway; printf '%s\\n' \"${COMPREPLY[@]}\""
    done = subprocess.run(["bash", "-c", ask], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == ["validate"], done.stderr


def test_bootstrap_installs_a_mode_once() -> None:
    """Of two arms with one pattern, a shell takes the first: packages in the second would be missing on a fresh machine."""
    text = (ROOT / "scripts/bootstrap").read_text()
    patterns = re.findall(r"^    ([\w*-]+)\) ", text, flags=re.MULTILINE)
    assert {"build", "test", "bench"} <= set(patterns)
    assert sorted(set(patterns)) == sorted(patterns)
