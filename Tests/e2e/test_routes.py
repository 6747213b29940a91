"""What a route does with its requests beside asking who it is: paths, headers, own answers, limits, pages of other origins."""

from __future__ import annotations

import http.server
import re
import socket
import threading

import pytest
from conftest import mark
from logins import NAVIGATION, session_cookie, sign_in
from parts.browser import wait_for
from parts.gateway import ROOT, run_command, session_key
from test_lifecycle import connect, drain, read_head, upstream_of
from test_websocket import exactly, handshake
from wire import Connection, is_readable

SPA = "https://spa.example.com"

ROUTES = [
    {"path": "/api/**", "access": "public", "stripPrefix": "/api"},
    {"path": "/loose/**", "access": "public", "stripPrefix": "/loose", "paths": "encoded"},
    {"path": "/old/{name}/**", "access": "public", "rewrite": "/new/{name}/x/**"},
    {"path": "/rewritten-staff/**", "access": {"groups": ["nobody"]}, "rewrite": "/public/**"},
    {
        "path": "/edited/**",
        "requestHeaders": {"set": {"X-Tenant": "acme", "X-Mail": "{{ email }}", "Authorization": "Basic Zm9v"}, "remove": ["X-Debug", "Referer"]},
        "responseHeaders": {"set": {"X-Frame-Options": "DENY", "Cache-Control": "max-age=60"}, "remove": ["Server", "Set-Cookie"]},
    },
    {"path": "/edited-public/**", "access": "public", "requestHeaders": {"set": {"X-Tenant": "acme", "X-Mail": "{{ email }}"}}},
    {"path": "/robots.txt", "access": "public", "respond": {"body": "User-agent: *\n"}, "responseHeaders": {"set": {"Cache-Control": "max-age=60"}}},
    {"path": "/gone", "access": "public", "respond": {"status": 410, "body": "<p>gone", "contentType": "text/html"}},
    {"path": "/nothing", "access": "public", "respond": {"status": 204}},
    {"path": "/private-note", "respond": {"body": "for members"}},
    {"path": "/moved/{page}", "access": "public", "redirect": {"to": "https://www.example.com/p/{page}", "status": "308"}},
    {"path": "/here/**", "access": "public", "paths": "encoded", "redirect": {"to": "/**"}},
    {"path": "/small/**", "access": "public", "limits": {"bodyBytes": "1KiB"}},
    {"path": "/spa/**", "cors": {"origins": [SPA], "exposeHeaders": ["X-Total"], "maxAge": "1h"}},
    {"path": "/spa-public/**", "access": "public", "cors": {"origins": [SPA], "headers": ["X-One"]}},
    {"path": "/spa-methods/**", "methods": ["PUT"], "cors": {"origins": [SPA]}},
    {"path": "/open-data/**", "access": "public", "cors": {"origins": ["*"], "credentials": False}},
    {"path": "/safe/**", "csrf": "origin", "cors": {"origins": [SPA]}},
    {"path": "/public/**", "access": "public"},
]


@pytest.fixture(scope="module")
def routes(start_gateway, dev):
    return start_gateway({"providers": [dev.configuration], "routes": ROUTES, "server": {"limits": {"bodyBytes": "1MiB"}}}, name="gateway-routes")


@pytest.fixture(scope="module")
def alice(routes, dev):
    return f"session={session_cookie(sign_in(routes, dev))}"


def ask(gateway, path: str, headers: dict[str, str] | None = None, method: str = "GET", body: bytes = b"", cookie: str | None = None):
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{gateway.port}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if cookie:
        lines.append(f"Cookie: {cookie}")
    if body or method in ("POST", "PUT"):
        lines.append(f"Content-Length: {len(body)}")
    with Connection(gateway.port) as connection:
        response = connection.send(("\r\n".join(lines) + "\r\n\r\n").encode() + body).response(method)
        assert response is not None
        return response


# Paths


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/api/{m}", "/{m}"),
        ("/api/{m}?q=%2F&r=//", "/{m}?q=%2F&r=//"),
        ("/%61pi/{m}/%61", "/{m}/%61"),
        ("/api/api/{m}", "/api/{m}"),
        ("/old/a%20b/{m}/z", "/new/a%20b/x/{m}/z"),
        ("/old/n/{m}?a=1", "/new/n/x/{m}?a=1"),
    ],
)
def test_what_was_matched_is_what_is_rewritten(routes, upstream, path, target):
    """`stripPrefix` and `rewrite`: the bytes that came, the query kept."""
    marker = mark()
    assert ask(routes, path.replace("{m}", marker)).status == 200
    assert upstream.only(marker).target == target.replace("{m}", marker)


