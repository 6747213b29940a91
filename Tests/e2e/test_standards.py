"""Lines of the standards checklist (docs/standards.md) that no other file has a test for; each test begins with the line's id.

B: RFC 9700. O: RFC 6749 and its family. P: RFC 9110, RFC 9112. C: cookies. X: forwarding. A: the advisories of our peers.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import pathlib
import re
import signal
import socket
import subprocess
import threading
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

import wire
from conftest import mark
from logins import NAVIGATION, SESSION_COOKIE, callback_of, new_client, session_cookie, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import BINARY, run_command, session_key, write_configuration
from parts.processes import eventually, free_port
from test_sessions import status_with

OK = b"HTTP/1.1 200 OK\r\n"


def host_of(gateway) -> str:
    return f"127.0.0.1:{gateway.port}"


def ask(gateway, path: str, extra: str = "", method: str = "GET", cookie: str | None = None, version: str = "1.1", host: str | None = None) -> wire.Response:
    """One request on a connection of its own; `extra` is field lines."""
    lines = f"{method} {path} HTTP/{version}\r\nHost: {host or host_of(gateway)}\r\nConnection: close\r\n{extra}"
    if cookie:
        lines += f"Cookie: {cookie}\r\n"
    with wire.Connection(gateway.port) as connection:
        response = connection.send((lines + "\r\n").encode("latin-1")).response(method)
    assert response is not None, "no answer"
    return response


@pytest.fixture(scope="module")
def alice(gateway, dev) -> str:
    return f"session={session_cookie(sign_in(gateway, dev))}"


@pytest.fixture(scope="module")
def own(folder):
    """A provider of this file's own, to be made to misbehave."""
    part = DevProvider("dev-provider-standards", folder).wait()
    yield part
    part.process.kill()


# --- RFC 9700, RFC 6749 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["metadata.plain-pkce-only", "metadata.pkce-unadvertised"])
def test_b4_b5_a84_pkce_is_s256_whatever_the_metadata_says(own, start_gateway, fault):
    """B4, B5, O17, advisories 84, 85: never `plain`, never without; state and nonce stay beside it."""
    own.control(faults=[fault])
    try:
        gateway = start_gateway({"providers": [own.configuration]})
        start = new_client().get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    finally:
        own.control(faults=[])
    assert start.status_code == 302
    sent = parse_qs(urlsplit(start.headers["Location"]).query)
    assert sent["code_challenge_method"] == ["S256"] and len(sent["code_challenge"][0]) == 43
    assert sent["state"] and sent["nonce"]
    gateway.kill()


