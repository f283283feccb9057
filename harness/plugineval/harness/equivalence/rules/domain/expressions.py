"""Arithmetic written out: one expression up to white space, redundant brackets and the order of sums and products.

Another value at some point proves another function; the same values at all tried points prove nothing. "^" is a power
to people and an exclusive or to Python, "2x" is a product to people only: with these, equal trees are unsure.
"""

import ast
import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain import code
from plugineval.harness.equivalence.rules.domain.arithmetic import canonical, names_of, parse, values
from plugineval.harness.equivalence.rules.domain.hints import hints, says
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"})
_POWERS = {"²": "**2", "³": "**3"}
_IMPLIED = re.compile(r"(?<![A-Za-z_\d.])(\d+(?:\.\d+)?)\s*(?=[A-Za-z_(])|(?<=\))\s*(?=[A-Za-z_\d(])")
_OPERATOR = re.compile(r"[-+*/^×÷·−²³(]|\d[a-z]")
_CARET = re.compile(r"\^")
_LONGEST = 300


class Reading(NamedTuple):
    """A parsed expression and the liberties its notation took with Python's."""

    tree: ast.expr
    liberties: frozenset[str]


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two arithmetic expressions, where the argument is one."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.EXPRESSION not in hints(place):
        return None
    if max(len(gold), len(predicted)) > _LONGEST or not (_OPERATOR.search(gold) or _OPERATOR.search(predicted)):
        return None
    first, second = read(gold), read(predicted)
    if first is None or second is None:
        return code.rule(gold, predicted, place) or unsure(
            "expressions.unreadable", "an expression in a notation that is not arithmetic"
        )
    liberties = first.liberties ^ second.liberties
    if says(place, _CARET):
        liberties -= {"caret"}
    return _compare(first.tree, second.tree, liberties)


@lru_cache(maxsize=2048)
def read(text: str) -> Reading | None:
    """The expression `text` spells; None where it is no arithmetic."""
    plain = text.strip().translate(_SIGNS)
    for sign, power in _POWERS.items():
        plain = plain.replace(sign, power)
    liberties: set[str] = set()
    if "^" in plain:
        liberties.add("caret")
        plain = plain.replace("^", "**")
    spelled = _IMPLIED.sub(r"\1*", plain)
    if spelled != plain:
        liberties.add("implied product")
    tree = parse(spelled)
    return Reading(tree, frozenset(liberties)) if tree is not None else None


def _compare(gold: ast.expr, predicted: ast.expr, liberties: frozenset[str]) -> Ruling:
    same_tree = ast.dump(gold) == ast.dump(predicted)
    if same_tree or canonical(gold) == canonical(predicted):
        if liberties:
            return unsure("expressions.notation", f"equal if the tool reads it so: {', '.join(sorted(liberties))}")
        if same_tree:
            return equal("expressions.syntax", "one syntax tree: white space and redundant brackets")
        return equal("expressions.algebra", "the same operands of a sum or a product in another order", semantic=True)
    if names_of(gold) != names_of(predicted):
        return unsure("expressions.names", "other names: a renamed variable or another function")
    return _by_values(gold, predicted)


def _by_values(gold: ast.expr, predicted: ast.expr) -> Ruling:
    for first, second in zip(values(gold), values(predicted), strict=True):
        if first is None or second is None:
            continue
        if abs(first - second) > 1e-6 * max(1.0, abs(first), abs(second)):
            return different("expressions.values", "another value at the same point", semantic=True)
    return unsure("expressions.values", "other expressions, whose values agree where they were tried")
