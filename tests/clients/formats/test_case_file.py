"""Files of cases: what is read, what is shared, and how every other line is accounted for."""

import json
from pathlib import Path

import pytest

from plugineval.clients.formats.jsonl import CaseReader, read_cases
from plugineval.clients.formats.records import CaseFile, CaseRecord, packed_records
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import SampleType
from plugineval.pccf.values import Json

TOOL: dict[str, Json] = {
    "name": "weather.get",
    "description": "Weather of a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
GOOD: dict[str, Json] = {
    "id": "1",
    "query": "Weather in Oslo?",
    "tools": [TOOL],
    "gold": [{"name": "weather.get", "arguments": {"city": "Oslo"}}],
    "sample_type": "positive",
}
NEGATIVE: dict[str, Json] = {"gold": [], "sample_type": "global_negative"}
TARGETED: dict[str, Json] = {"gold": None, "sample_type": "targeted_negative", "target_tool": "weather.get"}


def good(change: dict[str, Json]) -> dict[str, Json]:
    """A good record, changed."""
    return GOOD | change


def read(*lines: str | bytes | dict[str, Json]) -> CaseFile:
    """The lines as a file of cases, without a file."""
    raw = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    reader = CaseReader()
    found = list(reader.read(raw))
    cases = packed_records()
    for item in found:
        if isinstance(item, CaseRecord):
            cases.add(item)
    remarks = tuple(item for item in found if not isinstance(item, CaseRecord))
    return CaseFile(cases=cases, remarks=remarks, lines=reader.lines, content_hash="")


def test_a_case_is_read_whole() -> None:
    (case,) = read(good({"now": "2026-03-01T09:00:00Z", "ordered": True, "difficulty": "hard"})).cases
    assert (case.id, case.query.text, case.sample_type) == ("1", "Weather in Oslo?", SampleType.POSITIVE)
    assert (case.gold[0].tool, case.gold[0].arguments) == ("weather.get", {"city": "Oslo"})
    assert case.toolset.tool("weather.get").description == "Weather of a city."
    assert case.query.now is not None
    assert case.query.now.isoformat() == "2026-03-01T09:00:00+00:00"
    assert (case.ordered, case.difficulty) == (True, "hard")


@pytest.mark.requirement("E5")
def test_negatives_of_both_types_are_read() -> None:
    found = read(good(NEGATIVE), good(TARGETED | {"id": 2}))
    assert [case.sample_type for case in found.cases] == [SampleType.GLOBAL_NEGATIVE, SampleType.TARGETED_NEGATIVE]
    assert found.cases[1].target_tool == "weather.get"
    assert found.remarks == ()


def test_a_conversation_with_text_parts_is_read() -> None:
    messages: Json = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": [{"type": "text", "text": "Weather "}, {"type": "text", "text": "there?"}]},
    ]
    for field in ("query", "messages"):
        (case,) = read({key: value for key, value in GOOD.items() if key != "query"} | {field: messages}).cases
        assert case.query.text == "Weather there?"


