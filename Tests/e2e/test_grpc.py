"""gRPC behind the gateway, with the stock library as the app: all four kinds of calls, errors, cancelling, deadlines."""

from __future__ import annotations

import concurrent.futures
import struct
import threading

import grpc
import pytest

import wire
from conftest import mark
from parts.certificates import Authority
from parts.processes import eventually, free_port

SERVICE = "test.Echo"


class Echo(grpc.GenericRpcHandler):
    """Messages are plain bytes: no generated code is needed for what this is about."""

    def __init__(self) -> None:
        self.cancelled = threading.Event()
        self.metadata: list[tuple[str, str]] = []
        self.chunks: list[bytes] = []

    def service(self, details: grpc.HandlerCallDetails):
        name = details.method.rsplit("/", 1)[-1]
        self.metadata = list(details.invocation_metadata)
        return {
            "Unary": grpc.unary_unary_rpc_method_handler(self.unary),
            "Fail": grpc.unary_unary_rpc_method_handler(self.fail),
            "Count": grpc.unary_stream_rpc_method_handler(self.count),
            "Join": grpc.stream_unary_rpc_method_handler(self.join),
            "Chat": grpc.stream_stream_rpc_method_handler(self.chat),
            "Forever": grpc.unary_stream_rpc_method_handler(self.forever),
        }.get(name)

    def unary(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        context.send_initial_metadata((("x-initial", "1"),))
        context.set_trailing_metadata((("x-trailing", "2"), ("x-data-bin", b"\x00\xff")))
        return request[::-1]

    def fail(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "not today: ümlaut")

    def count(self, request: bytes, context: grpc.ServicerContext):
        for number in range(int(request)):
            yield b"%d" % number

    def join(self, requests, context: grpc.ServicerContext) -> bytes:
        return b",".join(requests)

    def chat(self, requests, context: grpc.ServicerContext):
        for request in requests:
            self.chunks.append(request)
            yield b"re: " + request

    def forever(self, request: bytes, context: grpc.ServicerContext):
        context.add_callback(self.cancelled.set)
        while context.is_active():
            yield b"tick"
            self.cancelled.wait(0.02)


@pytest.fixture(scope="module")
def echo():
    handler = Echo()
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(8), handlers=[handler])
    handler.port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield handler
    server.stop(0).wait()


@pytest.fixture(scope="module")
def grpc_gateway(start_gateway, echo):
    return start_gateway(
        {
            "upstream": f"h2c://127.0.0.1:{echo.port}",
            "routes": [{"path": f"/{SERVICE}/**", "access": "public"}, {"path": "/**", "access": "public"}],
        },
        name="gateway-grpc",
    )


# --- An HTTP/1.1 client with trailers ---------------------------------------------------------------------------------


def frame(message: bytes) -> bytes:
    return b"\0" + struct.pack(">I", len(message)) + message


def messages(body: bytes) -> list[bytes]:
    found = []
    while body:
        length = struct.unpack(">I", body[1:5])[0]
        found.append(body[5 : 5 + length])
        body = body[5 + length :]
    return found


