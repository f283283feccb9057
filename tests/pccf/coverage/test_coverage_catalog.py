from dataclasses import dataclass, field

import anyio
import pytest

from doubles.construction import DOWN, MemoryLedger, ScriptedWriter, scenario, tool
from plugineval.pccf.calling import RoleCalls
from plugineval.pccf.coverage.catalog import Catalog, Refusal, SkippedTool, catalog_of
from plugineval.pccf.coverage.derivation import derive_catalog
from plugineval.pccf.coverage.lookalikes import likeness, lookalikes_of
from plugineval.pccf.coverage.similarity import SIMILARITY
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.roles import DerivedScenarios, ScenarioTask
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P21", "P22", "P23", "P24")]

WEATHER, CLOCK = tool("weather"), tool("clock")
BOTH = Toolset(tools=(WEATHER, CLOCK))
TRIGGER = scenario(ScenarioKind.TRIGGER, "weather")


def catalog(*derived: Scenario, executable: tuple[str, ...] = ("weather", "clock")) -> Catalog:
    return catalog_of([(WEATHER, derived), (CLOCK, ())], BOTH, executable)


def reasons(made: Catalog) -> list[tuple[str, Refusal]]:
    return [(refused.scenario.id, refused.reason) for refused in made.refused]


def test_the_catalog_keeps_the_order_of_tools_and_of_the_writer() -> None:
    other = scenario(ScenarioKind.TYPE_A, "weather")
    last = scenario(ScenarioKind.TRIGGER, "clock")
    made = catalog_of([(WEATHER, (other, TRIGGER)), (CLOCK, (last,))], BOTH, ("weather", "clock"))
    assert (made.scenarios, made.refused, made.skipped) == ((other, TRIGGER, last), (), ())


def test_a_scenario_for_another_tool_than_the_one_asked_about_is_refused() -> None:
    strayed = scenario(ScenarioKind.TRIGGER, "nowhere")
    made = catalog(TRIGGER, strayed)
    assert made.scenarios == (TRIGGER,)
    assert reasons(made) == [(strayed.id, Refusal.OTHER_TARGET)]


@pytest.mark.parametrize(
    ("lookalike", "kept"), [("clock", True), ("weather", False), ("nowhere", False), (None, False)]
)
def test_type_b_needs_another_tool_of_the_toolset(lookalike: str | None, kept: bool) -> None:
    type_b = scenario(ScenarioKind.TYPE_B, "weather", lookalike=lookalike)
    made = catalog(type_b)
    assert [each.id for each in made.scenarios] == ([type_b.id] if kept else [])
    assert reasons(made) == ([] if kept else [(type_b.id, Refusal.UNKNOWN_LOOKALIKE)])


def test_a_repeated_meaning_and_a_taken_id_are_refused_by_name() -> None:
    same = TRIGGER.model_copy(update={"id": "again", "title": TRIGGER.title.upper() + "  "})
    taken = TRIGGER.model_copy(update={"title": "something else"})
    made = catalog(TRIGGER, same, taken)
    assert made.scenarios == (TRIGGER,)
    assert reasons(made) == [("again", Refusal.DUPLICATE), (TRIGGER.id, Refusal.ID_TAKEN)]


def test_a_tool_that_may_not_be_executed_keeps_only_exclusions_that_need_no_execution() -> None:
    kinds = [scenario(kind, "weather", lookalike="clock") for kind in ScenarioKind]
    made = catalog(*kinds, executable=("clock",))
    assert [s.kind for s in made.scenarios] == [ScenarioKind.TYPE_A, ScenarioKind.TYPE_B, ScenarioKind.TYPE_C]
    assert [reason for _, reason in reasons(made)] == [Refusal.NOT_EXECUTABLE] * 2
    assert made.skipped == (
        SkippedTool(tool="weather", reason="policy forbids to execute it"),
        SkippedTool(tool="clock", reason="the catalog holds no trigger scenario of it"),
    )


@pytest.mark.requirement("P23", "D12")
def test_type_b_keeps_measure_and_score_in_its_evidence_once() -> None:
    type_b = scenario(ScenarioKind.TYPE_B, "weather", lookalike="clock").model_copy(update={"evidence": "both tell"})
    (kept,) = catalog(type_b).scenarios
    score = likeness(WEATHER, CLOCK, BOTH).similarity
    assert kept.evidence == f"both tell; {SIMILARITY.measure}: {score:.2f} between weather and clock"
    assert catalog(kept).scenarios == (kept,)
    assert catalog(kept).measure == SIMILARITY.measure


