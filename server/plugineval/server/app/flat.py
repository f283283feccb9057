"""Arguments that belong together, written as one value in the code and flat in a tool's schema.

A tool takes a `Flat` as one argument; its callers see the fields of it in its place.
"""

import inspect
from collections.abc import Awaitable, Callable
from typing import get_type_hints

from mcp_types import CallToolResult

from plugineval.pccf.values import Value


class Flat(Value):
    """A group of arguments."""


def flattened(function: Callable[..., Awaitable[CallToolResult]]) -> Callable[..., Awaitable[CallToolResult]]:
    """The function with the fields of every `Flat` in place of it; itself where it takes none."""
    signature = inspect.signature(function, eval_str=True)
    groups = {name: parameter.annotation for name, parameter in signature.parameters.items() if _is_group(parameter)}
    if not groups:
        return function

    async def called(**arguments: object) -> CallToolResult:
        made = {
            name: group(**{field: arguments.pop(field) for field in group.model_fields})
            for name, group in groups.items()
        }
        return await function(**arguments, **made)

    parameters = [
        each
        for name, parameter in signature.parameters.items()
        for each in (_fields(groups[name]) if name in groups else [parameter])
    ]
    keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    called.__name__, called.__doc__ = function.__name__, function.__doc__
    called.__dict__["__signature__"] = signature.replace(parameters=keyword)
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in keyword}
    called.__annotations__["return"] = signature.return_annotation
    return called


def _is_group(parameter: inspect.Parameter) -> bool:
    return inspect.isclass(parameter.annotation) and issubclass(parameter.annotation, Flat)


def _fields(group: type[Flat]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.is_required() else field.get_default(call_default_factory=True),
            annotation=hints[name],
        )
        for name, field in group.model_fields.items()
    ]
