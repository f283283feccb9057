"""What differs between two versions of a benchmark, case by case: nothing that a model or a count could see is lost.

Cases keep their ids over versions, so that runs of two versions are compared on the cases that both hold.
"""

from collections.abc import Iterator, Mapping

from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.releases import Change, ChangeKind
from plugineval.pccf.values import Json, Value

_GOLD = ("label", "further", "ordered", "sample_type", "target")
_CALIBRATION = ("difficulty", "p_k")
_PROOF = ("id", "record_id")


class Why(Value):
    """Who changed a case, and for what reason."""

    reason: str
    by: str = ""


def changes_between(old: Benchmark, new: Benchmark, reasons: Mapping[str, Why] | None = None) -> tuple[Change, ...]:
    """Every case that differs, in the order of `old`, then what was added in the order of `new`."""
    before = {example.id: example for example in old.examples}
    after = {example.id: example for example in new.examples}
    given = reasons or {}
    found = [
        *(change for name, each in before.items() for change in _changes(each, after.get(name))),
        *(_change(ChangeKind.ADDED, name, None, _gold(each)) for name, each in after.items() if name not in before),
    ]
    return tuple(_explained(change, given.get(change.case)) for change in found)


def _changes(old: Example, new: Example | None) -> Iterator[Change]:
    if new is None:
        yield _change(ChangeKind.REMOVED, old.id, _gold(old), None)
        return
    was, now = (each.model_dump(mode="json") for each in (old, new))
    changed = {name for name in was if was[name] != now[name] and name not in _PROOF}
    if changed & set(_GOLD):
        yield _change(ChangeKind.GOLD_REVISED, old.id, _gold(old), _gold(new))
    if changed & set(_CALIBRATION):
        yield _change(ChangeKind.RECALIBRATED, old.id, _picked(was, _CALIBRATION), _picked(now, _CALIBRATION))
    if "query" in changed:
        yield _change(ChangeKind.QUERY_CHANGED, old.id, was["query"], now["query"])
    if rest := sorted(changed - {*_GOLD, *_CALIBRATION, "query"}):
        yield _change(ChangeKind.OTHER, old.id, _picked(was, rest), _picked(now, rest))


def _change(kind: ChangeKind, case: str, before: Json, after: Json) -> Change:
    return Change(kind=kind, case=case, before=before, after=after)


def _explained(change: Change, why: Why | None) -> Change:
    return change if why is None else change.model_copy(update={"reason": why.reason, "by": why.by})


def _gold(example: Example) -> Json:
    """The gold calls, or the shape of a label that has none."""
    calls: list[Json] = [{"name": call.tool, "arguments": call.arguments} for call in example.gold]
    return calls or example.label.shape


def _picked(said: Mapping[str, Json], names: "tuple[str, ...] | list[str]") -> Json:
    return {name: said[name] for name in names}
