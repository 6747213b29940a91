"""Accounts (contract §8): one user and one uid over several providers, over SQLite and over PostgreSQL."""

from __future__ import annotations

import concurrent.futures
import itertools
import os
import pathlib
import stat
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from accounts import account, answer_link, begin, callback, code, link, log_in, post, signed_in, submit, userinfo
from logins import NAVIGATION, new_client
from parts.dev_provider import DevProvider
from parts.gateway import Gateway, session_key
from parts.postgres import Postgres
from parts.processes import accepts_connections, eventually
from parts.static_issuer import StaticIssuer

NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def second(folder):
    provider = DevProvider("second-dev", folder).wait()
    yield provider
    provider.process.kill()


@pytest.fixture(scope="module")
def postgres():
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def start(request, start_gateway, dev, second, tmp_path_factory):
    """Starts a gateway with two providers and an empty store."""

    def start(accounts: dict | None = None, providers: list[dict] | None = None, store: str | None = None, **changes) -> Gateway:
        if store is None and request.param == "postgres":
            store = request.getfixturevalue("postgres").database(f"accounts{next(NUMBERS)}")
        elif store is None:
            store = f"sqlite:{tmp_path_factory.mktemp('accounts')}/accounts.db"
        both = [{**dev.configuration, "id": "oidc.one", "displayName": "One"}, {**second.configuration, "id": "oidc.two", "displayName": "Two"}]
        return start_gateway(
            {"providers": both + (providers or []), "accounts": {"store": store, "keys": [session_key()], **(accounts or {})}, **changes}
        )

    return start


@pytest.fixture(scope="module")
def gateway(start):
    return start()


# --- Sign-in ------------------------------------------------------------------------------------------------------------


