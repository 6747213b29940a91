"""The HTTP/2 servers that people run: nginx and nghttpd as upstreams, in clear text and over TLS."""

from __future__ import annotations

import hashlib
import os
import pathlib
import shutil
import threading

import pytest

import wire
from parts.authority import Authority
from parts.processes import Process, accepts_connections, free_port
from parts.seed import seeded

ALL_PUBLIC = [{"path": "/**", "access": "public"}]
SIZE = 5 << 20


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("site")
    folder.chmod(0o755)
    (folder / "small").write_bytes(b"small")
    (folder / "big").write_bytes(seeded("body").randbytes(SIZE))
    return folder


@pytest.fixture(scope="module")
def peer_authority(folder) -> Authority:
    return Authority(folder, "peers")


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed: scripts/bootstrap test")
    return found


def start_nginx(folder: pathlib.Path, site: pathlib.Path, tls: tuple[str, str] | None) -> tuple[Process, int]:
    port = free_port()
    name = f"nginx-peer-{port}"
    secure = f"ssl_certificate {tls[0]}; ssl_certificate_key {tls[1]};" if tls else ""
    (folder / f"{name}.conf").write_text(f"""
        {"user root;" if os.geteuid() == 0 else ""} daemon off; worker_processes 1; pid {folder}/{name}.pid; error_log {folder}/{name}.error;
        events {{ worker_connections 256; }}
        http {{
            access_log off; client_body_temp_path {folder}/{name}-body; client_max_body_size 0;
            http2_max_concurrent_streams 8; keepalive_requests 40;
            server {{
                listen 127.0.0.1:{port} {"ssl" if tls else ""} http2; {secure}
                root {site};
                location /upload {{ client_body_buffer_size 64k; client_body_in_file_only off; return 204; }}
            }}
        }}
        """)
    process = Process(name, [program("nginx"), "-p", str(folder), "-c", str(folder / f"{name}.conf")], folder)
    process.wait_until(lambda: accepts_connections(port), "connection")
    return process, port


def start_nghttpd(folder: pathlib.Path, site: pathlib.Path, tls: tuple[str, str] | None) -> tuple[Process, int]:
    port = free_port()
    command = [program("nghttpd"), "-d", str(site), "-a", "127.0.0.1", "-m", "8", "--trailer=x-sum: 42"]
    command += [str(port), tls[1], tls[0]] if tls else ["--no-tls", str(port)]
    process = Process(f"nghttpd-peer-{port}", command, folder)
    process.wait_until(lambda: accepts_connections(port), "connection")
    return process, port


@pytest.fixture(scope="module", params=["nginx", "nginx TLS", "nghttpd", "nghttpd TLS"])
def peer_gateway(request, start_gateway, folder, site, peer_authority):
    tls = peer_authority.issue("peer", ["localhost"]) if request.param.endswith("TLS") else None
    start = start_nginx if request.param.startswith("nginx") else start_nghttpd
    process, port = start(folder, site, tls)
    upstream = f"h2c://127.0.0.1:{port}"
    if tls:
        upstream = {"targets": f"https://localhost:{port}", "tls": {"authority": str(peer_authority.file)}}
    gateway = start_gateway({"upstream": upstream, "routes": ALL_PUBLIC})
    yield gateway
    gateway.stop()
    process.kill()


def ask(connection: wire.Connection, gateway, path: str, extra: str = "", method: str = "GET") -> wire.Response:
    connection.send(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{extra}\r\n".encode())
    response = connection.response(method)
    assert response is not None
    return response


def test_a_big_file_arrives_whole(peer_gateway, site):
    with wire.Connection(peer_gateway.port, timeout=60) as connection:
        response = ask(connection, peer_gateway, "/big")
        assert response.status == 200 and response.complete
        assert hashlib.sha256(response.body).digest() == hashlib.sha256((site / "big").read_bytes()).digest()
        head = ask(connection, peer_gateway, "/big", method="HEAD")
        assert head.status == 200 and head.body == b""
        assert ask(connection, peer_gateway, "/none").status == 404
        part = ask(connection, peer_gateway, "/small", 'If-Modified-Since: Sun, 01 Jan 2090 00:00:00 GMT\r\n')
        assert part.status in (200, 304)


def test_many_requests_at_once_over_few_connections(peer_gateway):
    """The upstream allows eight streams at once, and nginx ends its connections with GOAWAY after forty requests: none is lost."""
    problems: list[str] = []

    def client() -> None:
        with wire.Connection(peer_gateway.port, timeout=60) as connection:
            for _ in range(25):
                response = ask(connection, peer_gateway, "/small")
                if response.status != 200 or response.body != b"small":
                    problems.append(f"{response.status} {response.body!r}")

    threads = [threading.Thread(target=client) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, problems[:5]
