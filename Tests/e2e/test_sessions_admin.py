"""Own sessions and the admin interface for sessions: contract §7, "Own sessions" and "Admin", with the sealed cookie."""

from __future__ import annotations

import http.client
import http.server
import json
import threading
from collections.abc import Iterator

import pytest
import requests

from accounts import code, post, userinfo
from logins import new_client, session_cookie, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import Gateway, run_command, session_key, write_configuration
from parts.processes import eventually, free_port
from test_session_streams import App, EventStream, WebSocket
from test_lifecycle import upstream_of

TOKEN = "admin-token-0123456789abcdef"
STRANGE = "0" * 32


@pytest.fixture
def app() -> Iterator[tuple[App, int]]:
    part = App()
    with upstream_of(part) as port:
        yield part, port


def start(start_gateway, dev: DevProvider, port: int = 9, **changes) -> Gateway:
    configuration = {"upstream": f"http://127.0.0.1:{port}", "providers": [dev.configuration], "admin": {"token": TOKEN}}
    return start_gateway({**configuration, **changes})


def admin(gateway: Gateway, method: str, target: str, token: str | None = TOKEN, **arguments) -> requests.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return requests.request(method, gateway.admin + target, headers=headers, timeout=60, allow_redirects=False, **arguments)


def uid(gateway: Gateway, client: requests.Session) -> str:
    return userinfo(gateway, client)["uid"]


def is_alive(gateway: Gateway, client: requests.Session) -> bool:
    status = client.get(gateway.own("/userinfo"), timeout=60).status_code
    assert status in (200, 401)
    return status == 200


def command(gateway: Gateway, *arguments: str, token: str | None = TOKEN, status: int = 0):
    environment = {"GATEWAY_ADMIN_TOKEN": token or ""}
    run = run_command("sessions", *arguments, "--admin", gateway.admin, environment=environment, timeout=60)
    assert run.returncode == status, f"{arguments}: {run.returncode}\n{run.stdout}{run.stderr}"
    assert TOKEN not in run.stdout + run.stderr
    assert all(len(line) <= 80 for line in run.stdout.splitlines())
    return run


# --- Admin --------------------------------------------------------------------------------------------------------------


def test_without_a_token_in_the_configuration_the_endpoints_do_not_exist(start_gateway, dev):
    gateway = start_gateway({"providers": [dev.configuration]})
    client = sign_in(gateway, dev)
    for method in ("GET", "DELETE", "POST"):
        for target in ("/sessions", f"/sessions?user={uid(gateway, client)}", f"/sessions/{STRANGE}"):
            for token in (None, "", TOKEN):
                assert admin(gateway, method, target, token).status_code == 404, (method, target, token)
    assert is_alive(gateway, client)
    assert "set `admin.token`" in command(gateway, "revoke", "--all", status=1).stderr


def test_a_wrong_or_missing_token_is_401_and_ends_nothing(start_gateway, dev):
    gateway = start(start_gateway, dev)
    client = sign_in(gateway, dev)
    for token in (None, "", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "\u00e4"):
        for method, target in (("GET", "/sessions?user=u"), ("DELETE", "/sessions"), ("DELETE", f"/sessions/{STRANGE}"), ("PUT", "/sessions")):
            answer = admin(gateway, method, target, token.encode().decode("latin-1") if token else token)
            assert answer.status_code == 401, (token, method, target)
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
            assert answer.headers["Cache-Control"] == "no-store"
    assert is_alive(gateway, client)
    refused = gateway.events("session.admin_refused")
    assert refused and all(record["actor"] == "admin" and record["status"] == 401 for record in refused)
    assert TOKEN[:-1] not in gateway.log
    assert "token is wrong" in command(gateway, "revoke", "--all", token="wrong-token-0123456789", status=1).stderr


