"""What a recording will hold, before it is a file."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pydantic import AwareDatetime

from plugineval.clients.recorded.lines import AnswerLine, RecordedModel, RecordingHeader
from plugineval.pccf.values import Value

_FLOORS = ("baseline:", "degenerate:")
UNKNOWN = RecordedModel(answers=1)


class Source(Value):
    """Where it was taken from."""

    kind: str
    """Of the job."""
    id: str
    about: str
    """The benchmark."""
    at: AwareDatetime


class Content(NamedTuple):
    """A header with its lines."""

    header: RecordingHeader
    lines: list[AnswerLine]
    warnings: tuple[str, ...] = ()


def content_of(source: Source, lines: Iterable[AnswerLine], known: Mapping[str, RecordedModel]) -> Content:
    """The recording of `lines`, with what is `known` of their models.

    Floors answer by themselves wherever they are wanted, and are left out; unless nobody else answered.
    """
    found = list(lines)
    others = [line for line in found if not line.model.startswith(_FLOORS)]
    kept = others or found
    models = {
        model: known.get(model, UNKNOWN).model_copy(update={"answers": answers})
        for model, answers in sorted(Counter(line.model for line in kept).items())
    }
    header = RecordingHeader(
        recorded_at=source.at, kind=source.kind, source=source.id, about=source.about, models=models
    )
    return Content(header, kept)
