"""Whatever an answer links to can be read."""

import pytest

from doubles.mcp_client import MODES, Agent, Mode, in_memory
from journeys.conftest import Built

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("view", ["cases", "coverage", "card", "versions"])
@pytest.mark.parametrize("mode", MODES)
async def test_every_view_of_a_benchmark_links_to_what_there_is(mode: Mode, view: str, built: Built) -> None:
    async with in_memory(built.home, mode) as client:
        assert await Agent(client).call("benchmark_get", benchmark_id=built.benchmark_id, view=view)


async def test_a_variant_without_a_name_is_refused_with_the_argument(built: Built) -> None:
    async with in_memory(built.home, "auto") as client:
        variant = {"variant": "", "tool": "convert_length", "description": "Changes lengths."}
        text = await Agent(client).refused(
            "evaluation_run", benchmark_id=built.benchmark_id, models=["baseline:lexical"], variants=[variant]
        )
    assert "variants.0.variant" in text


async def test_a_thousand_mistakes_are_told_in_short(built: Built) -> None:
    async with in_memory(built.home, "auto") as client:
        wrong: dict[str, object] = {"benchmark_id": built.benchmark_id, "models": [7] * 1_000}
        assert len(text := await Agent(client).refused("evaluation_run", **wrong)) < 2_000
        assert "992 more are wrong" in text
        assert len(await Agent(client).refused("plugin_list", **{"x" * 9_000: 1})) < 1_000
