"""`NAME=FILE`: a variant of the descriptions as a person writes it down, in TOML or JSON: tool -> description."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

from plugineval.harness.variants import DescriptionVariant
from plugineval.pccf.errors import ConfigurationError

_FORM = 'a table such as "server.tool" = "The new description"'


def read_variants(written: Iterable[str]) -> tuple[DescriptionVariant, ...]:
    """The variants, in their order; `ConfigurationError` says what is wrong with which."""
    return tuple(read_variant(each) for each in written)


def read_variant(written: str) -> DescriptionVariant:
    """One variant; names of tools that hold dots may be written as tables."""
    name, separator, file = written.partition("=")
    if not (separator and name.strip() and file.strip()):
        raise ConfigurationError(f"{written!r} is not NAME=FILE", field="variant", allowed=("NAME=FILE",))
    path, field = Path(file.strip()), f"variant {name.strip()}"
    descriptions = dict(_flat(_document(path, field), "", f"{field}, {path}"))
    if not descriptions:
        raise ConfigurationError("describes no tool", field=f"{field}, {path}", allowed=(_FORM,))
    return DescriptionVariant(name=name.strip(), descriptions=descriptions)


def _document(path: Path, field: str) -> Mapping[str, object]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        problem = f"{path} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise ConfigurationError(problem, field=field, allowed=("a .toml or .json file",)) from error
    read = json.loads if path.suffix.lower() == ".json" else tomllib.loads
    try:
        found: object = read(text)
    except ValueError as error:
        raise ConfigurationError(f"{path} cannot be read: {error}", field=field, allowed=(_FORM,)) from error
    if not isinstance(found, Mapping):
        raise ConfigurationError(f"{path} holds no object", field=field, allowed=(_FORM,))
    return cast("Mapping[str, object]", found)


def _flat(table: Mapping[str, object], above: str, where: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        name = f"{above}{key}"
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, Mapping):
            yield from _flat(cast("Mapping[str, object]", value), f"{name}.", where)
        else:
            problem = f"the description of {name!r} is a {type(value).__name__}, not a text"
            raise ConfigurationError(problem, field=where, allowed=(_FORM,))