def test_a_first_sign_in_makes_an_account_with_the_derived_uid(start, start_gateway, dev):
    """Switching accounts on changes nobody's uid."""
    gateway = start()
    plain = start_gateway({"providers": [{**dev.configuration, "id": "oidc.one"}]})
    expected = userinfo(plain, signed_in(plain, dev, "one", "alice"))
    assert "providers" not in expected, "without accounts nothing changes"
    client = signed_in(gateway, dev, "one", "alice")
    shown = userinfo(gateway, client)
    assert shown["uid"] == expected["uid"]
    assert (shown["providers"], shown["anonymous"], shown["second_factor"]) == (["oidc.one"], False, None)
    assert userinfo(gateway, signed_in(gateway, dev, "one", "alice"))["uid"] == expected["uid"]
    kept = account(gateway, client)
    assert (kept["uid"], kept["email"], kept["email_verified"], kept["name"]) == (expected["uid"], "alice@example.com", True, "Alice Adams")
    assert [provider["id"] for provider in kept["providers"]] == ["oidc.one"]
    page = client.get(gateway.own("/account"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200 and "alice@example.com" in page.text


def test_the_account_page_of_nobody_leads_to_the_sign_in(gateway):
    page = begin(gateway, new_client(), "/account")
    assert page.status_code == 302 and page.headers["Location"] == "/_gateway/login?rd=%2F_gateway%2Faccount"
    program = new_client().get(gateway.own("/account"), timeout=60)
    assert program.status_code == 401 and code(program) == "auth/login-required"


def test_signing_up_is_closed(start, dev):
    gateway = start({"signUp": "closed"})
    client, answer = log_in(gateway, dev, "one", "alice")
    assert answer.status_code == 403 and code(answer) == "auth/admin-restricted-operation"
    assert not client.cookies.get("session")


# --- Linking ------------------------------------------------------------------------------------------------------------


def test_a_linked_provider_leads_to_the_same_uid(start, dev, second):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    uid = userinfo(gateway, client)["uid"]
    answer = link(gateway, second, "two", "alice", client)
    assert answer.status_code == 303 and answer.headers["Location"] == "/_gateway/account", answer.text[:500]
    shown = userinfo(gateway, client)
    assert (shown["uid"], shown["providers"], shown["provider"]) == (uid, ["oidc.one", "oidc.two"], "oidc.one")
    other = signed_in(gateway, second, "two", "alice")
    assert userinfo(gateway, other)["uid"] == uid and userinfo(gateway, other)["provider"] == "oidc.two"
    again = post(gateway, client, "/link/oidc.two")
    assert again.status_code == 409 and code(again) == "auth/provider-already-linked"


def test_a_link_returns_where_it_was_asked_to(start, dev, second):
    gateway = start()
    client = signed_in(gateway, dev, "one", "erin")
    answer = link(gateway, second, "two", "erin", client, rd="/somewhere?a=b")
    assert answer.status_code == 303 and answer.headers["Location"] == "/somewhere?a=b"


def test_an_identity_of_another_account_is_not_linked(start, dev, second):
    gateway = start()
    bob = signed_in(gateway, second, "two", "bob")
    client = signed_in(gateway, dev, "one", "erin")
    answer = link(gateway, second, "two", "bob", client)
    assert answer.status_code == 409 and code(answer) == "auth/credential-already-in-use" or "Already linked to another account" in answer.text
    assert userinfo(gateway, client)["providers"] == ["oidc.one"]
    assert account(gateway, bob)["providers"][0]["id"] == "oidc.two"


def test_an_address_of_another_account_is_not_linked(start, dev, second):
    gateway = start()
    signed_in(gateway, dev, "one", "bob")
    client = signed_in(gateway, dev, "one", "alice")
    answer = link(gateway, second, "two", "bob", client)
    assert answer.status_code == 409 and code(answer) == "auth/email-already-in-use"


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"}],
)
def test_a_foreign_page_changes_nothing(gateway, dev, headers):
    client = signed_in(gateway, dev, "one", "zoe")
    for path in ("/link/oidc.two", "/unlink/oidc.one", "/account/delete"):
        answer = client.post(gateway.own(path), headers=headers, allow_redirects=False, timeout=60)
        assert answer.status_code == 403 and code(answer) == "auth/cross-site-request", path
    assert userinfo(gateway, client)["providers"] == ["oidc.one"]


def test_a_link_ends_only_in_the_session_that_began_it(start, dev, second):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    begun = post(gateway, client, "/link/oidc.two")
    log_in(gateway, dev, "one", "erin", client)
    answer = callback(second, client, begun, "alice")
    assert answer.status_code == 400 and code(answer) == "auth/invalid-state"
    assert userinfo(gateway, client)["providers"] == ["oidc.one"]


def test_links_in_five_tabs_end_with_one_identity(start, dev, second):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    begun = [post(gateway, client, "/link/oidc.two") for _ in range(5)]
    answers = [callback(second, client, tab, "alice") for tab in begun]
    assert [answer.status_code for answer in answers] == [303, 409, 409, 409, 409]
    assert len(account(gateway, client)["providers"]) == 2


# --- Conflicts ----------------------------------------------------------------------------------------------------------


def test_a_conflict_is_resolved_by_signing_in_to_the_account(start, dev, second):
    gateway = start()
    uid = userinfo(gateway, signed_in(gateway, dev, "one", "alice"))["uid"]
    client, conflict = log_in(gateway, second, "two", "alice", rd="/deep?x=1")
    assert conflict.status_code == 409 and code(conflict) == "auth/account-exists-with-different-credential"
    assert not client.cookies.get("session"), "nobody is signed in"
    assert "/_gateway/login/oidc.one" in conflict.text and "alice@example.com" in conflict.text
    _, answer = log_in(gateway, dev, "one", "alice", client)
    assert answer.status_code == 303 and answer.headers["Location"] == "/_gateway/account/pending"
    assert userinfo(gateway, client)["providers"] == ["oidc.one"], "nothing is linked without the question"
    answer = answer_link(gateway, client)
    assert answer.status_code == 303 and answer.headers["Location"] == "/deep?x=1"
    shown = userinfo(gateway, client)
    assert (shown["uid"], shown["providers"]) == (uid, ["oidc.one", "oidc.two"])
    assert userinfo(gateway, signed_in(gateway, second, "two", "alice"))["uid"] == uid


def test_a_pending_credential_is_used_once_and_only_here(start, dev, second):
    gateway = start()
    signed_in(gateway, dev, "one", "alice")
    client, _ = log_in(gateway, second, "two", "alice")
    pending = client.cookies.get("session-pending")
    assert pending
    # Somebody else signs in in between: they are asked nothing.
    _, answer = log_in(gateway, dev, "one", "bob", client)
    assert answer.headers["Location"] == "/"
    refused = post(gateway, client, "/account/pending", json={"accept": True})
    assert refused.status_code == 400 and code(refused) == "auth/invalid-credential", refused.text
    log_in(gateway, dev, "one", "alice", client)
    assert post(gateway, client, "/account/pending", json={"accept": True}).status_code == 204
    assert userinfo(gateway, client)["providers"] == ["oidc.one", "oidc.two"]
    assert not client.cookies.get("session-pending")
    assert post(gateway, client, "/unlink/oidc.two").status_code in (204, 303)
    client.cookies.set("session-pending", pending, domain="127.0.0.1", path="/")
    log_in(gateway, dev, "one", "alice", client)
    assert post(gateway, client, "/account/pending", json={"accept": True}).status_code == 400
    assert userinfo(gateway, client)["providers"] == ["oidc.one"], "used before"


def test_an_unverified_address_names_no_provider(start, dev, second):
    gateway = start()
    signed_in(gateway, dev, "one", "carol")
    _, conflict = log_in(gateway, second, "two", "carol")
    assert conflict.status_code == 409 and "/login/oidc.one" not in conflict.text and "carol@example.org" not in conflict.text


def test_linking_never(start, dev, second):
    gateway = start({"linking": "never"})
    signed_in(gateway, dev, "one", "alice")
    _, answer = log_in(gateway, second, "two", "alice")
    assert answer.status_code == 403 and code(answer) == "auth/email-already-in-use"


def test_linking_by_verified_address(start, dev, second):
    gateway = start({"linking": "verified-email"})
    uid = userinfo(gateway, signed_in(gateway, dev, "one", "alice"))["uid"]
    shown = userinfo(gateway, signed_in(gateway, second, "two", "alice"))
    assert (shown["uid"], shown["providers"]) == (uid, ["oidc.one", "oidc.two"])
    signed_in(gateway, dev, "one", "carol")
    _, answer = log_in(gateway, second, "two", "carol")
    assert answer.status_code == 409, "the provider does not vouch for the address"


def test_linking_by_trusted_domain(start, dev, second):
    gateway = start({"linking": "trusted-domains"})
    signed_in(gateway, dev, "one", "alice")
    assert log_in(gateway, second, "two", "alice")[1].status_code == 409
    gateway.stop()
    configuration = gateway.configuration["providers"]
    configuration[1]["trustedDomains"] = ["example.com"]
    configuration[0]["trustedDomains"] = ["example.com"]
    gateway.configuration["providers"] = configuration
    gateway.start()
    # The first account's address was not proven by the provider of its mailbox, so the second takes the account over.
    shown = userinfo(gateway, signed_in(gateway, second, "two", "alice"))
    assert shown["providers"] == ["oidc.two"]
    assert gateway.events("account-taken-over")


def test_accounts_may_share_an_address(start, dev, second):
    gateway = start({"onePerEmail": False})
    one = userinfo(gateway, signed_in(gateway, dev, "one", "alice"))
    two = userinfo(gateway, signed_in(gateway, second, "two", "alice"))
    assert one["uid"] != two["uid"]


def test_two_first_sign_ins_at_once_make_one_account(start, dev, second):
    gateway = start()
    clients = [new_client() for _ in range(8)]
    begun = [begin(gateway, client, "/login/oidc.one") for client in clients]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda pair: callback(dev, pair[0], pair[1], "zoe"), zip(clients, begun)))
    assert [answer.status_code for answer in answers] == [303] * 8
    assert len({userinfo(gateway, client)["uid"] for client in clients}) == 1


