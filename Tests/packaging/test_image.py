"""The image, without a container engine: its Dockerfile, its archive, and its root file system in a chroot."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests

from parts.gateway import BINARY, ROOT, session_key, write_configuration
from parts.isolation import proxies
from parts.processes import Process, free_port
from parts.upstream import Upstream

DOCKERFILE = ROOT / "Dockerfile"
NOBODY = 65532


def chroot(folder: pathlib.Path, *arguments: str) -> list[str]:
    """The command that runs the image's program as the image's user, with /proc, which every engine mounts."""
    is_root = os.geteuid() == 0
    user = f"--userspec={NOBODY}:{NOBODY}" if is_root else ""
    own = ["unshare", "--mount", "--propagation", "private"] + ([] if is_root else ["--map-root-user"])
    # The root is mounted read-only, as the chart does.
    script = 'mount --bind "$0" "$0" && mount --rbind /proc "$0/proc" && mount -o remount,ro,bind "$0" && exec chroot ${1:+"$1"} "$0" "${@:2}"'
    return [*own, "bash", "-c", script, str(folder), user, "/usr/bin/gateway", *arguments]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory, stripped: pathlib.Path) -> pathlib.Path:
    if not shutil.which("dpkg-deb") or not shutil.which("apt-get"):
        pytest.skip("the root file system is made of Debian packages")
    folder = tmp_path_factory.mktemp("image") / "root"
    environment = {**os.environ, **proxies, "ROOTFS_CACHE": str(ROOT / ".build/rootfs-packages"), "SOURCE_DATE_EPOCH": "1700000000"}
    done = subprocess.run(
        [str(ROOT / "packaging/rootfs"), "--bring-libraries", str(stripped), str(folder)], env=environment, capture_output=True, text=True, timeout=120
    )
    if "apt-get download" in done.stderr:
        pytest.skip(f"no Debian packages: {done.stderr}")
    assert done.returncode == 0, done.stderr
    probe = subprocess.run(["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        pytest.skip(f"no mount namespaces on this machine: {probe.stderr}")
    return folder


def run(image: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Nothing of this machine's environment helps.
    return subprocess.run(chroot(image, *arguments), env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, timeout=30)


@pytest.fixture(scope="module")
def upstream() -> Iterator[Upstream]:
    part = Upstream()
    yield part
    part.close()


def test_hadolint_is_content(tool: Callable[[str], pathlib.Path]) -> None:
    done = subprocess.run([str(tool("hadolint")), str(DOCKERFILE)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_dockerfile_ends_in_the_file_system_that_is_tested_here() -> None:
    last = DOCKERFILE.read_text().rsplit("\nFROM ", 1)[1]
    assert last.startswith("scratch\n") and "COPY --from=rootfs /rootfs /" in last
    assert f"USER {NOBODY}:{NOBODY}" in last and 'ENTRYPOINT ["/usr/bin/gateway"]' in last
    assert "RUN" not in last, "there is no shell to run anything with"


def test_the_builder_sees_sources_only() -> None:
    """A key or a configuration in the folder must not end up in a layer."""
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert "*" in (ROOT / ".dockerignore").read_text().splitlines()
    assert allowed == {
        "Package.swift", "Package.resolved", "Sources", "Tests", "packaging/rootfs", "packaging/build-release", "packaging/hot-branches",
        "packaging/hot-functions", "packaging/strip",
    }


def test_the_program_runs_with_what_is_in_the_image(image: pathlib.Path) -> None:
    assert run(image, "--version").stdout.strip() == subprocess.run([str(BINARY), "--version"], capture_output=True, text=True).stdout.strip()
    assert "reserved-parameter" in run(image, "explain", "reserved-parameter").stdout
    assert len(run(image, "keygen", "session").stdout.strip()) == 44
    assert run(image, "keygen", "assertion").stdout.startswith("-----BEGIN PRIVATE KEY-----")


def test_it_serves_as_nobody_and_drains(image: pathlib.Path, upstream: Upstream, tmp_path: pathlib.Path) -> None:
    port, admin = free_port(), free_port()
    (image / "etc/gateway/session.key").write_text(session_key() + "\n")
    (image / "etc/gateway/session.key").chmod(0o444 if os.geteuid() else 0o440)
    if os.geteuid() == 0:
        os.chown(image / "etc/gateway/session.key", 0, NOBODY)
    write_configuration(
        image / "etc/gateway/gateway.yaml",
        {
            "version": 1,
            "server": {"listen": f"127.0.0.1:{port}", "publicURL": f"http://127.0.0.1:{port}"},
            "admin": {"listen": f"127.0.0.1:{admin}"},
            "upstream": upstream.origin,
            "session": {"keys": ["${file:session.key}"]},
            "routes": [{"path": "/**", "access": "public"}],
        },
    )
    process = Process("image", chroot(image, "run", "/etc/gateway/gateway.yaml"), tmp_path)
    try:
        process.wait_until(lambda: run(image, "healthcheck", f"http://127.0.0.1:{admin}/readyz").returncode == 0, "readiness")
        answer = requests.get(f"http://127.0.0.1:{port}/", timeout=10)
        assert answer.status_code == 200
        if os.geteuid() == 0:
            owners = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            assert re.search(rf"^Uid:\t{NOBODY}\t{NOBODY}\t{NOBODY}\t{NOBODY}$", owners, re.MULTILINE)
        assert process.terminate() == 0
    finally:
        process.kill()
        (image / "etc/gateway/gateway.yaml").unlink()
        (image / "etc/gateway/session.key").unlink()


def test_there_is_no_shell_and_nothing_to_write_to(image: pathlib.Path) -> None:
    programs = [path for path in image.rglob("*") if path.is_file() and not path.is_symlink() and path.stat().st_mode & 0o111]
    libraries = re.compile(r"\.so(\.[\d.]+)?$")
    assert [str(path.relative_to(image)) for path in programs if not libraries.search(path.name)] == ["usr/bin/gateway"]
    for path in [image, *image.rglob("*")]:
        status = path.lstat()
        if not stat.S_ISLNK(status.st_mode):
            assert not status.st_mode & 0o022, f"{path} can be written by others"
            assert not status.st_mode & 0o6000, f"{path} changes who one is"


def test_certificates_users_and_scanners_find_what_they_look_for(image: pathlib.Path) -> None:
    bundle = (image / "etc/ssl/certs/ca-certificates.crt").read_text()
    begins = bundle.count("-----BEGIN CERTIFICATE-----\n")
    assert begins > 100 and begins == bundle.count("-----END CERTIFICATE-----\n")
    assert f"gateway:x:{NOBODY}:{NOBODY}:" in (image / "etc/passwd").read_text()
    assert "hosts: files dns" in (image / "etc/nsswitch.conf").read_text()
    assert "ID=debian" in (image / "etc/os-release").resolve().read_text() or "ID=debian" in (image / "usr/lib/os-release").read_text()
    packages = {path.name for path in (image / "var/lib/dpkg/status.d").iterdir()}
    assert {"libc6", "libsqlite3-0", "libssl3", "libyaml-0-2", "ca-certificates", "libssl3.md5sums"} <= packages
    for package in ("libc6", "libsqlite3-0", "libssl3", "libyaml-0-2", "zlib1g", "ca-certificates"):
        assert (image / "usr/share/doc" / package / "copyright").exists(), "the licences come along"


# --- The archive ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def archive(image: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("archive") / "gateway-image.tar"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    done = subprocess.run([sys.executable, str(ROOT / "packaging/image"), str(image), str(path)], env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return path


def skopeo(tool: Callable[[str], pathlib.Path], *arguments: str) -> Any:
    done = subprocess.run([str(tool("skopeo")), *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


def test_skopeo_reads_the_archive_as_an_oci_image(tool: Callable[[str], pathlib.Path], archive: pathlib.Path) -> None:
    assert len(skopeo(tool, "inspect", f"oci-archive:{archive}:local")["Layers"]) == 1
    described = skopeo(tool, "inspect", "--config", f"oci-archive:{archive}:local")["config"]
    assert described["User"] == f"{NOBODY}:{NOBODY}" and described["Entrypoint"] == ["/usr/bin/gateway"]
    assert described["Cmd"] == ["run", "/etc/gateway/gateway.yaml"] and described["StopSignal"] == "SIGTERM"
    assert described["ExposedPorts"] == {"4180/tcp": {}, "9180/tcp": {}}
    assert described["Labels"]["org.opencontainers.image.title"] == "gateway"


def test_the_archive_is_one_for_docker_load_too(tool: Callable[[str], pathlib.Path], archive: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Docker reads manifest.json, and with containerd's store index.json; skopeo reads the former as Docker does."""
    assert skopeo(tool, "list-tags", f"docker-archive:{archive}")["Tags"] == ["gateway:local"]
    with tarfile.open(archive) as opened:
        members = {member.name: opened.extractfile(member).read() for member in opened.getmembers()}  # type: ignore[union-attr]
    assert {"index.json", "oci-layout", "manifest.json"} <= members.keys()
    for name, content in members.items():
        if name.startswith("blobs/sha256/"):
            assert hashlib.sha256(content).hexdigest() == name.removeprefix("blobs/sha256/")
    (docker,) = json.loads(members["manifest.json"])
    assert docker["RepoTags"] == ["gateway:local"] and {docker["Config"], *docker["Layers"]} <= members.keys()
    healthcheck = json.loads(members[docker["Config"]])["config"]["Healthcheck"]
    assert healthcheck == {"Test": ["CMD", "/usr/bin/gateway", "healthcheck"], "Interval": 10**10, "Timeout": 6 * 10**9, "StartPeriod": 5 * 10**9}
    (manifest,) = json.loads(members["index.json"])["manifests"]
    assert manifest["annotations"]["io.containerd.image.name"] == "docker.io/library/gateway:local"


