"""Runs as they are kept: cases, attempts with their rows, counts, reports."""

import tracemalloc
from collections import Counter
from datetime import timedelta

import anyio
import pytest

from doubles.store import NOON, a_benchmark, a_case, a_row, a_run, an_attempt
from plugineval.harness.gradings import Grading
from plugineval.harness.outcomes import Outcome
from plugineval.pccf.errors import InvalidRecordError, UnknownNameError
from plugineval.server.store import RunState, Store

pytestmark = [pytest.mark.anyio]


async def _run_with(store: Store, rows: int, *, repeats: int = 1) -> None:
    await store.runs.create(a_run(), cases=(), source="cases.jsonl")
    async with anyio.create_task_group() as group:
        for number in range(rows):
            outcome = Outcome.WRONG_TOOL if number % 10 == 0 else Outcome.CORRECT
            for repeat in range(repeats):
                attempt, row = an_attempt(number, repeat=repeat), a_row(number, repeat=repeat, outcome=outcome)
                group.start_soon(store.attempts.append, "run-a", attempt, row)


@pytest.mark.requirement("X9")
async def test_the_cases_of_a_run_are_read_again_without_their_file_and_share_their_tools(store: Store) -> None:
    cases = [a_case(number) for number in (3, 1, 2)]
    await store.runs.create(a_run(), cases=cases, source="cases.jsonl")
    await store.runs.create(a_run(), cases=[a_case(9)], source="other.jsonl")
    found = list(await store.runs.cases("run-a"))
    assert found == cases
    assert found[0].toolset is found[2].toolset
    assert (await store.runs.summary("run-a")).source == "cases.jsonl"


async def test_a_run_says_how_far_it_is_and_how_it_ended(store: Store) -> None:
    await store.benchmarks.save_header(a_benchmark())
    await store.runs.create(a_run(), cases=(), benchmark_id="benchmark-a")
    await store.attempts.append("run-a", an_attempt(), a_row())
    running = await store.runs.summary("run-")
    assert (running.state, running.rows, running.benchmark_id, running.models) == (
        RunState.RUNNING,
        1,
        "benchmark-a",
        ("m",),
    )
    ended = a_run().model_copy(update={"finished_at": NOON, "notes": ("one model was down",)})
    await store.runs.finish(ended)
    assert await store.runs.get("run-a") == ended
    assert (await store.runs.summary("run-a")).state is RunState.COMPLETED


async def test_runs_are_listed_newest_first(store: Store) -> None:
    for minute in (1, 3, 2):
        await store.runs.create(a_run(f"run-{minute}", minutes=minute), cases=())
    page = await store.runs.page(limit=2)
    rest = await store.runs.page(limit=2, cursor=page.next_cursor)
    assert [line.id for line in (*page.items, *rest.items)] == ["run-3", "run-2", "run-1"]


async def test_attempts_and_rows_come_back_as_they_were(store: Store) -> None:
    await _run_with(store, 3, repeats=2)
    cells = [(number, repeat) for number in range(3) for repeat in range(2)]
    assert list(await store.attempts.stream("run-a")) == [an_attempt(n, repeat=r) for n, r in cells]
    outcomes = [Outcome.WRONG_TOOL, Outcome.CORRECT, Outcome.CORRECT]
    assert [row async for row in await store.attempts.rows("run-a")] == [
        a_row(n, repeat=r, outcome=outcomes[n]) for n, r in cells
    ]
    assert ("m", "case-00002", 1, "") in await store.attempts.done("run-a")


async def test_a_cell_is_there_once_and_a_new_answer_takes_the_place_of_an_outage(store: Store) -> None:
    await store.runs.create(a_run(), cases=())
    log = store.attempts.log("run-a")
    await log.append(an_attempt(text="down"), a_row(outcome=Outcome.NO_CALL))
    await log.append(an_attempt(text="up"), a_row())
    assert list(await store.attempts.stream("run-a")) == [an_attempt(text="up")]
    assert list(await store.attempts.rows("run-a")) == [a_row()]
    assert [(count.outcome, count.rows) for count in await store.attempts.outcomes("run-a")] == [("correct", 1)]


async def test_a_row_of_another_attempt_is_refused(store: Store) -> None:
    await store.runs.create(a_run(), cases=())
    with pytest.raises(InvalidRecordError, match="another attempt"):
        await store.attempts.append("run-a", an_attempt(1), a_row(2))


@pytest.mark.requirement("X7")
async def test_a_variant_lies_beside_the_row_it_is_compared_with(store: Store) -> None:
    await store.runs.create(a_run(), cases=())
    varied = an_attempt().model_copy(update={"variant": "clear"}), a_row(outcome=Outcome.NO_CALL, variant="clear")
    await store.attempts.append("run-a", an_attempt(), a_row())
    await store.attempts.append("run-a", *varied)
    assert list(await store.attempts.graded("run-a")) == [(an_attempt(), a_row()), varied]
    assert {cell.variant for cell in await store.attempts.done("run-a")} == {"", "clear"}
    counts = await store.attempts.outcomes("run-a")
    assert [(count.variant, count.outcome) for count in counts] == [("", "correct"), ("clear", "no_call")]
    with pytest.raises(InvalidRecordError, match="another attempt"):
        await store.attempts.append("run-a", an_attempt(), varied[1])


