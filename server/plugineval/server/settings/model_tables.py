"""`[models.NAME]`: where a model answers, or which file plays a recorded one.

A key lives in the environment and is never accepted in the settings.
"""

import re
from collections.abc import Mapping

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.recorded.config import RecordedConfig, recorded_id
from plugineval.clients.secret_shapes import looks_secret
from plugineval.pccf.values import Json, Value
from plugineval.server.settings.addresses import checked_address
from plugineval.server.settings.references import expand, holds_reference
from plugineval.server.settings.settings import Unready
from plugineval.server.settings.source import SettingsSource, spelled
from plugineval.server.settings.toml_lines import Key, line_of
from plugineval.server.settings.validation import validated

_EXAMPLE = '[models.fast] with base_url, model and api_key_env = "MY_KEY"'
_RESERVED = re.compile(r"^(agent$|sampling$|baseline:|openai:|recorded:)")
_REFERRING = frozenset({"base_url", "headers", "extra_body"})
"""Where `${NAME}` may stand."""
_KEY_FIELDS = ("api_key", "apikey", "api-key", "key", "token")


class _RecordedTable(Value):
    recorded: str
    model: str | None = None


def read_model(
    source: SettingsSource, name: str, value: Json, environ: Mapping[str, str]
) -> ModelConfig | RecordedConfig | Unready:
    """One model's table, or what it waits for; `ConfigurationError` for every mistake in it."""
    key: Key = ("models", name)
    table = source.table(key, value, example=_EXAMPLE)
    _check_name(source, key, name)
    if "recorded" in table:
        said = validated(source, key, _RecordedTable, table)
        path = (source.folder / said.recorded).absolute()
        return RecordedConfig(id=recorded_id(name), path=path, model=said.model)
    _refuse_keys(source, key, table)
    referring: dict[str, Json] = {field: table[field] for field in table if field in _REFERRING}
    expanded, missing = expand(referring, environ)
    model = validated(source, key, ModelConfig, {**table, **expanded}, {"id": name})
    _check_key_variable(source, (*key, "api_key_env"), model.api_key_env)
    if missing:
        where = f"{source.path}, line {line_of(source.text, key)}: {spelled(key)}"
        return Unready(kind="model", name=name, variables=missing, where=where)
    if model.base_url is not None:
        checked_address(source, (*key, "base_url"), model.base_url)
    return model


def _check_name(source: SettingsSource, key: Key, name: str) -> None:
    if _RESERVED.match(name):
        raise source.error(key, "this name is taken by a built-in kind of model", next_step="choose another name")


def _refuse_keys(source: SettingsSource, key: Key, table: Mapping[str, Json]) -> None:
    for field in _KEY_FIELDS:
        if field in table:
            raise _literal_key(source, (*key, field))
    headers = table.get("headers")
    for header, value in (headers if isinstance(headers, dict) else {}).items():
        if isinstance(value, str) and not holds_reference(value) and looks_secret(header, value):
            step = f'write {header} = "Bearer ${{MY_KEY}}" and export MY_KEY in the environment'
            raise source.error((*key, "headers", header), "a key must not be written into the file", next_step=step)


def _check_key_variable(source: SettingsSource, key: Key, variable: str | None) -> None:
    if variable is None:
        return
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable) or looks_secret("", variable):
        raise _literal_key(source, key)


def _literal_key(source: SettingsSource, key: Key) -> Exception:
    return source.error(
        key,
        "a key must not be written into the file",
        allowed=("api_key_env",),
        next_step='write api_key_env = "MY_KEY", the name of the environment variable, and export MY_KEY',
    )
