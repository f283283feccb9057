"""A recorded model under test, or as the reference router: it answers what it answered, and fails at anything else.

Repeats keep their own answers. Where several cases asked the same, the first to ask gets the answer of the first.
"""

from collections.abc import Iterable

from plugineval.clients.recorded.lines import asked_of
from plugineval.clients.recorded.recording import Recording
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import Failure, FailureKind, RouterReply
from plugineval.pccf.stamps import ModelStamp
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

NEXT = "Next: record a run that asks this (`plugineval record RUN --out FILE`), or name the model itself"


class RecordedRouter:
    """`plugineval.pccf.routing.Router`, and `plugineval.pccf.stamps.Stamped`."""

    def __init__(self, model_id: str, recording: Recording, model: str) -> None:
        """`model` is one of the recording's."""
        self._id = model_id
        self._recording = recording
        self._model = model
        self._given: dict[tuple[str, str, int], int] = {}

    @property
    def id(self) -> str:
        """`recorded:NAME`."""
        return self._id

    @property
    def prompt_hash(self) -> str:
        """That of the model when it was recorded."""
        return self._recording.model(self._model).prompt_hash

    @property
    def temperature(self) -> float | None:
        """That of the model when it was recorded."""
        return self._recording.model(self._model).temperature

    def stamp(self, toolsets: Iterable[Toolset]) -> ModelStamp:
        """What was recorded, from which model and when, and what it was asked with then."""
        header, known = self._recording.header, self._recording.model(self._model)
        asked: dict[str, Json] = dict(known.stamp.settings) if known.stamp else {}
        settings: dict[str, Json] = {
            **asked,
            "recorded": self._model,
            "recorded_at": header.recorded_at.isoformat(timespec="seconds"),
            "recorded_in": f"{header.kind} {header.source} of {header.about}",
        }
        return ModelStamp(settings=settings, rewrites=known.stamp.rewrites if known.stamp else ())

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """The recorded answer, as it came; a `NOT_RECORDED` failure says what is missing."""
        asked, tools = asked_of(query), toolset.content_hash
        found = self._recording.routes(self._model, asked, tools, seed)
        if not found:
            missing = self._recording.missing(self._model, asked, tools, seed)
            return RouterReply(failure=Failure(kind=FailureKind.NOT_RECORDED, detail=f"{missing}. {NEXT}"))
        turn = self._given.get((asked, tools, seed), 0)
        self._given[asked, tools, seed] = turn + 1
        return found[turn % len(found)].reply
