"""Reading a catalog file: every mistake is named by line and key, with what is allowed there and what to do next."""

import re
from collections.abc import Iterator
from pathlib import Path

from plugineval.pccf.coverage.identity import scenario_id
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.values import Json
from plugineval.server.catalogs.given import GivenCatalog, GivenScenario
from plugineval.server.catalogs.mistakes import told_together
from plugineval.server.settings.source import SettingsSource, kind_of, read_source, spelled
from plugineval.server.settings.toml_lines import Key, line_of

FORMAT = 1
HEADER = ("format", "toolset", "plugins", "writer", "measure", "tool")
KEYS = ("id", "kind", "title", "evidence", "lookalike", "then", "ordered")


def read_catalog(path: Path) -> GivenCatalog:
    """The catalog of `path`; `ConfigurationError` with all its mistakes, the first ten told."""
    if not path.is_file():
        raise ConfigurationError(
            "there is no such file", field=str(path), next_step="write one with `plugineval scenarios --out FILE`"
        )
    reading = _Reading(read_source(path))
    given = tuple(reading.scenarios())
    reading.finish(given)
    said = reading.source.tables
    plugins = said.get("plugins", [])
    return GivenCatalog(
        path=str(path),
        toolset_hash=str(said.get("toolset", "")),
        plugins=tuple(map(str, plugins)) if isinstance(plugins, list) else (),
        writer=str(said.get("writer", "")),
        given=given,
    )


def _line_in(place: str) -> int:
    """The line that a place of the file names; 0 where it names none."""
    found = re.search(r", line (\d+)", place)
    return int(found[1]) if found else 0


class _Reading:
    def __init__(self, source: SettingsSource) -> None:
        self.source = source
        self._mistakes: list[ConfigurationError] = []

    def scenarios(self) -> Iterator[GivenScenario]:
        """Every scenario that can be read; what cannot is kept as a mistake."""
        tables = self.source.tables
        for key in tables.keys() - set(HEADER):
            self._mistakes.append(self.source.unknown((key,), HEADER, next_step="correct or delete it"))
        if tables.get("format", FORMAT) != FORMAT:
            self._wrong(("format",), f"must be {FORMAT}: this version reads no other", allowed=(str(FORMAT),))
        tools = tables.get("tool", {})
        if not isinstance(tools, dict):
            self._wrong(("tool",), f"must be tables, not {kind_of(tools)}", next_step="write [[tool.NAME]]")
            return
        for name, scenarios in tools.items():
            yield from self._of_tool(name, scenarios)

    def finish(self, given: tuple[GivenScenario, ...]) -> None:
        """Raise what was found wrong."""
        self._check_ids(given)
        if not given and not self._mistakes:
            self._wrong(("tool",), "there is no scenario in it", next_step="write [[tool.NAME]] with kind and title")
        if self._mistakes:
            ordered = sorted(self._mistakes, key=lambda mistake: _line_in(mistake.field or ""))
            raise told_together(str(self.source.path), ordered)

    def _of_tool(self, name: str, scenarios: Json) -> Iterator[GivenScenario]:
        if not isinstance(scenarios, list):
            self._wrong(("tool", name), f"must be tables, not {kind_of(scenarios)}", next_step=f"write [[tool.{name}]]")
            return
        for place, said in enumerate(scenarios):
            key: Key = ("tool", name, place)
            if not isinstance(said, dict):
                self._wrong(key, f"must be a table, not {kind_of(said)}", next_step=f"write [[tool.{name}]]")
            elif (scenario := self._scenario(key, name, said)) is not None:
                line = line_of(self.source.text, key)
                yield GivenScenario(scenario=scenario, place=f"{self.source.path}, line {line}: {spelled(key)}")

    def _scenario(self, key: Key, target: str, said: dict[str, Json]) -> Scenario | None:
        before = len(self._mistakes)
        for name in said.keys() - set(KEYS):
            self._mistakes.append(self.source.unknown((*key, name), KEYS, next_step="correct or delete it"))
        kind = self._kind(key, said)
        texts = {name: self._text(key, said, name) for name in ("title", "evidence", "id", "lookalike")}
        then, ordered = self._then(key, said), said.get("ordered", False)
        if not texts["title"] and isinstance(said.get("title", ""), str):
            self._wrong((*key, "title"), "a scenario needs a title", next_step='write title = "what people ask for"')
        if not isinstance(ordered, bool):
            self._wrong((*key, "ordered"), f"must be true or false, not {kind_of(ordered)}", allowed=("true", "false"))
        self._belong(key, kind, texts["lookalike"], then, ordered=ordered is True)
        if len(self._mistakes) > before or kind is None:
            return None
        made = Scenario(
            id=texts["id"],
            kind=kind,
            target=target,
            title=texts["title"],
            evidence=texts["evidence"],
            lookalike=texts["lookalike"] or None,
            then=then,
            ordered=ordered is True,
        )
        return made if made.id else made.model_copy(update={"id": scenario_id(made)})

    def _kind(self, key: Key, said: dict[str, Json]) -> ScenarioKind | None:
        kinds = tuple(kind.value for kind in ScenarioKind)
        kind = said.get("kind")
        if isinstance(kind, str) and kind in kinds:
            return ScenarioKind(kind)
        problem = "a scenario needs a kind" if kind is None else f"{kind!r} is no kind of scenario"
        self._wrong((*key, "kind"), problem, allowed=kinds, next_step="write one of them")
        return None

    def _text(self, key: Key, said: dict[str, Json], name: str) -> str:
        value = said.get(name, "")
        if isinstance(value, str):
            return value.strip()
        self._wrong((*key, name), f"must be a text, not {kind_of(value)}", next_step="put it in quotes")
        return ""

    def _then(self, key: Key, said: dict[str, Json]) -> tuple[str, ...]:
        value = said.get("then", [])
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return tuple(str(name) for name in value)
        self._wrong((*key, "then"), "must be a list of tool names", next_step='write then = ["a_tool"]')
        return ()

    def _belong(
        self, key: Key, kind: ScenarioKind | None, lookalike: str, then: tuple[str, ...], *, ordered: bool
    ) -> None:
        """What may stand only in a scenario of another kind."""
        if kind is None:
            return
        if kind is ScenarioKind.TYPE_B and not lookalike:
            step = 'write lookalike = "the tool that should be called instead"'
            self._wrong((*key, "lookalike"), "a type_b scenario names a look-alike", next_step=step)
        if kind is not ScenarioKind.TYPE_B and lookalike:
            self._wrong((*key, "lookalike"), f"a {kind.value} scenario has none", next_step="delete it")
        if then and not kind.positive:
            self._wrong((*key, "then"), f"a {kind.value} scenario needs no further tools", next_step="delete it")
        if ordered and not then:
            step = "delete it, or name the further tools in `then`"
            self._wrong((*key, "ordered"), "says nothing without `then`", next_step=step)

    def _check_ids(self, given: tuple[GivenScenario, ...]) -> None:
        places: dict[str, str] = {}
        for each in given:
            first = places.setdefault(each.scenario.id, each.place)
            if first != each.place:
                self._mistakes.append(
                    ConfigurationError(
                        f"the id {each.scenario.id!r} is taken, see {first}",
                        field=f"{each.place}.id",
                        next_step="leave the id out, or delete one of the two scenarios",
                    )
                )

    def _wrong(self, key: Key, problem: str, *, allowed: tuple[str, ...] = (), next_step: str | None = None) -> None:
        self._mistakes.append(self.source.error(key, problem, allowed=allowed, next_step=next_step))
