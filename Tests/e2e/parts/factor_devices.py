"""What a user holds in the hand: an app that shows codes, and a security key in software."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import struct
import time
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from .processes import eventually
from .tokens import encoded


def totp(secret: str, step: int) -> str:
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset : offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def now_step() -> int:
    return int(time.time() // 30)


class CodeApp:
    """Each code counts once, so it looks one step ahead where it must: three codes within 30 seconds.

    It does not begin with the step before the current one if that one ends within ten seconds: the code would be too old for a gateway that
    reads it late.
    """

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self.last = 0

    def code(self) -> str:
        step = max(int((time.time() + 10) // 30) - 1, self.last + 1)
        assert step <= now_step() + 2, "too many codes at once for this test"
        eventually(lambda: step <= now_step() + 1, "a step whose code the gateway takes", timeout=60)
        self.last = step
        return totp(self.secret, step)


class SoftwareKey:
    """One credential, ES256, `none` attestation. Answers the options of a page whose origin it is given (W3C WebAuthn Level 2)."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = os.urandom(32)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._counter = 0

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _data(self, relying_party: str, flags: int, rest: bytes = b"") -> bytes:
        self._counter += 1
        return hashlib.sha256(relying_party.encode()).digest() + bytes([flags]) + struct.pack(">I", self._counter) + rest

    def _credential(self, **response: bytes) -> dict[str, Any]:
        name = encoded(self.id)
        texts = {key: encoded(value) for key, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "clientExtensionResults": {}, "response": texts}

    def public_key(self) -> bytes:
        """A COSE key: {1: 2, 3: -7, -1: 1, -2: x, -3: y} in CBOR."""
        numbers = self._key.public_key().public_numbers()
        return b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + numbers.x.to_bytes(32, "big") + b"\x22\x58\x20" + numbers.y.to_bytes(32, "big")

    def register(self, options: dict[str, Any]) -> dict[str, Any]:
        data = self._data(options["rp"]["id"], 0x45, bytes(16) + struct.pack(">H", len(self.id)) + self.id + self.public_key())
        statement = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        return self._credential(clientDataJSON=self._client_data("webauthn.create", options["challenge"]), attestationObject=statement)

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        client, data = self._client_data("webauthn.get", options["challenge"]), self._data(options["rpId"], 0x05)
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(clientDataJSON=client, authenticatorData=data, signature=signature)
