"""Addresses in the settings: http or https with a host for servers, SQLite or PostgreSQL for the store."""

import re

from pydantic import AnyHttpUrl, TypeAdapter, ValidationError

from plugineval.server.settings.source import SettingsSource
from plugineval.server.settings.toml_lines import Key

_HTTP = TypeAdapter(AnyHttpUrl)
_STORE = re.compile(r"^(sqlite|postgresql)(\+[a-z0-9]+)?://")


def checked_address(source: SettingsSource, key: Key, address: str) -> None:
    """Raise a `ConfigurationError` about `key` unless `address` is an http or https address with a host."""
    try:
        _HTTP.validate_python(address)
    except ValidationError as error:
        step = "write a whole address, such as https://models.example/v1"
        raise source.error(key, "is not an http or https address", allowed=("http", "https"), next_step=step) from error


def checked_store_url(source: SettingsSource, key: Key, url: str) -> None:
    """Raise a `ConfigurationError` about `key` unless `url` names a database that the store speaks."""
    if not _STORE.match(url):
        step = "write sqlite:////absolute/path/plugineval.db or postgresql://user@host/name"
        raise source.error(key, "is no database URL", allowed=("sqlite", "postgresql"), next_step=step)
