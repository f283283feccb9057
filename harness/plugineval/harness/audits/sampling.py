"""Seeded samples: the same seed draws the same, whatever order the items come in, and every shortage is said."""

from collections.abc import Iterable, Mapping
from random import Random

from plugineval.pccf.coverage.budgets import largest_remainder
from plugineval.pccf.values import Value


class SampledStratum(Value):
    """One part of a sample: how many were wanted, there, and drawn."""

    name: str
    wanted: int
    available: int
    drawn: int


class Sample(Value):
    """What was drawn. `ids` are in the order of the strata, sorted within each."""

    seed: int
    wanted: int
    strata: tuple[SampledStratum, ...]
    ids: tuple[str, ...]

    @property
    def note(self) -> str:
        """What is smaller than it was wanted; empty where nothing is."""
        short = [each for each in self.strata if each.drawn < each.wanted]
        told = ", ".join(f"{each.drawn} of {each.wanted} {each.name}" for each in short)
        return f"there are no more: {told}" if told else ""


def with_prior(classes: Mapping[str, Iterable[str]], size: int, seed: int) -> Sample:
    """`size` ids that keep the shares of the classes (P60: 300 of 2,500 and 500 are 250 and 50); all where there are
    no more than `size`.
    """
    there = {name: frozenset(ids) for name, ids in classes.items()}
    total = sum(map(len, there.values()))
    if total == 0:
        return Sample(seed=seed, wanted=size, strata=(), ids=())
    shares = [len(ids) / total for ids in there.values()]
    sizes = dict(zip(there, largest_remainder(size, shares), strict=True))
    return stratified(there, sizes, seed)


def stratified(strata: Mapping[str, Iterable[str]], sizes: Mapping[str, int], seed: int) -> Sample:
    """As many of each stratum as `sizes` wants, fewer where there are fewer (P61)."""
    found: list[SampledStratum] = []
    chosen: list[str] = []
    for name, wanted in sizes.items():
        ids = sorted(frozenset(strata.get(name, ())))
        drawn = sorted(Random(f"{seed} {name}").sample(ids, min(wanted, len(ids))))
        found.append(SampledStratum(name=name, wanted=wanted, available=len(ids), drawn=len(drawn)))
        chosen += drawn
    return Sample(seed=seed, wanted=sum(sizes.values()), strata=tuple(found), ids=tuple(chosen))
