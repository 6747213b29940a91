"""Access log, audit stream and traces. docs/operations/{logging,audit,tracing}.md."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from requests.adapters import HTTPAdapter

import wire
from conftest import mark
from logins import NAVIGATION, callback_of, new_client, session_cookie, sign_in
from parts.collector import Collector, plain
from parts.gateway import BINARY, write_configuration
from parts.processes import eventually
from test_logout import log_out
from test_metrics import series, value

ROUTES = [{"path": "/public/**", "access": "public"}, {"path": "/admins/**", "access": {"groups": ["nobody-has-this"]}}]


@pytest.fixture(scope="module")
def collector(folder) -> Iterator[Collector]:
    part = Collector(folder / "gateway-traces.log")
    yield part
    part.close()


@pytest.fixture(scope="module")
def observed(start_gateway, dev, folder, collector):
    """Everything on: access log, audit and traces."""
    gateway = start_gateway(
        {
            "providers": [dev.configuration],
            "routes": ROUTES,
            "server": {"trustedProxies": ["127.0.0.2/32"]},
            "logging": {"level": "debug", "access": {"to": str(folder / "gateway-access.log")}},
            "audit": {"to": str(folder / "gateway-audit.log")},
        },
        name="gateway-observed",
        wait=False,
    )
    return gateway.start(
        {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint,
            "OTEL_EXPORTER_OTLP_HEADERS": "x-tenant=a%20b",
            "OTEL_SERVICE_NAME": "front-door",
            "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=test",
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }
    )


def lines_about(file, marker: str) -> list[str]:
    """The lines of a stream that have a word, once there is one."""
    found: list[str] = []

    def look() -> bool:
        found[:] = [line for line in file.read_text(encoding="utf-8").splitlines() if marker in line] if file.exists() else []
        return bool(found)

    eventually(look, f"a line about {marker} in {file.name}")
    return found


# --- Access log -----------------------------------------------------------------------------------------------------------------------------


def test_each_request_leaves_a_line_with_who_what_and_how_long(observed, dev, folder):
    """Issue 6.3: one JSON object a line; the query without its values."""
    marker = mark()
    client = sign_in(observed, dev)
    answer = client.get(observed.url(f"/x/{marker}?token=secret-{marker}&empty=&page=2&alone-{marker}"), headers={"User-Agent": 'a"b\\c'})
    assert answer.status_code == 200
    (line,) = lines_about(folder / "gateway-access.log", marker)
    record = json.loads(line)
    assert record["event"] == "access"
    assert (record["method"], record["path"], record["status"]) == ("GET", f"/x/{marker}", 200)
    assert record["query"] == "token=[redacted]&empty=&page=[redacted]&[redacted]"
    assert record["client"] == "127.0.0.1"
    assert record["route"] == "/**"
    assert record["provider"] == dev.configuration["id"]
    assert record["uid"] == client.get(observed.own("/userinfo")).json()["uid"]
    assert record["user_agent"] == 'a"b\\c'
    assert record["bytes_out"] == len(answer.content)
    assert record["duration_ms"] >= record["upstream_ms"] >= 0
    assert re.fullmatch(r"[0-9a-f]{32}", record["request_id"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", record["time"])


@pytest.mark.parametrize(
    "agent",
    ["plain", 'quote" backslash\\ tab\t', "\u00e9\u4e16 \u2028 \u009b31m"],
    ids=["plain", "escapes", "unicode"],
)
def test_what_a_client_sends_cannot_break_a_line(observed, folder, agent):
    """Forged lines, terminal sequences, bytes that are no UTF-8."""
    marker = mark()
    raw = agent.encode("utf-8") + b"\xff"
    with wire.Connection(observed.port) as connection:
        connection.send(
            f"GET /public/{marker} HTTP/1.1\r\nHost: 127.0.0.1:{observed.port}\r\n".encode() + b"User-Agent: " + raw + b"\r\n\r\n"
        )
        assert connection.response().status == 200
    (line,) = lines_about(folder / "gateway-access.log", marker)
    assert json.loads(line)["path"] == f"/public/{marker}"
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", line)


def test_a_trusted_proxys_request_id_and_client_are_ours(observed, folder, upstream):
    """Only a trusted peer names the request and the client; its id stands in our log, on our pages and at the upstream."""
    class From(HTTPAdapter):
        def init_poolmanager(self, *arguments: Any, **named: Any) -> None:
            super().init_poolmanager(*arguments, source_address=("127.0.0.2", 0), **named)

    proxy = requests.Session()
    proxy.mount("http://", From())
    headers = {"X-Request-Id": "edge-" + mark(), "X-Forwarded-For": "203.0.113.9"}
    denied = proxy.get(observed.url("/private"), headers={**headers, "Accept": "application/json"}, allow_redirects=False)
    assert denied.json()["error"]["request_id"] == headers["X-Request-Id"]
    (line, *_) = [text for text in lines_about(folder / "gateway-access.log", headers["X-Request-Id"])]
    assert json.loads(line)["client"] == "203.0.113.9"
    marker = mark()
    stranger = new_client().get(observed.url(f"/public/{marker}"), headers=headers)
    assert stranger.status_code == 200
    (line,) = lines_about(folder / "gateway-access.log", marker)
    assert json.loads(line)["client"] == "127.0.0.1"
    assert json.loads(line)["request_id"] != headers["X-Request-Id"]


def test_the_formats_are_what_their_readers_expect(observed, folder):
    """`text`, `combined`, `ecs`, and a switch from one to the other without a restart."""
    file = folder / "gateway-access.log"
    texts: dict[str, str] = {}
    for form in ("text", "combined", "ecs"):
        observed.rewrite(logging={"access": {"format": form}})
        observed.reload()
        marker = mark()
        address = observed.url(f"/public/{marker}?q=hidden-{marker}")
        new_client().get(address, headers={"User-Agent": "agent/1", "Referer": f"http://else.example/from?ticket=hidden-{marker}"})
        (texts[form],) = lines_about(file, marker)
        assert f"hidden-{marker}" not in texts[form]
        assert f"/public/{marker}" in texts[form]
    observed.rewrite(logging={"access": {"format": "auto"}})
    observed.reload()
    combined = r'127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET /public/m\w+\?q=\[redacted\] HTTP/1\.1" 200 \d+ "http://else\.example/from" "agent/1"'
    assert re.fullmatch(combined, texts["combined"]), texts["combined"]
    ecs = json.loads(texts["ecs"])
    assert ecs["event.category"] == ["web"] and ecs["event.outcome"] == "success"
    assert (ecs["http.request.method"], ecs["http.response.status_code"], ecs["source.ip"]) == ("GET", 200, "127.0.0.1")
    assert ecs["url.query"] == "q=[redacted]"
    assert re.match(r"\d{4}-.*Z info access: GET /public/m\w+\?q=\[redacted\] 200  ms=", texts["text"])


def test_a_full_query_still_hides_what_is_named_a_secret(observed, folder):
    observed.rewrite(logging={"access": {"query": "full"}})
    observed.reload()
    marker = mark()
    new_client().get(observed.url(f"/public/{marker}?page=2&access_token=hidden-{marker}&X-Amz-Signature=hidden-{marker}&co%2Fde=hidden-{marker}"))
    (line,) = lines_about(folder / "gateway-access.log", marker)
    assert json.loads(line)["query"] == "page=2&access_token=[redacted]&X-Amz-Signature=[redacted]&co%2Fde=[redacted]"
    observed.rewrite(logging={"access": {"query": "none"}})
    observed.reload()
    marker = mark()
    new_client().get(observed.url(f"/public/{marker}?page=2"))
    (line,) = lines_about(folder / "gateway-access.log", marker)
    assert "query" not in json.loads(line)
    observed.rewrite(logging={"access": {"query": "redacted"}})
    observed.reload()


def test_log_files_are_opened_anew_on_sighup(observed, folder):
    """Whoever rotates logs moves the file away and sends SIGHUP."""
    for name in ("gateway-access.log", "gateway-audit.log"):
        os.rename(folder / name, folder / name.replace(".log", ".1.log"))
    observed.reload()
    marker = mark()
    new_client().get(observed.url(f"/public/{marker}"))
    lines_about(folder / "gateway-access.log", marker)
    lines_about(folder / "gateway-audit.log", "config.reload")


def test_a_reader_that_does_not_read_costs_lines_and_no_request(start_gateway, upstream, folder):
    """Lines beyond what may wait are dropped and counted; nobody waits for a log."""
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}], "logging": {"level": "warning"}}, wait=False)
    write_configuration(gateway.file, gateway.configuration)
    child = subprocess.Popen([str(BINARY), "run", str(gateway.file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        eventually(gateway.is_ready, "answer from /readyz", timeout=60)
        client = new_client()
        # 4 MiB wait, and a line shows 2 KiB of the path and of the query.
        for _ in range(1_100):
            assert client.get(gateway.url("/" + "x" * 2_000 + "?" + "y" * 1_990 + "=z"), timeout=60).status_code == 200
        eventually(lambda: value(series(gateway), "gateway_log_lines_dropped_total", to="stdout") > 0, "dropped lines are counted")
    finally:
        child.kill()
        child.wait()


# --- Audit ----------------------------------------------------------------------------------------------------------------------------------


def test_the_audit_stream_tells_who_did_what_from_where(observed, dev, folder):
    """Issue 6.3: login, refusal, policy denial, spoofed header, logout, reload."""
    file = folder / "gateway-audit.log"
    client = sign_in(observed, dev)
    uid = client.get(observed.own("/userinfo")).json()["uid"]
    assert client.get(observed.url("/admins/x"), headers={"User-Agent": "audited"}).status_code == 403
    client.get(observed.url("/x"), headers={"X-Forwarded-Email": "root@example.com"})
    new_client().get(callback_of(observed, dev, new_client()), headers={"Accept": "application/json"})
    log_out(observed, client)
    observed.reload()
    eventually(lambda: "config.reload" in file.read_text().splitlines()[-1], "the reload is in the audit stream")
    records = [json.loads(line) for line in file.read_text().splitlines()]

    def last(event: str) -> dict[str, Any]:
        return [record for record in records if record["event"] == event][-1]

    assert last("login.start")["provider"] == dev.configuration["id"]
    for event in ("login.success", "logout", "authz.deny"):
        assert (last(event)["uid"], last(event)["client"]) == (uid, "127.0.0.1"), event
        assert last(event)["request_id"]
    assert last("authz.deny")["outcome"] == "failure"
    assert last("authz.deny")["path"] == "/admins/x"
    assert last("authz.deny")["user_agent"] == "audited"
    assert last("login.failure")["code"] == "auth/invalid-state"
    assert last("login.failure")["client"] == "127.0.0.1"
    assert last("header.spoof_attempt")["header"] == "x-forwarded-email"
    assert "root@example.com" not in file.read_text()
    assert last("config.reload")["outcome"] == "success"


def test_audit_records_take_the_form_of_ocsf(observed, dev, folder):
    """OCSF 1.3: class, activity, type and the required objects."""
    observed.rewrite(audit={"to": str(folder / "gateway-audit-ocsf.log"), "format": "ocsf"})
    observed.reload()
    client = sign_in(observed, dev)
    client.get(observed.url("/admins/x"))
    log_out(observed, client)
    file = folder / "gateway-audit-ocsf.log"
    lines_about(file, '"event_code":"logout"')
    records = {record["metadata"]["event_code"]: record for record in map(json.loads, file.read_text().splitlines())}
    success = records["login.success"]
    assert (success["category_uid"], success["class_uid"], success["activity_id"], success["type_uid"], success["status_id"]) == (3, 3002, 1, 300201, 1)
    assert success["user"]["uid"] and success["src_endpoint"]["ip"] == "127.0.0.1" and success["service"]["name"] == dev.configuration["id"]
    assert success["metadata"]["version"] == "1.3.0" and success["metadata"]["product"]["name"] == "gateway"
    assert abs(success["time"] / 1000 - os.stat(file).st_mtime) < 60
    assert records["logout"]["type_uid"] == 300202
    assert records["authz.deny"]["class_uid"] == 3003 and records["authz.deny"]["status_id"] == 2
    observed.rewrite(audit={"to": str(folder / "gateway-audit.log"), "format": "json"})
    observed.reload()


# --- Traces ---------------------------------------------------------------------------------------------------------------------------------


def spans_named(collector: Collector, trace: str, count: int) -> list[dict[str, Any]]:
    eventually(lambda: len(collector.of_trace(trace)) >= count, f"{count} spans of {trace}")
    return collector.of_trace(trace)


def test_a_request_is_a_server_span_with_the_upstreams_below_it(observed, upstream, collector):
    """Issue 6.3: OpenTelemetry's names, W3C propagation."""
    marker = mark()
    trace, caller = os.urandom(16).hex(), os.urandom(8).hex()
    new_client().get(observed.url(f"/public/{marker}?code=hidden"), headers={"traceparent": f"00-{trace}-{caller}-01"})
    spans = spans_named(collector, trace, 2)
    server = next(span for span in spans if span["kind"] == 2)
    client = next(span for span in spans if span["kind"] == 3)
    assert server["parentSpanId"] == caller and client["parentSpanId"] == server["spanId"]
    assert server["name"] == "GET /public/**"
    attributes = plain(server["attributes"])
    assert attributes["http.request.method"] == "GET" and attributes["http.route"] == "/public/**"
    assert attributes["url.path"] == f"/public/{marker}" and attributes["http.response.status_code"] == "200"
    assert attributes["client.address"] == "127.0.0.1" and attributes["url.scheme"] == "http"
    assert int(server["startTimeUnixNano"]) <= int(client["startTimeUnixNano"]) <= int(client["endTimeUnixNano"]) <= int(server["endTimeUnixNano"])
    assert upstream.only(marker).value("traceparent") == f"00-{trace}-{client['spanId']}-01"
    assert collector.resources[-1]["service.name"] == "front-door"
    assert collector.resources[-1]["deployment.environment"] == "test"
    assert {name.lower(): value for name, value in collector.headers[-1].items()}["x-tenant"] == "a b"


