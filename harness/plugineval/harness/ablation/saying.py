"""What a test of an ablation allows to be said, in one sentence, and what every measure means."""

from plugineval.harness.ablation.report import AblationTest, Measure

DEFINITIONS: dict[str, str] = {
    "pass_rate": "Accepted of the decided candidates that went to Stage I.",
    "cumulative_pass_rate": "Accepted within the first round, the first two, ... of the same candidates.",
    "false_positive_rate": "Wrong of the accepted gold whose truth is known; gold that nobody can judge is left out.",
    "coverage_multiple": "Coverage units (scenario x observed difficulty) of verified examples, as a multiple of those "
    "of the base; the interval is Wilson's over all units of the catalog, the base held fixed.",
    "difficulty_deviation": "Mean steps, from 0 to 2, between the difficulty an example of the benchmark was written "
    "for and the one observed; the interval is a seeded bootstrap over examples.",
    "calls": "Answered calls of models and plugins that no earlier variant had asked; calls_replayed: those that one "
    "had. spent is on both: what the variant would have taken alone.",
    "p_adjusted": "Holm's correction, for each measure by itself, over the named variants of one set of plugins; "
    "each sweep is a family of its own.",
}

_NAMES: dict[Measure, tuple[str, str]] = {
    "pass_rate": ("the pass rate", "candidates"),
    "false_positive_rate": ("the share of wrong gold let through", "candidates"),
    "coverage_multiple": ("the share of units covered", "units"),
    "difficulty_deviation": ("the difficulty deviation", "units"),
}


def said(test: AblationTest) -> str:
    """A difference only where the corrected test shows one; otherwise what it would take to show it."""
    name, unit = _NAMES[test.measure]
    if test.p_adjusted is None or test.delta is None:
        return f"{name}: nothing to compare"
    gap = _gap(test)
    if test.differs:
        direction = "raises" if test.delta > 0 else "lowers"
        return f"{direction} {name} by {gap.lstrip('+-')} (p = {test.p_adjusted:.2g}, {test.pairs} {unit})"
    if test.needed is None:
        shows = f", which would show one of {100 * test.detectable:.0f} points" if test.detectable else ""
        return f"no difference in {name} on {test.pairs} {unit}{shows}"
    more = f"{test.needed.settles} {unit} would settle it, {test.needed.with_power} with power {test.needed.power:g}"
    return f"no significant difference in {name} ({gap}, p = {test.p_adjusted:.2g}, {test.pairs} {unit}); {more}"


def _gap(test: AblationTest) -> str:
    delta = test.delta or 0.0
    return f"{delta:+.2f} steps" if test.measure == "difficulty_deviation" else f"{100 * delta:+.1f} points"
