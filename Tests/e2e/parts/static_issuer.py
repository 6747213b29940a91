"""An OpenID provider that only publishes its discovery document and its key. The test makes the ID tokens, of any user."""

from __future__ import annotations

import json
import secrets
import threading
import time
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from .json_server import JSONHandler, JSONServer
from .tokens import encoded

CLIENT_ID = "gateway-tests"


class StaticIssuer:
    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        numbers = self._key.public_key().public_numbers()
        x, y = (encoded(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
        part = self
        # Cleared: requests wait until it is set.
        self.answers = threading.Event()
        self.asked = 0
        self.answers.set()

        class Handler(JSONHandler):
            def do_GET(self) -> None:
                part.asked += 1
                part.answers.wait(60)
                documents = {
                    "/.well-known/openid-configuration": {
                        "issuer": part.origin,
                        "authorization_endpoint": f"{part.origin}/authorize",
                        "token_endpoint": f"{part.origin}/token",
                        "jwks_uri": f"{part.origin}/jwks",
                        "response_types_supported": ["code"],
                        "subject_types_supported": ["public"],
                        "id_token_signing_alg_values_supported": ["ES256"],
                    },
                    "/jwks": {"keys": [{"kty": "EC", "crv": "P-256", "kid": "1", "alg": "ES256", "use": "sig", "x": x, "y": y}]},
                }
                document = documents.get(self.path)
                self.answer(200 if document else 404, document)

        self._server = JSONServer(Handler)
        self.origin = self._server.origin

    @property
    def configuration(self) -> dict[str, Any]:
        return {"issuer": self.origin, "clientID": CLIENT_ID, "clientAuthentication": "none", "userinfo": False, "idTokenAlgorithms": ["ES256"]}

    def id_token(self, subject: str, **claims: Any) -> str:
        """A fresh token of a user who signed in now and whose address is verified, unless `claims` say otherwise."""
        # The next second: a token of the second in which a change of the account ended its sessions would be from before it.
        now = int(time.time()) + 1
        members = {
            "iss": self.origin,
            "aud": CLIENT_ID,
            "sub": subject,
            "iat": now,
            "exp": now + 600,
            "auth_time": now,
            # Two tokens of one second would be the same token to the gateway, which does not look at the signature: it would refuse the
            # second one after the session of the first has ended.
            "jti": secrets.token_hex(8),
            "email": f"{subject}@example.com",
            "email_verified": True,
            **claims,
        }
        text = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "ES256", "kid": "1", "typ": "JWT"}, members))
        r, s = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return text + "." + encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def close(self) -> None:
        self._server.close()
