"""The settings of a model that can move its answers, for the run record and the report: nothing secret in them."""

from collections.abc import Mapping
from typing import cast

from plugineval.clients.addresses import place_of
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.quirks import Dialect
from plugineval.clients.redaction import BLOT
from plugineval.clients.secret_shapes import looks_secret
from plugineval.pccf.values import Json, content_hash

_ASKED = (
    "api", "call_mode", "tool_choice", "parallel_tool_calls", "strict_tools", "temperature", "max_tokens", "seed",
    "send_seed", "salvage_text_calls",
)  # fmt: skip


def asked_with(config: ModelConfig, dialect: Dialect) -> dict[str, Json]:
    """What changes what a model of this configuration is asked, whichever model and endpoint it is."""
    asked: dict[str, Json] = {name: cast("Json", getattr(config, name)) for name in _ASKED}
    return {**asked, "dialect": dialect.name, "extra_body": content_hash(config.extra_body)[:16]}


def settings_of(config: ModelConfig, dialect: Dialect, base_url: str) -> dict[str, Json]:
    """All that a record says of the model: what it is asked with, its name, its endpoint and its transport."""
    seeded = config.send_seed and config.api == "chat" and dialect.seed is not None
    shown = {name: value for name, value in asked_with(config, dialect).items() if name not in {"send_seed", "seed"}}
    return {
        "model": config.model,
        "endpoint": place_of(base_url),
        **shown,
        "seed": config.seed if seeded else "not sent",
        "temperature": "not sent" if config.temperature is None else config.temperature,
        "stream": config.stream,
        "extra_body": cast("Json", _blotted(config.extra_body)),
    }


def secrets_in_body(body: Json, name: str = "") -> tuple[str, ...]:
    """The texts of an `extra_body` that go by the name of a key or look like one."""
    if isinstance(body, dict):
        return tuple(found for key, value in body.items() for found in secrets_in_body(value, key))
    if isinstance(body, list):
        return tuple(found for item in body for found in secrets_in_body(item, name))
    return (body,) if isinstance(body, str) and looks_secret(name, body) else ()


def _blotted(body: Mapping[str, Json]) -> dict[str, Json]:
    return {name: _blotted_value(name, value) for name, value in body.items()}


def _blotted_value(name: str, value: Json) -> Json:
    if isinstance(value, dict):
        return _blotted(value)
    if isinstance(value, list):
        return [_blotted_value(name, item) for item in value]
    return BLOT if isinstance(value, str) and looks_secret(name, value) else value
