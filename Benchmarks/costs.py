"""The requests whose costs are recorded, and what sends them: instructions.py and allocations.py count, this module drives.

One thread is the client and the upstream of a gateway that has one event loop. It sends a request, answers it as the upstream in one write,
and reads the response before it sends the next. Every request therefore wakes the gateway equally often, however busy the machine is:
with several connections, a wake-up has as many events as the scheduler happened to collect. repeatable.c stops the gateway's clocks, and
`ENVIRONMENT` and `PROCESSOR` fix what would otherwise follow chance or the machine. What remains differs by less than 0.3 % between runs.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import selectors
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("GATEWAY_BINARY", str(ROOT / ".build/release/gateway"))
sys.path.insert(0, str(ROOT / "Tests/e2e"))

import h2wire  # noqa: E402
import requests  # noqa: E402
from parts.authority import Authority  # noqa: E402
from parts.gateway import BINARY, Gateway, session_key, write_configuration  # noqa: E402
from parts.processes import Process, free_port  # noqa: E402
from parts.redis_server import RedisServer  # noqa: E402
from parts.static_issuer import StaticIssuer  # noqa: E402

# Seconds until a response must have arrived, and half of those until a gateway must be ready: under callgrind on a busy machine.
TIMEOUT = 60
WARM_UP, BATCHES, REQUESTS = 100, 3, 200
ENVIRONMENT = {
    # Swift's dictionaries would have another order in each process.
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "PATH": "/usr/bin:/bin",
}
# Libraries choose code by what the processor offers. With these, it offers SSE 4.2, AES and carry-less multiplication to OpenSSL and
# BoringSSL, and SSE 2 to the C library.
PROCESSOR = {
    # Of OpenSSL and of BoringSSL: the words of CPUID that they would read.
    "OPENSSL_ia32cap": "0x02982203178bfbff:0",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps="
    + ",".join(
        f"-{feature}"
        for feature in "AVX,AVX2,AVX512F,AVX512BW,AVX512DQ,AVX512VL,AVX_Fast_Unaligned_Load,BMI1,BMI2,ERMS,FMA,FMA4,FSRM,LZCNT,MOVBE,"
        "POPCNT,RTM,SSE4_1,SSE4_2,SSSE3,XSAVE,XSAVEC".split(",")
    ),
}
ABOUT_THE_USER = [
    "auth.emailVerified", 'auth.uid != ""', 'auth.provider == "oidc.dev"', '"admins" in auth.groups', "has(auth.email)",
    'auth.email.endsWith("@example.com")', "!auth.secondFactor", 'auth.provider != "github.com"', "size(auth.groups) > 0", 'auth.uid != "nobody"',
]  # fmt: skip
# The permit of the first is kept with the session; the second is evaluated for each request.
CONDITIONS = {
    "ten operands about the user": ABOUT_THE_USER,
    "five about the user, five about the request": ABOUT_THE_USER[:5]
    + ['request.method == "GET"', 'request.path.startsWith("/")', 'request.host != ""', 'request.scheme == "http"', '!("x-blocked" in request.headers)'],
}
SWITCHING = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
HANDSHAKE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


class Failure(Exception):
    """Nothing could be measured."""


class App:
    """The upstream. It does nothing but in `answer` and `upgrade`."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        # A whole response fits into the socket.
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        self.port = self.listener.getsockname()[1]
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)

    def answer(self) -> None:
        """Waits for one request and answers it; its path ends with the number of bytes in the response."""
        connection, head = self._request()
        size = int(head.split(b" ", 2)[1].rpartition(b"/")[2])
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size)

    def upgrade(self) -> socket.socket:
        """Waits for a handshake of a WebSocket; returns its connection."""
        connection, _ = self._request()
        self.selector.unregister(connection)
        connection.settimeout(TIMEOUT)
        connection.sendall(SWITCHING)
        return connection

    def _request(self) -> tuple[socket.socket, bytes]:
        received: dict[socket.socket, bytes] = {}
        while True:
            ready = self.selector.select(TIMEOUT)
            if not ready:
                raise Failure(f"no request reached the upstream within {TIMEOUT} s")
            for key, _ in ready:
                connection = key.fileobj
                assert isinstance(connection, socket.socket)
                if connection is self.listener:
                    accepted, _ = self.listener.accept()
                    accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self.selector.register(accepted, selectors.EVENT_READ)
                    continue
                data = connection.recv(1 << 16)
                if not data:
                    self.selector.unregister(connection)
                    connection.close()
                    continue
                received[connection] = received.get(connection, b"") + data
                if received[connection].endswith(b"\r\n\r\n"):
                    return connection, received[connection]

    def close(self) -> None:
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self.selector.close()


