"""One `plugineval.toml` as it was read: its tables, and errors that say path, line, key, allowed values, next step.

Only the standard TOML parser runs on the way in; lines are looked up when there is an error to report. No message
repeats a value that may be a secret.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from pydantic import ConfigDict, Field, ValidationError

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.nearest import meant
from plugineval.pccf.values import Json, Value
from plugineval.server.settings.toml_lines import Key, line_of, line_of_syntax_error


class SettingsSource(Value):
    """A parsed settings file."""

    model_config = ConfigDict(hide_input_in_errors=True)

    path: Path
    text: str = Field(repr=False)
    tables: dict[str, Json] = Field(repr=False)

    @property
    def folder(self) -> Path:
        """What relative paths in the file are relative to."""
        return self.path.parent

    def error(
        self, key: Key, problem: str, *, allowed: Iterable[str] = (), next_step: str | None = None
    ) -> ConfigurationError:
        """An error about `key`, or about the table above it where the key is missing."""
        return ConfigurationError(
            problem,
            field=f"{self.path}, line {line_of(self.text, key)}: {spelled(key)}",
            allowed=allowed,
            next_step=next_step,
        )

    def unknown(self, key: Key, allowed: Iterable[str], *, next_step: str | None = None) -> ConfigurationError:
        """An error about a table or key that does not exist; the nearest one that does is offered."""
        names = sorted(allowed)
        problem = f"there is no such key{meant(str(key[-1]), names)}"
        return self.error(key, problem, allowed=names, next_step=next_step)

    def table(self, key: Key, value: Json, *, example: str) -> dict[str, Json]:
        """`value` as a table; `example` shows how one is written."""
        if isinstance(value, dict):
            return value
        raise self.error(key, f"must be a table, not {kind_of(value)}", next_step=f"write {example}")


def spelled(key: Key) -> str:
    """`key` as TOML spells it, array positions in brackets."""
    parts = [f"[{part}]" if isinstance(part, int) else "." + _bare(part) for part in key]
    return "".join(parts).lstrip(".")


def _bare(part: str) -> str:
    return part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else f'"{part}"'


def kind_of(value: Json) -> str:
    """What a TOML value is, in words."""
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a table"}
    return next((words for kind, words in kinds.items() if isinstance(value, kind)), "empty")


def read_source(path: Path) -> SettingsSource:
    """Read and parse `path`; `ConfigurationError` where it cannot be read, is not UTF-8, or is not TOML."""
    return parsed_source(path, text_of(path))


def text_of(path: Path) -> str:
    """The text of `path`; `ConfigurationError` where it cannot be read or is not UTF-8."""
    return _decoded(path, _bytes(path))


def parsed_source(path: Path, text: str) -> SettingsSource:
    """The tables of `text`, which was read from `path`; `ConfigurationError` where it is not TOML."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from error
    try:
        return SettingsSource(path=path, text=text, tables=tables)
    except ValidationError as error:
        raise _not_json(path, text, error.errors()[0]["loc"][1:]) from error


def _not_json(path: Path, text: str, loc: tuple[int | str, ...]) -> ConfigurationError:
    """TOML's dates and times are the only values that are not JSON. Between two parts pydantic names their kind."""
    key: Key = loc[::2]
    where = f"{path}, line {line_of(text, key)}: {spelled(key)}"
    return ConfigurationError("must not be a date or time", field=where, next_step="put the value in quotes")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        problem, step = _why_unreadable(path, error)
        raise ConfigurationError(problem, field=str(path), next_step=step) from error


def _why_unreadable(path: Path, error: OSError) -> tuple[str, str]:
    if isinstance(error, FileNotFoundError):
        return "there is no such file", "correct the path, or run `plugineval init` to write one"
    if path.is_dir():
        return "is a directory, not a settings file", f"name the file itself, such as {path / 'plugineval.toml'}"
    return f"cannot be read ({error.strerror})", "give yourself permission to read it, or name another file"


def _decoded(path: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        encoding = "UTF-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "not UTF-8"
        raise ConfigurationError(
            f"the text is {encoding}; TOML is UTF-8",
            field=f"{path}, line {line}",
            next_step="save the file again as UTF-8",
        ) from error


def _syntax_error(path: Path, text: str, message: str) -> ConfigurationError:
    line = line_of_syntax_error(text, message)
    named = _named_on(text.split("\n")[line - 1])
    reason = re.sub(r" \(at .*\)$", "", message)
    return ConfigurationError(
        f"this is not TOML: {reason}",
        field=f"{path}, line {line}" + (f": {named}" if named else ""),
        next_step=_syntax_advice(reason),
    )


def _named_on(line: str) -> str:
    """The table or key a line is about, without its value."""
    found = re.match(r"""\s*(\[+\s*[\w."' -]+\]*|[\w."'-]+(?=\s*=))""", line)
    return found[1].strip() if found else ""


def _syntax_advice(reason: str) -> str:
    if "hex value" in reason or "Unescaped" in reason:
        return "write text that holds backslashes in single quotes, such as 'C:\\tools\\server.exe'"
    if "overwrite" in reason or "twice" in reason:
        return "keep one of the two"
    if reason == "Invalid value":
        return 'put text in quotes, such as command = "mcp-mathematics"'
    return "mend that line"
