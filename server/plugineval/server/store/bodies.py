"""Values as they lie in a row: JSON text; one that no longer has the shape it was written in names its row."""

import json
from typing import TypeVar

from pydantic import ValidationError

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.value_text import text_of, value_of
from plugineval.pccf.values import Json, Value

V = TypeVar("V", bound=Value)
_WRITTEN = json.JSONEncoder(separators=(",", ":")).encode


def to_text(value: Value | Json, *, defaults: bool = True) -> str:
    """JSON text; without `defaults`, fields that hold their default are left out of a value."""
    if not isinstance(value, Value):
        return _WRITTEN(value)
    return text_of(value, defaults=defaults)


def from_text(text: str) -> Json:
    """The JSON value of `to_text`."""
    value: Json = json.loads(text)
    return value


def read_value(kind: type[V], text: str, *where: object) -> V:
    """The `kind` that was written; `InvalidRecordError` names the row if it no longer has that shape.

    `where` are the parts of its name; those that are empty are left out.
    """
    try:
        return value_of(kind, text)
    except (ValidationError, json.JSONDecodeError) as error:
        raise InvalidRecordError(
            f"the stored {kind.__name__} cannot be read: {_words(error)}",
            field="/".join(filter(None, map(str, where))),
            next_step="open it with the version of PluginEval that wrote it",
        ) from error


def _words(error: ValidationError | json.JSONDecodeError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field or 'it'}: {first['msg']}"
