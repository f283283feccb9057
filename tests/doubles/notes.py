"""A benchmark of gold calls on `plugins/notebook.py`, verified by executing them, as a construction stores it."""

import json
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import anyio

from doubles.plugins import registering
from doubles.store import NOON, a_record
from plugineval.clients.plugins.pool import PluginPool
from plugineval.pccf.examples import Benchmark, Difficulty, Example, Query, SampleType
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import ToolUnnecessary, ValidInvocation
from plugineval.pccf.records import Assessment, ProposalTrace, Repetition, Round, VerificationRecord
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Plugin, Toolset
from plugineval.pccf.values import Json
from plugineval.pccf.verification.repetition import moving_parts
from plugineval.server.settings.loading import load_settings
from plugineval.server.store import Store

SCRIPT = Path(registering.__file__).with_name("notebook.py")
READ = Invocation(tool="get_note", arguments={"name": "/sandbox/a.txt"})
CLOCK = Invocation(tool="get_clock")
LIST = Invocation(tool="list_notes")
WRITE = Invocation(tool="write_note", arguments={"name": "/sandbox/b.txt", "text": "bread"})
REREAD = Invocation(tool="get_note", arguments={"name": "/sandbox/b.txt"})
DELETE = Invocation(tool="delete_note", arguments={"name": "/sandbox/a.txt"})
GOLD = ((READ,), (CLOCK,), (WRITE, REREAD), (DELETE,))
"""What the cases case-0, case-1, ... require; one more wants no call."""


def write_settings(home: Path, *, env: dict[str, str] | None = None, policy: str = "sandboxed", more: str = "") -> None:
    """Register the notebook on a fixture in `home`."""
    fixture = home / "fixture"
    fixture.mkdir(parents=True, exist_ok=True)
    if not (fixture / "a.txt").exists():
        (fixture / "a.txt").write_text("milk")
    said = ", ".join(f"{name} = {json.dumps(value)}" for name, value in (env or {}).items())
    (home / "plugineval.toml").write_text(
        f"[plugins.notes]\ncommand = {json.dumps(sys.executable)}\nargs = ['-S', {json.dumps(str(SCRIPT))}]\n"
        f"policy = '{policy}'\nenv = {{{said}}}\n{more}\n[plugins.notes.sandbox]\ncopy = 'fixture'\n"
    )


def store_notes(home: Path, *, repeated: bool = True, gold: Iterable[tuple[Invocation, ...]] = GOLD) -> None:
    """Execute the gold of every case on the registered notebook and keep the benchmark `notes` in `home`."""
    anyio.run(partial(_store, home, tuple(gold), repeated=repeated))


async def _store(home: Path, gold: tuple[tuple[Invocation, ...], ...], *, repeated: bool) -> None:
    settings = load_settings(config=home / "plugineval.toml", home=home, environ={}, cwd=home)
    async with PluginPool([settings.plugin("notes")], home=home) as pool:
        plugin = await pool.snapshot("notes")
        records = [await _proven(pool, plugin, number, calls, repeated) for number, calls in enumerate(gold)]
    examples = [_example(number, calls) for number, calls in enumerate(gold)]
    store = Store.open(settings.database)
    try:
        benchmark = _benchmark(plugin, (*examples, _needless(len(examples))))
        await store.benchmarks.finish(benchmark)
        for record in records:
            await store.records.append(benchmark.id, record)
    finally:
        await anyio.to_thread.run_sync(store.close)


async def _proven(
    pool: PluginPool, plugin: Plugin, number: int, calls: tuple[Invocation, ...], repeated: bool
) -> VerificationRecord:
    done: list[Invocation] = []
    records: list[VerificationRecord] = []
    for call in calls:
        after = [(plugin.tool(each.tool), each) for each in done]
        tool = plugin.tool(call.tool)
        seen = [await pool.call(tool, call.arguments, after=after) for _ in range(2 if repeated else 1)]
        judged = Assessment(score=1.0, reason="right", evaluator="scripted")
        trace = ProposalTrace(
            round=1,
            generator="scripted",
            index=0,
            proposal=call,
            argument_assessment=judged,
            observation=seen[0],
            result_assessment=judged,
            score=1.0,
        )
        again = Repetition(observation=seen[1], moving=moving_parts(*seen)) if repeated else None
        rounds = (Round(number=1, traces=(trace,), best=0, accepted=True),)
        records.append(a_record(number).model_copy(update={"rounds": rounds, "repetition": again}))
        done.append(call)
    return records[0].model_copy(update={"further": tuple(records[1:])})


def _example(number: int, calls: tuple[Invocation, ...]) -> Example:
    return Example(
        id=f"case-{number}",
        query=Query.of_text(f"do {number}"),
        target=calls[0].tool,
        label=ValidInvocation(gold=calls[0]),
        sample_type=SampleType.POSITIVE,
        scenario="notes/ask",
        target_difficulty=Difficulty.EASY,
        difficulty=Difficulty.EASY,
        record_id=f"record-{number:04}",
        gap="notes/ask|easy@1",
        further=calls[1:],
        ordered=len(calls) > 1,
    )


def _needless(number: int) -> Example:
    update: dict[str, object] = {"label": ToolUnnecessary(), "sample_type": SampleType.GLOBAL_NEGATIVE}
    return _example(number, (READ,)).model_copy(update=update)


def _benchmark(plugin: Plugin, examples: tuple[Example, ...]) -> Benchmark:
    return Benchmark(
        id="bench-notes",
        name="notes",
        created_at=NOON,
        plugins=(plugin,),
        toolset=Toolset.of_plugins([plugin]),
        scenarios=(Scenario(id="notes/ask", kind=ScenarioKind.TRIGGER, target="get_note", title="asks"),),
        examples=examples,
    )


def counts(outcome: dict[str, Json]) -> dict[str, Json]:
    """The numbers that scripts read, those that are not nought."""
    names = ("cases", "reexecuted", "same", "moved", "uncompared", "drifted", "failed", "unreachable", "not_executed")
    return {name: outcome[name] for name in names if outcome[name]}
