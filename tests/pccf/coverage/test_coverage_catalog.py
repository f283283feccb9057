import anyio
import pytest

from doubles.construction import DOWN, MemoryLedger, ScriptedWriter, scenario, tool
from plugineval.pccf.calling import RoleCalls
from plugineval.pccf.coverage.catalog import Catalog, Refusal, SkippedTool, catalog_of
from plugineval.pccf.coverage.derivation import derive_catalog
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec

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
    assert made.scenarios == ((type_b,) if kept else ())
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
        SkippedTool(tool="clock", reason="no trigger scenario could be derived from it"),
    )


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
    async def scenarios(self, tool: ToolSpec, toolset: Toolset) -> tuple[Scenario, ...]:
        raise ConnectionError(DOWN.detail)


async def test_a_writer_that_breaks_leaves_no_catalog_and_nothing_recorded() -> None:
    ledger = MemoryLedger()
    with pytest.raises(IncompleteError, match="no scenarios from weather: ConnectionError: down"):
        await derive_catalog(BrokenWriter(by_tool={}), BOTH, ("weather",), calls(ledger))
    assert ledger.answers == {}
