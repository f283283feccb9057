"""What a worker must have before it begins a whole job: one that began without it would fail the job for everybody.

Who plays which role was decided where the job was started, and not by the settings of whoever happens to take it.
"""

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.pccf.values import Json
from plugineval.server.settings.roles import Roles
from plugineval.server.settings.settings import Settings
from plugineval.server.store.summaries import Job

WITH_ROLES = ("build", "scenarios", "ablate")
"""Kinds of jobs that ask the models of `[roles]`."""


def with_roles(kind: str, params: Json, roles: Roles) -> Json:
    """The parameters of a job that goes to workers, with who plays what in it."""
    if kind not in WITH_ROLES or not isinstance(params, dict) or params.get("roles") is not None:
        return params
    return {**params, "roles": roles.model_dump(mode="json")}


def settings_for(settings: Settings, job: Job) -> Settings:
    """The settings of this worker with the roles of a job; the `PluginEvalError` for the first plugin or model of it
    that is not registered here.
    """
    params = job.params if isinstance(job.params, dict) else {}
    plugins, roles = params.get("plugins"), params.get("roles")
    for name in plugins if isinstance(plugins, list) else []:
        settings.plugin(str(name))
    if roles is None:
        return settings
    planned = Roles.model_validate(roles)
    for model in planned.players:
        # Names with a colon say themselves what they are.
        if ":" not in model and model not in WORK_MODELS:
            settings.model(model)
    return settings.model_copy(update={"roles": planned})
