"""Values as they lie in a row: JSON text, written and read in one pass, and the same value again."""

import json
from typing import TypeVar

from pydantic import ValidationError

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Json, Value

V = TypeVar("V", bound=Value)


def to_text(value: Value | Json) -> str:
    """JSON text. Half a surrogate pair and NaN, which models do emit, survive in plain JSON."""
    if isinstance(value, Value):
        return value.model_dump_json()
    return json.dumps(value, separators=(",", ":"))


def from_text(text: str) -> Json:
    """The JSON value of `to_text`."""
    value: Json = json.loads(text)
    return value


def read_value(kind: type[V], text: str, where: str) -> V:
    """The `kind` that was written; `InvalidRecordError` names the row if it no longer has that shape."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InvalidRecordError(
            f"the stored {kind.__name__} cannot be read: {field or 'it'}: {first['msg']}",
            field=where,
            next_step="open it with the version of PluginEval that wrote it",
        ) from error
