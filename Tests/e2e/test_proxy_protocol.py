"""`server.proxyProtocol`: who connects is what a trusted proxy says, before the first byte of HTTP."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct

import h2.connection
import h2.events
import pytest
from conftest import mark
from h2wire import trusting
from parts.certificates import Authority
from parts.processes import eventually, free_port
from test_lifecycle import drain
from wire import wait_until_read

GET = b"GET /%s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"


def v1(client: str = "192.0.2.7", family: str = "TCP4", server: str = "198.51.100.1") -> bytes:
    return f"PROXY {family} {client} {server} 56324 443\r\n".encode()


def v2(command: int, family: int, payload: bytes) -> bytes:
    return SIGNATURE + bytes([0x20 | command, family]) + struct.pack("!H", len(payload)) + payload


V2_IPV4 = socket.inet_aton("192.0.2.9") + socket.inet_aton("198.51.100.1") + struct.pack("!HH", 56324, 443)
V2_IPV6 = socket.inet_pton(socket.AF_INET6, "2001:db8::7") + socket.inet_pton(socket.AF_INET6, "2001:db8::1") + struct.pack("!HH", 1, 443)


@pytest.fixture(scope="module")
def behind_proxy(start_gateway):
    return start_gateway(
        {
            "routes": [{"path": "/**", "access": "public"}],
            "server": {
                "proxyProtocol": "required",
                "trustedProxies": ["127.0.0.1/32"],
                "limits": {"connectionsPerAddress": 2},
                "timeouts": {"header": "1s"},
            },
        },
        name="gateway-proxy-protocol",
    )


def logged(gateway, text: str) -> bool:
    """Whether the log has it, which is written beside the requests."""
    return eventually(lambda: text in gateway.log, f"{text} in the log")


def send(gateway, *parts: bytes, source: str = "127.0.0.1") -> bytes:
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=60, source_address=(source, 0)) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(OSError):
            for part in parts:
                client.sendall(part)
                # Each part is read by itself.
                if len(parts) > 1:
                    wait_until_read(client)
        return drain(client)


@pytest.mark.parametrize(
    ("header", "peer"),
    [
        (v1(), "192.0.2.7"),
        (v1("2001:db8::7", "TCP6", "2001:db8::1"), "2001:db8::7"),
        (v2(1, 0x11, V2_IPV4), "192.0.2.9"),
        (v2(1, 0x11, V2_IPV4 + b"\x05\x00\x03abc"), "192.0.2.9"),
        (v2(1, 0x21, V2_IPV6), "2001:db8::7"),
        (b"PROXY UNKNOWN\r\n", "127.0.0.1"),
        (v2(0, 0x00, b""), "127.0.0.1"),
    ],
)
def test_the_address_that_the_proxy_names_is_the_peer(behind_proxy, upstream, header, peer):
    marker = mark()
    assert send(behind_proxy, header + GET % marker.encode()).startswith(b"HTTP/1.1 200 ")
    assert upstream.only(marker).value("X-Forwarded-For") == peer
    # Cut anywhere, it is the same.
    marker = mark()
    assert send(behind_proxy, header[:7], header[7:], GET % marker.encode()).startswith(b"HTTP/1.1 200 ")
    assert upstream.only(marker).value("X-Forwarded-For") == peer


def test_the_client_that_was_named_is_no_trusted_proxy(behind_proxy, upstream):
    """What it writes into X-Forwarded-For itself is dropped, as for any client."""
    marker = mark()
    request = f"GET /{marker} HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 203.0.113.1\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n".encode()
    assert send(behind_proxy, v1() + request).startswith(b"HTTP/1.1 200 ")
    assert upstream.only(marker).value("X-Forwarded-For") == "192.0.2.7"
    assert upstream.only(marker).value("X-Forwarded-Proto") == "http"


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (b"", "proxy-protocol-missing"),
        (v1().replace(b"\r\n", b"\n"), "proxy-protocol-malformed"),
        (v1("192.0.2.300"), "proxy-protocol-malformed"),
        (b"PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n", "proxy-protocol-unsupported"),
        (v2(1, 0x11, V2_IPV4[:-1]), "proxy-protocol-malformed"),
        (SIGNATURE + b"\x21\x11\xff\xff", "proxy-protocol-too-long"),
    ],
)
def test_a_trusted_proxy_without_a_proper_header_is_closed(behind_proxy, upstream, first, reason):
    marker = mark()
    assert send(behind_proxy, first + GET % marker.encode()) == b""
    assert not upstream.saw(marker)
    assert logged(behind_proxy, f'"reason":"{reason}"')


def test_a_header_that_does_not_come_is_not_waited_for(behind_proxy):
    """`timeouts.header` counts from the connection on."""
    with socket.create_connection(("127.0.0.1", behind_proxy.port), timeout=60) as client:
        client.sendall(b"PROXY ")
        assert drain(client) == b""


def test_a_peer_that_is_not_trusted_is_closed_whatever_it_sends(behind_proxy, upstream):
    marker = mark()
    for data in (v1() + GET % marker.encode(), GET % marker.encode()):
        assert send(behind_proxy, data, source="127.0.0.2") == b""
    assert not upstream.saw(marker)
    assert logged(behind_proxy, "proxy-protocol-untrusted-peer")


def test_connections_are_limited_by_the_address_that_was_named(behind_proxy):
    """limits.connectionsPerAddress: an IPv6 /64 is one, another address is not kept out, who leaves makes room."""

    def hold(header: bytes) -> socket.socket:
        client = socket.create_connection(("127.0.0.1", behind_proxy.port), timeout=60)
        client.sendall(header + b"GET /held HTTP/1.1\r\nHost: h\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
        return client

    held = [hold(v1(f"2001:db8:0:5::{number}", "TCP6", "2001:db8::1")) for number in (1, 2)]
    one_more = v1("2001:db8:0:5:ffff::3", "TCP6", "2001:db8::1") + GET % b"x"
    assert send(behind_proxy, one_more) == b""
    assert logged(behind_proxy, "too-many-connections-of-address")
    assert send(behind_proxy, v1("2001:db8:0:6::1", "TCP6", "2001:db8::1") + GET % b"x").startswith(b"HTTP/1.1 200 ")
    held.pop().close()
    eventually(lambda: send(behind_proxy, one_more).startswith(b"HTTP/1.1 200 "), "a connection that left makes room")
    for client in held:
        client.close()


def test_on_a_local_socket_the_file_system_says_who_may(start_gateway, upstream, tmp_path):
    path = tmp_path / "g.sock"
    start_gateway({"routes": [{"path": "/**", "access": "public"}], "server": {"listen": f"unix:{path}", "proxyProtocol": "required"}})
    marker = mark()
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(str(path))
        client.sendall(v1() + GET % marker.encode())
        assert drain(client).startswith(b"HTTP/1.1 200 ")
    assert upstream.only(marker).value("X-Forwarded-For") == "192.0.2.7"


@pytest.mark.parametrize("together", [True, False], ids=["in one packet", "apart"])
@pytest.mark.parametrize("protocol", ["http/1.1", "h2"])
def test_under_tls_the_header_comes_before_the_handshake(start_gateway, folder, upstream, protocol, together):
    """The same for HTTP/1.1 and HTTP/2: header, handshake, requests."""
    authority = Authority(folder, f"ca-{mark()}")
    local = authority.issue(f"proxied-{mark()}", ["localhost"])
    port = free_port()
    start_gateway(
        {
            "server": {
                "publicURL": f"https://localhost:{port}",
                "tls": local.keys,
                "proxyProtocol": "required",
                "trustedProxies": ["127.0.0.1/32"],
            },
            "routes": [{"path": "/**", "access": "public"}],
        },
        port=port,
    )
    context = trusting(str(authority.file))
    context.set_alpn_protocols([protocol])
    # The handshake's first bytes are taken out of the TLS engine, so that they can go with the header or after it.
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def run(action):
            while True:
                try:
                    result = action()
                except ssl.SSLWantReadError:
                    result = None
                if out := outgoing.read():
                    client.sendall(out)
                if result is not None:
                    return result
                data = client.recv(65536)
                assert data, "the gateway closed"
                incoming.write(data)

        with contextlib.suppress(ssl.SSLWantReadError):
            tls.do_handshake()
        if together:
            client.sendall(v1() + outgoing.read())
        else:
            client.sendall(v1())
            wait_until_read(client)
            client.sendall(outgoing.read())

        def finish() -> bool:
            tls.do_handshake()
            return True

        run(finish)
        assert tls.selected_alpn_protocol() == protocol
        marker = mark()
        if protocol == "http/1.1":
            run(lambda: tls.write(f"GET /{marker} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()))
            assert run(lambda: tls.read(12)) == b"HTTP/1.1 200"
        else:
            http2 = h2.connection.H2Connection()
            http2.initiate_connection()
            http2.send_headers(
                1, [(":method", "GET"), (":scheme", "https"), (":authority", f"localhost:{port}"), (":path", f"/{marker}")], end_stream=True
            )
            run(lambda: tls.write(http2.data_to_send()))
            status = None
            while status is None:
                for event in http2.receive_data(run(lambda: tls.read(65536))):
                    if isinstance(event, h2.events.ResponseReceived):
                        status = dict(event.headers)[b":status"]
            assert status == b"200"
    assert upstream.only(marker).value("X-Forwarded-For") == "192.0.2.7"
    assert upstream.only(marker).value("X-Forwarded-Proto") == "https"