@pytest.mark.parametrize("spelling", ["input_schema", "inputSchema", "parameters"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_every_common_spelling_of_a_tool_is_read(spelling: str, wrapped: bool) -> None:
    tool: Json = {"name": "weather.get", spelling: {"type": "object", "properties": {"city": {"type": "string"}}}}
    (case,) = read(good({"tools": [{"type": "function", "function": tool} if wrapped else tool]})).cases
    assert set(case.toolset.tools[0].properties) == {"city"}


def test_hints_of_a_tool_are_kept() -> None:
    (case,) = read(good({"tools": [{**TOOL, "annotations": {"readOnlyHint": True, "title": "W"}}]})).cases
    assert case.toolset.tools[0].hints.read_only is True


@pytest.mark.requirement("E1")
def test_identical_tool_lists_are_one_object_and_others_are_not() -> None:
    plain: Json = {"name": "x", "input_schema": {}}
    other = good({"id": "3", "tools": [TOOL, plain]})
    one, two, three = read(GOOD, good({"id": "2"}), other).cases
    assert one.toolset is two.toolset
    assert three.toolset is not one.toolset


def test_missing_arguments_of_a_gold_call_are_none() -> None:
    tool: Json = {"name": "ping", "input_schema": {"type": "object"}}
    (case,) = read(good({"tools": [tool], "gold": [{"name": "ping"}]})).cases
    assert case.gold[0].arguments == {}


@pytest.mark.requirement("D3")
def test_a_row_without_gold_that_is_not_declared_negative_is_kept_with_a_warning() -> None:
    found = read({key: value for key, value in GOOD.items() if key not in {"gold", "sample_type"}})
    assert (found.cases[0].sample_type, found.cases[0].gold) == (SampleType.POSITIVE, ())
    assert [warning.field for warning in found.warnings] == ["sample_type"]


def test_a_gold_that_no_valid_call_can_meet_is_kept_with_a_warning() -> None:
    found = read(good({"gold": [{"name": "weather.get", "arguments": {"city": 5}}]}))
    assert len(found.cases) == 1
    assert found.warnings[0].field == "gold[0].arguments.city"
    assert "no valid call" in found.warnings[0].problem


def test_a_field_that_is_not_read_is_said() -> None:
    found = read(good({"target_tol": "weather.get"}))
    assert [(warning.field, warning.id) for warning in found.warnings] == [("target_tol", "1")]


REFUSALS: list[tuple[dict[str, Json], str, str]] = [
    ({"id": None}, "id", "missing"),
    ({"id": " "}, "id", "empty"),
    ({"id": True}, "id", "a boolean"),
    ({"query": None}, "query", "missing"),
    ({"query": " "}, "query", "no words"),
    ({"query": 3}, "query", "a number"),
    ({"query": []}, "query", "no words"),
    ({"messages": []}, "query", "twice"),
    ({"query": [{"role": "robot", "content": "x"}]}, "query[0].role", "'robot'"),
    ({"query": [{"role": "user", "content": None}]}, "query[0].content", "must be a text"),
    ({"query": [{"role": "assistant", "content": "x", "tool_calls": [1]}]}, "query[0]", "tool calls"),
    ({"tools": {"name": "x"}}, "tools", "a list"),
    ({"tools": [{"name": "x"}]}, "tools[0].input_schema", "missing"),
    ({"tools": [{"name": "", "input_schema": {}}]}, "tools[0].name", "empty"),
    ({"tools": [TOOL, TOOL]}, "tools", "two tools"),
    ({"tools": [{"name": "x", "parameters": {"type": "objekt"}}]}, "tools[0].parameters", "objekt"),
    ({"tools": [{"name": "x", "parameters": {}, "inputSchema": {}}]}, "tools[0].input_schema", "twice"),
    ({"tools": [{"name": "x", "parameters": {"$ref": "http://h/s"}}]}, "tools[0].parameters", "never fetched"),
    ({"gold": {"name": "weather.get"}}, "gold", "must be a list"),
    ({"gold": [{"name": "wether.get"}]}, "gold[0].name", "weather.get"),
    ({"gold": [{"name": "weather.get", "arguments": "{}"}]}, "gold[0].arguments", "a text"),
    ({"gold": []}, "gold", "at least one"),
    ({"sample_type": "negative"}, "sample_type", "global_negative"),
    ({"sample_type": "global_negative"}, "gold", "has none"),
    ({**TARGETED, "target_tool": None}, "target_tool", "must name"),
    ({**TARGETED, "target_tool": "else"}, "target_tool", "weather.get"),
    ({"now": "2026-03-01T09:00:00"}, "now", "offset"),
    ({"now": "yesterday"}, "now", "+01:00"),
    ({"now": 5}, "now", "not a moment"),
    ({"ordered": "yes"}, "ordered", "true or false"),
    ({"difficulty": "extreme"}, "difficulty", "easy"),
    ({"origin": "dream"}, "origin", "synthetic"),
]


@pytest.mark.requirement("X11")
@pytest.mark.parametrize(("change", "field", "said"), REFUSALS)
def test_a_record_that_would_be_measured_wrongly_is_refused_with_its_field(
    change: dict[str, Json], field: str, said: str
) -> None:
    found = read(good(change), good({"id": "kept"}))
    (remark,) = found.refused
    assert (remark.line, remark.field) == (1, field)
    assert said in remark.problem
    assert [case.id for case in found.cases] == ["kept"]


@pytest.mark.requirement("X11")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "1", ', "column 13"),
        ("[1]", "an object"),
        (b'{"id": "\xff"}', "UTF-8 (byte 9)"),
        ('{"id": "1", "id": "2"}', "occurs twice"),
        ('{"id": NaN}', "NaN"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_with_its_place(line: str | bytes, said: str) -> None:
    (remark,) = read(GOOD, line).refused
    assert (remark.line, remark.field, remark.id) == (2, "line", None)
    assert said in remark.problem


def test_the_second_owner_of_an_id_is_refused_and_told_the_first() -> None:
    (remark,) = read(GOOD, "", GOOD).refused
    assert (remark.line, remark.field) == (3, "id")
    assert "line 1" in remark.problem


def test_refusals_are_counted_by_field() -> None:
    broken = good({"gold": [{"name": "nope"}]})
    found = read(broken, broken | {"id": "2"}, good({"id": "3", "now": "?"}))
    assert found.refusals_by_field == {"gold": 2, "now": 1}
    assert found.lines == 3


def test_a_mark_windows_line_ends_and_blank_lines_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n\r\n" + json.dumps(good({"id": "2"})).encode())
    found = read_cases(path)
    assert [case.id for case in found.cases] == ["1", "2"]
    assert (found.lines, found.remarks, len(found.content_hash)) == (2, (), 64)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no records"),
        (b"\n \n", "no records"),
        (b'[\n {"id": "1"}\n]', "JSON array"),
        (json.dumps(GOOD).encode("utf-16"), "UTF-16"),
        (b"\x1f\x8b\x08", "gzip"),
        (b'{"id": "1"}', r"line 1 \(1\), query: is missing.* Next: mend these fields"),
        (b'{"id": "1", "query": \r\n', "line 1, line: is not JSON: Expecting value, column 22"),
    ],
)
def test_a_file_without_a_single_case_is_one_clear_error(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidRecordError, match=said):
        read_cases(path)


def test_a_file_that_cannot_be_opened_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecordError, match="No such file"):
        read_cases(tmp_path / "none.jsonl")
    with pytest.raises(InvalidRecordError, match="directory"):
        read_cases(tmp_path)


@pytest.mark.parametrize("gold", ["add(1)", {"name": "add"}, ["add(1)"], [{"function": "add"}]])
def test_the_refusal_of_a_gold_shows_how_one_is_written(gold: Json) -> None:
    (remark,) = read(good({"gold": gold})).refused
    assert remark.problem.endswith('write gold as [{"name": "TOOL", "arguments": {"ARGUMENT": "VALUE"}}]')


@pytest.mark.parametrize(("said", "origin"), [({}, "unknown"), ({"origin": "real"}, "real")])
def test_traffic_that_nobody_named_is_unknown(said: dict[str, Json], origin: str) -> None:
    (case,) = read(good(said)).cases
    assert case.query.origin == origin
