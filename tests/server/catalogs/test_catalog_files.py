"""A catalog as a file: it reads back as it was written; every mistake is told with line, key and what is allowed."""

from pathlib import Path

import pytest

from doubles.construction import scenario, tool
from plugineval.pccf.coverage.catalog import Catalog, catalog_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.server.catalogs.given import GivenCatalog
from plugineval.server.catalogs.reading import read_catalog
from plugineval.server.catalogs.writing import DerivedCatalog, catalog_toml

pytestmark = pytest.mark.requirement("P21")

WEATHER, CLOCK = tool("weather"), tool("clock.now")
BOTH = Toolset(tools=(WEATHER, CLOCK))


def catalog(*scenarios: Scenario) -> Catalog:
    by_tool = [(each, [s for s in scenarios if s.target == each.name]) for each in BOTH.tools]
    return catalog_of(by_tool, BOTH, ("weather", "clock.now"))


def derived(*scenarios: Scenario) -> DerivedCatalog:
    return DerivedCatalog(plugins=("sky",), toolset=BOTH, writer="a writer", catalog=catalog(*scenarios))


def read(path: Path, text: str) -> GivenCatalog:
    file = path / "catalog.toml"
    file.write_text(text, encoding="utf-8")
    return read_catalog(file)


SCENARIOS = (
    scenario(ScenarioKind.TRIGGER, "weather"),
    scenario(ScenarioKind.TRIGGER, "weather", 1).model_copy(update={"then": ("clock.now",), "ordered": True}),
    scenario(ScenarioKind.TYPE_B, "weather", lookalike="clock.now"),
    scenario(ScenarioKind.TYPE_A, "clock.now").model_copy(
        update={"evidence": 'says "now" \\ and\nmore', "title": "é ✓"}
    ),
)


@pytest.mark.requirement("D12")
def test_a_catalog_reads_back_as_it_was_written(tmp_path: Path) -> None:
    made = derived(*SCENARIOS)
    given = read(tmp_path, catalog_toml(made))
    assert tuple(each.scenario for each in given.given) == made.catalog.scenarios
    assert (given.toolset_hash, given.writer) == (BOTH.content_hash, "a writer")
    fitted = given.fitted(BOTH)
    assert fitted.catalog is not None
    assert (fitted.catalog.scenarios, fitted.warnings) == (made.catalog.scenarios, ())
    assert made.catalog.measure in catalog_toml(made)


def test_a_person_sees_the_tool_its_look_alikes_and_what_was_refused(tmp_path: Path) -> None:
    hostile = WEATHER.model_copy(update={"description": "Tells\n[[tool.weather]]\x1b[31m " + "x" * 300})
    toolset = Toolset(tools=(hostile, CLOCK))
    refused = scenario(ScenarioKind.TYPE_B, "weather", lookalike="nowhere")
    made = catalog_of([(hostile, (SCENARIOS[0], refused))], toolset, ("clock.now",))
    text = catalog_toml(DerivedCatalog(plugins=("sky",), toolset=toolset, writer="w", catalog=made))
    assert "# refused, unknown_lookalike (nowhere): weather, type_b" in text
    assert "# refused, not_executable (weather)" in text
    assert "# no trigger for weather: policy forbids to execute it" in text
    assert "\x1b" not in text
    alike = catalog_toml(derived(SCENARIOS[0]))
    assert "# weather: Tells the weather." in alike