def test_the_prefix_alone_becomes_the_root_and_the_upstream_is_told(routes, upstream):
    marker = mark()
    assert ask(routes, f"/api?{marker}", {"X-Forwarded-Prefix": "/evil", "x_forwarded_prefix": "/evil"}).status == 200
    recording = upstream.only(marker)
    assert recording.target == f"/?{marker}"
    assert recording.value("X-Forwarded-Prefix") == "/api"
    assert b"evil" not in recording.head


@pytest.mark.parametrize(
    "path", ["/api/..%2f{m}", "/api/%2e%2e/{m}", "/api/../{m}", "/api/..;/{m}", "/loose//evil.example/{m}", "/loose/%2e%2e%2f{m}", "/api//{m}", "/old/./{m}"]
)
def test_a16_no_rewriting_makes_a_traversal_or_another_host(routes, upstream, path):
    """CVE-2026-48020, CVE-2026-40912: refused with 400, before and after."""
    marker = mark()
    assert ask(routes, path.replace("{m}", marker)).status == 400
    assert not upstream.saw(marker)


def test_access_is_that_of_the_path_that_came(routes, upstream, alice):
    """A rewriting to where everybody may go opens nothing."""
    marker = mark()
    assert ask(routes, f"/rewritten-staff/{marker}").status == 401
    assert ask(routes, f"/rewritten-staff/{marker}", cookie=alice).status == 403
    assert not upstream.saw(marker)


# Headers


def test_request_headers_are_set_and_removed_in_every_spelling(routes, upstream, alice):
    marker = mark()
    spoofed = {name: "spoofed" for name in ("X-Tenant", "x_tenant", "X.Mail", "Authorization", "X-Debug", "x_debug", "Referer")}
    assert ask(routes, f"/edited/{marker}", {**spoofed, "X-Kept": "1"}, cookie=alice).status == 200
    recording = upstream.only(marker)
    assert b"spoofed" not in recording.head
    assert recording.value("X-Tenant") == "acme"
    assert recording.value("X-Mail") == "alice@example.com"
    assert recording.value("Authorization") == "Basic Zm9v"
    assert recording.value("X-Kept") == "1"
    assert recording.value("X-Forwarded-Email") == "alice@example.com"


def test_a_visitor_has_no_value_and_sends_none_himself(routes, upstream, alice):
    marker = mark()
    assert ask(routes, f"/edited-public/{marker}a", {"X-Mail": "root@example.com"}).status == 200
    assert upstream.only(f"{marker}a").value("X-Mail") is None
    assert upstream.only(f"{marker}a").value("X-Tenant") == "acme"
    for round_ in "bc":
        assert ask(routes, f"/edited-public/{marker}{round_}", {"X-Mail": "root@example.com"}, cookie=alice).status == 200
        assert upstream.only(f"{marker}{round_}").value("X-Mail") == "alice@example.com"


def test_response_headers_are_set_and_removed(routes, upstream, alice):
    path = f"/edited/{mark()}"
    upstream.scripts[path] = (
        b"HTTP/1.1 200 OK\r\nServer: leaky/1.0\r\nSet-Cookie: app=1\r\nX-Frame-Options: ALLOWALL\r\nCache-Control: public\r\nX-Kept: 1\r\n"
        b"Content-Length: 2\r\n\r\nok"
    )
    response = ask(routes, path, cookie=alice)
    assert response.values("Server") == []
    assert response.values("Set-Cookie") == []
    assert response.values("X-Frame-Options") == ["DENY"]
    assert "public" not in ", ".join(response.values("Cache-Control"))
    assert sorted(response.values("Cache-Control")) == ["max-age=60", "private"]
    assert response.value("X-Kept") == "1"


# Own answers


