"""Sign-ins while the session store fails: contract §7, "The store is down or slow". Nobody is told that the provider failed."""

from __future__ import annotations

import pytest
import requests

from accounts import code, post
from logins import NAVIGATION, callback_of, new_client, session_cookie
from parts.gateway import session_key
from parts.mailbox import Mailbox
from parts.tokens import tokens_of
from test_redis_sessions import check, dev, replicas, serves, server, within  # noqa: F401

BEARER = {"providers": ["oidc.dev"]}


def is_unavailable(answer: requests.Response, page: bool = False) -> None:
    assert answer.status_code == 503, answer.text[:400]
    assert int(answer.headers["Retry-After"]) > 0
    assert "session=" not in answer.headers.get("Set-Cookie", "")
    if page:
        assert "text/html" in answer.headers["Content-Type"] and "auth/store-unavailable" in answer.text
    else:
        assert code(answer) == "auth/store-unavailable"


def forbid_new_sessions(server) -> None:  # noqa: F811
    """Sign-ins can be looked up and finished, and their session cannot be kept: it needs a script."""
    server.run("ACL", "SETUSER", "default", "-eval")


def allow_new_sessions(server) -> None:  # noqa: F811
    server.run("ACL", "SETUSER", "default", "+eval")


@pytest.mark.parametrize("has_accounts", [False, True])
def test_a_callback_whose_session_cannot_be_kept_is_503(server, replicas, dev, tmp_path, has_accounts):  # noqa: F811
    changes = {"accounts": {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]}} if has_accounts else {}
    (one,) = replicas(server, count=1, **changes)
    client = new_client()
    callback = callback_of(one, dev, client, rd="/app/deep")
    forbid_new_sessions(server)
    is_unavailable(client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60), page=True)
    (record,) = one.events("session-not-kept")
    assert "NOPERM" in record["message"]
    allow_new_sessions(server)
    # The sign-in is spent. A reload begins another one, and the user comes out where it was meant to end.
    again = client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert again.status_code == 303 and again.headers["Location"].startswith("/_gateway/login"), again.headers
    assert "app%2Fdeep" in again.headers["Location"] or "/app/deep" in again.headers["Location"]


def test_a_callback_while_the_store_is_down_can_be_repeated_when_it_is_back(server, replicas, dev):  # noqa: F811
    (one,) = replicas(server, count=1)
    client = new_client()
    callback = callback_of(one, dev, client)
    server.kill()
    within(3, lambda: not serves(one), "unready")
    # The sign-in page needs no session.
    assert new_client().get(one.own("/login/oidc.dev"), headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == 302
    answer = client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60)
    is_unavailable(answer, page=True)
    assert "Set-Cookie" not in answer.headers, "the transaction stays"
    server.start()
    within(2, lambda: serves(one), "ready")
    assert client.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60).status_code == 303
    assert session_cookie(client)


def test_an_exchanged_token_whose_session_cannot_be_kept_is_503(server, replicas, dev):  # noqa: F811
    (one,) = replicas(server, count=1, session={"exchange": {"providers": ["oidc.dev"]}})
    id_token = tokens_of(dev, "alice", set())["id_token"]

    def exchange() -> requests.Response:
        return post(one, new_client(), "/session", json={"provider": "oidc.dev", "id_token": id_token})

    forbid_new_sessions(server)
    is_unavailable(exchange())
    server.kill()
    within(3, lambda: not serves(one), "unready")
    is_unavailable(exchange())
    server.start()
    within(2, lambda: serves(one), "ready")
    assert exchange().status_code == 200


def test_a_password_and_an_anonymous_sign_in_whose_session_cannot_be_kept_are_503(server, replicas, dev, tmp_path):  # noqa: F811
    box = Mailbox()
    (one,) = replicas(
        server,
        count=1,
        providers=[dev.configuration, {"id": "password"}, {"id": "anonymous"}],
        accounts={"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]},
        mail={"url": box.url, "from": "Example <no-reply@example.com>"},
    )
    body = {"email": "carol@example.com", "password": "correct horse battery"}
    assert post(one, new_client(), "/sign-up", json=body).status_code in (200, 204)
    for down in (lambda: forbid_new_sessions(server), server.kill):
        down()
        is_unavailable(post(one, new_client(), "/login/password", json=body))
        is_unavailable(post(one, new_client(), "/login/anonymous", json={}))
    server.start()
    within(2, lambda: serves(one), "ready")
    assert post(one, new_client(), "/login/password", json=body).status_code == 200
    assert post(one, new_client(), "/login/anonymous", json={}).status_code == 200
    box.close()


def test_public_and_bearer_routes_are_served_without_the_store(server, replicas, dev):  # noqa: F811
    provider = {**dev.configuration, "accessTokens": {"audience": "https://api.example.com"}}
    routes = [{"path": "/public/**", "access": "public"}, {"path": "/api/**", "bearer": BEARER}]
    (one,) = replicas(server, count=1, providers=[provider], routes=routes)
    token = tokens_of(dev, "alice", set())["id_token"]

    def status(path: str, **headers: str) -> int:
        return new_client().get(one.url(path), headers={"Accept": "application/json", **headers}, timeout=60).status_code

    server.kill()
    within(3, lambda: not serves(one), "unready")
    stale = "session=" + "x" * 150
    for _ in range(3):
        assert status("/public/x") == status("/public/x", Cookie=stale) == 200
        assert status("/api/x", Authorization=f"Bearer {token}") == 200
        assert status("/api/x", Authorization=f"Bearer {token}", Cookie=stale) == 200
        assert status("/api/x", Authorization="Bearer " + token[:-6]) == 401
    assert "session-store" in check(one)
