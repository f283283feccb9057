"""Refinement: what the rounds before showed changes the next proposal, and may turn a rejection into an acceptance."""

import pytest

from doubles.lexical_tools import ABSENCE, NOW, RESIZE, WEIGH, asked
from plugineval.clients.baseline import BASELINE_ID, LexicalGenerator
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment, ProposalTrace, Round, SchemaViolation
from plugineval.pccf.roles import ProposalTask
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments

pytestmark = pytest.mark.anyio
LOAD = asked("Convert a load of 12 from kilograms to pounds")
REFUSED: Arguments = {"value": 12, "from_unit": "kilograms", "to_unit": "pounds"}


def a_round(given: Arguments, tool: ToolSpec, *, error: str = "", blame: str = "", violation: str = "") -> Round:
    observed = Observation(kind=ObservationKind.TOOL_ERROR, tool=tool.name, arguments=given, text=error)
    trace = ProposalTrace(
        round=1,
        generator=BASELINE_ID,
        index=0,
        proposal=Invocation(tool=tool.name, arguments=given),
        observation=observed if error else None,
        argument_assessment=Assessment(score=0.2, reason=blame, evaluator="x") if blame else None,
        schema_violations=(SchemaViolation(path="/format", keyword="enum", message=violation),) if violation else (),
    )
    return Round(number=1, traces=(trace,))


async def proposal(query: Query, tool: ToolSpec, *history: Round, index: int = 0) -> object:
    return (
        await LexicalGenerator().propose(ProposalTask(query=query, tool=tool, history=history), index=index)
    ).proposal


async def arguments(query: Query, tool: ToolSpec, *history: Round, index: int = 0) -> Arguments:
    found = await proposal(query, tool, *history, index=index)
    assert isinstance(found, Invocation)
    return found.arguments


@pytest.mark.requirement("P19")
async def test_an_error_text_that_lists_allowed_values_leads_to_one_of_them() -> None:
    assert await arguments(LOAD, WEIGH) == REFUSED
    refused = a_round(REFUSED, WEIGH, error="unknown unit 'kilograms'; supported units: 'kg', 'lb', 'st'")
    assert (await arguments(LOAD, WEIGH, refused))["from_unit"] == "kg"


@pytest.mark.requirement("P19")
async def test_a_refused_unit_is_tried_in_its_other_spelling() -> None:
    refused = a_round(REFUSED, WEIGH, error="cannot convert from 'kilograms'")
    assert await arguments(LOAD, WEIGH, refused) == REFUSED | {"from_unit": "kg"}


@pytest.mark.requirement("P19")
async def test_an_argument_that_the_evaluator_blamed_takes_another_value() -> None:
    query = asked('Register the absence of "Ada", end date 2026-03-09, start date 2026-03-05', now=NOW)
    eager: Arguments = {"person_name": "Ada", "start_date": "2026-03-09", "end_date": "2026-03-05"}
    assert await arguments(query, ABSENCE, index=1) == eager
    blamed = a_round(
        eager, ABSENCE, blame="start_date: stands where the query names another argument; end_date: so too"
    )
    assert await arguments(query, ABSENCE, blamed, index=1) == {
        "person_name": "Ada",
        "start_date": "2026-03-05",
        "end_date": "2026-03-09",
    }


async def test_a_call_that_was_refused_is_not_proposed_again_while_another_is_left() -> None:
    given: Arguments = {"width": 90, "format": "hex"}
    query = asked("width 90, format hex or rgb")
    again = await arguments(query, RESIZE, a_round(given, RESIZE, violation="not allowed"))
    assert again == {"width": 90, "format": "rgb"}


@pytest.mark.requirement("P10")
async def test_it_abstains_and_names_what_is_missing() -> None:
    found = await proposal(asked("Resize the picture"), RESIZE)
    assert isinstance(found, Abstention)
    assert found.missing == ("width", "format")


@pytest.mark.requirement("P9")
async def test_generators_differ_where_the_text_is_hard_and_agree_where_it_is_plain() -> None:
    hard = asked('Register the absence of "Ada", end date 2026-03-09, start date 2026-03-05')
    assert len({str(await arguments(hard, ABSENCE, index=index)) for index in range(3)}) > 1
    plain = asked("Resize the picture: width 90; format rgb")
    assert len({str(await arguments(plain, RESIZE, index=index)) for index in range(3)}) == 1
