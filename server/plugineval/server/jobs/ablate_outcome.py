"""What an ablation comes to: its report, what it took, what was not run, and all accepted gold for people to read."""

from collections.abc import Iterable, Sequence

from plugineval.harness.ablation.report import AblationReport
from plugineval.harness.rehearsal import Rehearsed
from plugineval.pccf.ablations.outcomes import JudgedGold
from plugineval.pccf.ablations.runs import VariantRun
from plugineval.pccf.ablations.truth import shown_gold
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import canonical_json


class AblationOutcome(AblationReport):
    """The report with the facts of its job; kept with the job."""

    job_id: str
    plugins: tuple[str, ...]
    calls: int
    """Answers of all variants, and for the truth of their gold, each once, however often it was replayed; with the
    calls that failed and the first questions to models. `spent.calls` is the same number.
    """
    spent: Spent
    minutes: float
    limit: str = ""
    """The hard limit that ended it, in words."""
    not_run: tuple[str, ...] = ()
    """Variants for which the limit left nothing."""
    warnings: tuple[str, ...] = ()
    preflight: tuple[Rehearsed, ...] = ()
    golds: tuple[JudgedGold, ...] = ()
    """Each once, with all the variants that accepted it."""


def golds_of(runs: Iterable[VariantRun]) -> tuple[JudgedGold, ...]:
    """Every accepted gold, in the order of the records."""
    found: dict[tuple[str, str], list[JudgedGold]] = {}
    for run in runs:
        right = {each.record: each.right for each in run.candidates}
        for claim in run.claims:
            gold = shown_gold(claim.gold)
            judged = JudgedGold(
                record=claim.record.id,
                query=claim.query.text,
                target=claim.target,
                gold=tuple(gold),
                right=right[claim.record.id],
                variants=(run.variant.name,),
            )
            found.setdefault((claim.record.id, canonical_json(gold)), []).append(judged)
    return tuple(_merged(found[key]) for key in sorted(found))


def _merged(same: Sequence[JudgedGold]) -> JudgedGold:
    names = dict.fromkeys(name for each in same for name in each.variants)
    return same[0].model_copy(update={"variants": tuple(names)})
