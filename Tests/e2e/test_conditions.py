"""Conditions and networks of access rules: contract §10, docs/conditions.md.

Every variable, nobody, errors, the budget, look-alikes, cached permits, traces, and the examples of the page.
"""

from __future__ import annotations

import json
import re
import textwrap

import pytest

import h2wire
import wire
from conftest import mark
from logins import NAVIGATION, new_client, session_cookie, sign_in
from parts.certificates import Authority
from parts.gateway import ROOT, run_command, write_configuration
from parts.processes import eventually, free_port
from test_tls import get

# Each path is permitted for Alice's request as `ask` sends it, and only because the variable has the right value and type.
VARIABLES = {
    "uid": "auth.uid.size() > 10 && auth.uid != path.word",
    "provider": 'auth.provider == "oidc.dev"',
    "groups": '"admins" in auth.groups && auth.groups.size() == 2',
    "email": 'has(auth.email) && auth.email == "alice@example.com" && auth.emailVerified',
    "time": 'request.time - auth.time < duration("1h") && auth.time <= request.time',
    "second-factor": "auth.secondFactor == false",
    "token": 'auth.token.sub == "a1c5e0d2-7f43" && auth.token.email_verified == true && auth.token["preferred_username"] == "alice"',
    "method": 'request.method == "PUT"',
    "host": 'request.host == "127.0.0.1"',
    "path": 'request.path == "/v/path/word"',
    "query": 'request.query.q == ["1", "b c"] && !("other" in request.query)',
    "headers": 'request.headers["x-one"] == "a, b" && request.headers.accept.startsWith("text/") && !("host" in request.headers)',
    "scheme": 'request.scheme == "http"',
    "address": 'request.address.inNetwork("127.0.0.0/8") && request.address == ip("127.0.0.1")',
    "id": 'request.id.matches("^[0-9a-f]{32}$")',
    "certificate": "request.clientCertificate == null",
    "capture": 'path.word == "word"',
    "lower": '"ABC".lowerAscii() == "abc" && request.headers["x-mixed"].lowerAscii() == "value"',
}

ROUTES = [{"path": f"/v/{name}/{{word}}", "access": {"condition": condition}} for name, condition in VARIABLES.items()] + [
    {"path": "/own/{uid}/**", "access": {"condition": "auth.uid == path.uid"}},
    {"path": "/by-header/**", "access": {"condition": 'request.headers["x-pass"] == "yes"'}},
    {"path": "/by-query/**", "access": {"condition": '"yes" in request.query.pass'}},
    {"path": "/by-method/**", "access": {"condition": 'request.method == "GET"'}},
    {"path": "/missing/**", "access": {"condition": 'auth.token.department == "secret-department"'}},
    {"path": "/negated/**", "access": {"condition": 'auth.token.department != "x"'}},
    {"path": "/absorbed/**", "access": {"condition": 'auth.token.department == "x" || "admins" in auth.groups'}},
    {"path": "/type/**", "access": {"condition": "auth.token.email > 1"}},
    {"path": "/budget/**", "access": {"condition": 'request.path.matches("(a|b|ab|ba)*c$") || true || auth.uid == ""'}},
    {"path": "/false/**", "access": {"condition": 'auth.emailVerified && auth.email == "boss@example.com"'}},
    {
        "path": "/look-alike/**",
        "access": {"condition": '!("x-forwarded-user" in request.headers) && !("x_forwarded_user" in request.headers)'},
    },
    {"path": "/guests/**", "access": {"signedIn": "optional", "condition": "auth == null"}},
    {"path": "/readable/**", "access": {"signedIn": "optional", "condition": 'request.method in ["GET", "HEAD"] || auth != null'}},
    {"path": "/nobody-fails/**", "access": {"signedIn": "optional", "condition": 'auth.uid == "x"'}},
    {"path": "/local/**", "access": {"networks": ["127.0.0.0/8"]}},
    {"path": "/remote/**", "access": {"networks": ["10.0.0.0/8"]}},
    {
        "path": "/office/**",
        "access": {"signedIn": "optional", "anyOf": [{"networks": ["127.0.0.0/8"]}, {"groups": ["admins"]}]},
    },
    {"path": "/elsewhere/**", "access": {"signedIn": "optional", "anyOf": [{"networks": ["10.0.0.0/8"]}, {"groups": ["admins"]}]}},
]


