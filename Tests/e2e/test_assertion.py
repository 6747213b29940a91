"""The signed assertion that an app can verify by itself: contract section 4, `identity.assertion` and `/jwks.json`."""

from __future__ import annotations

import time

from joserfc import jwt
from joserfc.jwk import KeySet

from conftest import mark
from logins import new_client, sign_in
from parts.gateway import run_command


def test_an_app_verifies_who_it_is_with_the_published_keys(start_gateway, dev, upstream, folder, minted):
    """Two keys, the first signs; the audience is the upstream's origin; a client's own assertion never arrives."""
    keys = [run_command("keygen", "assertion").stdout for _ in range(2)]
    minted.update(line for key in keys for line in key.splitlines() if not line.startswith("-"))
    gateway = start_gateway({"providers": [dev.configuration], "identity": {"assertion": {"keys": keys}}}, name="gateway-assertion")
    try:
        client = sign_in(gateway, dev)
        first, second = mark(), mark()
        before = int(time.time())
        assert client.get(gateway.url(f"/app/{first}"), headers={"X-Gateway-Assertion": "forged"}).status_code == 200
        assert client.get(gateway.url(f"/app/{second}"), headers={"x_gateway.assertion": "forged"}).status_code == 200
        token = upstream.only(first).value("X-Gateway-Assertion")
        assert upstream.only(second).value("X-Gateway-Assertion") == token, "signed once, sent twice"
        minted.add(token)
        published = new_client().get(gateway.own("/jwks.json")).json()
        assert len(published["keys"]) == 2 and all("d" not in key and key["alg"] == "ES256" for key in published["keys"])
        decoded = jwt.decode(token, KeySet.import_key_set(published), algorithms=["ES256"])
        assert decoded.header["kid"] == published["keys"][0]["kid"]
        claims = decoded.claims
        assert claims["iss"] == gateway.origin and claims["aud"] == upstream.origin
        assert claims["sub"] == upstream.only(first).value("X-Forwarded-User")
        assert claims["email"] == "alice@example.com" and claims["email_verified"] is True and claims["provider"] == "oidc.dev"
        assert before - 2 <= claims["iat"] <= before + 20 and claims["exp"] == claims["iat"] + 300
        assert set(claims["groups"]) and claims["auth_time"] <= claims["iat"]
    finally:
        gateway.kill()


def test_without_a_key_nothing_is_sent_and_nothing_passes(gateway, dev, upstream):
    client = sign_in(gateway, dev)
    marker = mark()
    assert client.get(gateway.url(f"/app/{marker}"), headers={"X-Gateway-Assertion": "forged"}).status_code == 200
    assert upstream.only(marker).value("X-Gateway-Assertion") is None
    assert new_client().get(gateway.own("/jwks.json")).json() == {"keys": []}
