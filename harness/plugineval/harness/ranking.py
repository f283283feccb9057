"""Ranks of models by a rate, and how they move when the rows, the mixture or the benchmark change (P56, P57)."""

from collections.abc import Mapping

from plugineval.pccf.values import Value


class RankShift(Value):
    """One model's rank before and after; 1 is the best, equal rates share a rank."""

    model: str
    before: int | None
    after: int | None

    @property
    def shift(self) -> int | None:
        """Places gained (negative: lost); None where it has no rank on one side."""
        return None if self.before is None or self.after is None else self.before - self.after


def ranks(values: Mapping[str, float | None]) -> dict[str, int]:
    """Model -> 1 plus the number of models that are better; models without a value have no rank."""
    known = {model: value for model, value in values.items() if value is not None}
    return {model: 1 + sum(other > value + 1e-12 for other in known.values()) for model, value in known.items()}


def rank_shifts(before: Mapping[str, float | None], after: Mapping[str, float | None]) -> tuple[RankShift, ...]:
    """The shift of every model of either side, in the order of `before`."""
    old, new = ranks(before), ranks(after)
    models = dict.fromkeys((*before, *after))
    return tuple(RankShift(model=model, before=old.get(model), after=new.get(model)) for model in models)


def moved(shifts: tuple[RankShift, ...]) -> int:
    """How many models change places."""
    return sum(bool(shift.shift) for shift in shifts)