def titled(title: str, number: int, **other: object) -> Scenario:
    return TRIGGER.model_copy(update={"id": f"t{number}", "title": title, **other})


@pytest.mark.requirement("P21")
def test_a_title_that_says_almost_the_same_is_refused_with_what_it_is_like() -> None:
    made = catalog(titled("tell the weather along a sea voyage", 1), titled("telling the weather along sea voyages", 2))
    assert [each.id for each in made.scenarios] == ["t1"]
    (refused,) = made.refused
    assert (refused.reason, refused.detail) == (Refusal.NEAR_DUPLICATE, "tell the weather along a sea voyage")
    assert refused.similarity is not None
    assert refused.similarity >= 0.9


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("convert degrees from Celsius to Fahrenheit", "convert degrees from Fahrenheit to Celsius"),
        ("convert degrees from celsius to fahrenheit", "convert degrees from fahrenheit to celsius"),
        ("tell the weather of the next 3 days", "tell the weather of the next 7 days"),
        ("tell the weather, with the place given", "tell the weather, with the hour given"),
    ],
)
def test_titles_that_differ_in_values_or_arguments_are_two_scenarios(first: str, second: str) -> None:
    assert len(catalog(titled(first, 1), titled(second, 2)).scenarios) == 2


def test_the_same_title_of_another_kind_or_with_further_tools_is_another_scenario() -> None:
    other_kind = titled("now", 2, kind=ScenarioKind.TYPE_A)
    chained = titled("now", 3, then=("clock",))
    assert len(catalog(titled("now", 1), other_kind, chained).scenarios) == 3


@pytest.mark.parametrize(
    ("change", "executable", "reason"),
    [
        ({"then": ("clock",)}, ("weather", "clock"), None),
        ({"then": ("clock", "weather"), "ordered": True}, ("weather", "clock"), None),
        ({"then": ("nowhere",)}, ("weather", "clock"), Refusal.UNKNOWN_CHAINED_TOOL),
        ({"then": ("clock",)}, ("weather",), Refusal.NOT_EXECUTABLE),
        ({"then": ("clock",) * 4}, ("weather", "clock"), Refusal.CHAIN_TOO_LONG),
        ({"then": ("clock",), "kind": ScenarioKind.TYPE_A}, ("weather", "clock"), Refusal.CHAIN_OF_EXCLUSION),
    ],
)
@pytest.mark.requirement("P44")
def test_further_tools_of_a_trigger_are_known_and_may_be_executed(
    change: dict[str, object], executable: tuple[str, ...], reason: Refusal | None
) -> None:
    made = catalog(TRIGGER.model_copy(update=change), executable=executable)
    assert [refused.reason for refused in made.refused] == ([] if reason is None else [reason])
    assert len(made.scenarios) == (reason is None)


async def test_a_writer_is_told_the_look_alikes_and_whether_chains_are_wanted() -> None:
    writer = ListeningWriter(by_tool={"weather": (TRIGGER,)})
    await derive_catalog(writer, BOTH, ("weather", "clock"), calls(MemoryLedger()), chains=True)
    weather = next(asked for asked in writer.asked if asked.tool == WEATHER)
    assert weather.chains
    assert weather.lookalikes == lookalikes_of(WEATHER, BOTH)


@dataclass
class ListeningWriter(ScriptedWriter):
    asked: list[ScenarioTask] = field(default_factory=list[ScenarioTask])

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        self.asked.append(task)
        return await super().scenarios(task)


def calls(ledger: MemoryLedger) -> RoleCalls:
    return RoleCalls(ledger=ledger, limiter=anyio.CapacityLimiter(2))


async def test_every_tool_is_asked_once_and_a_second_time_from_the_ledger() -> None:
    ledger = MemoryLedger()
    writer = ScriptedWriter(by_tool={"weather": (TRIGGER,)})
    first = await derive_catalog(writer, BOTH, ("weather", "clock"), calls(ledger))
    second = await derive_catalog(writer, BOTH, ("weather", "clock"), calls(ledger))
    assert sorted(writer.derived) == ["clock", "weather"]
    assert ledger.made == ["scenarios", "scenarios"]
    assert first == second
    assert first.scenarios == (TRIGGER,)


class BrokenWriter(ScriptedWriter):
    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        raise ConnectionError(DOWN.detail)


async def test_a_writer_that_breaks_leaves_no_catalog_and_nothing_recorded() -> None:
    ledger = MemoryLedger()
    with pytest.raises(IncompleteError, match="no scenarios from weather: ConnectionError: down"):
        await derive_catalog(BrokenWriter(by_tool={}), BOTH, ("weather",), calls(ledger))
    assert ledger.answers == {}
