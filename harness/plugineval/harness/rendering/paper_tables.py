"""The paper's Table 1 and what a change of the difficulty mixture does to it (P54, P56)."""

from plugineval.harness.mixtures import MixedRate, Mixture
from plugineval.harness.rendering.tables import NOTHING, Table, data, numbers, points, table_of, text
from plugineval.harness.report import Report
from plugineval.harness.resampling import Span
from plugineval.harness.table_one import TableOne


def paper_tables(report: Report) -> tuple[Table, ...]:
    """Table 1 and its shifts; without difficulties there is neither."""
    found = report.table_one
    return () if found is None else (table_one(found), shifts(found))


def table_one(found: TableOne) -> Table:
    """Models x mixtures."""
    rows = [
        (
            entry.model,
            entry.mixture,
            *map(
                _rate,
                (
                    entry.recall,
                    entry.accuracy,
                    entry.miss,
                    entry.parameter,
                    entry.over,
                    entry.temporal,
                    entry.missing,
                    entry.value,
                ),
            ),
        )
        for entry in found.entries
    ]
    columns = (
        data("Model"),
        text("Mixture"),
        *numbers("Recall", "Acc.", "Miss", "Param.", "Over", "Temp.", "Missing", "Value"),
    )
    mixtures = "; ".join(f"{mixture.name}: {_shares(mixture)}" for mixture in found.mixtures)
    absent = sorted({level for entry in found.entries for level in (*entry.recall.absent, *entry.over.absent)})
    note = f"Easy/medium/hard as {mixtures}, re-weighted, on {found.rows} common rows; (n) is the rows behind a rate."
    if absent:
        note += f" No number where a stratum has no rows: {', '.join(absent)}."
    return table_of("table_one", "By difficulty mixture", columns, rows, note=note)


def shifts(found: TableOne) -> Table:
    """First against last mixture: deltas, ranks, and how firm the first place is under resampling."""
    ranks = {rank.model: rank for rank in found.ranks}
    draws = {draw.mixture: draw.models for draw in found.resampled}
    rows: list[tuple[str, ...]] = []
    for shift in found.shifts:
        rank = ranks.get(shift.model)
        if rank is None or (shift.recall is None and shift.accuracy is None):
            continue
        before, after = (draws.get(mixture, {}).get(shift.model) for mixture in (shift.before, shift.after))
        rows.append(
            (
                shift.model,
                points(shift.recall),
                points(shift.accuracy),
                f"{rank.before or NOTHING} → {rank.after or NOTHING}",
                _span(before.recall if before else None),
                _span(after.recall if after else None),
                f"{before.first:.2f} → {after.first:.2f}" if before and after else NOTHING,
            )
        )
    columns = (
        data("Model"),
        *numbers("Recall moves", "Acc. moves", "Rank", "Recall in draws: before", "after", "First in draws"),
    )
    known = found.resampled[0] if found.resampled else None
    note = f"{known.draws} draws of {known.cases} cases, seed {known.seed}; first: share of the draws." if known else ""
    return table_of("mixture_shifts", "What the mixture moves", columns, rows, note=note if rows else "")


def _shares(mixture: Mixture) -> str:
    return "/".join(f"{share:.2f}" for share in mixture.shares.values())


def _rate(rate: MixedRate) -> str:
    return NOTHING if rate.value is None else f"{100 * rate.value:.1f} ({rate.rows})"


def _span(span: Span | None) -> str:
    return NOTHING if span is None else f"{100 * span.low:.1f}–{100 * span.high:.1f}"
