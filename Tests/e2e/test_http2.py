"""HTTP/2 towards clients: RFC 9113, RFC 7541, the cases of h2spec as a table, and the floods; `reference` ids H1 to H13.

The same requests over TLS with ALPN are in test_tls.py. Here they come in clear text with prior knowledge: the frames are
the same, and a test can send each byte.
"""

from __future__ import annotations

import hashlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator

import pytest
import requests

import h2wire
import wire
from conftest import ROUTES, StartGateway, mark
from h2wire import (
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, GOAWAY, HEADERS, NO_ERROR, PADDED, PING, PRIORITIZED,
    PRIORITY, PUSH_PROMISE, RST_STREAM, SETTINGS, WINDOW_UPDATE, Connection, frame, reset, settings, window_update,
)
from logins import NAVIGATION, session_cookie, sign_in
from parts.dev_provider import DevProvider
from parts.gateway import Gateway
from parts.seed import seeded
from parts.upstream import Recording, Upstream


@pytest.fixture(scope="module")
def deaf() -> Iterator[str]:
    """An upstream that accepts connections and reads nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    listener.close()


@pytest.fixture(scope="module")
def h2c(start_gateway: StartGateway, dev: DevProvider, deaf: str) -> Gateway:
    return start_gateway(
        {
            "server": {"http2": "prior-knowledge", "limits": {"bodyBytes": "400MiB"}},
            "providers": [dev.configuration],
            "routes": [{"path": "/deaf/**", "access": "public", "upstream": deaf}, *ROUTES],
        },
        name="gateway-h2c",
    )


@pytest.fixture
def connection(h2c: Gateway):
    with Connection(h2c.port) as connection:
        yield connection


# Requests and responses


def test_a_request_in_frames_reaches_the_upstream_as_one_well_formed_request(connection, h2c, upstream):
    """RFC 9113 8.3, 8.2.3 (cookie crumbs become one line), 8.2.2 (te); Via names the version that was received."""
    marker = mark()
    extra = [("x-marker", marker), ("cookie", "a=1"), ("cookie", "b=2"), ("te", "trailers"), ("accept", "*/*")]
    answer = connection.request("GET", f"/public/{marker}?q=1", extra)
    assert answer.status == 200 and answer.complete
    recording = upstream.only(marker)
    assert recording.request_line == f"GET /public/{marker}?q=1 HTTP/1.1"
    assert recording.values("host") == [connection.authority]
    assert recording.values("cookie") == ["a=1; b=2"]
    assert recording.value("x-forwarded-proto") == "http"
    assert (recording.value("via") or "").startswith("2 gateway-")
    assert recording.value("transfer-encoding") is None and recording.value("content-length") is None
    names = [name for name, _ in answer.headers]
    assert all(name == name.lower() for name in names)
    assert not {"connection", "transfer-encoding", "keep-alive", "upgrade"} & set(names)
    assert "date" in names


def test_http1_is_served_on_the_same_port(h2c, upstream):
    marker = mark()
    assert requests.get(h2c.url(f"/public/{marker}"), timeout=60).status_code == 200
    assert upstream.only(marker).value("via", ).startswith("1.1 ")
    # The preface's first letters are also those of methods.
    [answer] = wire.exchange(h2c.port, f"PUT /public/{marker}-p HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
    assert answer.status == 200


def test_clear_text_http2_is_spoken_only_where_it_is_configured(gateway):
    """H13. To HTTP/1.1 the preface is a request of a version that is not served."""
    with Connection(gateway.port, raw=True) as connection:
        connection.send(h2wire.PREFACE + settings())
        assert connection.socket.recv(1 << 16).startswith(b"HTTP/1.1 ")


@pytest.mark.parametrize("size", [0, 1, 16384, 1_000_000])
@pytest.mark.parametrize("announced", [True, False])
def test_a_body_reaches_the_upstream_whole(connection, upstream, size, announced):
    marker = mark()
    body = seeded("body").randbytes(size)
    extra = [("content-length", str(size))] if announced else []
    answer = connection.request("POST", f"/public/{marker}", extra, body)
    assert answer.status == 200
    recording = upstream.only(marker)
    assert recording.body == body
    assert (recording.value("content-length") is not None) == announced
    assert recording.value("transfer-encoding") == (None if announced else "chunked")


def test_a_large_response_arrives_whole(connection, upstream):
    path = f"/public/{mark()}"
    body = seeded("body").randbytes(5_000_000)
    upstream.scripts[path] = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    answer = connection.request("GET", path)
    assert answer.complete and hashlib.sha256(answer.body).digest() == hashlib.sha256(body).digest()


def test_many_requests_at_once_each_get_their_own_answer(connection):
    """5.1.2: within the announced number of streams."""
    markers = {connection.headers(connection.fields(path=f"/public/{(marker := mark())}")): marker for _ in range(50)}
    bodies: dict[int, bytes] = {}
    done = 0
    while done < len(markers):
        found = connection.read()
        assert found is not None
        if found.kind == DATA:
            bodies[found.stream] = bodies.get(found.stream, b"") + found.payload
            connection.send(window_update(0, max(1, len(found.payload))))
        done += found.kind in (HEADERS, DATA) and bool(found.flags & END_STREAM)
    for stream, marker in markers.items():
        assert marker.encode() in bodies[stream]


def test_head_and_statuses_without_a_body_end_with_their_headers(connection, upstream):
    path = f"/public/{mark()}"
    answer = connection.request("HEAD", path)
    assert (answer.status, answer.body, answer.complete) == (200, b"", True)
    assert int(answer.value("content-length") or 0) > 0
    upstream.scripts[path] = b"HTTP/1.1 204 No Content\r\n\r\n"
    answer = connection.request("GET", path)
    assert (answer.status, answer.body, answer.value("content-length")) == (204, b"", None)
    upstream.scripts[path] = b"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"
    answer = connection.request("GET", path)
    assert (answer.status, answer.value("etag")) == (304, '"x"')


def test_the_first_byte_of_a_stream_passes_at_once(connection, upstream):
    path = f"/public/{mark()}"
    go_on = threading.Event()

    def script(client: socket.socket, _: Recording) -> bool:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nfirst\n\r\n")
        go_on.wait(60)
        client.sendall(b"7\r\nsecond\n\r\n0\r\n\r\n")
        return False

    upstream.scripts[path] = script
    stream = connection.headers(connection.fields(path=path))
    found = connection.until(DATA, stream)
    assert found is not None and found.payload == b"first\n"
    go_on.set()
    answer = connection.answer(stream)
    assert answer.body == b"second\n" and answer.complete


def test_trailers_are_relayed_both_ways(connection, upstream):
    """H8, RFC 9113 8.1: what gRPC stands on."""
    marker = mark()
    path = f"/public/{marker}"
    upstream.scripts[path] = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\ngrpc-status: 0\r\nGrpc-Message: fine\r\nContent-Length: 7\r\n\r\n"
    )
    stream = connection.headers(connection.fields("POST", path, [("te", "trailers")]), end=False)
    connection.data(stream, b"hello")
    connection.headers([("x-checksum", "abc")], stream=stream)
    answer = connection.answer(stream)
    assert answer.body == b"ok"
    assert answer.trailers == [("grpc-status", "0"), ("grpc-message", "fine")]


def test_a_response_that_breaks_off_resets_its_stream_and_no_other(connection, upstream):
    """RFC 9113 8.1.1; contract: a truncated response is visibly aborted."""
    path = f"/public/{mark()}"
    upstream.scripts[path] = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
    answer = connection.request("GET", path)
    assert answer.status == 200 and not answer.complete and answer.reset == h2wire.INTERNAL_ERROR
    assert answer.body == b"half"
    assert connection.request("GET", f"/public/{mark()}").status == 200


def test_an_interim_response_comes_ahead(connection, upstream):
    path = f"/public/{mark()}"
    upstream.scripts[path] = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    answer = connection.request("GET", path)
    assert answer.interim == [[(":status", "103"), ("link", "</a.css>; rel=preload")]]
    assert (answer.status, answer.body) == (200, b"ok")


def test_expect_continue_is_answered_before_the_body(connection, upstream):
    marker = mark()
    stream = connection.headers(connection.fields("POST", f"/public/{marker}", [("expect", "100-continue"), ("content-length", "5")]), end=False)
    found = connection.until(HEADERS, stream)
    assert found is not None
    assert found.fields == [(":status", "100")]
    connection.data(stream, b"hello", end=True)
    assert connection.answer(stream).status == 200
    assert upstream.only(marker).body == b"hello"


def test_a_body_beyond_the_limit_is_answered_and_the_rest_refused(hasty):
    with Connection(hasty.port) as connection:
        stream = connection.headers(connection.fields("POST", f"/{mark()}", [("content-length", str(2 << 20))]), end=False)
        assert connection.answer(stream).status == 413
        stream = connection.headers(connection.fields("POST", f"/{mark()}"), end=False)
        for _ in range(3):
            connection.data(stream, b"x" * 16384)
        answer = connection.answer(stream)
        assert answer.status == 413
        # The answer is whole; the rest of the request is not wanted.
        assert connection.until(RST_STREAM, stream).code == NO_ERROR
        assert connection.ping()


def test_an_upstream_that_takes_nothing_stops_the_client(connection, deaf):
    """5.2: the windows stay closed while nobody takes the body; other streams go on."""
    stream = connection.headers(connection.fields("POST", "/deaf/x"), end=False)
    credit = 65535
    sent = 0
    streamed = 262144
    connection.socket.settimeout(1)
    try:
        while sent < 100_000_000:
            room = min(credit, streamed, 16384)
            if room > 0:
                connection.data(stream, b"x" * room)
                sent, credit, streamed = sent + room, credit - room, streamed - room
                if min(credit, streamed) > 0:
                    continue
            found = connection.read()
            assert found is not None
            if found.kind == WINDOW_UPDATE:
                increment = struct.unpack(">I", found.payload)[0]
                if found.stream == 0:
                    credit += increment
                else:
                    streamed += increment
    except TimeoutError:
        pass
    assert 262144 <= sent < 20_000_000
    connection.socket.settimeout(60)
    assert connection.ping()
    assert connection.request("GET", f"/public/{mark()}").status == 200


def test_a_client_that_takes_nothing_stops_the_upstream(h2c, upstream):
    """Ten megabytes for a client whose window is closed: the gateway holds a bounded part of them."""
    path = f"/public/{mark()}"
    sent = 0

    def script(client: socket.socket, _: Recording) -> bool:
        nonlocal sent
        client.settimeout(1)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n")
        try:
            while sent < 50_000_000:
                sent += client.send(b"x" * 65536)
        except TimeoutError:
            stalled.set()
        return False

    stalled = threading.Event()
    upstream.scripts[path] = script
    with Connection(h2c.port, first=settings((4, 1000))) as connection:
        stream = connection.headers(connection.fields(path=path))
        found = connection.until(DATA, stream)
        assert found is not None and len(found.payload) == 1000
        assert stalled.wait(60)
        # What lies in the buffers of the kernel and of the gateway.
        assert sent < 20_000_000
        # The connection is not stopped with it.
        assert connection.ping()
        other = connection.headers(connection.fields("HEAD", f"/public/{mark()}"))
        assert connection.answer(other).status == 200


def test_a_login_over_http2(h2c, dev):
    """The whole flow: 302 to the provider, the callback, the session cookie, the app."""
    client = sign_in(h2c, dev)
    cookie = f"session={session_cookie(client)}"
    with Connection(h2c.port) as connection:
        answer = connection.request("GET", "/", [(name.lower(), value) for name, value in NAVIGATION.items()])
        assert answer.status == 302 and "/login" in (answer.value("location") or "")
        assert connection.request("GET", "/").status == 401
        answer = connection.request("GET", "/", [("cookie", part) for part in cookie.split("; ")])
        assert answer.status == 200
        assert b"X-Forwarded-User" in answer.body
        assert cookie.encode() not in answer.body
        assert connection.request("GET", "/_gateway/userinfo", [("cookie", cookie)]).status == 200


# The cases of h2spec, and of the standard

Case = Callable[[Connection], object]


def opened(connection: Connection) -> int:
    """A stream whose request is not complete."""
    return connection.headers(connection.fields("POST", f"/public/{mark()}"), end=False)


def finished(connection: Connection) -> int:
    """A stream that both sides have ended."""
    stream = connection.headers(connection.fields(path="/public/x"))
    assert connection.answer(stream).status == 200
    return stream


def block(connection: Connection, *fields: tuple[str, str], without: str = "") -> bytes:
    base = [pair for pair in connection.fields(path="/public/x") if pair[0] != without]
    return connection.block([*base, *fields])


def with_headers(*extra: tuple[str, str], without: str = "", first: tuple[str, str] | None = None, end: bool = True) -> Case:
    def send(connection: Connection) -> None:
        fields = [pair for pair in connection.fields(path="/public/x") if pair[0] != without]
        connection.headers([*([first] if first else []), *fields, *extra], end=end)

    return send


def raw(data: bytes) -> Case:
    return lambda connection: connection.send(data)


# (what, the bytes, what becomes of it: "goaway CODE", "reset CODE", a status; alternatives by "|")
P, F, S, X, C, R = "1", "3", "5", "6", "9", "7"
CASES: list[tuple[str, Case, str]] = [
    # 3.4, 4.1, 4.2
    ("4.1 an unknown frame type is ignored", lambda c: (c.send(frame(0xBF, 0xFF, 0, b"x" * 8)), finished(c)), "ping"),
    ("4.1 undefined flags are ignored", lambda c: c.send(frame(PING, 0x16, 0, b"x" * 8)), "ping"),
    ("4.1 the reserved bit is ignored", lambda c: c.send(frame(PING, 0, 0x80000000, b"x" * 8)), "ping"),
    ("4.2 a DATA frame beyond the largest size", lambda c: c.data(opened(c), b"x" * 16385), f"goaway {X}"),
    ("4.2 a HEADERS frame beyond the largest size", lambda c: c.send(frame(HEADERS, 5, 1, block(c) + b"x" * 16385)), f"goaway {X}"),
    # 4.3
    ("4.3 a field block that is no HPACK", lambda c: c.send(frame(HEADERS, 5, 1, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")), f"goaway {C}"),
    ("4.3 another frame within a field block", lambda c: c.send(frame(HEADERS, 1, 1, block(c)) + frame(PRIORITY, 0, 1, b"\0\0\0\0\x01")), f"goaway {P}"),
    ("4.3 another stream's HEADERS within a field block", lambda c: c.send(frame(HEADERS, 1, 1, block(c)) + frame(HEADERS, 5, 3, block(c))), f"goaway {P}"),
    ("4.3 an unknown frame within a field block", lambda c: c.send(frame(HEADERS, 1, 1, block(c)) + frame(0xBF, 0, 0, b"")), f"goaway {P}"),
    # 5.1 states
    ("5.1 DATA on an idle stream", lambda c: c.data(1, b"x"), f"goaway {P}"),
    ("5.1 RST_STREAM on an idle stream", lambda c: c.send(reset(1)), f"goaway {P}"),
    ("5.1 WINDOW_UPDATE on an idle stream", lambda c: c.send(window_update(1, 100)), f"goaway {P}"),
    ("5.1 CONTINUATION on an idle stream", lambda c: c.send(frame(CONTINUATION, 4, 1, b"")), f"goaway {P}"),
    ("5.1 DATA after END_STREAM", lambda c: c.send(frame(HEADERS, 5, 1, block(c)) + frame(DATA, 1, 1, b"x")), f"reset {S}|goaway {S}|200"),
    ("5.1 HEADERS after END_STREAM", lambda c: c.send(frame(HEADERS, 5, 1, block(c)) + frame(HEADERS, 5, 1, c.block([("a", "b")]))), f"reset {S}|goaway {S}|200"),
    ("5.1 CONTINUATION after END_STREAM", lambda c: c.send(frame(HEADERS, 5, 1, block(c)) + frame(CONTINUATION, 5, 1, block(c))), f"goaway {P}|goaway {S}"),
    ("5.1 DATA after our RST_STREAM or the client's", lambda c: (c.send(reset(opened(c))), c.data(1, b"x")), f"goaway {S}|reset {S}|ping"),
    ("5.1 HEADERS after the client's RST_STREAM", lambda c: (c.send(reset(opened(c))), c.headers(c.fields(), stream=1)), f"goaway {S}|reset {S}|ping"),
    ("5.1 DATA on a closed stream", lambda c: c.data(finished(c), b"x"), f"goaway {S}|reset {S}|goaway {P}"),
    ("5.1 HEADERS on a closed stream", lambda c: c.headers(c.fields(), stream=finished(c)), f"goaway {S}|goaway {P}"),
    ("5.1 WINDOW_UPDATE on a closed stream is ignored", lambda c: c.send(window_update(finished(c), 10)), "ping"),
    ("5.1 RST_STREAM on a closed stream is ignored", lambda c: c.send(reset(finished(c))), "ping"),
    ("5.1 PRIORITY on a closed stream is ignored", lambda c: c.send(frame(PRIORITY, 0, finished(c), b"\0\0\0\0\x01")), "ping"),
    # 5.1.1
    ("5.1.1 an even stream number", lambda c: c.headers(c.fields(), stream=2), f"goaway {P}"),
    # In one write: else the first may have been answered before the second comes.
    ("5.1.1 a stream number below the last", lambda c: c.send(frame(HEADERS, 5, 5, block(c)) + frame(HEADERS, 5, 3, block(c))), f"goaway {P}|goaway {S}"),
    # 5.3
    ("5.3.1 a stream that depends on itself", lambda c: c.send(frame(HEADERS, 0x25, 1, struct.pack(">IB", 1, 15) + block(c))), f"goaway {P}|reset {P}"),
    ("5.3.1 PRIORITY on itself", lambda c: c.send(frame(PRIORITY, 0, 1, struct.pack(">IB", 1, 15))), f"goaway {P}|reset {P}|ping"),
    # 6.1
    ("6.1 DATA on stream 0", lambda c: c.send(frame(DATA, 1, 0, b"x")), f"goaway {P}"),
    ("6.1 padding as long as the frame", lambda c: c.send(frame(DATA, PADDED, opened(c), b"\x06Test\0")), f"goaway {P}"),
    ("6.1 DATA with padding", lambda c: c.send(frame(DATA, PADDED | END_STREAM, opened(c), b"\x02Test\0\0")), "200"),
    # 6.2
    ("6.2 HEADERS on stream 0", lambda c: c.send(frame(HEADERS, 5, 0, block(c))), f"goaway {P}"),
    ("6.2 HEADERS with padding beyond the frame", lambda c: c.send(frame(HEADERS, 5 | PADDED, 1, b"\xff" + block(c))), f"goaway {P}"),
    ("6.2 HEADERS with padding and priority", lambda c: c.send(frame(HEADERS, 5 | PADDED | PRIORITIZED, 1, b"\x02\0\0\0\0\x10" + block(c) + b"\0\0")), "200"),
    # 6.3, 6.4
    ("6.3 PRIORITY on stream 0", lambda c: c.send(frame(PRIORITY, 0, 0, b"\0\0\0\0\x01")), f"goaway {P}"),
    ("6.3 PRIORITY of another length", lambda c: c.send(frame(PRIORITY, 0, 1, b"\0\0\0\0")), f"goaway {X}|reset {X}"),
    ("6.4 RST_STREAM on stream 0", lambda c: c.send(reset(0)), f"goaway {P}"),
    ("6.4 RST_STREAM of another length", lambda c: c.send(frame(RST_STREAM, 0, opened(c), b"\0\0\0")), f"goaway {X}"),
    # 6.5
    ("6.5 SETTINGS ACK with a payload", lambda c: c.send(frame(SETTINGS, ACK, 0, b"\0")), f"goaway {X}"),
    ("6.5 SETTINGS on a stream", lambda c: c.send(frame(SETTINGS, 0, 1, b"\0\x03\0\0\0\x64")), f"goaway {P}"),
    ("6.5 SETTINGS of another length", lambda c: c.send(frame(SETTINGS, 0, 0, b"\0\x03\0")), f"goaway {X}"),
    ("6.5.2 ENABLE_PUSH other than 0 and 1", lambda c: c.send(settings((2, 2))), f"goaway {P}"),
    ("6.5.2 INITIAL_WINDOW_SIZE beyond 2^31-1", lambda c: c.send(settings((4, 0x80000000))), f"goaway {F}"),
    ("6.5.2 MAX_FRAME_SIZE below 2^14", lambda c: c.send(settings((5, 16383))), f"goaway {P}"),
    ("6.5.2 MAX_FRAME_SIZE beyond 2^24-1", lambda c: c.send(settings((5, 16777216))), f"goaway {P}"),
    ("6.5.2 an unknown setting is ignored", lambda c: c.send(settings((0xFF, 1))), "ping"),
    ("6.5.3 SETTINGS are acknowledged", lambda c: c.send(settings((3, 100))), "settings"),
    # 6.6
    ("8.4 a client's PUSH_PROMISE", lambda c: c.send(frame(PUSH_PROMISE, 4, opened(c), b"\0\0\0\x02" + block(c))), f"goaway {P}"),
    # 6.7
    ("6.7 PING is answered", lambda c: None, "ping"),
    ("6.7 a PING ACK that nobody asked for is ignored", lambda c: c.send(frame(PING, ACK, 0, b"x" * 8)), "ping"),
    ("6.7 PING on a stream", lambda c: c.send(frame(PING, 0, 1, b"x" * 8)), f"goaway {P}"),
    ("6.7 PING of another length", lambda c: c.send(frame(PING, 0, 0, b"x" * 6)), f"goaway {X}"),
    # 6.8
    ("6.8 GOAWAY on a stream", lambda c: c.send(frame(GOAWAY, 0, 1, b"\0" * 8)), f"goaway {P}"),
    # 6.9
    ("6.9 WINDOW_UPDATE of 0 on the connection", lambda c: c.send(window_update(0, 0)), f"goaway {P}"),
    ("6.9 WINDOW_UPDATE of 0 on a stream", lambda c: c.send(window_update(opened(c), 0)), f"reset {P}|goaway {P}"),
    ("6.9 WINDOW_UPDATE of another length", lambda c: c.send(frame(WINDOW_UPDATE, 0, 0, b"\0\0\x01")), f"goaway {X}"),
    ("6.9.1 a connection window beyond 2^31-1", lambda c: c.send(window_update(0, 0x7FFFFFFF) * 2), f"goaway {F}"),
    ("6.9.1 a stream window beyond 2^31-1", lambda c: c.send(window_update(opened(c), 0x7FFFFFFF) * 2), f"reset {F}|goaway {F}"),
    ("6.9.2 settings that push a stream window beyond 2^31-1", lambda c: (c.send(window_update(opened(c), 0x7FFF0000)), c.send(settings((4, 0x7FFFFFFF)))), f"goaway {F}"),
    # 6.10
    ("6.10 CONTINUATION frames end a field block", lambda c: c.send(frame(HEADERS, 1, 1, block(c)) + frame(CONTINUATION, 0, 1, c.block([("a", "b")])) + frame(CONTINUATION, 4, 1, c.block([("c", "d")]))), "200"),
    ("6.10 CONTINUATION without HEADERS", lambda c: c.send(frame(CONTINUATION, 4, opened(c), b"")), f"goaway {P}"),
    ("6.10 CONTINUATION on stream 0", lambda c: c.send(frame(HEADERS, 1, 1, block(c)) + frame(CONTINUATION, 4, 0, b"")), f"goaway {P}"),
    ("6.10 DATA within a field block", lambda c: c.send(frame(HEADERS, 1, 1, block(c)) + frame(DATA, 1, 1, b"x")), f"goaway {P}"),
    # 8.1, 8.2, 8.3
    ("8.1 a second HEADERS without END_STREAM", lambda c: c.headers([("a", "b")], stream=opened(c), end=False), f"reset {P}|goaway {P}"),
    ("8.1 a pseudo-header in trailers", lambda c: c.headers([(":path", "/")], stream=opened(c)), f"reset {P}"),
    ("8.2.1 a field name with a capital", with_headers(("X-Test", "ok")), f"reset {P}"),
    ("8.2.1 a field name with a space", with_headers(("x test", "ok")), f"reset {P}"),
    ("8.2.1 a field name with a colon", with_headers(("x:test", "ok")), f"reset {P}"),
    ("8.2.1 an empty field name", with_headers(("", "ok")), f"reset {P}|goaway {C}"),
    ("8.2.1 a line feed in a value", with_headers(("x-test", "a\nx-forwarded-user: root")), f"reset {P}"),
    ("8.2.1 a carriage return in a value", with_headers(("x-test", "a\rb")), f"reset {P}"),
    ("8.2.1 a NUL in a value", with_headers(("x-test", "a\0b")), f"reset {P}"),
    ("8.2.1 a space before a value", with_headers(("x-test", " a")), f"reset {P}"),
    ("8.2.1 a tab after a value", with_headers(("x-test", "a\t")), f"reset {P}"),
    ("8.2.1 another control in a value", with_headers(("x-test", "a\x01b")), "400"),
    ("8.2.1 bytes that are no UTF-8 in a value", lambda c: c.send(frame(HEADERS, 5, 1, block(c) + b"\x00\x01x\x01\xff")), "400"),
    ("8.2.2 connection", with_headers(("connection", "keep-alive")), f"reset {P}"),
    ("8.2.2 keep-alive", with_headers(("keep-alive", "timeout=5")), f"reset {P}"),
    ("8.2.2 proxy-connection", with_headers(("proxy-connection", "keep-alive")), f"reset {P}"),
    ("8.2.2 transfer-encoding", with_headers(("transfer-encoding", "chunked"), end=False), f"reset {P}"),
    ("8.2.2 upgrade", with_headers(("upgrade", "websocket")), f"reset {P}"),
    ("8.2.2 te other than trailers", with_headers(("te", "trailers, deflate")), f"reset {P}"),
    ("8.3 an unknown pseudo-header", with_headers((":test", "ok")), f"reset {P}"),
    ("8.3 a response's pseudo-header", with_headers((":status", "200")), f"reset {P}"),
    ("8.3 a pseudo-header after a field", with_headers(("x-test", "ok"), (":authority", "x")), f"reset {P}"),
    ("8.3.1 an empty :path", with_headers(without=":path", first=(":path", "")), f"reset {P}"),
    ("8.3.1 no :method", with_headers(without=":method"), f"reset {P}"),
    ("8.3.1 no :scheme", with_headers(without=":scheme"), f"reset {P}"),
    ("8.3.1 no :path", with_headers(without=":path"), f"reset {P}"),
    ("8.3.1 :method twice", with_headers(first=(":method", "GET")), f"reset {P}"),
    ("8.3.1 :scheme twice", with_headers(first=(":scheme", "http")), f"reset {P}"),
    ("8.3.1 :path twice", with_headers(first=(":path", "/")), f"reset {P}"),
    ("8.3.1 :authority twice", with_headers(first=(":authority", "x")), f"reset {P}"),
    ("8.3.1 a :path without its slash (CVE-2026-33186)", with_headers(without=":path", first=(":path", "public/x")), f"reset {P}"),
    ("8.3.1 an absolute :path", with_headers(without=":path", first=(":path", "http://evil/public/x")), f"reset {P}"),
    ("8.3.1 another scheme", with_headers(without=":scheme", first=(":scheme", "ftp")), "400"),
    ("8.3.1 :authority and host that differ", with_headers(("host", "evil.example")), "400"),
    ("8.3.1 host twice", with_headers(("host", "a"), ("host", "a"), without=":authority"), "400"),
    ("8.3.1 neither :authority nor host", with_headers(without=":authority"), "400"),
    ("8.3.1 host alone", with_headers(("host", "x"), without=":authority"), "200"),
    ("8.3.1 userinfo in :authority", with_headers(without=":authority", first=(":authority", "a@b")), "400"),
    ("8.3.1 an empty :authority", with_headers(without=":authority", first=(":authority", "")), "400"),
    ("8.3 :protocol is not offered (RFC 8441)", with_headers(first=(":protocol", "websocket")), f"reset {P}"),
    ("8.5 CONNECT", lambda c: c.headers([(":method", "CONNECT"), (":authority", "example.com:443")], end=False), "405"),
    ("9110 9.3.8 TRACE", with_headers(without=":method", first=(":method", "TRACE")), "405"),
    ("H6 a space in :path", with_headers(without=":path", first=(":path", "/public/x HTTP/1.1")), f"400|reset {P}"),
    ("H6 a line break in :path", with_headers(without=":path", first=(":path", "/public/x HTTP/1.1\r\nX-A: b")), f"reset {P}"),
    ("H6 a fragment in :path (CVE-2026-41059)", with_headers(without=":path", first=(":path", "/admin#/public/x")), "400"),
    ("H6 a space in :method", with_headers(without=":method", first=(":method", "GET /a")), "400|reset 1"),
    ("H6 a method in lower case", with_headers(without=":method", first=(":method", "get")), "400"),
    ("H6 dot segments", with_headers(without=":path", first=(":path", "/public/../x")), "400"),
    ("H5 DATA beyond content-length", lambda c: c.data(c.headers(c.fields("POST", "/public/x", [("content-length", "3")]), end=False), b"1234", end=True), f"reset {P}"),
    ("H5 DATA short of content-length", lambda c: c.data(c.headers(c.fields("POST", "/public/x", [("content-length", "3")]), end=False), b"12", end=True), f"reset {P}"),
    ("H5 content-length without a body", with_headers(("content-length", "3")), f"reset {P}"),
    ("H5 content-length twice", with_headers(("content-length", "3"), ("content-length", "3"), end=False), f"400|reset {P}"),
    ("H5 a content-length that is no number", with_headers(("content-length", "+3"), end=False), f"400|reset {P}"),
    ("a head beyond headerBytes", with_headers(*[(f"x-{number}", "y" * 2000) for number in range(20)]), "431"),
    ("more fields than headerCount", with_headers(*[(f"x-{number}", "y") for number in range(120)]), "431"),
    ("a head beyond what was announced", with_headers(*[(f"x-{number}", "y" * 9000) for number in range(20)]), f"goaway {C}|goaway {P}"),
    # RFC 7541
    ("7541 2.3.3 an index beyond the tables", lambda c: c.send(frame(HEADERS, 5, 1, block(c) + b"\xff\x80\x01")), f"goaway {C}"),
    ("7541 4.2 a table size update at the end", lambda c: c.send(frame(HEADERS, 5, 1, block(c) + b"\x20")), f"goaway {C}"),
    ("7541 5.2 a Huffman string with long padding", lambda c: c.send(frame(HEADERS, 5, 1, block(c) + b"\x00\x85\xf2\xb2\x4a\x84\xff\x84\x49\x50\x9f\xff")), f"goaway {C}"),
    ("7541 5.2 a Huffman string with EOS", lambda c: c.send(frame(HEADERS, 5, 1, block(c) + b"\x00\x85\xf2\xb2\x4a\x84\xff\x87\x49\x51\xff\xff\xff\xfa\x7f")), f"goaway {C}"),
    ("7541 6.3 a table larger than allowed", lambda c: c.send(frame(HEADERS, 5, 1, b"\x3f\xe1\xff\x7f" + block(c))), f"goaway {C}"),
]


@pytest.mark.parametrize(("what", "case", "expected"), CASES, ids=[case[0] for case in CASES])
def test_the_standard_says(h2c, what, case, expected):
    with Connection(h2c.port) as connection:
        case(connection)
        allowed = expected.split("|")
        if "settings" in allowed:
            assert connection.until(SETTINGS, flags=ACK) is not None
            return
        if allowed == ["ping"]:
            assert connection.ping()
            return
        found = outcome(connection)
        assert found in allowed, f"{what}: {found}, expected {expected}"
    # Nobody else notices.
    with Connection(h2c.port) as other:
        assert other.ping()


def outcome(connection: Connection) -> str:
    """What came of the only request, in the words of the table. A PING behind it tells "nothing happened" from "not yet"."""
    streams: dict[int, str] = {}
    for found in connection.frames:
        if found.kind in (RST_STREAM, GOAWAY):
            return f"{'reset' if found.kind == RST_STREAM else 'goaway'} {found.code}"
    connection.send(frame(PING, payload=b"outcome!"))
    pinged = False
    while True:
        if pinged and any(value in streams.values() for value in ["ended"]):
            return streams.get(-1, "ping")
        try:
            found = connection.read()
        except TimeoutError:
            return streams.get(-1, "ping" if pinged else "nothing")
        if found is None:
            return streams.get(-1, "closed")
        if found.kind == GOAWAY:
            return f"goaway {found.code}"
        if found.kind == RST_STREAM and -1 not in streams:
            return f"reset {found.code}"
        if found.kind == HEADERS and -1 not in streams:
            return found.fields[0][1]
        if found.kind == PING and found.payload == b"outcome!":
            pinged = True


def test_a_connection_that_is_no_http2_is_closed(h2c):
    """3.4: a preface that goes wrong after its first letters is read as HTTP/1.1 and refused."""
    for data in [b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(PING, payload=b"x" * 8)]:
        with Connection(h2c.port, raw=True) as connection:
            connection.send(data)
            received = b""
            while part := connection.socket.recv(1 << 16):
                received += part
            assert received.startswith(b"HTTP/1.1 ") or frame(GOAWAY)[3:4] in received


def test_what_the_server_announces(connection):
    """H9, H12: limits are said in SETTINGS; extended CONNECT is not offered, pushes never come."""
    found = connection.until(SETTINGS)
    announced = {struct.unpack(">H", found.payload[at : at + 2])[0]: struct.unpack(">I", found.payload[at + 2 : at + 6])[0] for at in range(0, len(found.payload), 6)}
    assert announced == {3: 128, 4: 262144, 6: 2 * 32768 + 32 * 108}


def test_a_large_head_may_come_before_the_settings_are_acknowledged(h2c, upstream):
    """Clients send their first request with the preface: the limits of the announced settings hold from the start."""
    marker = mark()
    with Connection(h2c.port) as connection:
        answer = connection.request("GET", f"/public/{marker}", [("x-long", "y" * 25000)])
        assert answer.status == 200
        # The acknowledgement, when it comes, changes nothing.
        assert connection.ping()
        assert connection.request("GET", f"/public/{marker}-2", [("x-long", "y" * 25000)]).status == 200


# Floods


def streams_at_once(connection: Connection) -> None:
    for _ in range(400):
        connection.headers(connection.fields("POST", "/public/x"), end=False)


def rapid_reset(connection: Connection) -> None:
    for number in range(3000):
        stream = 1 + 2 * number
        connection.send(frame(HEADERS, 5, stream, connection.block(connection.fields(path="/public/x"))) + reset(stream))


def made_you_reset(connection: Connection) -> None:
    for number in range(3000):
        stream = 1 + 2 * number
        connection.send(frame(HEADERS, 4, stream, connection.block(connection.fields("POST", "/public/x"))) + window_update(stream, 0))


def malformed_requests(connection: Connection) -> None:
    for number in range(3000):
        connection.send(frame(HEADERS, 5, 1 + 2 * number, connection.block([*connection.fields(), ("connection", "x")])))


def continuations(connection: Connection) -> None:
    connection.send(frame(HEADERS, 1, 1, connection.block(connection.fields())))
    for _ in range(1000):
        connection.send(frame(CONTINUATION, 0, 1, connection.block([("x", "y")])))


def empty_continuations(connection: Connection) -> None:
    connection.send(frame(HEADERS, 1, 1, connection.block(connection.fields())) + frame(CONTINUATION, 0, 1, b"") * 5000)


def header_bomb(connection: Connection) -> None:
    """One entry of the table, named ten thousand times (CVE-2016-6581)."""
    connection.send(frame(HEADERS, 1, 1, connection.block(connection.fields() + [("x-bomb", "y" * 3000)]) + b"\xbe" * 10000) + frame(CONTINUATION, 4, 1, b"\xbe" * 10000))


def late_data(connection: Connection) -> None:
    """Five million one-byte frames went through in five seconds."""
    answered_and_reset(connection)
    for _ in range(100):
        connection.send(frame(DATA, 0, 1, b"x") * 1000)


def answered_and_reset(connection: Connection) -> None:
    """The gateway answers stream 1 with 404 at once and does not read the body."""
    stream = connection.headers(connection.fields("POST", "/_gateway/nothing", [("content-length", "400000")]), end=False)
    assert connection.answer(stream).status == 404
    assert connection.until(RST_STREAM, stream)


FLOODS: list[tuple[str, Case]] = [
    ("rapid reset (CVE-2023-44487)", rapid_reset),
    ("resets that the server is made to send (CVE-2025-8671)", made_you_reset),
    ("malformed requests", malformed_requests),
    ("CONTINUATION without end (CVE-2024-27316)", continuations),
    ("empty CONTINUATION frames", empty_continuations),
    ("a compressed header that is long", header_bomb),
    ("SETTINGS (CVE-2019-9515)", lambda c: [c.send(settings((3, 100)) * 1000) for _ in range(20)]),
    ("PING (CVE-2019-9512)", lambda c: [c.send(frame(PING, payload=b"x" * 8) * 1000) for _ in range(20)]),
    ("PRIORITY (CVE-2019-9513)", lambda c: [c.send(frame(PRIORITY, 0, 1, b"\0\0\0\0\x01") * 1000) for _ in range(20)]),
    ("empty DATA (CVE-2019-9518)", lambda c: (opened(c), c.send(frame(DATA, 0, 1, b"") * 1000))),
    ("DATA on a stream that was answered and reset", late_data),
    ("WINDOW_UPDATE", lambda c: [c.send(window_update(0, 1) * 1000) for _ in range(20)]),
    ("unknown frames", lambda c: [c.send(frame(0xBF, 0, 0, b"") * 1000) for _ in range(20)]),
]


@pytest.mark.parametrize(("what", "flood"), FLOODS, ids=[flood[0] for flood in FLOODS])
def test_a_flood_ends_its_connection_and_nobody_elses(h2c, upstream, what, flood):
    """H9. The one who floods gets a GOAWAY with an error, or is cut off; a client beside it is served all the while."""
    with Connection(h2c.port) as bystander, Connection(h2c.port, timeout=60) as connection:
        assert bystander.request("GET", f"/public/{mark()}").status == 200
        flood(connection)
        end = connection.end()
        while end.goaway == NO_ERROR:
            end = connection.end()
        assert end.goaway in (ENHANCE_YOUR_CALM, h2wire.PROTOCOL_ERROR, h2wire.COMPRESSION_ERROR) or end.closed, what
        assert bystander.request("GET", f"/public/{mark()}").status == 200


@pytest.mark.parametrize("size", [16384, 1024, 16])
def test_an_upload_that_was_cut_may_have_a_window_under_way(h2c, size):
    """A client sends on until it has read the answer; its connection stays."""
    with Connection(h2c.port) as connection:
        for stream in (1, 3, 5):
            connection.headers(connection.fields("POST", "/_gateway/nothing", [("content-length", "400000")]), stream=stream, end=False)
            assert connection.answer(stream).status == 404
            assert connection.until(RST_STREAM, stream)
            for _ in range(0, 256 * 1024, 16384):
                connection.send(frame(DATA, 0, stream, b"x" * size) * (16384 // size))
        assert connection.ping()


def test_a_client_that_reads_no_answers_is_cut_off(h2c):
    """CVE-2019-9512: the answers to its PINGs pile up, but not without end."""
    with Connection(h2c.port, raw=True, receive_buffer=4096, timeout=3) as connection:
        connection.send(h2wire.PREFACE + settings())
        before = h2c.resident_kilobytes()
        try:
            for _ in range(3000):
                connection.socket.sendall(frame(PING, payload=b"x" * 8) * 100)
        except OSError:
            pass
        assert h2c.resident_kilobytes() - before < 50_000
    with Connection(h2c.port) as other:
        assert other.ping()


def test_streams_beyond_the_announced_number_are_refused(h2c):
    """5.1.2: REFUSED_STREAM, so that the client may try again."""
    with Connection(h2c.port) as connection:
        connection.until(SETTINGS, flags=ACK)
        for _ in range(129):
            connection.headers(connection.fields("POST", "/public/x"), end=False)
        while (found := connection.read()) is not None and found.kind not in (RST_STREAM, GOAWAY):
            pass
        assert found is not None and found.code in (h2wire.REFUSED_STREAM, h2wire.PROTOCOL_ERROR)


# Time limits and the end


@pytest.fixture(scope="module")
def hasty(start_gateway: StartGateway) -> Gateway:
    return start_gateway(
        {
            "server": {"http2": "prior-knowledge", "timeouts": {"header": "300ms", "idle": "600ms"}, "limits": {"bodyBytes": "32KiB"}},
            "routes": [{"path": "/**", "access": "public"}],
        },
        name="gateway-h2c-hasty",
    )


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("nothing", b""),
        ("half a preface", h2wire.PREFACE[:10]),
        ("a preface without settings", h2wire.PREFACE),
        ("a field block without its end", h2wire.PREFACE + settings() + frame(HEADERS, 0, 1, b"\x82")),
        ("half a HEADERS frame", h2wire.PREFACE + settings() + frame(HEADERS, 5, 1, b"\x82\x87\x84")[:10]),
        ("no request", h2wire.PREFACE + settings()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_client_that_is_late_is_closed(hasty, what, data):
    with Connection(hasty.port, raw=True) as connection:
        connection.send(data)
        while connection.read() is not None:
            pass
        assert connection.closed


def test_a_body_that_stalls_is_answered_with_408(hasty):
    with Connection(hasty.port) as connection:
        stream = connection.headers(connection.fields("POST", "/x"), end=False)
        connection.data(stream, b"half")
        assert connection.answer(stream).status == 408
        assert connection.until(RST_STREAM, stream).code == NO_ERROR


def test_a_client_that_opens_no_window_loses_its_stream(hasty, upstream):
    """The slow read: a window of zero holds a response for the idle limit, not longer."""
    path = f"/{mark()}"
    upstream.scripts[path] = b"HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n" + b"x" * 500000
    with Connection(hasty.port, first=settings((4, 0))) as connection:
        stream = connection.headers(connection.fields(path=path))
        answer = connection.answer(stream, credit=False)
        assert answer.reset is not None and not answer.complete


def test_a_reset_by_the_client_ends_the_request_at_the_upstream(connection, upstream):
    path = f"/public/{mark()}"
    gone = threading.Event()

    def script(client: socket.socket, _: Recording) -> bool:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
        client.settimeout(60)
        if client.recv(10) == b"":
            gone.set()
        return False

    upstream.scripts[path] = script
    stream = connection.headers(connection.fields(path=path))
    assert connection.until(DATA, stream) is not None
    connection.send(reset(stream))
    assert gone.wait(60)
    assert connection.ping()


def test_at_the_end_no_accepted_stream_is_lost(start_gateway, upstream):
    """H10, 6.8: GOAWAY, the running stream ends whole, then the connection."""
    path = f"/{mark()}"
    reached, go_on = threading.Event(), threading.Event()

    def script(client: socket.socket, _: Recording) -> bool:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
        reached.set()
        go_on.wait(60)
        client.sendall(b"world")
        return True

    upstream.scripts[path] = script
    draining = start_gateway(
        {"server": {"http2": "prior-knowledge"}, "routes": [{"path": "/**", "access": "public"}]}, name="gateway-h2c-draining"
    )
    with Connection(draining.port) as connection, Connection(draining.port) as idle:
        assert idle.ping()
        stream = connection.headers(connection.fields(path=path))
        assert reached.wait(60)
        assert connection.until(DATA, stream) is not None
        stopping = threading.Thread(target=draining.stop)
        stopping.start()
        announced = connection.until(GOAWAY)
        assert announced.code == NO_ERROR and announced.last_stream == 0x7FFFFFFF
        late = connection.headers(connection.fields("HEAD", f"/{mark()}"))
        connection.send(frame(PING, ACK, 0, b"\0" * 8))
        last = connection.until(GOAWAY)
        assert last.code == NO_ERROR and last.last_stream == late
        go_on.set()
        answer = connection.answer(stream)
        assert answer.body == b"world" and answer.complete
        while connection.read() is not None:
            pass
        assert idle.until(GOAWAY) is not None
        stopping.join(20)
        assert not draining.alive