def test_the_public_listener_has_no_admin_interface(start_gateway, dev):
    gateway = start(start_gateway, dev)
    client = sign_in(gateway, dev)
    answer = requests.delete(gateway.url("/sessions"), headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    assert answer.status_code != 204
    answer = requests.delete(gateway.own("/sessions"), headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    assert answer.status_code == 405
    assert is_alive(gateway, client)


def test_an_empty_or_unknown_parameter_is_400_and_never_everyone(start_gateway, dev):
    gateway = start(start_gateway, dev)
    client = sign_in(gateway, dev)
    mine = uid(gateway, client)
    for query in ("?user=", "?user", "?usr=x", f"?user={mine}&user=x", f"?user={mine}&all=true", "?all=true", "?user=%00"):
        answer = admin(gateway, "DELETE", "/sessions" + query)
        assert answer.status_code == 400 and code(answer) == "auth/invalid-request", query
        assert admin(gateway, "GET", "/sessions" + query).status_code == 400
    # `requests` leaves an empty query out.
    connection = http.client.HTTPConnection("127.0.0.1", gateway.admin_port, timeout=60)
    for target in ("/sessions?", "/sessions?&", f"/sessions/{STRANGE}?"):
        connection.request("DELETE", target, headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        assert answer.status == 400 and answer.read()
    assert admin(gateway, "DELETE", "/sessions/").status_code == 400
    assert admin(gateway, "DELETE", f"/sessions/{STRANGE}?user={mine}").status_code == 400
    # What curl sends for `-X DELETE -d user=…`.
    assert admin(gateway, "DELETE", "/sessions", data={"user": "x"}).status_code == 400
    assert admin(gateway, "GET", "/sessions").status_code == 400
    for method in ("POST", "PUT", "PATCH"):
        answer = admin(gateway, method, "/sessions")
        assert answer.status_code == 405 and answer.headers["Allow"] == "GET, HEAD, DELETE"
    assert is_alive(gateway, client)


def test_with_the_cookie_lists_and_single_ids_are_unsupported(start_gateway, dev):
    gateway = start(start_gateway, dev)
    client = sign_in(gateway, dev)
    for method, target in (("GET", f"/sessions?user={uid(gateway, client)}"), ("DELETE", f"/sessions/{STRANGE}"), ("DELETE", "/sessions/x")):
        answer = admin(gateway, method, target)
        assert answer.status_code == 409 and code(answer) == "auth/unsupported"
    assert is_alive(gateway, client)


@pytest.mark.parametrize("end", ["user", "everyone"])
@pytest.mark.parametrize("through", ["http", "command"])
def test_an_operator_ends_a_user_or_everyone_and_their_streams_close(start_gateway, dev, app, end, through):
    _, port = app
    gateway = start(start_gateway, dev, port)
    alice, second, bob = sign_in(gateway, dev), sign_in(gateway, dev), sign_in(gateway, dev, person="bob")
    mine = uid(gateway, alice)
    socket, stream, other = WebSocket(gateway, alice), EventStream(gateway, second), WebSocket(gateway, bob)
    if through == "http":
        answer = admin(gateway, "DELETE", f"/sessions?user={mine}" if end == "user" else "/sessions")
        assert answer.status_code == 204 and answer.content == b""
    elif end == "user":
        assert mine in command(gateway, "revoke", "--user", mine).stderr
    else:
        assert json.loads(command(gateway, "revoke", "--all", "--format", "json").stdout) == {"revoked": {"all": True}}
    assert not is_alive(gateway, alice) and not is_alive(gateway, second)
    socket.ends()
    stream.ends()
    if end == "user":
        assert is_alive(gateway, bob)
        other.exchange()
        [record] = gateway.events("session.revoke_user")
        assert record["uid"] == mine
    else:
        other.ends()
        assert not is_alive(gateway, bob)
        [record] = gateway.events("session.revoke_all")
        assert "uid" not in record
    assert record["actor"] == "admin" and record["outcome"] == "success" and record["client"] and record["request_id"]
    # Signing in again works at once.
    assert is_alive(gateway, sign_in(gateway, dev))


@pytest.mark.parametrize("end", ["user", "everyone"])
def test_the_end_survives_a_restart_with_a_file_of_revocations(start_gateway, dev, tmp_path, end):
    gateway = start(start_gateway, dev, session={"keys": [session_key()], "revocations": str(tmp_path / "revocations")})
    alice, bob = sign_in(gateway, dev), sign_in(gateway, dev, person="bob")
    target = f"/sessions?user={uid(gateway, alice)}" if end == "user" else "/sessions"
    assert admin(gateway, "DELETE", target).status_code == 204
    for stop in (gateway.kill, gateway.stop):
        stop()
        gateway.start()
        assert not is_alive(gateway, alice)
        assert is_alive(gateway, bob) == (end == "user")


def test_a_user_without_sessions_is_no_error(start_gateway, dev):
    gateway = start(start_gateway, dev)
    client = sign_in(gateway, dev)
    assert admin(gateway, "DELETE", "/sessions?user=nobody").status_code == 204
    assert is_alive(gateway, client)


def test_a_reload_switches_the_interface_on_and_off_and_changes_the_token(start_gateway, dev):
    gateway = start_gateway({"providers": [dev.configuration]})
    assert admin(gateway, "GET", "/sessions?user=u").status_code == 404
    gateway.rewrite(admin={"token": TOKEN}).reload()
    assert admin(gateway, "GET", "/sessions?user=u").status_code == 409
    gateway.rewrite(admin={"token": "another-token-0123456789"}).reload()
    assert admin(gateway, "GET", "/sessions?user=u").status_code == 401
    gateway.rewrite(admin={"token": None}).reload()
    assert admin(gateway, "GET", "/sessions?user=u").status_code == 404


# --- The command --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("list",), ("list", "--user", ""), ("revoke",), ("revoke", "--all", "--user", "u"), ("revoke", "--id", "a", "--user", "u"),
        ("revoke", "--user", ""), ("revoke", "--id", ""), ("revoke", "u"), ("list", "--user", "u", "--format", "yaml"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage_is_2(arguments):
    run = run_command("sessions", *arguments, environment={"GATEWAY_ADMIN_TOKEN": TOKEN})
    assert run.returncode == 2, run.stdout + run.stderr


@pytest.mark.parametrize("url", ["127.0.0.1:9180", "ftp://127.0.0.1", "http://u:p@127.0.0.1:9180", "http://127.0.0.1:9180/sessions", "http://127.0.0.1?x"])
def test_an_address_that_is_none_is_2(url):
    run = run_command("sessions", "revoke", "--all", "--admin", url, environment={"GATEWAY_ADMIN_TOKEN": TOKEN})
    assert run.returncode == 2 and "--admin" in run.stderr


def test_the_command_needs_a_token_and_a_gateway(start_gateway, dev):
    gateway = start(start_gateway, dev)
    assert "GATEWAY_ADMIN_TOKEN" in command(gateway, "revoke", "--all", token=None, status=2).stderr
    assert "cookie" in command(gateway, "list", "--user", "u", status=1).stderr
    assert "cookie" in command(gateway, "revoke", "--id", STRANGE, status=1).stderr
    gateway.stop()
    assert "no response" in command(gateway, "revoke", "--all", status=1).stderr


class Redirector(http.server.BaseHTTPRequestHandler):
    seen: list[str] = []

    def do_DELETE(self) -> None:
        self.seen.append(self.path)
        self.send_response(307)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


def test_the_command_follows_no_redirect_with_its_token():
    server = http.server.HTTPServer(("127.0.0.1", free_port()), Redirector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    run = run_command("sessions", "revoke", "--user", "a b&c/ü", "--admin", url, environment={"GATEWAY_ADMIN_TOKEN": TOKEN})
    server.shutdown()
    assert run.returncode == 1 and "307" in run.stderr
    assert Redirector.seen == ["/sessions?user=a%20b%26c%2F%C3%BC"]


# --- Own sessions -------------------------------------------------------------------------------------------------------


def test_with_the_cookie_own_sessions_are_unsupported(start_gateway, dev):
    gateway = start(start_gateway, dev)
    client, other = sign_in(gateway, dev), sign_in(gateway, dev)
    listed = client.get(gateway.own("/sessions"), timeout=60)
    assert listed.status_code == 409 and code(listed) == "auth/unsupported"
    for arguments in ({"data": {"id": STRANGE}}, {"data": {"others": "true"}}, {"json": {"others": True}}, {"json": {"id": STRANGE}}):
        answer = post(gateway, client, "/sessions/revoke", headers={"Accept": "application/json"}, **arguments)
        assert answer.status_code == 409 and code(answer) == "auth/unsupported"
    for arguments in ({"data": {}}, {"json": {}}, {"data": {"others": "false"}}, {"data": {"id": ""}}, {"json": {"others": True, "id": "x"}}):
        assert post(gateway, client, "/sessions/revoke", **arguments).status_code == 400
    assert is_alive(gateway, client) and is_alive(gateway, other)


def test_own_sessions_need_a_session_and_an_own_page(start_gateway, dev):
    gateway = start(start_gateway, dev)
    stranger = new_client()
    assert stranger.get(gateway.own("/sessions"), timeout=60).status_code == 401
    assert post(gateway, stranger, "/sessions/revoke", json={"others": True}).status_code == 401
    client = sign_in(gateway, dev)
    for headers in ({}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "none"}):
        answer = client.post(gateway.own("/sessions/revoke"), headers=headers, json={"others": True}, timeout=60)
        assert answer.status_code == 403 and code(answer) == "auth/cross-site-request"


# --- The linter ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "rule"),
    [
        ("${env:LONG}", None), ("${env:SHORT}", "weak-secret"), ("${env:EMPTY}", None), (TOKEN, "literal-secret"),
        ("${env:ABSENT:-" + TOKEN + "}", "literal-secret"), ("changeme", "placeholder-value"), ("${env:ABSENT}", "unresolved-reference"),
    ],
)  # fmt: skip
def test_the_linter_reports_a_literal_and_a_short_token(tmp_path, token, rule):
    configuration = {
        "version": 1,
        "server": {"listen": "127.0.0.1:4180", "publicURL": "http://127.0.0.1:4180"},
        "admin": {"token": token},
        "upstream": "http://127.0.0.1:1",
        "routes": [{"path": "/**", "access": "public"}],
    }
    file = write_configuration(tmp_path / "gateway.yaml", configuration)
    environment = {"LONG": TOKEN, "SHORT": "abcdefghijklmno", "EMPTY": ""}
    run = run_command("validate", str(file), "--format", "json", environment=environment)
    rules = {finding["rule"] for finding in json.loads(run.stdout)["diagnostics"]}
    assert not rules & {"unknown-key", "weak-secret", "literal-secret", "placeholder-value", "unresolved-reference"} - {rule}
    assert rule is None or rule in rules, rules
    assert "abcdefghijklmno" not in run.stdout and TOKEN not in run.stdout


def test_no_log_has_a_cookie_or_a_token(start_gateway, dev):
    gateway = start(start_gateway, dev)
    client = sign_in(gateway, dev)
    admin(gateway, "GET", f"/sessions?user={uid(gateway, client)}")
    admin(gateway, "DELETE", "/sessions")
    eventually(lambda: gateway.events("session.revoke_all"), "the audit record")
    assert TOKEN not in gateway.log and session_cookie(client) not in gateway.log
