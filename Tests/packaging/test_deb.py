"""The Debian package: lintian, and a real installation on a throw-away copy of this machine's file system."""

from __future__ import annotations

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from parts.gateway import BINARY, ROOT, run_command

GUIDE = ROOT / "docs/operations/installing.md"

# The root of this machine below a layer in memory: whatever is installed there is gone at the end.
THROW_AWAY = """
mount -t tmpfs none "$0" && mkdir "$0/upper" "$0/work" "$0/root"
mount -t overlay overlay -o lowerdir=/,upperdir="$0/upper",workdir="$0/work" "$0/root"
mount --rbind /proc "$0/root/proc" && mount --rbind /dev "$0/root/dev" && mount -t tmpfs none "$0/root/tmp"
mkdir "$0/root/tmp/dist" && cp "$1" "$0/root/tmp/dist/"
exec chroot "$0/root" env --chdir=/tmp bash -euc "$2"
"""


@pytest.fixture(scope="module")
def package(stripped: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    if not shutil.which("dpkg-shlibdeps"):
        pytest.skip("no dpkg-shlibdeps on this machine; scripts/bootstrap test installs it")
    paths = []
    for folder, umask in (("one", 0o022), ("two", 0o077)):
        # Level 6 takes half a minute, and changes nothing here.
        environment = {**os.environ, "DEB_LEVEL": "0", "SOURCE_DATE_EPOCH": "1700000000", "PYTHON": sys.executable}
        command = [str(ROOT / "packaging/deb"), str(stripped), str(tmp_path_factory.mktemp("deb") / folder)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, umask=umask)
        assert done.returncode == 0, done.stderr
        paths.append(pathlib.Path(done.stdout.strip()))
    assert hashlib.sha256(paths[0].read_bytes()).digest() == hashlib.sha256(paths[1].read_bytes()).digest(), "the same program, other bytes"
    return paths[0]


def field(package: pathlib.Path, name: str) -> str:
    return subprocess.run(["dpkg-deb", "--field", str(package), name], capture_output=True, text=True, check=True).stdout.strip()


def commands_of_the_guide() -> str:
    """The shell block of the guide that installs the package, without the build and without systemd, which is not running here."""
    (block,) = [text for text in re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL) if "apt-get install --yes ./dist/" in text]
    lines = [line for line in block.splitlines() if not re.match(r"make |sudo systemctl ", line)]
    return "\n".join(lines)


def on_a_throw_away_machine(package: pathlib.Path, folder: pathlib.Path, script: str) -> subprocess.CompletedProcess[str]:
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    command = [*as_root, "unshare", "--mount", "--propagation", "private", "bash", "-euc", THROW_AWAY, str(folder), str(package)]
    probe = subprocess.run([*command, "true"], capture_output=True, text=True, timeout=30)
    if probe.returncode != 0:
        pytest.skip(f"no root or no overlay file system on this machine: {probe.stderr}")
    return subprocess.run([*command, script], capture_output=True, text=True, timeout=110)


def test_lintian_reports_nothing(tool: Callable[[str], pathlib.Path], package: pathlib.Path) -> None:
    done = subprocess.run([str(tool("lintian")), "--no-cfg", "--allow-root", "--fail-on", "error,warning", str(package)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_the_package_says_what_it_is_and_what_it_needs(package: pathlib.Path) -> None:
    assert field(package, "Package") == "gateway" and field(package, "Version") == run_command("--version").stdout.strip()
    libraries = subprocess.run(["ldd", str(BINARY)], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"[\w.+-]+", re.sub(r"\([^)]*\)", "", field(package, "Depends")))
    assert {"adduser", "ca-certificates", "libc6"} <= set(needed)
    assert ("libyaml-0-2" in needed) == ("libyaml" in libraries)
    # Loaded when they are used for the first time (docs/decisions/0039-postgresql-through-libpq.md).
    assert not re.search("libpq|libcurl|libhiredis|libqrencode", libraries) and field(package, "Suggests") == "libcurl4, libhiredis0.14, libpq5, libqrencode4"


def test_the_guide_installs_the_package_and_the_service_could_start(package: pathlib.Path, tmp_path: pathlib.Path) -> None:
    script = f"""
    sudo() {{ "$@"; }}
    dpkg --remove --force-depends gateway >/dev/null 2>&1 || true
    {commands_of_the_guide()}
    stat --format='%n %U:%G %a' /etc/gateway /etc/gateway/gateway.yaml /etc/gateway/session.key /etc/gateway/environment
    test "$(command -v gateway)" = /usr/bin/gateway
    systemd-analyze verify --man=no /lib/systemd/system/gateway.service /lib/systemd/system/gateway.socket 2>&1 | grep gateway || true
    setpriv --reuid=gateway --regid=gateway --clear-groups cat /etc/gateway/session.key | wc -c
    ls /usr/share/man/man1/gateway.1.gz /usr/share/bash-completion/completions/gateway
    dpkg --purge gateway >/dev/null
    test ! -e /usr/bin/gateway && test -e /etc/gateway/session.key && echo purged
    """
    done = on_a_throw_away_machine(package, tmp_path, script)
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout.splitlines()
    for line in (
        "/etc/gateway root:gateway 2755",
        "/etc/gateway/session.key root:gateway 640",
        "/etc/gateway/environment root:gateway 600",
        "45",
        "/usr/share/man/man1/gateway.1.gz",
        "/usr/share/bash-completion/completions/gateway",
        "purged",
    ):
        assert line in printed, done.stdout
    assert not [line for line in printed if ".service:" in line or ".socket:" in line], done.stdout


def test_the_installed_program_runs(package: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Without root, too: the files as dpkg unpacks them."""
    subprocess.run(["dpkg-deb", "--extract", str(package), str(tmp_path)], check=True)
    done = subprocess.run([str(tmp_path / "usr/bin/gateway"), "explain", "reserved-parameter"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0 and done.stdout == run_command("explain", "reserved-parameter").stdout
    for unit in ("gateway.service", "gateway.socket"):
        assert (tmp_path / "lib/systemd/system" / unit).read_text() == (ROOT / "packaging/systemd" / unit).read_text()
    assert (tmp_path / "etc/gateway").is_dir()