@pytest.fixture(scope="module")
def conditions(start_gateway, dev):
    return start_gateway(
        {"providers": [dev.configuration], "routes": ROUTES, "pages": {"explainDenials": True}}, name="gateway-conditions"
    )


@pytest.fixture(scope="module")
def alice(conditions, dev):
    return sign_in(conditions, dev)


def ask(gateway, path: str, cookie: str | None = None, headers: list[str] | None = None, method: str = "GET") -> wire.Response:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{gateway.port}", "Connection: close"] + (headers or [])
    if cookie:
        lines.append(f"Cookie: session={cookie}")
    if method in ("PUT", "POST"):
        lines.append("Content-Length: 0")
    with wire.Connection(gateway.port) as connection:
        response = connection.send(("\r\n".join(lines) + "\r\n\r\n").encode()).response(method)
        assert response is not None
        return response


def trace_of(gateway, response: wire.Response) -> str:
    """The reason in the log for a refused request."""
    identifier = json.loads(response.body)["error"]["request_id"]

    def found() -> list[dict]:
        names = ("access-denied", "sign-in-required")
        return [record for name in names for record in gateway.events(name) if record["request_id"] == identifier]

    eventually(lambda: found(), "the refusal is in the log")
    return found()[0].get("trace", "")


HEADERS = ["X-One: a", "x-one: b", "X-Mixed: VaLue", "Accept: text/html"]


@pytest.mark.parametrize("name", VARIABLES)
def test_each_variable(conditions, alice, upstream, name):
    path = f"/v/{name}/w%6Frd?q=1&q=b+c"
    response = ask(conditions, path, session_cookie(alice), HEADERS, method="PUT")
    assert response.status == 200, f"{VARIABLES[name]}: {response.body[:500]!r}"
    assert ask(conditions, path, None, HEADERS, method="PUT").status == 401, "nobody is asked to sign in"


def test_a_users_own_folder(conditions, alice, dev):
    uid = alice.get(conditions.own("/userinfo")).json()["uid"]
    cookie = session_cookie(alice)
    assert ask(conditions, f"/own/{uid}/x", cookie).status == 200
    # Another spelling of the same path, and the folder of somebody else.
    assert ask(conditions, f"/own/%{ord(uid[0]):02X}{uid[1:]}/x", cookie).status == 200
    assert ask(conditions, f"/own/{uid}x/x", cookie).status == 403
    bob = sign_in(conditions, dev, person="bob")
    assert ask(conditions, f"/own/{uid}/x", session_cookie(bob)).status == 403


def test_a_permit_is_not_reused_for_a_request_that_differs_in_what_was_read(conditions, alice):
    """The loop remembers the permits of a session by route; on one connection and on several."""
    cookie = session_cookie(alice)
    for _ in range(3):
        assert ask(conditions, "/by-header/x", cookie, ["X-Pass: yes"]).status == 200
        assert ask(conditions, "/by-header/x", cookie).status == 403
        assert ask(conditions, "/by-header/x", cookie, ["X-Pass: no"]).status == 403
        assert ask(conditions, "/by-query/x?pass=yes", cookie).status == 200
        assert ask(conditions, "/by-query/x?pass=no", cookie).status == 403
        assert ask(conditions, "/by-method/x", cookie).status == 200
        assert ask(conditions, "/by-method/x", cookie, method="POST").status == 403
    with wire.Connection(conditions.port) as connection:
        for passes in (True, False, True):
            head = f"GET /by-header/x HTTP/1.1\r\nHost: h\r\nCookie: session={cookie}\r\n" + ("X-Pass: yes\r\n" if passes else "") + "\r\n"
            response = connection.send(head.encode()).response()
            assert response is not None and response.status == (200 if passes else 403)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/missing/x", "condition: no such key, in `auth.token.department`"),
        ("/negated/x", "condition: no such key, in `auth.token.department`"),
        ("/type/x", "condition: no matching overload"),
        ("/budget/" + "ab" * 5000, "condition: the evaluation exceeds its budget of steps"),
        ("/false/x", 'condition: `auth.email == "boss@example.com"` is false'),
        ("/remote/x", "networks: the client's address is in none of the networks"),
    ],
    ids=["missing", "negated", "type", "budget", "false", "network"],
)
def test_what_cannot_be_evaluated_or_is_false_refuses_with_the_reason_in_the_log(conditions, alice, upstream, path, reason):
    marker = mark()
    response = ask(conditions, f"{path}?{marker}", session_cookie(alice))
    assert response.status == 403
    assert not upstream.saw(marker)
    assert trace_of(conditions, response).startswith(reason)


