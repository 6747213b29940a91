"""Upstreams over TLS: authority, name, dates, the gateway's own certificate; HTTP/2 or HTTP/1.1 by ALPN (docs/upstreams.md)."""

from __future__ import annotations

import datetime
import json
import socket
import threading

import pytest

import wire
from conftest import mark
from parts.authority import Authority
from parts.processes import eventually, free_port
from parts.gateway import run_command, write_configuration
from parts.upstream_h2 import H2Upstream

ALL_PUBLIC = [{"path": "/**", "access": "public"}]
DAY = datetime.timedelta(days=1)
NAME = "localhost"


@pytest.fixture(scope="module")
def authority(folder):
    return Authority(folder, "authority")


@pytest.fixture(scope="module")
def stranger(folder):
    """An authority that the gateway does not believe."""
    return Authority(folder, "stranger")


@pytest.fixture(scope="module")
def apps(authority, stranger):
    """One app for each certificate that an upstream may show; `h1` speaks HTTP/1.1 alone."""
    good = authority.issue("good", [NAME, "127.0.0.1"])
    parts = {
        "good": H2Upstream(good),
        "h1": H2Upstream(good, protocols=("http/1.1",)),
        "without ALPN": H2Upstream(good, protocols=()),
        "wrong name": H2Upstream(authority.issue("wrong-name", ["other.example"])),
        "wrong address": H2Upstream(authority.issue("wrong-address", [NAME, "127.0.0.2"])),
        "expired": H2Upstream(authority.issue("expired", [NAME], starts=-5 * DAY, ends=-DAY)),
        "not yet valid": H2Upstream(authority.issue("early", [NAME], starts=DAY)),
        "unknown authority": H2Upstream(stranger.issue("stranger", [NAME])),
        "for clients": H2Upstream(authority.issue("client-only", [NAME], client=True)),
        "internal name": H2Upstream(authority.issue("internal", ["app.internal.example"])),
        "wants a certificate": H2Upstream(good, client_authority=str(authority.file)),
        "wants a certificate, h1": H2Upstream(good, protocols=("http/1.1",), client_authority=str(authority.file)),
    }
    yield parts
    for part in parts.values():
        part.close()


@pytest.fixture(scope="module")
def tls_gateway(start_gateway, authority, stranger, apps, folder):
    """One route for each app, chosen by the first segment of the path."""
    certificate, key = authority.issue("gateway", ["gateway.example"], client=True)
    wrong_certificate, wrong_key = stranger.issue("gateway", ["gateway.example"], client=True)

    def target(app: str, host: str = NAME, **tls: str) -> dict:
        return {"targets": f"https://{host}:{apps[app].port}", "tls": {"authority": str(authority.file), **tls}}

    routes = {
        "good": target("good"),
        "address": target("good", "127.0.0.1"),
        "relative": {"targets": f"https://{NAME}:{apps['good'].port}", "tls": {"authority": "authority.pem"}},
        "h1": target("h1"),
        "without-alpn": target("without ALPN"),
        "wrong-name": target("wrong name"),
        "wrong-address": target("wrong address", "127.0.0.1"),
        "expired": target("expired"),
        "early": target("not yet valid"),
        "unknown": target("unknown authority"),
        "system": {"targets": f"https://{NAME}:{apps['good'].port}"},
        "client-only": target("for clients"),
        "internal": target("internal name", "127.0.0.1", serverName="app.internal.example"),
        "internal-wrong": target("internal name"),
        "mutual": target("wants a certificate", certificate=certificate, key=key),
        "mutual-h1": target("wants a certificate, h1", certificate=certificate, key=key),
        "mutual-none": target("wants a certificate"),
        "mutual-none-h1": target("wants a certificate, h1"),
        "mutual-wrong": target("wants a certificate", certificate=wrong_certificate, key=wrong_key),
    }
    return start_gateway(
        {"routes": [{"path": f"/{name}/**", "access": "public", "upstream": upstream} for name, upstream in routes.items()] + ALL_PUBLIC},
        name="gateway-tls-upstream",
    )


