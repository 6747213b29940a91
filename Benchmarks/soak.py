"""Ten minutes at full load, with everything that goes wrong in production, and not one wrong answer.

    make soak                                                     ten minutes
    .venv/bin/python Benchmarks/soak.py --seconds 60

The gateway serves as many requests of signed-in people as it can. Each carries a nonce that the upstream sends back; wrk compares the
two for every answer. Meanwhile

- its configuration changes every five seconds, by SIGHUP and by a new file in turn;
- one of its two upstreams is killed in the middle of its work, and starts again, every seven seconds;
- clients go away: while they send a head or a body, before they read the answer, in the middle of one of 10 MiB, by FIN and by RST;
- bodies go both ways in pieces, and come back as they were.

It fails when an answer is another request's, when one does not come, when anything but 200, and 502 or 504 while an upstream is away,
comes, when memory goes on growing, or when the gateway ends.
"""

from __future__ import annotations

import argparse
import contextlib
import http.server
import os
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("GATEWAY_BINARY", str(ROOT / ".build/release/gateway"))
sys.path.insert(0, str(ROOT / "Tests/e2e"))

from logins import session_cookie, sign_in  # noqa: E402
from measuring import process_tree, resident_kibibytes  # noqa: E402
from parts.dev_provider import DevProvider  # noqa: E402
from parts.gateway import Gateway  # noqa: E402
from parts.processes import Process, accepts_connections, eventually, free_port  # noqa: E402
from peers import NGINX, program  # noqa: E402

# One connection for each thread: an answer is that of the request before it.
SCRIPT = """
local threads = {}
function setup(thread)
  thread:set("id", #threads + 1)
  table.insert(threads, thread)
end
function init(args)
  cookie = os.getenv("SOAK_COOKIE")
  sent, good, mixed, away, other = 0, 0, 0, 0, 0
  math.randomseed(os.time() + id)
end
function request()
  sent = sent + 1
  nonce = string.format("%d-%d-%d", id, sent, math.random(1000000000))
  return wrk.format("GET", "/nonce?n=" .. nonce, { Cookie = cookie, Host = wrk.headers["Host"] })
end
function response(status, headers, body)
  if status == 200 then
    if body == nonce then good = good + 1 else mixed = mixed + 1 end
  elseif status == 502 or status == 504 then away = away + 1
  else other = other + 1 end
end
function done(summary, latency, requests)
  local sums = { sent = 0, good = 0, mixed = 0, away = 0, other = 0 }
  for _, thread in ipairs(threads) do
    for key in pairs(sums) do sums[key] = sums[key] + thread:get(key) end
  end
  local e = summary.errors
  io.write(string.format("SOAK sent=%d good=%d mixed=%d away=%d other=%d connect=%d read=%d write=%d timeout=%d\\n",
    sums.sent, sums.good, sums.mixed, sums.away, sums.other, e.connect, e.read, e.write, e.timeout))
end
"""

UPSTREAM = """
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location /nonce {{ default_type text/plain; return 200 $arg_n; }}
        location /large {{ default_type text/plain; alias {folder}/large; }}
    }}
"""