def test_the_layer_of_the_archive_is_the_file_system_that_is_tested_here(archive: pathlib.Path, image: pathlib.Path) -> None:
    with tarfile.open(archive) as opened:
        (docker,) = json.load(opened.extractfile("manifest.json"))  # type: ignore[arg-type]
        with tarfile.open(fileobj=opened.extractfile(docker["Layers"][0])) as layer:
            members = layer.getmembers()
            assert layer.extractfile("usr/bin/gateway").read() == (image / "usr/bin/gateway").read_bytes()  # type: ignore[union-attr]
    assert {member.name for member in members} == {str(path.relative_to(image)) for path in image.rglob("*")}
    assert {(member.uid, member.gid, member.mtime) for member in members} == {(0, 0, 1700000000)}


# --- What is in it ----------------------------------------------------------------------------------------------------------------


def test_a_library_that_no_package_brings_is_an_error(tmp_path: pathlib.Path) -> None:
    """The debug build links the Swift runtime as a library: the same as a release build after somebody linked one more library."""
    program = ROOT / ".build/debug/gateway"
    environment = {**os.environ, **proxies, "ROOTFS_CACHE": str(ROOT / ".build/rootfs-packages")}
    done = subprocess.run([str(ROOT / "packaging/rootfs"), str(program), str(tmp_path / "root")], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "no package of the image has it: add the package to packaging/rootfs" in done.stderr


def test_the_bill_of_materials_lists_the_image(image: pathlib.Path) -> None:
    resolved = ROOT / "Package.resolved"
    if not resolved.exists():
        pytest.skip("no Package.resolved: build first")
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging/sbom"), "--version", "0.1.0", "--rootfs", str(image), "--file", str(DOCKERFILE)],
        capture_output=True,
        text=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    components = {item["bom-ref"]: item for item in document["components"]}
    pins = {pin["identity"] for pin in json.loads(resolved.read_text())["pins"]}
    assert {f"swift:{identity}" for identity in pins} <= components.keys()
    assert components["swift:swift-nio"]["purl"].startswith("pkg:swift/github.com/apple/swift-nio@2.")
    assert re.fullmatch(r"pkg:deb/debian/libssl3@3\.[\w.%~+-]+\?arch=\w+&distro=debian-\d+", components["deb:libssl3"]["purl"])
    assert components["file:Dockerfile"]["hashes"][0]["alg"] == "SHA-256"
    assert document["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"

    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(done.stdout)
    assert problem is None, problem
    broken = done.stdout.replace('"SHA-256"', '"SHA-257"')
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(broken) is not None
