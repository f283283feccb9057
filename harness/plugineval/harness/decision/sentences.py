"""A decision in words, with the numbers it rests on and the thresholds they were held against (B17)."""

from plugineval.harness.decision.rule import Decision, Recommendation, Why
from plugineval.harness.decision.spreads import ArmRate, Spread, Spreads
from plugineval.harness.outcomes import Outcome

_ADVICE = {
    Recommendation.DESCRIPTION: "Edit the tool descriptions",
    Recommendation.NAMES: "Tell the tools apart: names and boundaries",
    Recommendation.SCHEMA: "Use constrained decoding, or validate and retry a bounded number of times",
    Recommendation.PRECHECK: "Check values before the call, and keep evaluating",
    Recommendation.NOTHING: "Nothing to fix: no attempt failed",
    Recommendation.MIXED: "No one thing to fix first",
    Recommendation.INSUFFICIENT: "No recommendation",
}


def decision_sentence(decision: Decision) -> str:
    """The recommendation and its reason. Model ids in it are data: escape before rendering."""
    parts = [_advice(decision), *_mostly(decision), *_because(decision)]
    return " ".join(part if part.endswith(".") else part + "." for part in parts)


def caveats(decision: Decision) -> tuple[str, ...]:
    """What was not measured, or would change the reading."""
    found: list[str] = []
    spreads = decision.spreads
    if spreads is not None and spreads.run_to_run is None:
        found.append("One repeat: the run-to-run spread was not measured.")
    if spreads is not None and spreads.between_variants is None and _about_calling(spreads.outcome):
        found.append("No variants of the descriptions were measured: what rewording can buy is not known.")
    variants = spreads.between_variants if spreads is not None else None
    if decision.why is Why.MODELS_ALIKE and variants is not None and not variants.large:
        found.append("The variants that were tried moved little: try others before a larger model.")
    share = decision.buckets.share if decision.buckets else None
    if share is not None and share.low is not None and (share.value or 0) >= decision.config.dominant_share > share.low:
        found.append("The leading outcome's share is not shown to be above the threshold: its interval reaches below.")
    return tuple(found)


def _advice(decision: Decision) -> str:
    if decision.recommendation is Recommendation.MODEL:
        return f"Choose {decision.model} and stop editing the prompt"
    if decision.why is Why.MODELS_ALIKE and decision.spreads and decision.spreads.outcome is Outcome.SPURIOUS_CALL:
        return "Say in the tool descriptions when a tool is not to be called"
    return _ADVICE[decision.recommendation]


def _mostly(decision: Decision) -> tuple[str, ...]:
    buckets = decision.buckets
    if buckets is None or buckets.dominant is None:
        return ()
    share, threshold = buckets.share, decision.config.dominant_share
    word = "Mostly" if (share.value or 0.0) >= threshold else "Most often, but not mostly,"
    return (
        f"{word} {buckets.dominant.value}: {_percent(share.value)} of {buckets.failures} failed attempts "
        f"({share.numerator}/{share.denominator}) on {buckets.failed_cases} cases; mostly is {_percent(threshold)}",
    )


def _because(decision: Decision) -> tuple[str, ...]:
    match decision.why:
        case Why.NO_ROWS:
            return ("No rows with a verdict are common to the models",)
        case Why.FEW_FAILURES:
            return (f"That is too little: {decision.config.minimum_cases} failed cases are the least",)
        case Why.ONE_MODEL:
            return ("With one model nobody can say whether models differ: measure a second before editing a prompt",)
        case Why.NO_FAILURES | Why.NO_DOMINANT_OUTCOME | Why.OUTCOME_DECIDES:
            return ()
        case _:
            return _comparing(decision)


def _comparing(decision: Decision) -> tuple[str, ...]:
    spreads = decision.spreads
    if spreads is None or spreads.between_models is None:
        return ()
    between, config = spreads.between_models, decision.config
    verb = "vary a lot" if between.large else "are alike" if decision.why is Why.MODELS_ALIKE else "may vary a lot"
    threshold = (
        f"a lot is {_points(config.large_spread)}, more than {config.noise_factor:g} times the run-to-run spread "
        f"({_points(spreads.run_to_run)}) and p < {config.alpha:g}"
    )
    parts = [f"The models {verb}: {_ends(between)}; {threshold}"]
    if decision.why is Why.SPREAD_NOT_SHOWN and between.needed is not None:
        parts.append(f"About {between.needed:,} common cases would settle a spread of this size")
    return (*parts, *_variants(spreads))


def _variants(spreads: Spreads) -> tuple[str, ...]:
    found = spreads.between_variants
    return () if found is None else (f"Descriptions move it by {_points(found.width)}: {_ends(found)}",)


def _ends(spread: Spread) -> str:
    ends = f"{_arm(spread.least)} to {_arm(spread.most)}"
    return f"{ends}, {_points(spread.width)} apart, p = {spread.p:.2g}"


def _arm(end: ArmRate) -> str:
    name = f"{end.model} [{end.variant}]" if end.variant else end.model
    return f"{name} {_percent(end.rate.value)} ({end.rate.numerator}/{end.rate.denominator})"


def _about_calling(outcome: Outcome) -> bool:
    return outcome in {Outcome.NO_CALL, Outcome.SPURIOUS_CALL}


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _points(width: float | None) -> str:
    return "not measured" if width is None else f"{100 * width:.1f} points"
