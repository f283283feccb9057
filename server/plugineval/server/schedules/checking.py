"""Whether a schedule could start now: a mistake in it is told when it is written, not in the night when it is due.

What planning would refuse is looked at without planning: nothing is stored, no model is asked, no check is run.
"""

from typing import TYPE_CHECKING, NamedTuple

from plugineval.pccf.errors import ConfigurationError, PluginEvalError
from plugineval.pccf.ledger import Unjournaled
from plugineval.server.jobs.evaluate import run_config
from plugineval.server.jobs.judging import grading_params, open_graders
from plugineval.server.jobs.params import GradingParams, GradingWishes, RunWishes
from plugineval.server.jobs.rerunning import params_of
from plugineval.server.settings.schedules import Schedule
from plugineval.server.wiring import open_routers
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.settings.settings import Settings


class _Asked(NamedTuple):
    """Who would be asked, under which settings."""

    workspace: Workspace
    models: tuple[str, ...]
    grading: GradingParams
    base_url: str | None = None


async def obstacle_of(workspace: Workspace, schedule: Schedule) -> PluginEvalError | None:
    """Why the schedule could not be started here; None: nothing stands in its way."""
    store = await workspace.store()
    try:
        if schedule.baseline is not None:
            await store.runs.entry(schedule.baseline)
        asked = await (_of_benchmark if schedule.run is None else _of_run)(workspace, schedule)
        await _refuse_unready(asked)
    except PluginEvalError as error:
        return error
    return None


def refuse_without_models(settings: "Settings", schedule: Schedule) -> None:
    """`ConfigurationError` where neither a schedule of a benchmark nor the settings say who is measured."""
    if not schedule.models and not settings.run.models:
        step = 'write models = ["MODEL"] into this schedule, or under [run]'
        raise ConfigurationError("no model is named", field=f"schedule {schedule.name}: models", next_step=step)


async def _of_benchmark(workspace: Workspace, schedule: Schedule) -> _Asked:
    summary = await (await workspace.store()).benchmarks.summary(schedule.benchmark or "")
    if not summary.examples:
        problem, step = f"benchmark {summary.id} holds no examples", "build it, or resume its job"
        raise ConfigurationError(problem, field="benchmark", next_step=step)
    settings = workspace.settings
    refuse_without_models(settings, schedule)
    return _Asked(workspace, schedule.models or settings.run.models, grading_params(settings, GradingWishes()))


async def _of_run(workspace: Workspace, schedule: Schedule) -> _Asked:
    store = await workspace.store()
    info = await store.runs.get((await store.runs.entry(schedule.run or "")).id)
    then = await params_of(store, info.id)
    known = workspace.under(workspace.settings.with_recorded(then.recordings))
    return _Asked(known, schedule.models or info.config.models, then.grading, then.base_url)


async def _refuse_unready(asked: _Asked) -> None:
    workspace, judges = asked.workspace, asked.grading.model_copy(update={"checks": ()})
    config = run_config(workspace.settings, RunWishes(models=asked.models), judge=judges.judge)
    async with (
        open_routers(workspace.settings, config, base_url=asked.base_url, environ=workspace.environ),
        open_graders(workspace, judges, base_url=asked.base_url, ledger=Unjournaled()),
    ):
        pass