# --- Unlinking ----------------------------------------------------------------------------------------------------------


def test_unlinking_ends_the_sessions_made_with_the_provider(start, dev, second):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    link(gateway, second, "two", "alice", client)
    other = signed_in(gateway, second, "two", "alice")
    assert post(gateway, client, "/unlink/oidc.three").status_code == 404
    answer = submit(gateway, client, "/unlink/oidc.two")
    assert answer.status_code == 303, answer.text[:500]
    assert userinfo(gateway, client)["providers"] == ["oidc.one"]
    assert other.get(gateway.own("/userinfo"), timeout=60).status_code == 401
    last = post(gateway, client, "/unlink/oidc.one")
    assert last.status_code == 409 and code(last) == "auth/last-provider"


def test_sensitive_operations_need_a_recent_sign_in(start, dev, second):
    gateway = start({"recentLogin": "1s"})
    client = signed_in(gateway, dev, "one", "alice")
    link(gateway, second, "two", "alice", client)
    eventually(lambda: code(post(gateway, client, "/unlink/oidc.five")) == "auth/requires-recent-login", "the sign-in to be old")
    for path in ("/unlink/oidc.two", "/account/delete"):
        answer = post(gateway, client, path)
        assert answer.status_code == 401 and code(answer) == "auth/requires-recent-login"
        assert answer.headers["WWW-Authenticate"] and "/_gateway/reauthenticate" in answer.json()["error"]["login_url"]
    page = submit(gateway, client, "/account/delete")
    assert page.status_code == 401 and "/_gateway/reauthenticate?rd=%2F_gateway%2Faccount%2Fdelete" in page.text


