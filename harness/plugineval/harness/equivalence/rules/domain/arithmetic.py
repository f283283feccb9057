"""Arithmetic as syntax: parsed by Python's own parser, never evaluated as code.

Numbers, names, + - * / % // **, unary signs and calls of a short list of functions; everything else is refused.
"""

import ast
import cmath
import math
import operator
import warnings
from collections.abc import Callable, Mapping
from typing import TypeAlias

Operation: TypeAlias = Callable[[complex, complex], complex]
_LARGEST_EXPONENT = 64
_OPERATIONS: dict[type[ast.operator], Operation] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: left / right,
}
_REAL_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Mod: lambda left, right: left % right,
    ast.FloorDiv: lambda left, right: left // right,
}
_FUNCTIONS: dict[str, Callable[[complex], complex]] = {
    "sin": cmath.sin,
    "cos": cmath.cos,
    "tan": cmath.tan,
    "exp": cmath.exp,
    "sqrt": cmath.sqrt,
    "abs": abs,
    "ln": cmath.log,
}
_CONSTANTS = {"pi": math.pi, "e": math.e}
_POINTS = (0.37, 1.61, 2.9, 5.3)


def parse(text: str) -> ast.expr | None:
    """The tree of an arithmetic expression; None for anything else."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, mode="eval").body
        return tree if _arithmetic(tree) else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _arithmetic(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return not isinstance(node.value, bool)
        case ast.Name():
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _arithmetic(operand)
        case ast.BinOp(left=left, op=op, right=right):
            known = isinstance(op, ast.Pow) or type(op) in _OPERATIONS or type(op) in _REAL_OPERATIONS
            return known and _arithmetic(left) and _arithmetic(right)
        case ast.Call(func=ast.Name() | ast.Attribute(value=ast.Name()), args=args, keywords=[]):
            return all(map(_arithmetic, args))
        case _:
            return False


def canonical(node: ast.expr) -> str:
    """One spelling for all orders of the operands of sums and products; a difference is a sum with a negated part."""
    match node:
        case ast.BinOp():
            return _operation(node)
        case ast.UnaryOp(op=op, operand=operand):
            return f"minus({canonical(operand)})" if isinstance(op, ast.USub) else canonical(operand)
        case ast.Constant(value=int() | float() as value):
            return str(int(value)) if abs(value) < 1e15 and float(value).is_integer() else repr(value)
        case ast.Call(func=func, args=args):
            return f"{ast.unparse(func)}({', '.join(map(canonical, args))})"
        case _:
            return ast.unparse(node)


def _operation(node: ast.BinOp) -> str:
    if isinstance(node.op, ast.Add | ast.Sub):
        return f"sum({', '.join(sorted(_terms(node)))})"
    if isinstance(node.op, ast.Mult):
        return f"product({', '.join(sorted(_factors(node)))})"
    return f"{type(node.op).__name__}({canonical(node.left)}, {canonical(node.right)})"


def _terms(node: ast.expr, *, negated: bool = False) -> list[str]:
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_terms(left, negated=negated), *_terms(right, negated=negated)]
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return [*_terms(left, negated=negated), *_terms(right, negated=not negated)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _terms(operand, negated=not negated)
        case _:
            return [f"minus({canonical(node)})" if negated else canonical(node)]


def _factors(node: ast.expr) -> list[str]:
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return [*_factors(left), *_factors(right)]
        case _:
            return [canonical(node)]


def names_of(tree: ast.expr) -> frozenset[str]:
    """The variables, constants and functions that an expression names."""
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def values(tree: ast.expr) -> list[complex | None]:
    """The values at a few fixed points; None where there is none (a pole, an unknown function, a huge power)."""
    names = sorted(names_of(tree) - _CONSTANTS.keys() - _FUNCTIONS.keys())
    scopes = ({**_CONSTANTS, **{name: point + 0.21 * i for i, name in enumerate(names)}} for point in _POINTS)
    return [_guarded(tree, scope) for scope in scopes]


def _guarded(tree: ast.expr, scope: Mapping[str, float]) -> complex | None:
    try:
        found = _value(tree, scope)
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return None
    return found if cmath.isfinite(found) else None


def _value(node: ast.expr, scope: Mapping[str, float]) -> complex:
    match node:
        case ast.Constant(value=int() | float() as number):
            return complex(number)
        case ast.Name(id=name):
            return complex(scope[name])
        case ast.UnaryOp(op=op, operand=operand):
            return -_value(operand, scope) if isinstance(op, ast.USub) else _value(operand, scope)
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, _value(left, scope), _value(right, scope))
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[argument]):
            return _FUNCTIONS[name](_value(argument, scope))
        case _:
            raise KeyError(ast.dump(node))


def _binary(op: ast.operator, left: complex, right: complex) -> complex:
    if isinstance(op, ast.Pow):
        if abs(right) > _LARGEST_EXPONENT:
            raise OverflowError
        return left**right
    if type(op) in _OPERATIONS:
        return _OPERATIONS[type(op)](left, right)
    return complex(_REAL_OPERATIONS[type(op)](left.real, right.real))
