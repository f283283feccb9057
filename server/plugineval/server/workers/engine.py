"""The engine on a queue: jobs go to workers where the settings say so, and every other job runs in this process.

Whoever waits for a job reads our own tables, so that following one needs no queue at all.
"""

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.pccf.values import Json
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.workers.casting import with_roles
from plugineval.server.workers.queue import Delivery, Queue


class QueueEngine(JobEngine):
    """An `Engine`."""

    async def start(self, kind: str, params: Json, *, job_id: str | None = None) -> Job:
        """Create a job and run it, here or on the queue; the job as it was created."""
        if not await self._is_shared(kind, params):
            return await super().start(kind, params, job_id=job_id)
        store, params = await self.workspace.store(), with_roles(kind, params, self.workspace.settings.roles)
        async with Queue.open(self.workspace.settings) as queue:
            job = await store.jobs.create(kind, params, job_id=job_id, engine="workers")
            await queue.deliver([Delivery(job.id)])
        return job

    async def resume(self, job_id: str) -> Job:
        """Go on with a job where it belongs; one that is over, or is run by somebody, is returned as it is."""
        store = await self.workspace.store()
        if (await store.jobs.get(job_id)).engine == "here":
            return await super().resume(job_id)
        async with Queue.open(self.workspace.settings) as queue:
            job = await store.jobs.queue(job_id)
            if job.state is JobState.QUEUED:
                await queue.deliver([Delivery(job.id)])
        return job

    async def _is_shared(self, kind: str, params: Json) -> bool:
        settings = self.workspace.settings
        if kind != "evaluate":
            return kind in settings.workers.jobs
        if settings.run.engine == "here":
            return False
        from plugineval.server.jobs.params import EvaluateParams

        planned = EvaluateParams.model_validate(params)
        info = await (await self.workspace.store()).runs.get(planned.run_id)
        # Agents answer through the database from anywhere: a worker would only wait for them.
        return not any(model in WORK_MODELS for model in (*info.config.models, planned.grading.judge))
