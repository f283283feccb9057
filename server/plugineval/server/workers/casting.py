"""Who plays which role goes with a job that workers take whole: it was decided where the job was started."""

from plugineval.pccf.values import Json
from plugineval.server.settings.roles import Roles

WITH_ROLES = ("build", "scenarios", "ablate")
"""Kinds of jobs that ask the models of `[roles]`."""


def with_roles(kind: str, params: Json, roles: Roles) -> Json:
    """The parameters of a job that goes to workers, with who plays what in it."""
    if kind not in WITH_ROLES or not isinstance(params, dict) or params.get("roles") is not None:
        return params
    return {**params, "roles": roles.model_dump(mode="json")}
