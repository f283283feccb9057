"""What the shards of a run tell, put together as if one process had measured it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from plugineval.clients.models.load_counts import LoadCounts
from plugineval.harness.gradings import Grading
from plugineval.harness.judging.config import JudgeConfig
from plugineval.harness.judging.stats import JudgeStats
from plugineval.harness.questions import JudgeFailure
from plugineval.harness.rehearsal import Rehearsed
from plugineval.server.store.shard_notes import ShardEnd


def judged(grading: Grading, ends: Sequence[ShardEnd]) -> Grading:
    """The run's own grading with what all its judges came to."""
    if not any(end.judge for end in ends):
        return grading
    return grading.model_copy(update={"judge_config": JudgeConfig(), "judge_stats": judged_together(ends)})


def rehearsals(ends: Iterable[ShardEnd]) -> tuple[Rehearsed, ...]:
    """The first question to every model: its last answer, and that of a worker which warns before any other."""
    found: dict[str, Rehearsed] = {}
    for each in (rehearsed for end in ends for rehearsed in end.preflight):
        if each.model not in found or each.warning:
            found[each.model] = each
    return tuple(found.values())


def loads(ends: Iterable[ShardEnd]) -> dict[str, LoadCounts]:
    """Model -> what its endpoint made calls wait for, over all workers."""
    last: dict[tuple[str, str], LoadCounts] = {}
    for end in ends:
        for model, counts in end.load.items():
            known = last.get((model, end.worker))
            # Each shard of a worker tells the counts of all before it.
            if known is None or counts.tries > known.tries:
                last[model, end.worker] = counts
    added: dict[str, LoadCounts] = {}
    for (model, _), counts in last.items():
        added[model] = _added(added[model], counts) if model in added else counts
    return added


def _added(one: LoadCounts, other: LoadCounts) -> LoadCounts:
    return LoadCounts(
        concurrency=one.concurrency + other.concurrency,
        lowest_concurrency=one.lowest_concurrency + other.lowest_concurrency,
        tries=one.tries + other.tries,
        refused=one.refused + other.refused,
        pauses=one.pauses + other.pauses,
        paused_s=one.paused_s + other.paused_s,
        throttled_s=one.throttled_s + other.throttled_s,
    )


def judged_together(ends: Iterable[ShardEnd]) -> JudgeStats:
    """What judging the run amounted to. A question that several shards met counts once, and is asked once: by whom, a
    shard that was lost does not tell any more. A run is judged in one order.
    """
    settled: dict[str, str] = {}
    outages = put = 0
    for end in ends:
        settled |= end.settled
        if end.judge is not None:
            outages += end.judge.failures.get(JudgeFailure.OUTAGE, 0)
            put += end.judge.asked + end.judge.cached
    counts = Counter(settled.values())
    failures = {kind: counts[kind] for kind in JudgeFailure if counts[kind]}
    asked = len(settled) + outages
    return JudgeStats(
        asked=asked,
        cached=max(0, put - asked),
        equal=counts["equal"],
        different=counts["different"],
        failures=failures | ({JudgeFailure.OUTAGE: outages} if outages else {}),
    )