# --- Re-authentication --------------------------------------------------------------------------------------------------


def test_reauthentication_renews_the_session(start, dev, second):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    before, cookie = userinfo(gateway, client), client.cookies.get("session")
    begun = begin(gateway, client, "/reauthenticate", rd="/reports")
    sent = parse_qs(urlsplit(begun.headers["Location"]).query)
    assert begun.status_code == 302 and sent["prompt"] == ["login"] and sent["max_age"] == ["0"]
    answer = callback(dev, client, begun, "alice")
    assert answer.status_code == 303 and answer.headers["Location"] == "/reports"
    after = userinfo(gateway, client)
    assert after["uid"] == before["uid"] and after["auth_time"] >= before["auth_time"] and client.cookies.get("session") != cookie
    old = new_client()
    old.cookies.set("session", cookie)
    assert old.get(gateway.own("/userinfo"), timeout=60).status_code == 401, "the old session has ended"


def test_reauthentication_as_somebody_else_changes_nothing(start, dev, second):
    gateway = start()
    client = signed_in(gateway, dev, "one", "alice")
    cookie = client.cookies.get("session")
    answer = callback(dev, client, begin(gateway, client, "/reauthenticate"), "bob")
    assert answer.status_code == 403 and code(answer) == "auth/user-mismatch"
    assert client.cookies.get("session") == cookie and userinfo(gateway, client)["name"] == "Alice Adams"
    link(gateway, second, "two", "alice", client)
    other = begin(gateway, client, "/reauthenticate", provider="oidc.two")
    assert other.headers["Location"].startswith(second.origin)
    strange = begin(gateway, client, "/reauthenticate", provider="oidc.nobody")
    assert strange.status_code == 404 and code(strange) == "auth/no-such-provider"


def test_a_route_with_max_age_leads_through_reauthentication(start, dev):
    gateway = start(routes=[{"path": "/fresh", "access": {"maxAge": "1s"}}])
    client = signed_in(gateway, dev, "one", "alice")
    eventually(lambda: client.get(gateway.url("/fresh"), headers=NAVIGATION, timeout=60).status_code == 401, "the sign-in to be old")
    page = client.get(gateway.url("/fresh?q=1"), headers=NAVIGATION, timeout=60)
    assert "/_gateway/reauthenticate?rd=%2Ffresh%3Fq%3D1" in page.text


# --- Deletion and the store ---------------------------------------------------------------------------------------------


def test_deleting_ends_every_session_and_frees_the_address(start, dev, second):
    gateway = start()
    client, other = signed_in(gateway, dev, "one", "alice"), signed_in(gateway, dev, "one", "alice")
    page = client.get(gateway.own("/account/delete"), headers=NAVIGATION, timeout=60)
    assert page.status_code == 200
    answer = submit(gateway, client, "/account/delete")
    assert answer.status_code == 303, answer.text[:500]
    assert other.get(gateway.own("/userinfo"), timeout=60).status_code == 401
    shown = userinfo(gateway, signed_in(gateway, second, "two", "alice"))
    assert shown["providers"] == ["oidc.two"], "the address is free again"


