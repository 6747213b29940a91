"""TLS towards clients: versions, certificates by name, their renewal, clients' certificates, ALPN, 421, HSTS; `reference` ids H11, ASVS 3.4.1."""

from __future__ import annotations

import collections
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator

import pytest

import h2wire
from conftest import StartGateway, mark
from h2wire import Connection, trusting
from logins import NAVIGATION
from parts.certificates import Authority, Pair
from parts.gateway import Gateway, run_command, write_configuration
from parts.processes import eventually, free_port
from parts.seed import seeded
from parts.upstream import Recording, Upstream
from wire import wait_for_end

OPEN = [{"path": "/**", "access": "public"}]


@pytest.fixture(scope="module")
def authority(folder: pathlib.Path) -> Authority:
    return Authority(folder)


@pytest.fixture(scope="module")
def local(authority: Authority) -> Pair:
    return authority.issue("local", ["localhost", "127.0.0.1"])


@pytest.fixture(scope="module")
def secure(start_gateway: StartGateway, authority: Authority, local: Pair, folder: pathlib.Path) -> Gateway:
    """Three certificates; the first is the default."""
    shop = authority.issue("shop", ["shop.example", "Other.Example"])
    wild = authority.issue("wild", ["*.wild.example", "exact.wild.example"])
    port = free_port()
    return start_gateway(
        {
            "server": {
                "publicURL": f"https://app.example:{port}",
                "tls": {**local.keys, "certificates": [shop.keys, wild.keys]},
            },
            "routes": OPEN,
        },
        port=port,
        name="gateway-tls",
    )


def handshake(port: int, context: ssl.SSLContext, name: str | None = "localhost") -> ssl.SSLSocket:
    plain = socket.create_connection(("127.0.0.1", port), timeout=60)
    return context.wrap_socket(plain, server_hostname=name)


def shown(port: int, authority: Authority, name: str) -> set[str]:
    """The names of the certificate that a client gets who asks for `name`."""
    context = trusting(str(authority.file))
    context.check_hostname = False
    with handshake(port, context, name) as connection:
        return {value for _, value in connection.getpeercert()["subjectAltName"]}


def get(port: int, context: ssl.SSLContext, path: str = "/", name: str = "localhost", headers: dict[str, str] | None = None) -> http.client.HTTPResponse:
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)
    connection.sock = handshake(port, context, name)
    connection.request("GET", path, headers={"Host": name, **(headers or {})})
    response = connection.getresponse()
    response.text = response.read()  # type: ignore[attr-defined]
    return response


def test_a_request_over_tls_reaches_the_upstream_as_https(secure, authority, upstream):
    marker = mark()
    assert get(secure.port, trusting(str(authority.file)), f"/{marker}").status == 200
    recording = upstream.only(marker)
    assert recording.value("x-forwarded-proto") == "https"
    assert recording.value("x-forwarded-host") == "localhost"


@pytest.mark.parametrize(("version", "works"), [("TLSv1_3", True), ("TLSv1_2", True), ("TLSv1_1", False), ("TLSv1", False)])
def test_tls_versions(secure, authority, version, works):
    """H11, RFC 9325 3.1.1."""
    context = trusting(str(authority.file))
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = getattr(ssl.TLSVersion, version)
    if works:
        with handshake(secure.port, context) as connection:
            assert connection.version() == version.replace("_", ".")
    else:
        with pytest.raises((ssl.SSLError, OSError)):
            handshake(secure.port, context)


@pytest.mark.parametrize(
    "cipher", ["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "AES128-GCM-SHA256", "AES256-SHA", "DHE-RSA-AES128-GCM-SHA256", "NULL-SHA256"]
)
def test_a_cipher_without_forward_secrecy_or_authenticated_encryption_is_refused(secure, authority, cipher):
    """RFC 9113 appendix A, RFC 9325 4.2."""
    context = trusting(str(authority.file))
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.set_ciphers(f"{cipher}:@SECLEVEL=0")
    except ssl.SSLError:
        pytest.skip("this machine's OpenSSL has no such cipher")
    with pytest.raises((ssl.SSLError, OSError)):
        handshake(secure.port, context)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("localhost", "localhost"),
        ("shop.example", "shop.example"),
        ("SHOP.example", "shop.example"),
        ("other.example", "shop.example"),
        ("a.wild.example", "*.wild.example"),
        ("exact.wild.example", "exact.wild.example"),
        ("a.b.wild.example", "localhost"),
        ("wild.example", "localhost"),
        ("unknown.example", "localhost"),
    ],
)
def test_the_certificate_is_chosen_by_the_name(secure, authority, name, expected):
    """RFC 6066 3, RFC 9525 6.3: exactly, by a wildcard for one label, else the first."""
    assert expected in shown(secure.port, authority, name)


