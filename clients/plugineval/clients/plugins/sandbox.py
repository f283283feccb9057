"""`[plugins.NAME.sandbox]`: the fixture whose copies a plugin works on, so that what it changes is thrown away.

A copy is called `/sandbox` in everything that models and people see, wherever it lies: a gold call that names a file
is then the same call on every copy and on every machine. It is a copy, not a jail: a server that leaves its working
directory is held by nothing but the rights of the user it runs as.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeAlias, cast

from pydantic import Field, field_validator

from plugineval.pccf.values import Arguments, Json, Value

PLACEHOLDER = "{sandbox}"
"""Stands for the path of the copy in `args`, `env`, `cwd`, `reset` and `cleanup`."""
SHOWN = "/sandbox"
"""What a copy is called in arguments, results and descriptions."""

Argv: TypeAlias = tuple[str, ...]

_SHOWN = re.compile(rf"(?<![\w.~-]){SHOWN}(?![\w.-])")


class Sandbox(Value):
    """Where copies come from, how long one is used, and what is done before and after."""

    fixture: Path = Field(alias="copy")
    """A directory, whose content the copy holds; or one file, such as a database, which lies in the copy."""
    per: Literal["execution", "session"] = "execution"
    """`execution`: each call meets a fresh copy in a fresh process. `session`: a copy lives as long as its process."""
    reset: tuple[Argv, ...] = Field(default=(), repr=False)
    """Commands (one list, or a list of lists) that are run in a fresh copy before its server starts; no shell."""
    cleanup: tuple[Argv, ...] = Field(default=(), repr=False)
    """Commands that are run in a copy after its server has ended."""
    timeout_s: float = Field(default=30.0, gt=0)
    """For each of these commands."""
    copies: int = Field(default=3, ge=1, le=16)
    """How many copies may be in use at once."""
    limit_mb: int = Field(default=256, ge=1)
    """How large the fixture may be, in millions of bytes."""

    @field_validator("reset", "cleanup", mode="before")
    @classmethod
    def _one_command_alone(cls, value: object) -> object:
        if not isinstance(value, list | tuple):
            return value
        found = tuple(cast("Iterable[object]", value))
        if found and all(isinstance(part, str) for part in found):
            return (found,)
        return tuple(tuple(cast("list[object]", part)) if isinstance(part, list) else part for part in found)


def placed(text: str, folder: Path) -> str:
    """`text` of a registration for the copy at `folder`."""
    return text.replace(PLACEHOLDER, str(folder))


def mentions_copy(texts: Iterable[str]) -> bool:
    """Whether one of `texts` stands for something else on every copy."""
    return any(PLACEHOLDER in text for text in texts)


def for_copy(arguments: Arguments, folder: Path) -> Arguments:
    """The arguments as the server of the copy at `folder` needs them: `/sandbox/a.txt` is a file of that copy."""
    return {name: _for_copy(value, str(folder)) for name, value in arguments.items()}


def _for_copy(value: Json, folder: str) -> Json:
    if isinstance(value, str):
        return _SHOWN.sub(lambda _: folder, value) if SHOWN in value else value
    if isinstance(value, list):
        return [_for_copy(item, folder) for item in value]
    if isinstance(value, dict):
        return {name: _for_copy(item, folder) for name, item in value.items()}
    return value
