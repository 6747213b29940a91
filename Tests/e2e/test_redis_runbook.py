"""The runbook of the session store, rehearsed: what users see, and what the log, the metrics and exit statuses say."""

from __future__ import annotations

import re
import time

import pytest

from logins import NAVIGATION, callback_of, new_client, session_cookie, sign_in
from parts.gateway import ROOT, SLOWDOWN, run_command, write_configuration
from parts.processes import eventually
from parts.redis_server import RedisGroup, RedisServer
from test_logout import log_out
from test_metrics import series, value
from test_redis_sessions import check, dev, get, hears, replicas, serves, server, within  # noqa: F401

PAGE = ROOT / "docs/operations/runbook.md"


def errors(gateway, kind: str) -> float:
    return value(series(gateway), "gateway_session_store_errors_total", kind=kind)


def gauge(gateway, name: str, **labels: str) -> float:
    return value(series(gateway), f"gateway_session_store_{name}", **labels)


def page(gateway, cookie: str):
    return new_client().get(gateway.url("/app/x"), headers={**NAVIGATION, "Cookie": f"session={cookie}"}, allow_redirects=False, timeout=60)


def health(gateway) -> int:
    return run_command("healthcheck", f"{gateway.admin}/readyz").returncode


def is_refused_with_a_page(gateway, cookie: str) -> None:
    answer = page(gateway, cookie)
    assert answer.status_code == 503 and "auth/store-unavailable" in answer.text and answer.headers["Retry-After"] == "5"
    assert "Set-Cookie" not in answer.headers


def test_every_rehearsal_that_the_runbook_names_is_here() -> None:
    named = re.findall(r"test_redis_runbook\.py::(\w+)`", PAGE.read_text())
    assert len(named) >= 3 and set(named) <= globals().keys()


def test_a_restart_signs_nobody_out(server, replicas, dev):  # noqa: F811
    (one,) = replicas(server, count=1)
    cookie = session_cookie(sign_in(one, dev))
    server.kill()
    within(3, lambda: not serves(one), "unready")
    is_refused_with_a_page(one, cookie)
    within(2, lambda: one.events("session-store-unavailable"), "an event")
    (record,) = one.events("session-store-unavailable")
    assert record["level"] == "error" and record["reason"], record
    assert gauge(one, "circuit_open") == 1 and gauge(one, "connected", connection="commands") == 0
    assert health(one) == 1
    server.start()
    within(2, lambda: get(one, cookie).status_code == 200, "the session is back")
    within(2, lambda: one.events("session-store-available"), "an event")
    assert gauge(one, "circuit_open") == 0
    within(2, lambda: health(one) == 0, "healthy")
    assert one.stop() == 0


def test_a_server_that_loads_its_data_is_not_ready(server, replicas, dev):  # noqa: F811
    (one,) = replicas(server, count=1)
    cookie = session_cookie(sign_in(one, dev))
    server.run("EVAL", "for i=1,200 do redis.call('SET','other:'..i,'x') end", "0")
    server.run("BGREWRITEAOF")
    eventually(lambda: "aof_rewrite_in_progress:0" in server.run("INFO", "persistence"), "a file with all keys")
    server.kill()
    # Each key takes 10 ms.
    server.options += ["key-load-delay 10000", "loading-process-events-interval-bytes 1024"]
    server.start()
    within(4, lambda: "LOADING" in check(one), "the reason")
    assert get(one, cookie).status_code == 503
    assert errors(one, "loading") + errors(one, "circuit-open") >= 1
    within(15, lambda: get(one, cookie).status_code == 200, "the session is back")


def test_a_fail_over_is_followed_and_signs_nobody_out(replicas, dev, tmp_path):  # noqa: F811
    group = RedisGroup(tmp_path).start()
    try:
        one, two = replicas(group)
        client = sign_in(one, dev)
        cookie = session_cookie(client)
        assert get(two, cookie).status_code == 200
        group.wait_for_writes()
        group.fail_over()
        for gateway in (one, two):
            within(3, lambda gateway=gateway: get(gateway, cookie).status_code == 200, "the session is there")
            within(5, lambda gateway=gateway: hears(gateway), "the others are heard")
            assert gateway.events("session-store-unavailable")
            within(2, lambda gateway=gateway: gateway.events("session-store-available"), "an event")
        log_out(one, client)
        within(1, lambda: get(two, cookie).status_code == 401, "the end is heard")
    finally:
        group.kill()


def test_a_flush_makes_users_sign_in_and_is_no_outage(server, replicas, dev):  # noqa: F811
    (one,) = replicas(server, count=1)
    cookie = session_cookie(sign_in(one, dev))
    server.run("FLUSHALL")
    one.stop()
    one.start()
    assert get(one, cookie).status_code == 401
    assert page(one, cookie).status_code == 302, "to the sign-in"
    assert serves(one) and not one.events("session-store-unavailable")
    assert get(one, session_cookie(sign_in(one, dev))).status_code == 200


