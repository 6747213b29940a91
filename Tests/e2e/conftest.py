"""What the end-to-end tests stand on: the built gateway, real providers, a real app, a real browser, all on loopback.

A test takes the fixtures whose parts it needs; a part starts once, when the first test asks for it, and ends with the
run. Nothing here uses a fixed port, and each test marks its requests (`mark()`) to find their recordings.
"""

from __future__ import annotations

import contextlib
import itertools
import pathlib
import secrets
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests

from parts.browser import Browsers, browser_programs
from parts.canaille import Canaille
from parts.dev_provider import DevProvider
from parts.gateway import BINARY, COUNTS, Gateway, merged
from parts import failures, isolation, processes
from parts.processes import eventually, free_port
from parts.radicale import Radicale
from parts.upstream import Upstream

isolation.reset()

StartGateway = Callable[..., Gateway]


def pytest_configure(config: pytest.Config) -> None:
    if not BINARY.exists():
        pytest.exit(f"{BINARY} does not exist; build it first (make build), or set GATEWAY_BINARY", returncode=2)
    config.pluginmanager.register(failures, "failures")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--claims", type=pathlib.Path, help="a folder in which processes that share the tests say which files are theirs")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The log test reads what all the others left behind, so it comes last."""
    order = {name: place for place, name in enumerate([*LONG, "", LAST])}
    items.sort(key=lambda item: order.get(item.path.name, order[""]))


LAST = "test_logs.py"
# The files that take longest come first, so that no process works on one of them when the others have ended.
LONG = [
    "test_second_factor_combinations.py",
    "test_accounts_browser.py",
    "test_passkeys_browser.py",
    "test_passwords.py",
    "test_users.py",
    "test_refresh.py",
    "test_descriptors.py",
]


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """With `--claims`, runs the files that no other process has begun, and the log test for them."""
    claims = session.config.getoption("--claims")
    if claims is None or session.config.option.collectonly or session.testsfailed:
        return None

    def items() -> Iterator[pytest.Item]:
        for path, group in itertools.groupby(session.items, key=lambda item: item.path):
            if path.name == LAST or processes.claim(claims, path.name):
                yield from group

    mine = items()
    item = next(mine, None)
    while item is not None:
        following = next(mine, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = following
    return True


def mark() -> str:
    """A word that no other test uses."""
    return "m" + secrets.token_hex(8)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("e2e")


@pytest.fixture(scope="session")
def minted() -> set[str]:
    """Every secret that a test has seen: the log test looks for each of them in all logs."""
    return set()


@pytest.fixture(scope="session")
def upstream() -> Iterator[Upstream]:
    part = Upstream()
    yield part
    part.close()


@pytest.fixture(scope="session")
def start_gateway(folder: pathlib.Path, upstream: Upstream, minted: set[str]) -> Iterator[StartGateway]:
    """Starts gateways with configurations of a test's own. They end with the test's file."""

    def start(configuration: dict[str, Any], port: int | None = None, name: str | None = None, wait: bool = True) -> Gateway:
        name = name or f"gateway-{len(STARTED)}"
        gateway = Gateway(name, folder, merged({"upstream": upstream.origin}, configuration), port)
        # A reference is no secret: it tells where one is.
        minted.update(key for key in gateway.configuration["session"]["keys"] if not key.startswith("${"))
        STARTED.append(gateway)
        return gateway.start() if wait else gateway

    yield start
    end(STARTED)


STARTED: list[Gateway] = []
# What gateways that have ended counted, by name: the log test reads it.
METRICS: dict[str, str] = {}
# Gateways of fixtures for the whole run.
SHARED = {"gateway", "gateway-canaille"}


def end(gateways: list[Gateway]) -> None:
    running = [gateway for gateway in gateways if gateway.alive]
    for gateway in running:
        with contextlib.suppress(requests.RequestException):
            METRICS[gateway.name] = gateway.metrics()
    # A program that counts which lines run writes the counts when it ends by itself.
    if COUNTS:
        for gateway in running:
            gateway.signal(signal.SIGTERM)
        with contextlib.suppress(AssertionError):
            eventually(lambda: not any(gateway.alive for gateway in running), "end of all gateways", timeout=60)
    for gateway in gateways:
        gateway.kill()


@pytest.fixture(scope="module", autouse=True)
def gateways_end_with_their_file() -> Iterator[None]:
    """Several hundred would run at the end otherwise."""
    before = len(STARTED)
    yield
    end([gateway for gateway in STARTED[before:] if gateway.name not in SHARED])


@pytest.fixture(scope="session")
def dev(folder: pathlib.Path) -> Iterator[DevProvider]:
    """A well-behaved provider for everybody; tests that make one misbehave start their own."""
    part = DevProvider("dev-provider", folder)
    yield part.wait()
    part.process.kill()


ROUTES = [
    {"path": "/public/**", "access": "public"},
    {"path": "/admins/**", "access": {"groups": ["admins"]}},
    {"path": "/only-bob/**", "access": {"emails": ["bob@example.com"]}},
    {"path": "/company/**", "access": {"emails": ["*@example.com"]}},
    {"path": "/either/**", "access": {"anyOf": [{"groups": ["admins"]}, {"emails": ["bob@example.com"]}]}},
]


@pytest.fixture(scope="session")
def gateway(start_gateway: StartGateway, dev: DevProvider) -> Gateway:
    """One provider, five rules, everything else authenticated."""
    return start_gateway({"providers": [dev.configuration], "routes": ROUTES}, name="gateway")


@pytest.fixture(scope="session")
def canaille_gateway(folder: pathlib.Path, start_gateway: StartGateway, minted: set[str]) -> Iterator[tuple[Gateway, Canaille]]:
    """The gateway in front of the recording app, with Canaille as its provider."""
    port = free_port()
    canaille = Canaille(folder, f"http://127.0.0.1:{port}")
    try:
        canaille.wait()
        minted.add(canaille.configuration["clientSecret"])
        started = start_gateway({"providers": [canaille.configuration], "routes": ROUTES}, port=port, name="gateway-canaille")
        yield started, canaille
    finally:
        canaille.process.kill()


@pytest.fixture(scope="session")
def radicale(folder: pathlib.Path) -> Iterator[Radicale]:
    part = Radicale(folder)
    yield part.wait()
    part.process.kill()


@pytest.fixture
def client() -> Iterator[requests.Session]:
    """A browser without cookies."""
    with requests.Session() as session:
        session.trust_env = False
        yield session


@pytest.fixture(scope="session")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsers]:
    if browser_programs() is None:
        pytest.skip("no Chromium with chromedriver on this machine: install chromium and chromium-driver")
    part = Browsers(tmp_path_factory.mktemp("browsers"))
    yield part
    part.close()


@pytest.fixture
def browser(browsers: Browsers):
    with browsers.borrowed() as driver:
        yield driver
