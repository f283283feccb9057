"""What rules found in a file of cases, as tables: counts by kind, where gold comes from, then case by case."""

from plugineval.harness.audits.imported.auditing import ImportAudit
from plugineval.harness.audits.imported.findings import ImportFinding, ImportKind
from plugineval.harness.rendering.tables import Table, data, numbers, table_of, text

MOST_ROWS = 50
_MEANS = {
    ImportKind.UNPASSABLE: "no valid call can meet the gold",
    ImportKind.SCHEMA: "the gold call breaks its schema",
    ImportKind.ENUM: "a right value is none of the listed ones",
    ImportKind.CONFLICT: "asked before, with other gold",
    ImportKind.DUPLICATE: "asked before, with the same gold",
    ImportKind.BOTH_EMPTY: "no gold, and no negative",
    ImportKind.UNGROUNDED: "a value stands nowhere and cannot be inferred",
    ImportKind.NEAR_DUPLICATE: "nearly asked before",
    ImportKind.COUNT: "asks for another number of things",
}
_FROM = {
    "query": "said in the request",
    "schema": "listed, described or the default",
    "reading": "said in other words, or by the clock",
    "open": "cannot be told (inferred, perhaps)",
    "nowhere": "nowhere",
}


def import_tables(found: ImportAudit) -> tuple[Table, ...]:
    """Every table that has rows, the certain findings first."""
    return tuple(table for table in (kinds(found), grounding(found), findings(found)) if table.rows)


def kinds(found: ImportAudit) -> Table:
    """Kind by kind, the cases."""
    rows = [
        (kind.value.replace("_", " "), _MEANS[kind], str(found.kinds[kind.value]), "yes" if kind.certain else "no")
        for kind in ImportKind
        if kind.value in found.kinds
    ]
    columns = (text("Finding"), text("Meaning"), *numbers("Cases"), text("Certain"))
    note = f"Not certain: worth a look. Near duplicates by {found.similarity}."
    return table_of("import_kinds", "Findings", columns, rows, note=note)


def grounding(found: ImportAudit) -> Table:
    """Where gold values come from."""
    rows = [(_FROM[place], str(found.grounding[place])) for place in _FROM if place in found.grounding]
    return table_of("import_grounding", "Where gold values come from", (text("From"), *numbers("Values")), rows)


def findings(found: ImportAudit) -> Table:
    """Case by case."""
    listed = sorted(found.findings, key=_order)
    rows = [(each.case, each.kind.value.replace("_", " "), each.place, each.detail) for each in listed[:MOST_ROWS]]
    more = len(listed) - MOST_ROWS
    columns = (data("Case"), text("Finding"), data("Place"), data("Why"))
    note = f"And {more} more; --json has all of them." if more > 0 else ""
    return table_of("import_findings", "Cases", columns, rows, note=note)


def _order(finding: ImportFinding) -> int:
    return list(ImportKind).index(finding.kind)
