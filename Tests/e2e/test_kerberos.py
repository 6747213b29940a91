"""Negotiate with a real server: Apache's mod_auth_gssapi, which authenticates connections (`GssapiConnectionBound On`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from logins import session_cookie, sign_in
from parts.kerberos import Kerberos, missing
from test_connection_authentication import Client

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))


@pytest.fixture(scope="module")
def realm() -> Iterator[Kerberos]:
    part = Kerberos()
    yield part
    part.close()


def _user(client: Client, credentials: str | None = None, cookie: str | None = None) -> tuple[int, str]:
    client.socket.sendall(client.head("/x", credentials, cookie))
    status, headers, _ = client.response()
    return status, headers.get("x-user", "")


def test_negotiate_does_not_cross_users(start_gateway, dev, realm):
    gateway = start_gateway({"upstream": f"http://127.0.0.1:{realm.port}", "providers": [dev.configuration]}, name="gateway-kerberos")
    alice, bob = (session_cookie(sign_in(gateway, dev, person=person)) for person in ("alice", "bob"))
    first = Client(gateway, alice)
    assert _user(first) == (401, "")
    assert _user(first, realm.credentials("alice")) == (200, "alice@TEST.EXAMPLE")
    # The connection is authenticated: no further credentials are needed.
    assert _user(first) == (200, "alice@TEST.EXAMPLE")
    for _ in range(20):
        other = Client(gateway, bob)
        assert _user(other) == (401, "")
        other.close()
    # Another session on alice's client connection.
    assert _user(first, cookie=bob) == (401, "")
    assert _user(first, realm.credentials("bob"), cookie=bob) == (200, "bob@TEST.EXAMPLE")
    assert _user(first) == (200, "alice@TEST.EXAMPLE")
    assert _user(first, cookie=bob) == (200, "bob@TEST.EXAMPLE")
    # The connections end with the client's.
    first.close()
    for _ in range(20):
        other = Client(gateway, bob)
        assert _user(other) == (401, "")
        other.close()
