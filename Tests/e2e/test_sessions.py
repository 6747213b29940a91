"""The session cookie in the hands of others: contract §2 `session`, RFC 6265bis, advisories 50 to 64."""

from __future__ import annotations

import base64

import pytest

import wire
from conftest import mark
from logins import NAVIGATION, new_client, session_cookie, sign_in
from parts.gateway import session_key
from parts.processes import eventually


@pytest.fixture(scope="module")
def alice(gateway, dev) -> str:
    return session_cookie(sign_in(gateway, dev))


def status_with(gateway, cookie: str, path: str = "/app/x") -> int:
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nConnection: close\r\nCookie: {cookie}\r\n\r\n"
    with wire.Connection(gateway.port) as connection:
        response = connection.send(request.encode("latin-1")).response()
    return response.status if response else 0


def test_the_cookie_works_as_it_came(gateway, alice):
    """Without this the refusals below would prove nothing."""
    assert status_with(gateway, f"session={alice}") == 200


def test_no_changed_character_goes_unnoticed(gateway, alice):
    """Sealed with AES-256-GCM: every position counts (the last one may carry unused bits, which a strict decoder refuses)."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    step = max(1, len(alice) // 60)
    for position in [*range(0, len(alice), step), len(alice) - 1]:
        for replacement in {alphabet[(alphabet.find(alice[position]) + 1) % 64], "A", "_"} - {alice[position]}:
            changed = alice[:position] + replacement + alice[position + 1 :]
            assert status_with(gateway, f"session={changed}") == 401, position


def test_no_part_of_a_cookie_is_a_cookie(gateway, alice):
    """Truncated, extended, doubled, reversed, in another case or encoding."""
    padded = alice + "=" * (-len(alice) % 4)
    for changed in [
        *(alice[:length] for length in (0, 1, 2, 15, 16, 28, len(alice) // 2, len(alice) - 2, len(alice) - 1)),
        alice + "A",
        alice + "=",
        alice + "AAAA",
        alice + alice,
        alice[::-1],
        alice.swapcase(),
        alice.replace("-", "+").replace("_", "/") + "==",
        base64.urlsafe_b64decode(padded + "====" if False else padded).hex() if _is_base64url(padded) else "00",
        f'"{alice}x"',
        alice + "%00",
        alice + ".",
        "." + alice,
    ]:
        if changed == alice:
            continue
        assert status_with(gateway, f"session={changed}") != 200, changed[:40]


def _is_base64url(text: str) -> bool:
    try:
        base64.urlsafe_b64decode(text)
        return True
    except ValueError:
        return False


JUNK = [
    "",
    "=",
    ";",
    "; ; ;",
    "session",
    "session=",
    "session==",
    'session=""',
    "session=null",
    "session=undefined",
    "session=true",
    "session={}",
    "session=eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.",
    "session=" + "A" * 3000,
    "session=" + "\xff" * 200,
    "session=" + base64.urlsafe_b64encode(b"\x00" * 64).decode(),
    "session.0=A; session.1=B",
    "session.0=" + "A" * 3000 + "; session.99999999=B",
    "__Host-session=A; session=B",
    "session_chunks=99999999; session=A",
    "SESSION=A",
    " session =A",
    "$Version=1; session=A; $Path=/",
    "; ".join(f"c{number}=x" for number in range(400)),
]


@pytest.mark.parametrize("cookie", JUNK, ids=range(len(JUNK)))
def test_junk_in_the_cookie_header_is_no_session_and_no_crash(gateway, upstream, cookie):
    """RFC 6265bis C6, advisories 31, 56, 57: never a 2xx on a protected route."""
    marker = mark()
    assert status_with(gateway, cookie, f"/app/{marker}") in (400, 401, 431)
    assert not upstream.saw(marker)
    assert gateway.alive


def test_64_kib_of_cookie_is_too_much(gateway, alice):
    """§2 `limits.headerBytes`: cookies count (advisory 110)."""
    assert status_with(gateway, "session=" + "A" * 65536) == 431
    assert status_with(gateway, f"session={alice}; x=" + "A" * 65536) == 431


def test_two_cookies_of_our_name_are_no_session(gateway, alice):
    """RFC 6265bis C6, C13: a sibling domain can add a second one; which of them counts must not be up to the order."""
    other = "A" * len(alice)
    assert status_with(gateway, f"session={alice}; session={other}") == 401
    assert status_with(gateway, f"session={other}; session={alice}") == 401


def test_one_connection_may_carry_several_people_and_remembers_none(gateway, dev, upstream):
    """A proxy in front of us sends many people's requests through one connection: each counts for itself, also after a sign-out."""
    clients = {person: sign_in(gateway, dev, person=person) for person in ("alice", "bob")}

    def seen(connection: wire.Connection, person: str | None) -> str | None:
        marker = mark()
        cookie = f"Cookie: session={session_cookie(clients[person])}\r\n" if person in clients else ""
        cookie = f"Cookie: {cookie_of_alice}\r\n" if person == "gone" else cookie
        connection.send(f"GET /app/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\n{cookie}\r\n".encode())
        response = connection.response()
        assert response is not None
        return upstream.only(marker).value("X-Forwarded-Preferred-Username") if response.status == 200 else str(response.status)

    cookie_of_alice = f"session={session_cookie(clients['alice'])}"
    with wire.Connection(gateway.port) as connection:
        for person in ["alice", "alice", "bob", None, "bob", "alice", None]:
            assert seen(connection, person) == (person or "401")
        response = clients.pop("alice").post(gateway.own("/logout"), headers={"Origin": gateway.url("").rstrip("/")}, allow_redirects=False, timeout=60)
        assert response.status_code == 303
        assert [seen(connection, person) for person in ("gone", "bob", "gone")] == ["401", "bob", "401"]


