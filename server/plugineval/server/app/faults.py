"""Errors as a client should see them: our own sentences, never a traceback, and never a bare "Error executing tool".

The SDK passes on the text of `ToolError` and `ResourceNotFoundError` alone.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError

from plugineval.pccf.errors import PluginEvalError, UnknownNameError

P = ParamSpec("P")
R = TypeVar("R")


def tool_errors(function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Let a tool's `PluginEvalError` reach the model as its sentence: field, allowed values, next step."""

    @wraps(function)
    async def spoken(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await function(*args, **kwargs)
        except PluginEvalError as error:
            raise ToolError(str(error)) from error

    return spoken


def resource_errors(function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """The same for resources: an unknown id is "not found", everything else an internal error with its sentence."""

    @wraps(function)
    async def spoken(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await function(*args, **kwargs)
        except UnknownNameError as error:
            raise ResourceNotFoundError(str(error)) from error
        except PluginEvalError as error:
            raise ResourceError(str(error)) from error

    return spoken
