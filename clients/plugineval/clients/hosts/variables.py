"""How hosts write variables, and how the same is written in our settings: `${NAME}` for the environment, real paths
for folders. A secret becomes a variable too: `Exports` decides which one, so that two secrets never share a name.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path

from plugineval.clients.hosts.names import variable_name
from plugineval.pccf.values import Json

_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_ENVIRONMENT = re.compile(r"(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-.*)?")


class Exports:
    """Variable name -> the secret it stands for, over all plugins of one import."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}
        self._kept: set[str] = set()
        self._own: dict[str, None] = {}

    def reserve(self, names: Iterable[str]) -> None:
        """Variables that entries already refer to: no other secret may take their names."""
        self._held.update((name, f"${{{name}}}") for name in names)

    def keep(self, names: Iterable[str]) -> None:
        """Environment variables of servers: a secret of another kind may not take the name of one."""
        self._kept.update(names)

    def name_for(self, secret: str, *, wanted: str, owner: str, own: bool = False) -> str:
        """`wanted`, or that with the plugin's name before it and a number behind it where another secret has it.

        `own`: `wanted` is the secret's own name as an environment variable, which it keeps if it can.
        """
        shared = self._own if own else self._held
        before = next((name for name in shared if self._held[name] == secret and name.endswith(wanted)), None)
        if before is not None:
            return before
        free = (name for name in _candidates(wanted, owner) if own or name not in self._kept)
        found = next(name for name in free if self._held.setdefault(name, secret) == secret)
        self._own.update({found: None} if own else {})
        return found


def _candidates(wanted: str, owner: str) -> Iterator[str]:
    yield wanted
    longer = variable_name(owner, wanted)
    yield longer
    yield from (f"{longer}_{number}" for number in count(2))


def holds_variable(text: str) -> bool:
    """Whether a host fills in any part of `text`."""
    return bool(_VARIABLE.search(text))


def referred_to(entry: Json) -> Iterator[str]:
    """Environment variables that `entry` names as its host spells them."""
    for text in _texts(entry):
        for found in _VARIABLE.finditer(text):
            known = _ENVIRONMENT.fullmatch(found[1])
            if known and found[1] not in _PLACES:
                yield known[1]


def unportable(entry: Json, *, has_project: bool) -> str | None:
    """The first variable inside `entry` that only its host can fill in, as the host writes it."""
    return next((name for text in _texts(entry) for name in _foreign(text, has_project)), None)


def _foreign(text: str, has_project: bool) -> Iterator[str]:
    for found in _VARIABLE.finditer(text):
        inner = found[1]
        known = inner in _PLACES or inner.startswith("input:") or _ENVIRONMENT.fullmatch(inner)
        if not known or (inner in _PROJECT_PLACES and not has_project):
            yield found[0]


def unfilled(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that hold a reference which a host should have filled in: it did not know them, so they are not set."""
    return tuple(name for name, value in environ.items() if _is_unfilled(name, value))


def _is_unfilled(name: str, value: str) -> bool:
    found = _VARIABLE.fullmatch(value)
    inner = found[1] if found else ""
    return inner.startswith(("env:", "input:", "user_config.")) or inner.partition(":-")[0] == name


def _texts(part: Json) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    children: Iterable[Json] = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for child in children:
        yield from _texts(child)


_PROJECT_PLACES = frozenset({"workspaceFolder", "workspaceFolderBasename"})
_PLACES = _PROJECT_PLACES | {"userHome", "pathSeparator", "/"}


def place(inner: str, *, project: Path | None, home: Path) -> str | None:
    """The folder or separator that `${inner}` stands for, or None where it stands for something else."""
    root = project or home
    places = {
        "workspaceFolder": str(root),
        "workspaceFolderBasename": root.name,
        "userHome": str(home),
        "pathSeparator": os.sep,
        "/": os.sep,
    }
    return places.get(inner)
