"""A catalog that a person gave, and what of it fits the tools that are built on now.

Made for these very tools, a name that none of them has is a mistake and is refused with its line. Made for other
tools, the catalog is used all the same, and everything that does not fit any more is told.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plugineval.pccf.coverage.catalog import Catalog
from plugineval.pccf.coverage.similarity import SIMILARITY
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value
from plugineval.server.catalogs.mistakes import told_together


class GivenScenario(Value):
    """A scenario and where it stands."""

    scenario: Scenario
    place: str
    """File, line and key, for messages."""


class GivenCatalog(Value):
    """The scenarios of a file, in its order. `toolset_hash` is empty where the file does not say what it is for."""

    path: str
    toolset_hash: str = ""
    plugins: tuple[str, ...] = ()
    """Those it was derived from, as it says."""
    writer: str = ""
    given: tuple[GivenScenario, ...]

    def fitted(self, toolset: Toolset) -> "Fitted":
        """What of it can be used with `toolset`; `ConfigurationError` for the mistakes in a catalog made for it, and
        where nothing of one that was made for other tools fits.
        """
        misfits = [(each, misfit) for each in self.given if (misfit := _misfit(each.scenario, toolset))]
        other_tools = bool(self.toolset_hash) and self.toolset_hash != toolset.content_hash
        if misfits and not other_tools:
            raise told_together(self.path, [misfit.mistake(each.place) for each, misfit in misfits])
        if misfits and len(misfits) == len(self.given):
            raise self._of_others(toolset)
        unfit = {id(each) for each, _ in misfits}
        scenarios = tuple(each.scenario for each in self.given if id(each) not in unfit)
        return Fitted(
            Catalog(scenarios=scenarios, measure=SIMILARITY.measure),
            tuple(self._warnings(misfits, toolset)) if other_tools else (),
        )

    def _of_others(self, toolset: Toolset) -> ConfigurationError:
        named = tuple(dict.fromkeys(tool.plugin for tool in toolset.tools if tool.plugin))
        origin = _plugins(self.plugins) if self.plugins else "other tools"
        return ConfigurationError(
            f"its scenarios were derived from {origin}, and none fits the tools of {_plugins(named)}, which the build "
            "names",
            field=self.path,
            next_step="name the plugins of the file, or derive one from these with `plugineval scenarios`",
        )

    def _warnings(self, misfits: "list[tuple[GivenScenario, _Misfit]]", toolset: Toolset) -> Iterator[str]:
        made, now = self.toolset_hash[:12], toolset.content_hash[:12]
        yield f"{self.path} was made for other tools ({made}) than are built on now ({now})"
        for each, misfit in misfits:
            yield f"left out: {each.place}: {misfit.problem}"
        named = {each.scenario.target for each in self.given}
        missing = [tool.offered_name for tool in toolset.tools if tool.offered_name not in named]
        if missing:
            yield f"without a scenario in it, and so not covered: {', '.join(missing)}"


class Fitted(NamedTuple):
    """A catalog that names only tools there are, and what a person should know of it."""

    catalog: Catalog | None = None
    warnings: tuple[str, ...] = ()


class _Misfit(NamedTuple):
    problem: str
    key: str
    allowed: tuple[str, ...]

    def mistake(self, place: str) -> ConfigurationError:
        """As the error that it is in a catalog made for these tools."""
        return ConfigurationError(
            self.problem,
            field=f"{place}.{self.key}" if self.key else place,
            allowed=self.allowed,
            next_step="correct the name, or delete the scenario",
        )


def _plugins(names: tuple[str, ...]) -> str:
    return f"plugin{'s' * (len(names) != 1)} {', '.join(names)}"


def _misfit(scenario: Scenario, toolset: Toolset) -> _Misfit | None:
    names = tuple(toolset.by_name)
    others = tuple(name for name in names if name != scenario.target)
    if scenario.target not in names:
        return _Misfit(_unknown(scenario.target, names), "", names)
    if scenario.kind is ScenarioKind.TYPE_B and scenario.lookalike not in others:
        return _Misfit(_unknown(scenario.lookalike or "", others), "lookalike", others)
    missing = next((name for name in scenario.then if name not in names), None)
    return None if missing is None else _Misfit(_unknown(missing, names), "then", names)


def _unknown(name: str, names: tuple[str, ...]) -> str:
    return UnknownNameError("tool", name, names).problem