def ask(gateway, path: str, extra: str = "", method: str = "GET") -> wire.Response:
    with wire.Connection(gateway.port) as connection:
        request = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{extra}\r\n"
        response = connection.send(request.encode()).response(method)
    assert response is not None
    return response


@pytest.mark.parametrize("route", ["good", "address", "relative", "internal", "mutual"])
def test_a_good_certificate_and_http2(tls_gateway, apps, route):
    """Issue 3 point 6: CA, name or address, certificate of our own; ALPN chooses h2."""
    path = f"/{route}/{mark()}"
    response = ask(tls_gateway, path)
    assert response.status == 200, tls_gateway.log[-2000:]
    headers = dict(json.loads(response.body)["headers"])
    assert headers[":scheme"] == "https" and headers[":path"] == path


@pytest.mark.parametrize(("route", "protocol"), [("h1", "http/1.1"), ("without-alpn", None), ("mutual-h1", "http/1.1")])
def test_an_upstream_that_speaks_http1_over_tls(tls_gateway, route, protocol):
    """ALPN: what the upstream chooses is spoken; kept connections are used again."""
    for _ in range(3):
        response = ask(tls_gateway, f"/{route}/x")
        assert response.status == 200
        assert json.loads(response.body) == {"line": f"GET /{route}/x HTTP/1.1", "protocol": protocol}


REFUSED = {
    "wrong-name": ("upstream-certificate-wrong-name", "localhost"),
    "wrong-address": ("upstream-certificate-wrong-name", "127.0.0.1"),
    "internal-wrong": ("upstream-certificate-wrong-name", "localhost"),
    "expired": ("upstream-certificate-expired", "localhost"),
    "early": ("upstream-certificate-not-yet-valid", "localhost"),
    "unknown": ("upstream-certificate-untrusted", "localhost"),
    "system": ("upstream-certificate-untrusted", "localhost"),
    "client-only": ("upstream-certificate-untrusted", "localhost"),
    "mutual-none": ("upstream-certificate-refused", "localhost"),
    "mutual-none-h1": ("upstream-certificate-refused", "localhost"),
    "mutual-wrong": ("upstream-certificate-refused", "localhost"),
}


@pytest.mark.parametrize("route", REFUSED)
def test_a_bad_certificate_is_502_with_host_and_reason_in_the_log(tls_gateway, apps, route):
    """Issue 3 point 6: there is no way around the check, and the log says what was wrong (RFC 9110 4.3.4)."""
    reason, name = REFUSED[route]
    response = ask(tls_gateway, f"/{route}/{mark()}")
    assert response.status == 502
    assert not any(request.path.startswith(f"/{route}/") for app in apps.values() for request in app.requests)
    eventually(lambda: any(f'"{reason}"' in line and name in line for line in tls_gateway.log.splitlines()), f"{reason} is in the log")


def test_the_name_is_asked_for_and_an_address_is_not(tls_gateway, apps):
    """RFC 6066 3: SNI carries names, never addresses."""
    apps["good"].names.clear()
    apps["internal name"].names.clear()
    assert ask(tls_gateway, "/internal/x").status == 200
    assert set(apps["internal name"].names) <= {"app.internal.example"}
    assert set(apps["good"].names) <= {"localhost", None}


def test_a_plain_upstream_behind_https_is_told_apart(start_gateway):
    """`https` to a port that speaks plain HTTP: 502, and the log says it."""
    listener = socket.create_server(("127.0.0.1", 0))

    def refuse() -> None:
        client, _ = listener.accept()
        client.recv(1 << 16)
        client.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        client.close()

    threading.Thread(target=refuse, daemon=True).start()
    gateway = start_gateway({"upstream": f"https://{NAME}:{listener.getsockname()[1]}", "routes": ALL_PUBLIC})
    response = ask(gateway, "/")
    gateway.stop()
    listener.close()
    assert response.status == 502
    assert '"upstream-tls-failed"' in gateway.log and "does not speak TLS" in gateway.log


