"""The floors: they never read the query, and their calls are what their names say."""

import pytest

from plugineval.clients.models.degenerate import FLOORS, DegenerateRouter
from plugineval.clients.models.schema_values import least_arguments
from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.examples import Query
from plugineval.pccf.schemas import violations
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer", "minimum": 1, "default": 3},
        "unit": {"enum": ["c", "f"]},
        "lang": {"type": "string", "default": "en"},
    },
    "required": ["city", "days", "unit"],
}
TOOLS = Toolset(tools=(ToolSpec(name="first", input_schema=SCHEMA), ToolSpec(name="second", input_schema={})))
QUERY = Query.of_text("call the second tool")


@pytest.mark.anyio
@pytest.mark.requirement("X8")
@pytest.mark.parametrize(
    ("router", "calls"),
    [
        ("baseline:never", []),
        ("baseline:first-tool", [("first", {"city": "", "days": 3, "unit": "c"})]),
        ("baseline:echo-defaults", [("first", {"days": 3, "lang": "en"})]),
    ],
)
async def test_each_floor_answers_every_query_alike(router: str, calls: list[tuple[str, Json]]) -> None:
    floor = DegenerateRouter(router)
    reply = await floor.route(QUERY, TOOLS, seed=1)
    assert [(call.name, call.arguments) for call in reply.calls] == calls
    assert reply == await floor.route(Query.of_text("something else"), TOOLS, seed=2)
    assert "floor" in FLOORS[floor.id]


@pytest.mark.anyio
async def test_without_tools_no_floor_calls() -> None:
    for router in FLOORS:
        assert (await DegenerateRouter(router).route(QUERY, Toolset())).calls == ()


def test_the_floors_have_distinct_prompt_hashes_and_no_others_exist() -> None:
    assert len({DegenerateRouter(router).prompt_hash for router in FLOORS}) == len(FLOORS)
    with pytest.raises(UnknownNameError, match="baseline:never"):
        DegenerateRouter("baseline:newer")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 5, "multipleOf": 4},
        {"type": "integer", "exclusiveMinimum": 5},
        {"type": "number", "exclusiveMaximum": 0},
        {"type": "number", "maximum": -3.5},
        {"type": ["null", "string"], "minLength": 2},
        {"type": "string", "format": "date-time"},
        {"type": "array", "minItems": 2, "items": {"type": "boolean"}},
        {"const": {"a": 1}},
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        {"$ref": "#/$defs/place"},
        {"allOf": [{"$ref": "#/$defs/place"}, {"required": ["name"]}]},
        {"type": "object", "properties": {"x": {"type": "array"}}, "required": ["x"]},
    ],
)
def test_the_least_arguments_satisfy_the_schema(schema: dict[str, Json]) -> None:
    place: Json = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    whole: dict[str, Json] = {
        "type": "object", "properties": {"a": schema}, "required": ["a"], "$defs": {"place": place},
    }  # fmt: skip
    assert violations(whole, least_arguments(whole)) == ()


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/nowhere"},
        {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        {"properties": True, "required": 3},
        {"allOf": [{"$ref": "#"}]},
        {"allOf": [{"$ref": "#"}] * 20},
        {"properties": {k: {"$ref": "#"} for k in "abcdefghij"}, "required": list("abcdefghij")},
        {"properties": {"a": {"type": "integer", "minimum": 10**400}}, "required": ["a"]},
        {},
    ],
)
def test_a_schema_that_turns_in_circles_or_says_nothing_still_gives_arguments(schema: dict[str, Json]) -> None:
    assert isinstance(least_arguments(schema), dict)
