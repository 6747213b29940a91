"""A client of Envoy's `ext_authz` over gRPC: the few fields of its messages that the tests need (envoy.service.auth.v3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import grpc

METHOD = "/envoy.service.auth.v3.Authorization/Check"


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def _field(number: int, value: bytes | str | dict[int, object]) -> bytes:
    data = value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else message(value)
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def message(fields: dict[int, object]) -> bytes:
    """A message whose fields are texts, messages, or lists of these."""
    return b"".join(_field(number, one) for number, value in fields.items() for one in (value if isinstance(value, list) else [value]))


def _read(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Numbers and values of the fields; values of four and eight bytes do not occur."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            assert key & 7 == 2, f"a field of wire type {key & 7}"
            size = varint()
            yield key >> 3, data[at : at + size]
            at += size


def _only(data: bytes, number: int) -> bytes:
    return next((value for found, value in _read(data) if found == number and isinstance(value, bytes)), b"")


def _number(data: bytes, number: int) -> int:
    return next((value for found, value in _read(data) if found == number and isinstance(value, int)), 0)


@dataclass
class Check:
    """`status`: 200 for a request that may pass, otherwise that of the answer to the client. `headers`: for the upstream, or for the client."""

    status: int
    headers: list[tuple[str, str]] = field(default_factory=list)
    client_headers: list[tuple[str, str]] = field(default_factory=list)


def _headers(data: bytes, number: int) -> list[tuple[str, str]]:
    options = [_only(value, 1) for found, value in _read(data) if found == number and isinstance(value, bytes)]
    return [(_only(option, 1).decode(), _only(option, 2).decode()) for option in options]


def check(address: str, host: str, path: str, headers: dict[str, str], method: str = "GET") -> Check:
    """Asks about one request of a client at 192.0.2.7."""
    entries = [{1: name.lower(), 2: value} for name, value in headers.items()]
    http = {1: "1", 2: method, 3: entries, 4: path, 5: host, 6: "http"}
    source = {1: {1: {2: "192.0.2.7"}}}
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        answer: bytes = channel.unary_unary(METHOD)(message({1: {1: source, 4: {2: http}}}), timeout=60)
    denied, ok = _only(answer, 2), _only(answer, 3)
    if _number(_only(answer, 1), 1) == 0:
        return Check(200, _headers(ok, 2), _headers(ok, 6))
    headers_ = _headers(denied, 2)
    return Check(_number(_only(denied, 1), 1), headers_, headers_)
