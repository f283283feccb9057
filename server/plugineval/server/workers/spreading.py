"""A run that workers measure, as the job that watches over it: it plans the shards, waits for them, writes the report.

It asks no model anything, so that any worker may do it, whatever keys that one has; it is a job like every other, and
when its process dies another one goes on with it. Only one process at a time holds it, and writes the report.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import anyio

from plugineval.harness.run import RunInfo
from plugineval.harness.variants import with_variants
from plugineval.pccf.errors import PluginEvalError
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.evaluation_outcome import evaluation_outcome
from plugineval.server.jobs.params import EvaluateParams
from plugineval.server.jobs.preflight import notes_of
from plugineval.server.jobs.run_end import EndedRun, finish_run, limit_notes, told_beside
from plugineval.server.store.shard_notes import ShardEnd, ShardPlan, ShardTally
from plugineval.server.store.states import ShardState
from plugineval.server.store.trouble_notes import shortly
from plugineval.server.wording import counted
from plugineval.server.workers.merging import judged, loads, rehearsals
from plugineval.server.workers.queue import Delivery, Queue
from plugineval.server.workers.slicing import shards_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from plugineval.harness.cases import Case

LOOK_S = 0.25


class Spreading:
    """The runner of evaluations on the queue; `kick` is called when there are new shards on it."""

    def __init__(self, queue: Queue, kick: "Callable[[], None]") -> None:
        self._queue, self._kick = queue, kick

    async def __call__(self, context: JobContext) -> Json:
        """See a run through; the result is what `plugineval evaluate --json` prints."""
        started = time.monotonic()
        params = EvaluateParams.model_validate(context.params)
        info = await context.store.runs.get(params.run_id)
        cases = await context.store.runs.packed_cases(info.id)
        options = context.workspace.settings.workers
        plans = shards_of(with_variants(cases, info.config.variants), info.config, options.shard_cells)
        await context.store.shards.plan(context.job_id, plans)
        await self._queue.deliver(_deliveries(context.job_id, plans))
        self._kick()
        await _until_done(context)
        # Only whoever still holds the job may write its end.
        await context.store.jobs.update(context.job_id)
        await context.store.claims.clear(context.job_id)
        return await _ended(context, params, info, cases, time.monotonic() - started)


def _deliveries(job_id: str, plans: Sequence[ShardPlan]) -> list[Delivery]:
    return [Delivery(job_id, plan.number, plan.model) for plan in plans]


async def _until_done(context: JobContext) -> None:
    while True:
        tally = await context.store.shards.tally(context.job_id)
        stuck = tally.refusals and not tally.workers
        refusals = (await context.store.troubles.of(context.job_id)).refusals if stuck else ()
        context.progress(tally.done, tally.total, told(tally, refusals))
        if tally.failures:
            raise PluginEvalError("; ".join(shortly(tally.failures)))
        if not tally.left:
            return
        await anyio.sleep(LOOK_S)


def told(tally: ShardTally, refusals: Sequence[str] = ()) -> str:
    """How far the shards are, in words, and why workers leave the rest to others where none is at any."""
    done, queued = (tally.states.get(state, 0) for state in (ShardState.DONE, ShardState.QUEUED))
    words = f"calls; {counted(tally.workers, 'worker')}, {done} of {done + tally.left} shards"
    if queued and refusals:
        return f"{words}; no worker takes the rest: {'; '.join(refusals)}"
    return words


async def _ended(
    context: JobContext, params: EvaluateParams, info: RunInfo, cases: "Sequence[Case]", seconds: float
) -> Json:
    told_by = await context.store.shards.ends(context.job_id)
    ends, prompts = [end for _, end in told_by], {model: end.prompt_hash for model, end in told_by}
    found, load = rehearsals(ends), loads(ends)
    sentences = {model: counts.sentence for model, counts in load.items()}
    waited = [f"Load of {model}'s endpoint: {sentence}" for model, sentence in sentences.items() if sentence]
    grading = judged(await context.store.gradings.get(info.id), ends)
    ended = EndedRun(info, cases, prompts, (*limit_notes(params.limits), *notes_of(found), *waited), grading)
    report, counts = await finish_run(context, ended)
    outcome = evaluation_outcome(report, counts, context.journal, seconds=seconds)
    troubles = await context.store.troubles.of(context.job_id)
    also = {
        "troubles": troubles,
        **await told_beside(context, params),
        "preflight": found,
        **await _calls(context, ends),
    }
    more = {**also, "load": {model: asdict(each) for model, each in load.items()}}
    return outcome.model_copy(update=more).model_dump(mode="json")


async def _calls(context: JobContext, ends: Sequence[ShardEnd]) -> dict[str, int]:
    """Of the whole run: the journal also has what was answered to a process that then lost its shard."""
    recorded = await context.store.calls.count(context.job_id)
    return {"calls": sum(recorded.values()), "calls_replayed": sum(end.replayed for end in ends)}
