"""Which emitted call answers which gold call: maximum-weight matching, order free unless the case says ordered (D7).

Only calls of the same tool are comparable, so a wrong tool is never a parameter error (P40). Among all pairings of most
calls the one with fewest different calls wins, then with fewest open ones, then with fewest differences, doubts and
coercions; the result does not depend on the order in which gold or emitted calls are listed.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from plugineval.harness.assignment import Cost, assign, without_ties
from plugineval.harness.equivalence.findings import AGREED, Comparison
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall


class NamedCall(NamedTuple):
    """An emitted call under the offered name that it means; `tool` is the name as emitted where it means none."""

    tool: str
    call: EmittedCall


class Compare(Protocol):
    """How two calls of one tool are compared."""

    def __call__(self, gold: GoldCall, call: EmittedCall) -> Comparison:
        """The findings of `call` against `gold`."""
        ...

    def plainly_equal(self, gold: GoldCall, call: EmittedCall) -> bool:
        """Whether they agree without asking any rule; cheap."""
        ...


class Pair(NamedTuple):
    """Gold call `gold` is answered by emitted call `call` (indexes), with what was found."""

    gold: int
    call: int
    comparison: Comparison


class Alignment(NamedTuple):
    """Pairs in gold order; gold calls nobody answered; emitted calls that answer nothing."""

    pairs: tuple[Pair, ...] = ()
    missing: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()


def align(
    gold: Sequence[GoldCall], calls: Sequence[NamedCall], compare: Compare, *, ordered: bool = False
) -> Alignment:
    """Pair the calls; `compare` is asked only for calls of the same tool."""
    if not gold or not calls:
        return Alignment(missing=tuple(range(len(gold))), extra=tuple(range(len(calls))))
    if len(gold) == len(calls) == 1:
        return _only(gold[0], calls[0], compare)
    pairs = _in_order(gold, calls, compare) if ordered else _free(gold, calls, compare)
    paired_gold, paired_calls = {pair.gold for pair in pairs}, {pair.call for pair in pairs}
    return Alignment(
        pairs=tuple(sorted(pairs, key=lambda pair: pair.gold)),
        missing=tuple(index for index in range(len(gold)) if index not in paired_gold),
        extra=tuple(index for index in range(len(calls)) if index not in paired_calls),
    )


def _only(gold: GoldCall, named: NamedCall, compare: Compare) -> Alignment:
    """One call against one, which is what most rows are."""
    if gold.tool != named.tool:
        return _APART
    found = AGREED if compare.plainly_equal(gold, named.call) else compare(gold, named.call)
    return _TOGETHER if found is AGREED else Alignment((Pair(0, 0, found),))


_APART = Alignment(missing=(0,), extra=(0,))
_TOGETHER = Alignment((Pair(0, 0, AGREED),))


def _free(gold: Sequence[GoldCall], calls: Sequence[NamedCall], compare: Compare) -> list[Pair]:
    pairs: list[Pair] = []
    for tool in dict.fromkeys(wanted.tool for wanted in gold):
        rows = [index for index, wanted in enumerate(gold) if wanted.tool == tool]
        columns = [index for index, named in enumerate(calls) if named.tool == tool]
        if not columns:
            continue
        wanted, made = [gold[row] for row in rows], [calls[column].call for column in columns]
        chosen = _plain_pairs(wanted, made, compare) or _best_pairs(wanted, made, compare)
        pairs += [Pair(rows[pair.gold], columns[pair.call], pair.comparison) for pair in chosen]
    return pairs


def _plain_pairs(gold: Sequence[GoldCall], calls: Sequence[EmittedCall], compare: Compare) -> list[Pair]:
    """A pairing of all gold calls with calls that are the same to the letter; empty where there is none."""
    if len(gold) > len(calls):
        return []
    cost: list[list[Cost]] = []
    for wanted in gold:
        cost.append([(0,) if compare.plainly_equal(wanted, call) else (1,) for call in calls])
        if (0,) not in cost[-1]:
            return []
    chosen = assign(cost)
    return [Pair(*pair, AGREED) for pair in chosen] if not any(cost[row][column][0] for row, column in chosen) else []


def _best_pairs(gold: Sequence[GoldCall], calls: Sequence[EmittedCall], compare: Compare) -> list[Pair]:
    found = [[compare(wanted, call) for call in calls] for wanted in gold]
    cost = [[comparison.cost for comparison in row] for row in found]
    chosen = without_ties(cost)
    if chosen is None:
        rows, columns = _by_content(gold), _by_content(calls)
        chosen = assign([[cost[row][column] for column in columns] for row in rows])
        chosen = [(rows[row], columns[column]) for row, column in chosen]
    return [Pair(row, column, found[row][column]) for row, column in chosen]


def _by_content(calls: Sequence[GoldCall | EmittedCall]) -> Sequence[int]:
    """Indexes by what the calls say, so that ties fall the same way whatever the order of the list."""
    return sorted(range(len(calls)), key=[_content(call.arguments) for call in calls].__getitem__)


def _in_order(gold: Sequence[GoldCall], calls: Sequence[NamedCall], compare: Compare) -> list[Pair]:
    """The best pairing that keeps both orders: a longest common subsequence weighted like the free matching."""
    best: list[list[_Path]] = [[_NOTHING] * (len(calls) + 1) for _ in range(len(gold) + 1)]
    for row, wanted in enumerate(gold):
        for column, named in enumerate(calls):
            options = [best[row][column + 1], best[row + 1][column]]
            if wanted.tool == named.tool:
                options.append(best[row][column].then(Pair(row, column, compare(wanted, named.call))))
            best[row + 1][column + 1] = min(options, key=lambda option: option.cost)
    return list(best[-1][-1].pairs)


class _Path(NamedTuple):
    cost: Cost
    pairs: tuple[Pair, ...]

    def then(self, pair: Pair) -> "_Path":
        """One more pair counts before everything that it costs."""
        step = (-1, *pair.comparison.cost)
        return _Path(tuple(map(int.__add__, self.cost, step)), (*self.pairs, pair))


_NOTHING = _Path((0,) * (1 + len(Comparison().cost)), ())


_content = json.JSONEncoder(sort_keys=True).encode