def call(gateway, method: str, *requests: bytes) -> tuple[list[tuple[str, str]], list[bytes], dict[str, str]]:
    """Headers, messages and trailers of a call over HTTP/1.1."""
    with wire.Connection(gateway.port) as connection:
        connection.send(
            f"POST /{SERVICE}/{method} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nTE: trailers\r\n"
            "Content-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        for request in requests:
            data = frame(request)
            connection.send(b"%x\r\n%b\r\n" % (len(data), data))
        connection.send(b"0\r\n\r\n")
        status, headers = connection.head()
        assert status == 200
        if dict(headers).get("content-length") == "0":
            return headers, [], dict(headers)
        body = b""
        while size := int(connection._line().split(b";")[0], 16):
            data, complete = connection._exactly(size + 2)
            assert complete
            body += data[:size]
        trailers = {}
        while line := connection._line():
            name, _, value = line.decode().partition(":")
            trailers[name] = value.strip()
        return headers, messages(body), trailers


def test_a_unary_call_with_its_status_in_the_trailers(grpc_gateway, echo):
    """Issue 3 point 7: trailers arrive as trailers; te: trailers reaches the app."""
    headers, answers, trailers = call(grpc_gateway, "Unary", b"hello")
    assert answers == [b"olleh"]
    assert trailers["grpc-status"] == "0" and trailers["x-trailing"] == "2"
    assert dict(headers)["x-initial"] == "1"
    assert ("x-forwarded-proto", "http") in echo.metadata


def test_an_error_without_a_message_is_headers_alone(grpc_gateway):
    """The trailers-only form."""
    headers, answers, trailers = call(grpc_gateway, "Fail", b"")
    assert answers == [] and trailers["grpc-status"] == "9" and trailers["grpc-message"].startswith("not today")


def test_an_unknown_method_is_the_apps_to_refuse(grpc_gateway):
    _, answers, trailers = call(grpc_gateway, "Nothing", b"")
    assert answers == [] and trailers["grpc-status"] == "12"


def test_streams_of_messages_both_ways(grpc_gateway):
    assert call(grpc_gateway, "Count", b"200")[1] == [b"%d" % number for number in range(200)]
    assert call(grpc_gateway, "Join", b"a", b"b", b"c")[1] == [b"a,b,c"]
    assert call(grpc_gateway, "Chat", b"1", b"2", b"3")[1] == [b"re: 1", b"re: 2", b"re: 3"]
    big = bytes(range(256)) * 8192
    assert call(grpc_gateway, "Unary", big)[1] == [big[::-1]]


def test_messages_are_not_held_back(grpc_gateway, echo):
    """A bidirectional stream over HTTP/1.1: each answer arrives before the next question is sent."""
    with wire.Connection(grpc_gateway.port) as connection:
        connection.send(
            f"POST /{SERVICE}/Chat HTTP/1.1\r\nHost: 127.0.0.1:{grpc_gateway.port}\r\nTE: trailers\r\n"
            "Content-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        for word in (mark().encode(), mark().encode()):
            data = frame(word)
            connection.send(b"%x\r\n%b\r\n" % (len(data), data))
            eventually(lambda: word in echo.chunks, "the app has the message")
        connection.send(b"0\r\n\r\n")
        assert connection.head()[0] == 200


def test_a_client_that_leaves_cancels_the_call(grpc_gateway, echo):
    echo.cancelled.clear()
    with wire.Connection(grpc_gateway.port) as connection:
        data = frame(b"")
        connection.send(
            f"POST /{SERVICE}/Forever HTTP/1.1\r\nHost: 127.0.0.1:{grpc_gateway.port}\r\nTE: trailers\r\n"
            "Content-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data)
        )
        assert connection.head()[0] == 200
    assert echo.cancelled.wait(60)


# --- The stock client: HTTP/2 on both sides ----------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["tls", "prior-knowledge"])
def channel(request, start_gateway, echo, folder, dev):
    """A channel of the library to the app, through the gateway."""
    port = free_port()
    server = {"listen": f"127.0.0.1:{port}"}
    options = [("grpc.enable_http_proxy", 0)]
    if request.param == "tls":
        authority = Authority(folder, "grpc-ca")
        server |= {"publicURL": f"https://localhost:{port}", "tls": authority.issue("grpc", ["localhost"]).keys}
        credentials = grpc.ssl_channel_credentials(authority.file.read_bytes())
        channel = grpc.secure_channel(f"localhost:{port}", credentials, options)
    else:
        server |= {"http2": "prior-knowledge"}
        channel = grpc.insecure_channel(f"127.0.0.1:{port}", options)
    start_gateway(
        {
            "server": server,
            "upstream": f"h2c://127.0.0.1:{echo.port}",
            "providers": [dev.configuration],
            "routes": [{"path": f"/{SERVICE}/**", "access": "public"}],
        },
        port=port,
        name=f"gateway-grpc-{request.param}",
    )
    yield channel
    channel.close()


def test_the_stock_client_makes_all_kinds_of_calls(channel, echo):
    """Issue 3 point 7: gRPC end to end."""
    answer, call = channel.unary_unary(f"/{SERVICE}/Unary").with_call(b"hello", timeout=60)
    assert answer == b"olleh"
    assert ("x-initial", "1") in call.initial_metadata()
    assert ("x-trailing", "2") in call.trailing_metadata() and ("x-data-bin", b"\x00\xff") in call.trailing_metadata()
    assert list(channel.unary_stream(f"/{SERVICE}/Count")(b"300", timeout=60)) == [b"%d" % number for number in range(300)]
    assert channel.stream_unary(f"/{SERVICE}/Join")(iter([b"a", b"b", b"c"]), timeout=60) == b"a,b,c"
    big = bytes(range(256)) * 12000
    assert channel.unary_unary(f"/{SERVICE}/Unary")(big, timeout=60) == big[::-1]


def test_the_stock_clients_messages_are_not_held_back(channel):
    """Each question follows the answer to the one before."""
    answers: list[bytes] = []
    got = threading.Condition()

    def questions():
        for number in range(20):
            yield b"%d" % number
            with got:
                assert got.wait_for(lambda: len(answers) > number, timeout=60)

    for answer in channel.stream_stream(f"/{SERVICE}/Chat")(questions(), timeout=60):
        with got:
            answers.append(answer)
            got.notify()
    assert answers == [b"re: %d" % number for number in range(20)]


def test_the_stock_client_gets_the_apps_status(channel):
    """The trailers-only form too."""
    with pytest.raises(grpc.RpcError) as error:
        channel.unary_unary(f"/{SERVICE}/Fail")(b"", timeout=60)
    assert error.value.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert error.value.details() == "not today: ümlaut"
    with pytest.raises(grpc.RpcError) as error:
        channel.unary_unary(f"/{SERVICE}/Nothing")(b"", timeout=60)
    assert error.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_the_stock_client_cancels(channel, echo):
    echo.cancelled.clear()
    call = channel.unary_stream(f"/{SERVICE}/Forever")(b"", timeout=60)
    assert next(call) == b"tick"
    call.cancel()
    assert echo.cancelled.wait(60)


def test_what_the_gateway_refuses_is_a_status_to_the_stock_client(channel):
    """A 401 is UNAUTHENTICATED to gRPC."""
    with pytest.raises(grpc.RpcError) as error:
        channel.unary_unary("/other.Service/Method")(b"", timeout=60)
    assert error.value.code() == grpc.StatusCode.UNAUTHENTICATED


def test_the_stock_clients_metadata_reaches_the_app(channel, echo):
    metadata = (("x-mine", "1"), ("x-blob-bin", b"\x01\xfe"))
    channel.unary_unary(f"/{SERVICE}/Unary")(b"", timeout=60, metadata=metadata)
    assert ("x-mine", "1") in echo.metadata and ("x-blob-bin", b"\x01\xfe") in echo.metadata


def test_the_stock_client_makes_many_calls_at_once(channel):
    """Streams share connections on both sides, and no answer is mixed up."""
    unary = channel.unary_unary(f"/{SERVICE}/Unary")
    calls = [unary.future(b"%d" % number, timeout=60) for number in range(200)]
    assert [call.result() for call in calls] == [(b"%d" % number)[::-1] for number in range(200)]


def test_the_stock_clients_deadline_reaches_the_app(channel, echo):
    echo.cancelled.clear()
    with pytest.raises(grpc.RpcError) as late:
        list(channel.unary_stream(f"/{SERVICE}/Forever")(b"", timeout=1))
    assert late.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    assert echo.cancelled.wait(60)


def test_an_app_that_is_gone_is_unavailable_to_the_stock_client(start_gateway):
    """502 is what a gRPC client takes for UNAVAILABLE."""
    gateway = start_gateway(
        {
            "upstream": f"h2c://127.0.0.1:{free_port()}",
            "server": {"http2": "prior-knowledge"},
            "routes": [{"path": "/**", "access": "public"}],
        }
    )
    options = [("grpc.enable_http_proxy", 0)]
    with grpc.insecure_channel(f"127.0.0.1:{gateway.port}", options) as channel, pytest.raises(grpc.RpcError) as gone:
        channel.unary_unary(f"/{SERVICE}/Unary")(b"", timeout=60)
    gateway.stop()
    assert gone.value.code() == grpc.StatusCode.UNAVAILABLE
