"""Limits, slow and broken upstreams, streaming: contract §2 `limits` and `timeouts`, §6 "Statuses", RFC 9112 6 to 9."""

from __future__ import annotations

import hashlib
import json
import socket
import struct
import threading

import pytest

import wire
from conftest import mark
from logins import page_problems, new_client, NAVIGATION
from parts.processes import eventually, free_port, settled
from parts.seed import seeded
from parts.tcp_server import TCPServer

ALL_PUBLIC = [{"path": "/**", "access": "public"}]


@pytest.fixture(scope="module")
def small(start_gateway):
    """A gateway with tight limits and short timeouts."""
    return start_gateway(
        {
            "routes": ALL_PUBLIC,
            "server": {
                "limits": {"bodyBytes": "64KiB", "headerCount": 50},
                "timeouts": {"header": "1s", "idle": "1s", "upstreamConnect": "1s", "upstreamResponse": "1s"},
            },
        },
        name="gateway-small",
    )


def get(gateway, path: str, extra: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{extra}\r\n".encode()


# --- Limits ---------------------------------------------------------------------------------------------------------


def test_a_declared_body_over_the_limit_is_413_before_it_is_read(small, upstream):
    """§2 `limits.bodyBytes` (P25)."""
    marker = mark()
    with wire.Connection(small.port) as connection:
        connection.send(f"POST /{marker} HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n".replace("Host: x", f"Host: 127.0.0.1:{small.port}").encode())
        response = connection.response()
    assert response is not None and response.status == 413
    assert not upstream.saw(marker)


def test_a_chunked_body_over_the_limit_is_cut_off(small, upstream):
    """§2 `limits.bodyBytes`: without a declared length it is counted."""
    marker = mark()
    with wire.Connection(small.port) as connection:
        connection.send(f"POST /{marker} HTTP/1.1\r\nHost: 127.0.0.1:{small.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        for _ in range(10):
            connection.send(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
        response = connection.response()
    assert response is None or response.status in (413, 502)
    assert all(len(recording.body) <= 65536 for recording in upstream.containing(marker))


def test_a_body_at_the_limit_passes(small, upstream):
    marker = mark()
    body = b"x" * 65536
    with wire.Connection(small.port) as connection:
        connection.send(f"POST /{marker} HTTP/1.1\r\nHost: 127.0.0.1:{small.port}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        response = connection.response()
    assert response is not None and response.status == 200
    assert upstream.only(marker).body == body


def test_a_long_target_is_414(small, upstream):
    """RFC 9110 15.5.15."""
    marker = mark()
    responses = wire.exchange(small.port, get(small, f"/{marker}?" + "a" * 40000))
    assert [response.status for response in responses] == [414]
    assert not upstream.saw(marker)


@pytest.mark.parametrize(
    "extra",
    ["X: " + "a" * 40000 + "\r\n", "".join(f"X-{number}: {'a' * 100}\r\n" for number in range(49)) * 10, "".join(f"X-{number}: a\r\n" for number in range(60)), "A" * 40000 + ": x\r\n"],
    ids=["one long field", "many bytes", "many fields", "a long name"],
)
def test_too_much_head_is_431(small, upstream, extra):
    """RFC 6585 5, §2 `limits.headerBytes`, `headerCount`."""
    marker = mark()
    responses = wire.exchange(small.port, get(small, f"/{marker}", extra))
    assert [response.status for response in responses] == [431]
    assert not upstream.saw(marker)


def test_a_head_that_never_ends_is_cut_off_in_time(small):
    """§2 `timeouts.header`: a client that drips bytes is answered 408 or closed, however steadily it drips."""
    with wire.Connection(small.port) as connection:
        connection.send(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{small.port}\r\n".encode())
        for _ in range(100):
            if wire.is_readable(connection.socket, 0.1):
                break
            connection.send(b"X")
        response = connection.response()
        assert response is None or response.status == 408


def test_an_idle_connection_is_closed_in_time(small):
    """§2 `timeouts.idle`."""
    with wire.Connection(small.port, timeout=60) as connection:
        response = connection.send(get(small, f"/{mark()}")).response()
        assert response is not None
        assert connection.is_closed()


# --- An upstream that misbehaves ----------------------------------------------------------------------------------------


def test_nobody_at_the_upstreams_address_is_502(start_gateway):
    """§6 "Statuses": a page for a browser, JSON otherwise."""
    gateway = start_gateway({"upstream": f"http://127.0.0.1:{free_port()}", "routes": ALL_PUBLIC})
    page = new_client().get(gateway.url("/x"), headers=NAVIGATION)
    assert page.status_code == 502 and "text/html" in page.headers["Content-Type"] and page_problems(page) == []
    answer = new_client().get(gateway.url("/x"), headers={"Accept": "application/json"})
    assert answer.status_code == 502 and answer.json()["error"]["code"] and answer.json()["error"]["request_id"]


OK = b"HTTP/1.1 200 OK\r\n"
BROKEN = [
    ("nothing at all", b""),
    ("garbage", b"hello world, this is no HTTP\r\n\r\n"),
    ("HTTP/2 frames", b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"),
    ("half a head", OK + b"Content-Le"),
    ("CL and TE (RFC 9112 6.3)", OK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    ("differing Content-Lengths", OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
    ("a bad Content-Length", OK + b"Content-Length: five\r\n\r\nhello"),
    ("a negative Content-Length", OK + b"Content-Length: -5\r\n\r\nhello"),
    ("a list of lengths that differ", OK + b"Content-Length: 5, 6\r\n\r\nhello"),
    ("obs-fold", OK + b"X: a\r\n b\r\nContent-Length: 5\r\n\r\nhello"),
    ("NUL in a value", OK + b"X: a\x00b\r\nContent-Length: 5\r\n\r\nhello"),
    ("a bare CR in a value", OK + b"X: a\rSet-Cookie: x=y\r\nContent-Length: 5\r\n\r\nhello"),
    ("a space before the colon", OK + b"Content-Length : 5\r\n\r\nhello"),
    ("a line without a colon", OK + b"nonsense\r\nContent-Length: 5\r\n\r\nhello"),
    ("an unknown transfer coding", OK + b"Transfer-Encoding: cow\r\n\r\nhello"),
    ("chunked twice", OK + b"Transfer-Encoding: chunked, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    ("a bad status", b"HTTP/1.1 2000 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ("a status of two digits", b"HTTP/1.1 20 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ("a status of letters", b"HTTP/1.1 abc OK\r\nContent-Length: 5\r\n\r\nhello"),
    ("another version", b"HTTP/3.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ("a 101 that nobody asked for (P18)", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
    ("an enormous head", OK + b"X: " + b"a" * (1 << 20) + b"\r\nContent-Length: 5\r\n\r\nhello"),
    ("head fields without end", OK + b"X: y\r\n" * 200_000),
]


@pytest.mark.parametrize(("what", "answer"), BROKEN, ids=[case[0] for case in BROKEN])
def test_an_unusable_answer_is_502(gateway, upstream, what, answer):
    """P21, §6 "Statuses": 502, with nothing of the upstream's bytes in it."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = answer
    with wire.Connection(gateway.port) as connection:
        response = connection.send(get(gateway, f"/public/{marker}")).response()
    assert response is not None and response.status == 502
    assert b"hello" not in response.body
    assert response.values("X") == [] and response.values("Set-Cookie") == []
    assert gateway.alive


TRUNCATED = [
    ("less than its Content-Length", OK + b"Content-Length: 100\r\n\r\nonly this"),
    ("a chunk cut short", OK + b"Transfer-Encoding: chunked\r\n\r\n64\r\nonly this"),
    ("no last chunk", OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\n"),
    ("a bad chunk in the middle", OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\nzz\r\nmore\r\n0\r\n\r\n"),
    ("a chunk size that overflows", OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\nffffffffffffffffff\r\nmore\r\n0\r\n\r\n"),
]


@pytest.mark.parametrize(("what", "answer"), TRUNCATED, ids=[case[0] for case in TRUNCATED])
def test_a_truncated_answer_looks_truncated(gateway, upstream, what, answer):
    """P21, RFC 9112 8: never passed on as complete."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = answer
    with wire.Connection(gateway.port) as connection:
        response = connection.send(get(gateway, f"/public/{marker}")).response()
    assert response is None or response.status == 502 or not response.complete


@pytest.mark.parametrize(("what", "answer"), TRUNCATED, ids=[case[0] for case in TRUNCATED])
def test_a_truncated_answer_ends_in_order_behind_what_was_received(gateway, upstream, what, answer):
    """The framing shows what is missing, so a reset would only take away the status line and the bytes before."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = answer
    with wire.Connection(gateway.port) as connection:
        connection.send(get(gateway, f"/public/{marker}"))
        wire.wait_for_end(connection.socket)
        received = b""
        while part := connection.socket.recv(1 << 16):  # raises when the connection was reset
            received += part
    assert received.startswith(b"HTTP/1.1 200 OK\r\n") and b"only this" in received
    assert not received.endswith(b"0\r\n\r\n")


def test_a_large_truncated_answer_reaches_a_slow_client_whole(gateway, upstream):
    """All that was received is sent before the end, however long its client takes."""
    marker, size = mark(), 4 << 20
    upstream.scripts[f"/public/{marker}"] = OK + b"Content-Length: %d\r\n\r\n" % (size + 1) + b"x" * size
    with wire.Connection(gateway.port) as connection:
        connection.send(get(gateway, f"/public/{marker}"))
        head = connection.head()
        settled(lambda: wire.unread(connection.socket), "what has arrived at the client")
        received = len(connection.some())
        while part := connection.some():
            received += len(part)
    assert head is not None and head[0] == 200 and received == size


def test_a_body_that_the_close_delimits_is_cut_off_with_a_reset(gateway, upstream):
    """HTTP/1.0 has no other sign that something is missing."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\n"
    with wire.Connection(gateway.port) as connection:
        connection.send(f"GET /public/{marker} HTTP/1.0\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
        with pytest.raises(ConnectionResetError):
            while connection.socket.recv(1 << 16):
                pass


def test_an_answer_whose_connection_breaks_while_its_client_is_slow_looks_truncated(gateway, upstream):
    """P21: its end is that of the connection, and a reset is not that end, whenever it is seen."""
    marker = mark()
    broken = threading.Event()

    def breaks(client: socket.socket, _) -> bool:
        client.sendall(OK + b"Connection: close\r\n\r\n")
        client.setblocking(False)
        # Until everything in between is full, and nobody reads it any longer.
        while wire.is_writable(client, 0.5):
            client.send(b"x" * 65_536)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        broken.set()
        return False

    upstream.scripts[f"/public/{marker}"] = breaks
    with wire.Connection(gateway.port) as connection:
        connection.send(get(gateway, f"/public/{marker}"))
        assert broken.wait(60)
        response = connection.response()
    assert response is not None and response.status == 200 and not response.complete


def test_what_an_upstream_sends_beyond_its_answer_reaches_nobody(gateway, upstream):
    """P22, RFC 9112 11.1: response-queue poisoning."""
    marker = mark()
    poison = OK + b"Content-Length: 6\r\n\r\nPOISON"

    def poisoned(client: socket.socket, _) -> bool:
        client.sendall(OK + b"Content-Length: 4\r\n\r\nmine" + poison)
        return True

    upstream.scripts[f"/public/{marker}"] = poisoned
    with wire.Connection(gateway.port) as first:
        for _ in range(5):
            response = first.send(get(gateway, f"/public/{marker}")).response()
            assert response is not None and response.body == b"mine"
            with wire.Connection(gateway.port) as second:
                other = second.send(get(gateway, f"/public/{mark()}")).response()
            assert other is not None and b"POISON" not in other.body


@pytest.mark.parametrize("answer", [OK + b"Content-Length: 5\r\n\r\nhello", b"HTTP/1.1 204 No Content\r\n\r\n", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"], ids=["HEAD", "204", "304"])
def test_an_answer_without_a_body_has_none(gateway, upstream, answer):
    """P20, RFC 9112 6.3(1): the bytes after it are not its body, nor the next answer."""
    marker = mark()
    method = "HEAD" if b"hello" in answer else "GET"

    def script(client: socket.socket, _) -> bool:
        client.sendall(answer)
        return True

    upstream.scripts[f"/public/{marker}"] = script
    with wire.Connection(gateway.port) as connection:
        response = connection.send(f"{method} /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode()).response(method)
        assert response is not None and response.status in (200, 204, 304)
        following = connection.send(get(gateway, f"/public/{mark()}")).response()
        assert following is not None and following.status == 200 and b"hello" not in following.body


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("field", [b"Content-Length: 4", b"Transfer-Encoding: chunked"])
def test_a_204_with_a_body_is_delivered_without_it(gateway, upstream, method, field):
    """RFC 9112 6.3(1), RFC 9110 8.6: no length, no bytes, and the upstream's connection is not used again."""
    marker = mark()
    body = b"oops" if b"Length" in field else b"4\r\noops\r\n0\r\n\r\n"
    answered, ended = threading.Event(), threading.Event()

    def script(client: socket.socket, _) -> bool:
        client.sendall(b"HTTP/1.1 204 No Content\r\n" + field + b"\r\n\r\n")
        assert answered.wait(60)  # when the connection might be in the pool
        try:
            client.sendall(body)
            client.settimeout(30)
            if client.recv(1) == b"":
                ended.set()
        except ConnectionResetError:
            ended.set()
        return False

    upstream.scripts[f"/public/{marker}"] = script
    with wire.Connection(gateway.port) as connection:
        connection.send(f"{method} /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
        response = connection.response(method)
        assert response is not None and response.status == 204
        assert response.values("Content-Length") == [] and response.values("Transfer-Encoding") == []
        answered.set()
        following = connection.send(get(gateway, f"/public/{mark()}")).response()
        assert following is not None and following.status == 200 and b"oops" not in following.body
    assert ended.wait(60)


def test_a_late_head_is_504(small, upstream):
    """§2 `timeouts.upstreamResponse`, §6 "Statuses"."""
    marker = mark()

    upstream.scripts[f"/{marker}"] = lambda client, _: bool(client.recv(1))  # until the gateway closes the connection
    with wire.Connection(small.port) as connection:
        response = connection.send(get(small, f"/{marker}", "Accept: application/json\r\n")).response()
    assert response is not None and response.status == 504
    assert json.loads(response.body)["error"]["code"] == "proxy/gateway-timeout"


def test_a_body_is_not_bounded_by_the_time_limit_of_the_head(start_gateway, upstream):
    """§6 "Forwarding": `upstreamResponse` bounds the head only."""
    gateway = start_gateway({"routes": ALL_PUBLIC, "server": {"timeouts": {"upstreamResponse": "500ms"}}})
    marker = mark()

    def pauses(client: socket.socket, _) -> bool:
        client.sendall(OK + b"Content-Length: 10\r\n\r\n")
        closed = wire.is_readable(client, 1.0)  # twice the limit
        client.sendall(b"first last" if not closed else b"")
        return not closed

    upstream.scripts[f"/{marker}"] = pauses
    with wire.Connection(gateway.port) as connection:
        response = connection.send(get(gateway, f"/{marker}")).response()
    assert response is not None and response.body == b"first last" and response.complete


def test_a_body_that_stalls_falls_to_the_idle_timeout(small, upstream):
    """§6 "Forwarding": after the head, `idle` counts."""
    marker = mark()

    def stalls(client: socket.socket, _) -> bool:
        client.sendall(OK + b"Content-Length: 10\r\n\r\nfirst")
        return bool(client.recv(1))  # until the gateway closes the connection

    upstream.scripts[f"/{marker}"] = stalls
    with wire.Connection(small.port) as connection:
        response = connection.send(get(small, f"/{marker}")).response()
    assert response is not None and response.body == b"first" and not response.complete


def test_an_http_1_0_upstream_is_understood(gateway, upstream):
    """RFC 9112 2.3, 6.3: a body that ends with the connection."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end"
    with wire.Connection(gateway.port) as connection:
        response = connection.send(get(gateway, f"/public/{marker}", "Connection: close\r\n")).response()
    assert response is not None and response.status == 200 and response.body == b"until the end" and response.complete


def test_an_interim_answer_goes_through_to_1_1_and_not_to_1_0(gateway, upstream):
    """P18, RFC 9110 15.2."""
    for version, seen in (("1.1", 103), ("1.0", 200)):
        marker = mark()
        upstream.scripts[f"/public/{marker}"] = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok"
        with wire.Connection(gateway.port) as connection:
            connection.send(f"GET /public/{marker} HTTP/{version}\r\nHost: 127.0.0.1:{gateway.port}\r\n\r\n".encode())
            head = connection.head()
        assert head is not None and head[0] in (seen, 200)
        if version == "1.0":
            assert head[0] == 200


def test_a_pooled_connection_that_the_upstream_closed_is_not_an_error(gateway, upstream):
    """P23: an idempotent request that met a connection just closed is sent once more on a fresh one."""
    marker = mark()
    upstream.scripts[f"/public/{marker}"] = lambda client, _: client.sendall(OK + b"Content-Length: 2\r\n\r\nok") or False
    with wire.Connection(gateway.port) as connection:
        for _ in range(20):
            response = connection.send(get(gateway, f"/public/{marker}")).response()
            assert response is not None and response.status == 200


class ClosingApp(TCPServer):
    """Answers the first request of each connection, and closes the connection: at once, or when it has read of the second request what
    `after` says. The answer to a further request on a fresh connection counts."""

    def __init__(self, after: str) -> None:
        self.after = after
        self.bodies: list[bytes] = []
        self.lock = threading.Lock()
        self.closings = 0
        super().__init__()

    def serve(self, client: socket.socket) -> None:
        with client, client.makefile("rb") as reader:
            try:
                body = self._body(reader, self._head(reader))
                with self.lock:
                    self.bodies.append(body)
                client.sendall(OK + b"Content-Length: 2\r\n\r\nok")
                if self.after == "answer":
                    return
                head = self._head(reader)
                if self.after == "body":
                    self._body(reader, head)
                elif self.after == "half":
                    reader.read(1)
                if head:
                    with self.lock:
                        self.closings += 1
            except (OSError, ValueError):
                pass

    def _head(self, reader) -> bytes:
        head = b""
        while line := reader.readline():
            head += line
            if line == b"\r\n":
                break
        return head

    def _body(self, reader, head: bytes) -> bytes:
        if b"chunked" in head.lower():
            body = b""
            while size := int(reader.readline(), 16):
                body += reader.read(size)
                reader.readline()
            reader.readline()
            return body
        length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        return reader.read(int(length[0].split(b":")[1])) if length else b""


def put(gateway, body: bytes, method: str = "PUT", chunked: bool = False) -> bytes:
    framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}"
    if chunked:
        parts = [body[start : start + 5000] for start in range(0, len(body), 5000)]
        body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    return f"{method} /put HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{framing}\r\n\r\n".encode() + body


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
@pytest.mark.parametrize("after", ["answer", "head", "half", "body"])
def test_a_put_on_a_kept_connection_that_the_upstream_closes_is_sent_once_more(start_gateway, after, chunked):
    """RFC 9110 9.2.2: idempotent, and its body of up to 64 KiB has been kept."""
    app = ClosingApp(after)
    gateway = start_gateway({"upstream": app.origin, "routes": ALL_PUBLIC})
    bodies = [bytes([number]) * size for number, size in enumerate([1, 100, 30_000, 65_536] * 10)]
    with wire.Connection(gateway.port) as connection:
        for body in bodies:
            response = connection.send(put(gateway, body, chunked=chunked)).response()
            assert response is not None and response.status == 200
    assert app.bodies == bodies
    assert after == "answer" or app.closings > 0
    gateway.stop()
    app.close()


def test_a_put_whose_body_comes_slowly_is_sent_once_more_whole(start_gateway):
    """What was sent is sent again, then the rest."""
    app = ClosingApp("half")
    gateway = start_gateway({"upstream": app.origin, "routes": ALL_PUBLIC})
    with wire.Connection(gateway.port) as connection:
        assert connection.send(put(gateway, b"first")).response().status == 200
        request = put(gateway, b"a" * 1000 + b"b" * 1000)
        connection.send(request[:-1000])
        eventually(lambda: app.closings == 1, "the kept connection is closed")
        connection.send(request[-1000:])
        assert connection.response().status == 200
    assert app.bodies == [b"first", b"a" * 1000 + b"b" * 1000]
    gateway.stop()
    app.close()


@pytest.mark.parametrize(("method", "size"), [("POST", 10), ("PATCH", 10), ("PUT", 65_537)])
def test_what_may_have_had_an_effect_or_is_too_large_is_not_sent_again(start_gateway, method, size):
    app = ClosingApp("head")
    gateway = start_gateway({"upstream": app.origin, "routes": ALL_PUBLIC})
    with wire.Connection(gateway.port) as connection:
        assert connection.send(put(gateway, b"first")).response().status == 200
        response = connection.send(put(gateway, b"x" * size, method)).response()
        assert response is not None and response.status == 502
    assert app.bodies == [b"first"]
    gateway.stop()
    app.close()


# --- Streaming ------------------------------------------------------------------------------------------------------


def test_the_first_bytes_arrive_before_the_last_are_sent(gateway, upstream):
    """design §4.7: bodies stream; server-sent events depend on it."""
    marker = mark()
    go_on = threading.Event()

    def events(client: socket.socket, _) -> bool:
        client.sendall(OK + b"Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n")
        assert go_on.wait(60)
        client.sendall(b"9\r\ndata: 2\n\n\r\n0\r\n\r\n")
        return True

    upstream.scripts[f"/public/{marker}"] = events
    with wire.Connection(gateway.port) as connection:
        connection.send(get(gateway, f"/public/{marker}"))
        head = connection.head()
        assert head is not None and head[0] == 200
        first = connection.some()
        assert b"data: 1" in first and b"data: 2" not in first
        go_on.set()
        rest = b""
        while b"data: 2" not in rest:
            more = connection.some()
            assert more
            rest += more


def test_a_head_does_not_wait_for_a_body_that_is_late(gateway, upstream):
    """It waits for one that comes at once, so that both are one packet."""
    marker = mark()
    go_on = threading.Event()

    def late(client: socket.socket, _) -> bool:
        client.sendall(OK + b"Content-Length: 4\r\n\r\n")
        assert go_on.wait(60)
        client.sendall(b"late")
        return True

    upstream.scripts[f"/public/{marker}"] = late
    with wire.Connection(gateway.port) as connection:
        connection.send(get(gateway, f"/public/{marker}"))
        head = connection.head()
        assert head is not None and head[0] == 200
        go_on.set()
        assert connection.some() == b"late"


def test_an_upload_streams_too(gateway, upstream):
    """design §4.7: the upstream has the first half while the client still holds the second."""
    marker = mark()
    path = f"/public/{marker}"
    first, second = b"a" * 1000, b"b" * 1000
    with wire.Connection(gateway.port) as connection:
        connection.send(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nContent-Length: 2000\r\n\r\n".encode() + first)
        eventually(lambda: upstream.saw("a" * 1000), "the first half is at the upstream")
        response = connection.send(second).response()
    assert response is not None and response.status == 200
    assert upstream.only(marker).body == first + second


@pytest.mark.parametrize("chunked", [False, True], ids=["Content-Length", "chunked"])
def test_big_bodies_go_both_ways_unchanged_and_are_not_held_in_memory(gateway, upstream, chunked):
    """design §4.7: backpressure; 48 MiB each way must not become 48 MiB of memory."""
    size, block = 48 << 20, seeded("body").randbytes(1 << 16)
    marker = mark()
    digest = hashlib.sha256()

    def echo_size(client: socket.socket, recording) -> bool:
        client.sendall(OK + f"Content-Length: {len(recording.body)}\r\n\r\n".encode() + recording.body)
        return True

    upstream.scripts[f"/public/{marker}"] = echo_size
    before = gateway.resident_kilobytes()
    with wire.Connection(gateway.port, timeout=60) as connection:
        framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {size}"
        connection.send(f"POST /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{framing}\r\n\r\n".encode())
        for _ in range(size // len(block)):
            digest.update(block)
            connection.send(b"%x\r\n%b\r\n" % (len(block), block) if chunked else block)
        if chunked:
            connection.send(b"0\r\n\r\n")
        head = connection.head()
        assert head is not None and head[0] == 200
        # The client does not read: the gateway must not read on for it.
        settled(lambda: (wire.unread(connection.socket), gateway.resident_kilobytes() // 64), "what the gateway holds", readings=20)
        held = gateway.resident_kilobytes() - before
        received, arrived = 0, hashlib.sha256()
        while received < size:
            data = connection.some()
            assert data, f"ended after {received} bytes"
            received += len(data)
            arrived.update(data)
    assert arrived.digest() == digest.digest()
    assert held < 24 * 1024, f"{held} KiB held for one slow reader"


def test_a_client_that_leaves_takes_its_upstream_request_with_it(gateway, upstream):
    """Nothing is kept alive for nobody."""
    marker = mark()
    ended = threading.Event()

    def endless(client: socket.socket, _) -> bool:
        client.sendall(OK + b"Transfer-Encoding: chunked\r\n\r\n")
        try:
            while True:
                client.sendall(b"5\r\nhello\r\n")
        except OSError:
            ended.set()
        return False

    upstream.scripts[f"/public/{marker}"] = endless
    with wire.Connection(gateway.port) as connection:
        connection.send(get(gateway, f"/public/{marker}"))
        assert connection.head() is not None
    assert ended.wait(60)
