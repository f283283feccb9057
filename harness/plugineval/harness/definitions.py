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
        meaning="Wilson, 95 %. Repeats of a case are not independent: n is the number of cases, not of attempts.",
    ),
    Definition(
        name="Spread",
        meaning="Largest minus smallest accuracy over the repeats. A smaller difference is not a difference.",
    ),
    Definition(
        name="Excluded",
        meaning="Rows without a verdict (provider failure, unreadable output, nothing expected and nothing called): "
        "counted, in no denominator.",
    ),
    Definition(name="Floor", meaning="A model that knows nothing. A number that does not beat it says nothing."),
)
