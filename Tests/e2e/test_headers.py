"""What the upstream receives: contract §4."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

import wire
from conftest import mark
from logins import session_cookie, sign_in
from parts.gateway import Gateway
from parts.processes import eventually
from test_logout import log_out

# Every header of every profile, the assertion, and forwarded headers (§4, §6 "Forwarding").
IDENTITY = """
X-Forwarded-User X-Forwarded-Email X-Forwarded-Email-Verified X-Forwarded-Preferred-Username X-Forwarded-Name X-Forwarded-Groups
X-Forwarded-Provider X-Auth-Request-User X-Auth-Request-Email X-Auth-Request-Preferred-Username X-Auth-Request-Groups Remote-User
Remote-Email Remote-Name Remote-Groups X-WEBAUTH-USER X-WEBAUTH-EMAIL X-WEBAUTH-FULLNAME X-WEBAUTH-GROUPS X-Gateway-Assertion
""".split()
FORWARDING = """
Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Prefix X-Forwarded-Uri X-Forwarded-Method
X-Forwarded-Server X-Forwarded-Scheme X-Forwarded-Ssl X-Real-IP X-Client-IP True-Client-IP CF-Connecting-IP X-Original-URL X-Original-URI
X-Original-Host X-Rewrite-URL
""".split()

SPELLINGS = {
    "as documented": lambda name: name,
    "lower case": str.lower,
    "upper case": str.upper,
    "mixed case": lambda name: name.swapcase(),
    "underscores": lambda name: name.replace("-", "_"),
    "one underscore": lambda name: name.replace("-", "_", 1),
    "dots": lambda name: name.replace("-", "."),
    "tildes": lambda name: name.replace("-", "~"),
    "carets": lambda name: name.replace("-", "^"),
    "apostrophes": lambda name: name.replace("-", "'"),
    "bangs": lambda name: name.replace("-", "!"),
    "plus signs": lambda name: name.replace("-", "+"),
    "lower case with underscores": lambda name: name.lower().replace("-", "_"),
}


def request_with(gateway: Gateway, path: str, headers: list[tuple[str, str]], cookie: str | None = None, method: str = "GET") -> wire.Response:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{gateway.port}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers]
    if cookie is not None:
        lines.append(f"Cookie: {cookie}")
    with wire.Connection(gateway.port) as connection:
        response = connection.send(("\r\n".join(lines) + "\r\n\r\n").encode()).response(method)
    assert response is not None
    return response


@pytest.fixture(scope="module")
def alice(gateway, dev) -> str:
    """Alice's cookie."""
    return f"session={session_cookie(sign_in(gateway, dev))}"


