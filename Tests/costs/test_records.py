"""How a measurement is held against its record, with figures that are made up."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re

import instructions
import pytest
from records import Costs, Kind
from test_costs import check

PROGRAM = "python count.py"
COMMAND = f"{PROGRAM} --record"


@pytest.fixture
def kind(tmp_path: pathlib.Path) -> Kind:
    return Kind(unit="instructions", file=tmp_path / "record.json", program=PROGRAM, relative=0.02, noted=0.005)


@pytest.fixture
def exact(tmp_path: pathlib.Path) -> Kind:
    return Kind(unit="allocations", file=tmp_path / "record.json", program=PROGRAM, relative=0, digits=1)


RECORDED = Costs(
    {"public route": 10_000, "signed in": 20_000},
    {"Router.match(_:)": {"public route": 1_000, "signed in": 1_000}, "Session.find(_:)": {"signed in": 4_000}, "libc.so.6": {"public route": 700}},
)


def differences(kind: Kind, public: float = 10_000, signed_in: float = 20_000, **functions: dict[str, float]) -> dict[str, str]:
    named = {{"router": "Router.match(_:)", "session": "Session.find(_:)"}.get(name, name): counts for name, counts in functions.items()}
    return kind.differences(RECORDED, Costs({"public route": public, "signed in": signed_in}, {**RECORDED.functions, **named}))


@pytest.mark.parametrize("public", [9_800, 9_801, 10_000, 10_200])
def test_a_change_of_two_percent_passes(kind: Kind, public: float) -> None:
    assert differences(kind, public) == {}


def test_a_rise_of_more_fails_and_names_the_functions_that_grew(kind: Kind) -> None:
    found = differences(kind, 10_310, router={"public route": 1_200, "signed in": 1_000}, added={"public route": 110})
    assert list(found) == ["public route"]
    assert found["public route"].splitlines() == [
        "public route: 10,310 instructions, recorded are 10,000 (+3.1%), most in Router.match(_:) 1,000 → 1,200",
        # A function that is not in the record had less than the least that is recorded: half a percent.
        "    added less than 50 → 110",
    ]


def test_a_rise_without_a_function_that_grew_names_none(kind: Kind) -> None:
    assert differences(kind, 10_500) == {"public route": "public route: 10,500 instructions, recorded are 10,000 (+5.0%)"}


def test_a_fall_of_more_fails_and_says_how_to_update_the_record(kind: Kind) -> None:
    found = differences(kind, signed_in=19_000, session={"signed in": 3_000})
    assert found == {"signed in": "signed in: 19,000 instructions, recorded are 20,000 (-5.0%), most in Session.find(_:) 4,000 → 3,000"}
    assert kind.explained(found).splitlines()[-1] == (
        "instructions of 1 kind of request are not the recorded ones: to repeat: python count.py; "
        f"if the change is meant, say why in the commit and update the record: {COMMAND}"
    )


def test_a_function_that_no_longer_runs_explains_a_fall(kind: Kind) -> None:
    measured = Costs({"public route": 10_000, "signed in": 16_000}, {"Router.match(_:)": {"public route": 1_000, "signed in": 1_000}})
    assert kind.differences(RECORDED, measured)["signed in"].endswith("most in Session.find(_:) 4,000 → 0")


def test_only_the_functions_that_grew_most_are_named(kind: Kind) -> None:
    found = differences(kind, 12_000, **{f"added{number}": {"public route": 100 + number} for number in range(20)})["public route"]
    names = re.findall(r"added\d+", found)
    assert names == [f"added{number}" for number in range(19, 13, -1)]


def test_a_new_kind_of_request_has_to_be_recorded(kind: Kind) -> None:
    measured = Costs({**RECORDED.totals, "over TLS": 30_000}, RECORDED.functions)
    assert kind.differences(RECORDED, measured) == {"over TLS": "over TLS: 30,000 instructions, not recorded yet"}


def test_a_kind_of_request_that_is_no_longer_measured_has_to_leave_the_record(kind: Kind) -> None:
    measured = Costs({"public route": 10_000}, RECORDED.functions)
    assert kind.differences(RECORDED, measured) == {"signed in": "signed in: recorded, but no longer measured"}


@pytest.mark.parametrize(("measured", "passes"), [(2.0, True), (2.04, True), (2.06, False), (1.94, False), (3.0, False)])
def test_allocations_are_compared_to_one_decimal(exact: Kind, measured: float, passes: bool) -> None:
    assert (exact.differences(Costs({"public route": 2.0}), Costs({"public route": measured})) == {}) is passes


def test_an_allocation_where_none_was_is_a_rise(exact: Kind) -> None:
    found = exact.differences(Costs({"public route": 0.0}), Costs({"public route": 1.0}))["public route"]
    assert found == "public route: 1.0 allocations, recorded are 0.0"


def test_an_environment_without_a_record_warns_and_passes(kind: Kind) -> None:
    kind.record("another machine", RECORDED)
    with pytest.warns(UserWarning) as caught:
        check(kind, "this machine", RECORDED)
    text = str(caught[0].message)
    assert f"nothing is recorded for this machine; to record it: {COMMAND}" in text
    assert "public route: 10,000" in text and "signed in: 20,000" in text


def test_an_environment_with_a_record_fails_when_it_differs(kind: Kind) -> None:
    kind.record("this machine", RECORDED)
    check(kind, "this machine", RECORDED)
    with pytest.raises(pytest.fail.Exception, match="public route: 11,000 instructions"):
        check(kind, "this machine", Costs({**RECORDED.totals, "public route": 11_000}, RECORDED.functions))


def test_the_program_prints_and_exits_as_the_test_does(kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    dearer = Costs({**RECORDED.totals, "public route": 11_000}, RECORDED.functions)
    assert kind.report("this machine", RECORDED, False) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"nothing is recorded for this machine; to record it: {COMMAND}"
    assert kind.report("this machine", RECORDED, True) == 0
    assert kind.report("this machine", RECORDED, False) == 0
    assert kind.report("this machine", dearer, False) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("public route: 11,000 instructions, recorded are 10,000 (+10.0%)") for line in lines)
    assert f"to repeat: {PROGRAM};" in lines[-1] and lines[-1].endswith(f"update the record: {COMMAND}")


def test_a_record_keeps_other_environments_and_what_is_worth_a_line(kind: Kind) -> None:
    other = Costs({"public route": 1})
    kind.record("b", other)
    measured = Costs({"public route": 10_000.4}, {"Router.match(_:)": {"public route": 50.6}, "small": {"public route": 49.9}})
    kind.record("a", measured)
    assert kind.read() == {"a": Costs({"public route": 10_000}, {"Router.match(_:)": {"public route": 51}}), "b": other}
    lines = kind.file.read_text().splitlines()
    assert '      "Router.match(_:)": {"public route": 51}' in lines
    kind.record("a", dataclasses.replace(measured, totals={"public route": 9_000.0}))
    assert json.loads(kind.file.read_text())["a"]["totals"] == {"public route": 9_000}


# A dump of callgrind: names and files stand once and have numbers then; the line after `calls=` is what the callee costs.
DUMP = """\
version: 1
events: Ir
ob=(1) /folder/program
fl=(1) ???
fn=(1) turn
0 100
cob=(2) /lib/libc.so.6
cfi=(1)
cfn=(2) memcpy
calls=4 0
0 80
cfn=(3) walk
calls=2 0
0 60
fn=(3)
0 30
cfn=(4) walk'2
calls=6 0
0 25
fn=(4)
0 25
ob=(2)
fn=(2)
0 80
0 20
totals: 255
"""


def test_a_profile_counts_what_a_function_itself_executes(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "dump"
    file.write_text(DUMP)
    profile = instructions.Profile.read(file)
    assert profile.own == {"turn": 100, "walk": 55, "memcpy": 100} and profile.instructions == 255
    assert profile.calls["turn"] == {"memcpy": 4, "walk": 2}
    costs = instructions.costs({"public route": profile}, tmp_path / "program")
    assert costs.totals == {"public route": 255 / instructions.REQUESTS}
    assert set(costs.functions) == {"turn", "walk", "libc.so.6"}
    assert costs.functions["libc.so.6"] == {"public route": 100 / instructions.REQUESTS}


def test_environments_differ_by_what_the_c_library_finds_usable() -> None:
    text = 'dl_hwcap=0x2\nenv[0x1]="A=b"\nx86.cpu_features.features[0x0].cpuid[0x2]={}\nx86.cpu_features.features[0x0].active[0x2]={}\n'
    one = instructions.features(text.format("0x1", "0x1"))
    assert instructions.features(text.format("0x2", "0x1")) == one
    assert instructions.features(text.format("0x1", "0x2")) != one
    assert instructions.features("ld.so: unrecognized option") == "unknown"
