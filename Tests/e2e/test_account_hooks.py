"""Hooks (contract §8): signed questions before an account or a session is made, and word of a merge."""

from __future__ import annotations


import pytest

from accounts import code, link, log_in, post, signed_in, userinfo
from logins import new_client
from parts.dev_provider import DevProvider
from parts.gateway import session_key
from parts.processes import eventually
from parts.signed_receiver import SignedReceiver

SECRET = "hook-secret-73ab10f2"


@pytest.fixture
def receiver():
    part = SignedReceiver(SECRET)
    yield part
    part.close()


@pytest.fixture(scope="module")
def second(folder):
    provider = DevProvider("hooks-second-dev", folder).wait()
    yield provider
    provider.process.kill()


@pytest.fixture
def gateway(start_gateway, dev, second, receiver, tmp_path):
    def hook(path: str) -> dict:
        return {"url": receiver.url(path), "secret": SECRET, "timeout": "2s"}

    return start_gateway(
        {
            "providers": [
                {**dev.configuration, "id": "oidc.one", "displayName": "One"},
                {**second.configuration, "id": "oidc.two", "displayName": "Two"},
                {"id": "password"},
                {"id": "anonymous"},
            ],
            "accounts": {
                "store": f"sqlite:{tmp_path}/accounts.db",
                "keys": [session_key()],
                "hooks": {"beforeCreate": hook("/create"), "beforeSignIn": hook("/sign-in")},
                "mergeHook": hook("/merge"),
            },
            "mail": {"url": "smtp://127.0.0.1:9", "from": "no-reply@example.com"},
            "routes": [{"path": "/vip/**", "access": {"claims": {"tier": ["gold"]}}}],
            "identity": {"headers": {"X-Tier": "{{ claims.tier }}"}},
        }
    )


def test_the_hooks_are_asked_and_their_claims_count(gateway, dev, receiver):
    receiver.answers["/sign-in"] = (200, {"claims": {"tier": "gold"}})
    client = signed_in(gateway, dev, "one", "alice")
    (created,), (seen,) = receiver.events("/create"), receiver.events("/sign-in")
    assert created["event"] == "beforeCreate" and seen["event"] == "beforeSignIn"
    assert created["user"]["uid"] == userinfo(gateway, client)["uid"] and created["user"]["email"] == "alice@example.com"
    assert seen["provider"] == "oidc.one" and seen["client"]["address"] == "127.0.0.1" and seen["profile"]["name"] == "Alice Adams"
    answer = client.get(gateway.url("/vip/x"), timeout=60)
    assert answer.status_code == 200 and ["X-Tier", "gold"] in answer.json()["headers"]
    signed_in(gateway, dev, "one", "alice")
    assert len(receiver.events("/create")) == 1 and len(receiver.events("/sign-in")) == 2


@pytest.mark.parametrize(
    "answer",
    [(200, {"deny": "not on the list"}), (500, {}), (302, {}), (200, b"no JSON"), (200, {"dney": "x"}), (200, {"claims": {"email": "x"}}), (200, {"claims": {"a": "x" * 1000}})],
)
@pytest.mark.parametrize("hook", ["/create", "/sign-in"])
def test_whatever_is_no_consent_refuses(gateway, dev, receiver, hook, answer):
    receiver.answers[hook] = answer
    client, refused = log_in(gateway, dev, "one", "bob")
    assert refused.status_code == 403 and code(refused) == "auth/access-denied" and not client.cookies.get("session")
    assert "not on the list" not in refused.text
    receiver.answers.clear()
    signed_in(gateway, dev, "one", "bob")
    assert len(receiver.events("/create")) == 2, "the refused sign-in made no account"


def test_a_slow_hook_refuses(gateway, dev, receiver):
    receiver.may_answer.clear()
    try:
        _, refused = log_in(gateway, dev, "one", "bob")
        assert refused.status_code == 403
    finally:
        receiver.may_answer.set()


def test_passwords_and_anonymous_users_are_asked_about_too(gateway, receiver):
    receiver.answers["/create"] = (200, {"deny": "closed"})
    body = {"email": "new@example.org", "password": "correct horse battery staple"}
    assert post(gateway, new_client(), "/sign-up", json=body).status_code == 403
    assert post(gateway, new_client(), "/login/anonymous").status_code == 403
    receiver.answers["/create"] = (200, {})
    assert post(gateway, new_client(), "/sign-up", json=body).status_code == 204
    receiver.answers["/create"] = (200, {"deny": "closed"})
    known = post(gateway, new_client(), "/sign-up", json=body)
    assert known.status_code == 403, "a known address is asked about like an unknown one"
    receiver.answers["/sign-in"] = (200, {"deny": "closed"})
    assert post(gateway, new_client(), "/login/password", json=body).status_code == 403


def test_a_conflict_asks_no_hook(gateway, dev, second, receiver):
    signed_in(gateway, dev, "one", "alice")
    before = len(receiver.received)
    assert log_in(gateway, second, "two", "alice")[1].status_code == 409
    assert len(receiver.received) == before


def test_the_merge_hook_hears_when_the_user_has_signed_in_to_both(gateway, dev, second, receiver):
    other = userinfo(gateway, signed_in(gateway, second, "two", "bob"))["uid"]
    client = signed_in(gateway, dev, "one", "erin")
    mine = userinfo(gateway, client)["uid"]
    refused = link(gateway, second, "two", "bob", client)
    assert refused.status_code == 409 and "/_gateway/login/oidc.two" in refused.text
    receiver.answers["/merge"] = (500, {})
    assert not receiver.events("/merge"), "not before the other sign-in"
    log_in(gateway, second, "two", "bob", client)
    assert userinfo(gateway, client)["uid"] == other
    eventually(lambda: receiver.events("/merge"), "the first delivery", timeout=60)
    receiver.answers["/merge"] = (204, b"")
    eventually(lambda: len(receiver.events("/merge")) >= 2, "another delivery after the failure", timeout=60)
    first, again = receiver.events("/merge")[:2]
    assert first["id"] == again["id"] and first["event"] == "merge"
    assert (first["previous"]["uid"], first["current"]["uid"]) == (mine, other)