@pytest.mark.parametrize("route", ["protected", "public"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_client_sent_identity_or_forwarding_header_arrives_in_any_spelling(gateway, upstream, alice, spelling, route):
    """§4: removed in any spelling that folds to the same name, on every route (advisories 19 to 22, 26, 33, CVE-2025-64484)."""
    marker = mark()
    spoofed = [(SPELLINGS[spelling](name), f"spoofed-{marker}") for name in IDENTITY + FORWARDING]
    path = f"/app/{marker}" if route == "protected" else f"/public/{marker}"
    response = request_with(gateway, path, spoofed, alice if route == "protected" else None)
    assert response.status == 200
    arrived = [(name, value) for name, value in upstream.only(marker).headers if f"spoofed-{marker}" in value]
    assert arrived == []


def test_what_an_unauthenticated_public_request_brings_is_removed_on_other_methods_too(gateway, upstream):
    """§4 on every route; advisory 33: OPTIONS and HEAD as well."""
    for method in ("OPTIONS", "HEAD", "DELETE"):
        marker = mark()
        request_with(gateway, f"/public/{marker}", [("X-Forwarded-User", "spoofed"), ("x_forwarded_groups", "spoofed")], method=method)
        assert [value for _, value in upstream.only(marker).headers if "spoofed" in value] == []


def test_the_default_profile_says_who_it_is(gateway, dev, upstream, alice):
    """§4 `forwarded`, and the uid of §4: base32 of SHA-256 over length-prefixed issuer and subject."""
    marker = mark()
    assert request_with(gateway, f"/app/{marker}", [], alice).status == 200
    recording = upstream.only(marker)
    assert recording.value("X-Forwarded-Email") == "alice@example.com"
    assert recording.value("X-Forwarded-Email-Verified") == "true"
    assert recording.value("X-Forwarded-Preferred-Username") == "alice"
    assert "admins" in (recording.value("X-Forwarded-Groups") or "").split(",")
    assert recording.value("X-Forwarded-Provider") == dev.configuration["id"]
    issuer, subject = dev.issuer.encode(), dev.subject_of("alice").encode()
    digest = hashlib.sha256(len(issuer).to_bytes(8, "big") + issuer + len(subject).to_bytes(8, "big") + subject).digest()
    assert recording.value("X-Forwarded-User") == base64.b32encode(digest).decode().lower()[:26]


def test_the_headers_that_are_always_there(gateway, upstream):
    """§4 "Always": X-Forwarded-For/-Proto/-Host, Via, X-Request-Id, traceparent."""
    marker = mark()
    assert request_with(gateway, f"/public/{marker}", []).status == 200
    recording = upstream.only(marker)
    assert recording.value("X-Forwarded-For") == "127.0.0.1"
    assert recording.value("X-Forwarded-Proto") == "http"
    assert recording.value("X-Forwarded-Host") == f"127.0.0.1:{gateway.port}"
    assert (recording.value("Via") or "").startswith("1.1 ")
    assert recording.value("X-Request-Id")
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}", recording.value("traceparent") or "")


def test_via_is_appended_and_a_trace_continues(gateway, upstream):
    """§6 "Forwarding"; RFC 9110 7.6.3."""
    marker = mark()
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    request_with(gateway, f"/public/{marker}", [("Via", "1.0 before"), ("traceparent", f"00-{trace}-00f067aa0ba902b7-01"), ("tracestate", "a=1")])
    recording = upstream.only(marker)
    via = ", ".join(recording.values("Via"))
    assert via.startswith("1.0 before, 1.1 ")
    assert (recording.value("traceparent") or "").startswith(f"00-{trace}-")
    assert recording.value("tracestate") == "a=1"


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_via_names_the_version_that_was_received(gateway, upstream, version):
    """§6 "Forwarding". HTTP/2 is in test_http2.py."""
    marker = mark()
    with wire.Connection(gateway.port) as connection:
        connection.send(f"GET /public/{marker} HTTP/{version}\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
        assert connection.response().status == 200
    assert (upstream.only(marker).value("Via") or "").startswith(f"{version} gateway-")


@pytest.fixture(scope="module")
def trusting(start_gateway) -> Gateway:
    """Believes its peers."""
    return start_gateway(
        {"server": {"trustedProxies": ["127.0.0.0/8"]}, "routes": [{"path": "/**", "access": "public"}]}, name="gateway-trusting"
    )


def test_a_request_id_or_traceparent_that_is_sent_twice_counts_as_not_sent(trusting, upstream):
    """§6 "Forwarding": never a bad request. `tracestate` goes with its `traceparent`."""
    trace = f"00-{'4bf92f3577b34da6' * 2}-00f067aa0ba902b7-01"
    once, twice = mark(), mark()
    headers = [("X-Request-Id", "outer"), ("traceparent", trace)]
    assert request_with(trusting, f"/{once}", [*headers, ("tracestate", "a=1")]).status == 200
    assert request_with(trusting, f"/{twice}", [*headers, *headers, ("tracestate", "a=1")]).status == 200
    known, unknown = upstream.only(once), upstream.only(twice)
    assert known.value("X-Request-Id") == "outer" and known.value("tracestate") == "a=1"
    assert trace[3:35] in (known.value("traceparent") or "")
    assert unknown.value("X-Request-Id") not in (None, "outer") and unknown.value("tracestate") is None
    assert unknown.value("traceparent") and trace[3:35] not in unknown.value("traceparent")


def test_an_upstreams_proxy_authentication_fields_stop_here(gateway, upstream):
    """§6 "Forwarding"; RFC 9110 11.7."""
    path = f"/public/{mark()}"
    upstream.scripts[path] = (
        b"HTTP/1.1 200 OK\r\nProxy-Authenticate: Basic\r\nProxy-Authentication-Info: a=b\r\nproxy-authentication-info: c=d\r\n"
        b"Authentication-Info: e=f\r\nContent-Length: 2\r\n\r\nok"
    )
    response = request_with(gateway, path, [])
    assert response.status == 200 and response.value("Authentication-Info") == "e=f"
    assert response.values("Proxy-Authenticate") == [] and response.values("Proxy-Authentication-Info") == []


@pytest.mark.parametrize("token", ["X-Forwarded-User", "x-forwarded-email", "X-Forwarded-For", "Host", "Cookie", "Via", "X-Request-Id", "traceparent"])
def test_a_connection_token_removes_nothing_that_the_gateway_sets(gateway, upstream, alice, token):
    """§4: hop-by-hop handling runs first (advisories 23 to 25, CVE-2024-45410, CVE-2025-48865)."""
    marker = mark()
    # `Connection: close` is there too: a client may list several.
    response = request_with(gateway, f"/app/{marker}", [("Connection", token)], alice)
    if response.status == 400:
        assert not upstream.saw(marker)  # refusing such a token is as good
        return
    recording = upstream.only(marker)
    for name in ("X-Forwarded-User", "X-Forwarded-Email", "X-Forwarded-For", "Host", "Via", "X-Request-Id", "traceparent"):
        assert recording.value(name), f"{name} is gone"


def test_hop_by_hop_fields_stay_on_their_hop(gateway, upstream):
    """RFC 9110 7.6.1."""
    marker = mark()
    request_with(
        gateway,
        f"/public/{marker}",
        [("Connection", "X-Mine"), ("X-Mine", "1"), ("Keep-Alive", "timeout=5"), ("TE", "trailers"), ("Proxy-Connection", "keep-alive"), ("Proxy-Authorization", "Basic eDp5")],
    )
    names = {name.lower() for name, _ in upstream.only(marker).headers}
    assert names.isdisjoint({"x-mine", "keep-alive", "te", "proxy-connection", "proxy-authorization"})


def test_other_headers_arrive_as_they_were(gateway, upstream):
    """RFC 9110 7.6: a proxy forwards what it does not know; several fields of a name keep their order."""
    marker = mark()
    sent = [("X-App", "one"), ("X-App", "two"), ("Accept-Language", "fr, en;q=0.5"), ("Authorization", "Bearer of-the-app"), ("X-Bytes", "caf\u00e9")]
    request_with(gateway, f"/public/{marker}", sent)
    recording = upstream.only(marker)
    assert recording.values("X-App") == ["one", "two"]
    assert recording.value("Accept-Language") == "fr, en;q=0.5"
    assert recording.value("Authorization") == "Bearer of-the-app"
    assert recording.value("X-Bytes") == "caf\u00e9"


def test_the_gateways_cookies_are_stripped_and_the_apps_cookies_stay(gateway, upstream, alice):
    """§4: the gateway's cookies are stripped from `Cookie` (peers: oauth2-proxy#388)."""
    marker = mark()
    value = alice.removeprefix("session=")
    assert request_with(gateway, f"/app/{marker}", [], f"a=1; {alice}; theme=dark; sessions=2; xsession=3").status == 200
    recording = upstream.only(marker)
    assert recording.value("Cookie") == "a=1; theme=dark; sessions=2; xsession=3"
    assert value.encode() not in recording.head


def test_no_empty_cookie_header_is_left_behind(gateway, upstream, alice):
    """§4: with nothing but ours in `Cookie` the header goes."""
    marker = mark()
    assert request_with(gateway, f"/app/{marker}", [], alice).status == 200
    assert upstream.only(marker).values("Cookie") == []


def test_each_request_of_a_connection_has_its_own_cookies(gateway, upstream, alice):
    """§4: what one request brought says nothing of the next one's cookies."""
    with wire.Connection(gateway.port) as connection:
        for cookies in [alice, f"{alice}; a=1", alice, f"b=2; {alice}", f"{alice}\r\nCookie: c=3", "d=4", alice]:
            marker = mark()
            connection.send(f"GET /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nCookie: {cookies}\r\n\r\n".encode())
            response = connection.response()
            assert response is not None and response.status == 200
            theirs = [part for part in ("a=1", "b=2", "c=3", "d=4") if part in cookies]
            assert upstream.only(marker).values("Cookie") == theirs


def test_cookies_are_stripped_on_public_routes_too(gateway, upstream, alice):
    """§4, on every route."""
    marker = mark()
    assert request_with(gateway, f"/public/{marker}", [], f"{alice}; a=1").status == 200
    assert upstream.only(marker).value("Cookie") == "a=1"


def test_an_upstreams_set_cookie_with_our_name_is_dropped(gateway, upstream):
    """§6 "Forwarding"; RFC 6265bis C8; the others are never folded (RFC 9110 5.3)."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = (
        b"HTTP/1.1 200 OK\r\nSet-Cookie: session=planted; Path=/\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie:  session =planted\r\n"
        b"Set-Cookie: b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\nContent-Length: 2\r\n\r\nok"
    )
    response = request_with(gateway, f"/public/{marker}", [])
    assert response.status == 200
    assert response.values("Set-Cookie") == ["a=1; Path=/", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"]


PROFILES = {
    "auth-request": ["X-Auth-Request-User", "X-Auth-Request-Email", "X-Auth-Request-Preferred-Username", "X-Auth-Request-Groups"],
    "remote-user": ["Remote-User", "Remote-Email", "Remote-Name", "Remote-Groups"],
    "webauth": ["X-WEBAUTH-USER", "X-WEBAUTH-EMAIL", "X-WEBAUTH-FULLNAME", "X-WEBAUTH-GROUPS"],
    "none": [],
}


@pytest.mark.parametrize("profile", PROFILES)
def test_each_profile_sends_its_own_headers_and_no_others(start_gateway, dev, upstream, profile):
    """§4, the table of profiles."""
    gateway = start_gateway({"providers": [dev.configuration], "identity": {"headers": profile}})
    marker = mark()
    client = sign_in(gateway, dev)
    spoofed = {name: "spoofed" for name in IDENTITY}
    assert client.get(gateway.url(f"/{marker}"), headers=spoofed).status_code == 200
    recording = upstream.only(marker)
    for name in IDENTITY:
        if name == "X-Gateway-Assertion":
            continue
        assert bool(recording.values(name)) == (name in PROFILES[profile]), f"{name}: {recording.values(name)}"
    assert "spoofed" not in str(recording.headers)
    if profile == "remote-user":
        assert recording.value("Remote-User") == "alice"


def test_a_map_of_templates_names_the_headers(start_gateway, dev, upstream):
    """§6 "Header templates"."""
    gateway = start_gateway(
        {
            "providers": [dev.configuration],
            "identity": {
                "headers": {
                    "X-Remote-User": "{{ username }}",
                    "X-Who": "{{ name }} <{{ email }}>",
                    "X-Teams": '{{ groups | join("|") }}',
                    "X-Mail-64": "{{ email | base64 }}",
                    "X-Missing": "{{ claims.no.such }}",
                }
            },
        }
    )
    marker = mark()
    client = sign_in(gateway, dev)
    assert client.get(gateway.url(f"/{marker}"), headers={"x_remote_user": "spoofed", "X.Who": "spoofed"}).status_code == 200
    recording = upstream.only(marker)
    assert recording.value("X-Remote-User") == "alice"
    assert (recording.value("X-Who") or "").endswith("<alice@example.com>")
    assert recording.value("X-Mail-64") == base64.b64encode(b"alice@example.com").decode()
    assert recording.values("X-Missing") == []
    assert "spoofed" not in str(recording.headers)
    assert recording.values("X-Forwarded-User") == []


def test_a_group_that_a_header_cannot_carry_is_named_in_the_log_once(start_gateway, dev, upstream):
    """Issue 19.29: the header, the group and the request, and not again after somebody signs out, which empties the caches."""
    gateway = start_gateway(
        {
            "providers": [dev.configuration],
            "identity": {"headers": {"X-Teams": "{{ groups }}", "X-Name": "{{ name }}", "X-Name-Ascii": "{{ name | urlencode }}"}},
            "routes": [{"path": "/team/**", "access": "authenticated", "requestHeaders": {"set": {"X-Team": "{{ groups }}"}}}],
        }
    )
    marker = mark()
    client = sign_in(gateway, dev, person="zoe")
    for _ in range(3):
        assert client.get(gateway.url(f"/{marker}")).status_code == 200
        assert client.get(gateway.url("/team/x")).status_code == 200
        log_out(gateway, sign_in(gateway, dev))
    recording = upstream.containing(marker)[0]
    assert recording.value("X-Teams") == "finance"
    assert (recording.value("X-Name"), recording.value("X-Name-Ascii")) == ("Zoë Žižková", "Zo%C3%AB%20%C5%BDi%C5%BEkov%C3%A1")
    eventually(lambda: len(gateway.events("identity-header-incomplete")) >= 2, "the log tells")
    reports = gateway.events("identity-header-incomplete")
    # Each event loop reports for itself, and the client keeps its connection, which belongs to one of them.
    assert [(report["header"], report["groups"], report.get("route")) for report in reports] == [
        ("X-Teams", "naïve, comma", None),
        ("X-Team", "naïve, comma", "/team/**"),
    ]
    assert all(report["request_id"] and report["reason"] for report in reports)