def test_fixed_answers_reach_no_upstream(routes, upstream, alice):
    before = upstream.connections
    robots = ask(routes, "/robots.txt")
    assert (robots.status, robots.body, robots.value("Content-Type")) == (200, b"User-agent: *\n", "text/plain; charset=utf-8")
    assert robots.values("Cache-Control") == ["max-age=60"]
    gone = ask(routes, "/gone")
    assert (gone.status, gone.body, gone.value("Content-Type")) == (410, b"<p>gone", "text/html")
    head = ask(routes, "/gone", method="HEAD")
    assert (head.status, head.value("Content-Length")) == (410, "7")
    nothing = ask(routes, "/nothing")
    assert (nothing.status, nothing.body, nothing.value("Content-Length")) == (204, b"", None)
    assert upstream.connections == before


def test_a_fixed_answer_asks_who_it_is_like_any_other(routes, alice):
    assert ask(routes, "/private-note").status == 401
    response = ask(routes, "/private-note", cookie=alice)
    assert (response.status, response.body) == (200, b"for members")
    assert response.values("Cache-Control") == ["no-store"]


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/moved/start", 308, "https://www.example.com/p/start"),
        ("/moved/a%20b?x=%2F/evil", 308, "https://www.example.com/p/a%20b?x=%2F/evil"),
        ("/moved/@evil.example", 308, "https://www.example.com/p/@evil.example"),
        ("/here/a/b?c", 302, "/a/b?c"),
        ("/here", 302, "/"),
        ("/here//evil.example/", 400, None),
        ("/here/%2Fevil.example/", 302, "/%2Fevil.example/"),
        ("/moved/%5Cevil.example", 400, None),
    ],
)
def test_redirections_stay_on_their_host(routes, path, status, location):
    response = ask(routes, path)
    assert response.status == status
    assert response.value("Location") == location


# Limits


def test_limits_of_a_route_replace_the_servers(routes, upstream):
    marker = mark()
    assert ask(routes, f"/small/{marker}", method="POST", body=b"x" * 1025).status == 413
    assert not upstream.saw(marker)
    assert ask(routes, f"/small/{marker}", method="POST", body=b"x" * 1024).status == 200
    assert ask(routes, f"/public/{marker}", method="POST", body=b"x" * 1025).status == 200
    with Connection(routes.port) as connection:
        connection.send(f"POST /small/{marker} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n401\r\n{'x' * 0x401}\r\n".encode())
        response = connection.response()
        assert response is not None and response.status == 413


def test_time_limits_of_a_route_replace_the_servers(start_gateway):
    """`timeouts.upstreamResponse` and `idle`: the short ones here, the server's elsewhere."""

    def serve(connection: socket.socket, _: int) -> None:
        head = read_head(connection)
        if b"/stalls" in head:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        read_head(connection)

    public = {"access": "public"}
    with upstream_of(serve) as port:
        gateway = start_gateway(
            {
                "upstream": f"http://127.0.0.1:{port}",
                "routes": [
                    {"path": "/late", **public, "timeouts": {"upstreamResponse": "300ms"}},
                    {"path": "/stalls", **public, "timeouts": {"idle": "300ms"}},
                    {"path": "/slow-body", **public, "timeouts": {"idle": "300ms"}},
                    {"path": "/**", **public},
                ],
            }
        )
        with Connection(gateway.port) as patient:
            patient.send(b"GET /patient HTTP/1.1\r\nHost: h\r\n\r\n")
            assert ask(gateway, "/late").status == 504
            stalled = ask(gateway, "/stalls")
            assert (stalled.status, stalled.complete) == (200, False)
            with Connection(gateway.port) as slow:
                slow.send(b"POST /slow-body HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf")
                response = slow.response()
                assert response is not None and response.status == 408
            # By now, each of the shorter limits has passed.
            assert not is_readable(patient.socket, 0)


# Pages of other origins


def preflight(gateway, path: str, origin: str, method: str = "PUT", headers: str | None = "content-type,x-csrf", cookie: str | None = None):
    asked = {"Origin": origin, "Access-Control-Request-Method": method}
    if headers:
        asked["Access-Control-Request-Headers"] = headers
    return ask(gateway, path, asked, method="OPTIONS", cookie=cookie)


def cors_lines(response) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers if name.lower().startswith("access-control-")}


