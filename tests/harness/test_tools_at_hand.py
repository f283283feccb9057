"""Tools are prepared once by content, and those of runs that are over are let go, with what was compared for them."""

import gc
import weakref

from plugineval.harness.cases import Case
from plugineval.harness.comparing import Comparing
from plugineval.harness.prepared_tools import prepared
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.tools import Toolset, ToolSpec


def tool() -> ToolSpec:
    return ToolSpec(name="add", description="Add two numbers.", input_schema={"type": "object"})


def case() -> Case:
    return Case(
        id="c",
        query=Query.of_text("What is one and two?"),
        toolset=Toolset(tools=(tool(),)),
        sample_type=SampleType.POSITIVE,
        gold=(GoldCall(tool="add", arguments={"a": 1, "b": 2}),),
    )


def test_a_server_that_measures_for_months_keeps_no_tools_of_runs_that_are_over() -> None:
    first = prepared(tool())
    early = [tool() for _ in range(500)]
    assert all(prepared(each) is first for each in early)
    kept = [weakref.ref(each) for each in early]
    del early
    gc.collect()
    assert [each for each in kept if each() is not None] == []


def measured(run: Case) -> weakref.ref[GoldCall]:
    """Its gold call, once a call was compared with it."""
    call = EmittedCall(name="add", arguments={"a": 1, "b": 3})
    Comparing(run, meaning="ask", settled={}, checks={})(run.gold[0], call)
    return weakref.ref(run.gold[0])


def test_nor_their_gold_calls() -> None:
    running = case()
    assert measured(running)() is running.gold[0]
    over = measured(case())
    gc.collect()
    assert over() is None
