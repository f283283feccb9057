"""A card counts a tool wherever gold calls it: as the target of a case, and in the chains of others."""

from pathlib import Path

import pytest

from doubles.store import a_benchmark, an_example
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.tools import Plugin, Toolset, ToolSpec
from plugineval.server.benchmarks.card import card_text
from plugineval.server.benchmarks.card_facts import card_facts
from plugineval.server.store import Store

pytestmark = pytest.mark.anyio


async def test_a_tool_that_only_chains_call_has_cases(tmp_path: Path) -> None:
    begun = a_benchmark()
    names = ("send", "unused")
    more = tuple(ToolSpec(plugin="weather", name=name, description=name, input_schema={}) for name in names)
    plugin = Plugin(name="weather", version="1.2.0", tools=(*begun.toolset.tools, *more))
    chain = an_example(1).model_copy(update={"further": (Invocation(tool="send", arguments={}),), "ordered": True})
    made = begun.model_copy(
        update={
            "plugins": (plugin,),
            "toolset": Toolset.of_plugins([plugin]),
            "examples": (an_example(0), chain),
        }
    )
    async with Store.open(tmp_path / "p.db") as store:
        await store.benchmarks.finish(made)
        facts = await card_facts(store, made.id)
    counted = {tool.tool: (tool.positives, tool.in_chains) for tool in facts.tools}
    assert counted == {"forecast": (2, 0), "send": (0, 1), "unused": (0, 0)}
    told = card_text(facts)
    assert "no positives for `unused`" in told
    assert "in other chains" in told
