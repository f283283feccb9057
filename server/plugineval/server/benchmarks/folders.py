"""A stored benchmark as a folder's content, and a folder's content as a stored benchmark: the same one."""

from typing import TYPE_CHECKING

from plugineval.clients.formats.benchmark_folder import BenchmarkFolder
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.server.benchmarks.card import card_text
from plugineval.server.benchmarks.card_facts import card_facts
from plugineval.server.store.states import BenchmarkState

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


async def folder_of(store: "Store", named: str) -> BenchmarkFolder:
    """Everything about a benchmark; `ConfigurationError` for one that is not complete."""
    benchmark = await store.benchmarks.get(named)
    if (await store.benchmarks.summary(benchmark.id)).state is not BenchmarkState.COMPLETE:
        step = "resume the job that builds it"
        raise ConfigurationError(f"{benchmark.id} is not complete", field="benchmark", next_step=step)
    return BenchmarkFolder(
        benchmark=benchmark,
        records=tuple([record async for record in await store.records.stream(benchmark.id)]),
        rounds=await store.rounds.all(benchmark.id),
        card=card_text(await card_facts(store, benchmark.id)),
    )


async def keep_folder(store: "Store", content: BenchmarkFolder) -> bool:
    """Store what a folder holds; False if it is here already.

    `ConfigurationError` where another benchmark has its id, or its place in its history.
    """
    benchmark = content.benchmark
    try:
        known = await store.benchmarks.summary(benchmark.id)
    except UnknownNameError:
        known = None
    if known is not None and known.id == benchmark.id and known.content_hash is not None:
        if known.content_hash != benchmark.content_hash:
            problem = f"another benchmark is called {benchmark.id}"
            step = "import it into a home of its own, with --home"
            raise ConfigurationError(problem, field="benchmark", next_step=step)
        return False
    await store.benchmarks.refuse_fork(benchmark)
    await store.benchmarks.save_header(benchmark)
    for record in content.records:
        await store.records.append(benchmark.id, record)
    for number, body in enumerate(content.rounds):
        await store.rounds.append(benchmark.id, number, body)
    await store.benchmarks.finish(benchmark)
    return True
