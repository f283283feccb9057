"""Everything a person set, read once at the edge and frozen: the engine never looks at a file or at the environment.

A plugin or model whose `${NAME}` is not set in the environment is kept apart (`unready`), so that one missing token
does not stop work that never needs it. Ask with `plugin()` and `model()`: they name the missing variable.
"""

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, SecretStr

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.recorded.config import RecordedConfig, recorded_id
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.values import Value
from plugineval.server.settings.locations import FILE_NAME
from plugineval.server.settings.roles import Roles
from plugineval.server.settings.run_defaults import RunDefaults
from plugineval.server.settings.schedules import Schedule
from plugineval.server.settings.worker_options import WorkerOptions
from plugineval.server.store.options import StoreOptions


class Unready(Value):
    """A plugin or model of the file that refers to environment variables which are not set."""

    kind: Literal["plugin", "model"]
    name: str
    variables: tuple[str, ...]
    where: str
    """Path, line and table."""

    @property
    def next_step(self) -> str:
        """What mends it."""
        return " ".join(f"export {name}=..." for name in self.variables) + " and try again"

    def error(self) -> ConfigurationError:
        """What using it raises."""
        names = ", ".join(self.variables)
        verb = "is" if len(self.variables) == 1 else "are"
        problem = f"{names} {verb} not set in the environment"
        return ConfigurationError(problem, field=self.where, next_step=self.next_step)


class Untrusted(Value):
    """A settings file in the working directory that is left alone, because nobody here said that it may be used."""

    path: Path
    changed: bool
    """It was trusted, and holds another text now."""
    home: Path | None = None
    """Where trust is kept, if not in the usual place."""

    @property
    def next_step(self) -> str:
        """What a person does about it."""
        kept = [] if self.home is None else ["--home", str(self.home)]
        words = shlex.join(["plugineval", "trust", str(self.path), *kept])
        return f"see what it would run, and trust it, with `{words}`"

    @property
    def sentence(self) -> str:
        """One sentence for whoever works beside it."""
        why = "was changed since it was trusted" if self.changed else "is not trusted"
        return f"{self.path} {why}, so nothing in it is used or run; {self.next_step}"


class Settings(Value):
    """The whole of the settings."""

    model_config = ConfigDict(hide_input_in_errors=True)

    home: Path
    """Folder of the database, of plugins' working directories and of everything else that is kept."""
    database: str = Field(repr=False)
    """SQLAlchemy URL."""
    store: StoreOptions = StoreOptions()
    secrets: tuple[SecretStr, ...] = ()
    """All that are known here; struck out of whatever comes from outside."""
    plugins: dict[str, PluginRegistration] = {}
    models: dict[str, ModelConfig] = {}
    recorded: dict[str, RecordedConfig] = {}
    """Id (`recorded:NAME`) -> the file that plays it."""
    roles: Roles = Roles()
    build: BuildConfig = BuildConfig()
    run: RunDefaults = RunDefaults()
    schedules: tuple[Schedule, ...] = ()
    workers: WorkerOptions = WorkerOptions()
    source: Path | None = None
    """The file all of this was read from; None where there is none."""
    looked_at: tuple[str, ...] = ()
    """Where a file was looked for, in words; empty where there is one."""
    untrusted: Untrusted | None = None
    """The file that would count if it were trusted."""
    unready: tuple[Unready, ...] = ()

    @property
    def shares_limits(self) -> bool:
        """Whether the limits of endpoints and of work hold for all processes on the database together."""
        said = self.store.share_limits
        return self.database.startswith("postgresql") if said is None else said

    @property
    def nothing_registered(self) -> str:
        """Why no plugin is known, and the command that mends it."""
        if self.untrusted is not None:
            return self.untrusted.sentence
        if self.source is not None:
            return f"{self.source} registers no plugin; write [plugins.NAME] with a command or a url into it"
        places = ", ".join(self.looked_at) or "no place"
        file = self.home / FILE_NAME
        return f"no settings file was found; looked at: {places}. `plugineval init --out {file}` writes one"

    def plugin(self, name: str) -> PluginRegistration:
        """The plugin registered as `name`; `ConfigurationError` names the variable it waits for, or the known names."""
        if name in self.plugins:
            return self.plugins[name]
        waiting = self._waiting("plugin")
        if name in waiting:
            raise waiting[name].error()
        step = "register it in plugineval.toml, or run `plugineval init` to import what other hosts use"
        if not self.plugins and not waiting:
            raise ConfigurationError(f"there is no plugin {name!r}", field="plugin", next_step=self.nothing_registered)
        raise UnknownNameError("plugin", name, {*self.plugins, *waiting}, next_step=self.or_trust(step))

    def model(self, name: str) -> ModelConfig:
        """The endpoint called `name`; errors as for `plugin`."""
        if name in self.models:
            return self.models[name]
        waiting = self._waiting("model")
        if name in waiting:
            raise waiting[name].error()
        step = f"write [models.{name}] with base_url and model into plugineval.toml"
        raise UnknownNameError("model", name, {*self.models, *waiting}, next_step=self.or_trust(step))

    def or_trust(self, step: str) -> str:
        """A next step for a name that is not known: it may be in the file that is left alone."""
        return step if self.untrusted is None else f"{step}. {self.untrusted.sentence}"

    def id_of(self, name: str) -> str:
        """The id under which records know the model that a person calls `name`: a recorded one says that it is."""
        recorded = recorded_id(name)
        return recorded if recorded in self.recorded and name not in self.models else name

    def with_recorded(self, more: Iterable[RecordedConfig]) -> "Settings":
        """These, and recorded models that a person named on a command line."""
        return self.model_copy(update={"recorded": {**{each.id: each for each in more}, **self.recorded}})

    def recordings(self, models: Iterable[str]) -> tuple[RecordedConfig, ...]:
        """The files of those of `models` that are recorded, for a job that goes on without this command line."""
        return tuple(self.recorded[model] for model in dict.fromkeys(models) if model in self.recorded)

    def _waiting(self, kind: Literal["plugin", "model"]) -> dict[str, Unready]:
        return {entry.name: entry for entry in self.unready if entry.kind == kind}
