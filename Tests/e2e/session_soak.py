"""Replicas, many users and one store that fails again and again: the engine of Benchmarks/soak_sessions.py and test_redis_soak.py.

Users ask for pages on any replica, refresh at a provider that detects reuse, sign out and in again, and hold WebSockets, while stores and
replicas are killed. Everything that must not happen is a *violation*:

- an answer with another user's name;
- a session that is served although its sign-out was confirmed more than a second before;
- a session that is refused although nobody ended it and the store has it;
- a second use of a refresh token;
- a 503 while the store and the replica had been well for some seconds, or any other status;
- a WebSocket that outlives its session.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import http.client
import pathlib
import random
import re
import socket
import threading
import time

from parts.gateway import SLOWDOWN, Gateway, session_key
from parts.processes import eventually, free_port
from parts.redis_server import RedisGroup, RedisServer
from parts.strict_issuer import StrictIssuer
from test_lifecycle import read_head, upstream_of
from test_websocket import FRAME, SWITCHING, exactly, handshake, request
from wire import is_readable

# After an end of a disturbance, all must be as before: contract §7 says two seconds, and a busy machine adds some.
RECOVERY = 4.0 * SLOWDOWN
# Milliseconds: clients, replicas and servers share the processors, and a server that waits for one must not be replaced.
DOWN_AFTER = 3_000
# What a store may lose that replicates asynchronously, before it is killed.
REPLICATION = 0.5


def upstream(connection: socket.socket, _: int) -> None:
    """Says who the gateway says is there; echoes at `/ws`."""
    with contextlib.suppress(OSError), connection:
        while head := read_head(connection):
            if head.split(b" ")[1:2] == [b"/ws"]:
                connection.sendall(SWITCHING)
                while data := connection.recv(65536):
                    connection.sendall(data)
                return
            found = re.search(rb"\r\nx-forwarded-preferred-username: ([^\r]*)", head, re.IGNORECASE)
            name = found[1] if found else b""
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(name), name))


@dataclasses.dataclass
class User:
    name: str
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)
    cookie: str | None = None
    reference: str = ""
    # A sign-out that may or may not have been taken.
    is_uncertain: bool = False


@dataclasses.dataclass
class Ended:
    """A session whose sign-out was confirmed."""

    name: str
    cookie: str
    moment: float
    replica: int


class Soak:
    def __init__(
        self, folder: pathlib.Path, users: int, kind: str = "standalone", replicas: int = 3, seed: int = 1, lifetime: int = 8, heard: float = 1.0
    ) -> None:
        """`heard`: seconds after which every replica must have heard of a sign-out."""
        self.heard = heard * SLOWDOWN
        self.random = random.Random(seed)
        self.issuer = StrictIssuer(lifetime)
        self.store: RedisServer | RedisGroup = RedisGroup(folder, DOWN_AFTER).start() if kind == "sentinel" else RedisServer(folder).start()
        self.users = [User(f"user{number}") for number in range(users)]
        self.violations: list[str] = []
        self.counts: collections.Counter[str] = collections.Counter()
        self.ended: collections.deque[Ended] = collections.deque(maxlen=2000)
        self.stopped = threading.Event()
        # Times at which the store, or a replica, was not well.
        self.trouble: list[tuple[float, float]] = []
        self.lossy: list[tuple[float, float]] = []
        self._upstream = upstream_of(upstream)
        port = self._upstream.__enter__()
        key = session_key()
        self.gateways: list[Gateway] = []
        for number in range(replicas):
            origin = self.gateways[0].origin if self.gateways else None
            configuration = {
                "server": {"publicURL": origin} if origin else {},
                "upstream": f"http://127.0.0.1:{port}",
                "providers": [self.issuer.configuration],
                "session": {"keys": [key], "store": self.store.url},
                "identity": {"headers": {"X-Forwarded-Preferred-Username": "{{ claims.sub }}"}},
                "logging": {"level": "warning"},
                "audit": None,
            }
            self.gateways.append(Gateway(f"soak-{number}", folder, configuration, free_port()).start())
        for gateway in self.gateways:
            eventually(lambda gateway=gateway: "[+]session-store ok" in self.verbose(gateway), "a subscription", timeout=60 * SLOWDOWN)

    # --- Requests

    def verbose(self, gateway: Gateway) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", gateway.admin_port, timeout=5)
        with contextlib.closing(connection):
            connection.request("GET", "/readyz?verbose")
            return connection.getresponse().read().decode()

    def send(self, replica: int, method: str, path: str, cookies: str, **headers: str) -> tuple[int, dict[str, list[str]], str]:
        """Status, header fields and body. 0: the replica is away."""
        gateway = self.gateways[replica]
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=60 * SLOWDOWN)
        fields = {"Host": f"127.0.0.1:{self.gateways[0].port}", "Accept": "application/json", "Cookie": cookies, **headers}
        try:
            connection.request(method, path, headers=fields)
            answer = connection.getresponse()
            received: dict[str, list[str]] = collections.defaultdict(list)
            for name, value in answer.getheaders():
                received[name.lower()].append(value)
            return answer.status, received, answer.read().decode()
        except (OSError, http.client.HTTPException):
            return 0, {}, ""
        finally:
            connection.close()

    def sign_in(self, user: User) -> bool:
        navigation = {"Sec-Fetch-Mode": "navigate", "Accept": "text/html"}
        replica = self.random.randrange(len(self.gateways))
        status, received, _ = self.send(replica, "GET", f"/_gateway/login/oidc.strict?login_hint={user.name}", "", **navigation)
        if status != 302:
            return self.failed("sign-in", status)
        transaction = "; ".join(line.split(";")[0] for line in received["set-cookie"])
        target = received["location"][0]
        issuer = http.client.HTTPConnection(target.split("/")[2], timeout=60)
        issuer.request("GET", target)
        callback = issuer.getresponse().headers["Location"]
        issuer.close()
        replica = self.random.randrange(len(self.gateways))
        status, received, _ = self.send(replica, "GET", "/" + callback.split("/", 3)[3], transaction, **navigation)
        if status != 303:
            return self.failed("callback", status)
        cookies = dict(line.split(";")[0].split("=", 1) for line in received["set-cookie"])
        # A callback that had to be repeated, because the store did not say whether it was used, begins anew.
        if not cookies.get("session"):
            return self.failed("callback", 503)
        user.cookie = cookies["session"]
        user.is_uncertain = False
        status, _, body = self.send(replica, "GET", "/_gateway/sessions", f"session={user.cookie}")
        found = re.search(r'"current":true[^}]*"id":"([0-9a-f]{32})"', body)
        user.reference = found[1] if status == 200 and found else ""
        self.counts["sign-ins"] += 1
        return True

    def failed(self, what: str, status: int) -> bool:
        now = time.monotonic()
        self.counts[f"{what} {status}"] += 1
        if status not in (0, 503) or not self.is_troubled(now):
            self.violations.append(f"{what} answered {status} at {now:.2f}")
        return False

    def is_troubled(self, now: float, margin: float = RECOVERY) -> bool:
        return any(start - 0.2 <= now <= end + margin for start, end in self.trouble)

    def may_be_lost(self, moment: float) -> bool:
        """Whether the store may have lost what it confirmed at this moment."""
        return any(start - REPLICATION <= moment <= end for start, end in self.lossy)

    def ask(self, user: User) -> None:
        """One request of a user, from any replica. Others may ask for the same user at the same time."""
        cookie, reference, uncertain = user.cookie, user.reference, user.is_uncertain
        if cookie is None:
            return
        began = time.monotonic()
        status, _, body = self.send(self.random.randrange(len(self.gateways)), "GET", "/who", f"session={cookie}")
        self.counts[f"answers {status}"] += 1
        if status == 200:
            if body != user.name:
                self.violations.append(f"an answer for {user.name} names {body!r}")
        elif status == 401:
            if not uncertain and user.cookie == cookie and not user.is_uncertain:
                self.check_loss(user, cookie, reference, began)
        elif status not in (0, 503) or not (self.is_troubled(began) or self.is_troubled(time.monotonic())):
            self.violations.append(f"a request answered {status} at {began:.2f}: {body[:200]}")

    def check_loss(self, user: User, cookie: str, reference: str, moment: float) -> None:
        """A session is refused that nobody has ended: the store must have lost it."""
        with user.lock:
            if user.cookie != cookie or user.is_uncertain:
                return
            user.cookie = None
            if reference and self.store_has(reference):
                self.violations.append(f"{user.name} was signed out at {moment:.2f}, and the store has the session")
            elif not self.lossy:
                self.violations.append(f"{user.name} was signed out at {moment:.2f}, and the store never lost anything")
            self.counts["lost by the store"] += 1

    def store_has(self, reference: str) -> bool:
        server = self.store.master if isinstance(self.store, RedisGroup) else self.store
        with contextlib.suppress(Exception):
            return server.run("EXISTS", f"gateway:session:{{{reference}}}").strip() == "1"
        return False

    def sign_out(self, user: User) -> None:
        replica = self.random.randrange(len(self.gateways))
        cookie, user.is_uncertain = user.cookie, True
        status, _, body = self.send(replica, "POST", "/_gateway/logout", f"session={cookie}", Origin=self.gateways[0].origin)
        moment = time.monotonic()
        if status in (303, 200, 204):
            self.counts["sign-outs"] += 1
            self.ended.append(Ended(user.name, cookie or "", moment, replica))
        elif status not in (0, 503) or not self.is_troubled(moment):
            self.violations.append(f"a sign-out answered {status} at {moment:.2f}: {body[:200]}")
        # Otherwise it may have been taken or not: this user signs in again.
        user.cookie = None

    def ask_for_ended(self) -> None:
        """A session that ended must be refused everywhere a second later, and on its replica at once."""
        if not self.ended:
            return
        ended = self.random.choice(self.ended)
        replica = self.random.randrange(len(self.gateways))
        began = time.monotonic()
        if replica != ended.replica and began - ended.moment < self.heard:
            return
        status, _, body = self.send(replica, "GET", "/who", f"session={ended.cookie}")
        self.counts[f"ended {status}"] += 1
        if status == 200 and not self.may_be_lost(ended.moment):
            self.violations.append(f"the session of {ended.name}, ended at {ended.moment:.2f}, was served at {began:.2f}")

    # --- Threads

    def work(self) -> None:
        while not self.stopped.is_set():
            user = self.random.choice(self.users)
            chance = self.random.random()
            if user.cookie is None or chance > 0.97:
                if user.lock.acquire(blocking=False):
                    try:
                        if user.cookie is None:
                            self.sign_in(user)
                        else:
                            self.sign_out(user)
                    finally:
                        user.lock.release()
            elif chance > 0.9:
                self.ask_for_ended()
            else:
                self.ask(user)

    def hold_websockets(self) -> None:
        """Opens one on a replica, ends the session on another, and waits for the end."""
        while not self.stopped.is_set():
            user = self.random.choice(self.users)
            if user.cookie is None or not user.lock.acquire(blocking=False):
                continue
            try:
                self.hold_websocket(user)
            finally:
                user.lock.release()

    def hold_websocket(self, user: User) -> None:
        began = time.monotonic()
        if user.cookie is None:
            return
        gateway = self.random.choice(self.gateways)
        try:
            with socket.create_connection(("127.0.0.1", gateway.port), timeout=60 * SLOWDOWN) as connection:
                text = request(extra=f"Cookie: session={user.cookie}\r\n").replace(b"Host: h", f"Host: 127.0.0.1:{self.gateways[0].port}".encode())
                head = handshake(connection, text)
                if not head.startswith(b"HTTP/1.1 101 "):
                    return
                connection.sendall(FRAME)
                assert exactly(connection, len(FRAME)) == FRAME
                self.sign_out(user)
                if not self.ended or self.ended[-1].name != user.name:
                    return
                ended = time.monotonic()
                data = connection.recv(100) if is_readable(connection, 3 * self.heard) else None
                if data is None and not self.is_troubled(ended) and not self.is_troubled(time.monotonic()):
                    self.violations.append(f"a WebSocket of {user.name} outlives its session, ended at {ended:.2f}")
                self.counts["WebSockets ended"] += data is not None
        except (OSError, AssertionError):
            # Its replica was killed.
            if not self.is_troubled(began) and not self.is_troubled(time.monotonic()):
                self.violations.append(f"a WebSocket failed at {began:.2f}")

    @contextlib.contextmanager
    def disturbance(self, lossy: bool, excused: bool):
        """`lossy`: the store may lose what it confirmed. `excused`: answers of the provider may be lost with a replica, or with the store."""
        start = time.monotonic()
        # Open until it ends.
        self.trouble.append((start, float("inf")))
        if lossy:
            self.lossy.append((start, float("inf")))
        if excused:
            self.issuer.excuse(start - REPLICATION, float("inf"))
        try:
            yield
        finally:
            end = time.monotonic()
            self.trouble[-1] = (start, end)
            if lossy:
                self.lossy[-1] = (start, end)
            if excused:
                self.issuer.end_excuse(end)

    def disturb(self, number: int) -> None:
        if number % 4 == 3:
            gateway = self.gateways[1 + self.random.randrange(len(self.gateways) - 1)]
            with self.disturbance(lossy=False, excused=True):
                gateway.kill()
                self.stopped.wait(self.random.uniform(0, 0.5))
                gateway.start()
            self.counts["kills of a replica"] += 1
        elif isinstance(self.store, RedisGroup):
            with self.disturbance(lossy=True, excused=True):
                self.store.fail_over()
            self.counts["fail-overs"] += 1
        else:
            with self.disturbance(lossy=False, excused=False):
                self.store.kill()
                self.stopped.wait(self.random.uniform(0, 1.0))
                self.store.start()
            self.counts["kills of the store"] += 1

    # --- The whole

    def run(self, seconds: float, disturbances: int, workers: int = 8) -> None:
        self.sign_everybody_in(workers)
        threads = [threading.Thread(target=self.work) for _ in range(workers)] + [threading.Thread(target=self.hold_websockets) for _ in range(2)]
        for thread in threads:
            thread.start()
        start = time.monotonic()
        try:
            for number in range(disturbances):
                due = start + seconds * (number + 1) / (disturbances + 1)
                self.stopped.wait(max(0.0, due - time.monotonic()))
                self.disturb(number)
            self.stopped.wait(max(RECOVERY, start + seconds - time.monotonic()))
        finally:
            self.stopped.set()
            for thread in threads:
                thread.join()
        self.check_at_the_end()

    def sign_everybody_in(self, workers: int) -> None:
        waiting = collections.deque(self.users)

        def sign_in() -> None:
            with contextlib.suppress(IndexError):
                while True:
                    self.sign_in(waiting.popleft())

        threads = [threading.Thread(target=sign_in) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def check_at_the_end(self) -> None:
        """All is well: who is signed in is served by every replica, and who has ended by none."""
        for user in self.users:
            if user.cookie is None:
                continue
            for replica in range(len(self.gateways)):
                status, _, body = self.send(replica, "GET", "/who", f"session={user.cookie}")
                has = bool(user.reference) and self.store_has(user.reference) if status != 200 else True
                if status == 200 and body != user.name:
                    self.violations.append(f"at the end, an answer for {user.name} names {body!r}")
                if status != 200 and (has or not self.lossy):
                    self.violations.append(f"at the end, replica {replica} answered {status} for {user.name}")
        for ended in list(self.ended)[-300:]:
            for replica in range(len(self.gateways)):
                status, _, _ = self.send(replica, "GET", "/who", f"session={ended.cookie}")
                if status != 401 and not self.may_be_lost(ended.moment):
                    self.violations.append(f"at the end, replica {replica} answered {status} for an ended session of {ended.name}")
        self.counts["refreshes"] = self.issuer.refreshes
        self.counts["refreshes whose result was lost with a process"] = self.issuer.excused
        for first, second in self.issuer.double:
            self.violations.append(f"a refresh token that was used at {first:.2f} was used again at {second:.2f}")
        if isinstance(self.store, RedisGroup) and len(changes := self.store.changes_of_master) != self.counts["fail-overs"]:
            # Such a master goes on taking writes that nobody keeps: the machine was too busy, and other violations may come from that.
            self.violations += [f"Sentinel replaced a master that ran; all changes, at {time.monotonic():.2f} on {time.ctime()}:", *changes]

    def close(self) -> None:
        for gateway in self.gateways:
            gateway.kill()
        self.store.kill()
        self.issuer.close()
        self._upstream.__exit__(None, None, None)
