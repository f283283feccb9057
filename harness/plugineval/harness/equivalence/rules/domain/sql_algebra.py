"""Equivalent forms of one SQL statement: what may be swapped, dropped or written out without changing the answer.

Only rewritings that hold for every table are made; each is one line of `_REWRITINGS`.
"""

from collections.abc import Callable

from sqlglot import expressions as sql
from sqlglot.expressions import Expr

_MIRRORED: dict[type[Expr], type[Expr]] = {sql.GT: sql.LT, sql.GTE: sql.LTE}
_CHAINS = (sql.And, sql.Or)


def settle(tree: Expr) -> Expr:
    """`tree` with conditions in one order, comparisons in one direction and names without redundant parts."""
    tree = _without_aliases(tree)
    for rewrite in _REWRITINGS:
        tree = tree.transform(rewrite)
    # Innermost first: the place of a condition depends on the order inside it.
    for node in reversed(list(tree.walk(bfs=True))):
        if isinstance(node, _CHAINS) and not isinstance(node.parent, type(node)):
            _order_chain(node)
        elif isinstance(node, sql.EQ | sql.NEQ) and node.find_ancestor(sql.Where, sql.Join, sql.Having):
            _order_sides(node)
        elif isinstance(node, sql.In) and node.expressions:
            node.set("expressions", sorted(node.expressions, key=_text))
    return tree


def _text(node: Expr) -> str:
    return repr(node)


def _order_chain(node: Expr) -> None:
    members = sorted(_members(node, type(node)), key=_text)
    rebuilt: Expr = members[0]
    for member in members[1:]:
        rebuilt = type(node)(this=rebuilt, expression=member)
    node.set("this", rebuilt.this)
    node.set("expression", rebuilt.expression)


def _members(node: Expr, kind: type[Expr]) -> list[Expr]:
    if isinstance(node, kind):
        return [*_members(node.this, kind), *_members(node.expression, kind)]
    if isinstance(node, sql.Paren) and isinstance(node.this, kind):
        return _members(node.this, kind)
    return [node]


def _order_sides(node: Expr) -> None:
    first, second = sorted((node.this, node.expression), key=_text)
    node.set("this", first)
    node.set("expression", second)


def _mirror(node: Expr) -> Expr:
    """`a > b` as `b < a`."""
    mirrored = _MIRRORED.get(type(node))
    return mirrored(this=node.expression, expression=node.this) if mirrored else node


def _plain_join(node: Expr) -> Expr:
    if isinstance(node, sql.Join) and str(node.args.get("kind") or "").upper() == "INNER":
        node.set("kind", None)
    return node


def _ascending(node: Expr) -> Expr:
    if isinstance(node, sql.Ordered) and not node.args.get("desc"):
        node.set("desc", False)
    return node


def _bare_brackets(node: Expr) -> Expr:
    """Brackets around a single comparison or name say nothing."""
    if isinstance(node, sql.Paren) and isinstance(node.this, sql.Column | sql.Literal | sql.Predicate):
        return node.this
    return node


def _without_aliases(tree: Expr) -> Expr:
    """Names of a statement over one table without the table's name or alias in front."""
    tables = list(tree.find_all(sql.Table))
    if len(tables) != 1 or not isinstance(tree, sql.Select):
        return tree
    names = {tables[0].name, tables[0].alias_or_name}
    for column in tree.find_all(sql.Column):
        if column.table in names:
            column.set("table", None)
    tables[0].set("alias", None)
    return tree


_REWRITINGS: tuple[Callable[[Expr], Expr], ...] = (_mirror, _plain_join, _ascending, _bare_brackets)
