"""A report is a value: scope, date and expiry first, then every model's numbers with what they mean and rest on.

It goes to JSON and back without loss, and is rendered without touching a model or a plugin. Sections that reports of
earlier versions do not have are optional, so that a stored report is readable as long as it exists.
"""

from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

from plugineval.harness.borrowed import BorrowedNumber
from plugineval.harness.comparison import ModelComparison
from plugineval.harness.construction import Construction
from plugineval.harness.decision.rule import Decision
from plugineval.harness.definitions import DEFINITIONS, Definition
from plugineval.harness.end_metric import EndMetric
from plugineval.harness.gradings import Grading
from plugineval.harness.metrics import ModelMetrics
from plugineval.harness.model_spending import ModelSpending
from plugineval.harness.optional_fields import OptionalFields
from plugineval.harness.run import RunInfo
from plugineval.harness.samples import RowSample
from plugineval.harness.statistics.steadiness import Steadiness
from plugineval.harness.table_one import TableOne
from plugineval.harness.tool_results import ToolResult
from plugineval.harness.variant_results import VariantResult
from plugineval.harness.verdict import Verdict
from plugineval.pccf.values import Value


class ModelReport(ModelMetrics):
    """One model: id, then its metrics. `floor` says what a floor does; None for a model under test."""

    id: str
    floor: str | None = None
    prompt_hash: str = ""
    served_by: tuple[str, ...] = ()
    """What the provider said had answered: an alias that names another model later has moved (X4)."""
    steadiness: Steadiness | None = None
    spending: ModelSpending | None = None
    """What its answers cost; None of a model that was not asked, and in reports of earlier versions."""


class Report(Value):
    """Everything that is known about a run (B18). Models under test come first, floors last.

    `models`, `comparison` and `table_one` are about the published descriptions; `variants` lays the others beside them.
    """

    version: Literal[1] = 1
    run: RunInfo
    grading: Grading | None = None
    """Who graded these rows, and when: a run may be graded more than once, each time with a report of its own (X9)."""
    reported_at: AwareDatetime
    expires_at: AwareDatetime
    verdict: Verdict
    models: tuple[ModelReport, ...]
    comparison: ModelComparison
    decision: Decision | None = None
    table_one: TableOne | None = None
    by_tool: tuple[ToolResult, ...] = ()
    variants: tuple[VariantResult, ...] = ()
    optional_fields: OptionalFields | None = None
    end_metrics: tuple[EndMetric, ...] = ()
    borrowed: tuple[BorrowedNumber, ...] = ()
    errors: tuple[RowSample, ...] = ()
    """A bounded choice of failed rows and of right rows with calls that may have side effects."""
    excluded: tuple[RowSample, ...] = ()
    """A bounded choice of rows without a verdict; all of them are counted in the models' `exclusions`."""
    construction: Construction | None = None
    definitions: tuple[Definition, ...] = DEFINITIONS

    def expired(self, now: datetime) -> bool:
        """Whether the numbers may no longer be quoted at `now`, by date alone."""
        return now >= self.expires_at
