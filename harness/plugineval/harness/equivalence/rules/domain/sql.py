"""SQL: two statements are one when their syntax trees are, up to what SQL itself does not care for (by sqlglot).

Keyword case, white space, the final semicolon, redundant aliases of tables, the order of ANDed and ORed conditions and
the sides of an equality do not matter; the order of columns does. Statements of one shape with other names or numbers
are different; rewritten ones are unsure, because equivalence of queries cannot be decided in general.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.shapes import shapes
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

_LONGEST = 6_000


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two SQL texts: both begin with a verb of SQL, and both parse."""
    if not (isinstance(gold, str) and isinstance(predicted, str)):
        return None
    if not all(Kind.SQL in shapes(text) for text in (gold, predicted)):
        return None
    first, second = _parsed(gold), _parsed(predicted)
    if first is None or second is None:
        # Prose may begin with "select" too; only an argument of SQL settles that it is not.
        sql = Kind.SQL in hints(place) or "sql" in place.context.tool.lower()
        return unsure("sql.unreadable", "SQL that cannot be parsed") if sql else None
    try:
        return _compare(first, second)
    except RecursionError:
        return unsure("sql.depth", "conditions nested too deeply to be compared")


def _compare(gold: "tuple[Expr, ...]", predicted: "tuple[Expr, ...]") -> Ruling:
    if gold == predicted:
        return equal("sql.syntax", "one syntax tree: case of keywords, white space, semicolon")
    first, second = tuple(map(_settled, gold)), tuple(map(_settled, predicted))
    if first == second:
        return equal("sql.algebra", "equal up to the order of conditions and redundant names", semantic=True)
    if len(first) != len(second):
        return unsure("sql.statements", "another number of statements")
    gaps = [gap for pair in zip(first, second, strict=True) for gap in _gaps(*pair)]
    if None not in gaps and not any(_kin(*gap) for gap in gaps if gap):
        return different("sql.names_or_values", "one shape with another name, number or text", semantic=True)
    return unsure("sql.rewritten", "statements of another shape may still mean the same")


@lru_cache(maxsize=512)
def _parsed(text: str) -> "tuple[Expr, ...] | None":
    import sqlglot
    from sqlglot.errors import SqlglotError

    if len(text) > _LONGEST:
        return None
    try:
        statements = sqlglot.parse(text)
    except (SqlglotError, RecursionError):
        return None
    found = tuple(_lower(statement) for statement in statements if statement is not None)
    from sqlglot.expressions import Command

    return found if found and not any(isinstance(statement, Command) for statement in found) else None


def _lower(tree: "Expr") -> "Expr":
    """Unquoted names in lower case, comments dropped."""
    from sqlglot.expressions import Identifier

    for node in tree.walk():
        node.comments = None
        if isinstance(node, Identifier) and not node.args.get("quoted"):
            node.set("this", node.name.lower())
    return tree


def _settled(tree: "Expr") -> "Expr":
    """The tree in one of its equivalent forms."""
    from plugineval.harness.equivalence.rules.domain.sql_algebra import settle

    return settle(tree.copy())


def _gaps(gold: "Expr", predicted: "Expr") -> "list[tuple[Expr, Expr] | None]":
    """Pairs of leaves that differ in trees of one shape; None among them where the shapes differ."""
    from sqlglot.expressions import Identifier, Literal

    first, second = list(gold.walk()), list(predicted.walk())
    if len(first) != len(second):
        return [None]
    gaps: list[tuple[Expr, Expr] | None] = []
    for left, right in zip(first, second, strict=True):
        if type(left) is not type(right) or left.arg_key != right.arg_key:
            gaps.append(None)
        elif isinstance(left, Identifier | Literal) and left != right:
            gaps.append((left, right))
    # Trees that differ elsewhere (DISTINCT, a kind of join) differ in their shape.
    return gaps or [None]


def _kin(gold: "Expr", predicted: "Expr") -> bool:
    """Leaves that may mean the same: alike but for case or quotes."""
    return gold.name.casefold() == predicted.name.casefold()
