"""Stamps in runs: rewrites and settings stand in the report, and a run with other settings is another run (B8, B18)."""

from collections.abc import Iterable

import anyio
import pytest

from doubles.harness import ScriptedModel, positive, run_info, tool
from plugineval.harness.drift import Drifting
from plugineval.harness.rendering.markdown import render_markdown
from plugineval.harness.rendering.stamp_tables import SHOWN
from plugineval.harness.report import Report
from plugineval.harness.report_builder import ReportBuilder
from plugineval.harness.run import RunInfo
from plugineval.harness.stamping import refuse_other_settings, stamps_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.stamps import ModelStamp, SchemaRewrite
from plugineval.pccf.tools import Toolset

CASES = (positive(GoldCall(tool="add", arguments={"a": 1}), tools=(tool("add"),)),)


async def _silent(query: Query, toolset: Toolset, seed: int) -> RouterReply:
    await anyio.lowlevel.checkpoint()
    return RouterReply()


class StampedModel(ScriptedModel):
    def __init__(self, model_id: str, stamp: ModelStamp) -> None:
        super().__init__(model_id, _silent)
        self._stamp = stamp

    def stamp(self, toolsets: Iterable[Toolset]) -> ModelStamp:
        assert [found.content_hash for found in toolsets] == [CASES[0].toolset.content_hash]
        return self._stamp


def stamp(mode: str, *, rewrites: int = 0) -> ModelStamp:
    changes = tuple(SchemaRewrite(tool="t", path=f"/parameters/{n}", change="dropped") for n in range(rewrites))
    return ModelStamp(settings={"call_mode": mode, "temperature": 0.0}, rewrites=changes)


def run(mode: str, *, rewrites: int = 0) -> RunInfo:
    return run_info(CASES, "m").model_copy(update={"stamps": {"m": stamp(mode, rewrites=rewrites)}})


def report(info: RunInfo) -> Report:
    assert info.finished_at is not None
    return ReportBuilder(info).build(now=info.finished_at)


def test_models_with_settings_are_stamped_and_the_embedded_ones_are_not() -> None:
    models = [StampedModel("m", stamp("native")), ScriptedModel("floor", _silent)]
    assert stamps_of(models, [*CASES, *CASES]) == {"m": stamp("native")}


@pytest.mark.requirement("B8", "B18")
def test_the_report_lists_how_each_model_was_asked_and_every_change_to_its_tools() -> None:
    text = render_markdown(report(run("json_schema", rewrites=2)))
    assert "call mode json_schema; temperature 0.0" in text
    assert "Tools sent with changes" in text
    assert text.count("/parameters/") == 2


def test_one_change_to_many_tools_is_one_line_with_all_of_them() -> None:
    changes = tuple(SchemaRewrite(tool=f"t{n}", path="/name", change="dropped") for n in range(30))
    stamped = run("native").model_copy(update={"stamps": {"m": ModelStamp(settings={}, rewrites=changes)}})
    (line,) = [line for line in render_markdown(report(stamped)).splitlines() if "/name" in line]
    assert ", ".join(f"t{n}" for n in range(30)) in line


def test_a_long_list_of_changes_says_how_many_more_there_are() -> None:
    text = render_markdown(report(run("native", rewrites=SHOWN + 3)))
    assert (text.count("/parameters/"), "3 more of m" in text) == (SHOWN, True)
    assert "Tools sent with changes" not in render_markdown(report(run("native")))


def test_a_report_with_stamps_comes_back_as_it_was_stored() -> None:
    found = report(run("json_schema", rewrites=1))
    assert Report.model_validate_json(found.model_dump_json()) == found


@pytest.mark.requirement("B18")
def test_a_run_does_not_go_on_with_other_settings() -> None:
    refuse_other_settings(run("native"), {"m": stamp("native")})
    refuse_other_settings(run_info(CASES, "m"), {"m": stamp("native")})
    moved = ModelStamp(settings={**stamp("native").settings, "endpoint": "http://elsewhere", "stream": True})
    refuse_other_settings(run("native"), {"m": moved})
    with pytest.raises(
        ConfigurationError, match=r"models\.m: call_mode was native when run-1 began, and is json_schema"
    ):
        refuse_other_settings(run("native"), {"m": stamp("json_schema")})
    with pytest.raises(ConfigurationError, match="rewrites"):
        refuse_other_settings(run("native"), {"m": stamp("native", rewrites=1)})


@pytest.mark.requirement("B27")
def test_drift_says_first_that_a_model_was_asked_otherwise() -> None:
    drift = Drifting(report(run("native")), report(run("json_schema"))).result()
    assert [(change.field, change.old, change.new) for change in drift.scope] == [
        ("call_mode", "m: native", "m: json_schema")
    ]
