"""`plugineval resume`: go on with an interrupted build or run; answered calls are not made again."""

from contextlib import aclosing
from typing import Annotated, NamedTuple

import typer

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json
from plugineval.server.catalogs.writing import DerivedCatalog, catalog_json, catalog_toml
from plugineval.server.cli.ablate import ablation_json, show_ablation
from plugineval.server.cli.audit import KINDS as AUDITS
from plugineval.server.cli.audit import audit_exit_code, show_audit
from plugineval.server.cli.build import build_exit_code, show_build
from plugineval.server.cli.demo_plugins import with_demo_plugins
from plugineval.server.cli.evaluate import exit_code, tell_gaps
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.jobs_named import named_job, names_of, newest_first
from plugineval.server.cli.option_groups import LimitOptions, with_limit_options
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.regrade import regrade_exit_code, show_regrading
from plugineval.server.cli.session import engine_for, follow, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_stored_report
from plugineval.server.cli.terminal import echo_json, out, say_line
from plugineval.server.cli.verify import show_verification, verify_exit_code
from plugineval.server.cli.version_told import version_told
from plugineval.server.jobs.ablate_outcome import AblationOutcome
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome, nothing_left
from plugineval.server.jobs.limiting import allow_more, ended_by_limit, may_be_limited
from plugineval.server.jobs.outcomes import BuildOutcome
from plugineval.server.jobs.regrade_outcome import RegradeOutcome
from plugineval.server.jobs.verify_outcome import VerifyOutcome
from plugineval.server.jobs.versioning import VersionOutcome
from plugineval.server.store.states import JobState
from plugineval.server.store.store import Store
from plugineval.server.store.summaries import Job

VERSIONING = ("revise", "recalibrate")


