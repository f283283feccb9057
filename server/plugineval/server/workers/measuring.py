"""Measuring one shard: the matrix over its cells, on a journal that all workers share, as long as it is held."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from plugineval.harness.matrix import MatrixSummary, RunPorts, run_matrix
from plugineval.server.jobs.evaluation_outcome import OUTAGES
from plugineval.server.jobs.judging import judge_was_out, open_graders
from plugineval.server.jobs.params import GradingParams
from plugineval.server.store.owners import this_process
from plugineval.server.store.shard_notes import ShardEnd, ShardLease
from plugineval.server.store.shared_journal import SharedJournal, Sharing
from plugineval.server.workers.gate import Gate, GatedLog, GatedRouter
from plugineval.server.workers.posts import Post

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plugineval.harness.attempts import Attempt
    from plugineval.harness.matrix import AttemptLog
    from plugineval.harness.outcomes import GradedRow
    from plugineval.harness.questions import Settlement

ROUTE = "route"
"""The stage of the answers of models under test: each is asked for in one shard alone."""

KEY_KEPT = 16
"""Characters of a question's hash: enough to tell it from all others of a run."""


class Measured(NamedTuple):
    """A whole shard."""

    end: ShardEnd
    unanswered: int
    """Rows that nothing came back for, from the model or from the judge."""


async def measure(post: Post, lease: ShardLease, gate: Gate, told: "Callable[[int], None]") -> Measured:
    """Answer, grade and store the cells of a shard; `told` hears how many are done."""
    store, plan, grading = post.context.store, lease.plan, post.params.grading
    journal = SharedJournal(store, Sharing(lease, post.context.workspace.settings.workers.silence, frozenset({ROUTE})))
    log = _OutageLog(GatedLog(post.log(lease), gate))
    router = GatedRouter(post.router, gate)
    judge = GradingParams(judge=grading.judge)
    opened = open_graders(
        post.context.workspace, judge, base_url=post.params.base_url, ledger=journal, budget=post.budget
    )

    def progress(done: int, total: int) -> None:
        told(done)

    async with opened as graders:
        ports = RunPorts(journal, log, progress, graders.judge, post.checks)
        summary = await run_matrix(post.asked[plan.first : plan.last], [router], post.config, ports)
    owner = this_process()
    end = ShardEnd(
        prompt_hash=router.prompt_hash,
        made=journal.made.total(),
        replayed=journal.replayed.total(),
        load={model: replace(load.counts) for model, load in post.loads.items()},
        worker=f"{owner.host}:{owner.pid}:{owner.mark}",
        judge=None if graders.judge is None else graders.judge.stats,
        settled={} if graders.judge is None else _settled(graders.judge.known),
        preflight=post.rehearsed,
    )
    return Measured(end, log.outages + _outages(summary))


def _outages(summary: MatrixSummary) -> int:
    return sum(rows for each in summary.excluded.values() for reason, rows in each.items() if reason in OUTAGES)


def _settled(known: "Mapping[str, Settlement]") -> dict[str, str]:
    return {key[:KEY_KEPT]: settlement.failure or settlement.verdict for key, settlement in known.items()}


class _OutageLog:
    """An `AttemptLog` that counts rows on which the judge was out."""

    def __init__(self, log: "AttemptLog") -> None:
        self._log = log
        self.outages = 0

    async def append(self, attempt: "Attempt", row: "GradedRow") -> None:
        await self._log.append(attempt, row)
        self.outages += judge_was_out(row)
