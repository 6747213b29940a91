"""The entries of a Redis as text, one command a line: unlike the payload of DUMP, every version of every server reads it.

The words of a command are in Base64 and stand between spaces. Times to live are not part of it: a restored entry has a day.
"""

from __future__ import annotations

import base64
import pathlib
import socket
from typing import Any

DAY = 86_400_000


class RedisConnection:
    """As much of RESP 2 as a dump needs."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._file = self._socket.makefile("rb")

    def __enter__(self) -> RedisConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def call(self, *words: bytes | str) -> Any:
        parts = [word.encode() if isinstance(word, str) else word for word in words]
        self._socket.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%b\r\n" % (len(part), part) for part in parts))
        return self._reply()

    def _reply(self) -> Any:
        line = self._file.readline().rstrip(b"\r\n")
        kind, text = line[:1], line[1:]
        assert kind != b"-", text.decode()
        if kind == b"*":
            return [self._reply() for _ in range(int(text))]
        if kind == b"$":
            return None if text == b"-1" else self._file.read(int(text) + 2)[:-2]
        return int(text) if kind == b":" else text


def _commands(connection: RedisConnection, key: bytes) -> list[bytes]:
    kind = connection.call("TYPE", key)
    if kind == b"string":
        return [b"SET", key, connection.call("GET", key)]
    if kind == b"hash":
        return [b"HSET", key, *connection.call("HGETALL", key)]
    if kind == b"set":
        return [b"SADD", key, *sorted(connection.call("SMEMBERS", key))]
    assert kind == b"zset", f"{key!r} is a {kind!r}, which this module does not know"
    pairs = connection.call("ZRANGE", key, "0", "-1", "WITHSCORES")
    return [b"ZADD", key, *(word for member, score in zip(pairs[::2], pairs[1::2]) for word in (score, member))]


def dump(port: int, file: pathlib.Path) -> None:
    with RedisConnection(port) as connection:
        commands = [_commands(connection, key) for key in sorted(connection.call("KEYS", "*"))]
    lines = [" ".join(base64.b64encode(word).decode() for word in words) for words in commands]
    file.write_text("\n".join(lines) + "\n", encoding="ascii")


def load(port: int, file: pathlib.Path) -> int:
    """Returns the number of entries."""
    with RedisConnection(port) as connection:
        lines = file.read_text(encoding="ascii").splitlines()
        for line in lines:
            words = [base64.b64decode(word) for word in line.split(" ")]
            connection.call(*words)
            connection.call("PEXPIRE", words[1], str(DAY))
    return len(lines)
