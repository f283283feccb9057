"""What every conversation pays for and every client relies on: names, annotations, schemas, size, order.

`tool_surface.json` is the surface as it was agreed. A change is fine where it is meant: renew the file with
`RENEW_TOOL_SURFACE=1 pytest tests/server/app/test_tool_surface.py` and commit it beside the change.
"""

import json
import os
import re
from pathlib import Path

import jsonschema_rs
import pytest
from mcp.types import Tool

from doubles.mcp_client import MODES, Home, Mode, in_memory
from plugineval.pccf.values import content_hash
from plugineval.server.app.factory import create_app
from plugineval.server.app.schemas import published_input, published_output

pytestmark = pytest.mark.anyio

AGREED = Path(__file__).with_name("tool_surface.json")
BUDGET = 15_000
RENEW = "RENEW_TOOL_SURFACE"
SPEAKING = {
    *("limit", "cursor", "wait_s", "name", "size", "repeats", "benchmark_id", "run_id", "job_id", "rows"),
    *("max_calls", "max_tokens", "max_cost", "max_minutes"),
}
"""Arguments whose name and bounds say all: what a description says besides is paid for in every conversation."""


async def _tools(tmp_path: Path, mode: Mode) -> list[Tool]:
    async with in_memory(Home.at(tmp_path), mode) as client:
        return (await client.list_tools()).tools


def _wire(tools: list[Tool]) -> str:
    return json.dumps([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])


@pytest.mark.parametrize("mode", MODES)
async def test_the_whole_list_of_tools_fits_its_budget(mode: Mode, tmp_path: Path) -> None:
    size = len(_wire(await _tools(tmp_path, mode)))
    assert size < BUDGET, f"tools/list has {size} bytes; every conversation pays for them"


@pytest.mark.parametrize("mode", MODES)
async def test_every_tool_is_named_described_and_annotated_in_full(mode: Mode, tmp_path: Path) -> None:
    for tool in await _tools(tmp_path, mode):
        assert re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", tool.name)
        assert tool.title
        assert tool.description
        assert "\n  " not in tool.description, "indented like source code"
        assert tool.annotations is not None
        hints = tool.annotations.model_dump(exclude={"title"})
        assert all(isinstance(hint, bool) for hint in hints.values()), hints
        assert len(hints) == 4
        assert tool.output_schema is not None
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema_rs.meta.validate(schema)
        assert tool.input_schema["additionalProperties"] is False
        assert "$ref" not in json.dumps([tool.input_schema, tool.output_schema])


async def test_the_order_is_the_same_in_both_eras_and_every_time(tmp_path: Path) -> None:
    names = [[tool.name for tool in await _tools(tmp_path, mode)] for mode in (*MODES, *MODES)]
    assert all(each == names[0] for each in names)


async def test_the_surface_is_the_agreed_one(tmp_path: Path) -> None:
    found = {
        tool.name: {
            "description": content_hash(tool.description)[:16],
            "input": tool.input_schema,
            "output": tool.output_schema,
            "annotations": tool.annotations.model_dump(mode="json", by_alias=True) if tool.annotations else None,
        }
        for tool in await _tools(tmp_path, "auto")
    }
    if RENEW in os.environ:
        AGREED.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    agreed = json.loads(AGREED.read_text(encoding="utf-8"))
    changed = sorted(name for name in found.keys() | agreed.keys() if found.get(name) != agreed.get(name))
    assert not changed, f"these tools are not as agreed: {changed}; if that is meant, run this test with {RENEW}=1"


async def test_what_a_published_schema_allows_is_valid(tmp_path: Path) -> None:
    schema = {
        "$defs": {"Kind": {"enum": ["a", "b"], "title": "Kind", "type": "string", "description": "Ours alone."}},
        "title": "toolArguments",
        "type": "object",
        "properties": {
            "title": {"title": "Title", "type": "string", "description": "What people read."},
            "kind": {"$ref": "#/$defs/Kind", "default": "a"},
            "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None, "title": "Limit"},
            "bound": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "title": "Bound"},
            "many": {"type": "array", "items": {"$ref": "#/$defs/Kind"}},
        },
        "required": ["title"],
    }
    kind = {"enum": ["a", "b"], "type": "string"}
    assert published_input(schema) == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "What people read."},
            "kind": kind,
            "limit": {"type": "integer"},
            "bound": {"minimum": 1, "type": "integer"},
            "many": {"type": "array", "items": kind},
        },
        "required": ["title"],
        "additionalProperties": False,
    }
    assert published_output(schema) == {"type": "object"}


async def test_tools_with_arguments_say_what_each_argument_is(tmp_path: Path) -> None:
    app = create_app(Home.at(tmp_path).workspace())
    for tool in await app.list_tools():
        for name, argument in tool.input_schema["properties"].items():
            assert argument.get("description") or "enum" in argument or name in SPEAKING, f"{tool.name}.{name}"
