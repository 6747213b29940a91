"""What an operator finds when something fails: the log, `/readyz?verbose`, messages at the start, the page of a refusal (docs/operations/logging.md)."""

from __future__ import annotations

import html
import re
import socket
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
import requests

from conftest import mark
from logins import NAVIGATION, callback_of, new_client, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import ROOT, run_command, write_configuration
from parts.processes import eventually, free_port
from parts.tcp_server import TCPServer
from parts.upstream import Upstream

ALL_PUBLIC = [{"path": "/**", "access": "public"}]
# The handshake_failure alert of TLS 1.2 (RFC 5246 section 7.2).
TLS_ALERT = bytes([0x15, 3, 3, 0, 2, 2, 40])


def ask(gateway, path: str = "/") -> requests.Response:
    return new_client().get(gateway.url(path), headers=NAVIGATION, allow_redirects=False, timeout=60)


def upstream_failure(gateway) -> dict:
    """The one record of the last failed request."""
    response = ask(gateway, f"/{mark()}")
    assert response.status_code in (502, 504)
    number = re.search(r"<dt>[^<]*</dt><dd>([0-9a-f]{32})</dd>", response.text).group(1)
    eventually(lambda: any(event["request_id"] == number for event in gateway.events("upstream-failed")), "the failure is logged")
    [event] = [event for event in gateway.events("upstream-failed") if event["request_id"] == number]
    return event


def verbose(gateway) -> list[str]:
    return requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text.splitlines()


