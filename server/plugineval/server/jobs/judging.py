"""Who helps to grade a run: the judge that its plan names and the person's own checks, proven before anything costs.

A judge is a chat model of the settings or the command line; the embedded baseline judges nothing. Its answers are in
the journal of the job, so that a resumed job asks about no pair twice.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.gradings import NO_JUDGE, Grading
from plugineval.harness.judging.config import JudgeConfig
from plugineval.harness.outcomes import ErrorCategory, GradedRow
from plugineval.harness.policies import ExtraCalls, Meaning
from plugineval.harness.questions import JudgeFailure
from plugineval.pccf.ledger import Ledger
from plugineval.server.jobs.params import GradingParams, GradingWishes
from plugineval.server.settings.roles import BASELINE
from plugineval.server.settings.settings import Settings
from plugineval.server.wiring import open_judge
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.clients.checks.loading import LoadedCheck
    from plugineval.harness.judging.judge import GoldAnchoredJudge
    from plugineval.server.sharing.run_budget import RunBudget
    from plugineval.server.work.desk import DeskQueue


class Graders(NamedTuple):
    """The judge, if there is one, and the checks by tool."""

    judge: "GoldAnchoredJudge | None"
    checks: "Mapping[str, LoadedCheck]"

    def on(self, grading: Grading) -> Grading:
        """The record of a grading with what is known of these by now."""
        judge = self.judge
        found: dict[str, object] = {"checks": {tool: check.source for tool, check in self.checks.items()}}
        if judge is not None:
            found |= {"version": judge.prompt_hash, "judge_config": JudgeConfig(), "judge_stats": judge.stats}
        return grading.model_copy(update=found)


def grading_params(settings: Settings, wishes: GradingWishes) -> GradingParams:
    """The judge that was said, or that of `[roles]`; the files of checks from wherever the job will be resumed."""
    named = settings.id_of(wishes.judge or settings.roles.judge)
    judge = NO_JUDGE if named == BASELINE else named
    return GradingParams(judge=judge, checks=tuple(path.absolute() for path in wishes.checks))


def meaning_for(judge: str, otherwise: Meaning) -> Meaning:
    """A judge is there to be asked: then rules settle nothing that meaning alone decides."""
    return otherwise if judge == NO_JUDGE else "ask"


def policy_for(settings: Settings, judge: str, extra_calls: ExtraCalls) -> GradingPolicy:
    """The policy of a grading by that judge."""
    return GradingPolicy(extra_calls=extra_calls, meaning=meaning_for(judge, settings.run.meaning))


def bias_notes(judge: str, models: Sequence[str]) -> tuple[str, ...]:
    """What a reader must know of a judge that is measured itself (P17)."""
    if judge not in models or judge in WORK_MODELS:
        # Behind one id stand several agents, who are told apart row by row.
        return ()
    return (f"Bias warning: {judge} is a model under test and the judge at once",)


def judge_was_out(row: GradedRow) -> bool:
    """Whether a row has no verdict of its own because the judge's provider did not answer."""
    failed = row.category is ErrorCategory.JUDGE_FAILURE
    return failed and any(judged.settlement.failure is JudgeFailure.OUTAGE for judged in row.judged)


@asynccontextmanager
async def open_graders(
    workspace: Workspace,
    params: GradingParams,
    *,
    base_url: str | None,
    ledger: Ledger | None = None,
    work: "DeskQueue | None" = None,
    budget: "RunBudget | None" = None,
) -> AsyncGenerator[Graders]:
    """Both, the judge within the `budget` of a run.

    `ConfigurationError` for a judge without its key or a check that fails its own example, before any call.
    """
    async with AsyncExitStack() as stack:
        checks = await stack.enter_async_context(_open_checks(params.checks, workspace.settings))
        judge = None
        if params.judge != NO_JUDGE:
            opened = open_judge(workspace, params.judge, base_url=base_url, ledger=ledger, work=work, budget=budget)
            judge = await stack.enter_async_context(opened)
        yield Graders(judge, checks)


@asynccontextmanager
async def _open_checks(files: Sequence[Path], settings: Settings) -> "AsyncGenerator[Mapping[str, LoadedCheck]]":
    """The checks; loading and ending their processes keeps no other task waiting."""
    from plugineval.clients.checks.loading import open_checks

    opened = open_checks(files, secrets=settings.secrets)
    checks = await anyio.to_thread.run_sync(opened.__enter__)
    try:
        yield checks
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(opened.__exit__, None, None, None)
