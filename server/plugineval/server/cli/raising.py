"""`plugineval resume JOB --max-calls N`: a build or an ablation that a limit ended, or that was interrupted, goes on.

Its journal is the same, so that nothing is asked twice, and what it spent before counts against the new limits too.
"""

from typing import get_args

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.metering import LimitReached
from plugineval.server.cli.option_groups import LimitOptions
from plugineval.server.jobs.ablate_outcome import AblationOutcome
from plugineval.server.jobs.outcomes import BuildOutcome
from plugineval.server.jobs.params import AblateParams, BuildParams
from plugineval.server.store.states import JobState
from plugineval.server.store.store import Store
from plugineval.server.store.summaries import Job

_LIMITED: dict[str, type[BuildParams]] = {"build": BuildParams, "ablate": AblateParams}


async def allow_more(store: Store, job: Job, limits: LimitOptions) -> Job:
    """`job` with `limits`, ready to be run again; `ConfigurationError` where limits mean nothing to it."""
    if job.kind not in _LIMITED:
        raise ConfigurationError(f"job {job.id} is no build or ablation: it has no limits", field="resume")
    params = _LIMITED[job.kind].model_validate(job.params)
    changed = params.model_copy(update={"config": limits.over(params.config)})
    if job.state is JobState.COMPLETED:
        await _reopen(store, job)
    await store.jobs.replan(job.id, changed.model_dump(mode="json"))
    return await store.jobs.reopen(job.id)


async def _reopen(store: Store, job: Job) -> None:
    if job.kind == "build":
        built = BuildOutcome.model_validate(job.result)
        _require(built.stop_reason in get_args(LimitReached), job, built.stopped)
        await store.benchmarks.reopen(built.benchmark_id)
    else:
        _require(bool(AblationOutcome.model_validate(job.result).limit), job, "every variant came to its end")


def _require(ended_by_limit: bool, job: Job, ended: str) -> None:
    if not ended_by_limit:
        raise ConfigurationError(
            f"job {job.id} was not ended by a limit: {ended}",
            field="resume",
            next_step="start a new build for more examples",
        )
