"""Ended sessions and tokens: over restarts, in a flood, at providers with an issuer for each tenant (contract §7 `session.revocations`)."""

from __future__ import annotations

import pathlib
import stat
import subprocess
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests

import wire
from conftest import mark
from jwt_reading import claims
from logins import NAVIGATION, new_client, session_cookie, sign_in
from parts.dev_provider import CLIENT_ID, CLIENT_SECRET, DevProvider
from parts.gateway import BINARY, Gateway, session_key, write_configuration
from parts.processes import eventually
from parts.tokens import tokens_of
from test_logout import log_out

WITH_TOKEN = {"path": "/sid/**", "requestHeaders": {"set": {"X-ID-Token": "{{ idToken }}"}}}
BEARER = {"path": "/api/**", "bearer": {"providers": ["oidc.dev"]}}


@pytest.fixture(scope="module")
def dev(folder):
    part = DevProvider("dev-provider-revocations", folder)
    yield part.wait()
    part.process.kill()


@pytest.fixture
def file(tmp_path) -> pathlib.Path:
    (tmp_path / "state").mkdir()
    return tmp_path / "state/revocations"


@pytest.fixture
def start(start_gateway, dev):
    started = []

    def begin(wait=True, **changes):
        gateway = start_gateway({"providers": [dev.configuration], "routes": [BEARER, WITH_TOKEN], **changes}, wait=wait)
        started.append(gateway)
        return gateway

    yield begin
    for gateway in started:
        gateway.kill()


def is_alive(gateway, cookie: str) -> bool:
    headers = {"Cookie": f"session={cookie}", "Accept": "application/json"}
    status = new_client().get(gateway.url("/app/x"), headers=headers, allow_redirects=False, timeout=60).status_code
    assert status in (200, 401)
    return status == 200


def logout_token(dev, minted, **wanted) -> str:
    token = dev.control(logoutToken={"client": CLIENT_ID, "person": "alice", **wanted})["logoutToken"]
    minted.add(token)
    return token


def back_channel(gateway, token, provider="oidc.dev") -> requests.Response:
    return new_client().post(gateway.own(f"/backchannel-logout/{provider}"), data={"logout_token": token}, timeout=60)


def front_channel(gateway, issuer, sid, provider="oidc.dev", client=None) -> requests.Response:
    return (client or new_client()).get(gateway.own(f"/frontchannel-logout/{provider}"), params={"iss": issuer, "sid": sid}, timeout=60)


def sid_of(gateway, upstream, client) -> str:
    """The provider's own session, as the ID token names it."""
    marker = mark()
    assert client.get(gateway.url(f"/sid/{marker}"), timeout=60).status_code == 200
    return claims(upstream.only(marker).value("X-ID-Token"))["sid"]