class Client:
    """One connection that stays open, with one request at a time."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None) -> None:
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        plain.settimeout(TIMEOUT)
        plain.connect(("127.0.0.1", port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = plain if tls is None else tls.wrap_socket(plain, server_hostname="localhost")

    def ask(self, request: bytes, app: App | None, status: int = 200) -> None:
        """`app`: the upstream that answers; None if the gateway answers by itself."""
        self.socket.sendall(request)
        if app is not None:
            app.answer()
        received = b""
        while b"\r\n\r\n" not in received:
            data = self.socket.recv(1 << 18)
            if not data:
                raise Failure(f"the connection closed after {received!r}")
            received += data
        head, _, body = received.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 %d " % status):
            raise Failure(f"instead of {status}, a request got {received[:300]!r}")
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        exactly(self.socket, length - len(body))


@dataclass
class Case:
    """A kind of request. `ask` sends one and reads its response."""

    title: str
    gateway: Gateway
    ask: Callable[[], None]

    def run(self, count: int) -> None:
        for _ in range(count):
            self.ask()


class Stand:
    """Gateways, their upstream and their provider. `launch` starts a gateway whose costs are counted."""

    def __init__(self, folder: pathlib.Path, launch: Callable[[Gateway], None]) -> None:
        self.folder = folder
        self.launch = launch
        self.issuer = StaticIssuer()
        self.app = App()
        self.gateways: list[Gateway] = []
        self.redis: RedisServer | None = None

    def close(self) -> None:
        for gateway in self.gateways:
            gateway.kill()
        if self.redis is not None:
            self.redis.kill()
        self.app.close()
        self.issuer.close()

    def gateway(self, name: str, counted: bool = True, **changes: Any) -> Gateway:
        """`changes`: top-level members of the configuration; mappings are merged."""
        configuration: dict[str, Any] = {
            "upstream": f"http://127.0.0.1:{self.app.port}",
            "providers": [{"id": "oidc.dev", **self.issuer.configuration}],
            "routes": [{"path": "/public/**", "access": "public"}, {"path": "/**", "access": {"groups": ["admins"]}}],
            "session": {"refresh": False, "exchange": {"providers": ["oidc.dev"], "nonce": "optional"}},
            "logging": {"level": "warning", "access": {"enabled": False}},
            "audit": None,
        }
        for key, value in changes.items():
            configuration[key] = {**configuration.get(key, {}), **value} if isinstance(value, dict) else value
        gateway = Gateway(name, self.folder, configuration)
        self.gateways.append(gateway)
        if counted:
            self.launch(gateway)
        else:
            gateway.start()
        return gateway

    def session(self, gateway: Gateway, user: str = "alice") -> str:
        """The `Cookie` line of a new session."""
        token = self.issuer.id_token(user, groups=["admins"], name=user.capitalize())
        origin = gateway.configuration["server"]["publicURL"]
        answer = self.available("POST", gateway, "/session", {"Origin": origin}, json={"provider": "oidc.dev", "id_token": token})
        return f"Cookie: session={answer.cookies['session']}\r\n"

    @staticmethod
    def available(method: str, gateway: Gateway, path: str, headers: dict[str, str], **members: Any) -> requests.Response:
        """The response of an endpoint, once the gateway has reached its provider and its store."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            answer = requests.request(method, gateway.own(path), headers=headers, timeout=TIMEOUT, **members)
            if answer.status_code == 200:
                return answer
            if answer.status_code != 503 or time.monotonic() > deadline:
                raise Failure(f"{method} {path}: {answer.status_code} {answer.text}")
            time.sleep(0.1)

    @staticmethod
    def request(gateway: Gateway, path: str, *lines: str) -> bytes:
        host = gateway.configuration["server"]["publicURL"].partition("://")[2]
        return f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: costs\r\nAccept: */*\r\n{''.join(lines)}\r\n".encode()

    def plain(self) -> Iterator[Case]:
        asked = free_port()
        conditions = {f"/c{number}": " && ".join(operands) for number, operands in enumerate(CONDITIONS.values())}
        routes = [
            {"path": "/public/**", "access": "public"},
            {"path": "/ws", "access": "public"},
            {"path": "/api/**", "access": {"groups": ["admins"]}, "bearer": {"providers": ["oidc.dev"]}},
            *({"path": f"{path}/**", "access": {"condition": text}} for path, text in conditions.items()),
            {"path": "/**", "access": {"groups": ["admins"]}},
        ]
        gateway = self.gateway("plain", routes=routes, authorization={"listen": f"127.0.0.1:{asked}"})
        cookie = self.session(gateway)

        def case(title: str, path: str, *lines: str, port: int = gateway.port, app: App | None = self.app, status: int = 200) -> Case:
            client, request = Client(port), self.request(gateway, path, *lines)
            return Case(title, gateway, lambda: client.ask(request, app, status))

        yield case("public route", "/public/1024")
        yield case("authenticated route", "/1024", cookie)
        for path, name in zip(conditions, CONDITIONS, strict=True):
            yield case(f"authenticated route, {name}", f"{path}/1024", cookie)
        yield case("public route, 100 KiB", "/public/102400")
        token = self.issuer.id_token("alice", groups=["admins"], name="Alice")
        yield case("bearer token, checked before", "/api/1024", f"Authorization: Bearer {token}\r\n")
        yield case("decision for another proxy", "/envoy/1024", cookie, port=asked, app=None)
        yield case("sign-in required", "/1024", app=None, status=401)
        yield self.websocket(gateway)

    def websocket(self, gateway: Gateway) -> Case:
        client = Client(gateway.port).socket
        client.sendall(self.request(gateway, "/ws", HANDSHAKE))
        app = self.app.upgrade()
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += client.recv(1)
        # The client masks its message, here with zeros.
        message, echo = b"\x82\xfd" + b"\0\0\0\0" + b"m" * 125, b"\x82\x7d" + b"m" * 125

        def ask() -> None:
            client.sendall(message)
            exactly(app, len(message))
            app.sendall(echo)
            exactly(client, len(echo))

        return Case("WebSocket message and its echo", gateway, ask)

    def secure(self) -> Iterator[Case]:
        authority = Authority(self.folder, "costs")
        certificate, key = authority.issue("server", ["localhost"])
        port = free_port()
        server = {"listen": f"127.0.0.1:{port}", "publicURL": f"https://localhost:{port}", "tls": {"certificate": certificate, "key": key}}
        gateway = self.gateway("secure", server=server)
        client, request = Client(port, trusting(authority, "http/1.1")), self.request(gateway, "/public/1024")
        yield Case("public route over TLS", gateway, lambda: client.ask(request, self.app))

        # Windows that never need an update: each would be one more frame, at a time of its own.
        settings = h2wire.settings((0x4, 0x7FFFFFFF)) + h2wire.window_update(0, 0x7FFFFFFF - 65_535)
        connection = h2wire.Connection(port, trusting(authority, "h2"), timeout=TIMEOUT, first=settings)
        connection.authority = f"localhost:{port}"
        fields = connection.fields(path="/public/1024", extra=[("user-agent", "costs"), ("accept", "*/*")])

        def ask() -> None:
            stream = connection.headers(fields)
            self.app.answer()
            answer = connection.answer(stream, credit=False)
            if answer.status != 200 or len(answer.body) != 1024:
                raise Failure(f"over HTTP/2, a request got {answer}")
            connection.frames.clear()

        yield Case("public route over HTTP/2", gateway, ask)

    def stored(self) -> Iterator[Case]:
        self.redis = RedisServer(self.folder).start()
        # A busy machine may be slower than the usual second.
        session = {"keys": [session_key()], "store": {"url": self.redis.url, "timeout": "30s"}}
        gateway = self.gateway("stored", session=session)
        # The sessions that the counted gateway does not know yet are another one's.
        other = self.gateway("stored-other", counted=False, session=session, server={"publicURL": gateway.origin})
        unknown = iter([self.request(gateway, "/1024", self.session(other, f"user{number:04}")) for number in range(WARM_UP + BATCHES * REQUESTS)])
        cookie, client, missing = self.session(other), Client(gateway.port), Client(gateway.port)
        name, _, value = cookie.strip().partition(": ")
        self.available("GET", gateway, "/userinfo", {name: value})
        hit = self.request(gateway, "/1024", cookie)
        yield Case("session in Redis, hit", gateway, lambda: client.ask(hit, self.app))
        yield Case("session in Redis, miss", gateway, lambda: missing.ask(next(unknown), self.app))

    def logged(self) -> Iterator[Case]:
        gateway = self.gateway("logged", logging={"access": {"enabled": True}})
        client, request = Client(gateway.port), self.request(gateway, "/1024", self.session(gateway))
        yield Case("authenticated route, access log", gateway, lambda: client.ask(request, self.app))


