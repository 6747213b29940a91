"""Framing and paths over raw sockets: RFC 9112, RFC 9110, contract §6 "Paths"; `reference` ids P1 to P29.

Whatever is refused must be refused whole: the upstream sees no byte of it, and what follows it on the connection is
never served as a request of its own (request smuggling).
"""

from __future__ import annotations

import pytest

import wire
from conftest import mark

SMUGGLED = "GET /public/{marker}-smuggled HTTP/1.1\r\nHost: {host}\r\n\r\n"

# (what, the bytes, allowed statuses). `{marker}` and `{host}` are filled in; the path is a public one.
P = "/public/{marker}"
HEAD = f"POST {P} HTTP/1.1\r\nHost: {{host}}\r\n"

FRAMING = [
    ("CL and TE together (RFC 9112 6.1)", HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED, {400}),
    ("TE and CL together (RFC 9112 6.1)", HEAD + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + SMUGGLED, {400}),
    ("TE in HTTP/1.0 (RFC 9112 6.1)", f"POST {P} HTTP/1.0\r\nHost: {{host}}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED, {400}),
    ("differing Content-Lengths (RFC 9112 6.3)", HEAD + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!" + SMUGGLED, {400}),
    ("Content-Length list that differs", HEAD + "Content-Length: 5, 6\r\n\r\nhello!" + SMUGGLED, {400}),
    *[
        (f"Content-Length {value!r} (RFC 9110 8.6)", HEAD + f"Content-Length: {value}\r\n\r\nhello" + SMUGGLED, {400})
        for value in ["+5", "-5", "0x5", "5_0", "5 5", "5,", ",5", "", "five", "5.0", "1e1", "99999999999999999999999", "9223372036854775808", "\u0665", "5;", "5\x0b"]
    ],
    *[
        (f"Transfer-Encoding {value!r} (RFC 9112 6.1)", HEAD + f"Transfer-Encoding: {value}\r\n\r\n0\r\n\r\n" + SMUGGLED, {400, 501})
        for value in [
            "identity", "xchunked", "chunkedx", "chunked;q=1", ",chunked", "chunked,", "chunked, chunked", "chunked, identity", "gzip, chunked",
            "chunked, gzip", "gzip", '"chunked"', "'chunked'", "chunked\x0b", "\x0bchunked", "cow", "", "chunked\x00", "chu nked",
        ]
    ],
    ("Transfer-Encoding twice", HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED, {400, 501}),
    ("Transfer-Encoding twice, one unknown", HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n\r\n0\r\n\r\n" + SMUGGLED, {400, 501}),
    ("Transfer-Encoding folded", HEAD + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + SMUGGLED, {400}),
    ("Transfer_Encoding beside Content-Length", HEAD + "Transfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + SMUGGLED, {400}),
    *[
        (f"chunk size {size!r} (RFC 9112 7.1)", HEAD + f"Transfer-Encoding: chunked\r\n\r\n{size}\r\nhello\r\n0\r\n\r\n" + SMUGGLED, {400})
        for size in ["0x5", "+5", "-5", " 5", "5 ", "\t5", "5_", "", ";", "g", "5g", "fffffffffffffffff", "10000000000000005", "5\x00", "5;a=\x00", "5;a=\n", "5\n", "\x0b5", "5;" + "x" * 20000]
    ],
    ("chunk data longer than its size", HEAD + "Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n" + SMUGGLED, {400}),
    ("chunk data without its CRLF", HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello0\r\n\r\n" + SMUGGLED, {400}),
    ("chunk data ended by LF", HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\n0\r\n\r\n" + SMUGGLED, {400}),
    ("chunk line ended by LF", HEAD + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n" + SMUGGLED, {400}),
    ("chunk line with a bare CR", HEAD + "Transfer-Encoding: chunked\r\n\r\n5\rX\r\nhello\r\n0\r\n\r\n" + SMUGGLED, {400}),
    ("last chunk ended by LF", HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\n\n" + SMUGGLED, {400}),
    ("a trailer line that is no field", HEAD + "Transfer-Encoding: chunked\r\n\r\n0\r\nnot a field\r\n\r\n" + SMUGGLED, {400}),
    ("a trailer with a control byte", HEAD + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: \x00\r\n\r\n" + SMUGGLED, {400}),
]

GET = f"GET {P} HTTP/1.1\r\nHost: {{host}}\r\n"

HEADS = [
    ("bare LF line ends (RFC 9112 2.2)", f"GET {P} HTTP/1.1\nHost: {{host}}\n\n", {400}),
    ("one bare LF", f"GET {P} HTTP/1.1\r\nHost: {{host}}\nX: y\r\n\r\n", {400}),
    ("a bare CR in a value", GET + "X: a\rb\r\n\r\n", {400}),
    ("a bare CR in the request line", f"GET {P}\r HTTP/1.1\r\nHost: {{host}}\r\n\r\n", {400}),
    ("NUL in a value (RFC 9110 5.5)", GET + "X: a\x00b\r\n\r\n", {400}),
    ("a control byte in a value", GET + "X: a\x01b\r\n\r\n", {400}),
    ("DEL in a value", GET + "X: a\x7fb\r\n\r\n", {400}),
    ("obs-fold (RFC 9112 5.2)", GET + "X: a\r\n b\r\n\r\n", {400}),
    ("obs-fold with a tab", GET + "X: a\r\n\tb\r\n\r\n", {400}),
    ("a space before the colon (RFC 9112 5.1)", GET + "X : a\r\n\r\n", {400}),
    ("a tab before the colon", GET + "X\t: a\r\n\r\n", {400}),
    ("no colon", GET + "X\r\n\r\n", {400}),
    ("an empty name", GET + ": a\r\n\r\n", {400}),
    ("a space in a name", GET + "X Y: a\r\n\r\n", {400}),
    ("a byte beyond ASCII in a name", GET + "X\xe9: a\r\n\r\n", {400}),
    ("a control byte in a name", GET + "X\x01: a\r\n\r\n", {400}),
    ("a bracket in a name", GET + "X(: a\r\n\r\n", {400}),
    ("leading space on the first line of the fields", f"GET {P} HTTP/1.1\r\n Host: {{host}}\r\n\r\n", {400}),
    ("no Host (RFC 9112 3.2)", f"GET {P} HTTP/1.1\r\n\r\n", {400}),
    ("Host twice", GET + "Host: {host}\r\n\r\n", {400}),
    ("Host twice, one foreign", GET + "Host: evil.example\r\n\r\n", {400}),
    *[
        (f"Host {host!r} (RFC 9110 7.2)", f"GET {P} HTTP/1.1\r\nHost: {host}\r\n\r\n", {400})
        for host in ["a b", "a@b", "a/b", "a?b", "a#b", "a\\b", "[::1", "::1", "a:b", "a:-1", "a:80:80", "http://a", "a\x00b", "\xe9", "a%zz", "<x>", "user@127.0.0.1"]
    ],
    ("an empty request target", "GET  HTTP/1.1\r\nHost: {host}\r\nX: {marker}\r\n\r\n", {400}),
    ("two spaces in the request line", f"GET  {P} HTTP/1.1\r\nHost: {{host}}\r\n\r\n", {400}),
    ("a tab in the request line", f"GET\t{P}\tHTTP/1.1\r\nHost: {{host}}\r\n\r\n", {400}),
    ("a space at the end of the request line", f"GET {P} HTTP/1.1 \r\nHost: {{host}}\r\n\r\n", {400}),
    ("a space in the target", f"GET {P} x HTTP/1.1\r\nHost: {{host}}\r\n\r\n", {400}),
    ("no version", f"GET {P}\r\nHost: {{host}}\r\n\r\n", {400, 505}),
    *[
        (f"version {version!r} (RFC 9112 2.3)", f"GET {P} {version}\r\nHost: {{host}}\r\n\r\n", {400, 505})
        for version in ["HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "HTTP/1.10", "HTTP/01.1", "http/1.1", "HTTP/1", "HTTP/1.", "HTTP/1,1", "HTTPS/1.1", "HTTP/ 1.1", "HTTP/1.1x", "RTSP/1.0"]
    ],
    ("a method that is no token", f"GE(T {P} HTTP/1.1\r\nHost: {{host}}\r\n\r\n", {400, 501}),
    ("an empty method", f" {P} HTTP/1.1\r\nHost: {{host}}\r\n\r\n", {400}),
    ("a very long method", f"{'A' * 3000} {P} HTTP/1.1\r\nHost: {{host}}\r\n\r\n", {400, 501}),
    ("a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 {marker}\r\n\r\n", {400}),
    ("the HTTP/2 preface in clear text", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n {marker}", {400, 505}),
    ("CONNECT (contract §6)", "CONNECT {host} HTTP/1.1\r\nHost: {host}\r\nX: {marker}\r\n\r\n", {400, 405}),
    ("TRACE (contract §6)", f"TRACE {P} HTTP/1.1\r\nHost: {{host}}\r\n\r\n", {405}),
    ("trace in lower case is another method", f"trace {P} HTTP/1.1\r\nHost: {{host}}\r\n\r\n", {200, 400, 405, 501}),
    ("asterisk-form for GET (RFC 9112 3.2.4)", "GET * HTTP/1.1\r\nHost: {host}\r\nX: {marker}\r\n\r\n", {400}),
    ("authority-form for GET (RFC 9112 3.2.3)", "GET {host} HTTP/1.1\r\nHost: {host}\r\nX: {marker}\r\n\r\n", {400}),
    ("absolute-form of another scheme", "GET ftp://{host}/public/{marker} HTTP/1.1\r\nHost: {host}\r\n\r\n", {400}),
    ("absolute-form with userinfo", "GET http://u@{host}/public/{marker} HTTP/1.1\r\nHost: {host}\r\n\r\n", {400}),
    ("an expectation that is unknown (RFC 9110 10.1.1)", GET + "Expect: cows\r\n\r\n", {400, 417}),
]

PATHS = [
    *[
        (f"target {target!r} (contract §6 Paths)", target)
        for target in [
            "/public/{}#x", "/public/#{}", "/public/{}%", "/public/{}%2", "/public/{}%zz", "/public/{}%00", "/public/{}%0d%0aX:y", "/public/{}%09", "/public/{}%7f",
            "/public/./{}", "/public/../{}", "/public/%2e/{}", "/public/%2e%2e/{}", "/public/%2E%2e/{}", "/public/.%2e/{}", "/public/{}/..", "/public/{}/.", "/public/{}/%2e%2e",
            "/public/{}%2fx", "/public/{}%2Fx", "/public/{}%5cx", "/public/{}%5Cx", "/public/{}\\x", "/public\\{}", "/public/{};x=1", "/public/{}%3bx", "/public/{}%3Bx",
            "/public//{}", "//public/{}", "/public/{}//", "/public/{}\x01", "/public/{}\x7f", "/public/{}\xe9", "/public/{}%ff", "/public/{}%c0%af", "/public/{}%e0%80%af", "/public/{}%ed%a0%80",
            "/public/%252e%252e/\x00{}", "public/{}", "?{}", "/public/..%00/{}", "/public/{}%2500\x0b",
        ]
    ]
]


def send(gateway, template: str, marker: str, then: str = "") -> list[wire.Response]:
    host = f"127.0.0.1:{gateway.port}"
    text = template.replace("{marker}", marker).replace("{host}", host)
    try:
        data = text.encode("latin-1")
    except UnicodeEncodeError:
        data = text.encode("utf-8")
    return wire.exchange(gateway.port, data + then.encode())


@pytest.mark.parametrize(("what", "template", "statuses"), FRAMING, ids=[case[0].encode("unicode_escape").decode()[:70] for case in FRAMING])
def test_ambiguous_framing_is_refused_and_nothing_is_smuggled(gateway, upstream, what, template, statuses):
    """P9 to P14, advisory 112: refused, closed; the request hidden behind it never runs."""
    marker = mark()
    responses = send(gateway, template, marker)
    assert [response.status for response in responses][:1] and responses[0].status in statuses, [response.status for response in responses]
    assert len(responses) == 1, "nothing after a refused request is served"
    assert not upstream.containing(f"{marker}-smuggled")
    assert all(recording.body in (b"", b"hello", b"hel") or marker not in recording.request_line for recording in upstream.containing(marker))
    if "chunk" not in what and "trailer" not in what:
        assert not upstream.saw(marker)
    assert gateway.alive


@pytest.mark.parametrize(("what", "template", "statuses"), HEADS, ids=[case[0].encode("unicode_escape").decode()[:70] for case in HEADS])
def test_a_malformed_head_is_refused_and_the_upstream_sees_nothing(gateway, upstream, what, template, statuses):
    """P6 to P8, P14, P15, P29."""
    marker = mark()
    responses = send(gateway, template, marker, then=f"GET /public/{marker}-next HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n")
    assert responses, "an answer, not just a closed connection"
    assert responses[0].status in statuses, responses[0].status
    if responses[0].status in (400, 505):
        assert len(responses) == 1, "nothing after a refused request is served"
        assert not upstream.saw(marker)
    assert gateway.alive


@pytest.mark.parametrize(("what", "target"), PATHS, ids=[case[1].encode("unicode_escape").decode() for case in PATHS])
def test_a_path_with_two_readings_is_refused(gateway, upstream, what, target):
    """contract §6 "Paths": 400, and never forwarded (P5, P6; advisories 2, 6, 14, 17)."""
    marker = mark()
    responses = send(gateway, f"GET {target.format(marker)} HTTP/1.1\r\nHost: {{host}}\r\nConnection: close\r\n\r\n", marker)
    assert [response.status for response in responses] == [400]
    assert not upstream.saw(marker)


@pytest.mark.parametrize(
    "target",
    ["/public/{}", "/public/{}?a=/../b", "/public/{}?x=%00%2f%5c;//#".rstrip("#"), "/public/{}%20x", "/public/{}%41", "/public/{}~!$&'()*+,=:@", "/public/{}%C3%A9", "/public/{}?", "/public/{}/", "/public/{}...", "/public/{}?q=a%26b"],
)
def test_a_plain_path_arrives_byte_for_byte(gateway, upstream, target):
    """P5: path and query are forwarded unchanged."""
    marker = mark()
    responses = send(gateway, f"GET {target.format(marker)} HTTP/1.1\r\nHost: {{host}}\r\nConnection: close\r\n\r\n", marker)
    assert [response.status for response in responses] == [200]
    assert upstream.only(marker).target == target.format(marker)


def test_with_encoded_paths_the_documented_ones_pass_and_dot_segments_never(start_gateway, upstream):
    """contract §6 "Paths": `server.paths: encoded`."""
    gateway = start_gateway({"server": {"paths": "encoded"}, "routes": [{"path": "/**", "access": "public"}]})
    for target, status in [("/a%2f{}", 200), ("/a;b/{}", 200), ("/a%3Bb/{}", 200), ("/a//{}", 200), ("/a/../{}", 400), ("/a/%2e%2e/{}", 400), ("/a%00{}", 400), ("/a/..%2f{}", 400), ("/{}#x", 400)]:
        marker = mark()
        responses = send(gateway, f"GET {target.format(marker)} HTTP/1.1\r\nHost: {{host}}\r\nConnection: close\r\n\r\n", marker)
        assert [response.status for response in responses] == [status], target
        if status == 200:
            assert upstream.only(marker).target == target.format(marker)
        else:
            assert not upstream.saw(marker)


def test_absolute_form_replaces_the_host(gateway, upstream):
    """RFC 9112 3.2.2 (P7): what is matched and forwarded is the target's authority."""
    marker = mark()
    responses = send(gateway, "GET http://{host}/public/{marker} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", marker)
    assert [response.status for response in responses] == [200]
    assert upstream.only(marker).target == f"/public/{marker}"


def test_every_request_of_a_pipeline_is_judged_by_itself_and_answered_in_order(gateway, upstream):
    """RFC 9112 9.3.2 (P24)."""
    marker = mark()
    host = f"Host: 127.0.0.1:{gateway.port}\r\n"
    data = "".join(
        [
            f"GET /public/{marker}-1 HTTP/1.1\r\n{host}\r\n",
            f"GET /app/{marker}-2 HTTP/1.1\r\n{host}\r\n",
            f"POST /public/{marker}-3 HTTP/1.1\r\n{host}Content-Length: 3\r\n\r\nabc",
            f"POST /public/{marker}-4 HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            f"GET /public/{marker}-5 HTTP/1.1\r\n{host}Connection: close\r\n\r\n",
        ]
    )
    responses = wire.exchange(gateway.port, data.encode())
    assert [response.status for response in responses] == [200, 401, 200, 200, 200]
    for number, response in enumerate(responses, 1):
        if number != 2:
            assert f"{marker}-{number}".encode() in response.body
    assert upstream.containing(f"{marker}-2") == []


def test_a_connection_serves_many_requests(gateway, upstream):
    """RFC 9112 9.3: keep-alive, also through the pool to the upstream."""
    marker = mark()
    with wire.Connection(gateway.port) as connection:
        for number in range(50):
            response = connection.send(f"GET /public/{marker}-{number:03} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode()).response()
            assert response is not None and response.status == 200
    assert len({recording.connection for recording in upstream.containing(marker)}) <= 5


def test_connection_close_and_http_1_0_close(gateway, upstream):
    """RFC 9112 9.6."""
    for request in (f"GET /public/{mark()} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nConnection: close\r\n\r\n", f"GET /public/{mark()} HTTP/1.0\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n"):
        with wire.Connection(gateway.port) as connection:
            response = connection.send(request.encode()).response()
            assert response is not None and response.status == 200
            assert connection.is_closed()


def test_a_head_in_single_bytes_is_the_same_head(gateway, upstream):
    """A parser with state: no byte boundary matters."""
    marker = mark()
    with wire.Connection(gateway.port) as connection:
        for byte in f"POST /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nX-T: 1\r\n\r\n".encode():
            connection.send(bytes([byte]))
        response = connection.response()
    assert response is not None and response.status == 200
    assert upstream.only(marker).body == b"abc"


def test_trailers_never_become_headers(gateway, upstream):
    """RFC 9110 6.5.1 (P16)."""
    marker = mark()
    data = f"POST /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Forwarded-User: evil\r\nContent-Length: 9\r\nHost: evil\r\n\r\n"
    responses = wire.exchange(gateway.port, data.encode())
    assert len(responses) == 1 and responses[0].status in (200, 400)
    for recording in upstream.containing(marker):
        assert "evil" not in str(recording.headers)
    assert not upstream.saw(f"{marker}-evil")


def test_trailers_go_both_ways(gateway, upstream):
    """RFC 9110 6.5: an upload's checksum reaches the app, an answer's trailer the client that asked with TE."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\nContent-Encoding: gzip\r\n\r\n"
    )
    with wire.Connection(gateway.port) as connection:
        connection.send(
            f"POST /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nTE: trailers\r\nConnection: close, TE\r\nTransfer-Encoding: chunked\r\n\r\n"
            f"3\r\nabc\r\n0\r\nX-Checksum: 9\r\nX-Forwarded-Email: evil@example.com\r\n\r\n".encode()
        )
        everything = b""
        while data := connection.some():
            everything += data
    assert everything.endswith(b"2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n")


def test_100_continue_is_not_sent_for_an_upload_that_is_refused(gateway, upstream):
    """RFC 9110 10.1.1 (P17)."""
    marker = mark()
    with wire.Connection(gateway.port) as connection:
        connection.send(f"POST /app/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n".encode())
        head = connection.head()
    assert head is not None and head[0] == 401
    assert not upstream.saw(marker)


def test_100_continue_lets_a_permitted_upload_through(gateway, upstream):
    """RFC 9110 10.1.1 (P17)."""
    marker = mark()
    with wire.Connection(gateway.port) as connection:
        connection.send(f"POST /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n".encode())
        head = connection.head()
        assert head is not None and head[0] == 100
        response = connection.send(b"hello").response()
    assert response is not None and response.status == 200
    assert upstream.only(marker).body == b"hello"
