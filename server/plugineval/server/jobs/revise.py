"""Revised gold: a person says what is right and why, the plugins prove that it can be called, a version holds it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from plugineval.pccf.calling import in_order
from plugineval.pccf.changelog import Why
from plugineval.pccf.errors import ConfigurationError, IncompleteError, UnknownNameError
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.ledger import CallKey, recorded
from plugineval.pccf.nearest import nearest
from plugineval.pccf.observations import OUTAGES, Observation
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.revisions import Revision
from plugineval.pccf.schemas import violations
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json
from plugineval.server.jobs.confirmations import refuse_unconfirmed
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.params import ReviseParams
from plugineval.server.jobs.revised_examples import ordered_after, proof_of, revised_example, with_scenario
from plugineval.server.jobs.versioning import add_records, keep_version, newest_version, outcome_of, refuse_overtaken
from plugineval.server.wiring import plugin_pool
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.clients.plugins.pool import PluginPool

_SHOWN = 5
_TEXT_SHOWN = 200


async def plan_revision(
    workspace: Workspace, benchmark: str, revisions: Sequence[Revision], *, note: str = ""
) -> ReviseParams:
    """A revision, ready to be started; what names an unknown case or tool, or breaks a schema, is refused."""
    found = await newest_version(await workspace.store(), benchmark)
    cases = {example.id for example in found.examples}
    for revision in revisions:
        if revision.case not in cases:
            close = nearest(revision.case, sorted(cases), most=_SHOWN)
            raise UnknownNameError("case", revision.case, close, next_step="keep the ids of the benchmark's cases")
        for call in revision.gold:
            _check(revision, call, found.toolset)
    return ReviseParams(benchmark_id=found.id, revisions=tuple(revisions), note=note)


async def run_revision(context: JobContext) -> Json:
    """Execute the new gold and write the next version; the result is what `plugineval revise --json` prints."""
    params = ReviseParams.model_validate(context.params)
    old = await context.store.benchmarks.get(params.benchmark_id)
    await refuse_overtaken(context, old)
    plugins = {old.toolset.tool(call.tool).plugin for revision in params.revisions for call in revision.gold}
    examples = {example.id: example for example in old.examples}
    async with plugin_pool(context.workspace.settings, sorted(plugins), job_id=context.job_id) as pool:
        shown = await in_order(
            [
                partial(_execute, context, pool, old.toolset, r, ordered=ordered_after(examples[r.case], r))
                for r in params.revisions
            ]
        )
    _refuse_failed(params.revisions, shown)
    new, records = old, list[VerificationRecord]()
    for revision, observations in zip(params.revisions, shown, strict=True):
        new, example = _revised(new, examples[revision.case], revision)
        records += (
            [proof_of(example, revision, observations, config=old.config, at=datetime.now(UTC))] if example else []
        )
    await add_records(context, old, records)
    why = {revision.case: Why(reason=revision.reason, by=revision.by) for revision in params.revisions}
    made = await keep_version(context, old, new, why, note=params.note)
    executed = sum(map(len, shown))
    return outcome_of(made, executed=executed).model_dump(mode="json")


def _check(revision: Revision, call: Invocation, toolset: Toolset) -> None:
    tool = toolset.tool(call.tool)
    if broken := violations(tool.input_schema, call.arguments):
        place = f"case {revision.case}, {call.tool}{broken[0].path}"
        raise ConfigurationError(
            f"the gold call breaks the tool's schema: {broken[0].message}",
            field=place,
            next_step="correct the arguments",
        )


async def _execute(
    context: JobContext, pool: "PluginPool", toolset: Toolset, revision: Revision, *, ordered: bool
) -> tuple[Observation, ...]:
    done: list[tuple[ToolSpec, Invocation]] = []
    shown: list[Observation] = []
    for place, call in enumerate(revision.gold):
        tool = toolset.tool(call.tool)
        key = CallKey(stage="execute", model=tool.key, case=revision.case, repeat=place, request=call.arguments)
        ask = partial(pool.call, tool, call.arguments, after=tuple(done))
        found = await recorded(context.journal, key, Observation, ask, keep=lambda seen: seen.evaluable)
        if found.kind in OUTAGES:
            refuse_unconfirmed(context)
            raise IncompleteError(f"{tool.key} died before the gold of {revision.case} was proven: {found.detail}")
        shown.append(found)
        # Independent calls meet the state that each of them met when it was verified: the untouched one.
        done += [(tool, call)] if ordered else []
    return tuple(shown)


def _refuse_failed(revisions: Sequence[Revision], shown: Sequence[Sequence[Observation]]) -> None:
    failed = [
        f"{revision.case}: {observation.tool} {observation.kind.value}, {_said(observation)}"
        for revision, observations in zip(revisions, shown, strict=True)
        for observation in observations
        if not observation.evaluable
    ]
    if failed:
        more = f"; and {len(failed) - _SHOWN} more" if len(failed) > _SHOWN else ""
        raise ConfigurationError(
            f"{len(failed)} of the new gold calls do not execute: {'; '.join(failed[:_SHOWN])}{more}",
            field="revisions",
            next_step="correct them; gold that cannot be executed is no gold",
        )


def _said(observation: Observation) -> str:
    return ": ".join(part for part in (observation.detail, observation.text[:_TEXT_SHOWN].strip()) if part)


def _revised(benchmark: Benchmark, example: Example, revision: Revision) -> tuple[Benchmark, Example | None]:
    kept = {each.id: each for each in benchmark.examples}
    if revision.remove:
        del kept[example.id]
        return benchmark.model_copy(update={"examples": tuple(kept.values())}), None
    grown, scenario = with_scenario(benchmark, example, revision)
    kept[example.id] = revised_example(example, revision, scenario)
    return grown.model_copy(update={"examples": tuple(kept.values())}), kept[example.id]
