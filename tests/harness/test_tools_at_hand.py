"""Tools are prepared once by content, and those of runs that are over are let go."""

import gc
import weakref

from plugineval.harness.prepared_tools import prepared
from plugineval.pccf.tools import ToolSpec


def tool() -> ToolSpec:
    return ToolSpec(name="add", description="Add two numbers.", input_schema={"type": "object"})


def test_a_server_that_measures_for_months_keeps_the_tools_of_its_last_runs_alone() -> None:
    first = prepared(tool())
    early = [tool() for _ in range(500)]
    assert all(prepared(each) is first for each in early)
    kept = [weakref.ref(each) for each in early]
    del early
    for _ in range(1500):
        assert prepared(tool()) is first
    gc.collect()
    assert [each for each in kept if each() is not None] == []
