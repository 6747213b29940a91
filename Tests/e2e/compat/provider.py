"""A provider whose issuer is not where it listens: the sessions that it issued can be shown to a gateway on any other day."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import secrets
import threading
import time
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from parts.tokens import encoded

ISSUER = "https://login.example.com"
CLIENT_ID = "gateway-compat"


def new_key() -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def _document(token: str, part: int) -> dict[str, Any]:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[part] + "=="))


class RecordedProvider:
    """`people`: the claims by the name that `login_hint` or `login` gives. `extras`: further members of a token response."""

    def __init__(self, key: str, people: dict[str, dict[str, Any]], port: int = 0) -> None:
        self._key = serialization.load_pem_private_key(key.encode(), None)
        assert isinstance(self._key, ec.EllipticCurvePrivateKey)
        self.people = people
        self.extras: dict[str, dict[str, Any]] = {}
        # What the token endpoint was asked: the form, and the thumbprint of the proof's key (RFC 7638), "" without a proof.
        self.refreshes: list[tuple[dict[str, str], str]] = []
        # The thumbprint at a person's last sign-in.
        self.thumbprints: dict[str, str] = {}
        self._codes: dict[str, tuple[str, str]] = {}
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                provider._get(self)

            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode())
                self.answer(200, provider._token({name: values[0] for name, values in form.items()}, self.headers.get("DPoP")))

            def answer(self, status: int, document: Any, location: str | None = None) -> None:
                content = json.dumps(document).encode()
                self.send_response(status)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _get(self, handler: Any) -> None:
        target = urlsplit(handler.path)
        if target.path == "/authorize":
            query = {name: values[0] for name, values in parse_qs(target.query).items()}
            code = secrets.token_urlsafe(16)
            self._codes[code] = (query.get("login_hint") or query["login"], query.get("nonce", ""))
            return handler.answer(302, {}, query["redirect_uri"] + "?" + urlencode({"code": code, "state": query["state"]}))
        if target.path == "/jwks":
            numbers = self._key.public_key().public_numbers()
            x, y = (encoded(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
            return handler.answer(200, {"keys": [{"kty": "EC", "crv": "P-256", "kid": "1", "alg": "ES256", "use": "sig", "x": x, "y": y}]})
        # The access token of plain OAuth 2.0 begins with the user's name.
        person = handler.headers.get("Authorization", "").removeprefix("Bearer ").split(".")[0]
        if target.path == "/user/emails":
            return handler.answer(200, [{"email": self.people[person]["email"], "primary": True, "verified": True}])
        return handler.answer(200 if person in self.people else 401, self.people.get(person, {}))

    def _token(self, form: dict[str, str], proof: str | None) -> dict[str, Any]:
        thumbprint = ""
        if proof:
            key = _document(proof, 0)["jwk"]
            members = json.dumps({name: key[name] for name in ("crv", "kty", "x", "y")}, separators=(",", ":"))
            thumbprint = encoded(hashlib.sha256(members.encode()).digest())
        if form["grant_type"] == "refresh_token":
            self.refreshes.append((form, thumbprint))
            person, nonce = form["refresh_token"].split(".")[0], ""
        else:
            person, nonce = self._codes.pop(form["code"])
            self.thumbprints[person] = thumbprint
        return {
            "access_token": f"{person}.{secrets.token_urlsafe(24)}", "token_type": "DPoP" if proof else "Bearer",
            "id_token": self.id_token(person, nonce=nonce), **self.extras.get(person, {}),
        }  # fmt: skip

    def id_token(self, person: str, nonce: str = "", **more: Any) -> str:
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": CLIENT_ID, "iat": now, "exp": now + 600, "auth_time": now, **self.people[person], **more}
        if nonce:
            claims["nonce"] = nonce
        text = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "ES256", "kid": "1", "typ": "JWT"}, claims))
        r, s = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return text + "." + encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
