"""Construction as it is kept: snapshots, benchmarks, examples, records and rounds; every append may be repeated."""

import pytest

from doubles.store import a_benchmark, a_plugin, a_record, a_run, an_example
from plugineval.pccf.errors import AmbiguousNameError, ConfigurationError, InvalidRecordError, UnknownNameError
from plugineval.server.store import BenchmarkState, Store, examples
from plugineval.server.store.database import Database
from plugineval.server.store.options import StoreOptions

pytestmark = [pytest.mark.anyio]


async def test_the_newest_snapshot_of_a_plugin_answers_to_its_name(store: Store) -> None:
    old, new = a_plugin(), a_plugin(description="Rain and sun")
    await store.plugins.save(old)
    await store.plugins.save(new)
    assert await store.plugins.get("weather") == new
    assert await store.plugins.get("weather", content_hash=old.content_hash) == old
    assert [(line.name, line.content_hash, line.tools) for line in await store.plugins.all()] == [
        ("weather", new.content_hash, 1)
    ]


async def test_a_plugin_that_goes_back_to_an_old_content_has_that_as_its_newest(store: Store) -> None:
    old, new = a_plugin(), a_plugin(description="Rain and sun")
    for snapshot in (old, new, old):
        await store.plugins.save(snapshot)
    assert await store.plugins.get("weather") == old


async def test_an_unknown_plugin_is_refused_with_the_names_there_are(store: Store) -> None:
    await store.plugins.save(a_plugin())
    with pytest.raises(UnknownNameError, match="did you mean 'weather'"):
        await store.plugins.get("wether")


async def test_a_benchmark_can_be_read_while_it_is_built_and_appends_may_be_repeated(store: Store) -> None:
    await store.benchmarks.save_header(a_benchmark())
    for _ in range(2):
        for number in (1, 0):
            await store.examples.append("benchmark-a", an_example(number))
            await store.records.append("benchmark-a", a_record(number))
    await store.records.append("benchmark-a", a_record(2, accepted=False))
    benchmark = await store.benchmarks.get("benchmark-a")
    assert benchmark.examples == (an_example(1), an_example(0))
    line = await store.benchmarks.summary("benchmark-a")
    assert (line.state, line.content_hash, line.examples, line.records) == (BenchmarkState.BUILDING, None, 2, 3)
    assert await store.records.verdicts("benchmark-a") == {"accepted": 2, "rejected": 1}


async def test_of_many_benchmarks_built_in_turn_the_scenarios_of_few_are_remembered(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examples, "BUILT_AT_ONCE", 1)
    for number in range(4):
        name = f"benchmark-{number % 2}"
        await store.benchmarks.save_header(a_benchmark(name))
        await store.examples.append(name, an_example(number))
    assert len(store.examples._kinds) == 1  # pyright: ignore[reportPrivateUsage]
    for name in ("benchmark-0", "benchmark-1"):
        page = await store.examples.page(name)
        assert [line.scenario_kind for line in page.items] == ["trigger", "trigger"]


async def test_what_was_appended_is_there_after_reopening(where: str) -> None:
    async with Store.open(where) as store:
        await store.benchmarks.save_header(a_benchmark())
        await store.examples.append("benchmark-a", an_example(0))
    async with Store.open(where) as store:
        assert (await store.benchmarks.get("benchmark-a")).examples == (an_example(0),)


async def test_freezing_fixes_members_order_and_hash_and_keeps_what_fills_no_budget(store: Store) -> None:
    frozen = a_benchmark(examples=3)
    await store.benchmarks.save_header(a_benchmark())
    for number in (2, 9, 0, 1):
        await store.examples.append("benchmark-a", an_example(number))
    await store.benchmarks.finish(frozen)
    await store.benchmarks.finish(frozen)
    assert await store.benchmarks.get("benchmark-a") == frozen
    line = await store.benchmarks.summary("benchmark-a")
    assert (line.state, line.content_hash) == (BenchmarkState.COMPLETE, frozen.content_hash)
    assert line.examples == 3
    assert await store.examples.get("example-0009") == an_example(9)


