"""Tokens as an app gets them that speaks to the provider by itself: the code flow of a client on its own, without the gateway."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from .dev_provider import CLIENT_ID, CLIENT_SECRET, DevProvider

REDIRECT = "http://127.0.0.1:9/app"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def proof_of(key: ec.EllipticCurvePrivateKey, method: str, url: str) -> str:
    """A DPoP proof (RFC 9449 section 4.2)."""
    numbers = key.public_key().public_numbers()
    jwk = {"kty": "EC", "crv": "P-256", "x": encoded(numbers.x.to_bytes(32, "big")), "y": encoded(numbers.y.to_bytes(32, "big"))}
    header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk}
    claims = {"jti": secrets.token_hex(8), "htm": method, "htu": url, "iat": int(time.time())}
    text = ".".join(encoded(json.dumps(part).encode()) for part in (header, claims))
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return text + "." + encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def tokens_of(
    provider: DevProvider, person: str, minted: set[str], nonce: str | None = None, scope: str = "openid profile email", proof: bool = False
) -> dict[str, Any]:
    """The token endpoint's answer for `person`; its tokens go into `minted`, for the log test."""
    verifier = secrets.token_urlsafe(48)
    parameters = {
        "response_type": "code",
        "client_id": CLIENT_ID,
        "redirect_uri": REDIRECT,
        "scope": scope,
        "state": "s",
        "code_challenge": encoded(hashlib.sha256(verifier.encode()).digest()),
        "code_challenge_method": "S256",
        **({"nonce": nonce} if nonce else {}),
    }
    with requests.Session() as client:
        client.trust_env = False
        page = client.get(f"{provider.origin}/authorize", params=parameters, timeout=60)
        callback = provider.choose(client, page, person)
        headers = {"DPoP": proof_of(ec.generate_private_key(ec.SECP256R1()), "POST", f"{provider.origin}/token")} if proof else {}
        answer = client.post(
            f"{provider.origin}/token",
            data={
                "grant_type": "authorization_code",
                "code": parse_qs(urlsplit(callback).query)["code"][0],
                "redirect_uri": REDIRECT,
                "code_verifier": verifier,
            },
            auth=(CLIENT_ID, CLIENT_SECRET),
            headers=headers,
            timeout=60,
        )
    assert answer.status_code == 200, answer.text
    tokens = answer.json()
    minted.update(str(tokens[name]) for name in ("access_token", "id_token", "refresh_token") if name in tokens)
    return tokens