def test_an_error_counts_only_if_it_decides(conditions, alice):
    assert ask(conditions, "/absorbed/x", session_cookie(alice)).status == 200


def test_the_page_names_what_was_false_without_data_of_others(conditions, alice):
    page = alice.get(conditions.url("/false/x"), headers=NAVIGATION)
    assert page.status_code == 403
    assert "auth.email ==" in page.text and "is false" in page.text
    assert "boss@example.com" not in page.text
    page = alice.get(conditions.url("/missing/x"), headers=NAVIGATION)
    assert "auth.token.department" in page.text
    assert "secret-department" not in page.text


def test_headers_are_those_that_a_client_may_set(conditions, alice):
    for name in ("X-Forwarded-User", "x_forwarded_user", "X-FORWARDED-USER"):
        assert ask(conditions, "/look-alike/x", session_cookie(alice), [f"{name}: root"]).status == 200
    # A client cannot hide a header from the upstream that the condition has seen.
    hop = ["X-Pass: yes", "Connection: x-pass"]
    assert ask(conditions, "/by-header/x", session_cookie(alice), hop).status == 403


def test_nobody(conditions, alice, upstream):
    marker = mark()
    response = ask(conditions, f"/guests/{marker}", headers=["X-Forwarded-User: root"])
    assert response.status == 200
    assert upstream.only(marker).values("X-Forwarded-User") == []
    assert "private" in (response.value("Cache-Control") or "") or "no-store" in (response.value("Cache-Control") or "")
    assert ask(conditions, "/guests/x", session_cookie(alice)).status == 403
    assert ask(conditions, "/readable/x").status == 200
    refused = ask(conditions, "/readable/x", method="POST")
    assert refused.status == 401
    assert ask(conditions, "/readable/x", session_cookie(alice), method="POST").status == 200
    # A session that has ended is nobody.
    assert ask(conditions, "/readable/x", "not-a-session").status == 200
    assert ask(conditions, "/readable/x", "not-a-session", method="POST").status == 401
    navigation = new_client().get(conditions.url("/nobody-fails/x"), headers=NAVIGATION, allow_redirects=False)
    assert navigation.status_code == 302 and "/login" in navigation.headers["Location"]
    failed = ask(conditions, "/nobody-fails/x")
    assert failed.status == 401
    assert trace_of(conditions, failed) == "condition: no such field: uid, because the object is null, in `auth.uid`"


def test_networks(conditions, alice, dev, start_gateway):
    cookie = session_cookie(alice)
    assert ask(conditions, "/local/x", cookie).status == 200
    assert ask(conditions, "/local/x").status == 401
    assert ask(conditions, "/office/x").status == 200
    assert ask(conditions, "/elsewhere/x").status == 401
    assert ask(conditions, "/elsewhere/x", cookie).status == 200
    assert ask(conditions, "/elsewhere/x", session_cookie(sign_in(conditions, dev, person="bob"))).status == 403
    # An address that an untrusted client claims is none.
    assert ask(conditions, "/remote/x", cookie, ["X-Forwarded-For: 10.0.0.1"]).status == 403
    behind = start_gateway(
        {
            "providers": [dev.configuration],
            "server": {"trustedProxies": ["127.0.0.0/8"]},
            "routes": [
                {"path": "/remote/**", "access": {"signedIn": "optional", "networks": ["10.0.0.0/8"]}},
                {
                    "path": "/https/**",
                    "access": {"signedIn": "optional", "condition": 'request.scheme == "https" && request.id == "given"'},
                },
            ],
        },
        name="gateway-conditions-behind",
    )
    for address, status in [("10.1.2.3", 200), ("::ffff:10.1.2.3", 200), ("10.1.2.3, 203.0.113.1", 401), ("203.0.113.1, 10.1.2.3", 200)]:
        assert ask(behind, "/remote/x", headers=[f"X-Forwarded-For: {address}"]).status == status, address
    proxied = ["X-Forwarded-For: 203.0.113.1", "X-Forwarded-Proto: https", "X-Request-Id: given"]
    assert ask(behind, "/https/x", headers=proxied).status == 200
    assert ask(behind, "/https/x", headers=proxied[1:2]).status == 401


