"""Upstreams over HTTP/2: `h2c://` by prior knowledge (RFC 9113 3.3), `https` by ALPN, and upstreams that break the rules."""

from __future__ import annotations

import hashlib
import socket
import threading

import h2.errors
import hyperframe.frame
import pytest

import wire
from conftest import mark
from parts.processes import eventually, settled
from parts.seed import seeded
from parts.upstream_h2 import H2Upstream, Request

ALL_PUBLIC = [{"path": "/**", "access": "public"}]


@pytest.fixture(scope="module")
def app():
    part = H2Upstream()
    yield part
    part.close()


@pytest.fixture(scope="module")
def h2gateway(start_gateway, app):
    return start_gateway(
        {"upstream": app.origin, "routes": ALL_PUBLIC, "server": {"timeouts": {"idle": "3s", "upstreamResponse": "2s"}}},
        name="gateway-h2c",
    )


def get(gateway, path: str, extra: str = "", method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{extra}\r\n".encode()


def ask(gateway, path: str, extra: str = "", method: str = "GET", body: bytes = b"") -> wire.Response | None:
    with wire.Connection(gateway.port) as connection:
        return connection.send(get(gateway, path, extra, method) + body).response(method)


# --- Requests ---------------------------------------------------------------------------------------------------------


def test_a_request_arrives_as_http2(h2gateway, app):
    """RFC 9113 8.3.1, 8.2.2: pseudo-headers first, names in lower case, nothing of the connection."""
    path = f"/{mark()}/a%20b"
    response = ask(h2gateway, f"{path}?x=1&y=%2F", "X-Mixed-Case: v\r\nConnection: X-Hop\r\nX-Hop: 1\r\nCookie: a=1; session=evil\r\n")
    assert response is not None and response.status == 200
    [request] = app.of(path)
    names = [name for name, _ in request.headers]
    assert [name for name in names if name.startswith(":")] == names[:4]
    assert (request.value(":method"), request.value(":scheme"), request.value(":path")) == ("GET", "http", f"{path}?x=1&y=%2F")
    assert request.value(":authority") == f"127.0.0.1:{h2gateway.port}"
    assert request.value("x-mixed-case") == "v" and request.value("cookie") == "a=1"
    assert request.value("x-forwarded-proto") == "http" and request.value("x-request-id")
    assert not {"host", "connection", "x-hop", "transfer-encoding", "te", "upgrade"} & set(names)
    assert all(name == name.lower() for name in names)


@pytest.mark.parametrize("chunked", [False, True], ids=["Content-Length", "chunked"])
def test_bodies_go_both_ways_unchanged(h2gateway, app, chunked):
    """RFC 9113 8.1.1: a known length stays known, chunks leave no trace; 3 MiB pass through windows of 64 KiB."""
    path, body = f"/{mark()}", seeded("body").randbytes(3 << 20)
    app.scripts[path] = lambda request: request.ended.wait(60) and request.respond(request.body)
    if chunked:
        framing, sent = "Transfer-Encoding: chunked\r\n", b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    else:
        framing, sent = f"Content-Length: {len(body)}\r\n", body
    response = ask(h2gateway, path, framing, "POST", sent)
    assert response is not None and response.status == 200 and response.complete
    assert hashlib.sha256(response.body).digest() == hashlib.sha256(body).digest()
    [request] = app.of(path)
    assert request.value("content-length") == (None if chunked else str(len(body)))


def test_trailers_go_both_ways(h2gateway, app):
    """RFC 9113 8.1: trailers of the request and of the response stay trailers; te is passed on."""
    path = f"/{mark()}"

    def answer(request: Request) -> None:
        request.ended.wait(60)
        request.head([(":status", "200"), ("content-type", "application/grpc")])
        request.data(b"answer")
        request.head([("grpc-status", "0"), ("grpc-message", "fine"), ("content-length", "9")], end=True)

    app.scripts[path] = answer
    with wire.Connection(h2gateway.port) as connection:
        connection.send(get(h2gateway, path, "TE: trailers\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n", "POST"))
        connection.send(b"5\r\nhello\r\n0\r\nX-Sum: 42\r\n\r\n")
        status, headers = connection.head()
        rest = b""
        while not rest.endswith(b"\r\n\r\n"):
            more = connection.some()
            assert more
            rest += more
    assert status == 200
    assert rest == b"6\r\nanswer\r\n0\r\ngrpc-status: 0\r\ngrpc-message: fine\r\n\r\n"
    [request] = app.of(path)
    assert request.value("te") == "trailers" and request.body == b"hello"
    assert request.trailers == [("x-sum", "42")]


def test_a_response_of_headers_alone_is_complete(h2gateway, app):
    """The trailers-only form of gRPC: one HEADERS frame with END_STREAM."""
    path = f"/{mark()}"
    app.scripts[path] = lambda request: request.head(
        [(":status", "200"), ("content-type", "application/grpc"), ("grpc-status", "12")], end=True
    )
    response = ask(h2gateway, path)
    assert response is not None and response.complete and response.body == b""
    assert response.value("grpc-status") == "12" and response.value("content-length") == "0"


@pytest.mark.parametrize(
    ("method", "status", "headers", "length"),
    [("HEAD", 200, [("content-length", "7")], "7"), ("GET", 204, [], None), ("GET", 304, [("content-length", "7")], "7")],
)
def test_responses_without_a_body(h2gateway, app, method, status, headers, length):
    """P20, RFC 9113 8.1.1: a length that announces what does not come is passed on."""
    path = f"/{mark()}"
    app.scripts[path] = lambda request: request.head([(":status", str(status)), *headers], end=True)
    response = ask(h2gateway, path, method=method)
    assert response is not None and response.status == status and response.value("content-length") == length


def test_interim_responses_are_passed_on(h2gateway, app):
    """P18 over HTTP/2."""
    path = f"/{mark()}"

    def answer(request: Request) -> None:
        request.connection.do(lambda h2: h2.send_headers(request.stream, [(":status", "103"), ("link", "</a.css>")]))
        request.respond(b"ok")

    app.scripts[path] = answer
    with wire.Connection(h2gateway.port) as connection:
        connection.send(get(h2gateway, path))
        first = connection.head()
        assert first is not None and first[0] == 103 and ("link", "</a.css>") in first[1]
        response = connection.response()
    assert response is not None and response.status == 200 and response.body == b"ok"


def test_the_first_bytes_arrive_before_the_last_are_sent(h2gateway, app):
    """design §4.7 over HTTP/2."""
    path, go_on = f"/{mark()}", threading.Event()

    def answer(request: Request) -> None:
        request.head([(":status", "200"), ("content-type", "text/event-stream")])
        request.data(b"data: 1\n\n")
        assert go_on.wait(60)
        request.data(b"data: 2\n\n", end=True)

    app.scripts[path] = answer
    with wire.Connection(h2gateway.port) as connection:
        connection.send(get(h2gateway, path))
        assert connection.head() is not None
        first = connection.some()
        assert b"data: 1" in first and b"data: 2" not in first
        go_on.set()
        rest = b""
        while not rest.endswith(b"0\r\n\r\n"):
            rest += connection.some()
    assert b"data: 2" in rest


def test_a_client_that_leaves_resets_its_stream_and_no_other(h2gateway, app):
    """RFC 9113 8.1: RST_STREAM with CANCEL; the connection stays."""
    path, other = f"/{mark()}", f"/{mark()}"
    app.scripts[path] = lambda request: (request.head([(":status", "200")]), request.data(b"x"))
    with wire.Connection(h2gateway.port) as connection:
        connection.send(get(h2gateway, path))
        assert connection.head() is not None
    eventually(lambda: app.of(path)[0].reset is not None, "the stream is reset")
    assert app.of(path)[0].reset == h2.errors.ErrorCodes.CANCEL
    assert not app.of(path)[0].connection.closed
    assert ask(h2gateway, other).status == 200


def test_a_slow_reader_does_not_fill_the_gateway(h2gateway, app):
    """RFC 9113 5.2: what the client does not take is not asked for."""
    path, size = f"/{mark()}", 32 << 20
    sent = []

    def answer(request: Request) -> None:
        request.head([(":status", "200"), ("content-length", str(size))])
        for _ in range(size >> 20):
            request.data(b"z" * (1 << 20))
            sent.append(1)
        request.connection.do(lambda h2: h2.end_stream(request.stream))

    app.scripts[path] = answer
    before = h2gateway.resident_kilobytes()
    with wire.Connection(h2gateway.port, timeout=60) as connection:
        connection.send(get(h2gateway, path))
        assert connection.head() is not None
        # The client does not read: the upstream must not be able to send on.
        settled(lambda: (len(sent), wire.unread(connection.socket)), "what the upstream has sent", readings=20)
        held = h2gateway.resident_kilobytes() - before
        assert len(sent) < 24, "the upstream could send nearly everything"
        # Other requests on the same connection are not held up.
        assert ask(h2gateway, f"/{mark()}").status == 200
        received = 0
        while received < size:
            data = connection.some()
            assert data
            received += len(data)
    assert received == size and held < 24 * 1024, f"{held} KiB held"


def test_an_upstream_that_allows_no_streams_is_an_error_and_not_connected_to_over_and_over(start_gateway):
    """Its first SETTINGS hold MAX_CONCURRENT_STREAMS = 0: each request opened connections without end and got no answer."""
    app = H2Upstream()
    app.max_streams = 0
    gateway = start_gateway({"upstream": app.origin, "routes": ALL_PUBLIC})
    try:
        for number in (1, 2):
            response = ask(gateway, f"/{mark()}")
            assert response is not None and response.status == 502
            assert len(app.connections) == number
        eventually(lambda: len(gateway.events("upstream-failed")) == 2, "both failures are logged")
        failures = gateway.events("upstream-failed")
        assert {failure["reason"] for failure in failures} == {"upstream-http2-error"} and "no streams" in failures[0]["detail"]
    finally:
        app.close()


def test_streams_share_connections_and_the_limit_is_kept(start_gateway, folder):
    """RFC 9113 5.1.2: never more streams at once than the upstream allows; another connection is opened instead."""
    app = H2Upstream()
    app.max_streams = 3
    app_path, release, running, most = f"/{mark()}", threading.Event(), [], {}

    def answer(request: Request) -> None:
        number = request.connection.number
        running.append(number)
        most[number] = max(most.get(number, 0), running.count(number))
        assert release.wait(60)
        running.remove(number)
        request.respond(b"ok")

    app.scripts[app_path] = answer
    gateway = start_gateway({"upstream": app.origin, "routes": ALL_PUBLIC})
    clients = [wire.Connection(gateway.port) for _ in range(12)]
    try:
        for client in clients:
            client.send(get(gateway, app_path))
        eventually(lambda: len(running) == 12, "all twelve are at the upstream")
        release.set()
        assert all(client.response().status == 200 for client in clients)
    finally:
        for client in clients:
            client.socket.close()
        app.close()
        gateway.stop()
    assert max(most.values()) <= 3
    assert 4 <= len(app.connections) <= 12


# --- The end of connections -------------------------------------------------------------------------------------------


def test_goaway_ends_a_connection_without_ending_its_streams(h2gateway, app):
    """RFC 9113 6.8: what runs finishes, what comes next takes another connection."""
    path, other, go_on = f"/{mark()}", f"/{mark()}", threading.Event()

    def answer(request: Request) -> None:
        request.connection.do(lambda h2: h2.close_connection(last_stream_id=request.stream))
        assert go_on.wait(60)
        # The library takes the connection for closed, so the rest is frames of our own.
        head = hyperframe.frame.HeadersFrame(request.stream, bytes([0x88]), flags=["END_HEADERS"])
        data = hyperframe.frame.DataFrame(request.stream, b"late", flags=["END_STREAM"])
        request.connection.raw(head.serialize() + data.serialize())

    app.scripts[path] = answer
    with wire.Connection(h2gateway.port) as connection:
        connection.send(get(h2gateway, path))
        eventually(lambda: app.of(path), "the first request is there")
        response = ask(h2gateway, other)
        assert response is not None and response.status == 200
        go_on.set()
        late = connection.response()
    assert late is not None and late.status == 200 and late.body == b"late"
    first, second = app.of(path)[0].connection, app.of(other)[0].connection
    assert first.number != second.number


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_the_upstream_refused_unseen_is_sent_again(h2gateway, app, method):
    """RFC 9113 8.7: REFUSED_STREAM says that nothing was done, whatever the method."""
    path = f"/{mark()}"
    tries = []

    def answer(request: Request) -> None:
        tries.append(request)
        if len(tries) == 1:
            request.rst(h2.errors.ErrorCodes.REFUSED_STREAM)
        else:
            request.respond(b"second")

    app.scripts[path] = answer
    response = ask(h2gateway, path, "Content-Length: 0\r\n" if method == "POST" else "", method)
    assert response is not None and response.status == 200 and response.body == b"second" and len(tries) == 2


def test_a_get_on_a_connection_that_ends_is_sent_again(h2gateway, app):
    """P23: on another connection."""
    path, tries = f"/{mark()}", []

    def answer(request: Request) -> None:
        tries.append(request)
        if len(tries) == 1:
            request.connection.close()
        else:
            request.respond(b"second")

    app.scripts[path] = answer
    response = ask(h2gateway, path)
    assert response is not None and response.status == 200 and response.body == b"second" and len(tries) == 2


@pytest.mark.parametrize("how", ["refused", "goaway", "closed"])
@pytest.mark.parametrize("when", ["head", "body"])
def test_a_put_on_a_kept_connection_that_ends_is_sent_again_with_its_body(start_gateway, how, when):
    """RFC 9110 9.2.2: up to 64 KiB of the body are kept until the answer begins."""
    app, path, body, tries = H2Upstream(), f"/{mark()}", seeded("body").randbytes(50_000), []

    def answer(request: Request) -> None:
        tries.append(request)
        if len(tries) > 1:
            request.ended.wait(60)
            return request.respond(b"second")
        if when == "body":
            eventually(lambda: request.body, "the body begins")
        if how == "refused":
            request.rst(h2.errors.ErrorCodes.REFUSED_STREAM)
        else:
            if how == "goaway":
                request.connection.do(lambda h2: h2.close_connection(last_stream_id=request.stream - 2))
            request.connection.close()

    app.scripts[path] = answer
    gateway = start_gateway({"upstream": app.origin, "routes": ALL_PUBLIC})
    # One client connection, so both requests are on one event loop.
    with wire.Connection(gateway.port) as connection:
        assert connection.send(get(gateway, f"/{mark()}")).response().status == 200
        connection.send(get(gateway, path, f"Content-Length: {len(body)}\r\n", "PUT") + body)
        response = connection.response()
    assert response is not None and response.status == 200 and response.body == b"second"
    assert len(tries) == 2 and tries[1].body == body
    gateway.stop()
    app.close()


def test_other_resets_are_not_repeated(h2gateway, app):
    """P23: INTERNAL_ERROR may mean that the work was done."""
    path = f"/{mark()}"
    app.scripts[path] = lambda request: request.rst(h2.errors.ErrorCodes.INTERNAL_ERROR)
    response = ask(h2gateway, path)
    assert response is not None and response.status == 502 and len(app.of(path)) == 1
    eventually(lambda: '"upstream-stream-reset"' in h2gateway.log, "the log says so")


# --- Upstreams that break the rules ------------------------------------------------------------------------------------

OK = (":status", "200")


def headers(*fields: tuple[str, str], end: bool = True):
    return lambda request: request.head(list(fields), end=end)


def raw(*frames):
    return lambda request: request.connection.raw(b"".join(frame(request.stream).serialize() for frame in frames))


def body_after(*fields: tuple[str, str], data: bytes):
    def answer(request: Request) -> None:
        request.head(list(fields))
        frame = hyperframe.frame.DataFrame(request.stream, data, flags=["END_STREAM"])
        request.connection.raw(frame.serialize())

    return answer


BROKEN = {
    "no status": headers(("x", "y")),
    "an empty head": raw(lambda stream: hyperframe.frame.HeadersFrame(stream, b"", flags=["END_HEADERS", "END_STREAM"])),
    "status twice": headers(OK, (":status", "404")),
    "status after a field": headers(("x", "y"), OK),
    "a pseudo-header of requests": headers(OK, (":path", "/")),
    "an unknown pseudo-header": headers(OK, (":evil", "1")),
    "status of letters": headers((":status", "2oo")),
    "status of four digits": headers((":status", "2000")),
    "status below 100": headers((":status", "099")),
    "101": headers((":status", "101"), end=False),
    "a name in upper case": headers(OK, ("X-Upper", "1")),
    "a name with a space": headers(OK, ("a b", "1")),
    "a name with a colon": headers(OK, ("a:b", "1")),
    "an empty name": headers(OK, ("", "1")),
    "a value that becomes two lines": headers(OK, ("x", "1\r\nset-cookie: evil=1")),
    "a value with a line feed": headers(OK, ("x", "1\nset-cookie: evil=1")),
    "a value with NUL": headers(OK, ("x", "a\0b")),
    "a value with white space around": headers(OK, ("x", " a ")),
    "connection": headers(OK, ("connection", "close")),
    "transfer-encoding": headers(OK, ("transfer-encoding", "chunked")),
    "upgrade": headers(OK, ("upgrade", "websocket")),
    "keep-alive": headers(OK, ("keep-alive", "timeout=5")),
    "two lengths": headers(OK, ("content-length", "1"), ("content-length", "2"), end=False),
    "a negative length": headers(OK, ("content-length", "-1"), end=False),
    "a length that nothing follows": headers(OK, ("content-length", "5")),
    "a body before the head": raw(lambda stream: hyperframe.frame.DataFrame(stream, b"evil", flags=["END_STREAM"])),
    "an interim response that ends": raw(
        lambda stream: hyperframe.frame.HeadersFrame(stream, b"\x08\x03103", flags=["END_HEADERS", "END_STREAM"])
    ),
    "a head of 100 KiB": headers(OK, *[(f"x-{number}", "v" * 1000) for number in range(100)]),
    "a thousand fields": headers(OK, *[(f"x{number}", "") for number in range(1000)]),
    "endless interim responses": lambda request: [request.head([(":status", "103")]) for _ in range(100)],
    "endless CONTINUATION": lambda request: request.connection.raw(
        hyperframe.frame.HeadersFrame(request.stream, bytes([0x88]), flags=[]).serialize()
        + b"".join(hyperframe.frame.ContinuationFrame(request.stream, b"", flags=[]).serialize() for _ in range(500))
    ),
    "a broken header block": raw(lambda stream: hyperframe.frame.HeadersFrame(stream, b"\xff\xff\xff\xff", flags=["END_HEADERS"])),
    "a push": raw(lambda stream: hyperframe.frame.PushPromiseFrame(stream, 2, bytes([0x82, 0x84, 0x86]), flags=["END_HEADERS"])),
    "a flood of SETTINGS": lambda request: request.connection.raw(hyperframe.frame.SettingsFrame(0).serialize() * 5000),
    "a flood of PING": lambda request: request.connection.raw(hyperframe.frame.PingFrame(0, b"12345678").serialize() * 5000),
    "a frame that is too large": lambda request: request.connection.raw(
        (1 << 20).to_bytes(3, "big") + bytes([0, 0]) + request.stream.to_bytes(4, "big") + b"x" * 4096
    ),
    "a window of zero more": raw(lambda stream: hyperframe.frame.WindowUpdateFrame(0, 0)),
    "frames of an unknown stream": raw(lambda stream: hyperframe.frame.HeadersFrame(999, bytes([0x88]), flags=["END_HEADERS"])),
    "the end of the connection": lambda request: request.connection.close(),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_response_that_breaks_a_rule_is_502_and_harms_nobody_else(h2gateway, app, case):
    """P21, RFC 9113 8.1.1 and 10.5: nothing of it reaches the client, and the next request is answered."""
    path = f"/{mark()}"
    app.scripts[path] = BROKEN[case]
    with wire.Connection(h2gateway.port) as connection:
        response = connection.send(get(h2gateway, path, method="POST", extra="Content-Length: 0\r\n")).response()
        assert response is not None and response.status == 502, response
        assert response.value("set-cookie") is None and b"evil" not in response.body
        after = connection.send(get(h2gateway, f"/{mark()}")).response()
    assert after is not None and after.status == 200


CUT_OFF = {
    "more than the length": body_after(OK, ("content-length", "3"), data=b"toomuch"),
    "less than the length": body_after(OK, ("content-length", "30"), data=b"little"),
    "a reset": lambda request: (request.head([OK]), request.data(b"part"), request.rst(h2.errors.ErrorCodes.INTERNAL_ERROR)),
    "the end of the connection": lambda request: (request.head([OK]), request.data(b"part"), request.connection.close()),
    "trailers with a pseudo-header": lambda request: (request.head([OK]), request.data(b"part"), request.head([OK], end=True)),
    "trailers that do not end": lambda request: (request.head([OK]), request.data(b"part"), request.head([("x", "y")])),
    "nothing more": lambda request: (request.head([OK]), request.data(b"part")),
}


@pytest.mark.parametrize("case", CUT_OFF)
def test_a_response_that_breaks_off_is_aborted_visibly(h2gateway, app, case):
    """P21: nobody takes a part for the whole."""
    path = f"/{mark()}"
    app.scripts[path] = CUT_OFF[case]
    with wire.Connection(h2gateway.port) as connection:
        try:
            response = connection.send(get(h2gateway, path)).response()
            assert response is None or not response.complete
        except ConnectionResetError:
            pass
    assert ask(h2gateway, f"/{mark()}").status == 200


def test_a_body_after_the_answer_to_head_is_dropped(h2gateway, app):
    """P20: it never becomes the next answer."""
    path = f"/{mark()}"
    app.scripts[path] = body_after(OK, ("content-length", "4"), data=b"evil")
    with wire.Connection(h2gateway.port) as connection:
        response = connection.send(get(h2gateway, path, method="HEAD")).response("HEAD")
        assert response is not None and response.status == 200
        try:
            after = connection.send(get(h2gateway, f"/{mark()}")).response()
            assert after is None or (after.status == 200 and b"evil" not in after.body)
        except ConnectionResetError:
            pass


def test_an_upstream_that_says_nothing_is_504(h2gateway, app):
    """§2 `timeouts.upstreamResponse` over HTTP/2."""
    path = f"/{mark()}"
    app.scripts[path] = lambda request: None
    response = ask(h2gateway, path)
    assert response is not None and response.status == 504
    assert app.of(path)[0].ended.wait(60), "the stream was not reset"


def test_an_upstream_that_does_not_speak_http2_is_502(start_gateway):
    """`h2c://` is a promise by configuration; the gateway recognises an HTTP/1.1 server and logs it."""
    listener = socket.create_server(("127.0.0.1", 0))

    def refuse() -> None:
        client, _ = listener.accept()
        client.recv(1 << 16)
        client.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        client.close()

    threading.Thread(target=refuse, daemon=True).start()
    gateway = start_gateway({"upstream": f"h2c://127.0.0.1:{listener.getsockname()[1]}", "routes": ALL_PUBLIC})
    response = ask(gateway, "/")
    gateway.stop()
    listener.close()
    assert response is not None and response.status == 502
    assert '"upstream-http2-error"' in gateway.log and "speaks HTTP/2" in gateway.log


def test_a_websocket_has_no_place_in_h2c(h2gateway):
    """RFC 8441 is not spoken; the refusal is clear."""
    response = ask(
        h2gateway, f"/{mark()}",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    )
    assert response is not None and response.status == 502
    eventually(lambda: '"upstream-no-websocket"' in h2gateway.log, "the log says so")
