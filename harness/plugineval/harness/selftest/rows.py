"""What the self-test respells: built-in rows, and rows made from cases: right, wrong in one way, or short of calls."""

from collections.abc import Iterator
from typing import NamedTuple

from plugineval.harness.cases import Case
from plugineval.harness.selftest.builtin import built_in_cases
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Arguments, Json


class TrialRow(NamedTuple):
    """A case, and calls that somebody might have made for it."""

    case: Case
    calls: tuple[EmittedCall, ...]


def built_in_rows() -> tuple[TrialRow, ...]:
    """The built-in cases with the calls written beside them, and those that are made from every case."""
    written = [TrialRow(case, calls) for case, several in built_in_cases() for calls in several]
    return (*written, *(row for case, _ in built_in_cases() for row in rows_of_case(case)))


def rows_of_case(case: Case) -> Iterator[TrialRow]:
    """Gold itself, gold with one value changed (every argument in turn), one left out, and one call too few."""
    right = tuple(EmittedCall(name=call.tool, arguments=call.arguments) for call in case.gold)
    yield TrialRow(case, right)
    if right:
        yield TrialRow(case, right[:-1])
    for index, call in enumerate(case.gold):
        for changed in _changed(call):
            yield TrialRow(case, (*right[:index], EmittedCall(name=call.tool, arguments=changed), *right[index + 1 :]))


def _changed(call: GoldCall) -> Iterator[Arguments]:
    for name, value in call.arguments.items():
        yield {**call.arguments, name: _another(value)}
    for name in call.arguments:
        yield {other: value for other, value in call.arguments.items() if other != name}


def _another(value: Json) -> Json:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1") if value[-1:].isdigit() else f"{value} and more"
    if isinstance(value, list):
        return value[:-1]
    return dict(list(value.items())[:-1])
