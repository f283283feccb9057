"""`recorded:FILE` on a command line: the one place where a file is named that is not in the settings."""

from pathlib import Path

from plugineval.server.cli.option_groups import RunOptions
from plugineval.server.jobs.params import GradingWishes
from plugineval.server.settings.recorded_roles import RecordedNames
from plugineval.server.settings.settings import Settings


class Typed:
    """The settings with the recorded models of one command line, and its options with their ids."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._names = RecordedNames(settings.recorded.values(), Path.cwd())

    @property
    def settings(self) -> Settings:
        """With every file that was named so far."""
        return self._settings.with_recorded(self._names.found.values())

    def grading(self, wishes: GradingWishes) -> GradingWishes:
        """`--judge` by its id."""
        judge = None if wishes.judge is None else self._names.id_of(wishes.judge)
        return wishes.model_copy(update={"judge": judge})

    def running(self, options: RunOptions) -> RunOptions:
        """`--model` by its id."""
        return options.model_copy(update={"models": tuple(map(self._names.id_of, options.models))})
