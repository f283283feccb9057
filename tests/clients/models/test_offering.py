"""What a provider is sent of a tool set: names it accepts, mapped back, and every change listed."""

import json
import re

import pytest

from plugineval.clients.models.offering import offering_of
from plugineval.clients.outputs.naming import safe_names
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

SAFE = re.compile(r"[A-Za-z0-9_-]{1,64}")


def _set(*tools: tuple[str, dict[str, Json]]) -> Toolset:
    return Toolset(tools=tuple(ToolSpec(name=name, description=f"d {name}", input_schema=s) for name, s in tools))


def test_names_are_mapped_one_to_one_and_back() -> None:
    offered = ["math.solve", "math_solve", "math/solve", "a" * 70, "a" * 64 + ".b", "größe", "", "fine-1"]
    names = safe_names(offered)
    assert all(SAFE.fullmatch(wire) for wire in names.sent.values())
    assert len(set(names.sent.values())) == len(offered)
    assert [names.back(names.sent[name]) for name in offered] == offered
    assert names.sent["math_solve"] == "math_solve"
    assert names.sent["fine-1"] == "fine-1"


def test_a_name_does_not_depend_on_the_order_of_an_unneeded_neighbour() -> None:
    assert safe_names(["a.b", "c"]).sent["a.b"] == safe_names(["c", "a.b"]).sent["a.b"] == "a_b"


def test_a_name_that_was_never_sent_comes_back_as_it_is() -> None:
    assert safe_names(["a.b"]).back("invented") == "invented"


@pytest.mark.requirement("B8")
def test_every_change_for_the_provider_is_listed_and_the_original_is_untouched() -> None:
    schema: dict[str, Json] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "oneOf": [{"required": ["type"]}],
    }
    toolset = _set(("a.b", schema))
    offering = offering_of(toolset)
    function = json.loads(offering.encoded)[0]["function"]
    assert [(r.path, r.change) for r in offering.rewrites] == [
        ("/name", "sent as 'a_b'"),
        ("/parameters/$schema", "dropped"),
        ("/parameters/type", "added as 'object'"),
        ("/parameters/properties", "added as {}"),
    ]
    assert function["parameters"] == {"oneOf": [{"required": ["type"]}], "type": "object", "properties": {}}
    assert "$schema" in toolset.tools[0].input_schema
    assert function["description"] == "d a.b"


@pytest.mark.requirement("B8")
def test_a_tool_that_every_provider_accepts_is_sent_as_it_is() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"type": {"$ref": "#/$defs/u", "format": "uri"}},
        "$defs": {"u": {"type": "string"}},
    }
    offering = offering_of(_set(("plain", schema)))
    assert offering.rewrites == ()
    assert json.loads(offering.encoded)[0]["function"]["parameters"] == schema


def test_an_empty_set_has_no_tools_to_send() -> None:
    assert offering_of(Toolset()).encoded == b""
