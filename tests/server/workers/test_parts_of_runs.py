"""A run falls into shards without gap or overlap, and what they tell adds up to what one process would have told."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from doubles.store import a_case, a_run
from plugineval.clients.models.load_counts import LoadCounts
from plugineval.harness.judging.stats import JudgeStats
from plugineval.harness.questions import JudgeFailure
from plugineval.harness.rehearsal import Rehearsed
from plugineval.harness.run import RunConfig
from plugineval.server.store.shard_notes import ShardEnd
from plugineval.server.workers.merging import judged_together, loads, rehearsals
from plugineval.server.workers.slicing import shards_of


@given(plain=st.integers(1, 40), varied=st.integers(0, 40), repeats=st.integers(1, 5), size=st.integers(1, 30))
def test_every_cell_of_every_model_is_in_one_shard_of_one_variant(
    plain: int, varied: int, repeats: int, size: int
) -> None:
    case = a_case(0)
    asked = [case] * plain + [case.model_copy(update={"variant": "v"})] * varied
    shards = shards_of(asked, RunConfig(models=("a", "b"), repeats=repeats), size)
    assert [shard.number for shard in shards] == list(range(len(shards)))
    for model in ("a", "b"):
        mine = [shard for shard in shards if shard.model == model]
        assert [place for shard in mine for place in range(shard.first, shard.last)] == list(range(len(asked)))
        assert sum(shard.total for shard in mine) == len(asked) * repeats
        assert all(shard.total <= max(size, repeats) for shard in mine)
        assert all(len({case.variant for case in asked[shard.first : shard.last]}) == 1 for shard in mine)


def _end(
    worker: str, tries: int, *, judge: JudgeStats | None = None, text: bool = False, settled: Iterable[str] = ()
) -> ShardEnd:
    counts = LoadCounts(concurrency=4, lowest_concurrency=2, tries=tries, refused=tries)
    first = Rehearsed(model="m", answer="text" if text else "call", requests=1, seconds=0.1)
    return ShardEnd(
        prompt_hash="p",
        made=1,
        replayed=0,
        load={"m": counts},
        worker=worker,
        judge=judge,
        settled=dict(each.split("=") for each in settled),
        preflight=(first,),
    )


def test_the_load_of_a_worker_is_its_last_word_and_that_of_a_run_the_sum_of_all() -> None:
    found = loads([_end("one", 10), _end("two", 5), _end("one", 30), _end("two", 8)])
    assert (found["m"].tries, found["m"].refused, found["m"].concurrency) == (38, 38, 8)


def test_what_two_shards_judged_counts_once_and_a_warning_of_one_worker_is_kept() -> None:
    first, second = (
        JudgeStats(asked=2, cached=1, equal=1, failures={JudgeFailure.OUTAGE: 1}),
        JudgeStats(asked=1, cached=1, equal=1, failures={JudgeFailure.EMPTY: 1}),
    )
    ends = [
        _end("one", 1, judge=first, text=True, settled=("a=equal", "b=different")),
        _end("two", 1, judge=second, settled=("a=equal", "c=empty")),
    ]
    failures = {JudgeFailure.EMPTY: 1, JudgeFailure.OUTAGE: 1}
    assert judged_together(ends) == JudgeStats(asked=4, cached=1, equal=1, different=1, failures=failures)
    assert [each.answer for each in rehearsals(ends)] == ["text"]
    assert ends[0] == ShardEnd.model_validate_json(ends[0].model_dump_json())


def test_a_run_of_one_case_is_one_shard() -> None:
    assert len(shards_of([a_case(0)], a_run("run-a").config, 100)) == len(a_run("run-a").config.models)
