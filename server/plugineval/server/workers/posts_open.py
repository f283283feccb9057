"""The posts that a worker has open, and what keeps it from others: asked once, and again after a while."""

import logging
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

import anyio
from anyio.abc import TaskGroup

from plugineval.pccf.errors import PluginEvalError, bug_told, mendable
from plugineval.server.store.summaries import Job
from plugineval.server.workers.posts import Post

AGAIN_S = 30.0
"""After which a model that could not be asked from here is tried again."""

logger = logging.getLogger(__name__)

Opening: TypeAlias = Callable[[Job, str], AbstractAsyncContextManager[Post]]


class _Place:
    def __init__(self) -> None:
        self.ready, self.close = anyio.Event(), anyio.Event()
        self.post: Post | None = None
        self.error: PluginEvalError | None = None
        self.since = anyio.current_time()

    @property
    def worn_out(self) -> bool:
        """Whether it failed long enough ago."""
        return self.error is not None and anyio.current_time() - self.since > AGAIN_S


class OpenPosts:
    """Posts by job and model. Each is held open by a task of its own, as what is opened is to be closed in its task."""

    def __init__(self, tasks: TaskGroup, opening: Opening) -> None:
        self._tasks, self._opening = tasks, opening
        self._places: dict[tuple[str, str], _Place] = {}

    async def get(self, job: Job, model: str) -> Post:
        """The post; the `PluginEvalError` that keeps this worker from it."""
        key = (job.id, model)
        place = self._places.get(key)
        if place is None or place.worn_out:
            place = self._places[key] = _Place()
            self._tasks.start_soon(self._hold, place, job, model)
        await place.ready.wait()
        if place.post is None:
            raise place.error or PluginEvalError(f"{model} cannot be asked from here")
        return place.post

    def of(self, jobs: Collection[str]) -> list[tuple[str, str]]:
        """Job and model of those that are open, of these jobs; those of all others are closed."""
        for key in [key for key in self._places if key[0] not in jobs]:
            self._places.pop(key).close.set()
        return [key for key, place in self._places.items() if place.post is not None]

    async def _hold(self, place: _Place, job: Job, model: str) -> None:
        try:
            async with self._opening(job, model) as post:
                place.post = post
                place.ready.set()
                await place.close.wait()
        except Exception as error:
            place.error = mendable(error)
            if place.error is None:
                logger.exception("the post of %s in %s could not be opened", model, job.id)
                place.error = PluginEvalError(bug_told(error))
        finally:
            place.post = None
            place.ready.set()
