"""A Kerberos realm (krb5-kdc) and Apache with mod_auth_gssapi, both Debian packages: a real server that authenticates connections."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile

from parts.processes import Process, accepts_connections, free_port
from parts.tcp_server import TCPServer

REALM = "TEST.EXAMPLE"
MODULES = pathlib.Path("/usr/lib/apache2/modules")
PROGRAMS = ["/usr/sbin/krb5kdc", "/usr/sbin/kdb5_util", "/usr/sbin/kadmin.local", "/usr/bin/kinit", "/usr/sbin/apache2", "/usr/bin/curl"]

APACHE = """
ServerRoot {folder}
PidFile {folder}/apache.pid
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
ErrorLog {folder}/error.log
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule auth_gssapi_module {modules}/mod_auth_gssapi.so
LoadModule headers_module {modules}/mod_headers.so
StartServers 1
ServerLimit 1
ThreadLimit 25
ThreadsPerChild 25
MaxRequestWorkers 25
DocumentRoot {folder}/www
KeepAlive On
KeepAliveTimeout 60
<IfModule unixd_module>
User www-data
Group www-data
</IfModule>
<Directory {folder}/www>
AuthType GSSAPI
AuthName test
GssapiCredStore keytab:{folder}/http.keytab
GssapiConnectionBound On
GssapiLocalName Off
Require valid-user
</Directory>
Header always set X-User "expr=%{{REMOTE_USER}}"
"""


def missing() -> str | None:
    """What is not on this machine; None when all is."""
    lacking = [name for name in [*PROGRAMS, str(MODULES / "mod_auth_gssapi.so")] if not pathlib.Path(name).exists()]
    return f"no {lacking[0]} on this machine: scripts/bootstrap test installs it" if lacking else None


class _Challenger(TCPServer):
    """Asks for Negotiate and keeps the credentials that come."""

    def __init__(self) -> None:
        self.credentials: list[str] = []
        super().__init__()

    def serve(self, client: socket.socket) -> None:
        with client:
            while True:
                head = b""
                while b"\r\n\r\n" not in head:
                    if not (more := client.recv(65536)):
                        return
                    head += more
                if found := re.search(rb"(?im)^authorization: (Negotiate \S+)", head):
                    self.credentials.append(found[1].decode())
                    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                else:
                    client.sendall(b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Negotiate\r\nContent-Length: 0\r\n\r\n")


class Kerberos:
    """The realm with the users alice and bob, and Apache, which answers with `X-User`."""

    def __init__(self) -> None:
        # Apache's workers are another user's than the tests.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gateway-krb5-"))
        self.folder.chmod(0o755)
        (self.folder / "www").mkdir()
        (self.folder / "www/x").write_text("hello\n")
        kdc_port, self.port = free_port(), free_port()
        (self.folder / "krb5.conf").write_text(
            f"[libdefaults]\ndefault_realm = {REALM}\ndns_lookup_kdc = false\ndns_lookup_realm = false\nrdns = false\n"
            f"dns_canonicalize_hostname = false\nudp_preference_limit = 1\n[realms]\n{REALM} = {{\nkdc = 127.0.0.1:{kdc_port}\n}}\n"
        )
        (self.folder / "kdc.conf").write_text(
            f"[kdcdefaults]\nkdc_listen = 127.0.0.1:{kdc_port}\nkdc_tcp_listen = 127.0.0.1:{kdc_port}\n[realms]\n{REALM} = {{\n"
            f"database_name = {self.folder}/principal\nkey_stash_file = {self.folder}/stash\nacl_file = {self.folder}/acl\n}}\n"
        )
        self.environment = {
            "KRB5_CONFIG": str(self.folder / "krb5.conf"), "KRB5_KDC_PROFILE": str(self.folder / "kdc.conf"),
            "KRB5RCACHENAME": "none:", "HOME": str(self.folder),
        }  # fmt: skip
        self._run("/usr/sbin/kdb5_util", "create", "-s", "-P", "master-7f31", "-r", REALM)
        for query in (
            "addprinc -pw alice-4c1d alice", "addprinc -pw bob-4c1d bob", "addprinc -randkey HTTP/127.0.0.1",
            f"ktadd -k {self.folder}/http.keytab HTTP/127.0.0.1",
        ):  # fmt: skip
            self._run("/usr/sbin/kadmin.local", "-r", REALM, "-q", query)
        (self.folder / "http.keytab").chmod(0o644)
        self.kdc = Process("krb5kdc", ["/usr/sbin/krb5kdc", "-n", "-r", REALM], self.folder, self.environment)
        self.kdc.wait_until(lambda: accepts_connections(kdc_port), "the KDC on its port")
        configuration = self.folder / "apache.conf"
        configuration.write_text(APACHE.format(folder=self.folder, port=self.port, modules=MODULES))
        command = ["/usr/sbin/apache2", "-D", "FOREGROUND", "-f", str(configuration)]
        self.apache = Process("apache", command, self.folder, self.environment)
        self.apache.wait_until(lambda: accepts_connections(self.port), "Apache on its port")

    def _run(self, *command: str, input: str | None = None, **environment: str) -> str:
        done = subprocess.run(
            command, env={**os.environ, **self.environment, **environment}, input=input, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def credentials(self, user: str) -> str:
        """The value of `Authorization` with which curl answers a challenge of 127.0.0.1, for one use."""
        cache = f"FILE:{self.folder}/{user}.ccache"
        self._run("/usr/bin/kinit", user, input=f"{user}-4c1d\n", KRB5CCNAME=cache)
        challenger = _Challenger()
        try:
            url = f"http://127.0.0.1:{challenger.port}/"
            self._run("/usr/bin/curl", "--silent", "--noproxy", "*", "--negotiate", "--user", ":", url, KRB5CCNAME=cache)
            return challenger.credentials[-1]
        finally:
            challenger.close()

    def close(self) -> None:
        self.apache.kill()
        self.kdc.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
