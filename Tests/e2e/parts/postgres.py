"""A PostgreSQL server of its own, in a folder of its own, without a password, on a Unix socket."""

from __future__ import annotations

import contextlib
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator


class Postgres:
    def __init__(self) -> None:
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        assert programs, "PostgreSQL is not installed; run scripts/bootstrap test"
        self._bin = programs[-1]
        # Short: the path of a Unix socket has at most 107 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gwpg-", dir="/tmp"))
        # PostgreSQL does not run as root.
        self._user = None
        if os.getuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self._user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(self.folder, self._user)
            self.folder.chmod(0o755)
        self._run("initdb", "-D", "data", "-U", "gateway", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        self.start()

    def _run(self, program: str, *arguments: str, input: str | None = None) -> str:
        run = subprocess.run(
            [str(self._bin / program), *arguments],
            cwd=self.folder, user=self._user, input=input, check=True, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        return run.stdout

    def start(self) -> None:
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "-s", "-w", "-D", "data", "-l", "log", "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-s", "-w", "-D", "data", "-m", "immediate", "stop")

    def database(self, name: str) -> str:
        """The URL of a new database."""
        self._run("createdb", "-h", str(self.folder), "-U", "gateway", name)
        return f"postgres://gateway@/{name}?host={self.folder}"

    def dump(self, name: str) -> str:
        """A database of this server as SQL that any later PostgreSQL reads."""
        return self._run("pg_dump", "-h", str(self.folder), "-U", "gateway", "--no-owner", "--no-privileges", "--inserts", name)

    def restore(self, name: str, dump: str) -> str:
        """The URL of a new database with what a dump holds."""
        url = self.database(name)
        self._run("psql", "-h", str(self.folder), "-U", "gateway", "-v", "ON_ERROR_STOP=1", "-q", "-1", name, input=dump)
        return url

    def close(self) -> None:
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def execute(self, database: str, statement: str) -> None:
        """Runs one statement on a database of this server, given by its name."""
        self._run("psql", "-h", str(self.folder), "-U", "gateway", "-v", "ON_ERROR_STOP=1", "-q", "-c", statement, database)

    @contextlib.contextmanager
    def locked(self, database: str, table: str) -> Iterator[None]:
        """Nobody else reads or writes a table for as long as this lasts."""
        command = [str(self._bin / "psql"), "-h", str(self.folder), "-U", "gateway", "-v", "ON_ERROR_STOP=1", "-q", database]
        with subprocess.Popen(command, cwd=self.folder, user=self._user, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as session:
            assert session.stdin is not None and session.stdout is not None
            session.stdin.write(f"BEGIN; LOCK TABLE {table};\n\\echo locked\n")
            session.stdin.flush()
            assert session.stdout.readline() == "locked\n"
            yield
            session.stdin.close()