def test_a_client_certificate_over_both_versions_of_http(start_gateway, dev, folder):
    authority, clients = Authority(folder, "conditions-ca"), Authority(folder, "conditions-clients")
    local = authority.issue("conditions-local", ["localhost", "127.0.0.1"])
    good = clients.issue("conditions-robot", ["robot.example"], client=True)
    other = clients.issue("conditions-other", ["other.example"], client=True)
    port = free_port()
    condition = (
        'request.clientCertificate != null && "robot.example" in request.clientCertificate.sans'
        ' && request.clientCertificate.fingerprint.matches("^[0-9a-f]{64}$") && request.clientCertificate.subject != ""'
        ' && request.scheme == "https" && request.host == "localhost" && request.headers.size() < 20 && !("te" in request.headers)'
    )
    gateway = start_gateway(
        {
            "providers": [dev.configuration],
            "server": {
                "publicURL": f"https://localhost:{port}",
                "tls": {**local.keys, "clientCertificates": {"authority": str(clients.file), "mode": "optional"}},
            },
            "routes": [{"path": "/robot/**", "access": {"signedIn": "optional", "condition": condition}}],
        },
        port=port,
        name="gateway-conditions-tls",
    )
    for pair, status in [(good, 200), (other, 401), (None, 401)]:
        context = h2wire.trusting(str(authority.file))
        if pair:
            context.load_cert_chain(pair.certificate, pair.key)
        assert get(gateway.port, context, "/robot/x").status == status


# gateway trace, and the examples of the page


def trace(file, *arguments: str, claims: dict | None = None) -> dict:
    more = ["--as", "-"] if claims is not None else []
    run = run_command("trace", *arguments, str(file), *more, "--format", "json", input=json.dumps(claims) if claims is not None else None)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


ALICE = {
    "sub": "alice",
    "email": "alice@acme.example",
    "email_verified": True,
    "groups": ["project-x"],
    "department": "engineering",
    "tenants": ["t1"],
}


def test_trace_prints_each_operand_with_its_value(conditions):
    run = run_command("trace", "GET", "/false/x", str(conditions.file), "--as", "-", input=json.dumps(ALICE))
    assert run.returncode == 0, run.stderr
    assert '- condition: `auth.email == "boss@example.com"` is false' in run.stdout
    assert "auth.emailVerified = true\n" in run.stdout
    assert 'auth.email == "boss@example.com" = false\n' in run.stdout
    assert 'auth.email = "alice@acme.example"\n' in run.stdout
    answer = trace(conditions.file, "GET", "/negated/x", claims={"sub": "a"})
    (verdict,) = answer["access"]
    assert (answer["outcome"], verdict["holds"]) == ("deny", False)
    assert {"depth": 1, "text": "auth.token.department", "failure": 'no such key: "department"'} in verdict["operands"]
    assert trace(conditions.file, "GET", "/guests/x")["outcome"] == "permit"
    assert trace(conditions.file, "POST", "/readable/x")["outcome"] == "challenge"


def examples() -> str:
    """The routes of the page's section of examples."""
    page = (ROOT / "docs/conditions.md").read_text(encoding="utf-8")
    section = page.split("\n## Examples\n")[1].split("\n## ")[0]
    return re.search(r"```yaml\n(.*?)```", section, re.DOTALL).group(1)


REST = """
version: 1
server: { publicURL: "https://app.example.com" }
upstream: http://127.0.0.1:8080
providers:
  - { id: oidc.acme, issuer: "https://auth.example.com", clientID: a, clientSecret: "${env:ACME}", claims: { groups: groups } }
session: { keys: ["${env:KEY}"] }
"""


@pytest.fixture(scope="module")
def page(folder):
    file = folder / "conditions-page.yaml"
    file.write_text(textwrap.dedent(REST) + examples(), encoding="utf-8")
    return file


