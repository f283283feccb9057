"""What came out of a file of cases: the records that can be measured, and every other line with its reason (X11).

`CaseRecord` has the field names of the harness's case, so that the composition root hands it over field by field;
this package knows nothing of the harness.
"""

from collections import Counter
from typing import Literal

from pydantic import InstanceOf

from plugineval.pccf.examples import Difficulty, Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.packed import Packed
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value


class CaseRecord(Value):
    """One query with its gold. Records with the same tools share one `Toolset` object."""

    id: str
    query: Query
    toolset: Toolset
    gold: tuple[GoldCall, ...] = ()
    sample_type: SampleType
    target_tool: str | None = None
    ordered: bool = False
    difficulty: Difficulty | None = None
    scenario: str | None = None
    scenario_kind: ScenarioKind | None = None


def packed_records() -> Packed[CaseRecord]:
    """A place for many records."""
    return Packed(CaseRecord, shared="toolset")


class Remark(Value):
    """One line that was refused, or kept with a warning: where, which record, which field, and what about it."""

    severity: Literal["refused", "warning"]
    line: int
    """1-based."""
    id: str | None = None
    """None where the line was not read far enough to know it."""
    field: str
    """`tools[2].input_schema`, or `line` for the line as a whole."""
    problem: str

    @property
    def sentence(self) -> str:
        """The remark for a person."""
        name = "" if self.id is None else f" ({self.id})"
        return f"line {self.line}{name}, {self.field}: {self.problem}"


class CaseFile(Value):
    """Everything one file held. `lines` counts the lines that are not blank: each is a case or a refusal."""

    cases: InstanceOf[Packed[CaseRecord]]
    """A file may hold more cases than there should be objects of."""
    remarks: tuple[Remark, ...] = ()
    lines: int
    content_hash: str
    """sha256 of the bytes of the file."""

    @property
    def refused(self) -> tuple[Remark, ...]:
        """The lines that are not measured."""
        return tuple(remark for remark in self.remarks if remark.severity == "refused")

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """What is odd about lines that are measured."""
        return tuple(remark for remark in self.remarks if remark.severity == "warning")

    @property
    def refusals_by_field(self) -> dict[str, int]:
        """Field (without indexes) -> number of refused lines."""
        return dict(Counter(remark.field.split("[")[0].split(".")[0] for remark in self.refused))
