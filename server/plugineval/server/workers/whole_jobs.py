"""A whole job in a worker: seen to its end, or handed over at its next durable step when the worker is to leave."""

import anyio

from plugineval.pccf.doors import Door
from plugineval.server.jobs.context import Runner
from plugineval.server.jobs.running import JobRun
from plugineval.server.store.summaries import Job
from plugineval.server.workspace import Workspace


class WholeJob:
    """A claimed job. `drain` is set when the worker is to leave: then calls in flight have `grace_s` to be answered."""

    def __init__(self, workspace: Workspace, job: Job, drain: anyio.Event, grace_s: float) -> None:
        self._workspace, self._job = workspace, job
        self._drain, self._grace_s = drain, grace_s
        self._door = Door()
        self._scope = anyio.CancelScope()

    async def run(self, runner: Runner | None) -> bool:
        """Do it; False where another worker is to go on with it."""
        run = JobRun(self._workspace, await self._workspace.store(), self._job, self._door)
        with self._scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._leave)
                await run.run(runner)
                tasks.cancel_scope.cancel()
        return not self._scope.cancelled_caught

    async def _leave(self) -> None:
        await self._drain.wait()
        self._door.close()
        with anyio.move_on_after(self._grace_s):
            await self._door.quiet.wait()
        self._scope.cancel()
