"""Values as JSON text, written and read in one pass, and the same value again.

Models do emit half a surrogate pair. It is no valid UTF-8 but can be escaped in JSON; such a value takes the slow road
through plain JSON, because an answer that was paid for is kept as it is.
"""

import json
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from plugineval.pccf.values import Value

V = TypeVar("V", bound=Value)
_WRITTEN = json.JSONEncoder(separators=(",", ":")).encode


def text_of(value: Value, *, defaults: bool = True) -> str:
    """JSON text; without `defaults`, fields that hold their default are left out."""
    try:
        return value.model_dump_json(exclude_defaults=not defaults)
    except PydanticSerializationError:
        return _WRITTEN(value.model_dump(mode="json", exclude_defaults=not defaults))


def value_of(kind: type[V], text: str) -> V:
    """The `kind` that was written; `ValidationError` or `JSONDecodeError` where it is none."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        if error.errors()[0]["type"] != "json_invalid":
            raise
        return kind.model_validate(json.loads(text))