def refused_to_start(gateway) -> str:
    write_configuration(gateway.file, gateway.configuration)
    done = subprocess.run([str(BINARY), "run", str(gateway.file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 78, (done.returncode, done.stderr)
    return done.stderr


# --- Item 3: a restart undoes nothing ---------------------------------------------------------------------------------


def test_a_restart_undoes_no_sign_out_and_no_logout_of_the_provider(start, dev, file, upstream, minted):
    """A sign-out, a back-channel logout, a front-channel logout and a used `jti` survive a kill and a stop."""
    gateway = start(session={"keys": [session_key()], "revocations": str(file)})
    clients = [sign_in(gateway, dev, person=person) for person in ("alice", "bob", "carol", "alice")]
    cookies = [session_cookie(client) for client in clients]
    sids = [sid_of(gateway, upstream, client) for client in clients]
    log_out(gateway, clients[0])
    token = logout_token(dev, minted, person="bob")
    assert back_channel(gateway, token).status_code == 200
    assert front_channel(gateway, dev.issuer, sids[2]).status_code == 200
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    content = file.read_bytes()
    for secret in (*sids, dev.subject_of("bob"), dev.issuer, cookies[0]):
        assert secret.encode() not in content

    for end in (lambda: None, gateway.kill, gateway.stop):
        end()
        if not gateway.alive:
            gateway.start()
        assert [is_alive(gateway, cookie) for cookie in cookies] == [False, False, False, True]
        assert back_channel(gateway, token).status_code == 400, "its jti was used before"


def test_a_front_channel_logout_of_a_session_that_was_not_seen_since_the_start_survives_the_next(start, dev, file, upstream):
    gateway = start(session={"keys": [session_key()], "revocations": str(file)})
    client = sign_in(gateway, dev)
    sid = sid_of(gateway, upstream, client)
    gateway.restart()
    assert front_channel(gateway, dev.issuer, sid).status_code == 200
    assert gateway.events("logout-unmatched") and not gateway.events("signed-out-by-provider")
    gateway.restart()
    assert not is_alive(gateway, session_cookie(client))


def test_a_torn_end_is_left_out_and_reported_once_and_damage_refuses_to_start(start, dev, file):
    gateway = start(session={"keys": [session_key()], "revocations": str(file)})
    clients = [sign_in(gateway, dev) for _ in range(3)]
    cookies = [session_cookie(client) for client in clients]
    for client in clients[:2]:
        log_out(gateway, client)
    gateway.kill()
    whole = file.read_bytes()
    file.write_bytes(whole + b"\x01torn")
    gateway.start()
    assert len(gateway.events("revocations-torn")) == 1
    assert [is_alive(gateway, cookie) for cookie in cookies] == [False, False, True]
    gateway.stop()
    assert len(file.read_bytes()) < len(whole) + 5, "the start wrote the file anew"
    damaged = bytearray(file.read_bytes())
    damaged[-60] ^= 1
    file.write_bytes(damaged)
    assert "is damaged" in refused_to_start(gateway)
    file.write_bytes(b"something else\n")
    assert "not a file of revocations" in refused_to_start(gateway)


def test_the_file_survives_a_rotation_of_session_keys_and_no_key_refuses_to_start(start, dev, file):
    old, new = session_key(), session_key()
    gateway = start(session={"keys": [old], "revocations": str(file)})
    client, other = sign_in(gateway, dev), sign_in(gateway, dev)
    cookie = session_cookie(client)
    log_out(gateway, client)
    gateway.restart(session={"keys": [new, old]})
    assert not is_alive(gateway, cookie) and is_alive(gateway, session_cookie(other))
    # A reload seals the file with the keys that it brings.
    gateway.rewrite(session={"keys": [new]}).reload()
    gateway.restart()
    gateway.stop()
    gateway.configuration["session"]["keys"] = [session_key()]
    assert "no key of session.keys opens it" in refused_to_start(gateway)


def test_a_second_gateway_with_the_same_file_refuses_to_start(start, dev, file):
    gateway = start(session={"keys": [session_key()], "revocations": str(file)})
    second = start(wait=False, session=gateway.configuration["session"])
    assert "another gateway uses it" in refused_to_start(second)
    assert sign_in(gateway, dev)


def test_without_session_keys_the_file_is_an_error_of_the_configuration(start, file):
    gateway = start(wait=False, session={"keys": [], "revocations": str(file)})
    assert "missing-key" in refused_to_start(gateway)


def test_a_sign_out_that_cannot_be_written_is_503_and_the_cookie_stays(start, dev, file, minted):
    """The file has to be rewritten for a new key, and cannot be. When it can again, everything that ended is written."""
    old = session_key()
    gateway = start(session={"keys": [old], "revocations": str(file)})
    client, other = sign_in(gateway, dev), sign_in(gateway, dev, person="bob")
    cookie, others = session_cookie(client), session_cookie(other)
    obstacle = file.with_name(file.name + ".new")
    obstacle.mkdir()
    gateway.rewrite(session={"keys": [session_key(), old]}).reload()
    eventually(lambda: gateway.events("revocations-write-failed"), "the failure is reported")
    assert "[-]revocations" in requests.get(f"{gateway.admin}/readyz?verbose", timeout=60).text

    response = log_out(gateway, client)
    assert response.status_code == 503 and response.headers["Retry-After"] and "Set-Cookie" not in response.headers
    assert "auth/signout-failed" in response.text
    assert not is_alive(gateway, cookie), "in this process the session has ended at once"
    token = logout_token(dev, minted, person="bob")
    assert back_channel(gateway, token).status_code == 400
    assert log_out_again(gateway, cookie).status_code == 503, "a second attempt does not claim success"
    assert not gateway.events("signed-out"), "nothing is reported that a restart would undo"
    front_channel(gateway, dev.issuer, "junk")
    assert len(gateway.events("sign-out-failed")) == 2, "a stranger's logout is no failed sign-out"
    assert len(gateway.events("revocations-write-failed")) == 1

    obstacle.rmdir()
    eventually(lambda: back_channel(gateway, token).status_code == 200, "the provider's next attempt succeeds")
    eventually(lambda: gateway.events("revocations-write-recovered"), "the recovery is reported")
    assert len(gateway.events("revocations-write-recovered")) == 1
    response = log_out_again(gateway, cookie)
    assert response.status_code == 303
    assert response.headers["Location"].startswith(dev.issuer) and "id_token_hint" in response.headers["Location"], "the provider is told"
    assert len(gateway.events("signed-out")) == 1
    records = gateway.events("logout") + gateway.events("logout.failed")
    assert len(records) == 3 and all(record["client"] == "127.0.0.1" and record["path"].endswith("/logout") for record in records)
    gateway.kill()
    gateway.start()
    assert not is_alive(gateway, cookie) and not is_alive(gateway, others)


def test_a_sign_out_ends_a_session_that_does_not_count_at_the_moment(start, dev):
    gateway = start()
    cookie = session_cookie(sign_in(gateway, dev))
    gateway.rewrite(session={"idleTimeout": "1s"}).reload()
    eventually(lambda: not is_alive(gateway, cookie), "the idle limit is over")
    assert log_out_again(gateway, cookie).status_code == 303
    gateway.rewrite(session={"idleTimeout": "1h"}).reload()
    assert not is_alive(gateway, cookie)


def log_out_again(gateway, cookie: str) -> requests.Response:
    headers = {**NAVIGATION, "Cookie": f"session={cookie}", "Origin": gateway.origin, "Sec-Fetch-Site": "same-origin"}
    return new_client().post(gateway.own("/logout"), data={}, headers=headers, allow_redirects=False, timeout=60)


def test_a_reload_adds_moves_and_removes_the_file(start, dev, file):
    gateway = start(session={"keys": [session_key()]})
    first, second = sign_in(gateway, dev), sign_in(gateway, dev)
    cookies = [session_cookie(first), session_cookie(second)]
    log_out(gateway, first)
    gateway.rewrite(session={"revocations": str(file)}).reload()
    moved = file.with_name("moved")
    gateway.rewrite(session={"revocations": str(moved)}).reload()
    log_out(gateway, second)
    gateway.restart()
    assert not any(is_alive(gateway, cookie) for cookie in cookies)
    gateway.rewrite(session={"revocations": None}).reload()
    assert not any(is_alive(gateway, cookie) for cookie in cookies)
    # Its digests are another process's.
    gateway.stop()
    gateway.start()
    assert "a restart reads it" in gateway.rewrite(session={"revocations": str(moved)}).reload(expect="reload-failed")["reason"]
    assert is_alive(gateway, cookies[0]), "the file was left out of this start"
    gateway.restart()
    assert not any(is_alive(gateway, cookie) for cookie in cookies)


def test_the_file_is_compacted_while_it_grows(start, dev, file):
    """Records that expired are dropped at the start."""
    gateway = start(session={"keys": [session_key()], "revocations": str(file), "absoluteTimeout": "1s", "idleTimeout": "1s"})
    empty = file.stat().st_size
    for number in range(20):
        assert front_channel(gateway, dev.issuer, f"sid-{number}").status_code == 200
    assert file.stat().st_size > empty

    def restarted() -> bool:
        gateway.restart()
        return file.stat().st_size == empty

    eventually(restarted, "expired records are dropped", timeout=60)


# --- Items 4 and 28: strangers and the front channel ----------------------------------------------------------------------


def junk(gateway: Gateway, issuer: str, sid: str, client: str) -> bytes:
    query = urlencode({"iss": issuer, "sid": sid})
    return f"GET /_gateway/frontchannel-logout/oidc.dev?{query} HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nX-Forwarded-For: {client}\r\n\r\n".encode()


def test_a_flood_of_junk_front_channel_logouts_displaces_nothing_and_flushes_nothing(start, dev, upstream):
    """11,000 of them used to push a live revocation out of the table."""
    gateway = start(server={"trustedProxies": ["127.0.0.0/8"]}, logging={"level": "info"})
    first, second = sign_in(gateway, dev), sign_in(gateway, dev)
    sids = [sid_of(gateway, upstream, client) for client in (first, second)]
    assert front_channel(gateway, dev.issuer, sids[0]).status_code == 200
    assert len(gateway.events("signed-out-by-provider")) == 1
    assert front_channel(gateway, dev.issuer, sids[0]).status_code == 200, "sent again, it ends nothing more"
    assert len(gateway.events("signed-out-by-provider")) == 1

    statuses = []
    with wire.Connection(gateway.port) as connection:
        for address in range(170):
            flood = [junk(gateway, dev.issuer, f"junk-{address}-{number}", f"2001:db8:{address:x}::1") for number in range(60)]
            connection.send(b"".join(flood))
            statuses += [connection.response().status for _ in flood]
    assert len(statuses) == 10_200 and set(statuses) == {200, 503}
    assert not gateway.events("sign-out-failed"), "strangers write no audit record and no error"
    assert not is_alive(gateway, session_cookie(first)), "the live revocation is still there"
    assert is_alive(gateway, session_cookie(second))
    assert front_channel(gateway, dev.issuer, sids[1]).status_code == 200, "a logout of a session that was seen works in a full table"
    assert not is_alive(gateway, session_cookie(second))
    assert len(gateway.events("signed-out-by-provider")) == 2
    assert gateway.log.count('"logout.by_provider"') == 2, "junk writes no audit record"


def test_one_address_sends_a_limited_number_of_unmatched_logouts(start, dev):
    gateway = start()
    statuses = [front_channel(gateway, dev.issuer, f"junk-{number}").status_code for number in range(70)]
    assert statuses == [200] * 64 + [429] * 6
    assert not gateway.events("signed-out-by-provider") and len(gateway.events("logout-unmatched")) == 64


def test_id_tokens_without_sid_are_warned_about_once(start, dev):
    with dev.misbehaving("emulation.no-session-id"):
        gateway = start()
        for _ in range(2):
            sign_in(gateway, dev)
        assert len(gateway.events("session-id-missing")) == 1


# --- Item 7: the ID token of a logout URL -----------------------------------------------------------------------------------


def test_the_id_token_of_a_logout_url_buys_no_session_after_the_sign_out(start, dev, file, minted):
    gateway = start(session={"keys": [session_key()], "revocations": str(file), "exchange": {"providers": ["oidc.dev"], "nonce": "optional"}})
    client = sign_in(gateway, dev)
    token = parse_qs(urlsplit(log_out(gateway, client).headers["Location"]).query)["id_token_hint"][0]
    minted.add(token)
    # The spare bits of the last character are no part of the signature.
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    varied = token[:-1] + alphabet[alphabet.index(token[-1]) ^ 1]
    minted.add(varied)
    for _ in range(2):
        for presented in (token, varied):
            bearer = new_client().get(gateway.url("/api/x"), headers={"Authorization": f"Bearer {presented}"})
            assert bearer.status_code == 401
            exchanged = new_client().post(gateway.own("/session"), json={"provider": "oidc.dev", "id_token": presented}, headers={"Origin": gateway.origin})
            assert exchanged.status_code == 401
        known = len(gateway.events("provider"))
        gateway.restart()
        # Before it has reached the provider, a ready gateway refuses tokens with 503.
        eventually(lambda known=known: len(gateway.events("provider")) > known, "the provider is reached")


def test_a_token_that_an_app_got_by_itself_can_be_exchanged_again_while_its_session_lives(start, dev, minted):
    gateway = start(session={"keys": [session_key()], "exchange": {"providers": ["oidc.dev"], "nonce": "optional"}})
    token = tokens_of(dev, "alice", minted)["id_token"]
    client = new_client()
    for _ in range(3):
        response = client.post(gateway.own("/session"), json={"provider": "oidc.dev", "id_token": token}, headers={"Origin": gateway.origin})
        assert response.status_code == 200, response.text
    log_out(gateway, client)
    again = new_client().post(gateway.own("/session"), json={"provider": "oidc.dev", "id_token": token}, headers={"Origin": gateway.origin})
    assert again.status_code == 401


# --- Item 10: an issuer for each tenant ---------------------------------------------------------------------------------------

TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"


@pytest.fixture(scope="module", params=["common", "organizations"])
def microsoft(request, folder, start_gateway):
    dev = DevProvider(f"dev-provider-tenants-{request.param}", folder, emulation="microsoft").wait()
    provider = {"id": "microsoft.com", "baseURL": dev.origin, "tenant": request.param, "clientID": CLIENT_ID, "clientSecret": CLIENT_SECRET}
    gateway = start_gateway({"providers": [provider], "routes": [WITH_TOKEN]}, name=f"gateway-tenants-{request.param[:5]}")
    yield gateway, dev
    gateway.kill()
    dev.process.kill()


def test_logout_messages_with_the_issuer_of_a_tenant_end_exactly_its_sessions(microsoft, upstream, minted):
    gateway, dev = microsoft
    issuer = f"{dev.origin}/{TENANT}/v2.0"
    clients = [sign_in(gateway, dev, person=person) for person in ("alice", "alice", "alice", "bob")]
    cookies = [session_cookie(client) for client in clients]
    sids = [sid_of(gateway, upstream, client) for client in clients]

    for stranger in (f"{dev.origin}/common/v2.0", f"{dev.origin}/{{tenantid}}/v2.0", dev.origin, issuer + "/"):
        assert front_channel(gateway, stranger, sids[0], "microsoft.com").status_code == 400, stranger
    other = issuer.replace(TENANT, "00000000-1111-2222-3333-444444444444")
    assert front_channel(gateway, other, sids[0], "microsoft.com").status_code == 200, "another tenant's, which has no such session"
    assert all(is_alive(gateway, cookie) for cookie in cookies)

    assert front_channel(gateway, issuer, sids[0], "microsoft.com").status_code == 200
    assert [is_alive(gateway, cookie) for cookie in cookies] == [False, True, True, True]
    assert back_channel(gateway, logout_token(dev, minted, sid=sids[1]), "microsoft.com").status_code == 200
    assert [is_alive(gateway, cookie) for cookie in cookies] == [False, False, True, True]
    assert back_channel(gateway, logout_token(dev, minted), "microsoft.com").status_code == 200
    assert [is_alive(gateway, cookie) for cookie in cookies] == [False, False, False, True]