def test_a_preflight_of_a_listed_origin_is_answered_here(routes, upstream):
    """Fetch 4.8: without credentials, so that no upstream may see it."""
    marker = mark()
    response = preflight(routes, f"/spa/{marker}", SPA)
    assert response.status == 204
    assert cors_lines(response) == {
        "access-control-allow-origin": SPA,
        "access-control-allow-credentials": "true",
        "access-control-expose-headers": "X-Total",
        "access-control-allow-methods": "PUT",
        "access-control-allow-headers": "content-type,x-csrf",
        "access-control-max-age": "3600",
    }
    assert "Origin" in response.values("Vary")
    assert cors_lines(preflight(routes, f"/spa-public/{marker}", SPA))["access-control-allow-headers"] == "X-One"
    assert preflight(routes, f"/spa-methods/{marker}", SPA, "PUT").status == 204
    assert preflight(routes, f"/spa-methods/{marker}", SPA, "DELETE").status == 401, "that request falls to a route without cors"
    assert not upstream.saw(marker)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "https://spa.example.com.evil.example", "http://spa.example.com", SPA.upper(), SPA + ":443"])
def test_a_preflight_of_any_other_origin_permits_nothing(routes, upstream, origin):
    marker = mark()
    for path, status in [(f"/spa/{marker}", 401), (f"/spa-public/{marker}", 403)]:
        response = preflight(routes, path, origin)
        assert response.status == status
        assert cors_lines(response) == {}
    assert not upstream.saw(marker)


def test_a_preflight_is_no_way_around_the_rules(routes, upstream):
    """OPTIONS of a protected path stays protected, whatever method it announces."""
    marker = mark()
    for method in ("GET", "get", "G T", "TRACE\u00e9", "X" * 40):
        assert ask(routes, f"/private/{marker}", {"Origin": SPA, "Access-Control-Request-Method": method}, method="OPTIONS").status in (400, 401)
    assert not upstream.saw(marker)


@pytest.mark.parametrize("header", ["x\u00e9", "a b;c", "x" * 3000])
def test_a_preflight_reflects_names_only(routes, header):
    response = preflight(routes, "/spa/x", SPA, headers=header)
    assert "access-control-allow-headers" not in cors_lines(response)


def test_a_page_can_read_the_gateways_own_refusals(routes, upstream, alice):
    """oauth2-proxy#822: 401 and other errors carry CORS for listed origins, and only for those."""
    marker = mark()
    refused = ask(routes, f"/spa/{marker}", {"Origin": SPA})
    assert refused.status == 401
    assert cors_lines(refused)["access-control-allow-origin"] == SPA
    assert cors_lines(refused)["access-control-allow-credentials"] == "true"
    assert "Origin" in refused.values("Vary")
    for origin in ("https://evil.example", "null"):
        other = ask(routes, f"/spa/{marker}", {"Origin": origin})
        assert (other.status, cors_lines(other)) == (401, {})
        assert "Origin" in other.values("Vary"), "a cache must not give this answer to a listed origin"
    upstream.scripts[f"/spa/{marker}"] = b"nonsense\r\n\r\n"
    broken = ask(routes, f"/spa/{marker}", {"Origin": SPA}, cookie=alice)
    assert (broken.status, cors_lines(broken)["access-control-allow-origin"]) == (502, SPA)
    with Connection(routes.port) as connection:
        answers = []
        for path in (f"/spa/{marker}", "/nowhere"):
            connection.send(f"GET {path} HTTP/1.1\r\nHost: h\r\nOrigin: {SPA}\r\n\r\n".encode())
            answers.append(connection.response())
    assert cors_lines(answers[0]) and not cors_lines(answers[1]), "the next request of the connection is another route's"


def test_the_gateway_alone_speaks_of_cors_on_its_route(routes, upstream, alice):
    marker = mark()
    upstream.scripts[f"/spa/{marker}"] = (
        b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\naccess-control-allow-credentials: true\r\nX-Total: 3\r\nContent-Length: 2\r\n\r\nok"
    )
    response = ask(routes, f"/spa/{marker}", {"Origin": SPA}, cookie=alice)
    assert [value for name, value in response.headers if name.lower() == "access-control-allow-origin"] == [SPA]
    assert response.value("X-Total") == "3"
    other = ask(routes, f"/spa/{marker}", {"Origin": "https://evil.example"}, cookie=alice)
    assert cors_lines(other) == {}
    open_data = ask(routes, f"/open-data/{marker}", {"Origin": "https://any.example"})
    assert cors_lines(open_data) == {"access-control-allow-origin": "*"}


# Requests of other sites

SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        (SAME, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Origin": "{own}"}, True),
        ({"Origin": SPA}, True),
        ({"Sec-Fetch-Site": "cross-site", "Origin": SPA}, True),
        ({"Referer": "{own}/page?x=1"}, True),
        ({"Referer": "{own}"}, True),
        ({}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "Same-Origin"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Referer": "{own}/"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "https://evil.example", "Referer": "{own}/"}, False),
        ({"Origin": "{own}.evil.example"}, False),
        ({"Referer": "{own}.evil.example/"}, False),
        ({"Referer": "{own}@evil.example/"}, False),
        ({"Referer": "about:blank"}, False),
    ],
)
def test_a_request_that_changes_something_must_come_from_this_site(routes, upstream, alice, headers, allowed):
    """`csrf: origin`: Sec-Fetch-Site, then Origin, then Referer; what says nothing is refused."""
    marker = mark()
    headers = {name: value.replace("{own}", routes.origin) for name, value in headers.items()}
    for method in ("POST", "PUT", "DELETE", "PROPFIND"):
        response = ask(routes, f"/safe/{marker}{method}", headers, method=method, cookie=alice)
        assert response.status == (200 if allowed else 403), method
        if not allowed:
            assert b"auth/cross-site-request" in response.body
        assert upstream.saw(marker + method) == allowed
    assert ask(routes, f"/safe/{marker}", headers, cookie=alice).status == 200, "reading is not forbidden"


