"""Real proxies with the configurations of docs/behind: sign-in, identity, look-alikes, renewal, WebSocket, paths, failure."""

from __future__ import annotations

import contextlib
import pathlib
import posixpath
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import pytest
import requests
from conftest import mark
from h2wire import Connection
from logins import NAVIGATION, new_client, session_cookie, sign_in
from selenium.webdriver.common.by import By

from parts.behind import PROXIES, SITES, BehindProxy, SitesProxy, free_ports, program
from parts.browser import wait_for
from parts.gateway import ROOT, Gateway
from parts.processes import eventually, free_port
from parts.upstream import Upstream

ROUTES = [
    {"path": "/public/**", "access": "public"},
    {"path": "/only-bob/**", "access": {"emails": ["bob@example.com"]}},
    {"host": "open.example.com", "path": "/**", "access": "public"},
]
PROFILES = ["X-Forwarded-User", "X-Forwarded-Email", "X-Auth-Request-User", "Remote-User", "X-WEBAUTH-USER", "X-Gateway-Assertion"]


@dataclass
class Site:
    proxy: BehindProxy
    gateway: Gateway
    client: requests.Session

    def get(self, path: str, **headers: str) -> requests.Response:
        return self.client.get(self.proxy.origin + path, headers=headers, allow_redirects=False, timeout=60)

    @property
    def cookie(self) -> str:
        return "session=" + session_cookie(self.client)

    def raw(self, *lines: str) -> bytes:
        return _raw(self.proxy.port, *lines)


