"""Calls written in Python, parsed and never executed: names, literals, and the signatures that they are bound to."""

import ast
from typing import NamedTuple, TypeGuard, cast

from plugineval.clients.formats.fields import Refused
from plugineval.pccf.values import Arguments, Json

_ANNOTATIONS = {
    "int": "integer",
    "float": "number",
    "str": "string",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}


class PythonCall(NamedTuple):
    """One call as it is written."""

    name: str
    positional: tuple[Json, ...]
    keywords: Arguments


def call_of(text: str, field: str) -> PythonCall:
    """The one call in `text`, an assignment around it aside; `Refused` for all that is no flat call of literals."""
    try:
        tree = ast.parse(text.strip())
    except (SyntaxError, ValueError) as error:
        raise Refused(field, f"is not Python: {getattr(error, 'msg', error)}") from error
    body = tree.body[0] if len(tree.body) == 1 else None
    found = body.value if isinstance(body, ast.Expr | ast.Assign) else None
    if not isinstance(found, ast.Call):
        raise Refused(field, "is no single call")
    if any(keyword.arg is None for keyword in found.keywords):
        raise Refused(field, "spreads a mapping over its arguments")
    return PythonCall(
        name=ast.unparse(found.func),
        positional=tuple(_literal(each, field) for each in found.args),
        keywords={str(each.arg): _literal(each.value, field) for each in found.keywords},
    )


def bound(call: PythonCall, parameters: list[str], field: str) -> Arguments:
    """The arguments by name."""
    if len(call.positional) > len(parameters):
        raise Refused(field, f"gives {len(call.positional)} arguments by position, and there are {len(parameters)}")
    found = dict(zip(parameters, call.positional, strict=False))
    if twice := found.keys() & call.keywords.keys():
        raise Refused(field, f"gives {sorted(twice)[0]} twice")
    return {**found, **call.keywords}


def schema_of_signature(signature: str, field: str) -> dict[str, Json]:
    """A `def` line as JSON Schema: no default is required, no annotation is no type, a default of None is optional."""
    try:
        body = ast.parse(f"{signature.strip().rstrip(':')}: ...").body[0]
    except (SyntaxError, IndexError, ValueError) as error:
        raise Refused(field, "is no signature of Python") from error
    if not isinstance(body, ast.FunctionDef):
        raise Refused(field, "is no signature of Python")
    names = [*body.args.posonlyargs, *body.args.args, *body.args.kwonlyargs]
    plain = body.args.posonlyargs + body.args.args
    defaults = dict(zip(reversed([each.arg for each in plain]), reversed(body.args.defaults), strict=False))
    defaults |= {
        each.arg: value
        for each, value in zip(body.args.kwonlyargs, body.args.kw_defaults, strict=True)
        if value is not None
    }
    properties: dict[str, Json] = {each.arg: _property(each, defaults.get(each.arg), field) for each in names}
    required: list[Json] = [each.arg for each in names if each.arg not in defaults]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(argument: ast.arg, default: ast.expr | None, field: str) -> Json:
    found: dict[str, Json] = {}
    if argument.annotation is not None:
        kind = ast.unparse(argument.annotation).lower().split("[")[0]
        found |= {"type": _ANNOTATIONS[kind]} if kind in _ANNOTATIONS else {}
    if default is not None:
        value = _literal(default, field)
        # None says that there is no value: the tool's own null would be a type of its own.
        found |= {} if value is None else {"default": value}
    return found


def _literal(node: ast.expr, field: str) -> Json:
    if isinstance(node, ast.Call):
        raise Refused(field, "calls within a call: what the inner one gives is not known")
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise Refused(field, f"{ast.unparse(node)[:60]!r} is no literal") from error
    return _json(value, field)


def _json(value: object, field: str) -> Json:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if _is_list(value):
        return [_json(each, field) for each in value]
    if _is_object(value):
        return {name: _json(each, field) for name, each in value.items()}
    raise Refused(field, f"holds {str(value)[:60]}, which JSON has not")


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict) and all(isinstance(name, str) for name in cast("dict[object, object]", value))


def _is_list(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, list | tuple)
