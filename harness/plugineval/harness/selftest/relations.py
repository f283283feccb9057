"""The relations: ways to say the same thing again. Each names what of a verdict it must not move."""

from collections.abc import Callable
from dataclasses import dataclass

from plugineval.harness.prepared_tools import prepared
from plugineval.harness.selftest import respellings
from plugineval.harness.selftest.places import Respell, arguments_respelled, leaves
from plugineval.harness.selftest.rows import TrialRow
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall


@dataclass(frozen=True, kw_only=True)
class Relation:
    """`again` gives the row in other words, or None where it has none of what the relation respells."""

    name: str
    sentence: str
    again: Callable[[TrialRow], TrialRow | None]
    subtype: bool = True
    """Whether the subtype must stay too: a wrong default is missing where it is left out, a value where it is said."""
    sides: bool = False
    """Gold and prediction change places: only right must not become wrong, nor wrong right."""


def gold_order(row: TrialRow) -> TrialRow | None:
    """Gold calls in the opposite order."""
    case = row.case
    if case.ordered or len(case.gold) < 2:
        return None
    return row._replace(case=case.model_copy(update={"gold": case.gold[::-1]}))


def predicted_order(row: TrialRow) -> TrialRow | None:
    """Emitted calls in the opposite order."""
    return None if row.case.ordered or len(row.calls) < 2 else row._replace(calls=row.calls[::-1])


def sides(row: TrialRow) -> TrialRow | None:
    """Gold for prediction and prediction for gold, where either could be the other."""
    if len(row.case.gold) != 1 or len(row.calls) != 1:
        return None
    gold, call = row.case.gold[0], row.calls[0]
    spec = row.case.toolset.by_name.get(gold.tool)
    if spec is None or call.name != gold.tool or call.arguments is None or gold.accepted:
        return None
    if any(prepared(spec).check(arguments)[0] for arguments in (gold.arguments, call.arguments)):
        # What the schema refuses is wrong by itself, on whichever side it stands.
        return None
    swapped = GoldCall(tool=gold.tool, arguments=call.arguments, unordered=gold.unordered)
    case = row.case.model_copy(update={"gold": (swapped,)})
    return TrialRow(case, (EmittedCall(name=call.name, arguments=gold.arguments),))


def respelling(respell: Respell) -> Callable[[TrialRow], TrialRow | None]:
    """Every emitted call in another spelling."""
    return lambda row: _with_calls(row, lambda tool, call: respell)


def set_order(row: TrialRow) -> TrialRow | None:
    """Declared sets in the opposite order."""
    return _with_calls(row, lambda tool, call: respellings.sets_reversed(_unordered(row, tool)))


def timed(kind: str, respell: Respell) -> Callable[[TrialRow], TrialRow | None]:
    """Moments or days in another notation, where gold has one of the same kind in the same place."""

    def again(row: TrialRow) -> TrialRow | None:
        return _with_calls(row, lambda tool, call: _at(_timed_paths(row, tool, kind), respell))

    return again


def _at(paths: frozenset[str], respell: Respell) -> Respell:
    return lambda value, node, path: respell(value, node, path) if path in paths else value


def _timed_paths(row: TrialRow, tool: str, kind: str) -> frozenset[str]:
    found: dict[str, set[str]] = {}
    for call in row.case.gold:
        for path, value in leaves(call.arguments) if call.tool == tool else ():
            found.setdefault(path, set()).add(respellings.kind_of(value))
    return frozenset(path for path, kinds in found.items() if kinds == {kind})


def _unordered(row: TrialRow, tool: str) -> frozenset[str]:
    return frozenset(path for call in row.case.gold if call.tool == tool for path in call.unordered)


def _with_calls(row: TrialRow, respell_of: Callable[[str, EmittedCall], Respell]) -> TrialRow | None:
    """The row with its calls respelled; None where nothing changes, or the schema minds."""
    calls: list[EmittedCall] = []
    for call in row.calls:
        spec = row.case.toolset.by_name.get(call.name)
        if spec is None or call.arguments is None:
            calls.append(call)
            continue
        tool = prepared(spec)
        arguments = arguments_respelled(call.arguments, tool.root, respell_of(call.name, call))
        if len(tool.check(arguments)[0]) != len(tool.check(call.arguments)[0]):
            return None
        calls.append(call.model_copy(update={"arguments": arguments}))
    changed = any(repr(old.arguments) != repr(new.arguments) for old, new in zip(row.calls, calls, strict=True))
    return row._replace(calls=tuple(calls)) if changed else None


RELATIONS = (
    Relation(name="gold order", sentence="gold calls in another order", again=gold_order),
    Relation(name="call order", sentence="emitted calls in another order", again=predicted_order),
    Relation(
        name="key order", sentence="keys of objects in another order", again=respelling(respellings.keys_reversed)
    ),
    Relation(name="set order", sentence="items of declared sets in another order", again=set_order),
    Relation(name="number spelling", sentence="5 as 5.0", again=respelling(respellings.number_as_float)),
    Relation(
        name="explicit default",
        sentence="a default said aloud",
        again=respelling(respellings.defaults_said),
        subtype=False,
    ),
    Relation(
        name="time zone",
        sentence="a moment by the clock of another time zone",
        again=timed("moment", respellings.moment_elsewhere),
    ),
    Relation(
        name="date notation", sentence="2026-03-14 as 14 March 2026", again=timed("day", respellings.day_in_words)
    ),
    Relation(name="sides", sentence="gold and prediction exchanged", again=sides, sides=True),
)