def test_the_examples_of_the_page_are_valid(page):
    from parts.gateway import session_key

    run = run_command("validate", str(page), environment={"ACME": "a-long-secret-of-somebody", "KEY": session_key()})
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 warnings" in run.stdout + run.stderr


WITHOUT = object()


@pytest.mark.parametrize(
    ("method", "path", "claims", "address", "outcome"),
    [
        ("GET", "/users/{uid}/x", {}, None, "permit"),
        ("GET", "/users/other/x", {}, None, "deny"),
        ("GET", "/users/{uid}/x", None, None, "challenge"),
        ("GET", "/articles/1", None, None, "permit"),
        ("POST", "/articles/1", None, None, "challenge"),
        ("POST", "/articles/1", {}, None, "permit"),
        ("GET", "/welcome", None, None, "permit"),
        ("GET", "/welcome", {}, None, "deny"),
        ("GET", "/staff/x", {}, None, "permit"),
        ("GET", "/staff/x", {"email": "alice@evil.example"}, None, "deny"),
        ("GET", "/staff/x", {"email_verified": False}, None, "deny"),
        ("GET", "/staff/x", {"email": WITHOUT}, None, "deny"),
        ("GET", "/engineering/x", {}, None, "permit"),
        ("GET", "/engineering/x", {"department": "sales"}, None, "deny"),
        ("GET", "/engineering/x", {"department": WITHOUT}, None, "deny"),
        ("GET", "/tenants/t1/x", {}, None, "permit"),
        ("GET", "/tenants/t2/x", {}, None, "deny"),
        ("GET", "/tenants/t1/x", {"tenants": WITHOUT}, None, "deny"),
        ("GET", "/projects/x/a", {}, None, "permit"),
        ("GET", "/projects/y/a", {}, None, "deny"),
        ("POST", "/billing/x", {}, None, "permit"),
        ("GET", "/billing/x", {"auth_time": 1}, None, "permit"),
        ("POST", "/billing/x", {"auth_time": 1}, None, "deny"),
        ("GET", "/finance/x", {}, "10.1.1.1", "permit"),
        ("GET", "/finance/x", {}, "192.0.2.1", "deny"),
        ("GET", "/wiki/x", None, "10.1.1.1", "permit"),
        ("GET", "/wiki/x", None, "192.0.2.1", "challenge"),
        ("GET", "/wiki/x", {"groups": ["admins"]}, "192.0.2.1", "permit"),
        ("GET", "/wiki/x", {}, "192.0.2.1", "deny"),
        ("GET", "/reports/final", {}, None, "permit"),
        ("GET", "/reports/draft-1", {}, None, "deny"),
        ("GET", "/reports/final?preview=1", {}, None, "deny"),
        ("GET", "/ingest/x", None, None, "challenge"),
    ],
)
def test_the_examples_of_the_page_do_what_they_say(page, method, path, claims, address, outcome):
    person = None if claims is None else {name: value for name, value in {**ALICE, **claims}.items() if value is not WITHOUT}
    if "{uid}" in path:
        uid = trace(page, "GET", "/welcome", claims=ALICE)["person"]["uid"]
        path = path.replace("{uid}", uid)
    answer = trace(page, method, path, *(["--from", address] if address else []), claims=person)
    assert answer["outcome"] == outcome, answer


def test_a_mistake_is_reported_at_its_characters(folder):
    file = folder / "conditions-mistake.yaml"
    write_configuration(
        file,
        {
            "version": 1,
            "server": {"publicURL": "https://app.example.com"},
            "upstream": "http://127.0.0.1:1",
            "providers": [{"id": "oidc.a", "issuer": "https://a.example", "clientID": "a", "clientSecret": "${env:PATH}"}],
            "routes": [{"path": "/users/{user}/**", "access": {"condition": 'auth.uid == "é\t" || auth.uid == path.usr'}}],
        },
    )
    run = run_command("validate", str(file), "--format", "json")
    findings = [finding for finding in json.loads(run.stdout)["diagnostics"] if finding["rule"] == "invalid-condition"]
    (finding,) = findings
    written = file.read_bytes()[finding["range"]["start"]["offset"] : finding["range"]["end"]["offset"]]
    assert written == b"usr" and "did you mean `user`?" in json.dumps(finding, ensure_ascii=False)
