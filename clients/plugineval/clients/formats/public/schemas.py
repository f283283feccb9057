"""Parameter schemas of BFCL and its relatives as JSON Schema: Python's type names, and what is no keyword, mended."""

from plugineval.clients.formats.fields import Refused, items, mapping, one_of, text
from plugineval.pccf.values import Json

_TYPES: dict[str, str | None] = {
    "dict": "object", "float": "number", "tuple": "array", "any": None, "list": "array", "int": "integer",
    "str": "string", "bool": "boolean", "object": "object", "number": "number", "array": "array",
    "integer": "integer", "string": "string", "boolean": "boolean", "null": "null",
}  # fmt: skip
_NAMED = ("properties", "$defs", "definitions", "patternProperties")


def tools_of(value: Json, field: str) -> list[Json]:
    """Functions as this package reads tools. Names stay as they are: models are offered safe ones where they must."""
    functions = [value] if isinstance(value, dict) else items(value, field)
    return [_tool(mapping(each, f"{field}[{n}]"), f"{field}[{n}]") for n, each in enumerate(functions)]


def _tool(function: dict[str, Json], field: str) -> Json:
    _, schema = one_of(
        function, ("parameters", "arguments", "inputSchema", "input_schema"), field=f"{field}.parameters"
    )
    return {
        "name": text(function.get("name"), f"{field}.name"),
        "description": text(function.get("description"), f"{field}.description", default=""),
        "input_schema": schema_of({"type": "object"} if schema is None else schema, f"{field}.parameters"),
    }


def schema_of(value: Json, field: str) -> Json:
    """A schema, all the way down; `Refused` for a type of another language."""
    if not isinstance(value, dict):
        return value
    found: dict[str, Json] = {}
    for name, each in value.items():
        if name == "type":
            found |= _type(each, field)
        elif name in _NAMED and isinstance(each, dict):
            found[name] = {key: schema_of(sub, f"{field}.{key}") for key, sub in each.items()}
        elif name in {"items", "additionalProperties"}:
            found[name] = schema_of(each, f"{field}.{name}")
        elif name in {"anyOf", "oneOf", "allOf"} and isinstance(each, list):
            found[name] = [schema_of(sub, field) for sub in each]
        elif not _no_keyword(name, each):
            found[name] = each
    return found


def _no_keyword(name: str, value: Json) -> bool:
    """`optional` is none, and `required` on a single property is a flag of another format."""
    return name == "optional" or (name == "required" and not isinstance(value, list))


def _type(value: Json, field: str) -> dict[str, Json]:
    if isinstance(value, list):
        kinds: list[Json] = [_known(each, field) for each in value]
        return {} if None in kinds else {"type": kinds}
    kind = _known(value, field)
    return {} if kind is None else {"type": kind}


def _known(value: Json, field: str) -> str | None:
    if not isinstance(value, str) or value not in _TYPES:
        raise Refused(field, f"{value!r} is no type of JSON Schema or of Python")
    return _TYPES[value]