async def test_an_answer_with_half_a_surrogate_pair_is_kept_as_it_is(store: Store) -> None:
    await store.runs.create(a_run(), cases=())
    await store.attempts.append("run-a", an_attempt(text="\ud83d"), a_row().model_copy(update={"reason": "\udc00"}))
    assert next(iter(await store.attempts.stream("run-a"))).reply.text == "\ud83d"
    assert next(iter(await store.attempts.rows("run-a"))).reason == "\udc00"


async def test_counts_add_up_to_the_rows_and_agree_with_counting_them_one_by_one(store: Store) -> None:
    await _run_with(store, 57, repeats=3)
    counts = await store.attempts.outcomes("run-a")
    assert sum(count.rows for count in counts) == 171
    streamed = Counter((row.outcome, row.confusion) for row in await store.attempts.rows("run-a"))
    assert {(count.outcome, count.confusion): count.rows for count in counts} == streamed


async def test_reading_many_rows_keeps_memory_flat(store: Store) -> None:
    await _run_with(store, 6000)
    stream = await store.attempts.rows("run-a")
    tracemalloc.start()
    read = sum(1 for _ in stream)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert read == 6000
    # All 6,000 rows at once take about 20 MB; a page of 500 takes under 3.
    assert peak < 8_000_000


async def test_rows_that_arrive_while_a_stream_is_read_do_not_repeat_or_lose_others(store: Store) -> None:
    await _run_with(store, 1200)
    seen: list[str] = []
    async for row in await store.attempts.rows("run-a"):
        seen.append(row.case_id)
        if len(seen) == 100:
            await store.attempts.append("run-a", an_attempt(0, model="a"), a_row(0, model="a"))
            await store.attempts.append("run-a", an_attempt(5000), a_row(5000))
    assert seen == [*(f"case-{number:05}" for number in range(1200)), "case-05000"]


async def test_an_unknown_run_has_no_rows_to_stream(store: Store) -> None:
    for read in (store.attempts.rows, store.attempts.stream, store.attempts.outcomes, store.runs.cases):
        with pytest.raises(UnknownNameError, match="there is no run"):
            await read("run-x")


async def test_a_report_is_found_by_its_id_its_run_or_a_beginning_of_that(store: Store) -> None:
    await store.runs.create(a_run("run-20261130-ab12cd34"), cases=())
    name = await store.reports.save("run-20261130-ab12cd34", {"title": "first"})
    assert name == "report-20261130-ab12cd34"
    for asked in (name, "run-2026", "run-20261130-ab12cd34"):
        assert (await store.reports.get(asked)).body == {"title": "first"}
    with pytest.raises(UnknownNameError, match="there is no report") as raised:
        await store.reports.get("report-x")
    assert [offered.split(" ")[0] for offered in raised.value.allowed] == ["run-20261130-ab12cd34"]


@pytest.mark.requirement("X9")
async def test_gradings_of_one_run_lie_side_by_side_and_each_is_read_alone(store: Store) -> None:
    await _run_with(store, 3)
    again = Grading(id="grading-b", judge="j", version="2", at=NOON + timedelta(days=1))
    await store.gradings.save("run-a", again)
    await store.attempts.grade_again("run-a", "grading-b", [a_row(number) for number in range(3)])
    own, later = [list(await store.attempts.rows("run-a", *which)) for which in ((), ("grading-b",))]
    assert [row.outcome for row in own] == ["wrong_tool", "correct", "correct"]
    assert [row.outcome for row in later] == ["correct"] * 3
    assert [attempt for attempt, _ in await store.attempts.graded("run-a", "grading-b")] == [
        attempt for attempt, _ in await store.attempts.graded("run-a")
    ]
    assert [count.rows for count in await store.attempts.outcomes("run-a", "grading-b")] == [3]
    assert (await store.runs.summary("run-a")).rows == 3
    assert [(found.id, found.judge) for found in await store.gradings.all("run-a")] == [
        ("first", "none"),
        ("grading-b", "j"),
    ]
    with pytest.raises(UnknownNameError, match="there is no grading 'grading-x'"):
        await store.gradings.get("run-a", "grading-x")


@pytest.mark.requirement("X9")
async def test_a_report_of_a_later_grading_never_stands_in_for_the_runs_own(store: Store) -> None:
    await store.runs.create(a_run(), cases=())
    name = await store.reports.save("run-a", {"title": "first"})
    assert await store.reports.save("run-a", a_row()) == name
    assert await store.reports.save("run-a", {"title": "regraded"}, grading="grading-b") == "report-b"
    assert (await store.reports.get("run-a")).id == name
    assert (await store.reports.get("grading-b")).body == {"title": "regraded"}
    assert [line.id for line in (await store.reports.page()).items] == ["report-b", "report-a"]