def test_a_slow_store_is_dropped_after_the_time_limit(server, replicas, dev):  # noqa: F811
    one, two = replicas(server, store={"url": server.url, "timeout": "300ms"})
    cookie = session_cookie(sign_in(one, dev))
    server.pause()
    try:
        start = time.monotonic()
        is_refused_with_a_page(two, cookie)
        assert time.monotonic() - start < 10 * SLOWDOWN
        within(2, lambda: errors(two, "timeout") >= 1, "a timeout")
        within(3, lambda: two.events("session-store-unavailable"), "an event")
    finally:
        server.resume()
    within(3, lambda: get(two, cookie).status_code == 200, "the session is back")
    slow = value(series(two), "gateway_session_store_duration_seconds_count") - value(
        series(two), "gateway_session_store_duration_seconds_bucket", le="0.25"
    )
    assert slow >= 1, "the histogram has the slow call"


def test_a_full_store_serves_sessions_and_refuses_the_rest(server, replicas, dev):  # noqa: F811
    (one,) = replicas(server, count=1)
    client = sign_in(one, dev)
    cookie = session_cookie(client)
    callback = callback_of(one, dev, other := new_client())
    server.run("CONFIG", "SET", "maxmemory", "1")
    refused = other.get(callback, headers=NAVIGATION, allow_redirects=False, timeout=60)
    assert refused.status_code == 503 and "auth/store-unavailable" in refused.text
    signed_out = log_out(one, client)
    assert signed_out.status_code == 503 and "auth/signout-failed" in signed_out.text and "Set-Cookie" not in signed_out.headers
    assert errors(one, "memory") >= 2
    assert get(one, cookie).status_code == 200 and serves(one) and health(one) == 0
    assert "OOM" in one.log
    server.run("CONFIG", "SET", "maxmemory", "0")
    assert log_out(one, client).status_code == 303 and get(one, cookie).status_code == 401


@pytest.mark.parametrize("reason", ["WRONGPASS", "NOAUTH"])
def test_a_wrong_password_is_named_and_a_reload_corrects_it(start_gateway, tmp_path, dev, reason):  # noqa: F811
    part = RedisServer(tmp_path, "requirepass right-password").start()
    credentials = ":wrong-password@" if reason == "WRONGPASS" else ""
    url = f"redis://{credentials}127.0.0.1:{part.port}"
    try:
        gateway = start_gateway({"providers": [dev.configuration], "session": {"store": url}}, wait=False)
        write_configuration(gateway.file, gateway.configuration)
        validated = run_command("validate", "--online", "--strict", str(gateway.file))
        assert validated.returncode == 1 and reason in validated.stdout and "wrong-password" not in validated.stdout + validated.stderr
        gateway.start_unready()
        eventually(lambda: gateway.events("session-store-unavailable"), "an event", timeout=60 * SLOWDOWN)
        assert reason in gateway.events("session-store-unavailable")[0]["reason"]
        assert reason in check(gateway) and health(gateway) == 1
        is_refused = new_client().get(gateway.own("/sessions"), headers={"Accept": "application/json"}, timeout=60)
        assert is_refused.status_code in (401, 503)
        assert gauge(gateway, "connected", connection="commands") == 0
        assert "wrong-password" not in gateway.log
        gateway.rewrite(session={"store": f"redis://:right-password@127.0.0.1:{part.port}"})
        gateway.reload()
        eventually(gateway.is_ready, "ready with the right password")
        validated = run_command("validate", "--online", str(gateway.file))
        assert "session-store-unreachable" not in validated.stdout and "the session store is Redis 7" in validated.stderr, validated.stdout
        assert gateway.stop() == 0
    finally:
        part.kill()


def test_a_user_without_channels_is_served_from_the_store(server, replicas, dev):  # noqa: F811
    one, two = replicas(server)
    client = sign_in(one, dev)
    cookie = session_cookie(client)
    assert get(two, cookie).status_code == 200
    server.run("ACL", "SETUSER", "default", "resetchannels")
    server.run("CLIENT", "KILL", "TYPE", "pubsub")
    within(3, lambda: not hears(two), "unheard")
    assert serves(two), "it serves"
    within(3, lambda: two.events("session-store-unheard"), "an event")
    assert gauge(two, "connected", connection="messages") == 0 and gauge(two, "connected", connection="commands") == 1
    for _ in range(3):
        assert get(two, cookie).status_code == 200
    assert value(series(two), "gateway_session_lookups_total", result="store") >= 3
    # The end is recorded, although nobody can be told: the user is asked to try again, and no replica serves the session.
    assert log_out(one, client).status_code == 503
    assert get(two, cookie).status_code == get(one, cookie).status_code == 401
    server.run("ACL", "SETUSER", "default", "allchannels")
    for gateway in (one, two):
        within(3, lambda gateway=gateway: hears(gateway), "heard again")
