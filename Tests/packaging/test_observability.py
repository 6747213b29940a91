"""observability/: alerts that fire when they must, and a dashboard whose queries mean something."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from collections.abc import Callable

import requests
import yaml

from parts.gateway import ROOT, Gateway
from parts.processes import eventually

FOLDER = ROOT / "observability"
BOARD = json.loads((FOLDER / "dashboard.json").read_text())
RULES = [rule for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"] for rule in group["rules"]]
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
RUNBOOK = ROOT / "docs/operations/runbook.md"


def check(tool: Callable[[str], pathlib.Path], *arguments: str) -> str:
    done = subprocess.run([str(tool("promtool")), *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_alerts_are_valid_and_fire_when_they_must(tool: Callable[[str], pathlib.Path]) -> None:
    check(tool, "check", "rules", str(FOLDER / "alerts.yaml"))
    check(tool, "test", "rules", str(FOLDER / "alerts.test.yaml"))


def test_lines_that_a_real_gateway_loses_fire_the_alert(tool: Callable[[str], pathlib.Path], tmp_path: pathlib.Path) -> None:
    """Issue 19.31: the access log goes to a full disk; what `/metrics` then says fires GatewayLogLinesLost, and what it said before does not."""
    configuration = {
        "upstream": "http://127.0.0.1:9",
        "routes": [{"path": "/**", "access": "public", "respond": {"status": 204}}],
        "logging": {"access": {"to": "/dev/full"}},
    }
    gateway = Gateway("lost-lines", tmp_path, configuration).start()

    def lost() -> dict[str, int]:
        text = requests.get(f"{gateway.admin}/metrics", timeout=10).text
        return {labels: int(count) for labels, count in re.findall(r"^gateway_log_lines_dropped_total\{(.*)\} (\d+)$", text, re.MULTILINE)}

    try:
        before = lost()
        assert requests.get(gateway.url("/x"), timeout=10).status_code == 204
        eventually(lambda: sum(lost().values()) > 0, "a lost line is counted")
        after = lost()
    finally:
        gateway.stop()
    (alert,) = [rule for rule in RULES if rule["alert"] == "GatewayLogLinesLost"]
    series = [
        {"series": f'gateway_log_lines_dropped_total{{job="gateway",instance="a",{labels}}}', "values": f"{before[labels]}x10 {count}x5"}
        for labels, count in after.items()
    ]
    expression = f"count({alert['expr']})"
    tests = [
        {"expr": expression, "eval_time": "10m", "exp_samples": []},
        {"expr": expression, "eval_time": "12m", "exp_samples": [{"labels": "{}", "value": 1}]},
    ]
    path = tmp_path / "lost-lines.test.yaml"
    path.write_text(yaml.safe_dump({"tests": [{"interval": "1m", "input_series": series, "promql_expr_test": tests}]}))
    check(tool, "test", "rules", str(path))


def test_every_alert_is_seen_firing_and_leads_to_the_runbook() -> None:
    tested = {
        expected["alertname"]
        for test in yaml.safe_load((FOLDER / "alerts.test.yaml").read_text())["tests"]
        for expected in test["alert_rule_test"]
        if expected.get("exp_alerts")
    }
    assert {rule["alert"] for rule in RULES} == tested
    headings = {heading_anchor(line) for line in RUNBOOK.read_text().splitlines() if line.startswith("#")}
    for rule in RULES:
        assert rule["labels"]["severity"] in ("critical", "warning", "info")
        if rule["labels"]["severity"] != "info":
            page, anchor = rule["annotations"]["runbook_url"].split("#")
            assert page.endswith("docs/operations/runbook.md") and anchor in headings, anchor


def heading_anchor(line: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")


def queries() -> list[str]:
    found = [target["expr"] for panel in PANELS for target in panel["targets"]]
    found += [annotation["expr"] for annotation in BOARD["annotations"]["list"]]
    found += [variable["definition"] for variable in BOARD["templating"]["list"] if variable["type"] == "query"]
    return found


def test_every_query_of_the_dashboard_is_one(tool: Callable[[str], pathlib.Path], tmp_path: pathlib.Path) -> None:
    """As recording rules, because that is what promtool parses."""
    rules = []
    for number, query in enumerate(query for query in queries() if not query.startswith("label_values(")):
        text = query.replace("$__rate_interval", "5m").replace("$job", ".*").replace("$instance", ".*")
        assert "$" not in text, query
        rules.append({"record": f"query:{number}", "expr": text})
    path = tmp_path / "queries.yaml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert f"{len(rules)} rules found" in check(tool, "check", "rules", str(path))


def test_panels_say_what_they_show_and_lie_side_by_side() -> None:
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken and place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells
    for panel in PANELS:
        assert panel["description"].endswith("."), panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"], panel["title"]
        for target in [panel, *panel["targets"]]:
            assert target["datasource"] == {"type": "prometheus", "uid": "${datasource}"}, panel["title"]


def test_the_dashboard_belongs_to_no_installation() -> None:
    assert "id" not in BOARD and BOARD["uid"] == "gateway-overview"
    for variable in BOARD["templating"]["list"]:
        assert variable["name"] in ("datasource", "job", "instance")
    for query in queries():
        if not query.startswith("label_values("):
            assert 'job=~"$job",instance=~"$instance"' in query, query


# --- Every metric is one that the gateway has -------------------------------------------------------------------------------

PAGE = ROOT / "docs/operations/metrics.md"
# What a scrape adds by itself, and what a histogram's samples have.
ADDED = {"job", "instance", "le"}


def documented() -> dict[str, set[str]]:
    """Series of docs/operations/metrics.md with their labels."""
    series: dict[str, set[str]] = {}
    for row in re.findall(r"^\| (`gateway_.*?) \| (.*?) \|", PAGE.read_text(), re.MULTILINE):
        labels = set(re.findall(r"`(\w+)`", row[1]))
        for name in re.findall(r"`(gateway_\w+)`", row[0]):
            names = [f"{name}_bucket", f"{name}_count", f"{name}_sum"] if "_duration_seconds" in name else [name]
            series.update({each: labels for each in names})
    return series


PROCESS = {"process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"}


def everything_asked() -> list[str]:
    return queries() + [rule["expr"] for rule in RULES]


def test_every_metric_that_is_asked_for_is_documented() -> None:
    series = documented()
    assert len(series) > 25
    for query in everything_asked():
        names = set(re.findall(r"\b(?:gateway|process)_\w+", query))
        assert names, query
        assert names <= series.keys() | PROCESS, (names - series.keys(), query)


def test_every_label_that_is_asked_for_is_one_of_the_metrics() -> None:
    series = documented()
    for query in everything_asked():
        names = set(re.findall(r"\bgateway_\w+", query))
        known = ADDED | {label for name in names for label in series.get(name, set())}
        asked = {label.strip() for group in re.findall(r"\bby \(([^)]*)\)", query) for label in group.split(",")}
        asked |= set(re.findall(r"(\w+)(?:=~|!~|!=|=)\"", query))
        if query.startswith("label_values("):
            asked = set()
        assert asked <= known, (asked - known, query)
    # Selectors, metric by metric: a label of another metric of the same query would match nothing.
    for query in everything_asked():
        for name, selector in re.findall(r"\b(gateway_\w+)\{([^}]*)\}", query):
            assert set(re.findall(r"(\w+)(?:=~|!~|!=|=)\"", selector)) <= series[name] | ADDED, (name, selector)


def test_what_the_gateway_answers_is_what_is_documented(tmp_path: pathlib.Path) -> None:
    """One real scrape: no family that the page lacks, no label that it does not name."""
    gateway = Gateway("metrics", tmp_path, {"upstream": "http://127.0.0.1:9", "routes": [{"path": "/**", "access": "public"}]}).start()
    try:
        requests.get(gateway.url("/x"), headers={"X-Forwarded-User": "root"}, timeout=10)
        text = requests.get(f"{gateway.admin}/metrics", timeout=10).text
    finally:
        gateway.stop()
    series = documented()
    samples = re.findall(r"^((?:gateway|process)_\w+)(?:\{(.*)\})? ", text, re.MULTILINE)
    assert len(samples) > 20
    assert PROCESS <= {name for name, _ in samples}
    for name, labels in samples:
        if name.startswith("gateway_"):
            assert name in series, name
            assert set(re.findall(r'(\w+)="', labels)) <= series[name] | ADDED, (name, labels)
