"""The numbers of a construction run, validated once and frozen (D1, D2, P68); printed in every record and report."""

from math import inf
from typing import Self

from pydantic import ValidationError, model_validator

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json, Value

DIFFICULTY_MIX = (0.4, 0.4, 0.2)


def _require(holds: bool, field: str, problem: str) -> None:
    if not holds:
        raise ConfigurationError(problem, field=field)


class VerificationConfig(Value):
    """Stage I: s = lambda_arg * S_arg + lambda_out * S_out, accepted at s >= tau (P13, P18, P20)."""

    lambda_arg: float = 0.5
    lambda_out: float = 0.5
    tau: float = 0.8
    max_rounds: int = 3
    generators: int = 3
    content_validation: bool = True
    """False accepts what passes schema and execution, without any evaluator: only for the ablation (P62)."""
    allow_self_judged: bool = True
    """False refuses a model that is generator and evaluator at once (P17)."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        _require(min(self.lambda_arg, self.lambda_out) >= 0, "lambda_arg, lambda_out", "must not be negative")
        total = self.lambda_arg + self.lambda_out
        _require(abs(total - 1) < 1e-9, "lambda_arg, lambda_out", f"must sum to 1, not {total:g}")
        _require(0 <= self.tau <= 1, "tau", "must lie in [0, 1]")
        _require(self.max_rounds >= 1, "max_rounds", "must be at least 1")
        _require(self.generators >= 1, "generators", "must be at least 1")
        return self


class BuildLimits(Value):
    """Hard limits of one construction, over all its restarts; None: no limit. Reaching one stops it cleanly."""

    calls: int | None = None
    """Calls of models and plugins."""
    tokens: int | None = None
    """Input and output tokens."""
    cost: float | None = None
    """US dollars; needs a price for every model that plays a role."""
    minutes: float | None = None
    """Of work, the time between restarts apart."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name in type(self).model_fields:
            value = getattr(self, name)
            _require(value is None or 0 < value < inf, f"limits.{name}", "must be above 0, and finite")
        return self

    @property
    def any(self) -> bool:
        """Whether there is one at all."""
        return any(value is not None for _, value in self)


class FilterConfig(Value):
    """Which candidates are not worth verifying (P29)."""

    near_duplicate: float = 0.9
    """Similarity to an earlier query of the same target from which a candidate is a near-duplicate; above 1: never."""
    minimum_characters: int = 3
    maximum_characters: int = 4000
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes of the languages that queries may be in; empty: any."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        _require(self.near_duplicate > 0, "filters.near_duplicate", "must be above 0")
        _require(self.minimum_characters >= 1, "filters.minimum_characters", "must be at least 1")
        longest = self.maximum_characters >= self.minimum_characters
        _require(longest, "filters.maximum_characters", "must not be below minimum_characters")
        return self


class BuildConfig(Value):
    """A whole construction run."""

    size: int = 24
    seed: int = 0
    verification: VerificationConfig = VerificationConfig()
    difficulty_mix: tuple[float, float, float] = DIFFICULTY_MIX
    negative_share: float = 0.25
    """Share of the size given to the exclusion scenarios; the paper's sets hold 2,500 positives to 500 negatives."""
    calibration_runs: int = 5
    patience: int = 2
    """L: rounds with a gain below `minimum_gain` before the loop stops (P35)."""
    minimum_gain: float = 0.01
    candidates_per_example: int = 10
    max_loop_rounds: int = 50
    concurrency: int = 8
    strengthening: int = 2
    """How often a negative that proved too easy is made harder before it is left as it is (P32); 0: never."""
    chains: bool = True
    """Whether requests that need several tools are built too."""
    repeat_gold: bool = True
    """Whether an accepted gold call is executed a second time, to see whether its result moves."""
    closed_loop: bool = True
    """False writes everything in one shot and never looks at what is missing (P64)."""
    seed_targets: int = 3
    """For how many tools, the most alike first, a real query is annotated at level 2 (P2); the others are listed."""
    seed_tools: tuple[str, ...] = ()
    """Offered names of tools that every real query is annotated for as well."""
    filters: FilterConfig = FilterConfig()
    limits: BuildLimits = BuildLimits()

    @model_validator(mode="after")
    def _check(self) -> Self:
        _require(self.size >= 1, "size", "must be at least 1")
        _require(abs(sum(self.difficulty_mix) - 1) < 1e-9, "difficulty_mix", "must sum to 1")
        _require(min(self.difficulty_mix) >= 0, "difficulty_mix", "must not be negative")
        _require(0 <= self.negative_share < 1, "negative_share", "must lie in [0, 1)")
        _require(self.calibration_runs >= 1, "calibration_runs", "must be at least 1")
        _require(self.candidates_per_example >= 1, "candidates_per_example", "must be at least 1")
        _require(self.patience >= 1, "patience", "must be at least 1")
        _require(self.concurrency >= 1, "concurrency", "must be at least 1")
        _require(self.strengthening >= 0, "strengthening", "must not be negative")
        _require(self.seed_targets >= 1, "seed_targets", "must be at least 1")
        return self


def build_config(**values: object) -> BuildConfig:
    """A `BuildConfig` from loose values; `ConfigurationError` names the first wrong field."""
    try:
        return BuildConfig.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "configuration"
        raise ConfigurationError(first["msg"], field=field, allowed=sorted(BuildConfig.model_fields)) from error


def as_json(config: BuildConfig) -> Json:
    """The configuration as it is printed in records and reports."""
    return config.model_dump(mode="json")
