"""Carries the texts of one server entry over into settings: host variables are rewritten, secrets are left behind.

A secret is replaced by `${NAME}`, and NAME is listed to be exported. It is looked for where people put them: in
environment values, headers, flags, and the user part, path and query of addresses.
"""

import re
from pathlib import Path

from plugineval.clients.hosts.names import variable_name
from plugineval.clients.hosts.variables import Exports, holds_variable, place
from plugineval.clients.secret_shapes import looks_random, looks_secret

_ASSIGNED = re.compile(r"(?P<lead>-{0,2}(?P<name>[A-Za-z_][\w-]*)(?:=|:\s*))(?P<value>.+)", re.DOTALL)
_SCHEME = re.compile(r"((?:Bearer|Basic|Token)\s+)(\S.*)", re.IGNORECASE)
_PASSWORD = re.compile(r"(://[^/\s:@]*:)([^/\s@]+)(?=@)")
_SEGMENT = re.compile(r"(/)([^/?#]+)")
_PARAMETER = re.compile(r"([?&]([^=&#]+)=)([^&#]+)")


class Carrier:
    """One entry on its way; `to_export` fills up as texts pass."""

    def __init__(self, *, owner: str, project: Path | None, home: Path, exports: Exports) -> None:
        self._owner = owner
        self._project = project
        self._home = home
        self._exports = exports
        self._to_export: dict[str, None] = {}
        self.asked_for: list[str] = []
        """Ids of the inputs that the host would have asked the person for."""

    @property
    def to_export(self) -> tuple[str, ...]:
        """Variables that the carried texts refer to, in order."""
        return tuple(self._to_export)

    def text(self, text: str, *, wanted: str | None = None, own: bool = False) -> str:
        """`text` with the host's variables in our spelling; `wanted` names the variable for an input of the host."""
        return re.sub(r"\$\{([^}]*)\}", lambda found: self._variable(found[1], wanted, own=own), text)

    def variable(self, name: str, value: str) -> str:
        """The value of the environment variable `name`; a secret in it keeps that name."""
        return self.setting(name, value, wanted=name, own=True)

    def setting(self, name: str, value: str, *, wanted: str, own: bool = False) -> str:
        """The value of a header or argument called `name`; `wanted` names the variable of a secret in it."""
        if holds_variable(value):
            return self.text(value, wanted=wanted, own=own)
        if not looks_secret(name, value):
            return self.address(value) if "://" in value else value
        if "://" in value and (safe := self.address(value)) != value:
            return safe
        scheme = _SCHEME.fullmatch(value)
        if scheme:
            return f"{scheme[1]}{self._secret(scheme[2], wanted, own=own)}"
        return self._secret(value, wanted, own=own)

    def arguments(self, arguments: list[str]) -> list[str]:
        """Command-line arguments; a value may be told to be secret by the flag before it."""
        flags = ["", *(arg if arg.startswith("-") and "=" not in arg else "" for arg in arguments)]
        return [self._argument(flag, arg) for flag, arg in zip(flags, arguments, strict=False)]

    def address(self, address: str) -> str:
        """An address without the password, path segment or query value that is a secret."""
        if holds_variable(address):
            return self.text(address)
        safe = _PASSWORD.sub(lambda found: found[1] + self._secret(found[2], self._named("password")), address)
        start = safe.find("://") + 3
        path = _SEGMENT.sub(self._segment, safe[start:])
        return safe[:start] + _PARAMETER.sub(self._parameter, path)

    def _argument(self, flag: str, argument: str) -> str:
        if holds_variable(argument):
            return self.text(argument)
        assigned = _ASSIGNED.fullmatch(argument)
        if assigned and not assigned["value"].startswith("//"):
            name = assigned["name"]
            return assigned["lead"] + self.setting(name, assigned["value"], wanted=self._named(name))
        if argument.startswith("-"):
            return argument
        name = flag.lstrip("-")
        return self.setting(name, argument, wanted=self._named(name or "secret"))

    def _segment(self, found: re.Match[str]) -> str:
        return found[1] + self._secret(found[2], self._named("key")) if looks_random(found[2]) else found[0]

    def _parameter(self, found: re.Match[str]) -> str:
        if not looks_secret(found[2], found[3]):
            return found[0]
        return found[1] + self._secret(found[3], self._named(found[2]))

    def _named(self, what: str) -> str:
        return what if re.fullmatch(r"[A-Z][A-Z0-9_]*", what) else variable_name(self._owner, what)

    def _secret(self, secret: str, wanted: str, *, own: bool = False) -> str:
        return self._reference(self._exports.name_for(secret, wanted=wanted, owner=self._owner, own=own))

    def _variable(self, inner: str, wanted: str | None, *, own: bool) -> str:
        known = place(inner, project=self._project, home=self._home)
        if known is not None:
            return known
        if inner.startswith("input:"):
            asked = inner.removeprefix("input:")
            self.asked_for.append(asked)
            return self._secret(f"${{{inner}}}", wanted or variable_name(asked), own=own)
        name, has_default, otherwise = inner.removeprefix("env:").partition(":-")
        if has_default:
            return f"${{{name}:-{otherwise}}}"
        return self._reference(name)

    def _reference(self, name: str) -> str:
        self._to_export[name] = None
        return f"${{{name}}}"
