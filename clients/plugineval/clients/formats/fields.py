"""Reading single fields of a loosely typed record; whatever does not fit is refused with the field's name."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeVar

from plugineval.pccf.values import Json

E = TypeVar("E", bound=StrEnum)


class Refused(Exception):
    """A record that cannot be used: the field and what is wrong with it."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


def one_of(record: Mapping[str, Json], names: Iterable[str], *, field: str) -> tuple[str, Json]:
    """The one of `names` that `record` holds and its value (`field`, None where it holds none)."""
    found = [name for name in names if record.get(name) is not None]
    if len(found) > 1:
        raise Refused(field, f"is given twice, as {found[0]!r} and as {found[1]!r}")
    return (found[0], record[found[0]]) if found else (field, None)


def text(value: Json, field: str, *, default: str | None = None) -> str:
    """A text; `default` stands for a value that is absent."""
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise Refused(field, "is missing" if value is None else f"must be a text, not {kind_of(value)}")
    return value


def optional_text(value: Json, field: str) -> str | None:
    """A text, or None where there is none."""
    return None if value is None else text(value, field)


def items(value: Json, field: str) -> list[Json]:
    """A list; empty where the value is absent."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise Refused(field, f"must be a list, not {kind_of(value)}")
    return value


def mapping(value: Json, field: str) -> dict[str, Json]:
    """An object."""
    if not isinstance(value, dict):
        raise Refused(field, "is missing" if value is None else f"must be an object, not {kind_of(value)}")
    return value


def flag(value: Json, field: str) -> bool:
    """True or false; false where the value is absent."""
    if value is None:
        return False
    if not isinstance(value, bool):
        raise Refused(field, f"must be true or false, not {kind_of(value)}")
    return value


def choice(value: Json, kind: type[E], field: str) -> E | None:
    """A member of `kind` by its value, or None where there is none."""
    if value is None:
        return None
    try:
        return kind(value if isinstance(value, str) else "")
    except ValueError as error:
        allowed = ", ".join(member.value for member in kind)
        raise Refused(field, f"{value!r} is not one of {allowed}") from error


def kind_of(value: Json) -> str:
    """The JSON type of `value`, with its article."""
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if value is None:
        return "null"
    return "a text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"
