"""The handed-over table of equivalences: every decidable row right, and nothing wrong called right."""

import json
from collections import Counter
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from plugineval.harness.cases import Case
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.row_grading import RowVerdict, grade_row
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

LINES = TypeAdapter(dict[str, Json])
OBJECTS = TypeAdapter(list[dict[str, Json]])
SETTLE, ASK = GradingPolicy(), GradingPolicy(meaning="ask")


def case_of(line: dict[str, Json]) -> Case:
    kept = ("name", "description", "input_schema")
    tools = OBJECTS.validate_python(line["tools"])
    query = TypeAdapter(Query).validate_python(
        {"messages": [{"role": "user", "content": line["query"]}], "now": line["now"]}
    )
    return Case.model_validate(
        {
            "id": line["id"],
            "query": query,
            "toolset": Toolset(tools=tuple(ToolSpec.model_validate({k: t[k] for k in kept}) for t in tools)),
            "gold": [{"tool": g["name"], "arguments": g["arguments"]} for g in OBJECTS.validate_python(line["gold"])],
            "sample_type": line["sample_type"],
            "target_tool": line["target_tool"],
        }
    )


def reply_of(line: dict[str, Json]) -> RouterReply:
    return RouterReply(calls=tuple(_call(call) for call in OBJECTS.validate_python(line["predicted"])))


def _call(call: dict[str, Json]) -> EmittedCall:
    found = call["arguments"]
    return EmittedCall.model_validate(
        {"name": call["name"], "arguments": json.loads(found) if isinstance(found, str) else found}
    )


def verdict(line: dict[str, Json], policy: GradingPolicy) -> RowVerdict:
    return grade_row(case_of(line), reply_of(line), policy=policy)


@pytest.fixture(scope="module")
def lines(shared_data: Path) -> list[dict[str, Json]]:
    text = (shared_data / "cases" / "equivalence.jsonl").read_text(encoding="utf-8")
    return [LINES.validate_json(line) for line in text.splitlines()]


@pytest.mark.requirement("P42", "P45", "P51")
def test_every_decidable_row_has_its_verdict_category_and_outcomes(lines: list[dict[str, Json]]) -> None:
    decidable = [line for line in lines if not line["semantic"]]
    assert decidable
    for line in decidable:
        row = verdict(line, SETTLE)
        expected = line["error"] or {"category": None, "subtype": None}
        also = OBJECTS.validate_python(line["error_also_accepted"])
        assert row.verdict == line["verdict"], line["id"]
        assert {"category": row.category, "subtype": row.subtype} in [expected, *also], line["id"]
        assert line["harness_outcome"] in {None, row.outcome}, line["id"]
        assert line["harness_outcome_strict_schema"] in {None, row.outcome_strict}, line["id"]
        forbidding = verdict(line, GradingPolicy(extra_calls="forbid"))
        assert forbidding.verdict == line["verdict_if_extra_calls_forbidden"], line["id"]


@pytest.mark.requirement("P41")
@pytest.mark.parametrize("policy", [SETTLE, ASK])
def test_no_wrong_row_is_called_right_and_no_right_row_wrong(
    lines: list[dict[str, Json]], policy: GradingPolicy
) -> None:
    for line in lines:
        assert verdict(line, policy).verdict in (line["verdict"], "unsure"), line["id"]


@pytest.mark.requirement("P41")
def test_a_policy_that_asks_about_meaning_leaves_nine_in_ten_semantic_rows_to_the_judge(
    lines: list[dict[str, Json]],
) -> None:
    counts = Counter(verdict(line, ASK).verdict for line in lines if line["semantic"])
    assert counts["unsure"] >= 0.9 * counts.total()