class Upstream:
    """An nginx that answers with the nonce it was asked with."""

    def __init__(self, name: str, folder: pathlib.Path) -> None:
        self.name, self.folder, self.port = name, folder, free_port()
        user = "user root; " if os.geteuid() == 0 else ""
        self.file = folder / f"{name}.conf"
        self.file.write_text(NGINX.format(user=user, folder=folder, name=name, body=UPSTREAM.format(port=self.port, folder=folder)))
        self.start()

    def start(self) -> None:
        command = [program("nginx") or "nginx", "-c", str(self.file), "-p", str(self.folder), "-e", str(self.folder / f"{self.name}.err")]
        self.process = Process(self.name, command, self.folder)
        self.process.wait_until(lambda: accepts_connections(self.port), "listening socket")

    def kill(self) -> None:
        """At once, workers and all: connections are reset in the middle of answers. The master first, which would make new workers."""
        for pid in process_tree(self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.child.wait()
        eventually(lambda: not accepts_connections(self.port), f"{self.name}: nobody listens any more")


class Echo(http.server.BaseHTTPRequestHandler):
    """Sends a body back, in one piece or in several."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:  # noqa: N802
        body = self._body()
        self.send_response(200)
        if random.random() < 0.5:
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(body), 30_000):
            piece = body[start : start + 30_000]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts = []
        while size := int(self.rfile.readline() or b"0", 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def log_message(self, format: str, *arguments: object) -> None: ...


class EchoServer(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that left: that is what it is here for."""


class Nuisances:
    """Clients that leave in the middle, and one that sends and reads bodies in pieces and looks at what comes back."""

    def __init__(self, port: int, cookie: str) -> None:
        self.port = port
        self.head = f"Host: 127.0.0.1:{port}\r\nCookie: session={cookie}\r\n"
        self.stopped = threading.Event()
        self.left = 0
        self.bodies = 0
        self.problems: list[str] = []
        self.threads = [threading.Thread(target=self._leave, daemon=True), threading.Thread(target=self._bodies, daemon=True)]
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        self.stopped.set()
        for thread in self.threads:
            thread.join(30)

    def _connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def _leave(self) -> None:
        ways = [
            f"GET /nonce?n=gone HTTP/1.1\r\n{self.head}"[:40],
            f"GET /nonce?n=gone HTTP/1.1\r\n{self.head}\r\n",
            f"GET /large HTTP/1.1\r\n{self.head}\r\n",
            f"POST /echo HTTP/1.1\r\n{self.head}Content-Length: 100000\r\n\r\n" + "x" * 5_000,
            f"POST /echo HTTP/1.1\r\n{self.head}Transfer-Encoding: chunked\r\n\r\nff\r\n" + "x" * 100,
            f"GET /nonce?n=a HTTP/1.1\r\n{self.head}\r\n" * 5,
        ]
        while not self.stopped.wait(0.002):
            with contextlib.suppress(OSError), self._connect() as connection:
                connection.settimeout(0.1)  # half a head gets no answer
                connection.sendall(random.choice(ways).encode())
                if random.random() < 0.5:
                    connection.recv(random.choice([1, 4_096]))
                if random.random() < 0.5:
                    # With what is unread thrown away: a reset.
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.left += 1

    def _bodies(self) -> None:
        while not self.stopped.is_set():
            body = os.urandom(random.randrange(1, 200_000))
            is_chunked = random.random() < 0.5
            try:
                with self._connect() as connection:
                    framing = "Transfer-Encoding: chunked" if is_chunked else f"Content-Length: {len(body)}"
                    connection.sendall(f"POST /echo HTTP/1.1\r\n{self.head}Connection: close\r\n{framing}\r\n\r\n".encode())
                    sender = threading.Thread(target=self._send, args=(connection, body, is_chunked), daemon=True)
                    sender.start()
                    answer = bytearray()
                    while data := connection.recv(65_536):
                        answer += data
                    sender.join(20)
            except OSError as error:
                self.problems.append(f"an echo broke off: {error}")
                continue
            head, _, rest = bytes(answer).partition(b"\r\n\r\n")
            if b"transfer-encoding: chunked" in head.lower():
                rest = dechunked(rest)
            if not head.startswith(b"HTTP/1.1 200") or rest != body:
                self.problems.append(f"an echo of {len(body)} bytes came back as {len(rest)}: {head[:60]!r}")
            self.bodies += 1

    @staticmethod
    def _send(connection: socket.socket, body: bytes, is_chunked: bool) -> None:
        place = 0
        with contextlib.suppress(OSError):
            while place < len(body):
                piece = body[place : place + random.randrange(1, 40_000)]
                place += len(piece)
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if is_chunked else piece)
            if is_chunked:
                connection.sendall(b"0\r\n\r\n")


