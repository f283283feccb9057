"""What each number means, in a sentence: part of every report (B18), so that no number travels without its meaning."""

from plugineval.pccf.values import Value


class Definition(Value):
    """The name of a number and how it is computed."""

    name: str
    meaning: str


DEFINITIONS = (
    Definition(
        name="Recall",
        meaning="TP / (TP + FN): positives on which every required tool was called with all arguments right.",
    ),
    Definition(name="Accuracy", meaning="(TP + TN) / all graded rows."),
    Definition(
        name="TN, FP",
        meaning="Targeted negative: FP when the forbidden target is called. Global negative: FP on any call.",
    ),
    Definition(
        name="Miss, Param.",
        meaning="Share of positives with a required call missing; with all calls there but an argument wrong.",
    ),
    Definition(
        name="Temp., Missing, Value",
        meaning="Share of positives by kind of wrong argument; each row once: missing before temporal before value.",
    ),
    Definition(name="Over", meaning="Share of negatives counted FP."),
    Definition(
        name="Six outcomes",
        meaning="Strict view, ruled out in this order: no_call, spurious_call, wrong_tool, invalid_args (the tool's "
        "own schema, no coercion), valid_but_wrong, correct.",
    ),
    Definition(
        name="Interval",
        meaning="95 %. Recall and accuracy: Wilson, clustered by case (n is the number of independent attempts with "
        "the same cluster-robust variance). Other rates: Wilson with n = cases, never narrower. Differences: Newcombe.",
    ),
    Definition(
        name="Spread",
        meaning="Noise floor: largest minus smallest accuracy over repeats. A smaller difference is no difference.",
    ),
    Definition(
        name="p",
        meaning="Exact McNemar test, two-sided, over cases: with repeats, a case counts for the model that is right in "
        "more of them. Corrected (Holm) for the number of pairs that are looked at together.",
    ),
    Definition(
        name="Flaky, pass^k, pass@k",
        meaning="Cases right in some repeats and wrong in others; chance that all of k repeats are right, that one is.",
    ),
    Definition(
        name="Mixture",
        meaning="The strata's rates, weighted by another share of easy, medium and hard cases; accuracy at the run's "
        "own share of positives. Models on common rows. Range over draws: 95 % of seeded resamples of whole cases.",
    ),
    Definition(
        name="Excluded",
        meaning="Rows without a verdict (provider failure, unreadable output, nothing expected and nothing called): "
        "counted, in no denominator.",
    ),
    Definition(
        name="Dollars per correct",
        meaning="Cost of all of a model's rows whose cost is known, divided by its rows with the outcome correct.",
    ),
    Definition(name="Floor", meaning="A model that knows nothing. A number that does not beat it says nothing."),
)
