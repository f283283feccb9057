"""How the measured benchmark was built, as far as it is known: passed in by whoever built it, printed by the report."""

from collections.abc import Iterable

from plugineval.pccf.values import Json, Value

_MAKING = {"writer": "wrote the queries", "generators": "proposed the gold"}
"""Role -> what a model did in it that it would be expected to do the same way again."""


class CoverageUnit(Value):
    """One scenario x difficulty: what was asked for and what was verified."""

    unit: str
    budget: int
    verified: int


class Construction(Value):
    """Facts of the construction run; everything is optional but nothing is invented."""

    roles: dict[str, str] = {}
    """Role -> id of the model that played it."""
    bias_warnings: tuple[str, ...] = ()
    parameters: dict[str, Json] = {}
    """The decided numbers by name: lambda_arg, lambda_out, tau, M, R, K …"""
    accepted: int | None = None
    """Those that are in the benchmark."""
    surplus: int | None = None
    """Verified as well, but of a scenario and difficulty that had enough."""
    rejected: int | None = None
    undecided: int | None = None
    stop_reason: str = ""
    coverage: tuple[CoverageUnit, ...] = ()

    def favour(self, models: Iterable[str]) -> str:
        """A sentence for each of `models` that made what it is measured on (P17); empty where none did."""
        told: list[str] = []
        for model in models:
            did = [what for role, what in _MAKING.items() if model in self.roles.get(role, "").split(", ")]
            told += [f"{model} {' and '.join(did)} of this benchmark, which favours it."] if did else []
        return " ".join(told)
