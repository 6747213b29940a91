"""The blocks of the guides, exactly as users copy them: YAML is validated, shell runs in order from an empty home directory."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import kubernetes_validate
import pytest
import yaml

from charts import Chart
from guides import DIRECTIVES, Block, blocks, script
from parts.gateway import BINARY, ROOT, merged, run_command, session_key

CHART = ROOT / "charts/gateway"
GUIDES = [ROOT / "docs/getting-started.md", ROOT / "docs/operations/installing.md", CHART / "README.md"]
BLOCKS = [block for page in GUIDES for block in blocks(page)]
NOT_RUN = [block for block in BLOCKS if "needs" in block.directives]
# A block may only be left out for a reason that its commands show.
REASONS = {
    "cluster": r"\b(kubectl|helm)\b",
    "container engine": r"\b(docker|podman|skopeo)\b",
    "root": r"\b(sudo|systemctl|apt|apt-get|install)\b|/etc/",
    "network": r"https://|\bgh\b|\bgit clone\b",
    "build": r"\bmake\b",
    "release": r"\.tar\.gz|\.deb\b",
    "client secret": r"\bgateway (validate|run)\b",
}
OUTPUT = {"text", "console"}
BASE = {
    "version": 1,
    "server": {"publicURL": "https://app.example.com"},
    "upstream": "http://127.0.0.1:8080",
    "providers": [{"id": "oidc.acme", "issuer": "https://auth.example.com", "clientID": "web", "clientSecret": "${file:./client.secret}"}],
    "session": {"keys": ["${file:./session.key}"]},
}


def identifier(block: Block) -> str:
    return f"{block.name} {block.directives.get('needs', '')}".strip()


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_every_block_of_a_guide_has_a_language_and_known_directives(page: pathlib.Path) -> None:
    found = blocks(page)
    assert page.read_text().count("```") == 2 * len(found), "a block that guides.py does not read"
    for block in found:
        assert block.language, f"{block.name}: write ```text for output"
        assert block.directives.keys() <= DIRECTIVES, f"{block.name}: {block.directives}"
        if block.is_shell:
            assert not any(command.startswith("$ ") for command in block.commands), f"{block.name}: a prompt cannot be copied"


@pytest.mark.parametrize("block", NOT_RUN, ids=identifier)
def test_a_block_not_run_shows_its_reason_and_parses(block: Block) -> None:
    assert block.is_shell
    assert re.search(REASONS[block.directives["needs"]], block.text), block.text
    done = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# --- YAML ------------------------------------------------------------------------------------------------------------------


def whole(block: Block) -> Any:
    """The value of a YAML block, laid over the file that it adds to."""
    value = yaml.safe_load(block.text)
    if "adds to" not in block.directives:
        return value
    bases = [other for other in blocks(block.page) if other.directives.get("file") == block.directives["adds to"]]
    return merged(yaml.safe_load(bases[0].text) if bases else BASE, value)


def validate_configuration(value: dict[str, Any], folder: pathlib.Path) -> None:
    """`gateway validate --strict`, with a random value for each secret that the configuration refers to."""
    text = yaml.safe_dump(value, sort_keys=False)
    environment = {name: session_key() for name in re.findall(r"\$\{env:(\w+)", text)}
    for path in re.findall(r"\$\{file:([^}]+)\}", text):
        local = f"secrets/{path.lstrip('./')}"
        text = text.replace(f"${{file:{path}}}", f"${{file:./{local}}}")
        (folder / local).parent.mkdir(parents=True, exist_ok=True)
        (folder / local).write_text(session_key())
        (folder / local).chmod(0o600)
    (folder / "gateway.yaml").write_text(text)
    done = run_command("validate", "--strict", "gateway.yaml", folder=folder, environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.is_yaml], ids=identifier)
def test_yaml_is_valid(block: Block, chart: Chart, tmp_path: pathlib.Path) -> None:
    if "{{" in block.text:
        assert "templates/" in block.directives["file"], "a template that no chart renders"
        return
    value = whole(block)
    if "kind" in value:
        kubernetes_validate.validate(value, "1.33", strict=True)
    elif "version" in value and "apiVersion" not in value:
        validate_configuration(value, tmp_path)
    elif value.keys() <= yaml.safe_load((CHART / "values.yaml").read_text()).keys():
        assert chart.render(chart.values_file("guide", value))
    else:
        # A file of another chart: `test_the_commands_of_a_guide_run_in_order` renders that chart.
        assert "file" in block.directives, f"{block.name}: name the file that this adds to: <!-- adds to: gateway.yaml -->"


# --- Shell -----------------------------------------------------------------------------------------------------------------

LOOPBACK = "import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh14x', b'lo', 0x41))"


def isolation() -> list[str]:
    """Own ports and own processes, which end with the script. Without the permission for that, the guide runs on the machine itself."""
    command = ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    try:
        return command if subprocess.run([*command, "true"], capture_output=True).returncode == 0 else []
    except FileNotFoundError:
        return []


def run_guide(page: pathlib.Path, folder: pathlib.Path, helm: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Runs the blocks of a guide in an empty home directory; the chart's guide in the root of a clone."""
    home, programs, logs = folder / "home", folder / "bin", folder / "logs"
    for created in (home, programs, logs):
        created.mkdir()
    (programs / "gateway").symlink_to(BINARY)
    (programs / "helm").symlink_to(helm)
    current, is_in_clone = home, page.is_relative_to(CHART)
    if is_in_clone:
        current = home / "gateway"
        shutil.copytree(CHART, current / "charts/gateway")
    path = f"{programs}:{os.environ['PATH']}"
    environment = {"HOME": str(home), "LOGS": str(logs), "PATH": path, "LANG": "C.UTF-8", "TMPDIR": str(folder)}
    steps, isolated = script(page, renders=is_in_clone), isolation()
    if isolated:
        steps = f'{sys.executable} -c "{LOOPBACK}"\n{steps}'
    command = [*isolated, "bash", "-c", steps]
    return subprocess.run(command, cwd=current, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_the_commands_of_a_guide_run_in_order(page: pathlib.Path, tool: Callable[[str], pathlib.Path], tmp_path: pathlib.Path) -> None:
    done = run_guide(page, tmp_path, tool("helm"))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


# --- The harness itself ----------------------------------------------------------------------------------------------------

GUIDE = """\
# A guide

<!-- file: site/gateway.yaml -->
```yaml
version: 1
```

```sh
cd site
```

<!-- needs: root -->
```sh
sudo false
```

<!-- until: listening -->
```sh
echo listening
sleep 600
```

```sh
grep version gateway.yaml
```

```text
version: 1
```
"""


def test_files_directories_and_servers_last_until_the_end_of_a_guide(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "guide.md"
    page.write_text(GUIDE)
    done = run_guide(page, tmp_path, pathlib.Path("/nonexistent"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["== guide.md:8", "== guide.md:18, in the background", "== guide.md:23", "version: 1"]


@pytest.mark.parametrize("right, wrong", [("grep version", "grep verssion"), ("echo listening", "exit 3"), ("file: site/", "file: sites/")])
def test_a_wrong_block_fails_its_guide(right: str, wrong: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guides.SECONDS", 1)
    page = tmp_path / "guide.md"
    page.write_text(GUIDE.replace(right, wrong))
    assert run_guide(page, tmp_path, pathlib.Path("/nonexistent")).returncode != 0
