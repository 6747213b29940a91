"""Canaille as a child process, and what a test needs to know about it."""

from __future__ import annotations

import pathlib
import sys

from .processes import Process, accepts_connections, free_port

CLIENT_ID = "gateway-tests"
<<<<<<< HEAD
# Unreserved characters only: Canaille does not decode what RFC 6749 2.3.1 has a client encode in HTTP Basic.
CLIENT_SECRET = "canaille-s3cret-2f8a11c0"
=======
# Characters that must be form-urlencoded before they go into HTTP Basic (RFC 6749 2.3.1). A space must go as `%20`: form
# decoders read that and `+` alike, but this provider, as many, decodes percent-escapes only.
CLIENT_SECRET = "canaille-s3cret:with/odd+characters%and spaces"
>>>>>>> h/e2e


class Canaille:
    """One client, whose redirect URIs are fixed when it starts; alice and bob can sign in."""

    def __init__(self, folder: pathlib.Path, gateway_origin: str) -> None:
        self.port = free_port()
        self.issuer = f"http://127.0.0.1:{self.port}"
        script = pathlib.Path(__file__).parent / "programs/canaille_provider.py"
        self.process = Process(
            "canaille",
            [
                sys.executable,
                str(script),
                str(self.port),
                CLIENT_ID,
                CLIENT_SECRET,
                f"{gateway_origin}/_gateway/callback/oidc.canaille",
                f"{gateway_origin}/_gateway/logged-out",
                str(folder / "canaille-minted.txt"),
            ],
            folder,
            {"AUTHLIB_INSECURE_TRANSPORT": "1", "PYTHONWARNINGS": "ignore"},
        )

    def wait(self) -> Canaille:
        self.process.wait_until(lambda: accepts_connections(self.port), "listening socket")
        return self

    @staticmethod
    def password_of(name: str) -> str:
        return f"correct horse {name}"

    @property
    def configuration(self) -> dict:
        return {
            "id": "oidc.canaille",
            "displayName": "Canaille",
            "issuer": self.issuer,
            "clientID": CLIENT_ID,
            "clientSecret": CLIENT_SECRET,
            "scopes": ["groups"],
            # Canaille sends no email_verified: the addresses are this company's own.
            "trustEmail": True,
        }
