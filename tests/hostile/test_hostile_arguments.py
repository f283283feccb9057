"""Whatever arguments a tool is called with: an answer that keeps its promises, or a refusal that names its remedy."""

import json
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple, cast

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp.types import CallToolResult, Tool

from doubles.hostile_words import Schema, arguments, attacks
from doubles.mcp_client import MODES, Agent, Mode, text_of
from doubles.watch import watching
from hostile.conftest import Fort
from plugineval.pccf.values import Json
from plugineval.server.app.factory import create_app

SIZES = [250, pytest.param(3_000, marks=pytest.mark.hostile)]
GIVEN_UP_AFTER_S = 30


class Attack(NamedTuple):
    """A server, and the client that attacks it from another thread."""

    portal: BlockingPortal
    agent: Agent
    tools: tuple[Tool, ...]

    def call(self, tool: str, given: dict[str, Json]) -> dict[str, Json] | None:
        """Check what came of a call; its structured content where it worked."""
        result = self.portal.call(self._called, tool, given)
        if result.is_error:
            refused_well(text_of(result))
            return None
        return self.portal.call(self.agent.checked, tool, result)

    async def _called(self, tool: str, given: dict[str, Json]) -> CallToolResult:
        with anyio.fail_after(GIVEN_UP_AFTER_S):
            return await self.agent.client.call_tool(tool, given)


def refused_well(text: str) -> None:
    """A refusal names what helps, and shows nothing of the inside."""
    assert "Next: " in text, text
    assert "internal error" not in text, text
    assert "Error executing tool" not in text, text
    assert 'File "' not in text, text
    assert len(text) < 8_000, text


@asynccontextmanager
async def _attacker(fort: Fort, mode: Mode) -> AsyncGenerator[tuple[Agent, tuple[Tool, ...]]]:
    async with Client(create_app(fort.home.workspace()), mode=mode) as client:
        yield Agent(client), tuple((await client.list_tools()).tools)


@contextmanager
def attack_on(fort: Fort, mode: Mode) -> Generator[Attack]:
    """A server in memory."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_attacker(fort, mode)) as (agent, tools),
    ):
        yield Attack(portal, agent, tools)


def calls_of(fort: Fort, tools: tuple[Tool, ...]) -> st.SearchStrategy[str]:
    """A tool and arguments, as JSON: what is nested deeply is not printed otherwise. What starts work is given no name
    of anything that there is: it must refuse.
    """

    def of(tool: Tool) -> st.SearchStrategy[tuple[str, dict[str, Json]]]:
        reading = tool.annotations is not None and tool.annotations.read_only_hint
        names = fort.names if reading else ()
        return st.tuples(st.just(tool.name), arguments(cast("Schema", tool.input_schema), names))

    return st.one_of(*map(of, tools)).map(json.dumps)


@pytest.mark.parametrize("cases", SIZES)
@pytest.mark.parametrize("mode", MODES)
def test_no_arguments_break_a_tool_or_have_an_effect(mode: Mode, cases: int, fort: Fort) -> None:
    worked: dict[str, int] = {}
    with attack_on(fort, mode) as attack, watching(fort.home.path) as watch:
        before = attack.call("job_get", {})

        @attacks(cases)
        @given(call=calls_of(fort, attack.tools))
        def attacked(call: str) -> None:
            tool, given = json.loads(call)
            answered = attack.call(tool, given)
            if answered is not None:
                worked[tool] = worked.get(tool, 0) + 1
                # An answer at once has no job: nothing goes on behind it.
                assert tool.endswith("_get") or not answered.get("job_id"), answered
            assert not watch.effects

        attacked()
        assert attack.call("job_get", {}) == before
        assert {"plugin_list", "job_get"} <= worked.keys()
    assert fort.untouched()
