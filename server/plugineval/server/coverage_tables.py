"""Coverage at a glance: one line per tool and kind of scenario, and one per round with what was still missing.

A cell says `verified/budget`, and how many are missing; an empty one was not asked for.
"""

from collections.abc import Iterable, Mapping, Sequence

from plugineval.harness.rendering.tables import Table, data, numbers, table_of, text
from plugineval.pccf.coverage.deficits import GridCell, GridRow
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.scenarios import ScenarioKind

DONE = "✓"


def grid_table(grid: Iterable[GridRow]) -> Table:
    """Tool x kind of scenario x difficulty."""
    columns = (data("tool"), text("kind"), *numbers(*(level.value for level in Difficulty), "missing"))
    rows: list[tuple[str, ...]] = []
    before = ""
    for row in grid:
        cells = (_cell(row.cells.get(level)) for level in Difficulty)
        missing = sum(cell.deficit for cell in row.cells.values())
        rows.append(("" if row.tool == before else row.tool, row.kind.value, *cells, str(missing or DONE)))
        before = row.tool
    note = "verified/budget; in brackets what is missing"
    return table_of("coverage_grid", "Coverage", columns, rows, note=note)


def rounds_table(deficits: Sequence[tuple[int, Mapping[str, int]]]) -> Table:
    """Number of the round, and what was missing after it by kind of scenario."""
    kinds = [kind.value for kind in ScenarioKind if any(kind.value in found for _, found in deficits)]
    columns = (text("round"), *numbers(*kinds, "all"))
    rows = (
        (str(number), *(str(found.get(kind, 0) or DONE) for kind in kinds), str(sum(found.values()) or DONE))
        for number, found in deficits
    )
    return table_of("deficits", "Missing after each round", columns, rows)


def _cell(cell: GridCell | None) -> str:
    if cell is None:
        return ""
    said = f"{cell.verified}/{cell.budget}"
    return f"{said} ({cell.deficit})" if cell.deficit else said
