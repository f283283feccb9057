"""A finished benchmark on the plugin of `journeys/counting.py`: three positives and one negative, without a build."""

import json
from pathlib import Path

import anyio

from doubles.mcp_client import plugin_table
from doubles.store import NOON, a_record
from journeys.counting import TOOLS
from plugineval.pccf.examples import Benchmark, Difficulty, Example, Query, RouterFreeze, SampleType
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import ToolUnnecessary, ValidInvocation
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Plugin, ToolHints, Toolset, ToolSpec
from plugineval.server.store import Store

COUNTING = Path(__file__).parents[1] / "journeys" / "counting.py"
AREA = "get_rectangle_area"
NEGATIVE = "example-negative"


def area(number: int) -> Example:
    """A rectangle of `number` by 2."""
    return Example(
        id=f"example-{number:04}",
        query=Query.of_text(f"How large is a room of {number} by 2 metres?", origin="synthetic"),
        target=AREA,
        label=ValidInvocation(gold=Invocation(tool=AREA, arguments={"width": number, "height": 2})),
        sample_type=SampleType.POSITIVE,
        scenario="area/trigger",
        target_difficulty=Difficulty.EASY,
        difficulty=Difficulty.EASY,
        record_id=f"record-{number:04}",
        gap="area/trigger|easy@1",
    )


def needless() -> Example:
    """A request that needs no tool, calibrated as hard."""
    return area(9).model_copy(
        update={
            "id": NEGATIVE,
            "query": Query.of_text("Who wrote Faust?", origin="synthetic"),
            "label": ToolUnnecessary(),
            "sample_type": SampleType.GLOBAL_NEGATIVE,
            "scenario": "area/type_a",
            "difficulty": Difficulty.HARD,
            "p_k": 0.0,
            "gap": "area/type_a|hard@1",
        }
    )


def counting_plugin() -> Plugin:
    """The snapshot that the plugin gives."""
    tools = tuple(
        ToolSpec.model_validate(
            {
                "plugin": "counting",
                "name": tool["name"],
                "description": tool["description"],
                "input_schema": tool["inputSchema"],
                "hints": ToolHints(read_only=True),
            }
        )
        for tool in TOOLS
    )
    return Plugin(name="counting", version="0.1", tools=tools)


def counted_benchmark() -> Benchmark:
    """The benchmark, complete when it is finished."""
    plugin = counting_plugin()
    kinds = {"area/trigger": ScenarioKind.TRIGGER, "area/type_a": ScenarioKind.TYPE_A}
    return Benchmark(
        id="bench-counting",
        name="rooms",
        created_at=NOON,
        plugins=(plugin,),
        toolset=Toolset.of_plugins([plugin]),
        scenarios=tuple(Scenario(id=name, kind=kind, target=AREA, title=name) for name, kind in kinds.items()),
        examples=(area(3), area(4), area(5), needless()),
        router=RouterFreeze(model="frozen", prompt_hash="0" * 64, temperature=0.0, seeds=(0,)),
    )


def home_with_benchmark(home: Path) -> Path:
    """A home that holds the benchmark and registers its plugin; `home / "calls.txt"` gets every call."""
    home.mkdir(parents=True)
    calls = json.dumps(str(home / "calls.txt"))
    (home / "plugineval.toml").write_text(plugin_table("counting", COUNTING) + f"env = {{CALLS = {calls}}}\n")

    async def keep() -> None:
        async with Store.open(home / "plugineval.db") as store:
            benchmark = counted_benchmark()
            await store.plugins.save(benchmark.plugins[0])
            await store.benchmarks.save_header(benchmark)
            for example in benchmark.examples:
                number = int(example.record_id.rpartition("-")[2])
                await store.records.append(benchmark.id, a_record(number))
            await store.benchmarks.finish(benchmark)

    anyio.run(keep)
    return home


def calls_made(home: Path) -> list[str]:
    """What the plugin wrote down."""
    log = home / "calls.txt"
    return log.read_text().splitlines() if log.exists() else []
