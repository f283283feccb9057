"""Where an endpoint is and how it is entered: base URL, key and headers, checked before any call is made.

A key is read from the environment variable that a person named. A `base_url` without one is taken for a local server
and gets the placeholder `unused`: the key of the default provider is never sent to another host.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from plugineval.clients.addresses import carries_secrets, secrets_in
from plugineval.clients.models.config import ModelConfig
from plugineval.pccf.errors import ConfigurationError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
BASE_URL_ENV = "OPENAI_BASE_URL"
DEFAULT_KEY_ENV = "OPENAI_API_KEY"
NO_KEY = "unused"


@dataclass(frozen=True)
class Access:
    """A checked way in."""

    base_url: str = field(repr=False)
    key: str = field(repr=False)
    headers: dict[str, str] = field(repr=False)

    def secrets(self) -> tuple[str, ...]:
        """The key, the headers, and what in the address is a secret."""
        key = () if self.key == NO_KEY else (self.key,)
        return (*key, *self.headers.values(), *secrets_in(self.base_url))


def access_of(config: ModelConfig, environ: Mapping[str, str]) -> Access:
    """The way in that `config` names; `ConfigurationError` names the variable or field that is missing or wrong."""
    base_url = config.base_url or environ.get(BASE_URL_ENV) or DEFAULT_BASE_URL
    if not _is_address(base_url):
        raise ConfigurationError(
            "is not an address" if carries_secrets(base_url) else f"{base_url!r} is not an address",
            field=f"models.{config.id}.base_url",
            next_step="write it as http://host:port/v1",
        )
    for name, value in config.headers.items():
        _check_header(f"models.{config.id}.headers.{name}", value)
    return Access(base_url, _key(config, environ), dict(config.headers))


def refuse_typed_secrets(base_url: str | None) -> None:
    """`ConfigurationError` for a base URL of a command line that holds a key: a job keeps it, and `ps` shows it."""
    if base_url is not None and carries_secrets(base_url):
        raise ConfigurationError(
            "holds a key or a password, which would be kept with the job and shown in the list of processes",
            field="--base-url",
            next_step='write [models.NAME] with base_url = "https://user:${MY_KEY}@host/v1" into plugineval.toml',
        )


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Reading the port is what makes urllib check it.
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _key(config: ModelConfig, environ: Mapping[str, str]) -> str:
    name = config.api_key_env or (None if config.base_url else DEFAULT_KEY_ENV)
    if name is None:
        return NO_KEY
    key = environ.get(name, "").strip()
    if not key:
        raise ConfigurationError(
            f"the environment variable {name} is not set",
            field=f"models.{config.id}.api_key_env",
            next_step=f"export {name}=... where this program runs (a host passes `env`), or {_without(config)}",
        )
    _check_header(f"environment variable {name}", key)
    return key


def _without(config: ModelConfig) -> str:
    if config.api_key_env and config.base_url:
        return "drop api_key_env if the endpoint needs no key"
    return "drop api_key_env and give the base_url of an endpoint that needs no key"


def _check_header(field: str, value: str) -> None:
    if not (value.isascii() and value.isprintable()):
        raise ConfigurationError("holds characters that cannot be sent in a header", field=field)
