import pytest

from plugineval.clients.formats.tool_lists import ToolLists
from plugineval.pccf.values import Json


@pytest.mark.requirement("D7")
@pytest.mark.parametrize(
    ("told", "plugin"),
    [
        ({"server": "atlas"}, "atlas"),
        ({"plugin": "maps", "server": "atlas"}, "maps"),
        ({"server": {"url": "http://localhost"}}, ""),
        ({}, ""),
    ],
)
def test_the_server_a_tool_list_names_is_the_plugin_of_the_tool(told: dict[str, Json], plugin: str) -> None:
    tool: Json = {"name": "lookup", "input_schema": {"type": "object"}, **told}
    assert ToolLists().toolset([tool]).tools[0].plugin == plugin
