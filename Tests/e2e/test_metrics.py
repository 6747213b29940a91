"""`/metrics` in both text formats. docs/operations/metrics.md."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading

import pytest
import requests

from conftest import mark
from logins import NAVIGATION, callback_of, new_client, sign_in
from parts.gateway import ROOT
from parts.processes import eventually, free_port

Series = dict[tuple[str, frozenset[tuple[str, str]]], float]


def scrape(gateway, accept: str | None = None) -> requests.Response:
    if gateway.process is not None:
        gateway.process.rest()
    return requests.get(f"{gateway.admin}/metrics", headers={"Accept": accept} if accept else {}, timeout=60)


def series(gateway) -> Series:
    """Every sample; label values in these tests hold neither commas nor escapes."""
    result: Series = {}
    for line in scrape(gateway).text.splitlines():
        if line.startswith("#"):
            continue
        name, _, value = line.rpartition(" ")
        name, _, labels = name.partition("{")
        pairs = frozenset(tuple(part.split("=", 1)) for part in labels.rstrip("}").replace('"', "").split(",") if part)
        result[(name, pairs)] = float(value)
    return result


def value(of: Series, name: str, **labels: str) -> float:
    """The sum of the samples that have these labels."""
    wanted = set(labels.items())
    return sum(number for (known, pairs), number in of.items() if known == name and wanted <= pairs)


@pytest.fixture(scope="module")
def measured(start_gateway, dev):
    return start_gateway(
        {
            "providers": [dev.configuration],
            "routes": [
                {"path": "/public/**", "access": "public"},
                {"path": "/admins/**", "access": {"groups": ["nobody-has-this"]}},
                {"path": "/down/**", "access": "public", "upstream": f"http://127.0.0.1:{free_port()}"},
            ],
        },
        name="gateway-metrics",
    )


def test_what_happens_is_counted_by_route_method_and_status(measured, dev):
    """Issue 6.3, ecosystem 5.1: bounded labels, values that add up."""
    before = series(measured)
    client = sign_in(measured, dev)
    for _ in range(3):
        assert new_client().get(measured.url("/public/a")).status_code == 200
    new_client().post(measured.url("/public/a"), data=b"x")
    assert client.get(measured.url("/admins/x")).status_code == 403
    assert new_client().get(measured.url("/x"), allow_redirects=False).status_code == 401
    assert new_client().get(measured.url("/down/x")).status_code == 502
    new_client().get(measured.url("/public/a"), headers={"X_Forwarded.User": "root"})
    requests.request("INVENTED", measured.url("/public/a"), timeout=60)

    def grown(name: str, **labels: str) -> float:
        return value(series(measured), name, **labels) - value(before, name, **labels)

    assert grown("gateway_http_requests_total", route="/public/**", method="GET", code="200") == 4
    assert grown("gateway_http_requests_total", route="/public/**", method="POST", code="200") == 1
    assert grown("gateway_http_requests_total", route="/public/**", method="_OTHER") == 1
    assert grown("gateway_http_requests_total", route="/admins/**", code="403") == 1
    assert grown("gateway_http_requests_total", route="/down/**", code="502") == 1
    assert grown("gateway_http_requests_total", route="(gateway)") == 2, "login and callback"
    assert grown("gateway_http_request_duration_seconds_count", route="/public/**") == 6
    assert grown("gateway_http_request_duration_seconds_bucket", route="/public/**", le="+Inf") == 6
    assert grown("gateway_upstream_request_duration_seconds_count", route="/public/**") == 6
    assert grown("gateway_upstream_errors_total", route="/down/**", reason="upstream-connect-failed") == 1
    assert grown("gateway_auth_decisions_total", route="/public/**", decision="public") == 6
    assert grown("gateway_auth_decisions_total", route="/admins/**", decision="deny") == 1
    assert grown("gateway_auth_decisions_total", decision="challenge") == 1
    assert grown("gateway_stripped_identity_headers_total", header="x-forwarded-user") == 1
    assert grown("gateway_logins_started_total", provider=dev.configuration["id"]) == 1
    assert grown("gateway_logins_total", provider=dev.configuration["id"], outcome="success") == 1
    assert grown("gateway_sessions_created_total") == 1
    assert grown("gateway_idp_requests_total", endpoint="token", outcome="success", provider=dev.configuration["id"]) == 1
    assert grown("gateway_idp_request_duration_seconds_count", endpoint="token") == 1
    after = series(measured)
    assert value(after, "gateway_jwks_keys", provider=dev.configuration["id"]) >= 1
    assert value(after, "gateway_provider_reachable", provider=dev.configuration["id"]) == 1
    assert value(after, "gateway_build_info") == 1
    assert value(after, "gateway_http_requests_in_flight") == 0
    assert value(after, "process_resident_memory_bytes") > 1 << 20
    assert value(after, "process_open_fds") > 3
    assert value(after, "gateway_upstream_connections_opened_total") >= 1


def test_a_failed_sign_in_is_counted_with_its_code(measured, dev):
    before = series(measured)
    callback = callback_of(measured, dev, new_client())
    assert new_client().get(callback, headers={"Accept": "application/json"}, allow_redirects=False).status_code == 400
    after = series(measured)
    name = "gateway_logins_total"
    assert value(after, name, outcome="failure") == value(before, name, outcome="failure") + 1
    assert value(after, name, reason="auth/invalid-state") == value(before, name, reason="auth/invalid-state") + 1


def test_a_reload_keeps_the_counts_and_tells_its_success(measured):
    """Counters never go back; the hash names what is served."""
    before = series(measured)
    new_client().get(measured.url("/public/b"))
    measured.rewrite(routes=[{"path": "/new/**", "access": "public"}, *measured.configuration["routes"]])
    measured.reload()
    new_client().get(measured.url("/public/b"))
    after = series(measured)
    name = "gateway_http_requests_total"
    assert value(after, name, route="/public/**", method="GET") == value(before, name, route="/public/**", method="GET") + 2
    assert value(after, "gateway_config_last_reload_successful") == 1
    assert {pairs for known, pairs in before if known == "gateway_config_info"} != {pairs for known, pairs in after if known == "gateway_config_info"}
    good = measured.file.read_text()
    measured.file.write_text("version: 2\n")
    measured.reload(expect="reload-failed")
    assert value(series(measured), "gateway_config_last_reload_successful") == 0
    assert value(series(measured), "gateway_config_reloads_total", outcome="failure") == 1
    measured.file.write_text(good)
    measured.reload()
    assert value(series(measured), "gateway_config_last_reload_successful") == 1


def test_no_label_comes_from_a_request(measured):
    """Cardinality: methods, hosts, paths, header names and codes of a stranger make no series."""
    marker = mark()
    for number in range(20):
        requests.request(f"M{marker}{number}".upper(), measured.url(f"/{marker}/{number}"), headers={"Host": f"{marker}{number}"}, timeout=60)
        new_client().get(measured.url(f"/public/{marker}{number}"), headers={f"X-{marker}-{number}": "x"})
        new_client().get(measured.own(f"/login/{marker}{number}"), headers=NAVIGATION)
    text = scrape(measured).text
    assert marker not in text.lower()
    assert len(text.splitlines()) < 1500


def test_promtool_finds_nothing_to_say(measured):
    """`promtool check metrics`: names, units, suffixes and help texts as Prometheus wants them."""
    promtool = shutil.which("promtool", path=f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}")
    assert promtool is not None, "no promtool on this machine: scripts/bootstrap test"
    check = subprocess.run([promtool, "check", "metrics"], input=scrape(measured).text, capture_output=True, text=True, timeout=60)
    assert (check.returncode, check.stdout + check.stderr) == (0, "")


def test_openmetrics_is_given_to_who_asks_for_it(measured):
    """OpenMetrics 1.0.0: families without `_total`, the end marked."""
    plain = scrape(measured)
    assert plain.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "# TYPE gateway_http_requests_total counter" in plain.text
    open_metrics = scrape(measured, "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5")
    assert open_metrics.headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
    assert open_metrics.text.endswith("# EOF\n")
    assert "# TYPE gateway_http_requests counter\n" in open_metrics.text
    assert "\ngateway_http_requests_total{" in open_metrics.text


def test_the_public_listener_has_no_metrics(measured):
    assert new_client().get(measured.url("/metrics"), allow_redirects=False).status_code == 401
    assert new_client().get(measured.own("/metrics"), allow_redirects=False).status_code == 404


def test_requests_under_way_are_counted_while_they_last(measured, upstream):
    marker = mark()
    begun, go_on = threading.Event(), threading.Event()

    def slowly(connection, _) -> bool:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
        begun.set()
        go_on.wait(60)
        connection.sendall(b"b")
        return True

    upstream.scripts[f"/public/{marker}"] = slowly
    thread = threading.Thread(target=lambda: new_client().get(measured.url(f"/public/{marker}"), timeout=60))
    thread.start()
    assert begun.wait(60)
    assert value(series(measured), "gateway_http_requests_in_flight") == 1
    go_on.set()
    thread.join()
    eventually(lambda: value(series(measured), "gateway_http_requests_in_flight") == 0, "the request has ended")
