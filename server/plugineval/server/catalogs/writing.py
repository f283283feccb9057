"""A catalog as a TOML file that a person reads and edits: one table per scenario, under the tool that it is about."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from plugineval.pccf.coverage.catalog import Catalog
from plugineval.pccf.coverage.lookalikes import lookalikes_of
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json, Value
from plugineval.server.catalogs.reading import FORMAT

if TYPE_CHECKING:
    from tomlkit.items import Table

_HEAD = (
    "Scenarios that a benchmark covers. Edit, delete and add as you like, then build from this file:",
    "  plugineval build --scenarios FILE --plugin NAME --name BENCHMARK",
    "kind: trigger (the tool should be called), underspecified (a required argument is not said),",
    "  type_a (no tool is needed), type_b (the look-alike should be called), type_c (beyond what any tool can do).",
    "then: further tools that the same request needs; ordered: each takes what the call before it returned.",
    "id may be left out. What is deleted here is not covered.",
)


class DerivedCatalog(Value):
    """A catalog with what it was derived from."""

    plugins: tuple[str, ...]
    toolset: Toolset
    writer: str
    catalog: Catalog


def catalog_toml(derived: DerivedCatalog) -> str:
    """The file; `read_catalog` reads it back to the same scenarios."""
    import tomlkit

    document = tomlkit.document()
    for line in _HEAD:
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    document["format"] = FORMAT
    document["toolset"] = derived.toolset.content_hash
    document["plugins"] = list(derived.plugins)
    document["writer"] = derived.writer
    document["measure"] = derived.catalog.measure
    tools = tomlkit.table(is_super_table=True)
    for tool in derived.toolset.tools:
        own = [scenario for scenario in derived.catalog.scenarios if scenario.target == tool.offered_name]
        if own:
            tables = tomlkit.aot()
            for place, scenario in enumerate(own):
                tables.insert(place, _table(scenario, _about(tool, derived.toolset) if place == 0 else ()))
            tools[tool.offered_name] = tables
    document["tool"] = tools
    return _visible(tomlkit.dumps(document)) + "".join(f"# {line}\n" for line in _left_out(derived.catalog))


def _visible(toml: str) -> str:
    """The same TOML with what a terminal would obey as escapes, which are read back as what they stand for."""
    return "".join(each if each.isprintable() or each in "\n\t" else f"\\U{ord(each):08x}" for each in toml)


def catalog_json(derived: DerivedCatalog, file: Path | None = None) -> dict[str, Json]:
    """The object that `plugineval scenarios --json` prints; `file` is where the catalog was written."""
    return {
        "file": None if file is None else str(file),
        "plugins": list(derived.plugins),
        "toolset": derived.toolset.content_hash,
        "writer": derived.writer,
        **derived.catalog.model_dump(mode="json"),
    }


def _table(scenario: Scenario, about: Iterable[str]) -> "Table":
    import tomlkit

    table = tomlkit.table()
    for line in about:
        table.add(tomlkit.comment(line))
    for name, value in (
        ("id", scenario.id),
        ("kind", scenario.kind.value),
        ("title", scenario.title),
        ("evidence", scenario.evidence),
        ("lookalike", scenario.lookalike),
        ("then", list(scenario.then)),
        ("ordered", scenario.ordered),
    ):
        if value:
            table[name] = value
    return table


def _about(tool: ToolSpec, toolset: Toolset) -> Iterator[str]:
    yield _one_line(f"{tool.offered_name}: {tool.description}")
    alike = ", ".join(f"{each.tool} {each.similarity:.2f}" for each in lookalikes_of(tool, toolset))
    if alike:
        yield f"look-alikes: {alike}"


def _left_out(catalog: Catalog) -> Iterator[str]:
    for refused in catalog.refused:
        detail = f" ({refused.detail})" if refused.detail else ""
        said = f"{refused.scenario.target}, {refused.scenario.kind.value}: {refused.scenario.title}"
        yield _one_line(f"refused, {refused.reason.value}{detail}: {said}")
    for skipped in catalog.skipped:
        yield _one_line(f"no trigger for {skipped.tool}: {skipped.reason}")


def _one_line(text: str, *, most: int = 160) -> str:
    """Text of a server or a model on one line of a comment, without control characters."""
    plain = "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))
    return plain if len(plain) <= most else plain[: most - 1] + "…"
