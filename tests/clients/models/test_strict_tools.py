"""Strict tools: asked for where the schema fits the strict subset as it is, and nothing is changed to make it fit."""

import json

import pytest

from plugineval.clients.models.offering import Wrapping, offering_of
from plugineval.clients.models.strictness import misfit
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

Schema = dict[str, Json]
FITTING: Schema = {
    "type": "object",
    "properties": {
        "city": {"type": ["string", "null"], "format": "email"},
        "where": {"$ref": "#/$defs/Place"},
        "tags": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"const": 1}]}, "minItems": 1},
    },
    "required": ["city", "where", "tags"],
    "additionalProperties": False,
    "$defs": {"Place": {"type": "object", "properties": {}, "additionalProperties": False}},
}


def _with(**properties: Json) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def test_a_schema_of_the_subset_fits() -> None:
    assert misfit(FITTING) is None


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({**FITTING, "additionalProperties": True}, "the root: additionalProperties is not false"),
        ({**FITTING, "required": ["city", "where"]}, "the root: 'tags' is optional"),
        ({**FITTING, "anyOf": []}, "the root is not a plain object"),
        ({"type": "string"}, "the root is not a plain object"),
        (_with(a={"type": "string", "minLength": 1}), "/properties/a: minLength is not supported"),
        (_with(a={"type": "string", "format": "uri"}), "/properties/a: the format 'uri' is not supported"),
        (_with(a={"allOf": [{}]}), "/properties/a: allOf is not supported"),
        (_with(a={"type": "array", "items": [{}]}), "/properties/a: a tuple is not supported"),
        (_with(a=True), "/properties/a: True instead of a schema"),
        (_with(a={"type": "object"}), "/properties/a: additionalProperties is not false"),
        (_with(a=_with(b=_with(c=_with(d=_with(e=_with()))))), "nested deeper than 5"),
    ],
)
def test_the_first_place_outside_the_subset_is_named(schema: Schema, reason: str) -> None:
    assert str(misfit(schema)).endswith(reason)


@pytest.mark.requirement("B8")
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_tool_that_does_not_fit_is_sent_unstrict_unchanged_and_listed(api: str) -> None:
    loose: Schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    toolset = Toolset(tools=(ToolSpec(name="tight", input_schema=FITTING), ToolSpec(name="loose", input_schema=loose)))
    offering = offering_of(toolset, Wrapping("responses" if api == "responses" else "chat", strict=True))
    sent = [tool.get("function", tool) for tool in json.loads(offering.encoded)]
    assert [function["parameters"] for function in sent] == [FITTING, loose]
    assert [bool(function.get("strict")) for function in sent] == [True, False]
    assert [(item.tool, item.path, item.change) for item in offering.rewrites] == [
        ("loose", "/strict", "sent unstrict, as the schema does not fit: the root: additionalProperties is not false")
    ]


def test_strictness_that_was_not_asked_for_is_not_mentioned_in_a_chat_completion() -> None:
    toolset = Toolset(tools=(ToolSpec(name="tight", input_schema=FITTING),))
    assert b"strict" not in offering_of(toolset).encoded
    assert b'"strict":false' in offering_of(toolset, Wrapping("responses")).encoded
