"""The bounds of what ends and of what strangers make (the reading of 2026-11-28, findings 3 and 7)."""

from __future__ import annotations

import re
import sqlite3
import time

import pytest
import requests

from accounts import code, post, userinfo
from logins import new_client, session_cookie
from parts.gateway import SLOWDOWN, Gateway, run_command, session_key
from parts.mailbox import Mailbox
from parts.processes import eventually
from parts.redis_server import RedisServer
from test_logout import log_out
from test_passwords import NEXT, log_in, mailbox, sign_up, start, verified  # noqa: F401 (fixtures)

DAY = 86_400_000
MANY = 500_001


def database(gateway: Gateway) -> sqlite3.Connection:
    return sqlite3.connect(gateway.configuration["accounts"]["store"].removeprefix("sqlite:"), timeout=60, isolation_level=None)


def add_endings(gateway: Gateway, count: int, before: int, name: str) -> None:
    """As if so many accounts had ended sessions."""
    rows = database(gateway)
    rows.execute("BEGIN IMMEDIATE")
    (last,) = rows.execute("SELECT value FROM counters WHERE name = 'endings'").fetchone()
    rows.executemany(
        "INSERT INTO endings (number, uid, before_time) VALUES (?, ?, ?)",
        ((last + number, f"{name}{number:021d}", before) for number in range(1, count + 1)),
    )
    rows.execute("UPDATE counters SET value = ? WHERE name = 'endings'", (last + count,))
    rows.execute("COMMIT")
    rows.close()


def count(gateway: Gateway, table: str) -> int:
    rows = database(gateway)
    (number,) = rows.execute(f"SELECT COUNT(*) FROM {table}").fetchone()
    rows.close()
    return number


def lists(gateway: Gateway, metric: str = "gateway_revocations") -> dict[str, int]:
    return {name: int(number) for name, number in re.findall(rf'^{metric}{{list="(\w+)"}} (\d+)$', gateway.metrics(), re.MULTILINE)}


def is_alive(gateway: Gateway, cookie: str) -> bool:
    answer = new_client().get(gateway.own("/userinfo"), headers={"Cookie": f"session={cookie}"}, timeout=60)
    assert answer.status_code in (200, 401), answer.text
    return answer.status_code == 200


def anonymous(gateway: Gateway, client: requests.Session | None = None, **headers: str) -> tuple[requests.Session, requests.Response]:
    client = client or new_client()
    return client, post(gateway, client, "/login/anonymous", headers=headers)


def users(gateway: Gateway, *arguments: str) -> None:
    done = run_command("users", *arguments, "--config", str(gateway.file))
    assert done.returncode == 0, done.stderr


def now() -> int:
    return int(time.time() * 1_000)


# --- Finding 3 ----------------------------------------------------------------------------------------------------------


