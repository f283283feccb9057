"""Tools, plugins and toolsets: names, unique offers, and hashes of what a model sees."""

import pytest

from plugineval.pccf.errors import InvalidRecordError, UnknownNameError
from plugineval.pccf.tools import Plugin, ToolHints, Toolset, ToolSpec
from plugineval.pccf.values import Json


def tool(name: str = "now", changed: dict[str, Json] | None = None, *, plugin: str = "time") -> ToolSpec:
    plain = {"plugin": plugin, "name": name, "input_schema": {"type": "object"}}
    return ToolSpec.model_validate({**plain, **(changed or {})})


@pytest.mark.requirement("P4", "B8")
@pytest.mark.parametrize(
    "changed", [{"description": "other"}, {"alias": "time_now"}, {"input_schema": {"type": "object", "required": []}}]
)
def test_whatever_a_model_sees_changes_the_hash_of_a_tool(changed: dict[str, Json]) -> None:
    assert tool("now", changed).content_hash != tool().content_hash


def test_what_a_model_does_not_see_leaves_the_hash_of_a_tool_alone() -> None:
    assert (
        tool("now", {"allow_empty": True, "moving": True, "hints": {"read_only": True}}).content_hash
        == tool().content_hash
    )


def test_a_plugin_is_another_one_when_a_hint_or_an_output_schema_changes() -> None:
    plain = Plugin(name="time", tools=(tool(),))
    hinted = Plugin(name="time", tools=(tool().model_copy(update={"hints": ToolHints(read_only=True)}),))
    shaped = Plugin(name="time", tools=(tool("now", {"output_schema": {"type": "object"}}),))
    assert len({plain.content_hash, hinted.content_hash, shaped.content_hash}) == 3


def test_a_plugin_is_the_same_under_an_alias_and_a_persons_permission() -> None:
    plain = Plugin(name="time", tools=(tool(),))
    renamed = Plugin(name="time", tools=(tool("now", {"alias": "x", "allow_empty": True, "moving": True}),))
    assert plain.content_hash == renamed.content_hash


def test_a_name_shared_by_two_plugins_is_offered_with_the_plugins_name() -> None:
    plugins = [Plugin(name=name, tools=(tool(plugin=name), tool(f"only_{name}", plugin=name))) for name in ("a", "b")]
    offered = Toolset.of_plugins(plugins)
    assert list(offered.by_name) == ["a__now", "only_a", "b__now", "only_b"]
    assert offered.tool("b__now").key == "b/now"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidRecordError, match="alias"):
        Toolset(tools=(tool(), tool(plugin="other")))


def test_an_unknown_tool_names_the_ones_there_are() -> None:
    with pytest.raises(UnknownNameError, match="now"):
        Toolset(tools=(tool(),)).tool("nwo")
    with pytest.raises(UnknownNameError, match="did you mean 'now'"):
        Plugin(name="time", tools=(tool(),)).tool("nwo")


def test_the_order_of_tools_is_part_of_what_a_model_sees() -> None:
    first, second = tool("a"), tool("b")
    assert Toolset(tools=(first, second)).content_hash != Toolset(tools=(second, first)).content_hash


def test_top_level_arguments_are_read_from_any_schema() -> None:
    schema: Json = {"properties": {"type": {"type": "string"}, "any": True}, "required": ["type"]}
    odd = tool("now", {"input_schema": schema})
    assert odd.properties == {"type": {"type": "string"}, "any": {}}
    assert odd.required == ("type",)
    assert (tool().properties, tool().required) == ({}, ())