def test_websockets_use_http1_where_both_are_spoken(start_gateway, authority, folder):
    """RFC 6455 over an upstream that would choose h2: the handshake asks for HTTP/1.1 alone."""
    app = H2Upstream(authority.issue("websocket", [NAME]), protocols=("h2", "http/1.1"))
    gateway = start_gateway(
        {"upstream": {"targets": f"https://{NAME}:{app.port}", "tls": {"authority": str(authority.file)}}, "routes": ALL_PUBLIC}
    )
    try:
        assert json.loads(ask(gateway, "/").body)["headers"]
        response = ask(
            gateway, "/ws",
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        )
        assert response.status == 200 and json.loads(response.body) == {"line": "GET /ws HTTP/1.1", "protocol": "http/1.1"}
    finally:
        gateway.stop()
        app.close()


@pytest.mark.parametrize(
    ("tls", "said"),
    [
        ({"authority": "missing.pem"}, "missing.pem"),
        ({"authority": "empty.pem"}, "empty.pem"),
        ({"certificate": "authority.pem", "key": "missing.key"}, "missing.key"),
        ({"certificate": "authority-good.crt", "key": "authority-expired.key"}, "authority-expired.key"),
    ],
)
def test_files_that_cannot_be_used_end_the_start(folder, apps, tls, said):
    """Exit status 78, and the file is named."""
    (folder / "empty.pem").write_text("")
    configuration = {
        "version": 1,
        "server": {"listen": f"127.0.0.1:{free_port()}", "publicURL": "http://127.0.0.1:1"},
        "admin": {"listen": f"127.0.0.1:{free_port()}"},
        "upstream": {"targets": f"https://{NAME}:{apps['good'].port}", "tls": tls},
        "routes": ALL_PUBLIC,
    }
    file = write_configuration(folder / f"bad-{mark()}.yaml", configuration)
    result = run_command("run", str(file), folder=folder)
    assert result.returncode == 78
    assert said in result.stderr + result.stdout


ONLINE = {
    "good": None,
    "h1": None,
    "wrong name": "its certificate is not for localhost",
    "expired": "the certificate of localhost has expired",
    "not yet valid": "the certificate of localhost is not valid yet",
    "unknown authority": "from an unknown authority",
}


def test_validate_online_looks_at_certificates(folder, authority, apps):
    """`gateway validate --online`: what a request would meet, in words, and no request is sent."""
    seen = {name: len(app.requests) for name, app in apps.items()}
    upstreams = {
        name: {"targets": f"https://{NAME}:{apps[name].port}", "tls": {"authority": str(authority.file)}} for name in ONLINE
    }
    upstreams["plain"] = f"h2c://127.0.0.1:{apps['good'].port}"
    configuration = {
        "version": 1,
        "server": {"listen": f"127.0.0.1:{free_port()}", "publicURL": "http://127.0.0.1:1"},
        "upstream": f"http://127.0.0.1:{apps['good'].port}",
        "routes": [
            {"path": f"/{number}/**", "access": "public", "upstream": upstream} for number, upstream in enumerate(upstreams.values())
        ] + ALL_PUBLIC,
    }
    file = write_configuration(folder / f"online-{mark()}.yaml", configuration)
    result = run_command("validate", "--online", "--format", "json", str(file), folder=folder)
    findings = [item["message"] for item in json.loads(result.stdout)["diagnostics"] if item["rule"] == "upstream-unreachable"]
    expected = [words for words in ONLINE.values() if words]
    assert len(findings) == len(expected) + 1, result.stdout
    for words in expected:
        assert any(words in finding for finding in findings), findings
    assert any("HTTP/2" in finding for finding in findings), findings
    assert seen == {name: len(app.requests) for name, app in apps.items()}
