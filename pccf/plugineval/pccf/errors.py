"""The one error tree. An exception is a person's mistake or our bug; a failed proposal, attempt or verdict is data.

PluginEvalError                 says which field is wrong, what is allowed, and what to do next
├── ConfigurationError          a setting, a file or a weight that cannot be used
│   └── UnknownNameError        a plugin, tool, model or id that is not registered
│       └── AmbiguousNameError  a name, or the beginning of an id, that several have
├── InvalidSchemaError          a tool's schema is not valid JSON Schema, or refers to something remote
├── InvalidRecordError          a case, label or stored record that does not have the required shape
├── PluginUnavailableError      a plugin that does not start, hangs on start or keeps dying
├── StoreError                  the database cannot be opened or written
└── IncompleteError             work stopped before its end; what was done is kept and can be resumed
"""

from collections.abc import Iterable
from typing import cast

from plugineval.pccf.nearest import meant

LONGEST_NAME = 200


class PluginEvalError(Exception):
    """A mistake that a person can mend: `field`, the `allowed` values and the `next_step` are part of the message."""

    job_id: str | None = None
    """The job that it ended, where it ended one."""
    details: tuple[str, ...] = ()
    """What only a person at a terminal is shown of it, such as words that an untrusted server wrote."""

    def __init__(
        self, problem: str, *, field: str | None = None, allowed: Iterable[str] = (), next_step: str | None = None
    ) -> None:
        self.problem = problem
        self.field = field
        self.allowed = tuple(allowed)
        self.next_step = next_step
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        parts = [f"{self.field}: {self.problem}" if self.field else self.problem]
        if self.allowed:
            parts.append("Allowed: " + ", ".join(self.allowed) + ".")
        if self.next_step:
            parts.append("Next: " + self.next_step)
        return " ".join(part if part.endswith((".", "?", "!")) else part + "." for part in parts)


class ConfigurationError(PluginEvalError):
    """A setting, a file or a weight that cannot be used."""


class UnknownNameError(ConfigurationError):
    """A plugin, tool, model or id that is not registered; the nearest name is offered.

    `alike` are further spellings that may have been meant, such as names where `known` are ids.
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, alike: Iterable[str] = (), next_step: str | None = None
    ) -> None:
        names = sorted(known)
        problem = f"there is no {kind} {quoted(name)}{meant(name, (*alike, *names))}"
        super().__init__(problem, field=kind, allowed=names, next_step=next_step)


class AmbiguousNameError(UnknownNameError):
    """A name, or the beginning of an id, that several have: `known` are those. `means` says how it is theirs."""

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        *,
        means: str = "is the beginning of several ids",
        next_step: str = "give more of the id",
    ) -> None:
        problem = f"{quoted(name)} {means}"
        ConfigurationError.__init__(self, problem, field=kind, allowed=sorted(known), next_step=next_step)


def quoted(name: str) -> str:
    """A name as an error repeats it: what is longer than any name is cut."""
    return repr(name) if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]!r}... ({len(name)} characters)"


class InvalidSchemaError(PluginEvalError):
    """A tool's schema is not valid JSON Schema, or refers to something remote, which is never fetched."""


class InvalidRecordError(PluginEvalError):
    """A case, label or stored record that does not have the required shape."""


class PluginUnavailableError(PluginEvalError):
    """A plugin that does not start, hangs on start, or keeps dying."""


class StoreError(PluginEvalError):
    """The database cannot be opened or written; nothing already stored is lost."""


class IncompleteError(PluginEvalError):
    """Work stopped before its end; everything done so far is kept and can be resumed."""


def mendable(error: BaseException) -> PluginEvalError | None:
    """The error of this tree that `error` is, or that a group of nothing else holds first; None for one of our bugs.

    Task groups wrap whatever happens in them, however deep.
    """
    if isinstance(error, PluginEvalError):
        return error
    if not isinstance(error, BaseExceptionGroup):
        return None
    group = cast("BaseExceptionGroup[BaseException]", error)
    found = [mendable(each) for each in group.exceptions]
    return None if None in found else found[0]


def bug_told(error: BaseException) -> str:
    """What is said of an error that nobody can mend but us: its kind, or that of the first such one of a group."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return bug_told(next(each for each in group.exceptions if mendable(each) is None))
    return f"internal error: {type(error).__name__}"
