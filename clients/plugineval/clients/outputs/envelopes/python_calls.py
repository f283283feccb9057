"""Calls written as Python, like `[weather(city="Oslo"), convert(amount=3)]`: parsed, never evaluated.

Arguments must be literals given by keyword; anything else keeps the call with its arguments unread.
"""

import ast
import re
import warnings

from plugineval.clients.outputs.arguments import read_arguments
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Json

_LONGEST = 50_000
_BEGINS_A_CALL = re.compile(r"[A-Za-z_][\w.]*[ \t]*\(")
_CONSTANTS: dict[str, Json] = {"true": True, "false": False, "null": None}


class _NotLiteral(ValueError):
    """An expression that would have to be evaluated."""


def python_calls(text: str) -> list[EmittedCall]:
    """The calls that `text` consists of; empty where it is no Python, or anything but calls."""
    code = text.strip().replace("\r\n", "\n").replace("\r", "\n")
    if len(code) > _LONGEST or not _BEGINS_A_CALL.match(code.lstrip("[ \t\n")):
        return []
    tree = _parsed(code)
    statements = tree.body if tree else []
    if not all(isinstance(statement, ast.Expr) for statement in statements):
        return []
    lines = code.encode("utf-8", "surrogatepass").split(b"\n")
    nodes = [node for statement in statements if isinstance(statement, ast.Expr) for node in _listed(statement.value)]
    calls = [_call(node, _source(node, lines)) for node in nodes]
    return [] if None in calls else [call for call in calls if call is not None]


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            # Doubtful escapes in a model's text are no business of the person who runs this.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _listed(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple):
        return node.elts
    printed = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    return node.args if printed and isinstance(node, ast.Call) and node.args else [node]


def _source(node: ast.expr, lines: list[bytes]) -> str:
    """The words of `node`, verbatim."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    piece = b"\n".join(lines[first : last + 1])
    cut = len(lines[last]) - (node.end_col_offset or 0)
    return piece[node.col_offset : len(piece) - cut].decode("utf-8", "replace")


def _call(node: ast.expr, source: str) -> EmittedCall | None:
    name = _dotted(node.func) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or name is None:
        return None
    name = name.removeprefix("default_api.")
    try:
        arguments = _arguments(node)
    except (_NotLiteral, RecursionError) as error:
        problem = f"arguments are not literals: {error}"
        return EmittedCall(name=name, arguments=None, raw_arguments=source, problem=problem)
    read = read_arguments(arguments, as_object=True)
    return EmittedCall(name=name, arguments=read.arguments, raw_arguments=source, problem=read.problem)


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    owner = _dotted(node.value) if isinstance(node, ast.Attribute) else None
    return f"{owner}.{node.attr}" if isinstance(node, ast.Attribute) and owner else None


def _arguments(node: ast.Call) -> dict[str, Json]:
    if node.args:
        raise _NotLiteral("they are given by position")
    if any(keyword.arg is None for keyword in node.keywords):
        raise _NotLiteral("they are unpacked from something else")
    return {str(keyword.arg): _literal(keyword.value) for keyword in node.keywords}


def _literal(node: ast.expr) -> Json:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool | None):
        return node.value
    if isinstance(node, ast.Name) and node.id in _CONSTANTS:
        return _CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return _signed(node)
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return _object(node)
    raise _NotLiteral(f"an expression ({type(node).__name__}) would have to be evaluated")


def _signed(node: ast.UnaryOp) -> Json:
    value = _literal(node.operand)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _NotLiteral("a sign stands before what is no number")
    return -value if isinstance(node.op, ast.USub) else value


def _object(node: ast.Dict) -> dict[str, Json]:
    keys = [_literal(key) if key is not None else None for key in node.keys]
    names = [key for key in keys if isinstance(key, str)]
    if len(names) < len(keys) or len(set(names)) < len(names):
        raise _NotLiteral("an object needs distinct texts as keys")
    return {name: _literal(value) for name, value in zip(names, node.values, strict=True)}
