"""What a worker must have before it begins a whole job: one that began without it would fail the job for everybody.

Who plays which role was decided where the job was started, and not by the settings of whoever happens to take it. A
model is there when it is registered here and its key is in the environment of this process.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.clients.recorded.config import PREFIX, RecordedConfig
from plugineval.harness.gradings import NO_JUDGE
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.values import Json
from plugineval.server.jobs.params import RecalibrateParams, RegradeParams, VerifyParams
from plugineval.server.settings.roles import Roles
from plugineval.server.settings.settings import Settings
from plugineval.server.store.summaries import Job

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

_EMBEDDED = ("baseline:", "degenerate:")


class Needs(NamedTuple):
    """What a job cannot be done without."""

    plugins: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    base_url: str | None = None
    recordings: tuple[RecordedConfig, ...] = ()
    """Of recorded models that were named where the job was started."""
    files: tuple[Path, ...] = ()
    roles: Roles | None = None
    """Who plays what in it."""


async def needs_of(store: "Store", job: Job) -> Needs:
    """Those of a job that workers take whole."""
    params = job.params if isinstance(job.params, dict) else {}
    match job.kind:
        case "verify" if "benchmark_id" in params:
            verified = VerifyParams.model_validate(params)
            benchmark = await store.benchmarks.get(verified.benchmark_id)
            called = {benchmark.toolset.tool(call.tool).plugin for each in benchmark.examples for call in each.gold}
            return Needs(plugins=tuple(sorted(called)))
        case "recalibrate":
            return Needs(models=(RecalibrateParams.model_validate(params).router,))
        case "regrade":
            regraded = RegradeParams.model_validate(params)
            files = (*regraded.grading.checks, *([] if regraded.gold is None else [regraded.gold.path]))
            asked = Needs(models=(regraded.grading.judge,), base_url=regraded.base_url, recordings=regraded.recordings)
            return asked._replace(files=files)
        case _:
            return _of_construction(params)


def settings_for(settings: Settings, environ: Mapping[str, str], needs: Needs) -> Settings:
    """The settings of this worker for a job; the `PluginEvalError` for the first thing that it needs and is not here,
    which names the variable where a key is missing.
    """
    for name in needs.plugins:
        settings.plugin(name)
    for path in needs.files:
        if not path.is_file():
            raise ConfigurationError(
                f"{path} is not on this machine", field="file", next_step="put it where the job was started from"
            )
    known = settings.with_recorded(needs.recordings)
    for model in needs.models:
        _require_model(known, environ, model, needs.base_url)
    return settings if needs.roles is None else settings.model_copy(update={"roles": needs.roles})


def _of_construction(params: Mapping[str, Json]) -> Needs:
    plugins = params.get("plugins")
    named = tuple(map(str, plugins)) if isinstance(plugins, list) else ()
    if params.get("roles") is None:
        return Needs(plugins=named)
    roles = Roles.model_validate(params["roles"])
    return Needs(plugins=named, models=roles.players, roles=roles)


def _require_model(settings: Settings, environ: Mapping[str, str], name: str, base_url: str | None) -> None:
    from plugineval.clients.models.access import access_of
    from plugineval.clients.models.registry import OPENAI, ModelFactory

    if name == NO_JUDGE or name in WORK_MODELS or name.startswith(_EMBEDDED):
        return
    if name.startswith(PREFIX):
        if name not in settings.recorded or not settings.recorded[name].path.is_file():
            raise UnknownNameError("model", name, settings.recorded, next_step="register its file on this machine")
        return
    if not name.startswith(OPENAI) and base_url is None:
        settings.model(name)
    access_of(ModelFactory(settings.models, base_url=base_url, environ=environ).config(name), environ)
