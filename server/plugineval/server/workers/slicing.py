"""How a run falls into shards: ranges of its cases, each as one model is asked them, the same whoever works it out."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from plugineval.harness.cases import Case
from plugineval.harness.run import RunConfig
from plugineval.server.store.shard_notes import ShardPlan


def shards_of(asked: Sequence[Case], config: RunConfig, shard_cells: int) -> list[ShardPlan]:
    """The shards of a run of about `shard_cells` cells, models taking turns; `asked` are its cases, variants after
    variants, and no shard has cases of two.
    """
    ranges = [*_ranges(asked, max(1, shard_cells // config.repeats))]
    plans = [(model, *bounds) for bounds in ranges for model in config.models]
    return [
        ShardPlan(number, model, first, last, (last - first) * config.repeats)
        for number, (model, first, last) in enumerate(plans)
    ]


def _ranges(asked: Sequence[Case], size: int) -> Iterable[tuple[int, int]]:
    end = 0
    for _, of_variant in groupby(asked, key=lambda case: case.variant):
        begin, end = end, end + sum(1 for _ in of_variant)
        for first in range(begin, end, size):
            yield first, min(first + size, end)
