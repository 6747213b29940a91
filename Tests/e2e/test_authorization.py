"""Decisions for other proxies: the endpoints of `authorization.listen`, asked as the proxies ask."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from urllib.parse import parse_qs, urlsplit

import grpc
import pytest
import requests
import yaml
from h2wire import Connection
from logins import NAVIGATION, session_cookie, sign_in

from parts.behind import blocks
from parts.certificates import Authority
from parts.ext_authz import METHOD
from parts.processes import eventually, free_port
from parts.redis_server import RedisServer

ROUTES = [
    {"path": "/public/**", "access": "public"},
    {"path": "/only-bob/**", "access": {"emails": ["bob@example.com"]}},
    {"path": "/net/**", "access": {"networks": ["192.0.2.0/24"]}},
    {"path": "/fixed", "respond": {"status": 200, "body": "hello"}, "access": "public"},
    {"host": "other.example.com", "path": "/**", "access": "public"},
]
IDENTITY = ["User", "Email", "Email-Verified", "Preferred-Username", "Name", "Groups", "Provider"]


class Proxy:
    """Asks about requests of a client at 192.0.2.7."""

    def __init__(self, gateway, port: int) -> None:
        self.gateway = gateway
        self.origin = f"http://127.0.0.1:{port}"
        self.host = urlsplit(gateway.origin).netloc

    def nginx(self, path: str, method: str = "GET", **headers: str | None) -> requests.Response:
        return self._send("GET", "/nginx", {"X-Original-Method": method, "X-Original-URL": f"http://{self.host}{path}"}, headers)

    def forward(self, path: str, method: str = "GET", **headers: str | None) -> requests.Response:
        fields = {"Method": method, "Proto": "http", "Host": self.host, "Uri": path, "For": "192.0.2.7"}
        return self._send("GET", "/forward?x=y", {f"X-Forwarded-{name}": value for name, value in fields.items()}, headers)

    def envoy(self, path: str, method: str = "GET", **headers: str | None) -> requests.Response:
        return self._send(method, "/envoy" + path, {"Host": self.host, "X-Forwarded-For": "192.0.2.7"}, headers)

    def ask(self, dialect: str, path: str, method: str = "GET", **headers: str | None) -> requests.Response:
        return getattr(self, dialect)(path, method, **headers)

    def _send(self, method: str, path: str, fields: dict[str, str], more: dict[str, str | None]) -> requests.Response:
        headers = {**fields, **{name.replace("_", "-"): value for name, value in more.items() if value is not None}}
        with requests.Session() as session:
            session.trust_env = False
            return session.request(method, self.origin + path, headers=headers, allow_redirects=False, timeout=60)


@pytest.fixture(scope="module")
def proxy(start_gateway, dev) -> Proxy:
    port = free_port()
    configuration = {
        "upstream": None,
        "providers": [dev.configuration],
        "routes": ROUTES,
        "authorization": {"listen": f"127.0.0.1:{port}"},
        "server": {"trustedProxies": ["10.0.0.0/8"]},
    }
    return Proxy(start_gateway(configuration, name="gateway-asked"), port)


@pytest.fixture(scope="module")
def cookie(proxy, dev) -> str:
    return "session=" + session_cookie(sign_in(proxy.gateway, dev))


DIALECTS = ["nginx", "forward", "envoy"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_signed_in_request_passes_with_the_identity_in_headers(proxy, cookie, dialect):
    answer = proxy.ask(dialect, "/app?x=y", Cookie=cookie)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["X-Forwarded-Email"] == "alice@example.com"
    assert answer.headers["X-Forwarded-User"]
    assert answer.headers["X-Forwarded-Provider"] == "oidc.dev"
    assert answer.headers["Cache-Control"] == "no-store"


def test_headers_without_a_value_are_sent_empty_and_absent_for_nginx(proxy, cookie):
    public, signed_in = proxy.forward("/public/x"), proxy.forward("/app", Cookie=cookie)
    assert (public.status_code, signed_in.status_code) == (200, 200)
    for name in IDENTITY:
        assert public.headers.get(f"X-Forwarded-{name}") == "", name
    for name in ("X-Auth-Request-User", "Remote-User", "X-WEBAUTH-USER", "X-Gateway-Assertion"):
        assert signed_in.headers.get(name) == "", name
    nginx = proxy.nginx("/public/x")
    assert nginx.status_code == 200
    assert not [name for name in nginx.headers if name.lower().startswith(("x-forwarded-", "remote-", "x-webauth-"))]


def test_envoy_is_told_which_headers_to_remove(proxy, cookie):
    def removed(answer: requests.Response) -> set[str]:
        assert answer.status_code == 200
        return {name.lower() for name in answer.headers["x-envoy-auth-headers-to-remove"].split(",")}

    public = removed(proxy.envoy("/public/x"))
    assert {"x-forwarded-user", "x-forwarded-email", "remote-user", "x-gateway-assertion"} <= public
    signed_in = removed(proxy.envoy("/app", Cookie=cookie, **{"X.Forwarded~User": "admin"}))
    assert "x.forwarded~user" in signed_in
    assert "x-forwarded-user" not in signed_in and "x-forwarded-email" not in signed_in
    assert "remote-user" in signed_in


@pytest.mark.parametrize("dialect", ["forward", "envoy"])
def test_a_page_load_without_a_session_is_redirected_to_an_absolute_address(proxy, dialect):
    answer = proxy.ask(dialect, "/app?x=y", **NAVIGATION)
    location = urlsplit(answer.headers["Location"])
    assert answer.status_code == 302
    assert f"{location.scheme}://{location.netloc}" == proxy.gateway.origin
    assert (location.path, parse_qs(location.query)) == ("/_gateway/login", {"rd": ["/app?x=y"]})


@pytest.mark.parametrize("dialect", ["forward", "envoy"])
def test_other_requests_without_a_session_get_401(proxy, dialect):
    answer = proxy.ask(dialect, "/app", Accept="application/json")
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "auth/login-required"
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert proxy.ask(dialect, "/app", "POST", Accept="application/json").status_code == 401


def test_nginx_gets_401_with_the_sign_in_and_whether_to_redirect(proxy):
    page = proxy.nginx("/app?x=y", **NAVIGATION)
    program = proxy.nginx("/app?x=y", Accept="application/json")
    expected = proxy.gateway.own("/login?rd=%2Fapp%3Fx%3Dy")
    assert (page.status_code, page.headers["X-Gateway-Location"], page.headers["X-Gateway-Redirect"]) == (401, expected, expected)
    assert (program.status_code, program.headers["X-Gateway-Location"]) == (401, expected)
    assert "X-Gateway-Redirect" not in program.headers
    assert "Location" not in page.headers


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_rule_refuses_with_403(proxy, cookie, dialect):
    assert proxy.ask(dialect, "/only-bob/x", Cookie=cookie).status_code == 403
    assert proxy.ask(dialect, "/only-bob/x", Cookie=cookie, **NAVIGATION).status_code == 403


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_broken_cookie_never_passes(proxy, cookie, dialect):
    for junk in ("session=x", "session=", cookie[:-4] + "AAAA", cookie + "; " + cookie):
        assert proxy.ask(dialect, "/app", Cookie=junk).status_code == 401


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_pages_of_the_gateway_and_fixed_answers_do_not_pass(proxy, cookie, dialect):
    for path in ("/_gateway", "/_gateway/login", "/_gateway/userinfo", "/%5fgateway/login", "/fixed"):
        assert proxy.ask(dialect, path, Cookie=cookie).status_code == 403, path


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "path", ["/public/../app", "/public/%2e%2e/app", "//public/x", "/public%2fx", "/public/x;y", "/public/%00", "/public\\x"]
)
def test_a_path_with_two_readings_is_refused(proxy, cookie, dialect, path):
    fields = {"forward": "X-Forwarded-Uri", "nginx": "X-Original-URL"}
    if dialect == "envoy":
        answer = _raw(proxy, f"GET /envoy{path} HTTP/1.1", f"Host: {proxy.host}", f"Cookie: {cookie}")
    else:
        target = path if dialect == "forward" else f"http://{proxy.host}{path}"
        answer = proxy.ask(dialect, "/x", Cookie=cookie, **{fields[dialect]: target}).status_code
    assert answer == 403
    assert proxy.gateway.alive


def _raw(proxy: Proxy, *lines: str) -> int:
    """The status of a request as it stands: clients tidy paths."""
    with socket.create_connection(("127.0.0.1", urlsplit(proxy.origin).port), timeout=60) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode())
        return int(connection.makefile("rb").readline().split()[1])


def test_the_host_selects_the_route(proxy):
    host = {"X-Forwarded-Host": "other.example.com"}
    assert proxy.forward("/x", **host).status_code == 200
    assert proxy.forward("/x").status_code == 401


# Headers with which a client names another request than its own. `other.example.com` and `/public` are public.
CLAIMS = {
    "X-Original-URL": "http://other.example.com/app", "X-Original-URI": "/public/x", "X-Original-Host": "other.example.com",
    "X-Forwarded-Host": "other.example.com", "X-Forwarded-Uri": "/public/x", "X-Forwarded-Prefix": "/public",
    "Forwarded": "host=other.example.com;proto=https", "X-Rewrite-URL": "/public/x", "X-Envoy-Original-Path": "/public/x",
}  # fmt: skip


def test_forward_auth_does_not_let_a_client_choose_the_host(proxy, cookie):
    """The client adds X-Original-URL where nginx sends Host and X-Original-URI."""

    def ask(url: str, *more: str) -> int:
        question = ("GET /nginx HTTP/1.1", f"Host: {proxy.host}", "X-Original-Method: GET", "X-Original-URI: /app")
        return _raw(proxy, *question, f"X-Original-URL: {url}", *more)

    assert ask("http://other.example.com/app") == 403
    assert ask("http://other.example.com/app", f"Cookie: {cookie}") == 403
    assert ask(f"http://{proxy.host}/public/x", f"Cookie: {cookie}") == 403
    assert ask(f"https://{proxy.host}/app", f"Cookie: {cookie}") == 403
    assert ask(f"https://{proxy.host}/app", "X-Forwarded-Proto: http", f"Cookie: {cookie}") == 403
    assert ask(f"http://{proxy.host}/app") == 401
    assert ask(f"http://{proxy.host}/app", f"Cookie: {cookie}") == 200
    assert ask(f"https://{proxy.host}/app", "X-Forwarded-Proto: https", f"Cookie: {cookie}") == 200
    reasons = [event["reason"] for event in proxy.gateway.events("question-refused")]
    assert {"contradictory Host", "contradictory X-Original-URI", "contradictory X-Original-URL"} <= set(reasons)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", CLAIMS)
def test_no_header_that_a_client_adds_opens_a_route(proxy, dialect, name):
    questions = {
        "nginx": ["GET /nginx HTTP/1.1", f"Host: {proxy.host}", "X-Original-Method: GET", f"X-Original-URL: http://{proxy.host}/app"],
        "forward": [
            "GET /forward HTTP/1.1", "Host: gateway", "X-Forwarded-Method: GET", "X-Forwarded-Proto: http",
            f"X-Forwarded-Host: {proxy.host}", "X-Forwarded-Uri: /app", "X-Forwarded-For: 192.0.2.7",
        ],
        "envoy": ["GET /envoy/app HTTP/1.1", f"Host: {proxy.host}"],
    }  # fmt: skip
    assert _raw(proxy, *questions[dialect]) == 401
    assert _raw(proxy, *questions[dialect], f"{name}: {CLAIMS[name]}") in (401, 403)


def test_networks_are_those_of_the_client_before_the_trusted_proxies(proxy, cookie):
    def status(dialect: str, client: str | None) -> int:
        return proxy.ask(dialect, "/net/x", Cookie=cookie, X_Forwarded_For=client).status_code

    assert status("forward", "192.0.2.7") == 200
    assert status("forward", "198.51.100.1, 192.0.2.7, 10.0.0.1") == 200
    assert status("forward", "192.0.2.7, 198.51.100.1") == 403
    assert status("nginx", "192.0.2.7") == 200
    # Nothing is said about the client: the rule does not hold.
    assert proxy.nginx("/net/x", Cookie=cookie).status_code == 403


def test_what_is_missing_contradictory_or_malformed_is_403_and_logged(proxy, cookie):
    nginx = ("GET /nginx HTTP/1.1", "Host: h", "X-Original-Method: GET")
    questions = {
        "unknown-endpoint": ("GET / HTTP/1.1", "Host: h"),
        "method": ("POST /forward HTTP/1.1", "Host: h", "Content-Length: 0"),
        "missing X-Original-Method": ("GET /nginx HTTP/1.1", "Host: h", "X-Original-URI: /public/x"),
        "repeated X-Original-URI": (*nginx, "X-Original-URI: /public/x", "X-Original-URI: /y"),
        "path-not-absolute": (*nginx, "X-Original-URI: http://h/public/x"),
        "host-missing": ("GET /nginx HTTP/1.1", "X-Original-Method: GET"),
    }
    for reason, lines in questions.items():
        assert _raw(proxy, *lines, f"Cookie: {cookie}") == 403, reason
        eventually(lambda: reason in [event["reason"] for event in proxy.gateway.events("question-refused")], f"{reason} in the log")
    assert not re.search(re.escape(cookie[-40:]), proxy.gateway.log)


def test_other_calls_over_grpc_are_unimplemented_and_no_success(proxy):
    """They were 403, which gRPC clients take for a decision. A proxy that asks over plain HTTP by mistake must read no 2xx."""
    address = urlsplit(proxy.origin).netloc
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        for method in ("/envoy.service.auth.v3.Authorization/Other", "/grpc.health.v1.Health/Check"):
            with pytest.raises(grpc.RpcError) as raised:
                channel.unary_unary(method)(b"", timeout=60)
            assert raised.value.code() == grpc.StatusCode.UNIMPLEMENTED, method
    with Connection(int(address.rpartition(":")[2])) as connection:
        for path, kind, status in (("/other", "application/grpc", 404), (METHOD, "text/plain", 415), (METHOD, "application/grpc-web", 415)):
            answer = connection.request("POST", path, [("content-type", kind)])
            assert answer.status == status and dict(answer.headers)["grpc-status"] == "12", (path, kind)
    eventually(lambda: {"unknown-grpc-method", "no-grpc-call"} <= {event["reason"] for event in proxy.gateway.events("question-refused")}, "the log")


def test_strangers_may_not_ask(start_gateway, dev, cookie):
    port = free_port()
    gateway = start_gateway(
        {"upstream": None, "providers": [dev.configuration], "authorization": {"listen": f"127.0.0.1:{port}", "peers": ["192.0.2.0/24"]}},
        name="gateway-strangers",
    )
    stranger = Proxy(gateway, port)
    assert stranger.forward("/app", Cookie=cookie).status_code == 403
    eventually(lambda: [event["reason"] for event in gateway.events("question-refused")] == ["peer-not-allowed"], "the refusal in the log")


def test_the_access_log_tells_about_the_request_in_question(proxy, cookie):
    proxy.forward("/logged?token=x", "DELETE", Cookie=cookie)
    eventually(lambda: [event for event in proxy.gateway.events("access") if event["path"] == "/logged"], "a line in the access log")
    event = next(event for event in proxy.gateway.events("access") if event["path"] == "/logged")
    found = [event[name] for name in ("client", "method", "host", "status", "route")]
    assert found == ["192.0.2.7", "DELETE", proxy.host, 200, "/**"]


def test_a_web_socket_of_another_site_is_refused(proxy, cookie):
    handshake = {"Cookie": cookie, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    assert proxy.forward("/ws", Origin=proxy.gateway.origin, **handshake).status_code == 200
    assert proxy.forward("/ws", Origin="https://evil.example.com", **handshake).status_code == 403


def test_a_session_that_is_used_late_is_renewed(start_gateway, dev):
    port = free_port()
    gateway = start_gateway(
        {
            "upstream": None,
            "providers": [dev.configuration],
            "authorization": {"listen": f"127.0.0.1:{port}"},
            "session": {"idleTimeout": "4s"},
        },
        name="gateway-asked-late",
    )
    asker = Proxy(gateway, port)
    cookie = "session=" + session_cookie(sign_in(gateway, dev))

    def renewal() -> str | None:
        answer = asker.forward("/app", Cookie=cookie)
        assert answer.status_code == 200
        return answer.headers.get("Set-Cookie")

    renewed = eventually(renewal, "a new cookie").split(";")[0]
    assert renewed != cookie and asker.forward("/app", Cookie=renewed).status_code == 200


def test_http_2_without_tls(proxy, cookie, tmp_path):
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("no curl on this machine")
    command = [curl, "--silent", "--http2-prior-knowledge", "--output", str(tmp_path / "body")]
    command += ["--write-out", "%{http_version} %{http_code}"]
    for name, value in {"Host": proxy.host, "Cookie": cookie}.items():
        command += ["--header", f"{name}: {value}"]
    done = subprocess.run([*command, f"{proxy.origin}/envoy/app"], capture_output=True, text=True, timeout=60)
    assert done.stdout == "2 200", done.stderr


def test_sockets_and_reloads(start_gateway, dev, tmp_path):
    """The listener may be a Unix socket, and a reload adds or removes it."""
    path = tmp_path / "ask.sock"
    configuration = {"upstream": None, "providers": [dev.configuration], "routes": ROUTES, "authorization": {"listen": f"unix:{path}"}}
    gateway = start_gateway(configuration, name="gateway-asked-socket")

    def ask() -> bytes:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
            connection.sendall(b"GET /envoy/public/x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            return connection.makefile("rb").readline()

    assert ask().startswith(b"HTTP/1.1 200")
    port = free_port()
    gateway.rewrite(authorization={"listen": f"127.0.0.1:{port}"})
    gateway.reload()
    assert Proxy(gateway, port).forward("/public/x").status_code == 200
    with pytest.raises(OSError):
        ask()


def test_questions_over_tls_use_the_certificates_of_the_server(start_gateway, dev, tmp_path):
    authority = Authority(tmp_path)
    port = free_port()
    configuration = {
        "upstream": None,
        "providers": [dev.configuration],
        "routes": ROUTES,
        "server": {"tls": authority.issue("server", ["localhost", "127.0.0.1"]).keys, "publicURL": "https://127.0.0.1:1"},
        "authorization": {"listen": f"127.0.0.1:{port}", "tls": True},
    }
    gateway = start_gateway(configuration, name="gateway-asked-tls")
    url = f"https://127.0.0.1:{port}/envoy/public/x"
    assert requests.get(url, verify=str(authority.file), timeout=60).status_code == 200
    gateway.reload()
    assert requests.get(url, verify=str(authority.file), timeout=60).status_code == 200
    assert requests.get(url.replace("https:", "http:"), timeout=60).status_code == 400


def test_nothing_that_needs_a_session_passes_without_the_session_store(start_gateway, dev, tmp_path):
    server = RedisServer(tmp_path).start()
    try:
        port = free_port()
        configuration = {
            "upstream": None,
            "providers": [dev.configuration],
            "routes": ROUTES,
            "session": {"store": server.url},
            "authorization": {"listen": f"127.0.0.1:{port}"},
        }
        gateway = start_gateway(configuration, name="gateway-asked-redis")
        asker = Proxy(gateway, port)
        cookie = "session=" + session_cookie(sign_in(gateway, dev))
        for dialect in DIALECTS:
            assert asker.ask(dialect, "/app", Cookie=cookie).status_code == 200
        server.kill()
        eventually(lambda: asker.forward("/app", Cookie=cookie).status_code == 403, "a refusal")
        for dialect in DIALECTS:
            assert asker.ask(dialect, "/app", Cookie=cookie).status_code == 403
            assert asker.ask(dialect, "/app", Cookie=cookie, **NAVIGATION).status_code == 403
            assert asker.ask(dialect, "/public/x", Cookie=cookie).status_code == 200
    finally:
        server.kill()


def test_the_page_about_traefik(proxy, cookie):
    """There is no Traefik here: the page must name what it needs, and the gateway must take what Traefik documents that it sends."""
    forward = yaml.safe_load(blocks("traefik")[0])["http"]["middlewares"]["gateway"]["forwardAuth"]
    assert forward["address"].endswith("/forward") and forward["trustForwardHeader"] is False
    answer = proxy.forward("/app", Cookie=cookie, X_Forwarded_Proto="ws", X_Forwarded_Port="80", X_Forwarded_Server="traefik")
    assert answer.status_code == 200
    pattern = re.compile(forward["authResponseHeadersRegex"])
    for name in answer.headers:
        if name.lower() not in ("cache-control", "content-length", "date", "connection"):
            assert name in forward["authResponseHeaders"] or pattern.match(name), name
    for look_alike in ("X_Forwarded_User", "x.forwarded.email-verified", "Remote~User", "x_webauth-user", "X_Gateway_Assertion"):
        assert pattern.match(look_alike), look_alike
    assert not pattern.match("X-Forwarded-For") and not pattern.match("Cookie")
