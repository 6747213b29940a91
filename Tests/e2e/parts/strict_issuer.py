"""An OpenID provider for very many users: signs in whoever `login_hint` names, and rotates refresh tokens strictly.

A refresh token works once. A second use is a *double refresh*: it ends all tokens of the sign-in, as providers do that detect reuse. Only around
a moment that `excuse` names, when a gateway or a store may have lost an answer, the same answer is given again, and counted.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from .json_server import JSONHandler, JSONServer
from .tokens import encoded

CLIENT_ID = "gateway-soak"


class StrictIssuer:
    def __init__(self, lifetime: int) -> None:
        self.lifetime = lifetime
        self.refreshes = 0
        self.excused = 0
        # When the token was first used (`time.monotonic`; 0 if it never was one), and when it was used again.
        self.double: list[tuple[float, float]] = []
        self._lock = threading.Lock()
        self._codes: dict[str, dict[str, str]] = {}
        self._tokens: dict[str, str] = {}
        self._spent: dict[str, tuple[float, dict[str, Any]]] = {}
        self._excuses: list[tuple[float, float]] = []
        self._key = ec.generate_private_key(ec.SECP256R1())
        issuer = self

        class Handler(JSONHandler):
            def do_GET(self) -> None:
                target = urlsplit(self.path)
                if target.path == "/authorize":
                    self.send_response(302)
                    self.send_header("Location", issuer.authorize(parse_qs(target.query)))
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.answer(200, issuer.documents[target.path])

            def do_POST(self) -> None:
                self.answer(*issuer.token({name: values[0] for name, values in parse_qs(self.body().decode()).items()}))

        self._server = JSONServer(Handler)
        self.origin = self._server.origin
        numbers = self._key.public_key().public_numbers()
        x, y = (encoded(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
        self.documents = {
            "/.well-known/openid-configuration": {
                "issuer": self.origin,
                "authorization_endpoint": f"{self.origin}/authorize",
                "token_endpoint": f"{self.origin}/token",
                "jwks_uri": f"{self.origin}/jwks",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256"],
            },
            "/jwks": {"keys": [{"kty": "EC", "crv": "P-256", "kid": "1", "alg": "ES256", "use": "sig", "x": x, "y": y}]},
        }

    @property
    def configuration(self) -> dict[str, Any]:
        return {
            "id": "oidc.strict", "issuer": self.origin, "clientID": CLIENT_ID, "clientAuthentication": "none", "userinfo": False,
            "idTokenAlgorithms": ["ES256"], "requestParameters": ["login_hint"],
        }  # fmt: skip

    def excuse(self, start: float, end: float) -> None:
        """Answers to the gateway may have been lost between these moments (`time.monotonic`)."""
        with self._lock:
            self._excuses.append((start, end))

    def end_excuse(self, end: float) -> None:
        """The end of the last one, which was open."""
        with self._lock:
            self._excuses[-1] = (self._excuses[-1][0], end)

    def authorize(self, query: dict[str, list[str]]) -> str:
        code = secrets.token_urlsafe(16)
        with self._lock:
            self._codes[code] = {"user": query["login_hint"][0], "nonce": query.get("nonce", [""])[0]}
        return query["redirect_uri"][0] + "?" + urlencode({"code": code, "state": query["state"][0]})

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        with self._lock:
            if form["grant_type"] == "authorization_code":
                sign_in = self._codes.pop(form["code"], None)
                return (400, {"error": "invalid_grant"}) if sign_in is None else (200, self._tokens_of(sign_in["user"], sign_in["nonce"]))
            presented = form["refresh_token"]
            user = self._tokens.pop(presented, None)
            if user is not None:
                self.refreshes += 1
                answer = self._tokens_of(user, None)
                self._spent[presented] = (time.monotonic(), answer)
                return 200, answer
            moment, earlier = self._spent.get(presented, (0.0, None))
            if earlier is not None and any(start <= moment <= end for start, end in self._excuses):
                self.excused += 1
                return 200, earlier
            self.double.append((moment, time.monotonic()))
            return 400, {"error": "invalid_grant"}

    def _tokens_of(self, user: str, nonce: str | None) -> dict[str, Any]:
        now = int(time.time())
        claims = {"iss": self.origin, "sub": user, "aud": CLIENT_ID, "iat": now, "exp": now + 3600, "auth_time": now}
        if nonce:
            claims["nonce"] = nonce
        else:
            del claims["auth_time"]
        text = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "ES256", "kid": "1", "typ": "JWT"}, claims))
        r, s = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        refresh = secrets.token_urlsafe(24)
        self._tokens[refresh] = user
        return {
            "access_token": secrets.token_urlsafe(24), "token_type": "Bearer", "expires_in": self.lifetime, "refresh_token": refresh,
            "id_token": text + "." + encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big")),
        }  # fmt: skip

    def close(self) -> None:
        self._server.close()
