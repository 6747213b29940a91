"""What `/metrics` and traces say about the session store: docs/operations/metrics.md."""

from __future__ import annotations

import json
import socket

from logins import new_client, session_cookie, sign_in
from parts.collector import Collector, plain
from parts.gateway import SLOWDOWN
from parts.processes import eventually
from test_logout import log_out
from test_metrics import series, value
from test_redis_sessions import dev, get, hears, replicas, serves, server, within  # noqa: F401

OPERATIONS = {"load", "save", "touch", "end", "check", "list", "login", "refresh"}
KINDS = {
    "connection", "timeout", "circuit-open", "authentication", "permission", "loading", "replication", "cluster", "memory", "disk", "reply",
}  # fmt: skip


def of(gateway, name: str, **labels: str) -> float:
    return value(series(gateway), f"gateway_{name}", **labels)


def test_calls_caches_and_invalidations_are_counted(server, replicas, dev):  # noqa: F811
    one, two = replicas(server)
    client = sign_in(one, dev)
    cookie = session_cookie(client)
    assert of(one, "session_store_duration_seconds_count", operation="save") == 1
    assert of(one, "session_store_duration_seconds_count", operation="login") >= 1
    before = series(two)
    for _ in range(5):
        assert get(two, cookie).status_code == 200
    after = series(two)

    def grown(name: str, **labels: str) -> float:
        return value(after, f"gateway_{name}", **labels) - value(before, f"gateway_{name}", **labels)

    assert grown("session_store_duration_seconds_count", operation="load") == 1, "four of five need no question"
    assert grown("session_lookups_total", result="store") == 1
    assert grown("session_lookups_total") == 5
    assert grown("session_lookups_total", result="cache") + grown("session_lookups_total", result="opened") == 4
    log_out(one, client)
    within(1, lambda: of(two, "session_store_invalidations_total", kind="end") >= 1, "the other replica has heard of the end")
    assert of(two, "session_store_errors_total") == 0
    server.run("PUBLISH", "gateway:ends", "no message of a gateway")
    within(1, lambda: of(two, "session_store_invalidations_total", kind="invalid") == 1, "a strange message is counted")
    labels = {dict(pairs).get("operation") for name, pairs in series(one) if name.startswith("gateway_session_store_duration")}
    assert labels <= OPERATIONS


def test_failures_are_counted_by_kind_and_the_connections_are_shown(server, replicas, dev):  # noqa: F811
    (one,) = replicas(server, count=1, store={"url": server.url, "timeout": "300ms"})
    client = sign_in(one, dev)
    cookie = session_cookie(client)
    state = {"connection": "commands"}, {"connection": "messages"}
    assert [of(one, "session_store_connected", **labels) for labels in state] == [1, 1]
    assert of(one, "session_store_circuit_open") == 0

    server.pause()
    eventually(lambda: get(one, cookie).status_code == 503, "503")
    within(2, lambda: of(one, "session_store_errors_total", kind="timeout") >= 1, "a timeout")
    server.resume()
    within(3, lambda: hears(one), "recovery")

    server.run("CONFIG", "SET", "maxmemory", "1")
    assert log_out(one, client).status_code == 503
    assert of(one, "session_store_errors_total", kind="memory") >= 1
    server.run("CONFIG", "SET", "maxmemory", "0")

    server.kill()
    within(3, lambda: not serves(one), "unready")
    assert get(one, cookie).status_code == 503
    within(2, lambda: of(one, "session_store_circuit_open") == 1, "the circuit is open")
    assert [of(one, "session_store_connected", **labels) for labels in state] == [0, 0]
    get(one, cookie)
    assert of(one, "session_store_errors_total", kind="circuit-open") >= 1
    kinds = {dict(pairs)["kind"] for name, pairs in series(one) if name == "gateway_session_store_errors_total"}
    assert kinds <= KINDS
    server.start()
    within(3, lambda: of(one, "session_store_connected", connection="messages") == 1, "recovery")
    assert of(one, "session_store_circuit_open") == 0


def test_without_a_store_there_are_no_series_of_one(start_gateway, dev):  # noqa: F811
    gateway = start_gateway({"providers": [dev.configuration]})
    sign_in(gateway, dev).get(gateway.url("/x"), timeout=60)
    names = {name for name, _ in series(gateway)}
    assert not {name for name in names if "session_store" in name}
    assert of(gateway, "session_lookups_total", result="store") == 0


def test_a_question_to_the_store_is_a_span_of_its_request(server, replicas, dev, tmp_path, monkeypatch):  # noqa: F811
    collector = Collector(tmp_path / "spans.jsonl")
    try:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        one, two = replicas(server)
        cookie = session_cookie(sign_in(one, dev))
        trace = "0af7651916cd43dd8448eb211c80319c"
        parent = {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}
        assert get(two, cookie, **parent).status_code == 200

        def calls() -> list[dict]:
            return [span for span in collector.of_trace(trace) if span["name"].startswith("session-store ")]

        eventually(calls, "a span of the store", timeout=60 * SLOWDOWN)
        request = next(span for span in collector.of_trace(trace) if span["kind"] == 2)
        for span in calls():
            assert span["kind"] == 3 and span["parentSpanId"] == request["spanId"]
            attributes = plain(span["attributes"])
            assert attributes["db.system"] == "redis" and attributes["db.operation"] in OPERATIONS
        assert {plain(span["attributes"])["db.operation"] for span in calls()} == {"load"}
        assert cookie not in json.dumps(collector.spans)
    finally:
        collector.close()
