"""Rows to be judged: every line once, as a row or as a refusal, with gold and answer in whatever shape."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from plugineval.clients.formats.judge_rows import JudgeRow, JudgeRowReader, read_judge_rows
from plugineval.clients.formats.records import Remark
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import SampleType
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.values import Json

SCHEMA: dict[str, Json] = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}
ROW: dict[str, Json] = {
    "id": "r1",
    "now": None,
    "query": "Two days of Oslo?",
    "sample_type": "positive",
    "target_tool": None,
    "tools": [{"name": "geo.forecast", "description": "d", "input_schema": SCHEMA}],
    "gold": [{"name": "geo.forecast", "arguments": {"city": "Oslo", "days": 2}}],
    "predicted": [{"name": "geo.forecast", "arguments": {"city": "Oslo", "days": 2}}],
}


def line(**changed: object) -> bytes:
    return json.dumps({**ROW, **changed}).encode() + b"\n"


def read(lines: Iterable[bytes], *, salvage: bool = False) -> list[JudgeRow | Remark]:
    return list(JudgeRowReader(salvage=salvage).read(lines))


def row(**changed: object) -> JudgeRow:
    (found,) = read([line(**changed)])
    assert isinstance(found, JudgeRow), found
    return found


def refusal(raw: bytes) -> Remark:
    (found,) = read([raw])
    assert isinstance(found, Remark), found
    return found


def test_a_row_is_a_case_and_the_answer_to_it_and_further_fields_are_ignored() -> None:
    found = row(verdict="correct", kind={"any": 1})
    assert (found.line, found.case.id, found.case.query.text) == (1, "r1", "Two days of Oslo?")
    assert found.case.sample_type is SampleType.POSITIVE
    assert found.case.gold[0].arguments == {"city": "Oslo", "days": 2}
    assert [(call.name, call.arguments) for call in found.reply.calls] == [
        ("geo.forecast", {"city": "Oslo", "days": 2})
    ]


@pytest.mark.requirement("E4", "X11")
@pytest.mark.parametrize(
    "predicted",
    [
        [{"name": "geo_forecast", "arguments": '{"city": "Oslo"}'}],
        {"tool_calls": [{"type": "function", "function": {"name": "geo_forecast", "arguments": '{"city": "Oslo"}'}}]},
        [{"type": "tool_use", "name": "geo_forecast", "input": {"city": "Oslo"}}],
        {
            "candidates": [
                {"content": {"parts": [{"functionCall": {"name": "geo_forecast", "args": {"city": "Oslo"}}}]}}
            ]
        },
    ],
)
def test_the_answer_may_come_in_any_shape(predicted: Json) -> None:
    assert [(call.name, call.arguments) for call in row(predicted=predicted).reply.calls] == [
        ("geo.forecast", {"city": "Oslo"})
    ]


@pytest.mark.requirement("E6")
def test_a_text_that_attempts_a_call_is_a_parse_failure_unless_salvage_is_asked_for() -> None:
    text = '<tool_call>{"name": "geo_forecast", "arguments": {}}</tool_call>'
    kept = row(predicted=text).reply
    assert kept.failure is not None
    assert (kept.failure.kind, kept.text) == (FailureKind.PARSE_FAILURE, text)
    (salvaged,) = read([line(predicted=text)], salvage=True)
    assert isinstance(salvaged, JudgeRow)
    assert [call.name for call in salvaged.reply.calls] == ["geo.forecast"]


def test_listed_values_of_a_gold_argument_are_kept_without_their_product() -> None:
    arguments = {"city": {"accepted": ["Oslo", "Christiania"]}, "days": {"accepted": ["", 2]}}
    (gold,) = row(gold=[{"name": "geo.forecast", "arguments": arguments}]).case.gold
    assert gold.arguments == {"city": "Oslo", "days": 2}
    assert gold.accepted["city"].values == ("Oslo", "Christiania")
    assert [gold.accepted[name].omittable for name in ("city", "days")] == [False, True]


def test_an_object_with_more_than_the_list_is_a_plain_value() -> None:
    arguments: Json = {"city": {"accepted": ["a"], "other": 1}, "days": {"accepted": 1}}
    (gold,) = row(gold=[{"name": "geo.forecast", "arguments": arguments}]).case.gold
    assert (gold.arguments, gold.accepted) == (arguments, {})


def test_rows_with_the_same_tools_share_one_toolset() -> None:
    first, second = read([line(id="a"), line(id="b")])
    assert isinstance(first, JudgeRow)
    assert isinstance(second, JudgeRow)
    assert first.case.toolset is second.case.toolset


UNUSABLE: list[tuple[dict[str, Json], str]] = [
    ({"query": 5}, "query"),
    ({"query": ""}, "query"),
    ({"now": "tomorrow"}, "now"),
    ({"now": "2026-03-01T09:00:00"}, "now"),
    ({"sample_type": "odd"}, "sample_type"),
    ({"tools": 5}, "tools"),
    ({"tools": [{"name": "geo.forecast", "input_schema": {"type": 5}}]}, "tools[0].input_schema"),
    ({"gold": [{"name": "other", "arguments": {}}]}, "gold[0].name"),
    ({"gold": [{"name": "geo.forecast", "arguments": []}]}, "gold[0].arguments"),
    ({"gold": [{"name": "geo.forecast", "arguments": {"city": {"accepted": []}}}]}, "gold[0].arguments.city"),
    ({"sample_type": "global_negative"}, "gold"),
    ({"sample_type": "targeted_negative", "target_tool": "geo.forecast"}, "gold"),
    ({"sample_type": "targeted_negative", "gold": []}, "target_tool"),
    ({"predicted": None}, "predicted"),
    ({"id": ""}, "id"),
]


@pytest.mark.requirement("X11")
@pytest.mark.parametrize(("changed", "field"), UNUSABLE)
def test_a_row_that_cannot_be_graded_is_refused_by_field_and_line(changed: dict[str, Json], field: str) -> None:
    good, bad, after = read([line(), line(**changed), line()])
    assert isinstance(good, JudgeRow)
    assert isinstance(after, JudgeRow)
    assert isinstance(bad, Remark)
    assert (bad.severity, bad.line, bad.field) == ("refused", 2, field)


@pytest.mark.requirement("X11")
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"{broken", "is not JSON"),
        (b'{"id": 1, "id": 2}', "occurs twice"),
        (b'{"id": NaN}', "NaN"),
        (b'{"id": 1e999}', "too large"),
        (b'{"id": "\\ud800"}', "surrogate"),
        (b'{"id": "\xff"}', "UTF-8"),
        (b"[" * 3000, "deep"),
        (b"[]", "must be an object"),
        (b"7", "must be an object"),
    ],
)
def test_a_line_that_is_no_record_is_refused_with_what_is_wrong(raw: bytes, said: str) -> None:
    assert said in refusal(raw).problem


def test_large_integers_and_exponents_keep_their_value() -> None:
    raw = line(predicted=[{"name": "geo.forecast", "arguments": {"days": 12345678901234567890123}}])
    (found,) = read([raw.replace(b'"Two', b'"1e300 1E400 Two')])
    assert isinstance(found, JudgeRow)
    assert found.reply.calls[0].arguments == {"days": 12345678901234567890123}


def test_a_row_without_an_id_is_known_by_its_line() -> None:
    blank, found = b"\n", json.dumps({key: value for key, value in ROW.items() if key != "id"}).encode()
    (only,) = read([b"\xef\xbb\xbf" + blank, b"  \n", found])
    assert isinstance(only, JudgeRow)
    assert (only.line, only.case.id) == (3, "3")


@pytest.mark.requirement("D3", "D15")
def test_a_positive_without_gold_and_a_negative_that_names_another_tool_are_rows() -> None:
    assert row(gold=[], predicted=[]).case.gold == ()
    tools: Json = [{"name": name, "input_schema": SCHEMA} for name in ("a", "b")]
    negative = row(tools=tools, gold=[{"name": "b"}], sample_type="targeted_negative", target_tool="a")
    assert (negative.case.target_tool, negative.case.gold[0].tool) == ("a", "b")


def test_a_file_is_streamed_and_a_missing_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(line() + b"{}\n" + line(id=7))
    found = list(read_judge_rows(path))
    assert [isinstance(item, JudgeRow) for item in found] == [True, False, True]
    with pytest.raises(InvalidRecordError, match=r"nowhere\.jsonl"):
        list(read_judge_rows(tmp_path / "nowhere.jsonl"))


def test_memory_is_flat_over_rows_that_all_have_other_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plugineval.clients.formats.judge_rows._TOOL_LISTS_KEPT", 3)
    reader = JudgeRowReader()
    tools = [[{"name": "geo.forecast", "description": str(number), "input_schema": SCHEMA}] for number in range(20)]
    found = list(reader.read(line(tools=offered) for offered in tools))
    assert all(isinstance(item, JudgeRow) for item in found)
    assert len({item.case.toolset.content_hash for item in found if isinstance(item, JudgeRow)}) == 20
    assert len(vars(reader)["_offered"]) <= 3


def test_every_public_row_is_read(shared_data: Path) -> None:
    found = list(read_judge_rows(shared_data / "cases" / "equivalence.jsonl"))
    assert found
    assert [item for item in found if isinstance(item, Remark)] == []
