"""Calling without native tools: what is asked for, and that the answer is read back strictly."""

import json

import jsonschema_rs
import pytest

from plugineval.clients.models.constrained import Mode, constraint_of, read_constrained
from plugineval.clients.models.quirks import DIALECTS
from plugineval.clients.outputs.spoken import Spoken
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

PLACE: dict[str, Json] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"to": {"$ref": "#/$defs/Place"}, "$ref": {"type": "string"}},
    "required": ["to"],
    "additionalProperties": False,
    "$defs": {"Place": {"type": "object", "properties": {"in": {"$ref": "#/$defs/Place"}, "city": {"type": "string"}}}},
}
ADD: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
TOOLS = Toolset(
    tools=(
        ToolSpec(name="geo.go", description="go {nothing} {tools}", input_schema=PLACE),
        ToolSpec(name="add", input_schema=ADD),
    )
)
GO: Json = {"name": "geo.go", "arguments": {"to": {"city": "Oslo", "in": {"city": "N"}}}}
BAD_GO: Json = {"name": "geo.go", "arguments": {"to": {"in": {"city": 5}}}}


def _valid(schema: dict[str, Json], value: Json) -> bool:
    return jsonschema_rs.Draft202012Validator(schema).is_valid(value)


def test_one_call_or_none_is_asked_for_with_every_reference_still_meaning_what_it_meant() -> None:
    asked = constraint_of(TOOLS, Mode())
    assert _valid(asked.schema, GO)
    assert _valid(asked.schema, {"name": "none"})
    wrongs: list[Json] = [BAD_GO, {"name": "other", "arguments": {}}, {"name": "add", "arguments": {}}, {"name": "add"}]
    for wrong in wrongs:
        assert not _valid(asked.schema, wrong)
    assert [(item.tool, item.path) for item in asked.rewrites] == [("geo.go", "/parameters/$schema")]


def test_a_list_is_asked_for_where_several_calls_may_come_or_the_provider_wants_an_object() -> None:
    several = constraint_of(TOOLS, Mode(several=True)).schema
    assert _valid(several, {"calls": [GO, {"name": "add", "arguments": {"a": 1}}]})
    assert _valid(several, {"calls": []})
    single = constraint_of(TOOLS, Mode(DIALECTS["openai"])).schema
    assert single["type"] == "object"
    assert _valid(single, {"calls": [GO]})
    assert not _valid(single, {"calls": [GO, GO]})


def test_a_required_call_leaves_no_way_out() -> None:
    assert not _valid(constraint_of(TOOLS, Mode(required=True)).schema, {"name": "none"})
    assert not _valid(constraint_of(TOOLS, Mode(required=True, several=True)).schema, {"calls": []})
    assert "none" not in constraint_of(TOOLS, Mode(required=True)).instructions.splitlines()[-1]


def test_the_words_hold_every_tool_as_it_is_and_no_tool_can_write_into_them() -> None:
    words = constraint_of(TOOLS, Mode()).instructions
    listed = [json.loads(line) for line in words.splitlines() if line.startswith("{")]
    assert listed == [
        {"name": tool.name, "description": tool.description, "parameters": tool.input_schema} for tool in TOOLS.tools
    ]


def test_a_tool_called_none_does_not_stand_for_no_call() -> None:
    toolset = Toolset(tools=(ToolSpec(name="none", input_schema=ADD),))
    asked = constraint_of(toolset, Mode())
    called = read_constrained(Spoken(text='{"name": "none", "arguments": {"a": 1}}'), asked)
    assert [call.name for call in called.calls] == ["none"]
    assert read_constrained(Spoken(text='{"name": "_none"}'), asked).calls == ()


@pytest.mark.parametrize("mode", [Mode(), Mode(several=True)])
def test_an_answer_is_read_into_calls(mode: Mode) -> None:
    asked = constraint_of(TOOLS, mode)
    text = json.dumps({"calls": [GO]} if mode.several else GO)
    reply = read_constrained(Spoken(text=text), asked)
    assert [{"name": call.name, "arguments": call.arguments} for call in reply.calls] == [GO]
    assert reply.failure is None


def test_a_tool_that_was_never_offered_and_arguments_of_no_object_stay_in_sight() -> None:
    reply = read_constrained(Spoken(text='{"name": "made_up", "arguments": [1]}'), constraint_of(TOOLS, Mode()))
    assert [(call.name, call.arguments, bool(call.problem)) for call in reply.calls] == [("made_up", None, True)]


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would call add.",
        '{"name": "add", "arguments": {"a": 1}',
        '```json\n{"name": "add", "arguments": {"a": 1}}\n```',
        '{"name": "add", "arguments": {"a": 1}} and so on',
        '{"name": 5}',
        '{"name": "add", "arguments": {}, "more": 1}',
        '{"tool": "add"}',
        "[]",
        '{"name": "add", "name": "none"}',
    ],
)
def test_what_is_not_the_answer_that_was_asked_for_is_a_parse_failure(text: str) -> None:
    reply = read_constrained(Spoken(text=text), constraint_of(TOOLS, Mode()))
    assert reply.failure is not None
    assert (reply.failure.kind, reply.calls, reply.text) == (FailureKind.PARSE_FAILURE, (), text)


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("text", ['{"name": "none"}', '{"calls": {}}', '{"calls": [5]}', "{}"])
def test_a_list_that_is_none_is_a_parse_failure_too(text: str) -> None:
    reply = read_constrained(Spoken(text=text), constraint_of(TOOLS, Mode(several=True)))
    assert reply.failure is not None
    assert reply.failure.kind is FailureKind.PARSE_FAILURE


def test_an_answer_that_was_cut_is_cut_and_no_parse_failure() -> None:
    reply = read_constrained(Spoken(text='{"name": "a', finish_reason="length"), constraint_of(TOOLS, Mode()))
    assert reply.failure is not None
    assert reply.failure.kind is FailureKind.TRUNCATED
