"""The handed-over table of equivalences: what it calls wrong is never called right, nor put into another category."""

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from doubles.harness import graded
from plugineval.harness.cases import Case
from plugineval.harness.outcomes import Confusion, GradedRow
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

LINES = TypeAdapter(dict[str, Json])


def grade_line(line: dict[str, Json]) -> GradedRow:
    tools = TypeAdapter(list[dict[str, Json]]).validate_python(line["tools"])
    kept = ("name", "description", "input_schema")
    predicted = TypeAdapter(list[dict[str, Json]]).validate_python(line["predicted"])
    case = Case.model_validate(
        {
            "id": line["id"],
            "query": Query.of_text(str(line["query"])),
            "toolset": Toolset(tools=tuple(ToolSpec.model_validate({k: t[k] for k in kept}) for t in tools)),
            "gold": [{"tool": g["name"], "arguments": g["arguments"]} for g in _dicts(line["gold"])],
            "sample_type": line["sample_type"],
            "target_tool": line["target_tool"],
        }
    )
    return graded(case, *(_call(call) for call in predicted))


def _dicts(value: Json) -> list[dict[str, Json]]:
    return TypeAdapter(list[dict[str, Json]]).validate_python(value)


def _call(call: dict[str, Json]) -> EmittedCall:
    found = call["arguments"]
    return EmittedCall.model_validate(
        {"name": call["name"], "arguments": json.loads(found) if isinstance(found, str) else found}
    )


@pytest.mark.requirement("P45", "P51")
def test_what_the_public_table_calls_wrong_is_wrong_in_its_category(shared_data: Path) -> None:
    text = (shared_data / "cases" / "equivalence.jsonl").read_text(encoding="utf-8")
    lines = [LINES.validate_json(line) for line in text.splitlines()]
    wrong = [line for line in lines if line["verdict"] == "incorrect"]
    assert wrong
    for line in wrong:
        row, error = grade_line(line), line["error"]
        assert row.confusion in {Confusion.FN, Confusion.FP}, line["id"]
        assert {"category": row.category, "subtype": row.subtype} == error, line["id"]
        assert line["harness_outcome_strict_schema"] in {None, row.outcome}, line["id"]
