"""`gateway schema` and `--format sarif` against what others publish: draft-07, SARIF 2.1.0. Contract §1, §5."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

from parts.gateway import ROOT, run_command

CHECK = str(pathlib.Path(sys.executable).parent / "check-jsonschema")
GOOD = sorted([*(ROOT / "examples").glob("*.yaml"), *(ROOT / "Fixtures/lint/ok").glob("*.yaml"), *(ROOT / "Fixtures/lint/realistic").glob("*.yaml")])
BAD = sorted((ROOT / "Fixtures/lint/err").glob("*.yaml"))
# Valid files that check-jsonschema's own YAML reader does not read as ours does: it knows no byte order mark.
UNREADABLE = {"byte-order-mark.yaml", "byte-order-mark-from-windows.yaml"}


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CHECK, *arguments], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def schema(tmp_path_factory) -> pathlib.Path:
    run = run_command("schema")
    assert run.returncode == 0, run.stderr
    path = tmp_path_factory.mktemp("schema") / "gateway.schema.json"
    path.write_text(run.stdout, encoding="utf-8")
    return path


def test_the_schema_keeps_to_its_metaschema(schema):
    """§1 `gateway schema`: draft-07."""
    assert json.loads(schema.read_text())["$schema"] == "http://json-schema.org/draft-07/schema#"
    run = check("--check-metaschema", str(schema))
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_schema_takes_every_file_that_the_linter_takes(schema):
    files = [str(file) for file in GOOD if file.name not in UNREADABLE]
    assert len(files) > 40
    run = check("--schemafile", str(schema), *files)
    assert run.returncode == 0, run.stdout + run.stderr


WRONG = [
    ("an unknown key", "version: 1\nupstreams: []\n"),
    ("no version", "upstream: http://127.0.0.1:8080\n"),
    ("a list where a mapping belongs", "version: 1\nserver: []\n"),
    ("a word that is none of its key's", "version: 1\nlogging: { level: verbose }\n"),
    ("a provider without id", "version: 1\nproviders: [{ clientID: a }]\n"),
]


@pytest.mark.parametrize(("what", "text"), WRONG, ids=[case[0] for case in WRONG])
def test_the_schema_refuses_what_an_editor_should_mark(schema, tmp_path, what, text):
    file = tmp_path / "gateway.yaml"
    file.write_text(text)
    assert check("--schemafile", str(schema), str(file)).returncode == 1


def test_sarif_keeps_to_its_published_shape(tmp_path):
    """§5 `sarif`: the whole of what the fixtures make it say, in one report and in one for each file."""
    reports = []
    for index, files in enumerate([BAD, *([file] for file in BAD), GOOD[:1]]):
        run = run_command("validate", "--format", "sarif", *(str(file.relative_to(ROOT)) for file in files), folder=ROOT)
        assert run.returncode in (0, 1), run.stderr
        path = tmp_path / f"{index}.sarif.json"
        path.write_text(run.stdout, encoding="utf-8")
        reports.append(path)
    run = check("--schemafile", str(ROOT / "Tests/e2e/sarif-2.1.0.shape.json"), *map(str, reports))
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr


def test_sarif_names_each_rule_once_and_points_at_it(tmp_path):
    """SARIF 2.1.0 §3.27.6: `ruleIndex` is the index of `ruleId`'s descriptor."""
    run = run_command("validate", "--format", "sarif", *(str(file.relative_to(ROOT)) for file in BAD), folder=ROOT)
    (report,) = json.loads(run.stdout)["runs"]
    rules = [rule["id"] for rule in report["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules)) > 50
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in report["results"])
    # §3.30.6: an exclusive end that lies before its start would be no region.
    for result in report["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])
