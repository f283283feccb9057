"""Minutes of work and failed calls are counted over all processes of a job, whichever way they ended."""

from pathlib import Path

import pytest

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.metering import CarriedOver
from plugineval.pccf.spending import Spent
from plugineval.server.jobs.metering import open_meter
from plugineval.server.store.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P35", "X3")]


async def test_the_work_of_killed_processes_counts_in_the_next_one(tmp_path: Path) -> None:
    async with Store.open(tmp_path / "p.db") as store:
        for process, seconds in (("one", 50.0), ("one", 70.0), ("two", 60.0)):
            reading = CarriedOver(seconds=seconds, spent=Spent(calls=2, input_tokens=5, cost=0.5))
            await store.meters.write("job-1", process, reading.model_dump(mode="json"))
        async with open_meter(store, "job-1", BuildLimits(minutes=3)) as meter:
            assert 130 <= meter.seconds < 160
            assert meter.spent == Spent(calls=4, input_tokens=10, cost=1.0)
            assert meter.refusal() is None
        async with open_meter(store, "job-1", BuildLimits(minutes=2)) as meter:
            assert meter.refusal() is not None


async def test_a_meter_leaves_its_reading_even_where_the_work_broke(tmp_path: Path) -> None:
    async with Store.open(tmp_path / "p.db") as store:
        with pytest.raises(RuntimeError):
            async with open_meter(store, "job-1", BuildLimits()):
                raise RuntimeError("broken")
        assert len(await store.meters.all("job-1")) == 1
        assert await store.meters.all("job-2") == []
        assert await store.calls.count("job-1") == {}
