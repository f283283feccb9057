"""Look-alikes of a real server's tools, as its own tools/list describes them."""

import sys
from pathlib import Path

import anyio
import pytest

from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.coverage.lookalikes import lookalikes_of
from plugineval.pccf.tools import Toolset

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P23", "D12")]


async def test_the_tools_that_people_mix_up_are_found_and_no_others(tmp_path: Path) -> None:
    registration = PluginRegistration(name="git", command=str(Path(sys.executable).with_name("mcp-server-git")))
    with anyio.fail_after(60):
        async with PluginPool([registration], home=tmp_path) as pool:
            toolset = Toolset.of_plugins([await pool.snapshot("git")])
    alike = {tool.name: [each.tool for each in lookalikes_of(tool, toolset)] for tool in toolset.tools}
    assert alike["git_diff_staged"][0] == "git_diff_unstaged"
    assert alike["git_diff_unstaged"][0] == "git_diff_staged"
    assert {"git_branch", "git_checkout"} >= set(alike["git_create_branch"]) > set()
    assert "git_diff_staged" in alike["git_diff"]
    assert (alike["git_log"], alike["git_commit"], alike["git_add"]) == ([], [], [])