def test_b12_b14_nothing_of_a_login_leaks_into_an_address_or_a_page(gateway, dev):
    """B12, B13, B14, P28: every answer of a login is a 302 or 303, is not stored, and hides the referrer; no token is in a URL."""
    client = new_client()
    answers = [client.get(gateway.url("/app/x"), headers=NAVIGATION, allow_redirects=False, timeout=60)]
    answers.append(client.get(gateway.own("/login?rd=/app/x"), headers=NAVIGATION, allow_redirects=False, timeout=60))
    page = client.get(answers[1].headers["Location"], timeout=60)
    answers.append(client.get(dev.sign_in(client, page, "alice"), headers=NAVIGATION, allow_redirects=False, timeout=60))
    for answer in answers:
        assert answer.status_code in (302, 303)
        assert "no-store" in answer.headers["Cache-Control"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert not re.search(r"access_token|refresh_token|id_token=|eyJ[\w-]+\.eyJ", answer.headers["Location"])
    assert urlsplit(answers[-1].headers["Location"]).query == "", "code and state leave the address bar"


def test_core_4_a42_a_login_begun_elsewhere_names_neither_issuer_nor_target(gateway, dev):
    """Core 4, advisory 42: `iss` and `target_link_uri` of a third-party initiated login decide nothing."""
    client = new_client()
    start = client.get(gateway.own("/login?iss=https://evil.example&target_link_uri=https://evil.example/x&login_hint=x"), headers=NAVIGATION, timeout=60)
    assert start.url.startswith(dev.issuer)
    response = client.get(dev.sign_in(client, start, "alice"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert response.status_code == 303
    assert urlsplit(response.headers["Location"]).path == "/" and "evil" not in response.headers["Location"]


def test_form_post_is_taken_as_a_post_only(start_gateway, dev):
    """Form Post Response Mode; C3: the transaction cookie is `SameSite=None; Secure`, and an answer in the query is refused."""
    gateway = start_gateway({"providers": [{**dev.configuration, "responseMode": "form_post"}]})
    client = new_client()
    start = client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert parse_qs(urlsplit(start.headers["Location"]).query)["response_mode"] == ["form_post"]
    cookie = next(value for value in start.raw.headers.getlist("Set-Cookie") if "-login-" in value).lower()
    assert "samesite=none" in cookie and "; secure" in cookie
    state = parse_qs(urlsplit(start.headers["Location"]).query)["state"][0]
    pair = start.raw.headers.getlist("Set-Cookie")[0].split(";")[0]
    response = requests.get(gateway.own(f"/callback/oidc.dev?code=x&state={state}"), headers={**NAVIGATION, "Cookie": pair}, allow_redirects=False, timeout=60)
    assert response.status_code == 400
    assert not any(value.startswith("session=") for value in response.raw.headers.getlist("Set-Cookie"))
    gateway.kill()


def test_a68_a_browser_that_leaves_in_the_middle_of_a_login_harms_nobody(own, start_gateway):
    """advisory 68: the connection goes while the provider is being asked; the gateway serves the next one."""
    gateway = start_gateway({"providers": [own.configuration]})
    for _ in range(5):
        client = new_client()
        callback = urlsplit(callback_of(gateway, own, client))
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies if "-login-" in cookie.name)
        own.control(faults=["token.slow"])
        asked = own.counters().get("token", 0)
        with wire.Connection(gateway.port) as connection:
            connection.send(f"GET {callback.path}?{callback.query} HTTP/1.1\r\nHost: {host_of(gateway)}\r\nCookie: {cookies}\r\n\r\n".encode())
            eventually(lambda asked=asked: own.counters().get("token", 0) > asked, "the provider is asked")
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        own.control(faults=[])
    assert gateway.alive
    assert sign_in(gateway, own).get(gateway.url(f"/{mark()}"), timeout=60).status_code == 200
    gateway.kill()


def test_many_people_at_once_wait_for_a_slow_provider_and_all_get_in(folder, start_gateway):
    """§6 "Providers": a call has ten seconds in all. Sixty sign-ins at a provider that takes a second must not queue behind
    one another: junk callbacks, which cost a stranger nothing, would keep everybody else out (advisories 98, 107)."""
    provider = DevProvider("dev-provider-rush", folder).wait()
    gateway = start_gateway({"providers": [provider.configuration]})
    people = [(client, callback_of(gateway, provider, client)) for client in (new_client() for _ in range(60))]
    provider.control(faults=["token.slow"], slowMilliseconds=1000)
    try:
        with concurrent.futures.ThreadPoolExecutor(len(people)) as pool:
            answers = list(pool.map(lambda pair: pair[0].get(pair[1], headers=NAVIGATION, allow_redirects=False, timeout=60), people))
    finally:
        provider.process.kill()
        gateway.kill()
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(303) == len(people), {status: statuses.count(status) for status in set(statuses)}


def test_r6_a_provider_that_is_down_keeps_nobody_signed_in(folder, start_gateway):
    """R3, R6: the session ends here, whatever becomes of the way to the provider."""
    provider = DevProvider("dev-provider-that-goes", folder).wait()
    gateway = start_gateway({"providers": [provider.configuration]})
    for stops, number in (("hangs", signal.SIGSTOP), ("is gone", signal.SIGKILL)):
        client = sign_in(gateway, provider)
        before = session_cookie(client)
        provider.process.child.send_signal(number)
        headers = {**NAVIGATION, "Origin": gateway.origin, "Sec-Fetch-Site": "same-origin"}
        # A call to a provider that hangs takes ten seconds.
        response = client.post(gateway.own("/logout"), headers=headers, allow_redirects=False, timeout=8)
        assert response.status_code == 303, stops
        assert SESSION_COOKIE not in client.cookies
        assert status_with(gateway, f"session={before}") == 401
        provider.process.child.send_signal(signal.SIGCONT)
    provider.process.kill()
    gateway.kill()


def test_o31_signing_out_revokes_the_refresh_token(own, start_gateway):
    """O31, RFC 7009 2.1: behind the answer, once."""
    gateway = start_gateway({"providers": [own.configuration]})
    client = sign_in(gateway, own)
    before = own.counters().get("revocation", 0)
    client.post(gateway.own("/logout"), headers={**NAVIGATION, "Origin": gateway.origin, "Sec-Fetch-Site": "same-origin"}, allow_redirects=False, timeout=60)
    eventually(lambda: own.counters().get("revocation", 0) == before + 1, "the refresh token is revoked")
    gateway.kill()


# --- Sessions and cookies ----------------------------------------------------------------------------------------------


def test_c12_a59_a60_a_new_login_ends_the_session_that_was_there(gateway, dev):
    """C12, advisories 59, 60: what the browser had before is dead in anybody's hands."""
    client = sign_in(gateway, dev)
    before = session_cookie(client)
    response = client.get(callback_of(gateway, dev, client), headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert response.status_code == 303
    assert session_cookie(client) != before
    assert status_with(gateway, f"session={before}") == 401


def test_c6_cookies_on_several_lines_are_one_list(gateway, upstream, alice):
    """C6, C7: ours is found, and stripped, on whichever line it stands; twice is none."""
    value = alice.removeprefix("session=")
    marker = mark()
    response = ask(gateway, f"/app/{marker}", f"Cookie: a=1\r\nCookie: {alice}\r\nCookie: b=2\r\n")
    assert response.status == 200
    assert upstream.only(marker).value("Cookie") == "a=1; b=2"
    assert value.encode() not in upstream.only(marker).head
    marker = mark()
    assert ask(gateway, f"/app/{marker}", f"Cookie: {alice}\r\nCookie: session=x\r\n").status == 401
    assert ask(gateway, f"/app/{marker}", f"Cookie: {alice}\r\nCookie: {alice}\r\n").status == 401
    assert not upstream.saw(marker)


@pytest.mark.parametrize("domain", ["com", "co.uk", "github.io", "example.co.uk.", "https://example.co.uk"])
def test_c14_a_cookie_domain_is_no_public_suffix(tmp_path, domain):
    """C14, contract §6: a public suffix, a URL, a name with an empty label."""
    host = {"com": "app.com", "github.io": "app.github.io"}.get(domain, "app.example.co.uk")
    configuration = {
        "version": 1,
        "upstream": "http://127.0.0.1:1",
        "server": {"publicURL": f"https://{host}"},
        "session": {"keys": [session_key()], "cookie": {"domain": domain}},
        "routes": [{"path": "/**", "access": "public"}],
    }
    report = run_command("validate", "--format", "json", str(write_configuration(tmp_path / "gateway.yaml", configuration)))
    assert [finding["rule"] for finding in json.loads(report.stdout)["diagnostics"] if finding["severity"] == "error"] == ["cookie-domain"]
    assert report.returncode == 1


@pytest.mark.parametrize("name", ["session", "session.0", "session.1", "session.7", "session.99", "session-login-x", "__Host-session", "__Secure-session", "__Host-session.0", "__Host-session-login-x"])
def test_c7_c8_every_name_of_ours_stays_with_the_gateway(gateway, upstream, name):
    """C7, C8: neither sent to the upstream nor taken from it."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = OK + f"Set-Cookie: {name}=planted; Path=/\r\nSet-Cookie: other=1\r\nContent-Length: 2\r\n\r\nok".encode()
    response = ask(gateway, f"/public/{marker}", f"Cookie: x=1; {name}=mine; y=2\r\n")
    assert [value for value in response.values("Set-Cookie") if "planted" in value] == []
    assert "other=1" in response.values("Set-Cookie")
    assert upstream.only(marker).value("Cookie") == "x=1; y=2"


def test_c8_a_nameless_cookie_cannot_pose_as_ours(gateway, upstream):
    """C8, RFC 6265bis 5.7: a browser sends back the nameless cookie `=session=x` as `session=x`."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = OK + b"Set-Cookie: =session=planted; Path=/\r\nSet-Cookie: a=1\r\nContent-Length: 2\r\n\r\nok"
    assert [value for value in ask(gateway, f"/public/{marker}").values("Set-Cookie") if "planted" in value] == []


def test_c6_a_thousand_login_cookies_do_not_make_a_thousand_deletions(gateway):
    """C6, advisory 56: the answer to a header full of our names is bounded."""
    cookie = "; ".join(f"session-login-{number}=x" for number in range(1200))
    response = ask(gateway, "/_gateway/login?rd=/", "Sec-Fetch-Mode: navigate\r\n", cookie=cookie)
    assert response.status == 302
    assert sum(len(value) for value in response.values("Set-Cookie")) < 16384


# --- RFC 9110 and RFC 9112 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "arrives"), [("0", None), ("3", "2"), ("1", "0")])
def test_p4_max_forwards_of_options_is_counted_down(gateway, upstream, sent, arrives):
    """P4, RFC 9110 7.6.2: at 0 the proxy answers itself, else it forwards one less."""
    marker = mark()
    ask(gateway, f"/public/{marker}", f"Max-Forwards: {sent}\r\n", method="OPTIONS")
    if arrives is None:
        assert not upstream.saw(marker)
    else:
        assert upstream.only(marker).value("Max-Forwards") == arrives


def test_p7_the_authority_of_an_absolute_target_replaces_a_different_host(start_gateway, upstream):
    """P7, RFC 9112 3.2.2: one authority is matched, forwarded and told."""
    gateway = start_gateway({"routes": [{"host": "open.example", "access": "public"}]})
    marker = mark()
    response = wire.exchange(gateway.port, f"GET http://open.example/{marker} HTTP/1.1\r\nHost: closed.example\r\nConnection: close\r\n\r\n".encode())
    assert [answer.status for answer in response] == [200]
    recording = upstream.only(marker)
    assert recording.value("Host") == "open.example" and recording.value("X-Forwarded-Host") == "open.example"
    assert "closed.example" not in str(recording.headers)
    marker = mark()
    response = wire.exchange(gateway.port, f"GET http://closed.example/{marker} HTTP/1.1\r\nHost: open.example\r\nConnection: close\r\n\r\n".encode())
    assert [answer.status for answer in response] == [421]
    assert not upstream.saw(marker)
    gateway.kill()


@pytest.fixture(scope="module")
def by_host(start_gateway):
    """Every route names a host."""
    return start_gateway({"routes": [{"host": "app.example", "access": "public"}]}, name="gateway-by-host")


@pytest.mark.parametrize("host", ["other.example", "app.example.evil", "127.0.0.1", "[::1]", "xapp.example", "app.example@other.example", "app.example, other.example"])
def test_p29_a_host_that_no_route_names_is_421(by_host, upstream, host):
    """P29, RFC 9110 7.4."""
    marker = mark()
    assert ask(by_host, f"/{marker}", host=host).status in (400, 421)
    assert not upstream.saw(marker)


@pytest.fixture(scope="module")
def admins_by_host(start_gateway, dev):
    """`admin.example` is for admins, every other host for everybody."""
    rules = [{"host": "admin.example", "access": {"groups": ["admins"]}}, {"path": "/**", "access": "public"}]
    # A sign-in takes place at the public URL, so that this host can have one.
    server = {"publicURL": "https://admin.example"}
    return start_gateway({"server": server, "providers": [dev.configuration], "routes": rules}, name="gateway-admins-by-host")


@pytest.mark.parametrize("host", ["admin.example", "ADMIN.example", "admin.example.", "Admin.Example.:80", "admin.example:80", "admin.example:", "%61dmin.example"])
def test_a12_no_spelling_of_a_host_misses_its_rule(admins_by_host, upstream, host):
    """advisory 12, CVE-2026-48794: case, trailing dot and port do not decide."""
    marker = mark()
    assert ask(admins_by_host, f"/{marker}", host=host).status in (400, 401)
    responses = wire.exchange(admins_by_host.port, f"GET http://{host}/{marker} HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n\r\n".encode())
    assert [response.status for response in responses] in ([400], [401])
    assert not upstream.saw(marker)


def test_p16_trailers_of_an_answer_never_become_headers(gateway, upstream):
    """P16, RFC 9110 6.5.1: nor do they reach the client."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = (
        OK + b"Transfer-Encoding: chunked\r\nTrailer: Set-Cookie\r\n\r\n2\r\nok\r\n0\r\nSet-Cookie: session=planted\r\nX-Forwarded-User: evil\r\n\r\n"
    )
    with wire.Connection(gateway.port) as connection:
        connection.send(f"GET /public/{marker} HTTP/1.1\r\nHost: {host_of(gateway)}\r\nConnection: close\r\n\r\n".encode())
        everything = b""
        while data := connection.some():
            everything += data
    assert b"planted" not in everything and b"evil" not in everything
    assert everything.endswith(b"0\r\n\r\n")


def test_p18_any_number_of_interim_answers(gateway, upstream):
    """P18, RFC 9110 15.2: all of them, then the final one; our names are dropped there as well."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = (
        b"HTTP/1.1 102 Processing\r\n\r\n" * 3 + b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nSet-Cookie: session=planted\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok"
    )
    with wire.Connection(gateway.port) as connection:
        connection.send(f"GET /public/{marker} HTTP/1.1\r\nHost: {host_of(gateway)}\r\n\r\n".encode())
        heads = [connection.head() for _ in range(5)]
    assert [head[0] for head in heads if head] == [102, 102, 102, 103, 200]
    assert "planted" not in str(heads)
    response = ask(gateway, f"/public/{marker}", version="1.0")
    assert response.status == 200 and response.body == b"ok"


@pytest.mark.parametrize("protocol", ["h2c", "TLS/1.2", "foo"])
def test_p19_an_upgrade_that_was_not_answered_opens_no_tunnel(gateway, upstream, protocol):
    """P19, RFC 9110 7.8, advisory 74 (h2c smuggling): what follows the request is the next request, judged by itself."""
    marker = mark()
    data = (
        f"GET /public/{marker} HTTP/1.1\r\nHost: {host_of(gateway)}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: {protocol}\r\n"
        "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n"
        f"GET /app/{marker}-behind HTTP/1.1\r\nHost: {host_of(gateway)}\r\nConnection: close\r\n\r\n"
    )
    responses = wire.exchange(gateway.port, data.encode())
    assert [response.status for response in responses] in ([200, 401], [400], [426], [501])
    assert not upstream.saw(f"{marker}-behind")
    for recording in upstream.containing(marker):
        assert {name.lower() for name, _ in recording.headers}.isdisjoint({"upgrade", "http2-settings"})


@pytest.mark.parametrize("path", ["/app/{}", "/_gateway/userinfo", "/_gateway/nothing", "/_gateway/login", "/_gateway/logout", "/_gateway/callback/oidc.dev", "/only-bob/{}"])
@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_p24_the_body_of_a_refused_request_is_never_a_request(gateway, upstream, path, framing, alice):
    """P24, P9: whoever answers without reading the body reads it away or closes."""
    marker = mark()
    hidden = f"GET /public/{marker}-hidden HTTP/1.1\r\nHost: {host_of(gateway)}\r\n\r\n"
    head = f"PUT {path.format(marker)} HTTP/1.1\r\nHost: {host_of(gateway)}\r\n"
    if framing == "length":
        data = head + f"Content-Length: {len(hidden)}\r\n\r\n{hidden}"
    else:
        data = head + f"Transfer-Encoding: chunked\r\n\r\n{len(hidden):x}\r\n{hidden}\r\n0\r\n\r\n"
    responses = wire.exchange(gateway.port, data.encode())
    assert len(responses) == 1 and responses[0].status >= 400
    assert not upstream.saw(f"{marker}-hidden")


@pytest.mark.parametrize("path", ["/_gateway/logout", "/app/x", "/public/{}"])
def test_p24_answers_that_nobody_reads_are_not_piled_up(start_gateway, dev, upstream, path):
    """P24, design §4.7: a client that pipelines and never reads waits; it does not fill the memory."""
    gateway = start_gateway({"providers": [dev.configuration], "routes": [{"path": "/public/**", "access": "public"}], "logging": {"level": "error"}})
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = lambda client, _: client.sendall(OK + b"Content-Length: 20000\r\n\r\n" + b"x" * 20000) or True
    requests_sent = f"GET {path.format(marker)} HTTP/1.1\r\nHost: {host_of(gateway)}\r\nSec-Fetch-Mode: navigate\r\n\r\n".encode() * 400
    before = held = gateway.resident_kilobytes()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", gateway.port))
        client.settimeout(1)
        sent = 0
        # Until the gateway reads no more, or closes the connection, which is as good.
        with contextlib.suppress(OSError):
            while sent < 100 << 20 and held - before < 100 * 1024:
                sent += client.send(requests_sent[sent % len(requests_sent) :])
                held = max(held, gateway.resident_kilobytes())
    gateway.kill()
    assert held - before < 24 * 1024, f"{held - before} KiB held for one client"


def test_p18_interim_answers_that_nobody_reads_are_not_piled_up(start_gateway, upstream):
    """P18, design §4.7: backpressure holds before the final answer as well."""
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}], "logging": {"level": "error"}})
    marker = mark()
    interim = (b"HTTP/1.1 103 Early Hints\r\nLink: " + b"a" * 8000 + b"\r\n\r\n") * 20
    stopped = threading.Event()

    def endless(client: socket.socket, _) -> bool:
        """Until the gateway reads no more, or 100 MB were sent."""
        client.settimeout(1)
        with contextlib.suppress(OSError):
            for _ in range(100_000_000 // len(interim)):
                client.sendall(interim)
        stopped.set()
        return False

    upstream.scripts[f"/{marker}"] = endless
    before = held = gateway.resident_kilobytes()
    with wire.Connection(gateway.port) as connection:
        connection.send(f"GET /{marker} HTTP/1.1\r\nHost: {host_of(gateway)}\r\n\r\n".encode())
        while not stopped.wait(0.1):
            held = max(held, gateway.resident_kilobytes())
    gateway.kill()
    assert held - before < 24 * 1024, f"{held - before} KiB held for one client"


@pytest.mark.parametrize("path", ["/app/x", "/_gateway/login/oidc.nobody", "/_gateway/userinfo", "/_gateway/logout", "/_gateway/logged-out", "/a//b", "/_gateway/nothing"])
def test_p20_head_of_our_own_answers_has_no_body(gateway, path):
    """P20, RFC 9110 9.3.2: the next answer on the connection begins where it should."""
    request = f"HEAD {path} HTTP/1.1\r\nHost: {host_of(gateway)}\r\n\r\n".encode()
    with wire.Connection(gateway.port) as connection:
        first = connection.send(request).response("HEAD")
        assert first is not None and first.status >= 200
        if "close" in (first.value("Connection") or ""):
            assert connection.some() == b""
            return
        second = connection.send(f"GET /public/{mark()} HTTP/1.1\r\nHost: {host_of(gateway)}\r\n\r\n".encode()).response()
    assert second is not None and second.status == 200


def test_p23_a_post_is_never_sent_twice(gateway, upstream):
    """P23, RFC 9110 9.2.2: an upstream that closes without an answer has perhaps acted."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = b""
    with wire.Connection(gateway.port) as connection:
        for _ in range(3):  # warms the pool
            connection.send(f"GET /public/{mark()} HTTP/1.1\r\nHost: {host_of(gateway)}\r\n\r\n".encode()).response()
        response = connection.send(f"POST /public/{marker} HTTP/1.1\r\nHost: {host_of(gateway)}\r\nContent-Length: 2\r\n\r\nhi".encode()).response()
    assert response is not None and response.status == 502
    assert len(upstream.containing(marker)) == 1


def test_p25_a_refusal_can_be_read_while_the_client_still_sends(start_gateway):
    """P25, RFC 9112 9.6: lingering close; no reset takes the 413 away."""
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}], "server": {"limits": {"bodyBytes": "64KiB"}}})
    for _ in range(5):
        with wire.Connection(gateway.port) as connection:
            connection.send(f"POST / HTTP/1.1\r\nHost: {host_of(gateway)}\r\nContent-Length: 4000000\r\n\r\n".encode())
            for _ in range(60):
                connection.send(b"x" * 65536)
            response = connection.response()
        assert response is not None and response.status == 413
        assert (response.value("Connection") or "").lower() == "close"
    gateway.kill()


@pytest.mark.parametrize("method", ["PROPFIND", "REPORT", "PATCH", "DELETE", "GETX", "M-SEARCH", "X!#$%&'*+.^_`|~9"])
def test_p26_methods_go_through_whole(gateway, upstream, method):
    """P26, RFC 9110 9.1: forwarded as it came, never cut."""
    marker = mark()
    assert ask(gateway, f"/public/{marker}", method=method).status == 200
    assert upstream.only(marker).method == method


def test_p26_content_codings_are_left_alone(gateway, upstream):
    """P26, RFC 9110 7.7: bytes, coding, validators and `no-transform` as they came."""
    body = bytes(range(256))
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = (
        OK + b"Content-Encoding: gzip\r\nETag: \"x\"\r\nVary: Accept-Encoding\r\nCache-Control: no-transform\r\nContent-Length: 256\r\n\r\n" + body
    )
    response = ask(gateway, f"/public/{marker}", "Accept-Encoding: gzip, br\r\nRange: bytes=0-5\r\n")
    assert response.body == body
    assert [response.value(name) for name in ("Content-Encoding", "ETag", "Vary", "Cache-Control")] == ["gzip", '"x"', "Accept-Encoding", "no-transform"]
    recording = upstream.only(marker)
    assert recording.value("Accept-Encoding") == "gzip, br" and recording.value("Range") == "bytes=0-5"


def test_p27_the_upstreams_own_401_is_the_upstreams(gateway, upstream, alice):
    """P27, RFC 9110 11.7: challenge and body pass; proxy authentication is of this hop."""
    marker = mark()
    upstream.scripts[f"/app/{marker}"] = (
        b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"app\"\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\nContent-Length: 4\r\n\r\nmine"
    )
    response = ask(gateway, f"/app/{marker}", "Proxy-Authorization: Basic eDp5\r\nSec-Fetch-Mode: navigate\r\n", cookie=alice)
    assert response.status == 401 and response.body == b"mine"
    assert response.values("WWW-Authenticate") == ['Basic realm="app"']
    assert response.values("Proxy-Authenticate") == []
    assert upstream.only(marker).values("Proxy-Authorization") == []


def shared_cacheable(response: wire.Response) -> bool:
    policy = ",".join(response.values("Cache-Control")).lower()
    return not re.search(r"\b(no-store|private|no-cache)\b", policy)


@pytest.mark.parametrize(("policy", "may_be_shared"), [(None, False), ("max-age=3600", False), ("s-maxage=3600", False), ("public, max-age=3600", True), ("no-store", False), ("private", False)])
def test_p28_what_a_signed_in_person_got_is_shared_only_when_the_upstream_says_public(gateway, upstream, alice, policy, may_be_shared):
    """P28, RFC 9111 3.5: the rule of `Authorization` holds for our cookie too."""
    marker = mark()
    line = f"Cache-Control: {policy}\r\n".encode() if policy else b""
    upstream.scripts[f"/app/{marker}"] = OK + line + b"Vary: Accept\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    response = ask(gateway, f"/app/{marker}", cookie=alice)
    assert response.status == 200 and response.values("Vary")[0].startswith("Accept")
    assert shared_cacheable(response) == may_be_shared, response.values("Cache-Control")


@pytest.mark.parametrize("route", ["app", "public"])
def test_p28_our_cookie_never_rides_on_an_answer_that_caches_share(start_gateway, dev, upstream, route):
    """P28, RFC 9111 3: a cache must not hand one person's session to the next (or one person's sign-out to all)."""
    gateway = start_gateway({"providers": [dev.configuration], "routes": [{"path": "/public/**", "access": "public"}], "session": {"idleTimeout": "20s"}})
    cookie = f"session={session_cookie(sign_in(gateway, dev))}"
    upstream.scripts[f"/{route}/{(marker := mark())}"] = lambda client, _: client.sendall(
        OK + b"Cache-Control: public, max-age=3600\r\nContent-Length: 2\r\n\r\nok"
    ) or True

    def with_cookie(value: str) -> wire.Response | None:
        response = ask(gateway, f"/{route}/{marker}", cookie=value)
        assert response.status == 200
        return response if any(line.startswith("session=") for line in response.values("Set-Cookie")) else None

    # A cookie that is renewed and, on a public route, one that is removed.
    for value in [cookie, "session=junk"][: 2 if route == "public" else 1]:
        response = eventually(lambda value=value: with_cookie(value), "a cookie in the response")
        assert not shared_cacheable(response), (response.values("Set-Cookie")[0][:30], response.values("Cache-Control"))
    gateway.kill()


# --- Forwarding ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def behind_a_proxy(start_gateway, dev):
    """A gateway that believes its peer."""
    return start_gateway({"providers": [dev.configuration], "routes": [{"path": "/public/**", "access": "public"}], "server": {"trustedProxies": ["127.0.0.1/32", "10.0.0.0/8"]}})


@pytest.mark.parametrize(
    ("sent", "chain"),
    [
        ("203.0.113.9", "203.0.113.9, 127.0.0.1"),
        ("1.2.3.4, 203.0.113.9, 10.1.1.1", "203.0.113.9"),
    ],
)
def test_x2_a27_a_trusted_peers_chain_is_kept_and_the_peer_appended(behind_a_proxy, upstream, sent, chain):
    """X2, advisories 27, 29."""
    marker = mark()
    assert ask(behind_a_proxy, f"/public/{marker}", f"X-Forwarded-For: {sent}\r\nX-Forwarded-Proto: https\r\n").status == 200
    recording = upstream.only(marker)
    assert chain in (recording.value("X-Forwarded-For") or "") and (recording.value("X-Forwarded-For") or "").endswith("127.0.0.1")
    assert recording.value("X-Forwarded-Proto") == "https"


@pytest.mark.parametrize("name", ["X_Forwarded_For", "x.forwarded.for", "X_Forwarded_Proto", "X_FORWARDED_HOST", "X-Forwarded_For", "X_Forwarded_User", "X-Forwarded-User", "X-Forwarded-Email", "Remote_User", "X-Gateway-Assertion"])
def test_x1_a19_a_trusted_peer_passes_no_lookalike_on(behind_a_proxy, upstream, name):
    """X1, §4: identity is never the peer's to say, and folded spellings of what we set are nobody's."""
    marker = mark()
    assert ask(behind_a_proxy, f"/public/{marker}", f"{name}: spoofed\r\n").status == 200
    assert "spoofed" not in str(upstream.only(marker).headers)


JUNK = ["", ",", "a", "unknown", "_hidden", '"', "[", "[::1", "127.0.0.1:99999", "\xff\xfe", "for=", 'for="', "for=127.0.0.1;;;", "%00", "a" * 9000, ", ".join(["1.2.3.4"] * 1500)]


@pytest.mark.parametrize("value", JUNK, ids=range(len(JUNK)))
@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "X-Request-Id", "traceparent", "X-Forwarded-Uri"])
def test_a30_junk_from_a_trusted_peer_admits_nobody(behind_a_proxy, upstream, name, value):
    """advisory 30, CVE-2024-47070; X2: nobody is signed in by it, nothing is broken by it."""
    marker = mark()
    assert ask(behind_a_proxy, f"/app/{marker}", f"{name}: {value}\r\n").status in (400, 401)
    assert not upstream.saw(marker)
    response = ask(behind_a_proxy, f"/public/{marker}", f"{name}: {value}\r\n")
    assert response.status in (200, 400)
    for recording in upstream.containing(marker):
        assert recording.value("X-Request-Id") and recording.value("X-Forwarded-Proto") in ("http", "https")
        assert recording.value("X-Forwarded-Host") and recording.value("X-Forwarded-For")


@pytest.mark.parametrize("host", ["evil.example", "evil.example\" onload=x", "evil.example/path", "evil.example, app.example"])
def test_x6_a28_a_forwarded_host_of_a_trusted_peer_makes_no_redirect_uri(behind_a_proxy, host):
    """X6, advisories 28, 104: public addresses come from the configuration, whoever asks."""
    response = ask(behind_a_proxy, "/_gateway/login?rd=/", f"X-Forwarded-Host: {host}\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Prefix: //evil.example\r\nSec-Fetch-Mode: navigate\r\n")
    assert "evil" not in str(response.headers) and b"evil" not in response.body
    response = ask(behind_a_proxy, "/app/x", f"X-Forwarded-Host: {host}\r\nX-Forwarded-Prefix: //evil.example\r\n")
    assert b"evil" not in response.body and "evil" not in str(response.headers)


def test_a106_the_host_header_chooses_no_upstream(gateway, upstream):
    """advisory 106, CVE-2024-21498: the upstream comes from the configuration."""
    listener = socket.create_server(("127.0.0.1", 0))
    elsewhere = f"127.0.0.1:{listener.getsockname()[1]}"
    marker = mark()
    assert ask(gateway, f"/public/{marker}", host=elsewhere).status == 200
    assert upstream.only(marker).value("Host") == elsewhere
    wire.exchange(gateway.port, f"GET http://{elsewhere}/public/{mark()} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    # The answers are here, so a connection would be, too.
    assert not wire.is_readable(listener, 0)
    listener.close()


# --- Access ---------------------------------------------------------------------------------------------------------------


def test_a82_a90_each_rule_has_somebody_whom_it_refuses(start_gateway, dev):
    """advisories 82, 90, CVE-2021-21411: `users`, `providers`, `claims` and their combinations refuse as well as admit."""
    second = {**dev.configuration, "id": "oidc.second"}
    rules = {
        "other-provider": {"providers": ["oidc.second"]},
        "this-provider": {"providers": ["oidc.dev"]},
        "nobody-by-id": {"users": ["aaaaaaaaaaaaaaaaaaaaaaaaaa"]},
        "claim": {"claims": {"preferred_username": ["bob"]}},
        "all-of-them": {"groups": ["admins"], "emails": ["bob@example.com"]},
        "any-of": {"anyOf": [{"groups": ["no-such"]}, {"emails": ["bob@example.com"]}]},
        "empty": {"groups": []},
    }
    gateway = start_gateway({"providers": [dev.configuration, second], "routes": [{"path": f"/{name}/**", "access": rule} for name, rule in rules.items()]})
    client = new_client()
    start = client.get(gateway.own("/login/oidc.dev?rd=/"), headers=NAVIGATION, timeout=60)
    assert client.get(dev.sign_in(client, start, "alice"), headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == 303
    found = {name: client.get(gateway.url(f"/{name}/x"), allow_redirects=False, timeout=60).status_code for name in rules}
    assert found == {name: 200 if name == "this-provider" else 403 for name in rules}
    gateway.kill()


@pytest.mark.parametrize("target", ["/%5Fgateway/{}", "/%5fgateway/login/{}", "/_gat%65way/{}", "/_gateway/{}?x", "/_gateway", "/_gateway?{}", "http://x/_gateway/{}", "/_gateway/%2e%2e/public/{}", "/_gateway/../public/{}", "/_gateway%2f{}", "/_gateway;{}"])
def test_a92_no_spelling_of_our_prefix_is_proxied(gateway, upstream, target, alice):
    """§2 `pathPrefix`: never proxied; advisory 92: every own path is answered here or refused."""
    marker = mark()
    assert ask(gateway, target.format(marker), cookie=alice).status >= 300
    assert not upstream.saw(marker)


@pytest.mark.parametrize("target", ["*", "http://{host}", "http://{host}?x={marker}"])
def test_a69_targets_without_a_path_are_judged_as_the_root(gateway, upstream, target):
    """advisory 69, P8: `OPTIONS *` and an absolute-form target without a path need a sign-in like `/`."""
    marker = mark()
    seen = upstream.connections
    for method in ("OPTIONS", "GET"):
        if target == "*" and method == "GET":
            continue
        assert ask(gateway, target.replace("{host}", host_of(gateway)).replace("{marker}", marker), f"X-Marker: {marker}\r\n", method=method).status in (400, 401, 404, 405)
        assert not upstream.saw(marker)
    assert upstream.connections >= seen


@pytest.mark.parametrize("what", ["environment", "file", "key file"])
def test_a99_a_secret_that_cannot_be_read_starts_nothing(tmp_path, what):
    """advisory 99, CVE-2026-54762: never open, never without."""
    configuration = {
        "version": 1,
        "upstream": "http://127.0.0.1:1",
        "server": {"listen": f"127.0.0.1:{free_port()}", "publicURL": "http://127.0.0.1:4180"},
        "admin": {"listen": f"127.0.0.1:{free_port()}"},
        "session": {"keys": ["${file:./absent.key}" if what == "key file" else session_key()]},
        "providers": [
            {"id": "oidc.x", "issuer": "http://127.0.0.1:2", "clientID": "x", "clientSecret": {"environment": "${env:NO_SUCH_VARIABLE}", "file": "${file:./absent}", "key file": "long-enough-secret"}[what]}
        ],
    }
    file = write_configuration(tmp_path / "gateway.yaml", configuration)
    ended = subprocess.run([str(BINARY), "run", str(file)], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 78
    assert "unresolved-reference" in ended.stderr + ended.stdout


# --- Pages --------------------------------------------------------------------------------------------------------------


def test_a104_a_hostile_name_is_text_on_our_pages(own, start_gateway):
    """advisories 100 to 104: a claim on the sign-out page is escaped."""
    gateway = start_gateway({"providers": [own.configuration]})
    with own.misbehaving("claims.hostile-values"):
        client = sign_in(gateway, own)
    page = client.get(gateway.own("/logout"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200
    assert "&lt;script&gt;alert(1)" in page.text and "<script" not in page.text.lower()
    information = client.get(gateway.own("/userinfo"), timeout=60)
    assert information.headers["Content-Type"].startswith("application/json") and information.headers["X-Content-Type-Options"] == "nosniff"
    gateway.kill()


@pytest.mark.parametrize("name", ["X-Forwarded-User", "Cookie", "X-App", "User-Agent", "Referer", "Accept", "Origin", "Sec-Fetch-Mode"])
def test_c6_bytes_beyond_ascii_in_a_header_admit_nobody(gateway, upstream, name):
    """C6, RFC 9110 5.5: obs-text is opaque; no crash, no session, no identity."""
    marker = mark()
    for value in (b"\xff\xfe\x80", b"\xc3\x28", b"session=\xff", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80" * 50):
        for path, statuses in ((f"/app/{marker}", (400, 401)), (f"/public/{marker}", (200, 400)), ("/_gateway/login", (302, 400)), ("/_gateway/logout", (200, 400)), ("/_gateway/userinfo", (401, 400))):
            with wire.Connection(gateway.port) as connection:
                connection.send(f"GET {path} HTTP/1.1\r\nHost: {host_of(gateway)}\r\nConnection: close\r\n{name}: ".encode() + value + b"\r\n\r\n")
                response = connection.response()
            assert response is not None and response.status in statuses, (path, value, response and response.status)
    assert gateway.alive
    if name == "X-Forwarded-User":
        assert all(recording.values(name) == [] for recording in upstream.containing(marker))


# --- The checklist itself -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page, least", [("standards.md", 100), ("seeds.md", 30)])
def test_every_test_that_the_checklist_names_exists(page, least):
    """docs/standards.md and docs/seeds.md name tests; a renamed or removed one would make them lie."""
    root = pathlib.Path(__file__).resolve().parents[2]
    text = (root / "docs" / page).read_text(encoding="utf-8")
    python = re.findall(r"`(test_\w+\.py)::(test_\w+)`", text)
    assert len(python) > least
    for file, name in set(python):
        assert f"def {name}(" in (root / "Tests/e2e" / file).read_text(encoding="utf-8"), f"{file}::{name}"
    swift = {file.name: file.read_text(encoding="utf-8").replace("`", "") for file in root.glob("Tests/*/*.swift")}
    named = re.findall(r"`(\w+\.swift)` “([^”]+)”", text)
    assert len(named) > least
    for file, name in set(named):
        assert name.removesuffix("…") in swift[file], f"{file}: {name}"