def test_a_forged_form_sees_a_page(routes, alice):
    response = ask(routes, "/safe/x", {**NAVIGATION, "Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, method="POST", cookie=alice)
    assert response.status == 403 and b"<html" in response.body


def test_without_a_session_there_is_nothing_to_forge(routes):
    assert ask(routes, "/safe/x", {"Origin": "https://evil.example"}, method="POST").status == 401


# Upgrades


def test_upgrades_that_a_route_allows_become_tunnels_that_nobody_reads(start_gateway):
    """RFC 9110 7.8: exactly what was asked for and is allowed; any other `Upgrade` is dropped."""
    heads: list[bytes] = []

    def serve(connection: socket.socket, _: int) -> None:
        head = read_head(connection)
        heads.append(head)
        if b"upgrade: spdy/3.1" not in head.lower():
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            return
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n")
        while data := connection.recv(65536):
            connection.sendall(data)
        connection.close()

    routes = [{"path": "/exec", "access": "public", "upgrades": ["SPDY/3.1"]}, {"path": "/none", "access": "public", "upgrades": []}, {"path": "/**", "access": "public"}]
    upgrade = "HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: {}\r\n\r\n"
    with upstream_of(serve) as port:
        gateway = start_gateway({"upstream": f"http://127.0.0.1:{port}", "routes": routes})
        with connect(gateway) as client:
            assert handshake(client, ("POST /exec " + upgrade.format("SPDY/3.1")).encode()).startswith(b"HTTP/1.1 101 ")
            # What would be a WebSocket's close frame is some bytes here.
            client.sendall(b"\x88\x02\x03\xe9and on")
            assert exactly(client, 10) == b"\x88\x02\x03\xe9and on"
            for path, name in [("/exec", "websocket"), ("/none", "websocket"), ("/other", "SPDY/3.1"), ("/exec", "SPDY/3.1, websocket"), ("/exec", "SPDY")]:
                with connect(gateway) as other:
                    assert handshake(other, (f"GET {path} " + upgrade.format(name)).encode()).startswith(b"HTTP/1.1 200 "), (path, name)
                assert b"upgrade" not in heads[-1].lower(), (path, name)
            gateway.process.child.terminate()
            assert drain(client) == b"", "a tunnel that is no WebSocket ends without a close frame"
        assert gateway.process.child.wait(timeout=60) == 0


def test_pages_of_listed_origins_may_open_websockets(start_gateway, dev):
    from test_websocket import Echo, request

    echo = Echo()
    with upstream_of(echo) as port:
        gateway = start_gateway(
            {
                "upstream": f"http://127.0.0.1:{port}",
                "providers": [dev.configuration],
                "webSockets": {"origins": ["https://www.example.com"]},
                "routes": [{"path": "/own", "webSockets": {"origins": ["https://other.example.com"]}}],
            }
        )
        cookie = f"Cookie: session={session_cookie(sign_in(gateway, dev))}\r\n"
        for path, origin, status in [
            ("/ws", "https://www.example.com", 101),
            ("/ws", gateway.origin, 101),
            ("/ws", "https://www.example.com.evil.example", 403),
            ("/ws", "https://other.example.com", 403),
            ("/own", "https://other.example.com", 101),
            ("/own", "https://www.example.com", 403),
        ]:
            with connect(gateway) as client:
                assert handshake(client, request(path, cookie + f"Origin: {origin}\r\n")).startswith(f"HTTP/1.1 {status} ".encode()), (path, origin)


# The page about routes

BASE = {
    "version": "version: 1\n",
    "server": "server: { publicURL: https://app.example.com }\n",
    "upstream": "upstream: http://127.0.0.1:8080\n",
    "providers": "providers: [{ id: oidc.acme, issuer: https://auth.example.com, clientID: acme-web, clientSecret: '${file:./secret}' }]\n",
    "session": "session: { keys: ['${file:./session.key}'] }\n",
}
EXAMPLES = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/routes.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_of_the_page_is_valid(tmp_path, example):
    (tmp_path / "session.key").write_text(session_key())
    (tmp_path / "secret").write_text("correct-horse-battery")
    (tmp_path / "maintenance.html").write_text("<p>back soon")
    for path in tmp_path.iterdir():
        path.chmod(0o600)
    text = example.replace("/run/secrets/acme", "./secret")
    top = {line.split(":")[0] for line in text.splitlines() if line and not line[0].isspace()}
    server = text.replace("server:\n", "server:\n  publicURL: https://app.example.com\n") if "publicURL" not in text else text
    file = tmp_path / "gateway.yaml"
    file.write_text(server + "".join(block for key, block in BASE.items() if key not in top))
    report = run_command("validate", "--strict", str(file), folder=tmp_path)
    assert report.returncode == 0, report.stdout + file.read_text()


# The same as a browser sees it


class BlankPages:
    """A site of its own: an empty page at every address."""

    def __init__(self) -> None:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>another site</title>")

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


FETCH = """
const [url, options, done] = arguments;
fetch(url, {credentials: 'include', ...options}).then(async answer => done([answer.status, await answer.text()]), () => done(['failed', '']));
"""


def test_a_real_browser_agrees(browser, start_gateway, dev):
    """CORS and CSRF as Chromium enforces and announces them, from a page of another origin."""
    listed, stranger = BlankPages(), BlankPages()
    fixed = {"body": "for members"}
    gateway = start_gateway(
        {
            "providers": [dev.configuration],
            "routes": [
                {"path": "/spa/**", "respond": fixed, "cors": {"origins": [listed.origin]}, "csrf": "origin"},
                {"path": "/closed/**", "respond": fixed, "csrf": "origin"},
            ],
        }
    )

    def fetch(path: str, **options: object):
        return browser.execute_async_script(FETCH, gateway.url(path), options)

    unusual = {"method": "PUT", "headers": {"X-One": "1"}, "body": "x"}
    browser.get(listed.origin)
    status, text = fetch("/spa/x")
    assert status == 401 and "/_gateway/login" in text, "the page can read where to sign in"
    assert fetch("/closed/x") == ["failed", ""]

    browser.get(gateway.own("/login"))
    browser.add_cookie({"name": "session", "value": session_cookie(sign_in(gateway, dev)), "path": "/", "httpOnly": True, "sameSite": "Lax"})
    browser.get(listed.origin)
    assert fetch("/spa/x") == [200, "for members"]
    assert fetch("/spa/x", **unusual) == [200, "for members"], "after a preflight"
    assert fetch("/closed/x", **unusual) == ["failed", ""]

    browser.get(stranger.origin)
    assert fetch("/spa/x") == ["failed", ""]
    assert fetch("/spa/x", **unusual) == ["failed", ""]
    browser.execute_script(
        "const form = document.createElement('form'); form.method = 'post'; form.action = arguments[0]; document.body.append(form); form.submit()",
        gateway.url("/closed/x"),
    )
    wait_for(browser, lambda current: current.current_url == gateway.url("/closed/x"), "the answer to the forged form")
    assert "A request from another site was blocked" in browser.page_source and "for members" not in browser.page_source

    browser.get(gateway.url("/closed/y"))
    assert "for members" in browser.page_source
    assert fetch("/closed/x", method="POST") == [200, "for members"], "a page of this site may"