def test_a_cookie_under_another_name_is_no_session(gateway, dev, alice, start_gateway):
    """The seal's associated data binds the cookie's name: a transaction is no session, a session no other's session."""
    client = new_client()
    client.get(gateway.own("/login?rd=/"), headers=NAVIGATION, allow_redirects=False)
    transactions = [cookie for cookie in client.cookies if cookie.name != "session"]
    assert transactions, "a login leaves a transaction cookie"
    for cookie in transactions:
        assert status_with(gateway, f"session={cookie.value}") == 401
    renamed = start_gateway({"providers": [dev.configuration], "session": {"keys": gateway.configuration["session"]["keys"], "cookie": {"name": "other"}}})
    assert status_with(renamed, f"other={alice}") == 401


def test_a_session_of_another_gateways_key_is_no_session(start_gateway, dev, alice):
    gateway = start_gateway({"providers": [dev.configuration]})
    assert status_with(gateway, f"session={alice}") == 401


def test_sessions_live_through_a_new_key_and_end_with_the_old_one(start_gateway, dev):
    """§2 `session.keys`: the first seals, every one opens (peers: oauth2-proxy#963)."""
    old, new = session_key(), session_key()
    gateway = start_gateway({"providers": [dev.configuration], "session": {"keys": [old]}})
    before = session_cookie(sign_in(gateway, dev))
    assert status_with(gateway, f"session={before}") == 200

    gateway.restart(session={"keys": [new, old]})
    assert status_with(gateway, f"session={before}") == 200
    after = session_cookie(sign_in(gateway, dev))

    gateway.restart(session={"keys": [new]})
    assert status_with(gateway, f"session={before}") == 401
    assert status_with(gateway, f"session={after}") == 200


def test_an_idle_session_ends_and_a_used_one_does_not(start_gateway, dev):
    """§2 `idleTimeout`."""
    gateway = start_gateway({"providers": [dev.configuration], "session": {"idleTimeout": "4s"}})
    used = sign_in(gateway, dev)
    idle = session_cookie(sign_in(gateway, dev))
    assert status_with(gateway, f"session={idle}") == 200

    def is_used() -> bool:
        return used.get(gateway.url("/app/x"), allow_redirects=False).status_code == 200

    def idle_session_has_ended() -> bool:
        assert is_used(), "a session that is used"
        return status_with(gateway, f"session={idle}") == 401

    eventually(idle_session_has_ended, "the idle limit", timeout=60)
    assert is_used()
    assert [event["reason"] for event in gateway.events("session-refused")] == ["idle-limit"]


def test_a_used_session_does_not_outlive_the_absolute_limit(start_gateway, dev):
    """§2 `absoluteTimeout`; activity never extends it."""
    gateway = start_gateway({"providers": [dev.configuration], "session": {"idleTimeout": "5s", "absoluteTimeout": "5s"}})
    used = sign_in(gateway, dev)
    assert used.get(gateway.url("/app/x"), allow_redirects=False).status_code == 200
    eventually(lambda: used.get(gateway.url("/app/x"), allow_redirects=False).status_code != 200, "the absolute limit", timeout=60)
    assert [event["reason"] for event in gateway.events("session-refused")] == ["absolute-limit"]


def test_on_https_the_cookie_has_the_host_prefix(start_gateway, dev):
    """RFC 6265bis C1, C2: `__Host-`, Secure, Path=/, no Domain; behind a TLS terminator the public address decides."""
    gateway = start_gateway({"providers": [dev.configuration], "server": {"publicURL": "https://app.example.com"}})
    response = new_client().get(gateway.own("/login?rd=/"), headers={**NAVIGATION, "Host": "app.example.com"}, allow_redirects=False)
    assert response.status_code == 302
    for cookie in response.raw.headers.getlist("Set-Cookie"):
        lowered = cookie.lower()
        assert cookie.startswith("__Host-"), cookie
        assert "secure" in lowered and "path=/" in lowered and "domain=" not in lowered
    assert "redirect_uri=https%3A%2F%2Fapp.example.com%2F_gateway%2Fcallback" in response.headers["Location"], "never from the Host header (X6)"


@pytest.mark.parametrize("host", ["evil.example", "app.example.com.evil.example", "evil.example:80"])
def test_the_redirect_uri_never_comes_from_the_request(gateway, host):
    """RFC 7239 X6, advisories 28, 106."""
    response = new_client().get(gateway.own("/login?rd=/"), headers={**NAVIGATION, "Host": host, "X-Forwarded-Host": host, "X-Forwarded-Proto": "https"}, allow_redirects=False)
    assert "evil" not in response.headers.get("Location", "")
