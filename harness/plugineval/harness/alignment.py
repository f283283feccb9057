"""Which emitted call answers which gold call: maximum-weight matching, order free unless the case says ordered (D7).

Only calls of the same tool are comparable, so a wrong tool is never a parameter error (P40). Among all pairings of most
calls the one with fewest different calls wins, then with fewest open ones, then with fewest differences, doubts and
coercions; the result does not depend on the order in which gold or emitted calls are listed.
"""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from plugineval.harness.assignment import Cost, assign
from plugineval.harness.equivalence.findings import Comparison
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall


class NamedCall(NamedTuple):
    """An emitted call under the offered name that it means; `tool` is the name as emitted where it means none."""

    tool: str
    call: EmittedCall


Compare: TypeAlias = Callable[[GoldCall, EmittedCall], Comparison]


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
    pairs = _in_order(gold, calls, compare) if ordered else _free(gold, calls, compare)
    paired_gold, paired_calls = {pair.gold for pair in pairs}, {pair.call for pair in pairs}
    return Alignment(
        pairs=tuple(sorted(pairs, key=lambda pair: pair.gold)),
        missing=tuple(index for index in range(len(gold)) if index not in paired_gold),
        extra=tuple(index for index in range(len(calls)) if index not in paired_calls),
    )


def _free(gold: Sequence[GoldCall], calls: Sequence[NamedCall], compare: Compare) -> list[Pair]:
    pairs: list[Pair] = []
    for tool in dict.fromkeys(wanted.tool for wanted in gold):
        rows = [index for index, wanted in enumerate(gold) if wanted.tool == tool]
        columns = [index for index, named in enumerate(calls) if named.tool == tool]
        if len(rows) > 1 or len(columns) > 1:
            # By content, so that ties fall the same way whatever the order of the lists.
            rows.sort(key=lambda index: _content(gold[index].arguments))
            columns.sort(key=lambda index: _content(calls[index].call.arguments))
        found = [[compare(gold[row], calls[column].call) for column in columns] for row in rows]
        chosen = assign([[comparison.cost for comparison in row] for row in found])
        pairs += [Pair(rows[row], columns[column], found[row][column]) for row, column in chosen]
    return pairs


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


def _content(arguments: object) -> str:
    return json.dumps(arguments, sort_keys=True)
