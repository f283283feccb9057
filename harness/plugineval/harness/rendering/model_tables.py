"""The tables with one row per model: headline, outcomes, confusion, error profile, steps, strata."""

from collections.abc import Mapping, Sequence

from plugineval.harness.outcomes import Confusion, Outcome
from plugineval.harness.rendering.tables import (
    Table,
    data,
    interval,
    numbers,
    percent_of,
    points,
    table_of,
)
from plugineval.harness.report import ModelReport, Report
from plugineval.harness.uncertainty import Rate

INTERVAL = "95 %"
"""The heading of an interval, which belongs to the rate before it."""
_MODEL = data("Model")


def model_tables(report: Report) -> tuple[Table, ...]:
    """All of them, in reading order."""
    models = report.models
    return (
        headline(models),
        outcomes(models),
        confusion(models),
        error_profile(models),
        steps(models),
        difficulty(models),
        negatives(models),
        spending(models),
    )


def headline(models: Sequence[ModelReport]) -> Table:
    """Recall and accuracy with denominators and intervals."""
    columns = (
        _MODEL,
        *numbers("Recall", INTERVAL, "Accuracy", INTERVAL, "Spread", "Excluded"),
    )
    rows = [
        (
            _name(model),
            *(show(rate) for rate in (model.recall, model.accuracy) for show in (percent_of, interval)),
            points(model.spread.accuracy),
            str(sum(model.exclusions.values())),
        )
        for model in models
    ]
    floors = "; ".join(f"{model.id} {model.floor}" for model in models if model.floor)
    about = "Recall: of positives; accuracy: of graded rows."
    return table_of("models", "Models", columns, rows, note=f"{about} Floors: {floors}." if floors else about)


def outcomes(models: Sequence[ModelReport]) -> Table:
    """The six outcomes, kept apart (B1, B10)."""
    rows = [(_name(m), *(str(m.outcomes[outcome]) for outcome in Outcome), str(m.graded)) for m in models]
    columns = (_MODEL, *numbers(*(outcome.value for outcome in Outcome), "graded"))
    return table_of("outcomes", "Six outcomes", columns, rows)


def confusion(models: Sequence[ModelReport]) -> Table:
    """The paper's confusion counts."""
    rows = [
        (_name(m), *(str(m.confusion[cell]) for cell in Confusion), str(m.positives), str(m.negatives)) for m in models
    ]
    columns = (_MODEL, *numbers(*(cell.value for cell in Confusion), "positives", "negatives"))
    return table_of("confusion", "Confusion counts", columns, rows)


def error_profile(models: Sequence[ModelReport]) -> Table:
    """Error categories and parameter subtypes (P53)."""
    columns = (_MODEL, *numbers("Miss", "Param.", "Over", "Temp.", "Missing", "Value", "Judge failure"))
    rows: list[tuple[str, ...]] = []
    for model in models:
        e = model.errors
        rates = (e.miss, e.parameter, e.over, e.temporal, e.missing, e.value, e.judge_failure)
        rows.append((_name(model), *map(percent_of, rates)))
    return table_of("errors", "Error profile", columns, rows, note="Over: per negative; all others: per positive.")


def steps(models: Sequence[ModelReport]) -> Table:
    """The four metrics that are never conflated (B9)."""
    columns = (_MODEL, *numbers("Called at all", "Right tools", "Schema-valid", "Semantically right"))
    rows: list[tuple[str, ...]] = []
    for model in models:
        s = model.steps
        rates = (s.called, s.right_tools, s.schema_valid, s.semantically_right)
        rows.append((_name(model), *map(percent_of, rates)))
    note = "On positives; schema-valid: of the positives on which something was called."
    return table_of("steps", "How far the models get", columns, rows, note=note)


def difficulty(models: Sequence[ModelReport]) -> Table:
    """Recall by difficulty; for negatives, how many were left alone."""
    recall = [{name: stratum.recall for name, stratum in model.by_difficulty.items()} for model in models]
    kept = [{name: stratum.specificity for name, stratum in model.by_difficulty.items()} for model in models]
    names = _names(recall)
    columns = (_MODEL, *numbers(*(f"{name}: recall" for name in names), *(f"{name}: negatives" for name in names)))
    rows = [
        (_name(model), *(percent_of(r.get(name)) for name in names), *(percent_of(k.get(name)) for name in names))
        for model, r, k in zip(models, recall, kept, strict=True)
    ]
    return table_of("difficulty", "By difficulty", columns, rows if names else ())


def negatives(models: Sequence[ModelReport]) -> Table:
    """TN / (TN + FP) by kind of negative."""
    names = _names([model.by_negative_kind for model in models])
    rows = [(_name(model), *(percent_of(model.by_negative_kind.get(name)) for name in names)) for model in models]
    note = (
        "Share of negatives on which the forbidden target was left alone; a call of another tool does not count "
        "against it here. type_a: no tool needed; type_b: another tool fits; type_c: beyond the tool."
    )
    return table_of("negatives", "Negatives by type", (_MODEL, *numbers(*names)), rows if names else (), note=note)


_UNKNOWN = "unknown"


def spending(models: Sequence[ModelReport]) -> Table:
    """Tokens and money with the rows they are known of; floors cost nothing, and are left out."""
    columns = (_MODEL, *numbers("Rows", "Input tokens", "Output tokens", "of rows", "Dollars", "of rows"))
    columns += numbers("Correct", "Dollars per correct")
    rows: list[tuple[str, ...]] = []
    for model in models:
        found = model.spending
        if found is not None and model.floor is None:
            tokens = (found.input_tokens, found.output_tokens) if found.counted_rows else (_UNKNOWN, _UNKNOWN)
            counts = (found.rows, *tokens, found.counted_rows)
            money = (_dollars(found.cost), str(found.priced_rows), str(found.correct), _dollars(found.per_correct))
            rows.append((_name(model), *map(str, counts), *money))
    note = (
        "All rows of the published descriptions, those without a verdict included. Unknown: the provider told no "
        "tokens, or the model has no `prices`."
    )
    return table_of("spending", "Tokens and money", columns, rows, note=note)


def _dollars(amount: float | None) -> str:
    return "price unknown" if amount is None else f"{amount:.4g}"


def _name(model: ModelReport) -> str:
    return f"{model.id} (floor)" if model.floor else model.id


def _names(strata: Sequence[Mapping[str, Rate]]) -> list[str]:
    """The strata that occur in any model, in the order of the fullest."""
    return list(dict.fromkeys(name for found in sorted(strata, key=len, reverse=True) for name in found))
