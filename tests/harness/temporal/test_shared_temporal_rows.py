"""The handed-over rows whose differences are of time, value by value."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.rules.temporal import decide
from plugineval.harness.equivalence.verdicts import Agreement, CallContext, Place
from plugineval.pccf.values import Json

KINDS = {"date_format", "relative_date", "time_zone", "time_of_day"}
OBJECT = TypeAdapter(dict[str, Json])
CALLS = TypeAdapter(list[dict[str, Json]])


@pytest.mark.requirement("P42", "P51")
def test_the_handed_over_temporal_rows_are_decided_as_they_should_be(shared_data: Path) -> None:
    text = (shared_data / "cases" / "equivalence.jsonl").read_text(encoding="utf-8")
    lines = [line for line in map(OBJECT.validate_json, text.splitlines()) if line["kind"] in KINDS]
    assert lines
    for line in lines:
        said = {agreement for agreement in _agreements(line) if agreement is not None}
        expected = Agreement.EQUAL if line["verdict"] == "correct" else Agreement.DIFFERENT
        assert said == {expected}, line["id"]


def _agreements(line: dict[str, Json]) -> list[Agreement | None]:
    (gold,), (predicted,) = CALLS.validate_python(line["gold"]), CALLS.validate_python(line["predicted"])
    tool = next(tool for tool in CALLS.validate_python(line["tools"]) if tool["name"] == gold["name"])
    node, now = Node.of_root(OBJECT.validate_python(tool["input_schema"])), line["now"]
    context = CallContext(
        query=str(line["query"]),
        now=datetime.fromisoformat(now) if isinstance(now, str) else None,
        tool=str(tool["name"]),
        tool_description=str(tool["description"]),
    )
    given, got = OBJECT.validate_python(gold["arguments"]), OBJECT.validate_python(predicted["arguments"])
    differing = [name for name in given if json.dumps(given[name]) != json.dumps(got[name])]
    rulings = [decide(given[name], got[name], Place(node.property(name), name, context)) for name in differing]
    return [ruling and ruling.agreement for ruling in rulings]