async def test_a_header_changes_while_it_is_built_and_no_more_when_complete(store: Store) -> None:
    await store.benchmarks.save_header(a_benchmark())
    renamed = a_benchmark().model_copy(update={"name": "renamed", "roles": {"writer": "baseline:lexical"}})
    await store.benchmarks.save_header(renamed)
    assert await store.benchmarks.get("benchmark-a") == renamed
    await store.benchmarks.finish(renamed)
    await store.benchmarks.save_header(a_benchmark())
    assert await store.benchmarks.get("benchmark-a") == renamed


async def test_examples_are_paged_in_their_order(store: Store) -> None:
    await store.benchmarks.finish(a_benchmark(examples=5))
    first = await store.examples.page("benchmark-a", limit=2)
    second = await store.examples.page("benchmark-a", limit=2, cursor=first.next_cursor)
    third = await store.examples.page("benchmark-a", limit=2, cursor=second.next_cursor)
    assert [line.position for page in (first, second, third) for line in page.items] == [0, 1, 2, 3, 4]
    assert third.next_cursor is None
    assert first.items[0].scenario_kind == "trigger"


async def test_newest_first_pages_do_not_move_when_something_is_added(store: Store) -> None:
    for minute in range(4):
        await store.benchmarks.save_header(a_benchmark(f"benchmark-{minute}", minutes=minute // 2))
    first = await store.benchmarks.page(limit=2)
    await store.benchmarks.save_header(a_benchmark("benchmark-9", minutes=9))
    second = await store.benchmarks.page(limit=2, cursor=first.next_cursor)
    assert [line.id[-1] for page in (first, second) for line in page.items] == ["3", "2", "1", "0"]
    assert second.next_cursor is None


@pytest.mark.parametrize("cursor", ["x", "", "////", "WzFd", "WyJub3ciLCAiYSJd", "eyJhIjogMX0"])
async def test_a_cursor_that_is_not_ours_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(ConfigurationError, match="not a cursor"):
        await store.benchmarks.page(cursor=cursor)


@pytest.mark.parametrize("limit", [0, -1, 501])
async def test_a_limit_outside_its_range_is_refused(store: Store, limit: int) -> None:
    with pytest.raises(ConfigurationError, match="between 1 and 500"):
        await store.benchmarks.page(limit=limit)


async def test_a_unique_beginning_of_an_id_is_enough_and_an_ambiguous_one_is_refused(store: Store) -> None:
    for name in ("benchmark-ab12", "benchmark-ab34", "other_1", "otherX1"):
        await store.benchmarks.save_header(a_benchmark(name))
    assert (await store.benchmarks.get("benchmark-ab1")).id == "benchmark-ab12"
    assert (await store.benchmarks.get("other_")).id == "other_1"
    with pytest.raises(
        AmbiguousNameError,
        match=r"'benchmark-ab' is the beginning of several ids\..*-ab12 \(weather, 20.*-ab34.*Next: give more",
    ):
        await store.benchmarks.get("benchmark-ab")
    for unknown in ("BENCHMARK-AB12", "", "%", "zzz"):
        with pytest.raises(UnknownNameError, match="there is no benchmark"):
            await store.benchmarks.get(unknown)


async def test_an_example_id_of_two_benchmarks_needs_the_benchmark(store: Store) -> None:
    for name in ("benchmark-a", "benchmark-b"):
        await store.benchmarks.finish(a_benchmark(name, examples=1))
    with pytest.raises(UnknownNameError, match=r"benchmark-a, benchmark-b.*Next: say of which benchmark"):
        await store.examples.get("example-0000")
    assert await store.examples.get("example-0000", benchmark_id="benchmark-b") == an_example(0)


async def test_an_example_of_no_benchmark_is_refused(store: Store) -> None:
    with pytest.raises(UnknownNameError, match="Next: save its header"):
        await store.examples.append("benchmark-x", an_example(0))


@pytest.mark.requirement("P36", "X1")
async def test_records_are_found_by_id_and_streamed_in_the_order_they_were_written(store: Store) -> None:
    await store.benchmarks.save_header(a_benchmark())
    order = [*range(150, 250), *range(150)]
    for number in order:
        await store.records.append("benchmark-a", a_record(number, accepted=number % 2 == 0))
    assert await store.records.get("record-0203") == a_record(203, accepted=False)
    stream = await store.records.stream("benchmark-a")
    assert [record.id for record in stream] == [f"record-{number:04}" for number in order]
    assert [record.id async for record in stream] == [f"record-{number:04}" for number in order]


async def test_rounds_are_kept_once_each_by_number(store: Store) -> None:
    await store.benchmarks.save_header(a_benchmark())
    await store.rounds.append("benchmark-a", 2, {"gain": 0.5})
    await store.rounds.append("benchmark-a", 1, a_record(0))
    await store.rounds.append("benchmark-a", 2, {"gain": 0.9})
    first, second = await store.rounds.all("benchmark-a")
    assert isinstance(first, dict)
    assert first["id"] == "record-0000"
    assert second == {"gain": 0.9}


async def test_a_record_that_was_left_undecided_is_replaced_by_its_verdict_and_by_nothing_else(store: Store) -> None:
    await store.benchmarks.save_header(a_benchmark())
    undecided = a_record(0).model_copy(update={"verdict": "undecided", "reason": "a limit is reached"})
    for record in (undecided, a_record(1), a_record(0), a_record(0, accepted=False), undecided):
        await store.records.append("benchmark-a", record)
    assert await store.records.get("record-0000") == a_record(0)
    assert await store.records.verdicts("benchmark-a") == {"accepted": 2}


async def test_of_two_versions_made_of_one_the_second_is_refused_so_that_a_history_never_forks(store: Store) -> None:
    first = a_benchmark("benchmark-1", examples=2)
    await store.benchmarks.finish(first)
    second, other = (
        first.model_copy(update={"id": name, "release": first.release.next(first.id, note="", changes=())})
        for name in ("benchmark-2", "benchmark-3")
    )
    for _ in range(2):
        await store.benchmarks.finish(second)
    for refused in (store.benchmarks.refuse_fork(other), store.benchmarks.finish(other)):
        with pytest.raises(ConfigurationError, match="a version 2 of 'weather' already: benchmark-2"):
            await refused
    assert [version.id for version in await store.benchmarks.versions("weather")] == ["benchmark-1", "benchmark-2"]


async def test_what_will_never_be_complete_is_taken_away_with_its_evidence(store: Store) -> None:
    begun = a_benchmark(examples=1)
    await store.benchmarks.save_header(begun)
    await store.examples.append("benchmark-a", begun.examples[0])
    await store.records.append("benchmark-a", a_record(1))
    await store.rounds.append("benchmark-a", 0, {})
    await store.benchmarks.discard("benchmark-a")
    assert (await store.benchmarks.page()).items == ()
    await store.benchmarks.save_header(begun)
    assert (await store.benchmarks.get("benchmark-a")).examples == ()
    assert [record async for record in await store.records.stream("benchmark-a")] == []


@pytest.mark.parametrize("why", ["complete", "measured"])
async def test_what_is_complete_or_was_measured_is_never_taken_away(store: Store, why: str) -> None:
    if why == "complete":
        await store.benchmarks.finish(a_benchmark(examples=2))
    else:
        await store.benchmarks.save_header(a_benchmark(examples=2))
        await store.runs.create(a_run("run-1"), cases=[], benchmark_id="benchmark-a")
    await store.benchmarks.discard("benchmark-a")
    assert [line.id for line in (await store.benchmarks.page()).items] == ["benchmark-a"]


async def test_a_stored_value_that_lost_its_shape_is_named(where: str) -> None:
    database = Database.open(where, StoreOptions())
    store = Store(database)
    await store.benchmarks.finish(a_benchmark(examples=1))
    await database.write(lambda c: c.exec_driver_sql("UPDATE examples SET body = '{\"id\": 1}'"))
    with pytest.raises(InvalidRecordError, match=r"examples/example-0000.*Example cannot be read"):
        await store.examples.get("example-0000")
    store.close()
