"""Which predicted call answers which gold call: maximum-weight matching, order free unless the case says ordered (D7).

Only calls of the same tool are comparable, so a wrong tool is never a parameter error (P40). Among all pairings of most
calls the one with most equal calls wins, then the one with fewest differences, then the one with fewest coercions; the
result does not depend on the order in which gold or predicted calls are listed.
"""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from plugineval.harness.assignment import assign
from plugineval.harness.equivalence.differences import Comparison
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.routing import EmittedCall

Compare: TypeAlias = Callable[[Invocation, EmittedCall], Comparison]
_BITS = 24


class Pair(NamedTuple):
    """Gold call `gold` is answered by emitted call `call` (indexes), with what differs."""

    gold: int
    call: int
    comparison: Comparison


class Alignment(NamedTuple):
    """Pairs in gold order; gold calls nobody answered; emitted calls that answer nothing."""

    pairs: tuple[Pair, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]


def align(
    gold: Sequence[Invocation], calls: Sequence[EmittedCall], compare: Compare, *, ordered: bool = False
) -> Alignment:
    """Pair the calls; `compare` is asked only for calls of the same tool."""
    pairs = _in_order(gold, calls, compare) if ordered else _free(gold, calls, compare)
    paired_gold, paired_calls = {pair.gold for pair in pairs}, {pair.call for pair in pairs}
    return Alignment(
        pairs=tuple(sorted(pairs, key=lambda pair: pair.gold)),
        missing=tuple(index for index in range(len(gold)) if index not in paired_gold),
        extra=tuple(index for index in range(len(calls)) if index not in paired_calls),
    )


def _free(gold: Sequence[Invocation], calls: Sequence[EmittedCall], compare: Compare) -> list[Pair]:
    pairs: list[Pair] = []
    for tool in {call.tool for call in gold}:
        # Sorted by content, so that ties fall the same way whatever the order of the lists.
        rows = sorted((i for i, g in enumerate(gold) if g.tool == tool), key=lambda i: _content(gold[i].arguments))
        columns = sorted((i for i, c in enumerate(calls) if c.name == tool), key=lambda i: _content(calls[i].arguments))
        found = [[compare(gold[row], calls[column]) for column in columns] for row in rows]
        chosen = assign([[_cost(comparison) for comparison in row] for row in found])
        pairs += [Pair(rows[row], columns[column], found[row][column]) for row, column in chosen]
    return pairs


def _in_order(gold: Sequence[Invocation], calls: Sequence[EmittedCall], compare: Compare) -> list[Pair]:
    """The best pairing that keeps both orders: a longest common subsequence weighted like the free matching."""
    unpaired = 1 << (3 * _BITS)
    best: list[list[tuple[int, tuple[Pair, ...]]]] = [[(0, ())] * (len(calls) + 1) for _ in range(len(gold) + 1)]
    for row, wanted in enumerate(gold):
        for column, call in enumerate(calls):
            options = [best[row][column + 1], best[row + 1][column]]
            if wanted.tool == call.name:
                comparison = compare(wanted, call)
                cost, pairs = best[row][column]
                options.append((cost + _cost(comparison) - unpaired, (*pairs, Pair(row, column, comparison))))
            best[row + 1][column + 1] = min(options, key=lambda option: option[0])
    return list(best[-1][-1][1])


def _cost(comparison: Comparison) -> int:
    return (int(not comparison.equal) << (2 * _BITS)) + (len(comparison.differences) << _BITS) + len(comparison.coerced)


def _content(arguments: object) -> str:
    return json.dumps(arguments, sort_keys=True)
