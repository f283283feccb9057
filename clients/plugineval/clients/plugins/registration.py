"""What a person wrote down about a plugin: how it is started or reached, and what may be executed on it.

Only registered plugins exist for an agent: it selects a name and never supplies a command line.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, SecretStr, model_validator

from plugineval.clients.addresses import secrets_in
from plugineval.clients.plugins.look import Look
from plugineval.clients.plugins.sandbox import Sandbox, mentions_copy
from plugineval.clients.secret_shapes import looks_secret
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value


class ExecutionPolicy(StrEnum):
    """Which tools of a plugin may be executed during construction."""

    READ_ONLY = "read_only"
    """Tools that are known to be read-only: by our own list of verbs; a plugin's hint may only tighten it."""
    SANDBOXED = "sandboxed"
    """All tools, on a copy of the fixture that `sandbox` names; without one, the person declares that this process
    and its data are a throw-away copy."""
    ASK = "ask"
    """All tools, each of them once a person has confirmed it for the job that wants to: at the command line, through a
    client that can ask, or with `plugineval approve`."""
    NEVER = "never"
    """None."""


class PluginRegistration(Value):
    """One plugin: a `command` for stdio or a `url` for streamable HTTP."""

    model_config = ConfigDict(hide_input_in_errors=True)

    name: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    command: str | None = None
    args: tuple[str, ...] = Field(default=(), repr=False)
    env: dict[str, SecretStr] = {}
    """Given to the child on top of the allow-list; values are secrets and never appear in a trace."""
    cwd: Path | None = None
    """None: an own empty directory below the home of PluginEval."""
    url: str | None = Field(default=None, repr=False)
    headers: dict[str, SecretStr] = {}
    policy: ExecutionPolicy = ExecutionPolicy.READ_ONLY
    tools: dict[str, ExecutionPolicy] = {}
    """Tool name -> policy, where it differs from the plugin's."""
    exclude: tuple[str, ...] = ()
    """Names of tools that are left out of the snapshot: never offered, never executed."""
    allow_empty: tuple[str, ...] = ()
    """Names of tools whose empty result is a valid response."""
    moving: tuple[str, ...] = ()
    """Names of tools whose results differ each time: nothing is executed twice to find that out, nor compared."""
    look: tuple[Look, ...] = ()
    """Calls that show a query writer what the server holds, beside those of tools that only read and need nothing."""
    sandbox: Sandbox | None = None
    """What its process works on instead of the real data."""
    approve: Literal["changes", "always"] = "changes"
    """`changes`: a list of tools that is not the one that was approved is approved again by a person before anything
    is executed. `always`: whatever the server lists counts as approved, for servers whose tools differ by start."""
    start_timeout_s: float = Field(default=30.0, gt=0)
    call_timeout_s: float = Field(default=30.0, gt=0)
    output_cap_bytes: int = Field(default=262_144, gt=0)

    @model_validator(mode="after")
    def _one_way_to_reach_it(self) -> "PluginRegistration":
        if (self.command is None) == (self.url is None):
            raise ConfigurationError(
                "needs either a command (stdio) or a url (streamable HTTP)",
                field=f"plugins.{self.name}",
                allowed=("command", "url"),
            )
        return self

    @model_validator(mode="after")
    def _copies_where_there_is_a_fixture(self) -> "PluginRegistration":
        if self.sandbox is not None and self.url is not None:
            problem = "a server that is reached by url cannot be given a copy of a fixture"
            raise ConfigurationError(
                problem, field="sandbox", next_step="register the command that starts it, or leave the sandbox out"
            )
        for name, texts in (("args", self.args), ("env", self._env_texts), ("cwd", (str(self.cwd),))):
            if self.sandbox is None and mentions_copy(texts):
                raise ConfigurationError(
                    "{sandbox} stands for the copy of a fixture, and none is named",
                    field=name,
                    next_step=f'write [plugins.{self.name}.sandbox] with copy = "FOLDER_OR_FILE"',
                )
        return self

    @property
    def _env_texts(self) -> list[str]:
        return [value.get_secret_value() for value in self.env.values()]

    @property
    def secrets(self) -> tuple[SecretStr, ...]:
        """Everything of it that nobody else may learn: its variables and headers, and what in its address and its
        arguments goes by the name of a key or looks like one.
        """
        given = [*self.env.values(), *self.headers.values()]
        return (*given, *map(SecretStr, (*secrets_in(self.url or ""), *self._in_commands)))

    @property
    def shows_secrets(self) -> bool:
        """Whether the list of processes shows one."""
        return bool(self._in_commands)

    @property
    def _in_commands(self) -> list[str]:
        commands = () if self.sandbox is None else (*self.sandbox.reset, *self.sandbox.cleanup)
        return [found for argv in (self.args, *commands) for found in _in_argv(argv)]

    @property
    def field(self) -> str:
        """Where a person finds it in the configuration."""
        return f"plugins.{self.name}"


def _in_argv(argv: Sequence[str]) -> Iterator[str]:
    """`KEY` of `--token KEY`, `--token=KEY` and of a word that looks like a key; the password of an address."""
    flag = ""
    for word in argv:
        name, told, value = word.partition("=")
        if not told or "://" in name:
            name, value = flag, word
        if looks_secret(name.lstrip("-"), value):
            yield value
        yield from secrets_in(value)
        flag = word if word.startswith("-") else ""