def _raw(port: int, *lines: str) -> bytes:
    """The whole response to a request as it stands."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode())
        data = b""
        with contextlib.suppress(OSError):
            while not _is_complete(data) and (more := connection.recv(65536)):
                data += more
        return data


def _is_complete(data: bytes) -> bool:
    """Whether a response is all there: Envoy keeps the connection open for a second after a refusal."""
    head, end, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(end) and length is not None and len(body) >= int(length[1])


@pytest.fixture(scope="module", params=PROXIES)
def site(request, folder, start_gateway, dev, upstream) -> Iterator[Site]:
    kind = request.param
    if program(kind.split("-")[0]) is None:
        pytest.skip(f"no {kind} on this machine: scripts/bootstrap test installs it")
    port, own, questions = free_ports()
    origin = f"http://127.0.0.1:{port}"
    # Below a folder that nginx's workers may enter: they are another user's than the tests.
    place = pathlib.Path(tempfile.mkdtemp(prefix="gateway-ask-"))
    place.chmod(0o755)
    ask = place / "ask.sock"
    configuration = {
        "upstream": None,
        "server": {"publicURL": origin, "trustedProxies": ["127.0.0.0/8"]},
        "authorization": {"listen": [f"127.0.0.1:{questions}", f"unix:{ask}"]},
        "providers": [dev.configuration],
        "session": {"idleTimeout": "20s"},
        "routes": ROUTES,
    }
    gateway = start_gateway(configuration, port=own, name=f"gateway-behind-{kind}")
    gateway.origin = origin
    proxy = BehindProxy(kind, folder, port, gateway=own, questions=questions, app=upstream.port, socket=ask)
    try:
        yield Site(proxy, gateway, sign_in(gateway, dev))
    finally:
        proxy.process.kill()
        shutil.rmtree(place)


def test_a_user_signs_in_through_the_proxy_and_the_app_learns_who_it_is(site, upstream):
    marker = mark()
    answer = site.get(f"/private/{marker}?x=y")
    assert answer.status_code == 200, answer.text
    request = upstream.only(marker)
    assert request.target == f"/private/{marker}?x=y"
    assert request.value("X-Forwarded-Email") == "alice@example.com"
    assert request.value("X-Forwarded-User")
    assert request.value("X-Forwarded-Provider") == "oidc.dev"


def test_others_are_sent_to_the_sign_in_or_get_401(site, upstream):
    marker = mark()
    visitor = new_client()
    page = visitor.get(f"{site.proxy.origin}/private/{marker}?x=y", headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert (page.status_code, page.headers["Location"]) == (302, site.gateway.own(f"/login?rd=%2Fprivate%2F{marker}%3Fx%3Dy"))
    for method in ("GET", "POST", "PATCH"):
        answer = visitor.request(method, f"{site.proxy.origin}/private/{marker}", headers={"Accept": "application/json"}, timeout=60)
        assert answer.status_code == 401
    assert not upstream.saw(marker)


def test_a_rule_refuses(site, upstream):
    marker = mark()
    assert site.get(f"/only-bob/{marker}").status_code == 403
    assert not upstream.saw(marker)


def _fold(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "-", name.lower())


@pytest.mark.parametrize("separator", ["-", "_", ".", "~", "!"])
def test_headers_that_only_the_gateway_may_set_are_removed(site, upstream, separator):
    for path in ("/private/", "/public/"):
        marker = mark()
        names = [name.replace("-", separator) for name in PROFILES] + ["x" + separator + "forwarded-user"]
        lines = [f"{name}: mallory" for name in names]
        response = site.raw(f"GET {path}{marker} HTTP/1.1", f"Host: 127.0.0.1:{site.proxy.port}", f"Cookie: {site.cookie}", *lines)
        if site.proxy.kind.startswith("envoy") and separator == "_":
            assert response.startswith(b"HTTP/1.1 400")
            continue
        assert response.startswith(b"HTTP/1.1 200"), response
        request = upstream.only(marker)
        assert "mallory" not in request.head.decode("latin-1")
        identity = [(name.lower(), value) for name, value in request.headers if _fold(name) == "x-forwarded-email" and value]
        assert identity == [("x-forwarded-email", "alice@example.com")]


@pytest.mark.parametrize("lines", [["X-Forwarded-User, X-Forwarded-Email"], ["x-forwarded-user", "X-FORWARDED-EMAIL"], ["keep-alive, X-Forwarded-User"]])
def test_a_client_removes_no_identity_with_connection(site, upstream, lines):
    """Proxies remove the headers that `Connection` names, also those that the gateway has added."""
    marker = mark()
    connection = [f"Connection: {line}" for line in lines]
    site.raw(f"GET /private/{marker} HTTP/1.1", f"Host: 127.0.0.1:{site.proxy.port}", f"Cookie: {site.cookie}", *connection)
    for request in upstream.containing(marker):
        assert request.value("X-Forwarded-Email") == "alice@example.com" and request.value("X-Forwarded-User")
        assert "forwarded" not in " ".join(request.values("Connection")).lower(), "the app would remove them"


def test_visitors_of_public_routes_have_no_identity(site, upstream):
    marker = mark()
    headers = {name: "mallory" for name in PROFILES}
    assert new_client().get(f"{site.proxy.origin}/public/{marker}", headers=headers, timeout=60).status_code == 200
    request = upstream.only(marker)
    for name in PROFILES:
        assert request.value(name) in (None, ""), name


def test_bodies_reach_the_app(site):
    body = b"x" * 100_000
    answer = site.client.post(f"{site.proxy.origin}/private/upload", data=body, timeout=60)
    assert (answer.status_code, answer.json()["bodyLength"]) == (200, len(body))


def test_a_session_is_renewed_through_the_proxy(site):
    before = site.cookie

    def renewed() -> bool:
        site.get("/private/renewal")
        return site.cookie != before

    eventually(renewed, "a new session cookie", timeout=60)
    assert site.get("/private/renewal").status_code == 200


def test_a_web_socket_passes_with_the_identity(site, upstream):
    path = f"/private/{mark()}"

    def echo(connection: socket.socket, _) -> bool:
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
        )
        with contextlib.suppress(OSError):
            while data := connection.recv(4096):
                connection.sendall(data)
        return False

    upstream.scripts[path] = echo
    handshake = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{site.proxy.port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Origin: {site.proxy.origin}",
    ]

    def connect(*more: str) -> tuple[socket.socket, bytes]:
        connection = socket.create_connection(("127.0.0.1", site.proxy.port), timeout=60)
        connection.sendall(("\r\n".join([*handshake, *more]) + "\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n") and (byte := connection.recv(1)):
            head += byte
        return connection, head

    connection, head = connect(f"Cookie: {site.cookie}")
    with connection:
        assert head.startswith(b"HTTP/1.1 101"), head
        connection.sendall(b"\x81\x02hi")
        assert connection.recv(4) == b"\x81\x02hi"
    assert upstream.only(path).value("X-Forwarded-Email") == "alice@example.com"
    connection, head = connect()
    with connection:
        assert head.startswith(b"HTTP/1.1 401"), head


# Headers with which a client names another request than its own: one that is public.
CLAIMS = [
    "X-Original-URL: http://open.example.com{path}", "X-Original-URL: http://{host}/public/x", "X-Original-URI: /public/x",
    "X-Original-Method: OPTIONS", "X-Original-Host: open.example.com", "X-Forwarded-Host: open.example.com",
    "X-Forwarded-Uri: /public/x", "X-Forwarded-Method: OPTIONS", "X-Forwarded-Prefix: /public", "X-Rewrite-URL: /public/x",
    "Forwarded: host=open.example.com;proto=http", "X-Envoy-Original-Path: /public/x", "X-Host: open.example.com",
]  # fmt: skip


def _claim_others(proxy: BehindProxy, site: Site, upstream) -> None:
    """Sends each claim without a session, alone and all together: none reaches the app. One without claims reaches it with a session."""
    host = f"127.0.0.1:{proxy.port}"
    for claims in [[claim] for claim in CLAIMS] + [[claim for claim in CLAIMS if "{host}" not in claim]]:
        marker = mark()
        lines = [claim.format(path=f"/private/{marker}", host=host) for claim in claims]
        with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as connection:
            request = [f"GET /private/{marker} HTTP/1.1", f"Host: {host}", *lines, "Connection: close"]
            connection.sendall(("\r\n".join(request) + "\r\n\r\n").encode())
            status = int(connection.makefile("rb").readline().split()[1])
        # nginx turns 403 of a question into 403 of its own.
        assert status in (400, 401, 403), lines
        assert not upstream.saw(marker), lines
    marker = mark()
    answer = site.client.get(f"http://{host}/private/{marker}", allow_redirects=False, timeout=60)
    assert answer.status_code == 200 and upstream.only(marker)


def test_forward_auth_does_not_let_a_client_choose_the_host(site, folder, upstream):
    _claim_others(site.proxy, site, upstream)
    if site.proxy.kind != "nginx":
        return
    # nginx with Host and X-Original-URI, where a client's X-Original-URL reaches the gateway.
    port = free_port()
    ports = {"gateway": site.proxy.ports["4180"], "questions": site.proxy.ports["4181"], "app": upstream.port}
    proxy = BehindProxy("nginx-uri", folder, port, socket=site.proxy.socket, **ports)
    try:
        _claim_others(proxy, site, upstream)
    finally:
        proxy.process.kill()


# Requests for what is not public, in every disguise that a program might take off.
DISGUISES = [
    "/public/../secret", "/public/%2e%2e/secret", "/public/.%2e/secret", "/public/..%2fsecret", "/public%2f..%2fsecret",
    "/public/..;/secret", "/public;/../secret", "//public/../secret", "/public//../secret", "/public/..//secret",
    "/public\\..\\secret", "/public/..\\secret", "/public/..%5csecret", "/public/%252e%252e/secret", "/secret%00/../public/",
    "/public/%00/../../secret", "/public/%c0%ae%c0%ae/secret", "/public/%e0%80%ae%e0%80%ae/secret",
    "/public/%uff0e%uff0e/secret", "/./public/../secret", "/%2e/secret", "/secret/../public/../secret",
    "/secret?/../public/", "/secret#/../public/", "/public/#/../../secret", "/public/..?x", "/public/%2f..%2f..%2fsecret",
    "/_gateway/../secret", "/_gateway/%2e%2e/secret", "/_gateway%2f..%2fsecret", "/_gateway/..%2fsecret", "//secret",
    "/secret;/public/", "/public/..%3b/secret", "/public/%0a/../../secret", "/public/\t/../../secret", "/PUBLIC/../secret",
    "http://127.0.0.1/public/../secret", "http://evil.example.com/secret", "*", "/public/%2e%2e%2fsecret",
    "/public/%%32%65%%32%65/secret",
]


def _readings(target: str) -> set[str]:
    """The paths that programs may take a target for."""
    path = target.split("?")[0].split("#")[0]
    if "://" in path:
        path = urlsplit(path).path
    # Programs take escapes away once.
    found = {path, unquote(path, errors="replace")}
    for _ in range(3):
        for text in list(found):
            found |= {text.replace("\\", "/"), re.sub(r";[^/]*", "", text), re.sub(r"/{2,}", "/", text), text.split("\0")[0]}
            found.add(posixpath.normpath(text) if text else "/")
    return found


def _corpus() -> list[str]:
    """The rows of RequestPathCorpus.swift that programs might read in several ways, as paths below the public one."""
    text = (ROOT / "Tests/HTTPWireTests/RequestPathCorpus.swift").read_text(encoding="utf-8")
    rows = [row.replace("\\\\", "\\") for row in re.findall(r'PathRow\("((?:[^"\\]|\\\\)*)"', text)]
    return ["/public" + row for row in rows if row.startswith("/") and row.isascii() and re.search(r"[%;\\]|//|/\.", row)]


def test_no_request_passes_under_one_path_and_is_served_under_another(site, upstream):
    corpus = _corpus()
    assert len(corpus) > 100
    for path in DISGUISES + corpus:
        marker = mark()
        target = path if path == "*" else path + ("&" if "?" in path else "?") + marker
        site.raw(f"GET {target} HTTP/1.1", f"Host: 127.0.0.1:{site.proxy.port}", f"X-Marker: {marker}")
        for request in upstream.containing(marker):
            for reading in _readings(request.target):
                is_public = reading == "/public" or reading.startswith("/public/")
                assert is_public, f"{path} reached the app as {request.target}, which may be read as {reading}"
    # A harmless one passes.
    marker = mark()
    site.raw(f"GET /public/a%20b?{marker} HTTP/1.1", f"Host: 127.0.0.1:{site.proxy.port}")
    assert upstream.only(marker).target == f"/public/a%20b?{marker}"


# Users sign in at the private site: a session belongs to the host of `publicURL`.
PUBLIC, PRIVATE = "open.example.com", "localhost"

# Requests that name two hosts, or one in a disguise: the target before the path, and the lines after the request line.
HOSTS = [
    ("http://{a}", ["Host: {b}"]), ("http://{a}", ["Host: {a}"]), ("HTTP://{a}", ["Host: {b}"]), ("https://{a}", ["Host: {b}"]),
    ("http://{a}:80", ["Host: {b}"]), ("http://{a}:80", ["Host: {b}:80"]), ("http://{a}:{port}", ["Host: {b}:{port}"]),
    ("http://{a}.", ["Host: {b}"]), ("http://{A}", ["Host: {b}"]), ("http://{a}@{b}", ["Host: {a}"]), ("http://{a}@{b}", ["Host: {b}"]),
    ("http://{a}:80@{b}", ["Host: {a}"]), ("http://{a},{b}", ["Host: {a}"]), ("http://{a}", []), ("http://{a}", ["Host:"]),
    ("http://{a}", ["Host: {b}", "Host: {a}"]), ("http://{a}", ["Host: {a},{b}"]), ("//{a}", ["Host: {b}"]),
    ("", ["Host: {a},{b}"]), ("", ["Host: {a}, {b}"]), ("", ["Host: {a} ,{b}"]), ("", ["Host: ,{a},{b}"]), ("", ["Host: {a},{b},"]),
    ("", ['Host: "{a},{b}"']), ("", ['Host: "{a}",{b}']), ("", ["Host: {a};{b}"]), ("", ["Host: {a} {b}"]), ("", ["Host: {a}\t{b}"]),
    ("", ["Host: {a}", "Host: {b}"]), ("", ["Host: {a}", "host: {b}"]), ("", ["Host: {a}", "Host : {b}"]), ("", ["Host : {a}", "Host: {b}"]),
    ("", ["Host: {a}", " {b}"]), ("", ["Host: {a}", "Host:"]), ("", ["Host:", "Host: {a}"]), ("", ["Host: {a}", "Host: {a}"]),
    ("", ["Host: {a}:80"]), ("", ["Host: {a}:{port}"]), ("", ["Host: {a}:"]), ("", ["Host: {a}:{b}"]), ("", ["Host: {a}:80:80"]),
    ("", ["Host: {a}."]), ("", ["Host: {a}.:80"]), ("", ["Host: {a}.."]), ("", ["Host: {A}"]), ("", ["Host: {A}:{port}"]), ("", ["Host: .{a}"]),
    ("", ["Host: {a}/{b}"]), ("", ["Host: {a}#{b}"]), ("", ["Host: {a}?{b}"]), ("", ["Host: {a}\\{b}"]), ("", ["Host: {a}@{b}"]),
    ("", ["Host: {a}%2c{b}"]), ("", ["Host: {a}%00{b}"]), ("", ["Host: http://{a}"]), ("", ["Host: {a}", "X-Forwarded-Host: {b}"]),
    ("", ["Host: {a}", "Forwarded: host={b}"]), ("", ["Host: {a}", ":authority: {b}"]), ("", []), ("", ["Host:"]),
    ("", ["Host: unknown.example.com"]), ("", ["Host: 127.0.0.1"]), ("", ["Host: [::1]"]), ("http://unknown.example.com", ["Host: {a}"]),
]  # fmt: skip
# The same over HTTP/2: the pseudo-header, the target before the path, and the other fields.
AUTHORITIES = [
    ("{a}", "", [("host", "{b}")]), ("{a}", "", [("host", "{a}")]), ("{a}", "", [("host", "{a}"), ("host", "{b}")]),
    ("{a},{b}", "", []), ("{a},{b}", "", [("host", "{a}")]), ("{a}", "", [("host", "{a},{b}")]), ("{a}:80", "", [("host", "{b}")]),
    ("{a}:{port}", "", []), ("{a}.", "", []), ("{A}", "", []), ("{a}@{b}", "", []), ("{a}", "http://{b}", []), ("", "", [("host", "{a}")]),
    (None, "", [("host", "{a}")]), (None, "", [("host", "{a}"), ("host", "{b}")]), (None, "http://{a}", [("host", "{b}")]), (None, "", []),
    ("{a}", "", [(":authority", "{b}")]),
]  # fmt: skip


@pytest.mark.parametrize("kind", SITES)
def test_the_app_that_answers_is_the_one_of_the_host_that_was_decided_about(kind, folder, start_gateway, dev):
    """Two sites behind one proxy: anybody may see one of them, the other one requires a sign-in."""
    if program(kind.split("-")[0]) is None:
        pytest.skip(f"no {kind} on this machine: scripts/bootstrap test installs it")
    _, own, questions = free_ports()
    configuration = {
        "upstream": None,
        "server": {"publicURL": f"http://{PRIVATE}:{own}"},
        "authorization": {"listen": f"127.0.0.1:{questions}"},
        "providers": [dev.configuration],
        "routes": [
            {"host": PUBLIC, "path": "/**", "access": "public"},
            {"host": PRIVATE, "path": "/**", "access": {"emails": ["alice@example.com"]}},
            # The gateway lets requests for any other host pass: no site may answer them.
            {"path": "/**", "access": "public"},
        ],
    }
    gateway = start_gateway(configuration, port=own, name=f"gateway-sites-{kind}")
    gateway.origin = f"http://{PRIVATE}:{own}"
    cookie = "session=" + session_cookie(sign_in(gateway, dev))
    with contextlib.ExitStack() as cleanup:
        # An unknown host goes to the first site where a proxy has such a rule.
        apps = {host: Upstream() for host in (PRIVATE, PUBLIC)}
        for app in apps.values():
            cleanup.callback(app.close)
        ports = {host: app.port for host, app in apps.items()}
        proxy = SitesProxy(kind, folder, gateway=own, questions=questions, apps=ports, socket=folder / "unused.sock")
        cleanup.callback(proxy.process.kill)
        _disguise_hosts(proxy, apps, "")
        _disguise_hosts(proxy, apps, cookie)


def _disguise_hosts(proxy: SitesProxy, apps: dict[str, Upstream], cookie: str) -> None:
    """Sends every request of both tables. Only a signed-in user reaches the private site, and each app gets requests for its own host."""

    def served(marker: str, request: object) -> list[str]:
        hosts = [host for host, app in apps.items() if app.saw(marker)]
        assert cookie or PRIVATE not in hosts, f"{request} reached {PRIVATE} without a session"
        for host in hosts:
            recording = apps[host].only(marker)
            named = [recording.value("Host"), *recording.values("X-Forwarded-Host"), urlsplit(recording.target).netloc or None]
            assert {_bare(name) for name in named if name is not None} == {host}, f"{request} reached {host} as {recording.head!r}"
        return hosts

    def over_http1(start: str, lines: list[str], version: str = "1.1") -> list[str]:
        marker = mark()
        _raw(proxy.port, f"GET {start}/{marker} HTTP/{version}", *lines, f"Cookie: {cookie}", "Accept: application/json")
        return served(marker, (start, lines, version))

    def over_http2(authority: str | None, start: str, fields: list[tuple[str, str]]) -> list[str]:
        marker = mark()
        pseudo = [(":method", "GET"), (":scheme", "http"), (":path", f"{start}/{marker}")]
        with Connection(proxy.http2) as connection:
            names = [(":authority", authority)] if authority is not None else []
            connection.answer(connection.headers(pseudo + names + fields + [("cookie", cookie), ("accept", "application/json")]))
        return served(marker, (authority, start, fields))

    # Plain requests reach their own app, so that the tables are no test of a proxy that refuses everything.
    for host in apps:
        expected = [host] if cookie or host == PUBLIC else []
        assert over_http1("", [f"Host: {host}"]) == over_http2(host, "", []) == expected
    for a, b in ((PUBLIC, PRIVATE), (PRIVATE, PUBLIC)):
        values = {"a": a, "b": b, "A": a.upper(), "port": proxy.port}
        for start, lines in HOSTS:
            for version in ("1.1", "1.0"):
                over_http1(start.format(**values), [line.format(**values) for line in lines], version)
        for authority, start, fields in AUTHORITIES:
            named = authority and authority.format(**values)
            over_http2(named, start.format(**values), [(name, value.format(**values)) for name, value in fields])


def _bare(host: str) -> str:
    """A host without user, port and trailing dot, as programs compare it."""
    return re.sub(r":\d*$", "", host.lower().rpartition("@")[2]).removesuffix(".")


def test_a_browser_signs_in_through_the_proxy(site, request, dev, upstream):
    """One proxy is enough: the others differ for programs only."""
    if site.proxy.kind != "nginx":
        return
    browser = request.getfixturevalue("browser")
    path = f"/private/{mark()}"
    browser.get(site.proxy.origin + path)
    wait_for(browser, lambda current: current.current_url.startswith(dev.issuer), "the provider's page")
    dev.sign_in_with_browser(browser, "alice")
    wait_for(browser, lambda current: current.current_url == site.proxy.origin + path, "the page that was asked for")
    assert upstream.containing(path)[-1].value("X-Forwarded-Email") == "alice@example.com"
    browser.get(site.gateway.own("/logout"))
    browser.find_element(By.CSS_SELECTOR, "button").click()
    wait_for(browser, lambda current: not current.current_url.endswith("/logout"), "the end of the sign-out")
    browser.get(site.proxy.origin + path)
    wait_for(browser, lambda current: current.current_url.startswith(dev.issuer), "the provider's page again")


def test_signing_out_ends_the_session(site, dev):
    client = sign_in(site.gateway, dev)
    cookie = {"Cookie": "session=" + session_cookie(client)}
    assert client.get(f"{site.proxy.origin}/private/x", timeout=60).status_code == 200
    out = client.post(site.gateway.own("/logout"), headers={"Origin": site.proxy.origin}, allow_redirects=False, timeout=60)
    assert out.status_code in (302, 303)
    assert new_client().get(f"{site.proxy.origin}/private/x", headers=cookie, timeout=60).status_code == 401


def test_nothing_passes_while_the_gateway_is_down(site, upstream):
    cookie = site.cookie
    site.gateway.kill()
    for path in ("/private/", "/public/"):
        marker = mark()
        started = time.monotonic()
        response = site.raw(f"GET {path}{marker} HTTP/1.1", f"Host: 127.0.0.1:{site.proxy.port}", f"Cookie: {cookie}")
        assert re.match(rb"HTTP/1.1 (403|5\d\d)", response), response[:200]
        assert time.monotonic() - started < 40, "a proxy gives up after a minute"
        assert not upstream.saw(marker)
