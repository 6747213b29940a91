"""`redis-server` of the system, in a folder of its own."""

from __future__ import annotations

import pathlib
import shutil
import signal
import socket
import subprocess

from .processes import Process, eventually, free_port

PROGRAM = shutil.which("redis-server") or "/usr/bin/redis-server"


class RedisServer:
    """A server without files. `options`: further lines of its configuration."""

    def __init__(self, folder: pathlib.Path, *options: str) -> None:
        self.port = free_port()
        self.folder = folder / f"redis-{self.port}"
        self.folder.mkdir()
        self.options = list(options)
        self.process: Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> RedisServer:
        lines = [
            f"port {self.port}",
            "bind 127.0.0.1",
            f"dir {self.folder}",
            'save ""',
            "appendonly yes",
            "appendfsync always",
            "maxmemory-policy noeviction",
            *self.options,
        ]
        configuration = self.folder / "redis.conf"
        configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.process = Process(f"redis-{self.port}", [PROGRAM, str(configuration)], self.folder)
        self.process.wait_until(self.answers, "answer to PING")
        return self

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(100)[:1] in (b"+", b"-")
        except OSError:
            return False

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    def pause(self) -> None:
        assert self.process is not None
        self.process.child.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self.process is not None
        self.process.child.send_signal(signal.SIGCONT)

    def run(self, *arguments: str) -> str:
        return subprocess.run(
            ["redis-cli", "-p", str(self.port), *arguments], capture_output=True, text=True, timeout=60, check=True
        ).stdout


class RedisGroup:
    """A master, a replica and a Sentinel. `servers`: the one that was the master at the start comes first."""

    name = "mymaster"

    def __init__(self, folder: pathlib.Path, down_after: int = 1_000) -> None:
        """`down_after`: milliseconds without an answer after which Sentinel replaces a server. A busy machine must not look like a dead one."""
        self.down_after = down_after
        self.servers = [RedisServer(folder), RedisServer(folder)]
        self.follow(self.servers[1], self.servers[0])
        self.sentinel_port = free_port()
        self.folder = folder / f"sentinel-{self.sentinel_port}"
        self.folder.mkdir()
        self.process: Process | None = None

    @property
    def url(self) -> str:
        return f"redis+sentinel://127.0.0.1:{self.sentinel_port}/{self.name}"

    @staticmethod
    def follow(replica: RedisServer, master: RedisServer) -> None:
        master.options = ["repl-diskless-sync-delay 0"]
        replica.options = [*master.options, f"replicaof 127.0.0.1 {master.port}"]

    def start(self) -> RedisGroup:
        for server in self.servers:
            server.start()
        # What is written before the replica is online would be lost with the master.
        self.wait_until_in_step()
        lines = [
            f"port {self.sentinel_port}",
            "bind 127.0.0.1",
            f"dir {self.folder}",
            f"sentinel monitor {self.name} 127.0.0.1 {self.servers[0].port} 1",
            f"sentinel down-after-milliseconds {self.name} {self.down_after}",
            f"sentinel failover-timeout {self.name} 3000",
        ]
        configuration = self.folder / "sentinel.conf"
        configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.process = Process(f"sentinel-{self.sentinel_port}", ["redis-sentinel", str(configuration)], self.folder)
        eventually(lambda: self.cli("SENTINEL", "REPLICAS", self.name).strip(), "a Sentinel that knows the replica", timeout=60)
        return self

    def cli(self, *arguments: str) -> str:
        done = subprocess.run(["redis-cli", "-p", str(self.sentinel_port), *arguments], capture_output=True, text=True, timeout=60)
        return done.stdout

    @property
    def master(self) -> RedisServer:
        lines = self.cli("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.name).split()
        return next((server for server in self.servers if lines[1:] == [str(server.port)]), self.servers[0])

    @property
    def changes_of_master(self) -> list[str]:
        """Lines of Sentinel's log: each time that it made another server the master."""
        return [line for line in self.process.output().splitlines() if "+switch-master" in line] if self.process is not None else []

    def wait_for_writes(self) -> None:
        """Returns when the replica has all that was written so far."""
        commands = "SET written 1 PX 1000\nWAIT 1 5000\n"
        done = subprocess.run(
            ["redis-cli", "-p", str(self.master.port)], input=commands, capture_output=True, text=True, timeout=60, check=True
        )
        assert done.stdout.split() == ["OK", "1"], done.stdout

    def fail_over(self) -> None:
        """Kills the master, waits for the next one, and starts the old one, which becomes its replica."""
        old = self.master
        old.kill()
        eventually(lambda: self.master is not old, "a new master", timeout=60)
        # Sentinel would take ten seconds to make it a replica.
        self.follow(old, self.master)
        old.start()
        self.wait_until_in_step()

    def wait_until_in_step(self) -> None:
        def is_in_step() -> bool:
            replicas = [server for server in self.servers if server is not self.master]
            try:
                # The master sends writes to a replica that is online, which is up to a second after the link is up.
                return "state=online" in self.master.run("INFO", "replication") and all(
                    "master_link_status:up" in server.run("INFO", "replication") for server in replicas
                )
            except subprocess.CalledProcessError:
                return False

        try:
            eventually(is_in_step, "a replica in step", timeout=60)
        except AssertionError as problem:
            texts = [server.process.output()[-1500:] for server in self.servers if server.process is not None]
            raise AssertionError("\n".join([str(problem), *texts])) from None

    def kill(self) -> None:
        for server in self.servers:
            server.kill()
        if self.process is not None:
            self.process.kill()


class RedisCluster(RedisServer):
    """A cluster of one node, which has all slots."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(folder, "cluster-enabled yes", f"cluster-port {free_port()}")

    @property
    def url(self) -> str:
        return f"redis+cluster://127.0.0.1:{self.port}"

    def start(self) -> RedisCluster:
        super().start()
        if "cluster_state:ok" not in self.run("CLUSTER", "INFO"):
            self.run("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        eventually(lambda: "cluster_state:ok" in self.run("CLUSTER", "INFO"), "a cluster that serves all slots")
        return self
