"""The meter of a job over all its processes: what its journal does not tell is written beside it every few seconds.

A process that is killed loses those seconds at most, and of failed calls what they cost meanwhile; what was paid for
answers is in the answers themselves.
"""

import logging
import secrets
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.errors import StoreError
from plugineval.pccf.metering import CarriedOver, Meter
from plugineval.pccf.values import Json

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

WRITE_S = 2.0
"""How often a reading is written."""

logger = logging.getLogger(__name__)


@asynccontextmanager
async def open_meter(store: "Store", job_id: str, limits: BuildLimits) -> AsyncGenerator[Meter]:
    """A meter that goes on where the processes before this one stopped; its last reading is written at the end."""
    before = carried_over(await store.meters.all(job_id))
    meter, process = Meter(limits, before=before), secrets.token_hex(8)

    async def write() -> None:
        try:
            await store.meters.write(job_id, process, meter.own.model_dump(mode="json"))
        except StoreError as error:
            # The work itself meets a store that cannot be written; a lock that was held too long is over by then.
            logger.warning("job %s: meter not written: %s", job_id, error)

    async def keep_writing() -> None:
        while True:
            await anyio.sleep(WRITE_S)
            await write()

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(keep_writing)
            try:
                yield meter
            finally:
                tasks.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):
                    await write()
    except ExceptionGroup as group:
        # What ended the work, and not that a group held it, is what a person is told.
        raise (group.exceptions[0] if len(group.exceptions) == 1 else group) from None


def carried_over(readings: Iterable[Json]) -> CarriedOver:
    """The sum of the readings of several processes."""
    total = CarriedOver()
    for reading in readings:
        total += CarriedOver.model_validate(reading)
    return total