def test_a_callers_decision_not_to_record_is_followed(observed, collector):
    """`parentbased_always_on`, the default."""
    unsampled, sampled = os.urandom(16).hex(), os.urandom(16).hex()
    new_client().get(observed.url("/public/x"), headers={"traceparent": f"00-{unsampled}-{'1' * 16}-00"})
    new_client().get(observed.url("/public/x"), headers={"traceparent": f"00-{sampled}-{'1' * 16}-01"})
    spans_named(collector, sampled, 2)
    assert collector.of_trace(unsampled) == []


def test_calls_to_a_provider_are_spans_of_the_callback(observed, dev, collector):
    """Issue 6.3: provider calls as client spans, without code, verifier or token."""
    client = new_client()
    callback = callback_of(observed, dev, client)
    trace = os.urandom(16).hex()
    answer = client.get(callback, headers={**NAVIGATION, "traceparent": f"00-{trace}-{'2' * 16}-01"}, allow_redirects=False)
    assert answer.status_code == 303
    spans = spans_named(collector, trace, 2)
    server = next(span for span in spans if span["kind"] == 2)
    calls = {plain(span["attributes"])["gateway.endpoint"]: span for span in spans if span["kind"] == 3}
    assert calls["token"]["parentSpanId"] == server["spanId"]
    assert plain(calls["token"]["attributes"])["gateway.provider"] == dev.configuration["id"]
    text = json.dumps(spans)
    assert parse_qs(urlsplit(callback).query)["code"][0] not in text
    assert session_cookie(client) not in text


def test_nothing_is_traced_without_an_endpoint_and_grpc_is_refused_in_words(start_gateway, upstream):
    gateway = start_gateway({"routes": [{"path": "/**", "access": "public"}]}, wait=False)
    write_configuration(gateway.file, gateway.configuration)
    environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
    run = subprocess.run([str(BINARY), "run", str(gateway.file)], capture_output=True, text=True, timeout=60, env=environment)
    assert run.returncode == 78
    assert "4318" in run.stderr
