"""From files and environment to one frozen `Settings`: found, parsed, checked, with every mistake named by line."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.recorded.config import RecordedConfig
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.nearest import meant
from plugineval.pccf.values import Json
from plugineval.server.settings.addresses import checked_store_url
from plugineval.server.settings.counting import counting_file
from plugineval.server.settings.known_secrets import known_secrets
from plugineval.server.settings.locations import find_home, looked_at
from plugineval.server.settings.model_tables import read_model
from plugineval.server.settings.plugin_tables import read_plugin
from plugineval.server.settings.recorded_roles import RecordedNames
from plugineval.server.settings.references import expand, references_in
from plugineval.server.settings.roles import EMBEDDED, Roles
from plugineval.server.settings.run_defaults import RunDefaults
from plugineval.server.settings.schedules import read_schedules
from plugineval.server.settings.settings import Settings, Unready
from plugineval.server.settings.source import SettingsSource, parsed_source
from plugineval.server.settings.toml_lines import Key
from plugineval.server.settings.validation import validated
from plugineval.server.settings.worker_options import WorkerOptions
from plugineval.server.store.options import StoreOptions

_OF_ENDPOINT = re.compile(r"openai:.+")
TABLES = ("plugins", "models", "roles", "build", "run", "store", "workers", "schedules")


def load_settings(*, config: Path | None, home: Path | None, environ: Mapping[str, str], cwd: Path) -> Settings:
    """Read the settings that count here; no file at all gives the defaults. Nothing is created or written.

    A file that nobody named or trusted and that merely lies in `cwd` does not count (`Settings.untrusted`).

    `ConfigurationError` names path, line, key, allowed values and next step. A plugin or model that refers to a
    variable which is not set is no error until it is used (`Settings.plugin`, `Settings.model`).
    """
    folder = find_home(home=home, environ=environ, cwd=cwd)
    path, text, untrusted = counting_file(config=config, home=folder, environ=environ, cwd=cwd)
    referred: tuple[str, ...]
    if path is None:
        places = looked_at(home=folder, environ=environ, cwd=cwd)
        settings, referred = Settings(home=folder, database=_default_database(folder), looked_at=places), ()
    else:
        source = parsed_source(path, text)
        settings, referred = _settings(source, folder, environ), references_in(source.text)
    found = {"secrets": known_secrets(settings, environ, referred), "untrusted": untrusted}
    return settings.model_copy(update=found)


def _settings(source: SettingsSource, home: Path, environ: Mapping[str, str]) -> Settings:
    for name in source.tables:
        if name not in TABLES:
            raise source.unknown((name,), TABLES)
    plugins = [read_plugin(source, name, value, environ) for name, value in _top(source, "plugins").items()]
    models = [read_model(source, name, value, environ) for name, value in _top(source, "models").items()]
    unready = tuple(entry for entry in (*plugins, *models) if isinstance(entry, Unready))
    run = validated(source, ("run",), RunDefaults, _top(source, "run"))
    recorded = RecordedNames([entry for entry in models if isinstance(entry, RecordedConfig)], source.folder)
    table = recorded.roles(_top(source, "roles"))
    roles = _roles(source, table, (*_top(source, "models"), *EMBEDDED, *recorded.found))
    return Settings(
        home=home,
        database=_database(source, home, environ),
        store=_store_options(source),
        plugins={entry.name: entry for entry in plugins if isinstance(entry, PluginRegistration)},
        models={entry.id: entry for entry in models if isinstance(entry, ModelConfig)},
        recorded=recorded.found,
        roles=roles,
        build=validated(source, ("build",), BuildConfig, _top(source, "build")),
        run=run,
        schedules=read_schedules(source),
        workers=validated(source, ("workers",), WorkerOptions, _top(source, "workers")),
        source=source.path,
        unready=unready,
    )


def _top(source: SettingsSource, name: str) -> dict[str, Json]:
    return source.table((name,), source.tables.get(name, {}), example=f"[{name}]")


def _roles(source: SettingsSource, table: Mapping[str, Json], known: Collection[str]) -> Roles:
    if _ONE_ANNOTATOR in table and "annotators" in table:
        raise source.error(("roles", _ONE_ANNOTATOR), "stands beside annotators", next_step="keep annotators alone")
    written = {"annotators" if name == _ONE_ANNOTATOR else name: name for name in table}
    roles = validated(source, ("roles",), Roles, {role: _players(role, table[name]) for role, name in written.items()})
    for role, players in roles.assigned.items():
        for position, model in enumerate(players):
            if role in written and model not in known and not _OF_ENDPOINT.fullmatch(model):
                one_of_many: Key = (position,) if isinstance(table[written[role]], list) else ()
                raise _unknown_model(source, ("roles", written[role], *one_of_many), model, known)
    return roles


def _players(role: str, value: Json) -> Json:
    """One model may stand for a list of one."""
    return [value] if role in _SEVERAL and isinstance(value, str) else value


_ONE_ANNOTATOR = "annotator"
"""Accepted for `annotators`."""
_SEVERAL = frozenset({"generators", "annotators"})
"""Roles that more than one model may play."""


def _unknown_model(source: SettingsSource, key: Key, model: str, known: Collection[str]) -> Exception:
    step = f"write [models.{model}] with base_url and model, or name one of these"
    return source.error(
        key,
        f"there is no model {model!r}{meant(model, known)}",
        allowed=(*sorted(known), "openai:MODEL"),
        next_step=step,
    )


def _default_database(home: Path) -> str:
    return f"sqlite:///{(home / 'plugineval.db').as_posix()}"


def _database(source: SettingsSource, home: Path, environ: Mapping[str, str]) -> str:
    table = _top(source, "store")
    for name in table:
        if name not in _STORE_KEYS:
            raise source.unknown(("store", name), _STORE_KEYS)
    if "url" not in table:
        return _default_database(home)
    expanded, missing = expand({"url": table["url"]}, environ)
    url = expanded["url"]
    if missing:
        names = ", ".join(missing)
        raise source.error(("store", "url"), f"{names} is not set in the environment", next_step=f"export {names}=...")
    if not isinstance(url, str):
        raise source.error(("store", "url"), "must be a text in quotes")
    checked_store_url(source, ("store", "url"), url)
    return _rooted(url, source.folder)


_STORE_KEYS = ("url", *StoreOptions.model_fields)


def _store_options(source: SettingsSource) -> StoreOptions:
    said = {name: value for name, value in _top(source, "store").items() if name != "url"}
    return validated(source, ("store",), StoreOptions, said)


def _rooted(url: str, folder: Path) -> str:
    """A relative SQLite file is relative to the settings file, as every path in it."""
    scheme, _, name = url.partition(":///")
    if not scheme.startswith("sqlite") or name in ("", ":memory:") or name.startswith("file:"):
        return url
    return f"{scheme}:///{(folder / name).as_posix()}"
