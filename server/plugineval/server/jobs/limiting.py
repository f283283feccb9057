"""Hard limits that are said for one job, and raising them: a build, an ablation or a run that a limit ended goes on.

Its journal is the same, so that nothing is asked twice, and what it spent before counts against the new limits too.
What a build makes then is the next version of what it had made.
"""

from typing import TYPE_CHECKING, get_args

from plugineval.pccf.config import BuildConfig, BuildLimits
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.jobs.continuing import require_newest
from plugineval.server.jobs.spent_already import spent_already
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


class LimitWishes(Value):
    """Hard limits as they were said; None was not."""

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    max_minutes: float | None = None

    @property
    def said(self) -> bool:
        """Whether any was."""
        return any(value is not None for _, value in self)

    def over(self, config: BuildConfig) -> BuildConfig:
        """`config` with these limits in place of its own; `ConfigurationError` where one is not above 0."""
        return config.model_copy(update={"limits": self.on_top_of(config.limits)})

    def on_top_of(self, limits: BuildLimits) -> BuildLimits:
        """`limits` with these in their place; `ConfigurationError` where one is not above 0."""
        written = {name.removeprefix("max_"): value for name, value in self if value is not None}
        return BuildLimits.model_validate(limits.model_dump() | written)


async def allow_more(store: "Store", job: Job, limits: LimitWishes) -> Job:
    """`job` with `limits`, ready to be run again; `ConfigurationError` where limits mean nothing to it, or where what
    it spent before leaves nothing of them.
    """
    from plugineval.server.jobs.params import AblateParams, BuildParams, EvaluateParams

    limited: dict[str, type[BuildParams]] = {"build": BuildParams, "ablate": AblateParams}
    if job.kind == "evaluate":
        run = EvaluateParams.model_validate(job.params)
        (await spent_already(store, job)).require_more(limits.on_top_of(BuildLimits()))
        higher = run.model_copy(update={"limits": limits.on_top_of(run.limits)})
        await store.jobs.replan(job.id, higher.model_dump(mode="json"))
        return await store.jobs.reopen(job.id)
    if job.kind not in limited:
        raise ConfigurationError(f"job {job.id} is no run, build or ablation: it has no limits", field="resume")
    params = limited[job.kind].model_validate(job.params)
    changed = params.model_copy(update={"config": limits.over(params.config)})
    if job.state is JobState.COMPLETED:
        changed = changed.model_copy(update={"continues": await _ended(store, job)})
        (await spent_already(store, job)).require_more(limits.on_top_of(BuildLimits()))
    await store.jobs.replan(job.id, changed.model_dump(mode="json"))
    return await store.jobs.reopen(job.id)


def ended_by_limit(job: Job) -> bool:
    """Whether a completed job would go on under higher limits."""
    if not may_be_limited(job) or job.state is not JobState.COMPLETED:
        return False
    from plugineval.pccf.metering import LimitReached
    from plugineval.server.jobs.ablate_outcome import AblationOutcome
    from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome
    from plugineval.server.jobs.outcomes import BuildOutcome

    if job.kind == "evaluate":
        return bool(EvaluationOutcome.model_validate(job.result).limit)
    if job.kind == "build":
        return BuildOutcome.model_validate(job.result).stop_reason in get_args(LimitReached)
    return bool(AblationOutcome.model_validate(job.result).limit)


def may_be_limited(job: Job) -> bool:
    """Whether limits mean anything to it."""
    return job.kind in ("build", "ablate", "evaluate")


async def _ended(store: "Store", job: Job) -> str | None:
    """The benchmark in which a limit ended a build; an ablation keeps none."""
    from plugineval.pccf.metering import LimitReached
    from plugineval.server.jobs.ablate_outcome import AblationOutcome
    from plugineval.server.jobs.outcomes import BuildOutcome

    if job.kind == "build":
        built = BuildOutcome.model_validate(job.result)
        _require(built.stop_reason in get_args(LimitReached), job, built.stopped)
        await require_newest(store, built.benchmark_id)
        return built.benchmark_id
    _require(bool(AblationOutcome.model_validate(job.result).limit), job, "every variant came to its end")
    return None


def _require(ended_by_limit: bool, job: Job, ended: str) -> None:
    if not ended_by_limit:
        raise ConfigurationError(
            f"job {job.id} was not ended by a limit: {ended}",
            field="resume",
            next_step="start a new build for more examples",
        )
