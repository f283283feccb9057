"""The decision rule (B11 to B16): what the failures mostly are, and whether models or descriptions move them.

It never guesses: with too few failed cases, no dominant outcome, a single model where models must be compared, or a
spread that is large but not shown, it says that the evidence is insufficient and what would settle it.
"""

from collections.abc import Sequence
from enum import StrEnum

from plugineval.harness.decision.buckets import Buckets, buckets_of
from plugineval.harness.decision.config import DecisionConfig
from plugineval.harness.decision.spreads import Spread, Spreads, spreads_of
from plugineval.harness.outcomes import Outcome
from plugineval.harness.statistics.case_results import Arm, CaseResults
from plugineval.pccf.values import Value


class Recommendation(StrEnum):
    """What to work on first."""

    MODEL = "model"
    """Choose another model and stop editing the prompt (B11, B13)."""
    DESCRIPTION = "description"
    """Edit the tool descriptions (B12, B13)."""
    NAMES = "names"
    """Tell tools apart: names and boundaries (B14)."""
    SCHEMA = "schema"
    """Constrained decoding, or a bounded validation-retry (B15)."""
    PRECHECK = "precheck"
    """Check values before the call, and keep evaluating (B16)."""
    NOTHING = "nothing"
    """No attempt failed."""
    MIXED = "mixed"
    """No outcome dominates: there is no one thing to fix first."""
    INSUFFICIENT = "insufficient"
    """The evidence does not carry a recommendation."""


class Why(StrEnum):
    """The branch of the rule that was taken, for scripts."""

    NO_ROWS = "no_rows"
    NO_FAILURES = "no_failures"
    FEW_FAILURES = "few_failures"
    NO_DOMINANT_OUTCOME = "no_dominant_outcome"
    ONE_MODEL = "one_model"
    MODELS_VARY = "models_vary"
    DESCRIPTIONS_BUY_MORE = "descriptions_buy_more"
    MODELS_ALIKE = "models_alike"
    SPREAD_NOT_SHOWN = "spread_not_shown"
    OUTCOME_DECIDES = "outcome_decides"


class Decision(Value):
    """The recommendation with every number it rests on; `config` holds what was compared with what (B17)."""

    recommendation: Recommendation
    why: Why
    model: str | None = None
    """The model to choose, where that is the recommendation."""
    models: tuple[str, ...] = ()
    """The models whose failures were counted: those under test that have verdicts."""
    buckets: Buckets | None = None
    spreads: Spreads | None = None
    config: DecisionConfig


_BY_OUTCOME = {
    Outcome.WRONG_TOOL: Recommendation.NAMES,
    Outcome.INVALID_ARGS: Recommendation.SCHEMA,
    Outcome.VALID_BUT_WRONG: Recommendation.PRECHECK,
}
"""B14, B15, B16: what such failures ask for whichever model makes them."""


def decide(results: CaseResults, models: Sequence[str], config: DecisionConfig | None = None) -> Decision:
    """The decision on `models` (those under test, without floors) from all their verdicts, variants included."""
    settings = config or DecisionConfig()
    known = [arm.model for arm in results.answered(Arm(model) for model in models)]
    common = results.on_common_rows([Arm(model) for model in known])
    blank = Decision(recommendation=Recommendation.INSUFFICIENT, why=Why.NO_ROWS, config=settings)
    if not known or not common.rows:
        return blank
    buckets = buckets_of(common)
    found = blank.model_copy(update={"models": tuple(known), "buckets": buckets})
    if buckets.dominant is None:
        return _say(found, Recommendation.NOTHING, Why.NO_FAILURES)
    spreads = spreads_of(results, known, buckets.dominant, settings)
    found = found.model_copy(update={"spreads": spreads})
    if buckets.failed_cases < settings.minimum_cases:
        return _say(found, Recommendation.INSUFFICIENT, Why.FEW_FAILURES)
    if (buckets.share.value or 0.0) < settings.dominant_share:
        return _say(found, Recommendation.MIXED, Why.NO_DOMINANT_OUTCOME)
    if buckets.dominant in _BY_OUTCOME:
        return _say(found, _BY_OUTCOME[buckets.dominant], Why.OUTCOME_DECIDES)
    return _model_or_description(found, spreads, settings)


def _model_or_description(found: Decision, spreads: Spreads, config: DecisionConfig) -> Decision:
    """B11, B12, B13: calls that are not made, or not wanted."""
    between = spreads.between_models
    if between is None:
        return _say(found, Recommendation.INSUFFICIENT, Why.ONE_MODEL)
    if between.large and _buys_more(spreads.between_variants, between):
        return _say(found, Recommendation.DESCRIPTION, Why.DESCRIPTIONS_BUY_MORE)
    if between.large:
        chosen = found.model_copy(update={"model": between.least.model})
        return _say(chosen, Recommendation.MODEL, Why.MODELS_VARY)
    if _open(between, spreads.run_to_run, config):
        return _say(found, Recommendation.INSUFFICIENT, Why.SPREAD_NOT_SHOWN)
    return _say(found, Recommendation.DESCRIPTION, Why.MODELS_ALIKE)


def _buys_more(variants: Spread | None, between: Spread) -> bool:
    return variants is not None and variants.large and variants.width >= between.width


def _open(between: Spread, noise: float | None, config: DecisionConfig) -> bool:
    """Wide enough to matter and wider than the noise, but not shown: neither alike nor different."""
    return between.width >= config.large_spread and between.width > (noise or 0.0) and not between.large


def _say(found: Decision, recommendation: Recommendation, why: Why) -> Decision:
    return found.model_copy(update={"recommendation": recommendation, "why": why})
