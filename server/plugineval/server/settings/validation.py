"""A table of the file becomes a domain value, or an error that names line, key, what was wanted and what is allowed.

TOML has types, so nothing is coerced: a quoted number is a text. Pydantic finds the mistake; its words are replaced
by ours, which never repeat the value.
"""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json
from plugineval.server.settings.source import SettingsSource, kind_of
from plugineval.server.settings.toml_lines import Key, lookup

ModelT = TypeVar("ModelT", bound=BaseModel)

_NO_EXTRAS: Mapping[str, Json] = MappingProxyType({})
_WANTED = {
    "string_type": 'a text in quotes, such as "abc"',
    "path_type": "a path in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": 'a list, such as ["a", "b"]',
    "dict_type": 'a table, such as { KEY = "value" }',
    "model_type": "a table",
    "model_attributes_type": "a table",
}


def validated(
    source: SettingsSource,
    key: Key,
    model: type[ModelT],
    values: Mapping[str, Json],
    implied: Mapping[str, Json] = _NO_EXTRAS,
) -> ModelT:
    """`values` of the table `key` as a `model`; `implied` fields come from the table's name and cannot be written."""
    allowed = [name for name in model.model_fields if name not in implied]
    for name in values:
        if name not in allowed:
            raise source.unknown((*key, name), allowed)
    try:
        return model.model_validate_json(json.dumps({**values, **implied}), strict=True)
    except ValidationError as error:
        raise _translated(source, key, model, error.errors()[0]) from error
    except ConfigurationError as error:
        raise _located(source, key, error) from error


def _translated(source: SettingsSource, key: Key, model: type[BaseModel], found: ErrorDetails) -> ConfigurationError:
    where: Key = (*key, *found["loc"])
    if found["type"] == "extra_forbidden":
        return source.unknown(where, _fields_at(model, found["loc"][:-1]))
    if found["type"] in {"enum", "literal_error"}:
        allowed = re.findall(r"'([^']*)'", str(found.get("ctx", {}).get("expected", "")))
        return source.error(where, "is none of the allowed values", allowed=allowed)
    if found["type"] in {"too_short", "too_long"} or (found["type"] == "missing" and isinstance(where[-1], int)):
        whole = where[:-1] if isinstance(where[-1], int) else where
        return source.error(whole, f"must hold {_length_wanted(found)}")
    if found["type"] == "missing":
        return source.error(where, "is missing", next_step=f"add {where[-1]} to this table")
    wanted = _WANTED.get(found["type"])
    if wanted:
        return source.error(where, f"must be {wanted}, not {kind_of(lookup(source.tables, where)[1])}")
    return source.error(where, found["msg"].replace("Input should be", "must be"))


def _length_wanted(found: ErrorDetails) -> str:
    limits = found.get("ctx", {})
    if "max_length" in limits:
        return f"at most {limits['max_length']} entries"
    return f"at least {limits['min_length']} entry" if "min_length" in limits else "more entries"


def _fields_at(model: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    for part in loc:
        inner = _model_in(model.model_fields[str(part)].annotation)
        model = inner or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: object) -> type[BaseModel] | None:
    """The model of a field, which may also be left out."""
    parts = (annotation, *get_args(annotation))
    return next((part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)), None)


def _located(source: SettingsSource, key: Key, error: ConfigurationError) -> ConfigurationError:
    """A validator of the engine names a field; find the line on which the file sets it."""
    names = (error.field or "").split(", ")
    where = next((found for name in names if (found := _path_to(source, key, name))), key)
    return source.error(where, error.problem, allowed=error.allowed, next_step=error.next_step)


def _path_to(source: SettingsSource, key: Key, name: str) -> Key | None:
    """Where `name`, a field or fields in fields with dots between them, is set in the table `key` or below it."""
    nested: Key = (*key, *name.split("."))
    if lookup(source.tables, nested)[0]:
        return nested
    table = lookup(source.tables, key)[1]
    if not isinstance(table, dict):
        return None
    return next((found for part in table if (found := _path_to(source, (*key, part), name))), None)
