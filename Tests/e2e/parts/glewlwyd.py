"""Glewlwyd (a Debian package) as a child process: a real provider with PAR, DPoP, and back-channel logout.

Its SQLite database is new for each run; everything else is set up through its own API, as its administrator would.
"""

from __future__ import annotations

import gzip
import pathlib
import shutil
import sqlite3
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from .processes import Process, accepts_connections, free_port

CLIENT_ID = "gateway-tests"
# Of unreserved characters: Glewlwyd takes the halves of HTTP Basic as they come (RFC 6749 2.3.1 has them form-urlencoded).
CLIENT_SECRET = "glewlwyd-s3cret-4b1d77"
SCHEMA = pathlib.Path("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz")
MODULES = pathlib.Path("/usr/lib/glewlwyd")
SCOPES = ["openid", "email", "profile"]

# The connection's certificate files are named because Glewlwyd refuses to start without; they are not read.
CONFIGURATION = """
port={port}
bind_address="127.0.0.1"
external_url="http://127.0.0.1:{port}"
login_url="/login.html"
api_prefix="api"
log_mode="console"
log_level="INFO"
cookie_secure=0
session_expiration=86400
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
login_api_enabled=true
max_post_size=16777216
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="{modules}/user"
client_module_path="{modules}/client"
user_auth_scheme_module_path="{modules}/scheme"
plugin_module_path="{modules}/plugin"
use_secure_connection=false
secure_connection_key_file="/nowhere"
secure_connection_pem_file="/nowhere"
secure_connection_ca_file="/nowhere"
hash_algorithm="SHA512"
database = {{ type = "sqlite3"; path = "{database}"; }};
"""


def missing() -> str | None:
    """What is not on this machine; None when all is."""
    if shutil.which("glewlwyd") is None:
        return "no glewlwyd on this machine: install the Debian package glewlwyd"
    return None if SCHEMA.exists() and MODULES.exists() else f"glewlwyd is here, but not {SCHEMA} or {MODULES}"


