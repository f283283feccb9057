"""Values as they lie in a row: JSON text, written and read in one pass, and the same value again.

Models do emit half a surrogate pair. It is no valid UTF-8 but can be escaped in JSON; such a value takes the slow
road through plain JSON, because an answer that was paid for is kept as it is.
"""

import json
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Json, Value

V = TypeVar("V", bound=Value)


def to_text(value: Value | Json, *, defaults: bool = True) -> str:
    """JSON text; without `defaults`, fields that hold their default are left out of a value."""
    if not isinstance(value, Value):
        return json.dumps(value, separators=(",", ":"))
    try:
        return value.model_dump_json(exclude_defaults=not defaults)
    except PydanticSerializationError:
        return json.dumps(value.model_dump(mode="json", exclude_defaults=not defaults), separators=(",", ":"))


def from_text(text: str) -> Json:
    """The JSON value of `to_text`."""
    value: Json = json.loads(text)
    return value


def read_value(kind: type[V], text: str, where: str) -> V:
    """The `kind` that was written; `InvalidRecordError` names the row if it no longer has that shape."""
    try:
        return _read(kind, text)
    except (ValidationError, json.JSONDecodeError) as error:
        raise InvalidRecordError(
            f"the stored {kind.__name__} cannot be read: {_words(error)}",
            field=where,
            next_step="open it with the version of PluginEval that wrote it",
        ) from error


def _read(kind: type[V], text: str) -> V:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        if error.errors()[0]["type"] != "json_invalid":
            raise
        return kind.model_validate(json.loads(text))


def _words(error: ValidationError | json.JSONDecodeError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field or 'it'}: {first['msg']}"