@pytest.mark.parametrize(
    ("offered", "expected"),
    [(["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], "h2"), (["http/1.1"], "http/1.1"), (["h2"], "h2"), (["spdy/3"], None), ([], None)],
)
def test_alpn(secure, authority, offered, expected):
    """RFC 7301; a client that offers nothing speaks HTTP/1.1."""
    context = trusting(str(authority.file), *offered)
    with handshake(secure.port, context) as connection:
        assert connection.selected_alpn_protocol() == expected
    if expected != "h2":
        assert get(secure.port, context).status == 200


def test_http2_over_tls(secure, authority, upstream):
    marker = mark()
    with Connection(secure.port, trusting(str(authority.file), "h2")) as connection:
        connection.authority = "localhost"
        answer = connection.request("POST", f"/{marker}", None, seeded("body").randbytes(300_000))
        assert answer.status == 200
        assert upstream.only(marker).value("x-forwarded-proto") == "https"
        path = f"/{mark()}"
        upstream.scripts[path] = b"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + b"y" * 3_000_000
        assert len(connection.request("GET", path).body) == 3_000_000


def test_h2spec_finds_nothing(secure):
    """All its cases, the strict ones too. Those that matter most are in test_http2.py, for machines without it."""
    h2spec = shutil.which("h2spec")
    if h2spec is None:
        pytest.skip("no h2spec on this machine: docs/operations/tls.md says how to build it")
    run = subprocess.run([h2spec, "-t", "-k", "-h", "localhost", "-p", str(secure.port), "-S"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and " 0 failed" in run.stdout, run.stdout[-3000:]


def test_early_data_is_not_offered(secure, authority):
    """RFC 8470: what comes in the first flight could be a replay. Tickets are given out, but for resumption only."""
    run = subprocess.run(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{secure.port}", "-servername", "localhost", "-CAfile", str(authority.file), "-ign_eof"],
        input=b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        capture_output=True,
        timeout=60,
    )
    assert b"Max Early Data: 0" in run.stdout and b"Max Early Data: 1" not in run.stdout


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("name", "host", "status"),
    [
        ("localhost", "localhost", 200),
        ("localhost", "LocalHost.", 200),
        ("localhost", "127.0.0.1", 200),
        ("localhost", "shop.example", 421),
        ("localhost", "other.localhost", 421),
        ("shop.example", "shop.example:8443", 200),
        ("shop.example", "other.example", 200),
        ("shop.example", "localhost", 421),
        ("a.wild.example", "b.wild.example", 200),
        ("a.wild.example", "wild.example", 421),
        ("a.wild.example", "a.b.wild.example", 421),
        ("unknown.example", "unknown.example", 200),
        ("unknown.example", "shop.example", 421),
    ],
)
def test_a_request_for_a_host_that_the_connection_is_not_for_gets_421(secure, authority, version, name, host, status):
    """RFC 9110 7.4 and 15.5.20, RFC 9113 9.1.2; contract "Paths"."""
    context = trusting(str(authority.file), *(["h2"] if version == 2 else []))
    context.check_hostname = False
    if version == 1:
        response = get(secure.port, context, "/", name, {"Host": host})
        assert response.status == status
    else:
        with Connection(secure.port, context, name) as connection:
            connection.authority = host
            assert connection.request("GET", "/").status == status


def test_who_names_nobody_in_the_handshake_is_not_misdirected(secure, authority):
    context = trusting(str(authority.file))
    context.check_hostname = False
    with handshake(secure.port, context, None) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")


def test_a_request_in_clear_text_is_told(secure):
    with socket.create_connection(("127.0.0.1", secure.port), timeout=60) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = b""
        while part := connection.recv(1000):
            received += part
    assert received.startswith(b"HTTP/1.1 400 ") and b"https" in received
    eventually(lambda: _failed_handshakes(secure).get("clear-text"), "handshake-failed in the log")


def _failed_handshakes(gateway: Gateway) -> collections.Counter[str]:
    events = gateway.events("handshake-failed")
    assert all(event["level"] == "info" and event["peer"] == "127.0.0.1" for event in events)
    counter: collections.Counter[str] = collections.Counter()
    for event in events:
        counter[event["reason"]] += event["count"]
    return counter


def test_what_is_no_handshake_is_closed_and_logged(secure, authority):
    for data in [b"\x00" * 100, b"\x16\x03\x01\x00\x05junk!", b"\x80\x2e\x01\x00\x02"]:
        with socket.create_connection(("127.0.0.1", secure.port), timeout=60) as connection:
            connection.sendall(data)
            try:
                while connection.recv(1000):
                    pass
            except ConnectionResetError:
                pass
    eventually(lambda: len(_failed_handshakes(secure)) >= 2, "clear text and the library's reason")
    assert get(secure.port, trusting(str(authority.file))).status == 200


def test_a_flood_of_failed_handshakes_is_one_log_line_for_each_reason_and_loop(start_gateway, local):
    """Each attempt wrote a line with the path of a source file of the machine that built the program."""
    gateway = start_gateway(
        {"server": {"publicURL": "https://app.example", "tls": local.keys}, "routes": OPEN}, name="gateway-tls-flood"
    )
    # A ClientHello that is none; one that offers TLS 1.1 only; an end in the middle.
    old = bytes.fromhex("160301002d010000290302") + bytes(32) + bytes.fromhex("000002002f0100")
    for data in [b"\x16\x03\x01\x00\x05junk!", old, old[:20]] * 30:
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=60) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                while connection.recv(1000):
                    pass
    eventually(lambda: gateway.events("handshake-failed"), "handshake-failed in the log")
    lines = collections.Counter(event["reason"] for event in gateway.events("handshake-failed"))
    assert max(lines.values()) <= len(os.sched_getaffinity(0)), lines
    gateway.stop()
    assert "/checkouts/" not in gateway.log and ".cc" not in gateway.log


def test_the_first_request_of_a_client_that_gathers_segments_does_not_wait(secure, authority):
    """Without TCP_NODELAY a client holds its request back until its last handshake message is acknowledged: that took 40 ms."""
    context = trusting(str(authority.file))
    times = []
    for _ in range(30):
        with handshake(secure.port, context) as connection:
            began = time.perf_counter()
            connection.sendall(b"GET /hold HTTP/1.1\r\n")
            connection.sendall(b"Host: localhost\r\nConnection: close\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 ")
            times.append(time.perf_counter() - began)
    # Each of them would wait. On a busy machine, some are slow for other reasons.
    assert min(times) < 0.02, times


def test_hsts(secure, authority, upstream, start_gateway, local):
    """ASVS 5.0 3.4.1: on own answers and on proxied ones; an upstream's own wins (RFC 6797 7.1: one field only)."""
    context = trusting(str(authority.file))
    assert get(secure.port, context).getheader("strict-transport-security") == "max-age=31536000"
    assert get(secure.port, context, "/_gateway/nothing").getheader("strict-transport-security") == "max-age=31536000"
    path = f"/{mark()}"
    upstream.scripts[path] = b"HTTP/1.1 200 OK\r\nStrict-Transport-Security: max-age=1\r\nContent-Length: 0\r\n\r\n"
    response = get(secure.port, context, path)
    assert response.headers.get_all("strict-transport-security") == ["max-age=1"]
    off = start_gateway(
        {"server": {"publicURL": "https://app.example", "hsts": "off", "tls": local.keys}, "routes": OPEN}, name="gateway-hsts-off"
    )
    assert get(off.port, context).getheader("strict-transport-security") is None
    assert get(off.port, context, "/_gateway/nothing").getheader("strict-transport-security") is None


def test_hsts_is_not_sent_for_a_site_in_clear_text(gateway, client):
    assert "strict-transport-security" not in client.get(gateway.url("/public/x"), timeout=60).headers


def test_the_sign_in_over_tls_keeps_its_scheme(start_gateway, authority, local, dev):
    port = free_port()
    gateway = start_gateway(
        {"server": {"publicURL": f"https://localhost:{port}", "tls": local.keys}, "providers": [dev.configuration]},
        port=port,
        name="gateway-tls-login",
    )
    context = trusting(str(authority.file))
    response = get(port, context, "/_gateway/login/" + dev.configuration["id"], headers=NAVIGATION)
    assert response.status == 302
    assert f"redirect_uri=https%3A%2F%2Flocalhost%3A{port}%2F_gateway%2Fcallback" in response.getheader("location")
    assert all("Secure" in cookie and cookie.startswith("__") for cookie in response.headers.get_all("set-cookie"))
    assert gateway.alive


def test_a_websocket_over_tls(secure, authority, upstream):
    """The tunnel stands on TLS as it does on TCP."""
    path = f"/{mark()}"

    def script(client: socket.socket, _: Recording) -> bool:
        client.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n"
        )
        while data := client.recv(1000):
            client.sendall(data[::-1])
        return False

    upstream.scripts[path] = script
    with handshake(secure.port, trusting(str(authority.file))) as connection:
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: https://localhost\r\n\r\n".encode()
        )
        assert connection.recv(1000).startswith(b"HTTP/1.1 101 ")
        connection.sendall(b"\x81\x01ab"[:3])
        assert connection.recv(1000) == b"\x81\x01a"[::-1]


@pytest.mark.parametrize("protocols", [(), ("h2",)], ids=["http/1.1", "h2"])
def test_the_proxy_protocol_comes_before_tls(start_gateway, authority, local, upstream, protocols):
    """The address that the proxy in front names is the client's, in both versions."""
    gateway = start_gateway(
        {
            "server": {"publicURL": "https://app.example", "tls": local.keys, "proxyProtocol": "required", "trustedProxies": ["127.0.0.0/8"]},
            "routes": OPEN,
        },
        name=f"gateway-tls-proxy-{len(protocols)}",
    )
    marker = mark()
    plain = socket.create_connection(("127.0.0.1", gateway.port), timeout=60)
    plain.sendall(b"PROXY TCP4 192.0.2.99 127.0.0.1 4711 443\r\n")
    context = trusting(str(authority.file), *protocols)
    if protocols:
        with Connection(0, context, "localhost", plain=plain) as connection:
            connection.authority = "localhost"
            assert connection.request("GET", f"/{marker}").status == 200
    else:
        with context.wrap_socket(plain, server_hostname="localhost") as connection:
            connection.sendall(f"GET /{marker} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
    assert upstream.only(marker).value("x-forwarded-for") == "192.0.2.99"


# Renewal


@pytest.fixture(scope="module")
def renewing(authority: Authority, folder: pathlib.Path, upstream: Upstream) -> Iterator[tuple[Gateway, Pair, pathlib.Path]]:
    """One certificate as plain files, named relative to a configuration in another folder than the gateway starts from; one behind
    Kubernetes' `..data` link."""
    plain = authority.issue("renewed", ["localhost", "first.example"])
    volume = folder / "certificate-volume"
    _publish(volume, "1", *authority.pem(["mounted.example", "first.mounted.example"]))
    (volume / "tls.crt").symlink_to("..data/tls.crt")
    (volume / "tls.key").symlink_to("..data/tls.key")
    mounted = {"certificate": str(volume / "tls.crt"), "key": str(volume / "tls.key")}
    place = folder / "configuration"
    place.mkdir()
    relative = {key: os.path.relpath(file, place) for key, file in plain.keys.items()}
    configuration = {"server": {"tls": {**relative, "certificates": [mounted]}}, "upstream": upstream.origin, "routes": OPEN}
    gateway = Gateway("gateway-renewing", folder, configuration)
    gateway.file = place / "gateway.yaml"
    gateway.start()
    yield gateway, plain, volume
    gateway.kill()


def _publish(volume: pathlib.Path, version: str, certificate: bytes, key: bytes) -> None:
    """As the kubelet does: a new directory, then the link in one step."""
    fresh = volume / f"..{version}"
    fresh.mkdir(parents=True)
    (fresh / "tls.crt").write_bytes(certificate)
    (fresh / "tls.key").write_bytes(key)
    link = volume / "..data_tmp"
    link.symlink_to(fresh.name)
    link.rename(volume / "..data")


def test_a_renewed_certificate_is_taken_into_use_without_a_restart(renewing, authority):
    gateway, plain, _ = renewing
    context = trusting(str(authority.file))
    with handshake(gateway.port, context) as before:
        certificate, key = authority.pem(["localhost", "second.example"])
        # By renaming, as certbot and cert-manager's like do; the key first, so that for a moment the two do not match.
        for path, content in [(plain.key, key), (plain.certificate, certificate)]:
            fresh = path.with_suffix(".new")
            fresh.write_bytes(content)
            fresh.rename(path)
        eventually(lambda: "second.example" in shown(gateway.port, authority, "localhost"), "the new certificate")
        # A connection that is open goes on with what it has.
        before.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert before.recv(100).startswith(b"HTTP/1.1 200 ")
    assert "certificates-reloaded" in gateway.log


def test_a_certificate_of_a_kubernetes_volume_is_renewed_with_its_link(renewing, authority):
    gateway, _, volume = renewing
    assert "first.mounted.example" in shown(gateway.port, authority, "mounted.example")
    _publish(volume, "2", *authority.pem(["mounted.example", "second.mounted.example"]))
    eventually(lambda: "second.mounted.example" in shown(gateway.port, authority, "mounted.example"), "the new certificate")


def test_a_broken_new_certificate_leaves_the_old_one_in_use(renewing, authority):
    gateway, plain, _ = renewing
    names = shown(gateway.port, authority, "localhost")
    good_certificate, good_key = plain.certificate.read_bytes(), plain.key.read_bytes()
    plain.certificate.write_text("-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n")
    eventually(lambda: gateway.log.count("certificates-not-reloaded") >= 1, "certificates-not-reloaded in the log")
    assert shown(gateway.port, authority, "localhost") == names
    [event] = [json.loads(line) for line in gateway.log.splitlines() if "certificates-not-reloaded" in line][-1:]
    assert event["level"] == "error" and pathlib.Path(event["file"]).resolve() == plain.certificate
    # Another key than the certificate's.
    plain.certificate.write_bytes(good_certificate)
    plain.key.write_bytes(authority.pem(["localhost"])[1])
    eventually(lambda: "is not the key of the certificate" in gateway.log, "the reason in the log")
    assert shown(gateway.port, authority, "localhost") == names
    plain.key.write_bytes(good_key)
    # Neither was a reload of the configuration, which would have failed with the certificate.
    assert not gateway.events("reloaded") + gateway.events("reload-failed")


def test_a_reload_that_a_certificate_stood_in_the_way_of_is_made_up_for(renewing):
    gateway, plain, _ = renewing
    good = plain.certificate.read_bytes()
    plain.certificate.write_text("-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n")
    gateway.reload("reload-failed")
    plain.certificate.write_bytes(good)
    eventually(lambda: gateway.events("reloaded"), "a reload")


# Certificates of clients


@pytest.mark.parametrize("mode", ["required", "optional"])
def test_client_certificates(start_gateway, authority, local, folder, mode):
    """TLS 1.2 and 1.3: one that leads to the authority is let in, another never, none only where it is optional."""
    clients = Authority(folder, f"clients-{mode}")
    gateway = start_gateway(
        {"server": {"tls": {**local.keys, "clientCertificates": {"authority": str(clients.file), "mode": mode}}}, "routes": OPEN},
        name=f"gateway-clients-{mode}",
    )
    good = clients.issue(f"good-{mode}", ["a client"[:1]], client=True)
    foreign = authority.issue(f"foreign-{mode}", ["b"], client=True)
    expired = clients.issue(f"old-{mode}", ["c"], days=(-3, -1), client=True)
    server = clients.issue(f"server-{mode}", ["d"])

    def answers(pair: Pair | None, version: ssl.TLSVersion) -> bool:
        context = trusting(str(authority.file))
        context.minimum_version = context.maximum_version = version
        if pair:
            context.load_cert_chain(pair.certificate, pair.key)
        try:
            return get(gateway.port, context).status == 200
        except (ssl.SSLError, OSError, http.client.HTTPException):
            return False

    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        assert answers(good, version)
        assert answers(good, version)  # also with what the first handshake left behind
        assert not answers(foreign, version)
        assert not answers(expired, version)
        assert not answers(server, version), "a server's certificate is no client's"
        assert answers(None, version) == (mode == "optional")


def test_tls_1_3_only(start_gateway, authority, local):
    gateway = start_gateway({"server": {"http2": "off", "tls": {**local.keys, "minimumVersion": "1.3"}}, "routes": OPEN}, name="gateway-tls13")
    context = trusting(str(authority.file), "h2", "http/1.1")
    with handshake(gateway.port, context) as connection:
        assert connection.version() == "TLSv1.3"
        assert connection.selected_alpn_protocol() == "http/1.1", "server.http2 is off"
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises((ssl.SSLError, OSError)):
        handshake(gateway.port, context)


# Limits and the end


def test_a_handshake_has_a_deadline_and_a_response_over_tls_breaks_off_visibly(start_gateway, authority, local, upstream):
    gateway = start_gateway(
        {"server": {"tls": local.keys, "timeouts": {"header": "300ms"}, "limits": {"connections": 20}}, "routes": OPEN}, name="gateway-tls-hasty"
    )
    idle = [socket.create_connection(("127.0.0.1", gateway.port), timeout=60) for _ in range(15)]
    for number, connection in enumerate(idle):
        connection.sendall(b"\x16\x03\x01"[: number % 4])
    for connection in idle:
        assert connection.recv(100) == b""
    # Eleven of them had begun one; those after the first are counted by the next line.
    eventually(lambda: 1 <= _failed_handshakes(gateway)["timeout"] <= 11, "handshakes that took too long")
    context = trusting(str(authority.file))
    # Each of them has given its place back.
    for _ in range(30):
        assert get(gateway.port, context).status == 200
    path = f"/{mark()}"
    upstream.scripts[path] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"
    plain = socket.create_connection(("127.0.0.1", gateway.port), timeout=60)
    # To HTTP/1.0 the end of the connection is the end of the body: TLS must not say that it was meant.
    with context.wrap_socket(plain, server_hostname="localhost", suppress_ragged_eofs=False) as connection:
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        received = b""
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            while part := connection.recv(1000):
                received += part
        assert b"half" in received or received == b""


@pytest.mark.parametrize("answer", [b"Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", b"Content-Length: 100\r\n\r\nhalf"], ids=["chunked", "length"])
def test_a_truncated_response_over_tls_ends_in_order_behind_what_was_received(secure, authority, upstream, answer):
    """The framing shows what is missing, so TLS may end as it should."""
    path = f"/{mark()}"
    upstream.scripts[path] = b"HTTP/1.1 200 OK\r\n" + answer
    plain = socket.create_connection(("127.0.0.1", secure.port), timeout=60)
    with trusting(str(authority.file)).wrap_socket(plain, server_hostname="localhost", suppress_ragged_eofs=False) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        wait_for_end(connection)
        received = b""
        while part := connection.recv(1000):
            received += part
    assert received.startswith(b"HTTP/1.1 200 OK\r\n") and b"half" in received and not received.endswith(b"0\r\n\r\n")


def test_a_stop_ends_connections_over_tls(start_gateway, authority, local):
    gateway = start_gateway({"server": {"tls": local.keys}, "routes": OPEN}, name="gateway-tls-stopping")
    context = trusting(str(authority.file))
    with handshake(gateway.port, context) as idle, socket.create_connection(("127.0.0.1", gateway.port)), Connection(
        gateway.port, trusting(str(authority.file), "h2")
    ) as frames:
        assert frames.ping()
        assert gateway.stop() == 0
        assert idle.recv(10) == b""
        assert frames.until(h2wire.GOAWAY).code == h2wire.NO_ERROR


# At the start


@pytest.mark.parametrize(
    ("what", "rule"),
    [
        ("no such file", "certificate-unreadable"),
        ("no certificate", "certificate-invalid"),
        ("no key", "certificate-invalid"),
        ("another key", "certificate-key-mismatch"),
        ("a key with a password", "certificate-invalid"),
    ],
)
def test_a_certificate_that_cannot_be_used_keeps_the_gateway_from_starting(tmp_path, what, rule):
    """Exit status 78 with the file and the reason; `validate` says the same."""
    from cryptography.hazmat.primitives import serialization

    authority = Authority(tmp_path)
    pair = authority.issue("server", ["localhost"])
    wrong = pair.certificate
    if what == "no such file":
        pair.certificate.unlink()
    elif what == "no certificate":
        pair.certificate.write_text("hello\n")
    elif what == "no key":
        wrong = pair.key
        pair.key.write_bytes(pair.certificate.read_bytes())
    elif what == "another key":
        wrong = pair.key
        pair.key.write_bytes(authority.pem(["localhost"])[1])
    else:
        wrong = pair.key
        key = serialization.load_pem_private_key(pair.key.read_bytes(), None)
        pair.key.write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"x"))
        )
    configuration = {
        "version": 1,
        "server": {"listen": f"127.0.0.1:{free_port()}", "tls": {"certificate": "server.crt", "key": "server.key"}},
        "admin": {"listen": f"127.0.0.1:{free_port()}"},
        "upstream": "http://127.0.0.1:1",
        "routes": OPEN,
    }
    file = write_configuration(tmp_path / "gateway.yaml", configuration)
    run = run_command("run", str(file))
    assert run.returncode == 78, run.stderr
    assert wrong.name in run.stderr
    found = json.loads(run_command("validate", "--format", "json", str(file)).stdout)
    assert rule in {item["rule"] for item in found["diagnostics"]}
