import pytest

from doubles.harness import TEXT, call, gold, graded, negative, positive, schema, tool
from plugineval.harness.outcomes import Confusion, ErrorCategory, Outcome
from plugineval.harness.tool_names import offered_name
from plugineval.pccf.tools import Toolset, ToolSpec


def offered(*names: str, plugin: str = "") -> Toolset:
    return Toolset(tools=tuple(ToolSpec(plugin=plugin, name=name, input_schema=schema()) for name in names))


@pytest.mark.requirement("D7")
@pytest.mark.parametrize(
    ("emitted", "meant"),
    [
        ("lookup", "lookup"),
        ("mcp__atlas__lookup", "lookup"),
        ("atlas__lookup", "lookup"),
        ("atlas.lookup", "lookup"),
        ("functions.lookup", "lookup"),
        ("default_api:lookup", "lookup"),
        ("geo_area", "geo.area"),
        ("functions.geo.area", "geo.area"),
        ("mcp__atlas__geo_area", "geo.area"),
    ],
)
def test_prefixes_of_hosts_and_safe_spellings_are_undone(emitted: str, meant: str) -> None:
    assert offered_name(emitted, offered("lookup", "geo.area")) == meant


@pytest.mark.requirement("D7")
@pytest.mark.parametrize(
    "emitted", ["Lookup", "look_up", "lookups", "my_lookup", "lookup__atlas", "", "__lookup", "x" * 999]
)
def test_a_name_that_is_only_similar_is_another_tool(emitted: str) -> None:
    assert offered_name(emitted, offered("lookup")) is None


@pytest.mark.requirement("D7")
def test_a_name_that_two_tools_may_have_is_not_guessed() -> None:
    assert offered_name("geo_area", offered("geo.area", "geo/area")) is None
    assert offered_name("atlas__geo.area", offered("area", "geo.area")) is None
    assert offered_name("geo_area", offered("geo.area", "geo_area")) == "geo_area"


@pytest.mark.requirement("D7")
def test_the_prefix_of_another_server_is_another_tool_where_the_server_is_known() -> None:
    assert offered_name("atlas__lookup", offered("lookup", plugin="atlas")) == "lookup"
    assert offered_name("mcp__My-Atlas__lookup", offered("lookup", plugin="my_atlas")) == "lookup"
    assert offered_name("github__lookup", offered("lookup", plugin="atlas")) is None


@pytest.mark.requirement("D7", "X11")
def test_a_renamed_call_is_graded_as_the_tool_it_means_and_listed() -> None:
    spec = tool("geo.area", schema("of", of=TEXT))
    row = graded(positive(gold("geo.area", of="x"), tools=(spec,)), call("mcp__atlas__geo_area", of="x"))
    assert (row.outcome, row.renamed_calls) == (Outcome.CORRECT, ("mcp__atlas__geo_area -> geo.area",))
    forbidden = graded(negative(tools=(spec,), target="geo.area"), call("geo_area", of="x"))
    assert (forbidden.confusion, forbidden.category) == (Confusion.FP, ErrorCategory.OVER_RECALL)
