"""How far reviewers agree on one question: observed agreement, Fleiss' kappa, and the prevalence it has to be read by.

Kappa compares agreement with what chance would give. Where nearly everything is said to be right, chance alone gives
nearly everything, and kappa is low or undefined however well the reviewers agree (the kappa paradox, Feinstein and
Cicchetti 1990): the three numbers are given side by side.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from plugineval.harness.agreement import fleiss_kappa, observed_agreement, prevalence
from plugineval.pccf.values import Value

PREVALENT = 0.8
"""From this share of one answer on, kappa says little by itself."""


class LevelAgreement(Value):
    """Over the subjects that all reviewers answered."""

    level: str
    reviewers: int
    subjects: int
    left_out: int = 0
    """Subjects that some reviewer gave no answer on."""
    observed: float | None
    """Mean share of pairs of reviewers that say the same."""
    kappa: float | None
    """Fleiss (1971)."""
    commonest: str = ""
    prevalence: float | None
    """Share of the commonest answer over all."""
    note: str = ""


def level_agreement(level: str, ratings: Mapping[str, Sequence[str]], reviewers: int) -> LevelAgreement:
    """`ratings`: subject -> what its reviewers said, in any order (Fleiss knows no order of raters)."""
    whole = [row for row in ratings.values() if len(row) == reviewers]
    several = reviewers > 1
    counted = Counter(label for row in whole for label in row)
    found = LevelAgreement(
        level=level,
        reviewers=reviewers,
        subjects=len(whole),
        left_out=len(ratings) - len(whole),
        observed=observed_agreement(whole) if several else None,
        kappa=fleiss_kappa(whole) if several else None,
        commonest=counted.most_common(1)[0][0] if counted else "",
        prevalence=prevalence(whole),
    )
    return found.model_copy(update={"note": _note(found)})


def _note(found: LevelAgreement) -> str:
    if found.reviewers < 2:
        return "one reviewer agrees with nobody"
    if found.prevalence is None or found.observed is None:
        return "no case has an answer of every reviewer"
    if found.kappa is None:
        return f"all say {found.commonest}: there is nothing to agree about beyond chance"
    if found.prevalence < PREVALENT:
        return ""
    share = f"{100 * found.prevalence:.0f} % of the answers are {found.commonest}"
    return f"{share}, which holds kappa down: read it beside the observed agreement"
