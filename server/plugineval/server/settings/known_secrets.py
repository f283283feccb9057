"""Every secret that is known here, whoever it is for: what a plugin, a model or a check finds on its own (another
process's environment, a file) must not come back into a record either.

A secret is what a person gave as one, and what goes by the name of a key or has the shape of a known kind of key. Words
such as `production` are no secrets of others, even where one party got them as a variable.
"""

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from pydantic import SecretStr

from plugineval.clients.addresses import secrets_in
from plugineval.clients.models.access import BASE_URL_ENV, DEFAULT_KEY_ENV
from plugineval.clients.models.stamping import secrets_in_body
from plugineval.clients.redaction import SHORTEST, drawn
from plugineval.clients.secret_shapes import looks_random, looks_secret
from plugineval.server.settings.settings import Settings

_ANY_VALUE = "a-word"


def known_secrets(settings: Settings, environ: Mapping[str, str], referred: Iterable[str]) -> tuple[SecretStr, ...]:
    """Of the settings and of the environment; `referred` are the variables that the settings file names."""
    named = {DEFAULT_KEY_ENV, *(model.api_key_env for model in settings.models.values() if model.api_key_env)}
    named |= {name for name in referred if _is_named(name)}
    found = [
        *(environ[name].strip() for name in named if name in environ),
        *(value for name, value in environ.items() if _certain(name, value)),
        *secrets_in(environ.get(BASE_URL_ENV, "")),
        *_of_settings(settings),
    ]
    return tuple(SecretStr(each) for each in dict.fromkeys(found) if len(each) >= SHORTEST)


def _of_settings(settings: Settings) -> Iterator[str]:
    if urlsplit(settings.database).scheme.startswith("postgresql"):
        yield from secrets_in(settings.database)
    for model in settings.models.values():
        yield from (value for name, value in model.headers.items() if looks_secret(name, value))
        yield from secrets_in(model.base_url or "")
        yield from secrets_in_body(dict(model.extra_body))
    for plugin in settings.plugins.values():
        given = {**plugin.env, **plugin.headers}
        for name, value in given.items():
            if looks_secret(name, value.get_secret_value()):
                yield value.get_secret_value()
        yield from (each.get_secret_value() for each in plugin.secrets[len(plugin.env) + len(plugin.headers) :])


def _is_named(name: str) -> bool:
    return looks_secret(name, _ANY_VALUE)


def _certain(name: str, value: str) -> bool:
    """Nobody said that this variable is a secret: a hash of a commit in a build's environment is none."""
    if _is_named(name):
        return drawn(value)
    return looks_secret("", value) and not looks_random(value)
