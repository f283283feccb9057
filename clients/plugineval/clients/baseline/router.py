"""The baseline as a model: it calls the tool whose words fit best, with the arguments it can read, or nothing.

No call below `CALL_THRESHOLD`, and none while a required argument is not in the query. Where the text plainly holds
several requests and each of them fits a tool, each is answered by itself. The seed changes nothing.
"""

import json
from time import perf_counter

from plugineval.clients.baseline.extraction import Extraction, extract
from plugineval.clients.baseline.identity import BASELINE_ID, PROMPT_HASH
from plugineval.clients.baseline.relevance import CALL_THRESHOLD, Ranked, rank
from plugineval.clients.baseline.segments import refers_back, segments
from plugineval.clients.baseline.strategies import LENIENT, Strategy
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset, ToolSpec

_RIVALS = 3
_MISSING_COST = 0.4
"""What a tool loses in rank when none of its required arguments can be read off the query."""


class LexicalRouter:
    """Implements `plugineval.pccf.routing.Router`."""

    def __init__(self, *, threshold: float = CALL_THRESHOLD, strategy: Strategy = LENIENT) -> None:
        self._threshold = threshold
        self._strategy = strategy

    @property
    def id(self) -> str:
        """`baseline:lexical`."""
        return BASELINE_ID

    @property
    def prompt_hash(self) -> str:
        """Hash of the program version."""
        return PROMPT_HASH

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """At most one call for each request in the text. Never fails: an answer without a call says why."""
        started = perf_counter()
        reply = self._several(query, toolset) or self._answer(query, toolset)
        return reply.model_copy(update={"latency_ms": (perf_counter() - started) * 1000, "spent": Spent()})

    def _several(self, query: Query, toolset: Toolset) -> RouterReply | None:
        """The calls for each of several requests; None where the text holds one, or none can be answered."""
        parts = [Query.of_text(text, now=query.now) for text in segments(query.text)]
        if len(parts) < 2 or any(_fit(part, toolset) < self._threshold for part in parts):
            return None
        replies = [self._answer(part, toolset) for part in parts]
        calls = {call.model_dump_json(): call for reply in replies for call in reply.calls if _ready(call)}
        if not calls:
            return None
        text = " ".join(reply.text for reply in replies if reply.text)
        return RouterReply(calls=tuple(calls.values()), text=text, finish_reason="tool_calls")

    def _answer(self, query: Query, toolset: Toolset) -> RouterReply:
        ranked = rank(query, toolset)
        if not ranked or ranked[0].score < self._threshold:
            best = f" The nearest, {ranked[0].tool.offered_name}, scores {ranked[0].score:.2f}." if ranked else ""
            return RouterReply(text=f"No tool fits this request.{best}", finish_reason="stop")
        tool, extraction = self._best(query, ranked)
        if extraction.missing:
            return RouterReply(text=f"To go on I need: {', '.join(extraction.missing)}.", finish_reason="stop")
        call = EmittedCall(
            name=tool.offered_name,
            arguments=extraction.arguments,
            raw_arguments=json.dumps(extraction.arguments, ensure_ascii=False),
        )
        return RouterReply(calls=(call,), finish_reason="tool_calls", raw={**extraction.how})

    def _best(self, query: Query, ranked: tuple[Ranked, ...]) -> tuple[ToolSpec, Extraction]:
        """Among close rivals the one whose required arguments the query holds."""
        rivals = [each for each in ranked[:_RIVALS] if each.score >= max(self._threshold, ranked[0].score - 0.25)]
        read = [(each, extract(query, each.tool, self._strategy)) for each in rivals]
        best = max(read, key=lambda pair: pair[0].score - _MISSING_COST * _missing_share(*pair))
        return best[0].tool, best[1]


def _ready(call: EmittedCall) -> bool:
    """A call that waits for the result of another one cannot be made yet."""
    return not any(refers_back(value) for value in (call.arguments or {}).values())


def _fit(query: Query, toolset: Toolset) -> float:
    """The score of the tool that fits best."""
    ranked = rank(query, toolset)
    return ranked[0].score if ranked else 0.0


def _missing_share(ranked: Ranked, extraction: Extraction) -> float:
    return len(extraction.missing) / max(1, len(ranked.tool.required))
