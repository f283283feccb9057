"""What a construction tells while it runs, so that everything is stored when it happens. A resumed run tells it again
with the same ids.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.coverage.catalog import Catalog
from plugineval.pccf.coverage.deficits import CoverageTable
from plugineval.pccf.examples import Example
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.values import Value


class CatalogMade(Value):
    """The scenarios, and the budgets that the requested size gives their units."""

    kind: Literal["catalog_made"] = "catalog_made"
    catalog: Catalog
    coverage: CoverageTable


class RecordVerified(Value):
    """A candidate has its verdict. Records come in the order in which they end.

    `example` is the verified annotation of an accepted candidate; whether it fills a budget is said by the round's
    `counted`.
    """

    kind: Literal["record_verified"] = "record_verified"
    round: int
    record: VerificationRecord
    example: Example | None = None


class RoundEnded(Value):
    """A round is over and counted."""

    kind: Literal["round_ended"] = "round_ended"
    round: ConstructionRound


ConstructionEvent: TypeAlias = Annotated[CatalogMade | RecordVerified | RoundEnded, Field(discriminator="kind")]
OnEvent: TypeAlias = Callable[[ConstructionEvent], Awaitable[None]]
"""Called with one event at a time; what it raises ends the construction."""
