"""What a construction run is asked for, and who plays its roles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import anyio
from pydantic import Field, model_validator

from plugineval.pccf.calling import RoleCalls
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.ledger import Ledger
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.roles import LevelAnnotator, QueryWriter
from plugineval.pccf.routing import Router
from plugineval.pccf.tools import Plugin, Toolset
from plugineval.pccf.values import Value
from plugineval.pccf.verification import VerificationRequest


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


@dataclass(frozen=True, kw_only=True)
class ConstructionRoles:
    """Everything a construction talks to. One limiter bounds all role calls; it is held per call, never across."""

    writer: QueryWriter
    annotator: LevelAnnotator
    verifier: Verifier
    router: Router
    ledger: Ledger
    clock: Callable[[], datetime]
    """The time now, with its zone; used for the stamps of records only."""
    limiter: anyio.CapacityLimiter
    router_temperature: float | None = None
    call_timeout_s: float | None = None
    played_by: Mapping[str, str] = field(default_factory=dict[str, str])
    """Role -> model id of the roles inside `verifier`; named in the benchmark."""

    @property
    def calls(self) -> RoleCalls:
        """How writer, annotator and router are called."""
        return RoleCalls(ledger=self.ledger, limiter=self.limiter, timeout_s=self.call_timeout_s)

    @property
    def ids(self) -> dict[str, str]:
        """Role -> id of who plays it."""
        own = {"writer": self.writer.id, "annotator": self.annotator.id, "router": self.router.id}
        return {**self.played_by, **own}
