"""What every domain value of PluginEval is: a frozen record that refuses unknown fields, with a content hash.

Equal content gives an equal hash on every machine, so hashes serve as identities: of tool descriptions that must be
byte-identical across models (B8), of prompts, of benchmark versions, of journal keys.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue

Json: TypeAlias = JsonValue
Arguments: TypeAlias = dict[str, JsonValue]


class Value(BaseModel):
    """A frozen, closed, keyword-only domain value."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings", defer_build=True)

    @classmethod
    def trusted(cls, fields: dict[str, object]) -> Self:
        """The value of `fields`, all of them, which are known to be right: nothing is checked.

        For loops over many rows that turn one checked value into another; `fields` becomes the value's own.
        """
        made = object.__new__(cls)
        _HOLD(made, fields)
        _MARK_SET(made, _all_fields(cls))
        _HOLD_NO_EXTRA(made, None)
        _HOLD_NOTHING_PRIVATE(made, None)
        return made

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy without what was derived from the original: a cached hash would vouch for other content."""
        copied = super().model_copy(update=update, deep=deep)
        held = vars(copied)
        for name in held.keys() - type(self).model_fields.keys():
            del held[name]
        return copied


# The four slots of a model, written without asking its class each time how it is written to.
_HOLD, _MARK_SET, _HOLD_NO_EXTRA, _HOLD_NOTHING_PRIVATE = (
    vars(BaseModel)[slot].__set__
    for slot in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


@cache
def _all_fields(kind: type[Value]) -> set[str]:
    """Shared by all trusted values of a kind: a copy takes a set of its own, and nothing else may change one."""
    return set(kind.model_fields)


def canonical_json(value: object) -> str:
    """Serialise a JSON value (or a `Value`) with sorted keys and no spaces; NaN and infinities are refused."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    return _CANONICAL(value)


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def content_hash(value: object) -> str:
    """The sha256 (64 hex digits) of the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
