"""The job that a person at a command line names: by its id, by its run or grading, or by the beginning of one of them.

Whoever has the database may read all of it. Clients of a server are offered none: there an id is the key to the result.
"""

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing

from plugineval.pccf.errors import AmbiguousNameError, UnknownNameError
from plugineval.pccf.nearest import COMPARED
from plugineval.server.store.store import Store
from plugineval.server.store.summaries import Job


async def named_job(store: Store, given: str, *, next_step: str, kinds: Collection[str] = ()) -> Job:
    """The newest job called `given`, else the only one with a name that begins so; of some `kinds`, or of all.

    `UnknownNameError` where there is none, `AmbiguousNameError` where several begin so.
    """
    begun: dict[str, Job] = {}
    names: list[str] = []
    async with aclosing(newest_first(store)) as jobs:
        async for job in jobs:
            if kinds and job.kind not in kinds:
                continue
            own = names_of(job)
            if given in own:
                return job
            if given and any(name.startswith(given) for name in own):
                begun[job.id] = job
            names += own
    if len(begun) == 1:
        return next(iter(begun.values()))
    if begun:
        raise AmbiguousNameError("job or run", given, [f"{job.id} ({told(job)})" for job in begun.values()])
    raise UnknownNameError("job or run", given, (), alike=names[:COMPARED], next_step=next_step)


def names_of(job: Job) -> tuple[str, ...]:
    """Its id, and those of the run or grading that it makes."""
    params = job.params if isinstance(job.params, dict) else {}
    return (job.id, *(str(params[name]) for name in ("run_id", "grading_id") if params.get(name)))


def told(job: Job) -> str:
    """What kind of job it is, of what, and how it stands."""
    return ", ".join([job.kind, *names_of(job)[1:], job.state.value])


async def newest_first(store: Store) -> AsyncGenerator[Job]:
    """All jobs, read by the page."""
    page = await store.jobs.page(limit=100)
    while True:
        for job in page.items:
            yield job
        if page.next_cursor is None:
            return
        page = await store.jobs.page(cursor=page.next_cursor, limit=100)
