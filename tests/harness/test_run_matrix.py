from collections.abc import Callable, Mapping, Sequence

import anyio
import pytest

from doubles.harness import (
    INTEGER,
    TEXT,
    MemoryJournal,
    MemoryLog,
    ScriptedModel,
    call,
    gold,
    negative,
    positive,
    schema,
    tool,
)
from plugineval.harness.cases import Case
from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.matrix import RunPorts, run_matrix
from plugineval.harness.outcomes import Exclusion, Outcome
from plugineval.harness.questions import Judge, JudgeQuestion, Settlement
from plugineval.harness.run import RunConfig
from plugineval.harness.semantic_checks import SemanticChecks
from plugineval.pccf.errors import InvalidRecordError, InvalidSchemaError
from plugineval.pccf.examples import Query
from plugineval.pccf.ledger import Ledger, Unjournaled
from plugineval.pccf.routing import Failure, FailureKind, Router, RouterReply
from plugineval.pccf.tools import Toolset

pytestmark = pytest.mark.anyio

F = tool("f", schema("n", n=INTEGER))


def cases(number: int) -> list[Case]:
    return [positive(gold("f", n=1), tools=(F,), case_id=f"c{index}") for index in range(number)]


async def right(query: Query, toolset: Toolset, seed: int) -> RouterReply:
    await anyio.sleep(0)
    return RouterReply(calls=(call("f", n=1),))


def unseen(done: int, total: int) -> None:
    pass


async def run(
    found: list[Case], *models: Router, ledger: Ledger | None = None, progress: Callable[[int, int], None] = unseen
) -> MemoryLog:
    log = MemoryLog()
    config = RunConfig(models=tuple(model.id for model in models), repeats=2, concurrency=4)
    await run_matrix(found, models, config, RunPorts(ledger or Unjournaled(), log, progress))
    return log


@pytest.mark.requirement("B6", "E8")
async def test_every_model_meets_every_case_in_every_repeat_once() -> None:
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))

    log = await run(cases(3), ScriptedModel("a", right), ScriptedModel("b", right), progress=progress)
    assert set(log.entries) == {(f"c{i}", model, repeat) for i in range(3) for model in "ab" for repeat in range(2)}
    assert log.appended == 12
    assert seen == [(done, 12) for done in range(1, 13)]


@pytest.mark.requirement("B6")
async def test_no_more_calls_run_at_once_than_the_run_allows() -> None:
    model = ScriptedModel("a", right)
    await run(cases(20), model)
    assert model.most_running == 4


@pytest.mark.requirement("E3")
async def test_a_model_that_raises_loses_its_own_rows_and_nobody_elses() -> None:
    async def broken(query: Query, toolset: Toolset, seed: int) -> RouterReply:
        raise ZeroDivisionError("adapter bug")

    log = await run(cases(2), ScriptedModel("bad", broken), ScriptedModel("good", right))
    bad, good = ([row for row in log.rows if row.model == name] for name in ("bad", "good"))
    assert {(row.exclusion, row.exclusion_detail) for row in bad} == {
        (Exclusion.PROVIDER_ERROR, "ZeroDivisionError: adapter bug")
    }
    assert {row.outcome for row in good} == {Outcome.CORRECT}


async def test_a_model_that_hangs_leaves_the_others_their_workers() -> None:
    released = anyio.Event()

    async def hang(query: Query, toolset: Toolset, seed: int) -> RouterReply:
        await released.wait()
        return RouterReply()

    def watch(done: int, total: int) -> None:
        if done == total // 2:
            released.set()

    with anyio.fail_after(5):
        log = await run(cases(30), ScriptedModel("hangs", hang), ScriptedModel("good", right), progress=watch)
    assert len(log.entries) == 120


async def test_cancelling_a_run_cancels_its_calls() -> None:
    async def forever(query: Query, toolset: Toolset, seed: int) -> RouterReply:
        await anyio.sleep_forever()
        raise AssertionError

    model = ScriptedModel("a", forever)
    with anyio.move_on_after(0.05) as scope:
        await run(cases(2), model)
    assert scope.cancelled_caught
    assert (model.asked, model.running) == (4, 0)


async def test_a_second_run_on_the_same_journal_asks_nothing_and_keeps_every_byte() -> None:
    journal, model = MemoryJournal(), ScriptedModel("a", right)
    first = await run(cases(3), model, ledger=journal)
    second = await run(cases(3), model, ledger=journal)
    assert model.asked == 6
    assert second.entries == first.entries


@pytest.mark.parametrize(
    ("kind", "asked"), [(FailureKind.RATE_LIMITED, 4), (FailureKind.TIMEOUT, 4), (FailureKind.PARSE_FAILURE, 2)]
)
async def test_only_what_was_never_answered_is_asked_again(kind: FailureKind, asked: int) -> None:
    async def failing(query: Query, toolset: Toolset, seed: int) -> RouterReply:
        return RouterReply(failure=Failure(kind=kind, detail="no"))

    journal, model = MemoryJournal(), ScriptedModel("a", failing)
    await run(cases(1), model, ledger=journal)
    await run(cases(1), model, ledger=journal)
    assert model.asked == asked


@pytest.mark.requirement("B8")
async def test_an_adapter_that_edits_the_tools_in_place_stops_the_run() -> None:
    async def rewrite(query: Query, toolset: Toolset, seed: int) -> RouterReply:
        toolset.tools[0].input_schema["additionalProperties"] = False
        return RouterReply()

    case = positive(gold("g", n=1), tools=(tool("g", schema("n", n=INTEGER, closed=False)),))
    with pytest.raises(InvalidRecordError, match="not the same bytes"):
        await run([case], ScriptedModel("rewriter", rewrite))


