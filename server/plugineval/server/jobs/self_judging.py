"""Rows that were judged by whoever made them stay out of the headline numbers, counted and with the reason (P17, X11).

Two kinds of rows are meant: those whose judge was the very agent that answered as the model, and those of examples
that were verified by whoever proposed their gold although the settings do not allow that.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Self

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.clients.agent.questions import WorkKind
from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.matrix import AttemptLog
from plugineval.harness.outcomes import Exclusion, GradedRow
from plugineval.harness.run import RunConfig
from plugineval.pccf.chat import subject_of
from plugineval.pccf.verification.separation import is_self_judged
from plugineval.server.jobs.context import JobContext
from plugineval.server.settings.settings import Settings

if TYPE_CHECKING:
    from plugineval.pccf.examples import Query
    from plugineval.server.store.store import Store

SIDE_BY_SIDE = 256
"""Cells that may wait for agents at the same time: no more than a desk has on offer."""
_NO_VERDICT = dict.fromkeys(("outcome", "outcome_strict", "confusion", "category", "subtype"))


class SelfJudging:
    """Finds such rows of one job, and takes their verdict off."""

    def __init__(self, context: JobContext, cases: Iterable[Case], unproven: frozenset[str]) -> None:
        """`unproven`: ids of the cases whose gold was judged by who proposed it."""
        self._context = context
        self._unproven = unproven
        self._cases = cases

    @classmethod
    async def of_run(cls, context: JobContext, run_id: str, config: RunConfig, cases: Iterable[Case]) -> "Self | None":
        """That of a job on a run; None where such rows count like any other."""
        if config.self_judged == "count":
            return None
        return cls(context, cases, await _unproven(context.store, run_id, context.workspace.settings))

    async def marked(self, attempt: Attempt, row: GradedRow) -> GradedRow:
        """The row, without a verdict where it was judged by whoever made it."""
        why = await self._why(attempt, row)
        if not why or row.exclusion is not None:
            return row
        excluded = {**_NO_VERDICT, "exclusion": Exclusion.SELF_JUDGED, "exclusion_detail": why}
        return row.model_copy(update=excluded)

    @cached_property
    def _queries(self) -> "dict[str, Query]":
        """Only where an agent answered and judged: a run may have more cases than there should be queries."""
        return {case.id: case.query for case in self._cases}

    async def _why(self, attempt: Attempt, row: GradedRow) -> str:
        if row.case_id in self._unproven:
            return "its gold was judged by whoever proposed it, which [build.verification] allow_self_judged forbids"
        raw = attempt.reply.raw
        if not (row.judged and isinstance(raw, dict) and raw.get("identity")):
            return ""
        query = self._queries[row.case_id]
        judges = await self._context.store.work.evaluators(self._context.job_id, subject_of(query.text, query.now))
        return f"{raw['identity']} answered as the model and judged the answer" if raw["identity"] in judges else ""


class SelfJudgedLog:
    """An `AttemptLog` whose rows are marked before they are kept."""

    def __init__(self, log: AttemptLog, judging: SelfJudging) -> None:
        self._log = log
        self._judging = judging

    async def append(self, attempt: Attempt, row: GradedRow) -> None:
        """Keep both."""
        await self._log.append(attempt, await self._judging.marked(attempt, row))


async def own_log(context: JobContext, run_id: str, config: RunConfig, cases: Iterable[Case]) -> AttemptLog:
    """The log of a run, which keeps self-judged rows out unless they are to count."""
    log, judging = context.store.attempts.log(run_id), await SelfJudging.of_run(context, run_id, config, cases)
    return log if judging is None else SelfJudgedLog(log, judging)


async def _unproven(store: "Store", run_id: str, settings: Settings) -> frozenset[str]:
    """Ids of the examples whose record is self-judged; none where the construction and the settings allow that."""
    benchmark_id = (await store.runs.entry(run_id)).benchmark_id
    if benchmark_id is None:
        return frozenset()
    benchmark = await store.benchmarks.get(benchmark_id)
    then = benchmark.config is None or benchmark.config.verification.allow_self_judged
    if then and settings.build.verification.allow_self_judged:
        return frozenset()
    found = [example.id for example in benchmark.examples if is_self_judged(await store.records.get(example.record_id))]
    return frozenset(found)


def waits_for_agents(config: RunConfig, *others: str) -> bool:
    """Whether an agent plays a model under test, or one of the others."""
    return any(model in WORK_MODELS for model in (*config.models, *others))


def side_by_side(config: RunConfig) -> RunConfig:
    """The run as the matrix is to take it where an agent plays: some hundred cells wait at once for their answers,
    all of one request together.
    """
    of_one = config.repeats * (1 + len(config.variants))
    return config.model_copy(update={"concurrency": max(1, SIDE_BY_SIDE // of_one)})


def expect_answers(context: JobContext, config: RunConfig, cases: Iterable[Case]) -> None:
    """Let the desk of the job know how many answers agents are to give as models."""
    agents = sum(model in WORK_MODELS for model in config.models)
    if not agents:
        return
    asked = {(case.toolset.content_hash, case.query.messages, case.query.now) for case in cases}
    context.work.expect(WorkKind.ANSWER_AS_MODEL, len(asked) * config.repeats * agents)


async def players_told(context: JobContext) -> tuple[str, ...]:
    """Notes for the report: who answered as the model, and who judged, where agents did."""
    told: list[str] = []
    for kind, what in ((WorkKind.ANSWER_AS_MODEL, "answers of agent"), (WorkKind.JUDGE_GOLD, "judgements of agent")):
        players = await context.store.work.players(context.job_id, kind)
        if players:
            told.append(f"{what}: " + "; ".join(f"{number} by {who}" for who, number in sorted(players.items())))
    return tuple(told)
