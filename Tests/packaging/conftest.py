"""What is shipped around the program: the chart, the examples, the image, the release. No cluster and no container engine."""

from __future__ import annotations

import os
import pathlib
import subprocess
from collections.abc import Callable

import pytest

from charts import Chart
from parts import failures, isolation
from parts.gateway import BINARY, ROOT

isolation.reset()


def pytest_configure(config: pytest.Config) -> None:
    if not BINARY.exists():
        pytest.exit(f"{BINARY} does not exist; build it first (make build), or set GATEWAY_BINARY", returncode=2)
    config.pluginmanager.register(failures, "failures")


@pytest.fixture(scope="session")
def tool() -> Callable[[str], pathlib.Path]:
    """The path of a program: from the Python environment, else from the machine."""

    def find(name: str) -> pathlib.Path:
        folders = [ROOT / ".venv/bin", *map(pathlib.Path, os.environ["PATH"].split(os.pathsep))]
        for folder in folders:
            if (folder / name).exists():
                return folder / name
        pytest.skip(f"no {name} on this machine; scripts/bootstrap test installs it where it can")

    return find


@pytest.fixture(scope="session")
def stripped(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The program as it is shipped."""
    path = tmp_path_factory.mktemp("stripped") / "gateway"
    subprocess.run([str(ROOT / "packaging/strip"), str(BINARY), str(path)], check=True, timeout=60)
    return path


@pytest.fixture(scope="session")
def chart(tool: Callable[[str], pathlib.Path], tmp_path_factory: pytest.TempPathFactory) -> Chart:
    return Chart(tool("helm"), ROOT / "charts/gateway", tmp_path_factory.mktemp("helm"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-examples", action="store_true", help="write generated examples anew")
