"""What every model of a run was asked with, kept in the run: no two runs with other settings pass for the same."""

from collections.abc import Iterable, Iterator, Mapping

from plugineval.harness.cases import Case, toolsets_of
from plugineval.harness.run import RunInfo
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.routing import Router
from plugineval.pccf.stamps import ModelStamp, Stamped

_TRANSPORT = frozenset({"endpoint", "stream"})
"""Settings that change how a question travels, and not what is asked: a server may have moved while a run waited."""


def stamps_of(models: Iterable[Router], cases: Iterable[Case]) -> dict[str, ModelStamp]:
    """Model id -> its settings and the rewrites of the cases' tools (B8), for those that have settings.

    `ConfigurationError` for a tool that a model's provider does not take.
    """
    toolsets = {toolset.content_hash: toolset for toolset in toolsets_of(cases)}.values()
    return {model.id: model.stamp(toolsets) for model in models if isinstance(model, Stamped)}


def refuse_other_settings(run: RunInfo, stamps: Mapping[str, ModelStamp]) -> None:
    """`ConfigurationError` where a run would go on with a model that is asked otherwise than when it began."""
    for model, setting, old, new in _changes(run.stamps, stamps):
        if setting in _TRANSPORT:
            continue
        raise ConfigurationError(
            f"{setting} was {old} when {run.id} began, and is {new} now",
            field=f"models.{model}",
            next_step=f"set it back and run `plugineval resume {run.id}`, or start a new run",
        )


def changed_settings(old: RunInfo, new: RunInfo, models: Iterable[str]) -> Iterator[tuple[str, str, str, str]]:
    """(model, setting, then, now) of those of `models` whose settings both runs know."""
    shared = set(models)
    then, now = ({model: stamp for model, stamp in run.stamps.items() if model in shared} for run in (old, new))
    return _changes(then, now)


def _changes(old: Mapping[str, ModelStamp], new: Mapping[str, ModelStamp]) -> Iterator[tuple[str, str, str, str]]:
    for model in sorted(old.keys() & new.keys()):
        before, after = old[model].settings, new[model].settings
        for setting in sorted(before.keys() | after.keys()):
            if before.get(setting) != after.get(setting):
                yield model, setting, _shown(before.get(setting)), _shown(after.get(setting))
        if old[model].rewrites != new[model].rewrites:
            yield model, "rewrites", f"{len(old[model].rewrites)}", f"{len(new[model].rewrites)}, not the same"


def _shown(value: object) -> str:
    return "not set" if value is None else str(value)