def test_accounts_and_endings_outlive_a_restart(start, dev, second):
    gateway = start()
    client, other = signed_in(gateway, dev, "one", "alice"), signed_in(gateway, dev, "one", "alice")
    link(gateway, second, "two", "alice", client)
    uid = userinfo(gateway, client)["uid"]
    deleted = signed_in(gateway, dev, "one", "bob")
    copy = new_client()
    copy.cookies.set("session", deleted.cookies.get("session"))
    assert post(gateway, deleted, "/account/delete").status_code == 204
    gateway.restart()
    assert userinfo(gateway, other)["uid"] == uid, "nobody is signed out"
    assert userinfo(gateway, signed_in(gateway, second, "two", "alice"))["uid"] == uid
    assert copy.get(gateway.own("/userinfo"), timeout=60).status_code == 401, "its account is gone"


def test_replicas_hear_of_a_deleted_account(start, start_gateway, dev):
    first = start()
    key, store = first.configuration["session"]["keys"], first.configuration["accounts"]
    twin = start_gateway(
        {
            "server": {"publicURL": first.origin},
            "providers": first.configuration["providers"],
            "accounts": store,
            "session": {"keys": key},
        }
    )
    client = signed_in(first, dev, "one", "alice")
    copy = new_client()
    copy.cookies.set("session", client.cookies.get("session"))
    assert copy.get(twin.own("/userinfo"), timeout=60).status_code == 200
    assert post(first, client, "/account/delete").status_code == 204
    eventually(lambda: copy.get(twin.own("/userinfo"), timeout=60).status_code == 401, "the other replica to hear of it", timeout=60)


def test_the_store_is_down(start, start_gateway, dev, request):
    """Sign-ins and account pages are 503; sessions that exist go on."""
    server = Postgres()
    try:
        gateway = start(store=server.database("accounts"))
        client = signed_in(gateway, dev, "one", "alice")
        server.stop()
        fresh, answer = log_in(gateway, dev, "one", "alice")
        assert answer.status_code == 503 and code(answer) == "auth/store-unavailable" and answer.headers["Retry-After"]
        assert client.get(gateway.own("/account"), headers=NAVIGATION, timeout=60).status_code == 503
        assert client.get(gateway.url("/"), timeout=60).status_code == 200 and userinfo(gateway, client)["name"] == "Alice Adams"
        server.start()
        eventually(lambda: log_in(gateway, dev, "one", "alice")[1].status_code == 303, "the store to be back", timeout=60)
    finally:
        server.close()


def test_the_file_of_accounts_is_its_owners(tmp_path, start_gateway, dev):
    place = tmp_path / "accounts.db"
    gateway = start_gateway({"providers": [{**dev.configuration, "id": "oidc.one"}], "accounts": {"store": f"sqlite:{place}", "keys": [session_key()]}})
    signed_in(gateway, dev, "one", "alice")
    for file in pathlib.Path(tmp_path).glob("accounts.db*"):
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600, file


# --- What the app receives ----------------------------------------------------------------------------------------------


def test_templates_name_the_providers(start, dev, second):
    gateway = start(identity={"headers": {"X-Ways": "{{ providers }}", "X-Anonymous": "{{ anonymous }}", "X-User": "{{ uid }}"}})
    client = signed_in(gateway, dev, "one", "alice")
    link(gateway, second, "two", "alice", client)
    received = {name.lower(): value for name, value in client.get(gateway.url("/"), timeout=60).json()["headers"]}
    assert received["x-ways"] == "oidc.one,oidc.two" and received["x-anonymous"] == "false"
    assert received["x-user"] == userinfo(gateway, client)["uid"]


def test_nothing_is_answered_before_providers_were_asked_and_endings_were_read(start_gateway, postgres):
    """A token was 503 when it arrived between the first answer of `/readyz` and the question to the provider."""
    issuer, database = StaticIssuer(), f"accounts{next(NUMBERS)}"
    gateway = start_gateway(
        {
            "providers": [{"id": "oidc.slow", **issuer.configuration}],
            "accounts": {"store": postgres.database(database), "keys": [session_key()]},
        }
    )
    gateway.stop()
    asked = issuer.asked
    with concurrent.futures.ThreadPoolExecutor(1) as pool, postgres.locked(database, "endings"):
        start = pool.submit(gateway.start)
        eventually(lambda: issuer.asked > asked or start.done(), "the provider was asked")
        assert not start.done() and not accepts_connections(gateway.port) and not accepts_connections(gateway.admin_port)
    start.result()
    issuer.close()
