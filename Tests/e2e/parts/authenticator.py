"""An authenticator of WebAuthn in software, for requests that no browser would send."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import struct
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class SoftAuthenticator:
    """One discoverable ES256 credential."""

    def __init__(self, origin: str, relying_party: str) -> None:
        self.origin = origin
        self.relying_party = relying_party
        self.id = os.urandom(32)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.user_handle = b""
        self.counter = 0

    def _head(self, flags: int) -> bytes:
        self.counter += 1
        return hashlib.sha256(self.relying_party.encode()).digest() + bytes([flags]) + struct.pack(">I", self.counter)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _credential(self, response: dict[str, Any]) -> dict[str, Any]:
        name = base64url(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}

    def register(self, options: dict[str, Any], flags: int = PRESENT | VERIFIED) -> dict[str, Any]:
        """The answer to `PublicKeyCredentialCreationOptionsJSON`, with the attestation `none`."""
        self.user_handle = from_base64url(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        # {1: 2, 3: -7, -1: 1, -2: x, -3: y}
        key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + numbers.x.to_bytes(32) + b"\x22\x58\x20" + numbers.y.to_bytes(32)
        data = self._head(flags | ATTESTED) + bytes(16) + struct.pack(">H", len(self.id)) + self.id + key
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        client_data = self._client_data("webauthn.create", options["challenge"])
        return self._credential({"clientDataJSON": base64url(client_data), "attestationObject": base64url(attestation)})

    def sign(
        self, options: dict[str, Any], flags: int = PRESENT | VERIFIED, counter: int | None = None, names_user: bool = True
    ) -> dict[str, Any]:
        """The answer to `PublicKeyCredentialRequestOptionsJSON`."""
        if counter is not None:
            self.counter = counter - 1
        data = self._head(flags)
        client_data = self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        response = {"clientDataJSON": base64url(client_data), "authenticatorData": base64url(data), "signature": base64url(signature)}
        return self._credential({**response, "userHandle": base64url(self.user_handle)} if names_user else response)