def test_an_id_that_is_left_out_comes_from_what_the_scenario_says(tmp_path: Path) -> None:
    text = '[[tool.weather]]\nkind = "trigger"\ntitle = "rain"\n'
    (first,), (again,) = (read(tmp_path, text).given for _ in range(2))
    assert first.scenario.id == again.scenario.id
    assert first.scenario.id.startswith("weather.trigger.")
    (other,) = read(tmp_path, text.replace("rain", "snow")).given
    assert other.scenario.id != first.scenario.id


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '[[tool.weather]]\ntitle = "t"\nkind = "triger"',
            r"line 3: tool\.weather\[0\]\.kind: 'triger' is no kind.*Allowed: trigger, type_a",
        ),
        ('[[tool.weather]]\ntitle = "t"', r"line 1: tool\.weather\[0\]\.kind: a scenario needs a kind"),
        ('[[tool.weather]]\nkind = "trigger"', r"tool\.weather\[0\]\.title: a scenario needs a title"),
        ('[[tool.weather]]\nkind = "trigger"\ntitle = 3', r"line 3: .*title: must be a text, not a number"),
        (
            '[[tool.weather]]\nkind = "trigger"\ntitel = "t"\ntitle = "t"',
            r"line 3: .*titel: there is no such key; did you mean 'title'",
        ),
        ('[[tool.weather]]\nkind = "type_b"\ntitle = "t"', r"lookalike: a type_b scenario names a look-alike"),
        (
            '[[tool.weather]]\nkind = "type_a"\ntitle = "t"\nlookalike = "x"',
            r"line 4: .*lookalike: a type_a scenario has none",
        ),
        (
            '[[tool.weather]]\nkind = "type_a"\ntitle = "t"\nthen = ["x"]',
            r"line 4: .*then: a type_a scenario needs no further",
        ),
        (
            '[[tool.weather]]\nkind = "trigger"\ntitle = "t"\nthen = "x"',
            r"line 4: .*then: must be a list of tool names",
        ),
        ('[[tool.weather]]\nkind = "trigger"\ntitle = "t"\nordered = true', r"line 4: .*ordered: says nothing without"),
        ('[[tool.weather]]\nkind = "trigger"\ntitle = "t"\nordered = 1', r"line 4: .*ordered: must be true or false"),
        ('[tool.weather]\nkind = "trigger"', r"line 1: tool\.weather: must be tables.*write \[\[tool\.weather\]\]"),
        ("tool = 3", r"line 1: tool: must be tables, not a number"),
        ("format = 2\n[tool]", r"line 1: format: must be 1"),
        ("tols = 2\n[tool]", r"line 1: tols: there is no such key; did you mean 'tool'"),
        ("format = 1", r"tool: there is no scenario in it"),
        ("[[tool.x]", r"line 1: .*this is not TOML"),
    ],
)
def test_a_mistake_is_told_by_line_and_key(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        read(tmp_path, text)


def test_all_mistakes_are_told_at_once_in_the_order_of_their_lines(tmp_path: Path) -> None:
    bad = '[[tool.weather]]\nkind = "x"\ntitle = "t"\n' * 12
    with pytest.raises(ConfigurationError) as caught:
        read(tmp_path, bad)
    head, *told = caught.value.problem.split("\n")
    assert head == "12 mistakes:"
    assert [f"line {2 + 3 * n}:" in line for n, line in enumerate(told[:10])] == [True] * 10
    assert told[10] == "  and 2 more."


def test_an_id_that_is_taken_names_both_places(tmp_path: Path) -> None:
    table = '[[tool.weather]]\nid = "a"\nkind = "trigger"\ntitle = "{}"\n'
    with pytest.raises(ConfigurationError, match=r"line 5: tool\.weather\[1\]\.id: the id 'a' is taken, see .*line 1"):
        read(tmp_path, table.format("t") + table.format("u"))


def test_a_missing_file_says_how_one_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="plugineval scenarios --out FILE"):
        read_catalog(tmp_path / "none.toml")


MISFITS = """
[[tool.wether]]
kind = "trigger"
title = "t"
[[tool.weather]]
kind = "type_b"
title = "t"
lookalike = "weather"
[[tool.weather]]
kind = "trigger"
title = "u"
then = ["clok"]
[[tool.weather]]
kind = "trigger"
title = "v"
"""


@pytest.mark.parametrize("head", ["", f'toolset = "{BOTH.content_hash}"\n'])
def test_a_name_that_no_tool_has_is_a_mistake_where_the_catalog_is_for_these_tools(tmp_path: Path, head: str) -> None:
    given = read(tmp_path, head + MISFITS)
    with pytest.raises(
        ConfigurationError, match=r"tool\.wether\[0\]: there is no tool 'wether'; did you mean 'weather'"
    ) as error:
        given.fitted(BOTH)
    assert "3 mistakes" in str(error.value)
    assert ".then: there is no tool 'clok'" in str(error.value)
    (alike,) = (each for each in given.given if each.scenario.lookalike)
    with pytest.raises(ConfigurationError, match=r"\.lookalike: there is no tool 'weather'.*Allowed: clock\.now"):
        given.model_copy(update={"given": (alike,)}).fitted(BOTH)


def test_a_catalog_for_other_tools_is_used_with_a_list_of_what_does_not_fit(tmp_path: Path) -> None:
    fitted = read(tmp_path, 'toolset = "abc"\n' + MISFITS).fitted(BOTH)
    assert fitted.catalog is not None
    assert [each.title for each in fitted.catalog.scenarios] == ["v"]
    first, *left_out, uncovered = fitted.warnings
    assert "was made for other tools (abc)" in first
    assert ["line 3" in left_out[0], "line 6" in left_out[1], "line 10" in left_out[2]] == [True] * 3
    assert uncovered.endswith("not covered: clock.now")