def exactly(connection: socket.socket, count: int) -> None:
    while count > 0:
        data = connection.recv(min(count, 1 << 18))
        if not data:
            raise Failure(f"a connection closed {count} bytes early")
        count -= len(data)


def trusting(authority: Authority, protocol: str) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(authority.file))
    context.set_alpn_protocols([protocol])
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


# --- Counting ---------------------------------------------------------------------------------------------------------

Batch = TypeVar("Batch")


class Counter(Protocol[Batch]):
    """What is counted of a gateway."""

    def launch(self, gateway: Gateway) -> None: ...

    def begin(self, gateway: Gateway) -> None:
        """Its connections are open, its clocks stand still."""

    def reset(self, gateway: Gateway) -> None: ...

    def read(self, gateway: Gateway) -> Batch:
        """What was counted since the last call."""
        ...


class Shared:
    """The bytes that a gateway with repeatable.c shares with this process."""

    def __init__(self, folder: pathlib.Path, library: pathlib.Path, gateway: Gateway, environment: dict[str, str]) -> None:
        self.file = folder / f"{gateway.name}.costs"
        self.file.write_bytes(bytes(16))
        self.gateway = gateway
        self.environment = {**environment, "LD_PRELOAD": str(library), "COSTS_FILE": str(self.file)}

    def start(self, *command: str) -> None:
        """`command`: what runs the program, and its path. On one processor: the gateway starts an event loop for each that it may use."""
        write_configuration(self.gateway.file, self.gateway.configuration)
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        whole = ["taskset", "-c", str(min(os.sched_getaffinity(0))), "env", "-i", *settings, *command, "run", str(self.gateway.file)]
        self.gateway.process = Process(self.gateway.name, whole, self.gateway.folder)
        self.gateway.process.wait_until(self.gateway.is_ready, "answer from /readyz", timeout=2 * TIMEOUT)

    def stop_clocks(self) -> None:
        with self.file.open("r+b") as file:
            file.seek(8)
            file.write(b"\1")

    @property
    def allocations(self) -> int:
        return struct.unpack("<Q", self.file.read_bytes()[:8])[0]


