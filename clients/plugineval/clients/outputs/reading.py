"""Any provider's answer, turned into calls: the one place that knows every shape in which calls come.

The shape is recognised by its own marks. What no shape explains is a failure or a call of nothing, and never silence.
"""

from plugineval.clients.outputs import streams
from plugineval.clients.outputs.attempted import attempted_call
from plugineval.clients.outputs.documents import document_of
from plugineval.clients.outputs.envelopes.json_text import documents
from plugineval.clients.outputs.envelopes.salvage import salvaged
from plugineval.clients.outputs.items import are_plain, is_provider_item, spoken_items
from plugineval.clients.outputs.naming import Names, safe_names
from plugineval.clients.outputs.reply import NormalisedReply, Shape
from plugineval.clients.outputs.spoken import Spoken, stopped
from plugineval.clients.strict_json import NotJsonError
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

_NO_TOOLS = Toolset()


def calls_of(answer: Json, toolset: Toolset = _NO_TOOLS, *, salvage: bool = False) -> NormalisedReply:
    """The calls in `answer`, for one answer; `OutputReader` serves many answers to the same tools."""
    return OutputReader(toolset, salvage=salvage).read(answer)


class OutputReader:
    """Reads the answers to one tool set. `salvage` reads calls that a model wrote into its text as calls."""

    def __init__(self, toolset: Toolset, *, salvage: bool = False, names: Names | None = None) -> None:
        self._toolset = toolset
        self._salvage = salvage
        self._names = names or safe_names(list(toolset.by_name))
        self._renamed = {wire: name for wire, name in self._names.offered.items() if wire != name}

    def read(self, answer: Json) -> NormalisedReply:
        """`answer` in any shape: a document, a message, items, blocks, parts, plain calls, a stream, or a text."""
        if isinstance(answer, str):
            return self._serialised(answer) or self.closed(Spoken(text=answer), Shape.TEXT)
        if isinstance(answer, list):
            return self._list(answer)
        if isinstance(answer, dict):
            return self._object(answer)
        return _unknown(answer)

    def closed(self, spoken: Spoken, shape: Shape, remarks: tuple[str, ...] = ()) -> NormalisedReply:
        """What was said, with its names mapped back; a text that attempts a call is salvaged or a failure."""
        calls, text, failure = spoken.calls, spoken.text, spoken.failure or stopped(spoken.finish_reason)
        if not calls and failure is None:
            found = salvaged(text, self._is_text) if self._salvage and self._attempts(text) else None
            calls, text = found or (calls, text)
            failure = None if found else self._unread(text)
        if self._renamed:
            calls = tuple(self._named_back(call) for call in calls)
        return NormalisedReply(
            calls=calls, text=text, finish_reason=spoken.finish_reason, failure=failure, shape=shape, remarks=remarks
        )

    def _named_back(self, call: EmittedCall) -> EmittedCall:
        name = self._names.back(call.name)
        return call if name == call.name else call.model_copy(update={"name": name})

    def _attempts(self, text: str) -> str | None:
        return attempted_call(text, {*self._names.sent, *self._names.offered}) if text else None

    def _unread(self, text: str) -> Failure | None:
        envelope = self._attempts(text)
        if envelope is None:
            return None
        detail = f"the text attempts a call that the provider did not read: {envelope}"
        return Failure(kind=FailureKind.PARSE_FAILURE, detail=detail)

    def _is_text(self, tool: str, argument: str) -> bool:
        found = self._toolset.by_name.get(self._names.back(tool))
        return found is not None and found.properties.get(argument, {}).get("type") == "string"

    def _object(self, answer: dict[str, Json]) -> NormalisedReply:
        document = document_of(answer)
        return self.closed(*document) if document else self._items([answer])

    def _list(self, answer: list[Json]) -> NormalisedReply:
        stream = None if are_plain(answer) else streams.assembled(answer)
        if stream is not None:
            whole = self._object(stream)
            return whole.model_copy(update={"shape": Shape.STREAM, "remarks": (f"{len(answer)} events put together",)})
        only = answer[0] if len(answer) == 1 else None
        return self._object(only) if isinstance(only, dict) and not are_plain(answer) else self._items(answer)

    def _items(self, items: list[Json]) -> NormalisedReply:
        spoken, shape = spoken_items(items)
        return self.closed(spoken, shape)

    def _serialised(self, text: str) -> NormalisedReply | None:
        """A provider's answer that was written out as text: told from a model's own words by the provider's marks."""
        events = streams.events_of(text)
        if events is not None:
            return self._list(events)
        if not text.lstrip().startswith(("{", "[")):
            return None
        try:
            values = documents(text)
        except NotJsonError:
            return None
        items = values[0] if len(values) == 1 and isinstance(values[0], list) else values
        if not items or not all(is_provider_item(item) for item in items):
            return None
        reply = self._list(items)
        return reply.model_copy(update={"remarks": (*reply.remarks, "the provider's answer came written out as text")})


def _unknown(answer: Json) -> NormalisedReply:
    kind = "nothing" if answer is None else f"a {type(answer).__name__}"
    failure = Failure(kind=FailureKind.BAD_RESPONSE, detail=f"the answer ({kind}) has no known shape")
    return NormalisedReply(failure=failure, shape=Shape.UNKNOWN)