@with_shared_options
@with_limit_options
def resume_command(
    which: Annotated[
        str | None, typer.Argument(metavar="RUN_OR_JOB", help="The id of a run, a grading or a job, or its beginning.")
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest with something left to do.")] = False,
    *,
    limits: LimitOptions,
    shared: SharedOptions,
) -> None:
    """Go on with interrupted work, or with a build that a limit ended. Prints what the first command would have."""
    kind, result = run(lambda: _resume(_Wish(which, last, limits), shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(_printed(kind, result))
    else:
        _show_result(kind, result, shared)
    raise typer.Exit(_exit_code(kind, result))


def _printed(kind: str, result: Json) -> Json:
    """What the first command would have printed for scripts."""
    match kind:
        case "scenarios":
            return catalog_json(DerivedCatalog.model_validate(result))
        case "evaluate":
            return EvaluationOutcome.model_validate(result).model_dump(mode="json")
        case "ablate":
            return ablation_json(AblationOutcome.model_validate(result))
        case _:
            return result


def _show_result(kind: str, result: Json, shared: SharedOptions) -> None:
    """What the first command would have shown; reports are shown where they are read."""
    match kind:
        case "scenarios":
            typer.echo(catalog_toml(DerivedCatalog.model_validate(result)), nl=False)
        case "build":
            show_build(BuildOutcome.model_validate(result), shared)
        case "verify":
            show_verification(VerifyOutcome.model_validate(result), shared)
        case "ablate":
            show_ablation(AblationOutcome.model_validate(result), shared)
        case _ if kind in AUDITS:
            show_audit(AUDITS[kind].model_validate(result))
        case _ if kind in VERSIONING:
            typer.echo(version_told(VersionOutcome.model_validate(result), shared))
        case _:
            pass


def _exit_code(kind: str, result: Json) -> ExitCode:
    match kind:
        case "evaluate":
            return exit_code(EvaluationOutcome.model_validate(result))
        case "build":
            return build_exit_code(BuildOutcome.model_validate(result))
        case "verify":
            return verify_exit_code(VerifyOutcome.model_validate(result))
        case "regrade":
            return regrade_exit_code(RegradeOutcome.model_validate(result))
        case _ if kind in AUDITS:
            return audit_exit_code(AUDITS[kind].model_validate(result))
        case _:
            return ExitCode.OK


class _Wish(NamedTuple):
    which: str | None
    last: bool
    limits: LimitOptions


async def _resume(wish: _Wish, shared: SharedOptions) -> tuple[str, Json]:
    which, last, limits = wish
    if (which is None) != last:
        step = "take --last, or the id of a run that `plugineval runs` lists"
        raise ConfigurationError("name one job", field="resume", allowed=("RUN_OR_JOB", "--last"), next_step=step)
    async with engine_for(with_demo_plugins(read_settings(shared))) as engine:
        store = await engine.workspace.store()
        job = await _find(store, wish)
        if last:
            say_line(f"Going on with {job.kind} {names_of(job)[-1]}, {_state(job)}.")
        if limits.said:
            job = await allow_more(store, job, limits)
        result = job.result if nothing_left(job) else await _go_on(engine, job, shared)
        if job.kind == "evaluate":
            await _show(store, EvaluationOutcome.model_validate(result), shared)
        elif job.kind == "regrade":
            await show_regrading(store, RegradeOutcome.model_validate(result), shared)
        return job.kind, result


async def _show(store: Store, outcome: EvaluationOutcome, shared: SharedOptions) -> None:
    if not shared.as_json:
        await show_stored_report(store, outcome.run_id, out(), shared)
    tell_gaps(outcome, shared)


async def _go_on(engine: JobEngine, job: Job, shared: SharedOptions) -> Json:
    store = await engine.workspace.store()
    # What made it fail may be mended by now, such as a variable that was not exported.
    await store.jobs.reopen(job.id)
    running = await engine.resume(job.id)
    if running.state is JobState.CANCELLED:
        raise ConfigurationError(f"job {job.id} was cancelled", field="resume", next_step="start the work again")
    return await follow(engine, running, shared)


async def _find(store: Store, wish: _Wish) -> Job:
    """The job that was meant: the one that was named, or the newest with something left. One that failed comes last: a
    slip in a command fails too, and is not what a person wants to go on with.
    """
    limited, failed = None, None
    if wish.which is not None:
        step = "list runs with `plugineval runs`, or give --last"
        return await named_job(store, wish.which, next_step=step)
    async with aclosing(newest_first(store)) as jobs:
        async for job in jobs:
            if not _meant(job, wish):
                limited = limited or (job if ended_by_limit(job) else None)
            elif job.state is not JobState.FAILED:
                return job
            else:
                failed = failed or job
    if failed is None:
        raise _nothing_left(limited)
    return failed


def _meant(job: Job, wish: _Wish) -> bool:
    if wish.limits.said:
        return may_be_limited(job) and (_unfinished(job) or ended_by_limit(job))
    return _unfinished(job)


def _state(job: Job) -> str:
    """What there is to go on with."""
    if job.state is not JobState.COMPLETED:
        return job.state.value
    return "ended by a limit" if ended_by_limit(job) else "with rows that were never answered"


def _unfinished(job: Job) -> bool:
    """Interrupted, failed for a reason that may be mended by now, or completed with rows that were never answered; or
    never begun, because the process that was to run it ended first; or with workers, whoever followed it.
    """
    stopped = job.state in (JobState.INTERRUPTED, JobState.FAILED, JobState.QUEUED)
    stopped = stopped or (job.state is JobState.RUNNING and job.engine == "workers")
    return stopped or (job.state is JobState.COMPLETED and not nothing_left(job))


def _nothing_left(limited: Job | None) -> ConfigurationError:
    problem = "no job was interrupted or failed, and none left rows unanswered"
    more = f"; {limited.kind} {limited.id} was ended by a limit: say a higher one" if limited else ""
    return ConfigurationError(problem + more, field="resume", next_step="name a run or a job")