def dechunked(text: bytes) -> bytes:
    body = b""
    while text:
        size, _, text = text.partition(b"\r\n")
        length = int(size, 16)
        if length == 0:
            break
        body, text = body + text[:length], text[length + 2 :]
    return body


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gateway-soak-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        (folder / "large").write_bytes(b"x" * 10 * 1024 * 1024)
        running: list[Process] = []
        echo = EchoServer(("127.0.0.1", 0), Echo)
        threading.Thread(target=echo.serve_forever, daemon=True).start()
        try:
            dev = DevProvider("dev-provider", folder)
            running.append(dev.process)
            dev.wait()
            upstreams = [Upstream("steady", folder), Upstream("mortal", folder)]
            gateway = Gateway(
                "gateway",
                folder,
                {
                    "upstream": [f"http://127.0.0.1:{upstream.port}" for upstream in upstreams],
                    "providers": [dev.configuration],
                    "routes": [
                        {"path": "/echo", "access": {"groups": ["admins"]}, "upstream": f"http://127.0.0.1:{echo.server_port}"},
                        {"path": "/**", "access": {"groups": ["admins"]}},
                    ],
                    "session": {"refresh": False},
                    "logging": {"level": "notice", "access": {"enabled": False}},
                },
            ).start()
            assert gateway.process is not None
            running.append(gateway.process)
            report = soak(gateway, upstreams, session_cookie(sign_in(gateway, dev)), folder, options)
            for upstream in upstreams:
                running.append(upstream.process)
        finally:
            echo.shutdown()
            for process in reversed(running):
                process.terminate()
    sys.exit(report)


def soak(gateway: Gateway, upstreams: list[Upstream], cookie: str, folder: pathlib.Path, options: argparse.Namespace) -> int:
    assert gateway.process is not None
    (folder / "soak.lua").write_text(SCRIPT)
    threads = options.connections
    command = ["wrk", f"-t{threads}", f"-c{threads}", f"-d{options.seconds}s", "--timeout", "20s", "-s", str(folder / "soak.lua"), gateway.origin]
    nuisances = Nuisances(gateway.port, cookie)
    load = subprocess.Popen(command, env={**os.environ, "SOAK_COOKIE": f"session={cookie}"}, stdout=subprocess.PIPE, text=True)
    pids = process_tree(gateway.process.pid)
    memory: list[int] = []
    reloads = deaths = second = 0
    mortal = upstreams[1]
    is_away = False
    began = time.monotonic()
    while load.poll() is None:
        time.sleep(max(0.0, began + second + 1 - time.monotonic()))
        second += 1
        memory.append(resident_kibibytes(pids))
        if second % 5 == 0:
            reloads += 1
            gateway.rewrite(responseHeaders={"set": {"X-Soak": str(reloads)}})
            if reloads % 2:
                gateway.signal(signal.SIGHUP)
        if second % 7 == 0 and not is_away:
            mortal.kill()
            deaths += 1
            is_away = True
        elif second % 7 == 2 and is_away:
            mortal.start()
            is_away = False
        if second % 30 == 0:
            print(f"soak: {second} s: {memory[-1] / 1024:.1f} MiB, {nuisances.left} clients left, {nuisances.bodies} bodies", file=sys.stderr)
    if is_away:
        mortal.start()
    nuisances.stop()
    output = load.stdout.read() if load.stdout else ""
    found = re.search(r"SOAK (.*)", output)
    if not found:
        print(output)
        return 1
    figures = {key: int(value) for key, value in (pair.split("=") for pair in found.group(1).split())}
    quarter = len(memory) // 4
    early, late = max(memory[quarter : 2 * quarter]), max(memory[-quarter:])
    applied = len(gateway.events("reloaded"))
    print(f"| | |\n|---|---|\n| seconds | {second} |\n| requests that were answered with their nonce | {figures['good']:,} |")
    print(f"| answers of another request | {figures['mixed']} |\n| 502 and 504, an upstream away | {figures['away']} |")
    print(f"| other answers | {figures['other']} |\n| no answer | {figures['connect'] + figures['read'] + figures['write'] + figures['timeout']} |")
    print(f"| clients that left in the middle | {nuisances.left:,} |\n| bodies sent, read and compared | {nuisances.bodies:,} |")
    print(f"| changed configurations, upstream deaths | {reloads}, {deaths} |")
    print(f"| resident, MiB: most in the second quarter, most in the last | {early / 1024:.1f}, {late / 1024:.1f} |")
    problems = list(nuisances.problems)
    if figures["mixed"] or figures["other"]:
        problems.append("answers were wrong")
    if any(figures[kind] for kind in ("connect", "read", "write", "timeout")):
        problems.append("requests got no answer")
    if late > early * 1.1 + 2_048:
        problems.append("memory grew")
    if applied == 0:
        problems.append("no configuration was taken")
    if not gateway.alive:
        problems.append("the gateway ended")
    for problem in problems[:20]:
        print(f"soak: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    main()
