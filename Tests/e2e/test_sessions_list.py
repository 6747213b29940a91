"""Own sessions and the admin interface with a store that keeps sessions: contract §7, "Own sessions" and "Admin", over two replicas and Redis."""

from __future__ import annotations

import datetime
import json
import re

import pytest
import requests

from accounts import account, code, post, submit, userinfo
from logins import NAVIGATION, new_client, session_cookie, sign_in
from parts.gateway import Gateway, run_command, session_key
from test_lifecycle import upstream_of
from test_redis_sessions import dev, replicas, server, within  # noqa: F401
from test_session_streams import App, WebSocket
from test_sessions_admin import STRANGE, TOKEN, admin

MEMBERS = {"id", "current", "created_at", "last_seen_at", "provider", "user_agent", "address"}
REFERENCE = re.compile(r"[0-9a-f]{32}")


@pytest.fixture
def pair(replicas, server):  # noqa: F811
    return replicas(server, admin={"token": TOKEN})


def begin(gateway: Gateway, dev, person: str = "alice", agent: str = "Test/1.0") -> requests.Session:  # noqa: F811
    client = new_client()
    client.headers["User-Agent"] = agent
    return sign_in(gateway, dev, client, person)


def own(gateway: Gateway, client: requests.Session) -> list[dict]:
    answer = client.get(gateway.own("/sessions"), timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def current(gateway: Gateway, client: requests.Session) -> str:
    [found] = [item["id"] for item in own(gateway, client) if item["current"]]
    return found


def is_alive(gateway: Gateway, client: requests.Session) -> bool:
    status = client.get(gateway.own("/userinfo"), headers={"Cookie": f"session={session_cookie(client)}"}, timeout=60).status_code
    assert status in (200, 401)
    return status == 200


def ends(gateway: Gateway, *clients: requests.Session) -> None:
    for client in clients:
        within(1, lambda client=client: not is_alive(gateway, client), "the end of a session")


def test_a_user_lists_sessions_and_ends_one_on_the_other_replica(pair, dev):  # noqa: F811
    one, two = pair
    laptop, phone = begin(one, dev, agent="Laptop/1.0"), begin(two, dev, agent="Phone/" + "x" * 400)
    begin(one, dev, "bob")
    sessions = own(two, laptop)
    assert len(sessions) == 2 and all(set(item) == MEMBERS and REFERENCE.fullmatch(item["id"]) for item in sessions)
    assert [item["user_agent"] for item in sessions if item["current"]] == ["Laptop/1.0"]
    assert [len(item["user_agent"]) for item in sessions if not item["current"]] == [256]
    for item in sessions:
        assert item["provider"] == "oidc.dev" and item["address"] == "127.0.0.1"
        for name in ("created_at", "last_seen_at"):
            assert item[name].endswith("Z")
            age = datetime.datetime.now(datetime.UTC) - datetime.datetime.fromisoformat(item[name])
            assert abs(age.total_seconds()) < 120
    listed = admin(one, "GET", f"/sessions?user={userinfo(one, laptop)['uid']}")
    assert {item["id"] for item in listed.json()} == {item["id"] for item in sessions}, "the ids are those that the admin sees"
    assert not {session_cookie(laptop), session_cookie(phone)} & set(re.findall(r"[\w-]+", listed.text))

    strange = post(one, laptop, "/sessions/revoke", json={"id": STRANGE})
    assert strange.status_code == 404 and code(strange) == "auth/no-such-session"
    assert post(one, laptop, "/sessions/revoke", json={"id": current(two, phone)}).status_code == 204
    assert not is_alive(one, phone)
    ends(two, phone)
    assert is_alive(one, laptop) and [item["current"] for item in own(two, laptop)] == [True]
    [record] = one.events("session.revoke")
    assert record["actor"] == "user" and record["session"] in {item["id"] for item in sessions}


def test_a_user_cannot_end_another_users_session(pair, dev):  # noqa: F811
    one, two = pair
    alice, bob = begin(one, dev), begin(one, dev, "bob")
    for gateway in (one, two):
        # The public URL is that of the first replica.
        headers = {"Origin": one.origin}
        assert post(gateway, alice, "/sessions/revoke", headers, json={"id": current(one, bob)}).status_code == 404
    assert post(one, alice, "/sessions/revoke", json={"others": True}).status_code == 204
    assert is_alive(one, bob) and is_alive(two, bob)


@pytest.mark.parametrize("form", [True, False], ids=["form", "json"])
def test_all_others_end_and_their_websockets_close(server, replicas, dev, form):  # noqa: F811
    with upstream_of(App()) as port:
        one, two = replicas(server, admin={"token": TOKEN}, upstream=f"http://127.0.0.1:{port}")
        mine, others = begin(one, dev), [begin(one, dev), begin(two, dev)]
        kept, tunnel = WebSocket(two, mine), WebSocket(two, others[0])
        if form:
            answer = submit(one, mine, "/sessions/revoke", others="true", rd="/home")
            assert answer.status_code == 303 and answer.headers["Location"] == "/home"
        else:
            assert post(one, mine, "/sessions/revoke", json={"others": True}).status_code == 204
        tunnel.ends()
        kept.exchange()
        ends(one, *others)
        ends(two, *others)
        assert is_alive(one, mine) and is_alive(two, mine)
        assert one.events("session.revoke_others")[0]["actor"] == "user"


def test_the_admin_ends_one_a_user_and_everyone_on_all_replicas(pair, dev):  # noqa: F811
    one, two = pair
    alice = [begin(one, dev), begin(two, dev), begin(one, dev)]
    bob = begin(two, dev, "bob")
    uid = userinfo(one, alice[0])["uid"]
    first = current(one, alice[0])
    assert admin(two, "DELETE", f"/sessions/{first}").status_code == 204
    assert admin(two, "DELETE", f"/sessions/{first}").status_code == 404
    ends(one, alice[0])
    assert {item["id"] for item in admin(one, "GET", f"/sessions?user={uid}").json()} == {current(one, client) for client in alice[1:]}
    assert admin(one, "DELETE", f"/sessions?user={uid}").status_code == 204
    ends(one, *alice)
    ends(two, *alice)
    assert admin(two, "GET", f"/sessions?user={uid}").json() == []
    assert is_alive(one, bob) and is_alive(two, bob)
    for target in ("/sessions?user=", "/sessions?usr=x", "/sessions/"):
        assert admin(one, "DELETE", target).status_code == 400
    assert is_alive(one, bob)
    again = begin(one, dev)
    assert is_alive(two, again), "a later sign-in is not meant"
    assert admin(two, "DELETE", "/sessions").status_code == 204
    ends(one, bob, again)
    ends(two, bob, again)
    assert [record["event"] for record in two.events("session.revoke_all")] == ["session.revoke_all"]


def test_the_command_lists_and_ends(pair, dev):  # noqa: F811
    one, two = pair
    clients = [begin(one, dev, agent="Agent/1.0"), begin(two, dev)]
    uid = userinfo(one, clients[0])["uid"]
    environment = {"GATEWAY_ADMIN_TOKEN": TOKEN}

    def command(*arguments: str):
        return run_command("sessions", *arguments, "--admin", two.admin, environment=environment, timeout=60)

    table = command("list", "--user", uid)
    assert table.returncode == 0, table.stderr
    lines = table.stdout.splitlines()
    assert len(lines) == 3 and all(len(line) <= 80 for line in lines) and lines[0].split() == ["ID", "LAST", "SEEN", "(UTC)", "ADDRESS", "PROVIDER"]
    assert {line.split()[0] for line in lines[1:]} == {current(one, client) for client in clients}
    assert all("127.0.0.1" in line and "oidc.dev" in line for line in lines[1:])
    records = [json.loads(line) for line in command("list", "--user", uid, "--format", "json").stdout.splitlines()]
    assert {record["user_agent"] for record in records} == {"Agent/1.0", "Test/1.0"} and {record["uid"] for record in records} == {uid}
    assert command("revoke", "--id", records[0]["id"]).returncode == 0
    gone = command("revoke", "--id", records[0]["id"])
    assert gone.returncode == 1 and "no session has this id" in gone.stderr
    assert json.loads(command("revoke", "--user", uid, "--format", "json").stdout) == {"revoked": {"user": uid}}
    ends(one, *clients)
    empty = command("list", "--user", uid)
    assert empty.returncode == 0 and empty.stdout == "" and "no session" in empty.stderr


def test_a_store_that_is_down_is_503_and_ends_nothing(pair, server, dev):  # noqa: F811
    one, _ = pair
    client = begin(one, dev)
    uid = userinfo(one, client)["uid"]
    server.kill()
    for answer in (
        client.get(gateway_sessions(one), timeout=60),
        post(one, client, "/sessions/revoke", json={"others": True}),
        admin(one, "GET", f"/sessions?user={uid}"),
        admin(one, "DELETE", f"/sessions?user={uid}"),
        admin(one, "DELETE", "/sessions"),
        admin(one, "DELETE", f"/sessions/{STRANGE}"),
    ):
        assert answer.status_code == 503 and code(answer) == "auth/store-unavailable", answer.text
        assert answer.headers["Retry-After"] and "Set-Cookie" not in answer.headers


def gateway_sessions(gateway: Gateway) -> str:
    return gateway.own("/sessions")


def test_the_account_page_lists_sessions_and_ends_them(server, replicas, dev, tmp_path):  # noqa: F811
    accounts = {"store": f"sqlite:{tmp_path}/accounts.db", "keys": [session_key()]}
    [gateway] = replicas(server, 1, admin={"token": TOKEN}, accounts=accounts)
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    mine, other, third = begin(gateway, dev, agent=firefox), begin(gateway, dev, agent="<b>curl</b>/8"), begin(gateway, dev)
    listed = account(gateway, mine)["sessions"]
    assert {item["id"] for item in listed} == {item["id"] for item in own(gateway, mine)} and len(listed) == 3
    page = mine.get(gateway.own("/account"), headers=NAVIGATION, timeout=60).text
    assert "Firefox · Linux" in page and "&lt;b&gt;curl" in page and "<b>curl" not in page
    found = set(re.findall(r'name="id" value="([0-9a-f]{32})"', page))
    assert found == {current(gateway, other), current(gateway, third)}, "a sign-out ends the current one"
    answer = submit(gateway, mine, "/sessions/revoke", id=current(gateway, other))
    assert answer.status_code == 303 and answer.headers["Location"] == "/_gateway/account?notice=sessions-ended"
    assert not is_alive(gateway, other) and is_alive(gateway, third)
    assert submit(gateway, mine, "/sessions/revoke", others="true").status_code == 303
    assert not is_alive(gateway, third) and is_alive(gateway, mine)
    page = mine.get(gateway.own("/account?notice=sessions-ended"), headers=NAVIGATION, timeout=60).text
    assert "The sessions have ended." in page and 'name="id"' not in page
    # The current session, by its id.
    answer = submit(gateway, mine, "/sessions/revoke", id=current(gateway, mine))
    assert answer.status_code == 303 and "/login" in answer.headers["Location"] and "Max-Age=0" in answer.headers["Set-Cookie"]
