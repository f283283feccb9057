"""A person's verdicts on accepted gold, one JSON object a line: what `ablate --golds` wrote, with `right` filled in."""

import json
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from plugineval.pccf.ablations.truth import GoldVerdict
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json

_WORDS: dict[object, bool] = {"right": True, "wrong": False}
_FIELDS = frozenset(GoldVerdict.model_fields)
_EXAMPLE = '{"record": "record-…", "right": true}, or "query" and "target" in place of "record"'


def read_truth(path: Path) -> tuple[GoldVerdict, ...]:
    """The verdicts, one of every line; `ConfigurationError` names the first that is wrong or was left open."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"cannot be read ({error})", field=str(path)) from error
    return tuple(_verdict(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip())


def _verdict(line: str, where: str) -> GoldVerdict:
    try:
        parsed = json.loads(line)
    except ValueError as error:
        raise ConfigurationError(f"is not JSON ({error})", field=where, allowed=(_EXAMPLE,)) from error
    fields: dict[str, Json] = cast("dict[str, Json]", parsed) if isinstance(parsed, dict) else {}
    said = {name: value for name, value in fields.items() if name in _FIELDS}
    word = said.get("right")
    if isinstance(word, str):
        said["right"] = _WORDS.get(word.lower(), word)
    if said.get("record") is None and (said.get("query") is None or said.get("target") is None):
        raise ConfigurationError("says of no gold whether it is right", field=where, allowed=(_EXAMPLE,))
    if word is None or word == "":
        step = "write true or false, or delete the line: the evaluators' verdict stands then"
        raise ConfigurationError(
            "is not answered yet", field=f"{where}: right", allowed=("true", "false"), next_step=step
        )
    try:
        return GoldVerdict.model_validate(said)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"{name}: {first['msg']}", field=where, allowed=(_EXAMPLE,)) from error
