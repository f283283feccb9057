"""A snapshot holds everything a server says of its tools, in both protocol eras, and refuses what cannot be used."""

from pathlib import Path

import pytest

from doubles.plugins.registering import bench, tidy, unruly
from plugineval.pccf.errors import InvalidSchemaError, PluginUnavailableError, UnknownNameError
from plugineval.pccf.tools import ToolHints

pytestmark = pytest.mark.anyio


async def test_a_server_of_the_newest_era_is_described_whole(tmp_path: Path) -> None:
    async with bench(tidy(allow_empty=("get_items",)), tmp_path) as plugin:
        snapshot = await plugin.pool.snapshot("tidy")
    assert (snapshot.name, snapshot.server_name, snapshot.version) == ("tidy", "tidy", "1.2.3")
    assert snapshot.protocol_version == "2026-07-28"
    assert snapshot.instructions == "Ask for sums."
    tool = snapshot.tool("get_sum")
    assert (tool.plugin, tool.title, tool.description) == ("tidy", "A sum", "The sum of two numbers.")
    assert tool.required == ("a", "b")
    assert tool.output_schema is not None
    assert tool.output_schema["required"] == ["total"]
    assert tool.hints == ToolHints(read_only=True, idempotent=True)
    assert snapshot.tool("get_items").allow_empty
    assert not tool.allow_empty


async def test_a_server_that_knows_only_the_old_handshake_is_met_there(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        snapshot = await plugin.pool.snapshot("unruly")
    assert snapshot.protocol_version == "2025-06-18"
    assert (snapshot.server_name, snapshot.version, snapshot.instructions) == ("unruly", "0.1", "Handle with care.")


async def test_all_pages_are_read_in_order(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path / "a") as whole, bench(unruly("--pages"), tmp_path / "b") as paged:
        expected = await whole.pool.snapshot("unruly")
        assert len(expected.tools) > 6
        assert await paged.pool.snapshot("unruly") == expected


async def test_pages_without_an_end_are_refused(tmp_path: Path) -> None:
    async with bench(unruly("--endless-pages"), tmp_path) as plugin:
        with pytest.raises(PluginUnavailableError, match="more than 1000 pages"):
            await plugin.pool.snapshot("unruly")


async def test_a_tool_with_an_invalid_schema_is_named_with_the_way_to_leave_it_out(tmp_path: Path) -> None:
    async with bench(unruly("--bad-schema"), tmp_path) as plugin:
        with pytest.raises(InvalidSchemaError) as refusal:
            await plugin.pool.snapshot("unruly")
    assert refusal.value.field == "plugins.unruly"
    assert "'get_echo'" in str(refusal.value)
    assert 'plugins.unruly.exclude = ["get_echo"]' in str(refusal.value)


async def test_an_excluded_tool_is_neither_offered_nor_executed(tmp_path: Path) -> None:
    async with bench(unruly("--bad-schema", exclude=("get_echo",)), tmp_path) as plugin:
        snapshot = await plugin.pool.snapshot("unruly")
        seen = await plugin.call("get_echo")
    assert "get_echo" not in {tool.name for tool in snapshot.tools}
    assert "exclude" in seen.detail


async def test_two_snapshots_of_one_server_are_equal(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        first = await plugin.pool.snapshot("unruly")
        second = await plugin.pool.snapshot("unruly")
    assert first.content_hash == second.content_hash


async def test_an_unknown_plugin_is_an_error_with_the_names_there_are(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        with pytest.raises(UnknownNameError, match="did you mean 'unruly'"):
            await plugin.pool.snapshot("unruli")
