"""How a file says which function checks which tool: a decorator, or a `CHECKS` mapping; `EXAMPLES` prove them.

A check is `def check(case, gold, predicted) -> bool`, with both calls as plain dicts of arguments. An example is
`(gold, predicted, expected)`, or with the words of a query as a fourth member.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType
from typing import TypeAlias, TypeVar, cast


@dataclass(frozen=True, kw_only=True)
class CheckedCase:
    """What a check may know of the case."""

    id: str
    query: str
    """The last words of the user."""
    tool: str
    now: datetime | None = None


Arguments: TypeAlias = dict[str, object]
CheckFunction: TypeAlias = Callable[[CheckedCase, Arguments, Arguments], bool]
Example: TypeAlias = tuple[Arguments, Arguments, bool] | tuple[Arguments, Arguments, bool, str]
F = TypeVar("F", bound=CheckFunction)


@dataclass(frozen=True, kw_only=True)
class Registered:
    """One check of one tool."""

    tool: str
    function: CheckFunction
    examples: Sequence[Example] = ()


class UnusableCheckError(ValueError):
    """What a file registers cannot be used; says what."""


_DECORATED: list[Registered] = []


def semantic_check(*tools: str, examples: Sequence[Example] = ()) -> Callable[[F], F]:
    """Register the decorated function as the check of `tools` (the names that a model sees)."""

    def register(function: F) -> F:
        _DECORATED.extend(Registered(tool=tool, function=function, examples=examples) for tool in tools)
        return function

    return register


def registered_in(module: ModuleType) -> list[Registered]:
    """The checks of `module`: decorated ones, those in `CHECKS`, with its `EXAMPLES` (per tool, or of the only one)."""
    mapped = cast("Mapping[str, CheckFunction]", getattr(module, "CHECKS", {}))
    if not isinstance(cast("object", mapped), Mapping):
        raise UnusableCheckError("CHECKS must map tool names to functions")
    found = [*_DECORATED, *(Registered(tool=tool, function=check) for tool, check in mapped.items())]
    _DECORATED.clear()
    return with_examples(found, getattr(module, "EXAMPLES", ()))


def with_examples(checks: list[Registered], examples: object) -> list[Registered]:
    """`checks` with a module's examples added to the ones they have; every check is looked at once."""
    tools = [check.tool for check in checks]
    if not isinstance(examples, Mapping):
        if examples and len(tools) != 1:
            raise UnusableCheckError("EXAMPLES of several checks must map tool names to lists of examples")
        examples = dict.fromkeys(tools, examples)
    by_tool = cast("Mapping[str, Sequence[Example]]", examples)
    if unknown := sorted(by_tool.keys() - set(tools)):
        raise UnusableCheckError(f"EXAMPLES name {unknown[0]!r}, for which there is no check")
    if twice := sorted({tool for tool in tools if tools.count(tool) > 1}):
        raise UnusableCheckError(f"two checks are registered for {twice[0]!r}")
    return [_complete(check, [*check.examples, *by_tool.get(check.tool, ())]) for check in checks]


def _complete(check: Registered, examples: Sequence[Example]) -> Registered:
    if not callable(cast("object", check.function)):
        raise UnusableCheckError(f"the check of {check.tool!r} is not a function")
    for number, example in enumerate(cast("Sequence[object]", examples), 1):
        if not _is_example(example):
            problem = "must be (gold, predicted, expected): two dicts of arguments and True or False"
            raise UnusableCheckError(f"example {number} of {check.tool!r} {problem}")
    return Registered(tool=check.tool, function=check.function, examples=tuple(examples))


def _is_example(example: object) -> bool:
    if not isinstance(example, tuple | list):
        return False
    parts = [*cast("Sequence[object]", example)]
    kinds = (dict, dict, bool, str)[: len(parts)]
    return len(parts) in {3, 4} and all(isinstance(part, kind) for part, kind in zip(parts, kinds, strict=True))
