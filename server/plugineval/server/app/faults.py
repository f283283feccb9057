"""Errors as a client should see them: our own sentences, never a traceback, and never a bare "Error executing tool".

The SDK passes on the text of `ToolError`, `ResourceError` and `ResourceNotFoundError` alone.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from plugineval.harness.rendering.neutral import shown
from plugineval.pccf.errors import AmbiguousNameError, PluginEvalError, UnknownNameError, mendable

P = ParamSpec("P")
R = TypeVar("R")

NEXT_CALLS = {
    "plugin": "call plugin_list for the registered ones; only a person registers more, in plugineval.toml",
    "stored plugin": "call plugin_inspect, which takes a snapshot of it",
    "model": "call plugin_list for the models that can be measured",
    "benchmark": "call benchmark_get without benchmark_id for the ids there are",
    "example": "call benchmark_get for the ids of a benchmark's cases",
    "run": "call report_get without run_id for the ids there are",
    "report": "call report_get without run_id for the ids there are",
    "job": "call job_get without job_id for the ids there are",
}
"""What an unknown name is a name of -> the call that shows the known ones; the command line has other next steps."""


def sentence(error: PluginEvalError) -> str:
    """The error as an agent reads it: what is wrong, what is allowed, and which call comes next."""
    unknown = isinstance(error, UnknownNameError) and not isinstance(error, AmbiguousNameError)
    call = NEXT_CALLS.get(error.field or "") if unknown else None
    if call is None:
        return shown(str(error))
    return shown(str(PluginEvalError(error.problem, field=error.field, allowed=error.allowed, next_step=call)))


def resource_errors(function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Let a resource's errors reach the client: an unknown id is "not found", all else an error with its sentence."""

    @wraps(function)
    async def spoken(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await function(*args, **kwargs)
        except UnknownNameError as error:
            raise ResourceNotFoundError(sentence(error)) from error
        except Exception as error:
            told = mendable(error)
            if told is None:
                raise
            raise ResourceError(sentence(told)) from error

    return spoken