@pytest.mark.requirement("B8")
async def test_every_attempt_carries_the_hash_of_the_tools_it_was_shown() -> None:
    found = cases(2)
    log = await run(found, ScriptedModel("a", right), ScriptedModel("b", right))
    assert {attempt.toolset_hash for attempt, _ in log.entries.values()} == {found[0].toolset.content_hash}


@pytest.mark.requirement("B2")
@pytest.mark.parametrize(
    ("case", "problem"),
    [
        (positive(gold("g"), tools=(F,)), "'g', which is not offered"),
        (negative(tools=(F,), target="f", expected=(gold("f", n=1),)), "also its gold call"),
        (negative(tools=(F,), expected=(gold("f", n=1),)), "has no gold call"),
    ],
)
async def test_a_case_that_cannot_be_measured_is_refused_before_the_first_call(case: Case, problem: str) -> None:
    model = ScriptedModel("a", right)
    with pytest.raises(InvalidRecordError, match=problem):
        await run([case], model)
    assert model.asked == 0


async def test_a_broken_schema_is_refused_before_the_first_call() -> None:
    model = ScriptedModel("a", right)
    with pytest.raises(InvalidSchemaError, match="tool f"):
        await run([negative(tools=(tool("f", {"type": "nonsense"}),))], model)
    assert model.asked == 0


async def test_two_cases_of_one_id_are_refused() -> None:
    with pytest.raises(InvalidRecordError, match="occurs twice"):
        await run([*cases(1), *cases(1)], ScriptedModel("a", right))


async def test_an_error_of_the_log_reaches_the_caller_as_itself() -> None:
    class FullDisk(MemoryLog):
        async def append(self, attempt: object, row: object) -> None:
            raise InvalidRecordError("the disk is full")

    config = RunConfig(models=("a",), repeats=1)
    with pytest.raises(InvalidRecordError, match="disk is full"):
        await run_matrix(cases(5), [ScriptedModel("a", right)], config, RunPorts(Unjournaled(), FullDisk(), unseen))


@pytest.mark.requirement("X8")
async def test_the_degenerate_models_fail_where_knowing_nothing_must_fail() -> None:
    found = [*cases(1), negative(tools=(F,))]
    log = await run(found, *degenerate_models())
    outcomes = {(model.split(":")[1], case): row.outcome for (case, model, _), (_, row) in log.entries.items()}
    assert outcomes == {
        ("never-call", "c0"): Outcome.NO_CALL,
        ("never-call", "n1"): Outcome.CORRECT,
        ("first-tool", "c0"): Outcome.INVALID_ARGS,
        ("first-tool", "n1"): Outcome.SPURIOUS_CALL,
        ("echo-defaults", "c0"): Outcome.VALID_BUT_WRONG,
        ("echo-defaults", "n1"): Outcome.SPURIOUS_CALL,
    }


@pytest.mark.requirement("P40", "B5")
async def test_a_run_grades_with_its_judge_and_its_checks() -> None:
    class Lenient:
        id = "judge"
        prompt_hash = "p" * 64

        async def settle(self, questions: Sequence[JudgeQuestion]) -> Mapping[str, Settlement]:
            return {question.key: Settlement(verdict="equal", judge=self.id) for question in questions}

    say = tool("say", schema("words", words=TEXT))
    case = positive(gold("say", words="see you soon"), tools=(say,))

    async def otherwise(query: Query, toolset: Toolset, seed: int) -> RouterReply:
        return RouterReply(calls=(call("say", words="until then"),))

    async def graded_with(judge: Judge | None, checks: SemanticChecks) -> Outcome | None:
        log = MemoryLog()
        ports = RunPorts(Unjournaled(), log, unseen, judge, checks)
        await run_matrix([case], [ScriptedModel("a", otherwise)], RunConfig(models=("a",), repeats=1), ports)
        return log.rows[0].outcome

    assert await graded_with(None, {}) is None
    assert await graded_with(Lenient(), {}) is Outcome.CORRECT
    assert await graded_with(None, {"say": lambda case, gold, predicted: False}) is Outcome.VALID_BUT_WRONG


class Bench:
    """A model that answers when it is let: it knows how many requests and cells wait in it."""

    id = "bench"
    prompt_hash = "p"

    def __init__(self) -> None:
        self.waiting: list[tuple[str, int]] = []
        self.let = anyio.Event()

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        self.waiting.append((query.text, seed))
        await self.let.wait()
        return RouterReply(calls=(call("f", n=1),))


async def test_where_agents_answer_all_cells_of_one_request_wait_together() -> None:
    bench, log = Bench(), MemoryLog()
    ports = RunPorts(Unjournaled(), log, unseen)
    found = [case.model_copy(update={"query": Query.of_text(case.id)}) for case in cases(5)]
    config = RunConfig(models=("bench",), repeats=3, concurrency=2)

    async def measure() -> None:
        await run_matrix(found, [bench], config, ports, together=True)

    async with anyio.create_task_group() as group:
        group.start_soon(measure)
        await anyio.wait_all_tasks_blocked()
        assert sorted(bench.waiting) == [(f"c{case}", seed) for case in range(2) for seed in range(3)]
        bench.let.set()
    assert log.appended == 15