@pytest.fixture
def silent_port():
    """A port that takes connections and says nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    yield listener.getsockname()[1]
    listener.close()


class Alerting(TCPServer):
    """Answers every ClientHello with a TLS alert."""

    def serve(self, client: socket.socket) -> None:
        with client:
            client.recv(1 << 16)
            client.sendall(TLS_ALERT)


@pytest.fixture
def alerting_port():
    server = Alerting()
    yield server.port
    server.close()


# --- Upstreams ----------------------------------------------------------------------------------------------------------


def test_a_refused_connection_is_logged_with_the_system_s_error(start_gateway):
    port = free_port()
    gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": ALL_PUBLIC})
    event = upstream_failure(gateway)
    assert event["reason"] == "upstream-connect-failed" and event["upstream"] == f"http://127.0.0.1:{port}"
    assert event["detail"] == f"127.0.0.1:{port}: ECONNREFUSED (Connection refused)"
    assert "check that it runs" in event["message"]


def test_a_missing_socket_is_logged_with_the_system_s_error(start_gateway, tmp_path):
    event = upstream_failure(start_gateway({"upstream": f"unix:{tmp_path}/app.sock", "routes": ALL_PUBLIC}))
    assert event["detail"] == f"unix:{tmp_path}/app.sock: ENOENT (No such file or directory)"


def test_a_name_without_address_is_logged_with_the_resolver_s_error(start_gateway):
    event = upstream_failure(start_gateway({"upstream": "http://no-such-host.invalid:8080", "routes": ALL_PUBLIC}))
    assert event["reason"] == "upstream-name-unresolved"
    assert re.fullmatch(r"(?i)no-such-host\.invalid: .*name.*", event["detail"]), event["detail"]


def test_a_tls_alert_is_logged_by_its_name(start_gateway, alerting_port):
    event = upstream_failure(start_gateway({"upstream": f"https://127.0.0.1:{alerting_port}", "routes": ALL_PUBLIC}))
    assert event["reason"] == "upstream-tls-failed" and "ALERT_HANDSHAKE_FAILURE" in event["detail"]


def test_a_connection_that_takes_too_long_is_logged_with_its_limit(start_gateway, silent_port):
    gateway = start_gateway(
        {"upstream": f"https://127.0.0.1:{silent_port}", "routes": ALL_PUBLIC, "server": {"timeouts": {"upstreamConnect": "300ms"}}}
    )
    event = upstream_failure(gateway)
    assert event["reason"] == "upstream-connect-timeout" and event["detail"] == "no usable connection within 300 ms"
    assert "server.timeouts.upstreamConnect" in event["message"]


def test_verbose_readiness_lists_each_upstream_with_its_last_error(start_gateway):
    """Without health checks the last request decides; the gateway stays ready."""
    good, port = Upstream(), free_port()
    bad = f"http://127.0.0.1:{port}"
    routes = [{"path": "/bad/**", "access": "public", "upstream": bad}, *ALL_PUBLIC]
    gateway = start_gateway({"upstream": good.origin, "routes": routes})
    assert f"[+]upstream {good.origin} ok" in verbose(gateway) and f"[+]upstream {bad} ok" in verbose(gateway)
    assert ask(gateway, "/bad/x").status_code == 502
    [line] = [line for line in verbose(gateway) if bad in line]
    cause = re.escape(f"upstream-connect-failed: 127.0.0.1:{port}: ECONNREFUSED (Connection refused)")
    assert re.fullmatch(rf"\[-\]upstream {re.escape(bad)} failed: {cause}, \d+ s ago \(not required for readiness\)", line), line
    assert requests.get(f"{gateway.admin}/readyz", timeout=60).status_code == 200
    recovered = Upstream(port)
    assert ask(gateway, "/bad/x").status_code == 200
    [line] = [line for line in verbose(gateway) if bad in line]
    assert re.fullmatch(rf"\[\+\]upstream {re.escape(bad)} ok; last error \d+ s ago: {cause}", line), line
    recovered.close()
    good.close()


# --- Listeners ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["server", "admin"])
def test_a_taken_address_is_reported_with_its_key_and_the_remedy(tmp_path, key):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        addresses = {"server": f"127.0.0.1:{free_port()}", "admin": f"127.0.0.1:{free_port()}", key: f"127.0.0.1:{port}"}
        configuration = {
            "version": 1,
            "upstream": "http://127.0.0.1:1",
            "server": {"listen": addresses["server"]},
            "admin": {"listen": addresses["admin"]},
            "routes": ALL_PUBLIC,
        }
        result = run_command("run", str(write_configuration(tmp_path / "gateway.yaml", configuration)))
    assert result.returncode == 69
    [line] = [line for line in result.stderr.splitlines() if "cannot listen" in line]
    assert line.startswith(f"gateway: cannot listen on 127.0.0.1:{port} (`{key}.listen`): EADDRINUSE (Address already in use); ")
    assert f"set `{key}.listen` to a free port" in line


def test_the_demo_names_its_option_instead_of_a_key():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run_command("demo", "--port", str(port))
    assert result.returncode == 69
    assert f"cannot listen on 127.0.0.1:{port}: EADDRINUSE (Address already in use)\n" in result.stderr
    assert "--port" in result.stderr and "server.listen" not in result.stderr


def test_a_reload_to_a_taken_address_names_the_key(start_gateway):
    gateway = start_gateway({"routes": ALL_PUBLIC})
    with socket.create_server(("127.0.0.1", 0)) as taken:
        gateway.rewrite(server={"listen": f"127.0.0.1:{taken.getsockname()[1]}"})
        eventually(lambda: gateway.events("reload-failed"), "the reload fails")
    assert "(`server.listen`): EADDRINUSE" in gateway.events("reload-failed")[0]["reason"]


# --- Sign-ins -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pair(folder, start_gateway):
    dev = DevProvider("dev-provider-diagnosis", folder).wait()
    routes = [{"path": "/only-bob/**", "access": {"emails": ["bob@example.com"]}}]
    yield start_gateway({"providers": [dev.configuration], "routes": routes}, name="gateway-diagnosis"), dev
    dev.process.kill()


def failed_sign_in(gateway, dev, fault: str, language: str = "en") -> requests.Response:
    client = new_client()
    with dev.misbehaving(fault):
        callback = callback_of(gateway, dev, client)
        return client.get(callback, headers={**NAVIGATION, "Accept-Language": language}, allow_redirects=False, timeout=60)


@pytest.mark.parametrize(
    "fault, in_log, on_page",
    [
        ("id-token.expired", r"`exp` is \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, 36\d s ago; the gateway's clock", r"expired 36\d seconds ago\. The clock may be wrong"),
        ("id-token.iat-old", r"`iat` is \S+Z, 60480\d s ago; the gateway's clock", r"response is 60480\d seconds old\. The clock may be wrong"),
        ("id-token.iat-future", r"`iat` is \S+Z, (600|59\d) s in the future; the gateway's clock", r"from (600|59\d) seconds in the future"),
        ("id-token.nbf-future", r"`nbf` is \S+Z, (600|59\d) s in the future; the gateway's clock", r"from (600|59\d) seconds in the future"),
    ],
)
def test_a_wrong_clock_is_reported_in_seconds_in_the_log_and_on_the_page(pair, fault, in_log, on_page):
    response = failed_sign_in(*pair, fault)
    assert response.status_code == 502 and re.search(on_page, html.unescape(response.text)), response.text
    assert re.search(in_log, pair[0].events("login-failed")[-1]["reason"])


def test_a_wrong_clock_is_reported_in_the_reader_s_language(pair):
    assert re.search(r"vor 36\d Sekunden abgelaufen", failed_sign_in(*pair, "id-token.expired", language="de").text)


def test_a_missing_time_is_no_matter_of_clocks(pair):
    assert "clock" not in failed_sign_in(*pair, "id-token.exp-missing").text
    assert pair[0].events("login-failed")[-1]["reason"].endswith("`exp` is missing")


def sentences() -> list[str]:
    """The sentences that pages show to users, from the catalogue of error texts."""
    folder = ROOT / "Sources/Pages"
    texts = "".join((folder / name).read_text() for name in ("ErrorText+Auth.swift", "ErrorText+Proxy.swift"))
    return [sentence for text in re.findall(r'(?:happened|next): "([^"]+)"', texts) for sentence in re.findall(r"[^.]+\.", text)]


def test_the_log_never_contains_a_sentence_of_a_page(pair):
    gateway, dev = pair
    for fault in ("id-token.expired", "id-token.other-key", "token.500", "token.close", "claims.sub-mismatch", "callback.state-wrong"):
        assert failed_sign_in(gateway, dev, fault).status_code >= 300
    bob = sign_in(gateway, dev)
    assert bob.get(gateway.url("/only-bob/x"), headers=NAVIGATION).status_code == 403
    assert ask(gateway, "/_gateway/nowhere").status_code == 404
    assert ask(gateway, "/a%2Fb").status_code == 400
    messages = [event["message"] for name in ("login-failed", "access-denied", "request-refused") for event in gateway.events(name)]
    assert len(messages) >= 7
    known = sentences()
    assert len(known) > 60
    found = [(message, sentence) for message in messages for sentence in known if sentence.strip(" .").lower() in message.lower()]
    assert found == []
    assert [message for message in messages if re.search(r"\b(you|your|person|please)\b", message, re.IGNORECASE)] == []


# --- The page of a refusal ----------------------------------------------------------------------------------------------


def test_a_refusal_shows_the_account_and_leads_to_a_choice_of_accounts(pair):
    gateway, dev = pair
    client = sign_in(gateway, dev)
    page = client.get(gateway.url("/only-bob/x?y=1"), headers=NAVIGATION)
    assert page.status_code == 403
    assert "<dt>Signed in as</dt><dd><bdi>alice@example.com</bdi></dd>" in page.text and "Development" in page.text
    [link] = re.findall(r'<a class="button" href="([^"]+)">Use another account</a>', page.text)
    start = client.get(urljoin(page.url, html.unescape(link)), headers=NAVIGATION, allow_redirects=False)
    query = dict(parse_qsl(urlsplit(start.headers["Location"]).query))
    assert start.status_code == 302 and query["prompt"] == "select_account" and "account" not in query
    back = client.get(dev.sign_in(client, client.get(start.headers["Location"]), "bob"), headers=NAVIGATION, allow_redirects=False)
    assert back.status_code == 303 and back.headers["Location"] == "/only-bob/x?y=1"
    assert client.get(gateway.url("/only-bob/x"), headers=NAVIGATION).status_code == 200


def test_with_several_providers_the_refusal_leads_to_the_sign_in_page(start_gateway, dev):
    other = {**dev.configuration, "id": "oidc.other", "displayName": "Other"}
    gateway = start_gateway({"providers": [dev.configuration, other], "routes": [{"path": "/**", "access": {"emails": ["bob@example.com"]}}]})
    client = sign_in(gateway, dev, start="oidc.dev")
    page = client.get(gateway.url("/x"), headers=NAVIGATION)
    [link] = re.findall(r'<a class="button" href="([^"]+)">Use another account</a>', page.text)
    choice = client.get(urljoin(page.url, html.unescape(link)), headers=NAVIGATION)
    assert choice.status_code == 200
    for provider in ("oidc.dev", "oidc.other"):
        assert f'href="/_gateway/login/{provider}?rd=%2Fx&amp;account=select"' in choice.text


def test_programs_do_not_see_the_account(pair):
    gateway, dev = pair
    answer = sign_in(gateway, dev).get(gateway.url("/only-bob/x"))
    assert answer.status_code == 403 and "alice" not in answer.text


@pytest.mark.parametrize(
    "host, cause",
    [("127.0.0.1", r"ECONNREFUSED \(Connection refused\)"), ("no-such-host.invalid", "the host name does not resolve")],
)
def test_an_unreachable_provider_is_reported_with_the_system_s_error(start_gateway, host, cause):
    """In `/readyz?verbose` and in the log; the address itself is in the configuration."""
    scheme = "http" if host == "127.0.0.1" else "https"
    provider = {"id": "oidc.gone", "issuer": f"{scheme}://{host}:{free_port()}", "clientID": "c", "clientSecret": "s-s-s-s-s-s-s-s"}
    gateway = start_gateway({"providers": [provider]})
    eventually(lambda: any("no connection" in line for line in verbose(gateway)), "the provider is unavailable", timeout=60)
    [line] = [line for line in verbose(gateway) if "oidc.gone" in line]
    assert re.search(rf"failed: discovery: no connection: {cause}, for \d+ s", line), line
    assert re.search(rf"no connection: {cause}", gateway.events("provider")[-1]["gw.reason"])
