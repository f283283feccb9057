"""The next version of a benchmark: fixed by its job, made of the newest version only, stored with all its evidence."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from plugineval.pccf.changelog import Why, changes_between
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.ledger import CallKey, recorded
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.releases import Change
from plugineval.pccf.values import Value, content_hash
from plugineval.server.jobs.context import JobContext
from plugineval.server.store.states import BenchmarkState

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


class VersionOutcome(Value):
    """What a new version is: the object of `revise --json` and `recalibrate --json`."""

    benchmark_id: str
    name: str
    version: int
    parent: str
    content_hash: str
    examples: int
    changes: tuple[Change, ...]
    executed: int = 0
    """Calls of plugins that were made to prove it."""


async def newest_version(store: "Store", named: str) -> Benchmark:
    """The benchmark to make a version of; `ConfigurationError` for one that is not complete, or not the newest.

    A history never forks: two corrections of one version would leave nobody knowing which gold is right.
    """
    benchmark = await store.benchmarks.get(named)
    if (await store.benchmarks.summary(benchmark.id)).state is not BenchmarkState.COMPLETE:
        raise ConfigurationError(
            f"{benchmark.id} is not complete", field="benchmark", next_step="resume the job that builds it"
        )
    newest = (await store.benchmarks.versions(benchmark.id))[-1]
    if newest.id != benchmark.id:
        problem = f"{benchmark.id} is version {benchmark.release.version}, and there is a newer one"
        raise ConfigurationError(
            problem, field="benchmark", next_step=f"name version {newest.release.version}: {newest.id}"
        )
    return benchmark


def version_id(context: JobContext) -> str:
    """Fixed by the job, so that a resumed one writes the same version."""
    return f"bench-{content_hash(context.job_id)[:12]}"


async def refuse_overtaken(context: JobContext, old: Benchmark) -> None:
    """`ConfigurationError` where another job has made the version after `old` since this one was planned."""
    release = old.release.next(old.id, note="", changes=())
    await context.store.benchmarks.refuse_fork(old.model_copy(update={"id": version_id(context), "release": release}))


async def keep_version(
    context: JobContext, old: Benchmark, new: Benchmark, reasons: Mapping[str, Why], *, note: str
) -> Benchmark:
    """Store `new` as the version after `old`, with the rounds and records that its cases rest on.

    `ConfigurationError` where nothing is another than it was, or another version came first: nothing of it stays.
    """
    try:
        made = await _kept(context, old, new, reasons, note=note)
    except ConfigurationError:
        await context.store.benchmarks.discard(version_id(context))
        raise
    await context.workspace.announce(f"plugineval://benchmarks/{made.id}")
    return made


async def _kept(
    context: JobContext, old: Benchmark, new: Benchmark, reasons: Mapping[str, Why], *, note: str
) -> Benchmark:
    changes = changes_between(old, new, reasons)
    if not changes and new.router == old.router:
        raise ConfigurationError(
            "it would be the same as it is", field="benchmark", next_step="nothing needs to be done"
        )
    release = old.release.next(old.id, note=note, changes=changes)
    made = new.model_copy(update={"id": version_id(context), "created_at": await _moment(context), "release": release})
    await _keep(context.store, old, made)
    await context.store.benchmarks.finish(made)
    return made


def outcome_of(made: Benchmark, *, executed: int = 0) -> VersionOutcome:
    """The outcome that a job returns."""
    return VersionOutcome(
        benchmark_id=made.id,
        name=made.name,
        version=made.release.version,
        parent=made.release.parent or "",
        content_hash=made.content_hash,
        examples=len(made.examples),
        changes=made.release.changes,
        executed=executed,
    )


async def add_records(context: JobContext, made_of: Benchmark, records: Iterable[VerificationRecord]) -> None:
    """Store new evidence under the version that the job makes."""
    name, at = version_id(context), await _moment(context)
    header = made_of.model_copy(update={"id": name, "examples": (), "created_at": at})
    await context.store.benchmarks.save_header(header)
    for record in records:
        await context.store.records.append(name, record)


class _Moment(Value):
    at: datetime


async def _moment(context: JobContext) -> datetime:
    """When the job first came this far: a resumed job must not date its version anew."""

    async def now() -> _Moment:
        return _Moment(at=datetime.now(UTC))

    key = CallKey(stage="version", model="", case=context.job_id)
    return (await recorded(context.journal, key, _Moment, now)).at


async def _keep(store: "Store", old: Benchmark, made: Benchmark) -> None:
    """What was proven for the version before is proven for this one: its evidence goes along."""
    await store.benchmarks.save_header(made)
    wanted = {example.record_id for example in made.examples}
    async for record in await store.records.stream(old.id):
        if record.id in wanted:
            await store.records.append(made.id, record)
    for number, body in enumerate(await store.rounds.all(old.id)):
        await store.rounds.append(made.id, number, body)
