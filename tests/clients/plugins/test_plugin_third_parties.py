"""Real servers that nobody here wrote: installed beside the interpreter by the `demo` extra."""

from pathlib import Path

import pytest

from doubles.plugins.registering import bench
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.observations import ObservationKind
from plugineval.pccf.values import Arguments

pytestmark = pytest.mark.anyio


async def test_the_time_server_is_snapshotted_and_called(tmp_path: Path) -> None:
    async with bench(PluginRegistration(name="time", command="mcp-server-time"), tmp_path) as plugin:
        snapshot = await plugin.pool.snapshot("time")
        tool = snapshot.tool("convert_time")
        arguments: Arguments = {"source_timezone": "Europe/Oslo", "time": "12:00", "target_timezone": "Asia/Tokyo"}
        seen = await plugin.pool.call(tool, arguments)
        wrong = await plugin.pool.call(tool, arguments | {"target_timezone": "Atlantis/Sunken"})
    assert all(plugin.pool.may_execute(each).allowed for each in snapshot.tools)
    assert seen.kind is ObservationKind.RETURNED
    assert "Asia/Tokyo" in seen.text
    assert wrong.kind is ObservationKind.TOOL_ERROR


async def test_the_mathematics_server_is_snapshotted_and_called(tmp_path: Path) -> None:
    async with bench(PluginRegistration(name="math", command="mcp-mathematics"), tmp_path) as plugin:
        snapshot = await plugin.pool.snapshot("math")
        tool = snapshot.tool("calculate_expression")
        seen = await plugin.pool.call(tool, {tool.required[0]: "6*7"})
        refused = await plugin.pool.call(snapshot.tool("clear_history"), {})
    executable = {each.name for each in snapshot.tools if plugin.pool.may_execute(each).allowed}
    assert {"calculate_expression", "convert_units", "analyze_number_theory", "list_functions"} <= executable
    assert not executable & {"create_session", "delete_session", "clear_history", "optimize_memory"}
    assert seen.kind is ObservationKind.RETURNED
    assert "42" in seen.text
    assert refused.kind is ObservationKind.REFUSED
