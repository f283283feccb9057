"""Everything secret that is known here, struck out of a recording once more: it is a file that leaves the home."""

from collections.abc import Callable, Iterator, Mapping

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json
from plugineval.server.settings.settings import Settings


def striking(settings: Settings, environ: Mapping[str, str]) -> Callable[[Json], Json]:
    """Removes the keys and headers of every model, and what plugins were given, from a JSON value."""
    from plugineval.clients.redaction import Redactor

    of_plugins = [each.get_secret_value() for plugin in settings.plugins.values() for each in plugin.secrets]
    return Redactor([*_of_models(settings, environ), *of_plugins]).json


def _of_models(settings: Settings, environ: Mapping[str, str]) -> Iterator[str]:
    from plugineval.clients.models.access import DEFAULT_KEY_ENV, access_of
    from plugineval.clients.models.config import ModelConfig

    default = ModelConfig(id=DEFAULT_KEY_ENV, model=DEFAULT_KEY_ENV)
    for model in (default, *settings.models.values()):
        try:
            yield from access_of(model, environ).secrets()
        except ConfigurationError:
            # A model without its key has no key that could have been written down here.
            continue