def repeatable(folder: pathlib.Path) -> pathlib.Path:
    """The compiled repeatable.c."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise Failure("no C compiler: install gcc")
    library = folder / "repeatable.so"
    command = [compiler, "-O2", "-shared", "-fPIC", "-fno-builtin-malloc", "-o", str(library), str(ROOT / "Benchmarks/repeatable.c"), "-ldl"]
    subprocess.run(command, check=True)
    return library


def measured(folder: pathlib.Path, counter: Counter[Batch], *parts: str) -> Iterator[tuple[str, list[Batch]]]:
    """The batches of each case. `parts`: the methods of `Stand` that make the cases."""
    if not BINARY.exists():
        raise Failure(f"no {BINARY}: run make build")
    stand = Stand(folder, counter.launch)
    with contextlib.closing(stand):
        for part in parts:
            cases: list[Case] = list(getattr(stand, part)())
            counter.begin(cases[0].gateway)
            for case in cases:
                case.run(WARM_UP)
                counter.reset(case.gateway)
                batches = []
                for _ in range(BATCHES):
                    case.run(REQUESTS)
                    batches.append(counter.read(case.gateway))
                yield case.title, batches


def middle(batches: list[Batch], size: Callable[[Batch], float]) -> Batch:
    """The median: something that happens once, such as the end of an idle thread, is in one of them."""
    return sorted(batches, key=size)[len(batches) // 2]
