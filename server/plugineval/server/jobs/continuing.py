"""A build that goes on after a limit had ended it makes the next version: what was released stays what it was.

It replays its journal and keeps all of it under the id of the new version: the evidence, the cases with the ids that
they had, and the content that the build would have had without the limit. Where nothing came of it, there is none.
"""

from typing import TYPE_CHECKING

from plugineval.pccf.changelog import changes_between
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.values import content_hash

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

NOTE = "its construction went on after a limit had ended it"


def benchmark_of(job_id: str, continues: str | None = None) -> str:
    """Fixed by the job, so that a resumed build goes on writing the same: the benchmark after whose id its cases are
    named, or the version after the one that it `continues`.
    """
    return f"bench-{content_hash(job_id if continues is None else [job_id, continues])[:12]}"


async def require_newest(store: "Store", benchmark_id: str) -> None:
    """`ConfigurationError` where there is a later version: a history never forks."""
    newest = (await store.benchmarks.versions(benchmark_id))[-1]
    if newest.id != benchmark_id:
        raise ConfigurationError(
            f"benchmark {benchmark_id} cannot grow any more: version {newest.id} was made from it",
            field="benchmark",
            next_step="build a new one with the limits that it needs",
        )


async def release_built(store: "Store", built: Benchmark, continues: str | None) -> Benchmark:
    """Freeze what a build made: as a benchmark of its own, or as the version after the one that it continues.

    Given back is what is stored, which is that one where nothing is another than it was. `ConfigurationError` where
    another version has been made of it meanwhile.
    """
    if continues is None:
        await store.benchmarks.finish(built)
        return built
    old = await store.benchmarks.get(continues)
    changes = changes_between(old, built)
    if not changes and built.router == old.router:
        await store.benchmarks.discard(built.id)
        return built.model_copy(update={"id": old.id, "release": old.release})
    made = built.model_copy(update={"release": old.release.next(old.id, note=NOTE, changes=changes)})
    try:
        await store.benchmarks.finish(made)
    except ConfigurationError:
        await store.benchmarks.discard(built.id)
        raise
    return made
