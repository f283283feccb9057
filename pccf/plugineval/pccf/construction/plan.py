"""What a construction run is asked for, and who plays its roles."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import anyio
from pydantic import Field, model_validator

from plugineval.pccf.calling import RoleCalls
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.lessons import OpeningLook
from plugineval.pccf.coverage.catalog import Catalog
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.examples import Query
from plugineval.pccf.ledger import Ledger
from plugineval.pccf.metering import Meter
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.roles import DepthAnnotator, LevelAnnotator, QueryWriter
from plugineval.pccf.routing import Router
from plugineval.pccf.tools import Plugin, Toolset, ToolSpec
from plugineval.pccf.values import Value
from plugineval.pccf.verification import MadeCall, Repeated, VerificationRequest


class ConstructionPlan(Value):
    """A benchmark to be built: its name, its tools, its numbers."""

    name: str = Field(min_length=1)
    benchmark_id: str | None = None
    """None: derived from name and content."""
    plugins: tuple[Plugin, ...]
    toolset: Toolset
    config: BuildConfig = BuildConfig()
    executable: frozenset[str]
    """Offered names of the tools that policy allows to execute; the others get no positive scenarios."""
    stand_ins: bool = True
    """Whether surplus examples may stand in for missing ones of their kind when the loop has ended."""
    catalog: Catalog | None = None
    """Scenarios that a person gave: checked by the rules of every catalog, and nothing is derived. None: derived."""
    seeds: tuple[Query, ...] = ()
    """Real queries (P8): examined before anything is written."""
    looks: tuple[OpeningLook, ...] = ()
    """What the plugins hold, for a writer to know what can be asked of them."""

    @model_validator(mode="after")
    def _executable_tools_exist(self) -> "ConstructionPlan":
        for name in sorted(self.executable - self.toolset.by_name.keys()):
            raise UnknownNameError("tool", name, self.toolset.by_name)
        return self


class Verifier(Protocol):
    """Stage I as the loop sees it: `plugineval.pccf.verification.StageOne`."""

    async def verify(self, request: VerificationRequest) -> VerificationRecord:
        """The record of one candidate; rejections and outages are verdicts in it, never exceptions."""
        ...

    async def repeat(self, record: VerificationRecord, tool: ToolSpec, after: Sequence[MadeCall] = ()) -> Repeated:
        """The gold call of an accepted record executed once more, after the calls its request made before it."""
        ...


@dataclass(frozen=True, kw_only=True)
class ConstructionRoles:
    """Everything a construction talks to. One limiter bounds all role calls; it is held per call, never across."""

    writer: QueryWriter
    annotators: Sequence[LevelAnnotator]
    """Each votes by itself; all must agree. At least one."""
    depth: DepthAnnotator
    verifier: Verifier
    router: Router
    ledger: Ledger
    clock: Callable[[], datetime]
    """The time now, with its zone; used for the stamps of records only."""
    limiter: anyio.CapacityLimiter
    meter: Meter | None = None
    """Hard limits: where it refuses, no further call is made. `ledger` is the one that it counts."""
    router_temperature: float | None = None
    call_timeout_s: float | None = None
    played_by: Mapping[str, str] = field(default_factory=dict[str, str])
    """Role -> model id of the roles inside `verifier`; named in the benchmark."""

    def __post_init__(self) -> None:
        """Refuse roles that could not decide anything."""
        if not self.annotators:
            raise ConfigurationError("at least one annotator is needed", field="roles.annotators")

    @property
    def calls(self) -> RoleCalls:
        """How all roles outside `verifier` are called."""
        return RoleCalls(ledger=self.ledger, limiter=self.limiter, timeout_s=self.call_timeout_s, limits=self.meter)

    @property
    def ids(self) -> dict[str, str]:
        """Role -> id of who plays it; several annotators by commas."""
        voting = ", ".join(annotator.id for annotator in self.annotators)
        own = {"writer": self.writer.id, "annotator": voting, "depth": self.depth.id, "router": self.router.id}
        return {**self.played_by, **own}

    def bias_warnings(self, *, positive: bool) -> tuple[str, ...]:
        """A sentence for every model that checks its own words (P17), among the roles that bear on such a record."""
        own = self.writer.id
        checking = [("level annotator", annotator.id) for annotator in self.annotators]
        checking += [("depth annotator", self.depth.id)] if positive else []
        return tuple(dict.fromkeys(f"{own} is query writer and {what} at once" for what, who in checking if who == own))