class Glewlwyd:
    """One client; alice can sign in. Pushed authorization requests are required, DPoP is offered."""

    def __init__(self, folder: pathlib.Path, gateway_origin: str) -> None:
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.issuer = f"{self.origin}/api/oidc"
        self.gateway_origin = gateway_origin
        database = folder / "glewlwyd.sqlite3"
        with sqlite3.connect(database) as connection:
            connection.executescript(gzip.decompress(SCHEMA.read_bytes()).decode())
        connection.close()
        file = folder / "glewlwyd.conf"
        file.write_text(CONFIGURATION.format(port=self.port, modules=MODULES, database=database), encoding="utf-8")
        self.process = Process("glewlwyd", ["glewlwyd", "--config-file", str(file)], folder)

    def wait(self) -> Glewlwyd:
        self.process.wait_until(lambda: accepts_connections(self.port), "listening socket")
        self._set_up()
        return self

    @staticmethod
    def password_of(name: str) -> str:
        return f"correct horse {name}"

    @property
    def configuration(self) -> dict[str, Any]:
        return {
            "id": "oidc.glewlwyd",
            "displayName": "Glewlwyd",
            "issuer": self.issuer,
            "clientID": CLIENT_ID,
            "clientSecret": CLIENT_SECRET,
            # Glewlwyd sends no email_verified: the addresses are this company's own.
            "trustEmail": True,
        }

    def authenticated(self, client: requests.Session, name: str, password: str) -> None:
        answer = client.post(f"{self.origin}/api/auth/", json={"username": name, "password": password}, timeout=60)
        assert answer.status_code == 200, f"Glewlwyd does not let {name} in: {answer.status_code} {answer.text}"

    def sign_in(self, client: requests.Session, location: str, person: str = "alice") -> str:
        """What Glewlwyd's own pages do, from the authorization address on; the address that the browser is then sent to."""
        answer = client.get(location, allow_redirects=False, timeout=60)
        assert answer.status_code == 302, f"{answer.status_code} {answer.text}"
        page = urlsplit(urljoin(location, answer.headers["Location"]))
        assert page.path.endswith("/login.html"), f"not to the login page but to {page.geturl()}"
        self.authenticated(client, person, self.password_of(person))
        granted = client.put(f"{self.origin}/api/auth/grant/{CLIENT_ID}", json={"scope": " ".join(SCOPES)}, timeout=60)
        assert granted.status_code == 200, granted.text
        back = client.get(parse_qs(page.query)["callback_url"][0] + "&g_continue", allow_redirects=False, timeout=60)
        assert back.status_code == 302, f"{back.status_code} {back.text}"
        return back.headers["Location"]

    def end_session(self, client: requests.Session, sid: str) -> None:
        """Signs the browser out at Glewlwyd, which then tells its clients (Back-Channel Logout 1.0 section 2.5)."""
        answer = client.delete(f"{self.issuer}/session/{sid}/", timeout=60)
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"

    def _set_up(self) -> None:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        with requests.Session() as admin:
            admin.trust_env = False
            self.authenticated(admin, "admin", "password")

            def add(path: str, body: dict[str, Any]) -> None:
                answer = admin.post(f"{self.origin}/api/{path}/", json=body, timeout=60)
                assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"

            for scope in SCOPES[1:]:  # openid is there from the start
                add("scope", {"name": scope, "display_name": scope, "password_required": True, "scheme": {}})
            add("mod/plugin", {"module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "order_rank": 0, "parameters": self._plugin(key)})
            add(
                "user",
                {
                    "username": "alice",
                    "name": "Alice Example",
                    "email": "alice@example.com",
                    "password": self.password_of("alice"),
                    "scope": SCOPES,
                    "enabled": True,
                },
            )
            add(
                "client",
                {
                    "client_id": CLIENT_ID,
                    "name": "The gateway",
                    "client_secret": CLIENT_SECRET,
                    "confidential": True,
                    "enabled": True,
                    "authorization_type": ["code", "refresh_token"],
                    "redirect_uri": [f"{self.gateway_origin}/_gateway/callback/oidc.glewlwyd"],
                    "scope": SCOPES,
                    "token_endpoint_auth_method": ["client_secret_basic"],
                    "post_logout_redirect_uri": f"{self.gateway_origin}/_gateway/logged-out",
                    "backchannel_logout_uri": f"{self.gateway_origin}/_gateway/backchannel-logout/oidc.glewlwyd",
                    "backchannel_logout_session_required": "1",
                },
            )

    def _plugin(self, key: rsa.RSAPrivateKey) -> dict[str, Any]:
        text = serialization
        return {
            "iss": self.issuer,
            "jwt-type": "rsa",
            "jwt-key-size": "256",
            "key": key.private_bytes(text.Encoding.PEM, text.PrivateFormat.PKCS8, text.NoEncryption()).decode(),
            "cert": key.public_key().public_bytes(text.Encoding.PEM, text.PublicFormat.SubjectPublicKeyInfo).decode(),
            "access-token-duration": 3600,
            "refresh-token-duration": 86400,
            "code-duration": 600,
            "refresh-token-rolling": True,
            "allow-non-oidc": False,
            "auth-type-code-enabled": True,
            "auth-type-id-token-enabled": True,
            **{f"auth-type-{name}-enabled": False for name in ("token", "implicit", "none", "password", "client", "device")},
            "auth-type-refresh-enabled": True,
            "scope": [],
            "additional-parameters": [],
            "claims": [{"name": "preferred_username", "user-property": "username", "type": "string", "mandatory": True}],
            "name-claim": "mandatory",
            "name-claim-scope": [],
            "email-claim": "mandatory",
            "email-claim-scope": [],
            "scope-claim": "no",
            "address-claim": {"type": "no"},
            "subject-type": "public",
            "pkce-allowed": True,
            "pkce-method-plain-allowed": False,
            "introspection-revocation-allowed": True,
            "introspection-revocation-auth-scope": [],
            "introspection-revocation-allow-target-client": True,
            "request-parameter-allow": True,
            "oauth-par-allowed": True,
            "oauth-par-required": True,
            "oauth-par-duration": 90,
            "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
            "oauth-dpop-allowed": True,
            "oauth-dpop-iat-duration": 30,
            "session-management-allowed": True,
            "session-cookie-name": "GLEWLWYD2_OIDC_SESSION",
            "session-cookie-expiration": 86400,
            "front-channel-logout-allowed": True,
            "back-channel-logout-allowed": True,
        }