def test_very_many_old_endings_delay_no_start_and_prevent_no_end(start, mailbox):  # noqa: F811
    """Each start read the endings of 400 days and kept them; with 500,000 of them no session ended any more, and nobody could sign out."""
    gateway = start()
    addresses = [verified(gateway, mailbox) for _ in range(3)]
    gateway.stop()
    begun = time.monotonic()
    gateway.start()
    usual = time.monotonic() - begun
    gateway.stop()
    add_endings(gateway, MANY, now() - 300 * DAY, "o")
    add_endings(gateway, 2_000, now() - DAY // 2, "n")
    begun = time.monotonic()
    gateway.start()
    assert time.monotonic() - begun < usual + 5 * SLOWDOWN
    assert lists(gateway)["accounts"] == 2_000 and lists(gateway)["sessions"] == 0

    disabled, reset, leaving = [log_in(gateway, address)[0] for address in addresses]
    cookies = [session_cookie(client) for client in (disabled, reset, leaving)]
    assert all(is_alive(gateway, cookie) for cookie in cookies)
    users(gateway, "disable", userinfo(gateway, disabled)["uid"])
    eventually(lambda: not is_alive(gateway, cookies[0]), "the session of the disabled user to end", timeout=60 * SLOWDOWN)
    assert post(gateway, new_client(), "/password/reset", json={"email": addresses[1]}).status_code == 204
    token = mailbox.token(addresses[1], 2)
    assert post(gateway, new_client(), "/password/new", json={"token": token, "new_password": NEXT}).status_code == 204
    assert not is_alive(gateway, cookies[1])
    log_out(gateway, leaving)
    assert not is_alive(gateway, cookies[2])
    assert not gateway.events("account-sessions-not-ended")
    # Ten thousand at a time.
    eventually(lambda: count(gateway, "endings") <= MANY - 30_000, "the upkeep to delete old endings", timeout=60 * SLOWDOWN)


def test_the_fill_of_the_lists_shows(start):  # noqa: F811
    gateway = start()
    client, _ = anonymous(gateway)
    log_out(gateway, client)
    assert lists(gateway) == {"sessions": 0, "anonymous": 1, "accounts": 0, "unmatched": 0}
    assert lists(gateway, "gateway_revocations_limit") == {"sessions": 500_000, "anonymous": 100_000, "unmatched": 10_000}
    lines = requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text.splitlines()
    assert "[+]ended-sessions ok; sessions 0 of 500000, anonymous 1 of 100000, accounts 0, unmatched 0 of 10000" in lines


@pytest.mark.parametrize("store", ["cookie", "redis"])
def test_a_deleted_anonymous_account_leaves_nothing(start, tmp_path, store):  # noqa: F811
    """Each deletion left an ending for 400 days, and a stranger can delete any number."""
    server = RedisServer(tmp_path).start() if store == "redis" else None
    try:
        gateway = start(session={"keys": [session_key()], "store": server.url if server else "cookie"})
        for _ in range(5):
            client, answer = anonymous(gateway)
            assert answer.status_code == 200, answer.text
            cookie = session_cookie(client)
            assert is_alive(gateway, cookie)
            assert post(gateway, client, "/account/delete").status_code == 204
            assert not client.cookies.get("session") and not is_alive(gateway, cookie)
            again = post(gateway, new_client(), "/account/delete", headers={"Cookie": f"session={cookie}"})
            assert again.status_code == 401
        assert count(gateway, "endings") == 0 and count(gateway, "accounts") == 0
        assert lists(gateway)["accounts"] == 0 and lists(gateway)["anonymous"] == 5
        if store == "cookie":
            return
        gateway.restart()
        assert not is_alive(gateway, cookie), "the store keeps the end"
    finally:
        if server:
            server.kill()


def test_an_anonymous_account_stays_while_its_session_cannot_be_ended(start, tmp_path):  # noqa: F811
    server = RedisServer(tmp_path).start()
    try:
        gateway = start(session={"keys": [session_key()], "store": server.url})
        client, _ = anonymous(gateway)
        server.run("ACL", "SETUSER", "default", "-eval")
        refused = post(gateway, client, "/account/delete")
        assert refused.status_code == 503 and code(refused) == "auth/store-unavailable"
        assert count(gateway, "accounts") == 1 and is_alive(gateway, session_cookie(client))
        server.run("ACL", "SETUSER", "default", "+eval")
        assert post(gateway, client, "/account/delete").status_code == 204 and count(gateway, "accounts") == 0
    finally:
        server.kill()


def test_the_store_keeps_one_ending_of_an_account(start, mailbox):  # noqa: F811
    gateway = start()
    client, _ = log_in(gateway, verified(gateway, mailbox))
    uid = userinfo(gateway, client)["uid"]
    for _ in range(4):
        users(gateway, "revoke", uid)
    assert count(gateway, "endings") == 1
    eventually(lambda: lists(gateway)["accounts"] == 1, "the ending", timeout=60)


# --- Finding 7 ----------------------------------------------------------------------------------------------------------


def test_all_networks_of_an_ipv6_site_share_four_times_the_limit_of_one(start):  # noqa: F811
    """A customer with a /48 had 65,536 times the limit."""
    gateway = start(server={"trustedProxies": ["127.0.0.1/32"]})

    def status(address: str) -> int:
        return anonymous(gateway, **{"X-Forwarded-For": address})[1].status_code

    assert [status("2001:db8:1:1::1") for _ in range(101)] == [200] * 100 + [429]
    assert [status(f"2001:db8:1:{number:x}::1") for number in range(2, 302)] == [200] * 300
    assert status("2001:db8:1:ffff::1") == 429
    assert status("2001:db8:2:1::1") == 200 and status("192.0.2.1") == 200


def test_anonymous_accounts_go_when_their_session_must_be_over(start):  # noqa: F811
    """Nobody could open them any more, and no upkeep deleted them."""
    gateway = start()
    old, _ = anonymous(gateway)
    young, _ = anonymous(gateway)
    uids = [userinfo(gateway, client)["uid"] for client in (old, young)]
    gateway.stop()
    rows = database(gateway)
    # A day, and the tolerated difference of clocks.
    rows.execute("UPDATE accounts SET last_sign_in_at = last_sign_in_at - ? WHERE uid = ?", (DAY + 301_000, uids[0]))
    rows.execute("UPDATE accounts SET last_sign_in_at = last_sign_in_at - ? WHERE uid = ?", (DAY + 200_000, uids[1]))
    gateway.start()
    eventually(lambda: count(gateway, "accounts") == 1, "the upkeep to delete the account", timeout=60 * SLOWDOWN)
    assert rows.execute("SELECT uid FROM accounts").fetchall() == [(uids[1],)] and count(gateway, "endings") == 0
    rows.close()
