"""Faults that an endpoint answers with, drawn for each try of each prompt or scripted, and what they must cost.

The same seed draws the same faults. What was sent whole and would be charged is counted as paid, by prompt.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from doubles.cli import asked_for
from doubles.openai_server import Document, Reply, document, message, refusal


def _cut() -> Reply:
    return Reply(body=message("half an answer").body, manner="cut")


KINDS: dict[str, Callable[[], Reply]] = {
    "error status": lambda: refusal(500, "it broke"),
    "overloaded": lambda: refusal(503, "later", headers=[("retry-after-ms", "20")]),
    "rate": lambda: refusal(429, "too many", headers=[("retry-after", "0.1")]),
    "rate until": lambda: refusal(429, "too many", headers=[("retry-after", _soon())]),
    "malformed": lambda: Reply(body=message("half an answer").body[:-20]),
    "error in answer": lambda: document({"error": {"message": "overloaded", "code": 502}}),
    "no choices": lambda: document({"id": "c", "choices": []}),
    "other shape": lambda: document({"id": "c", "choices": [{"index": 0}]}),
    "dropped": lambda: Reply(manner="drop"),
    "cut": _cut,
    "hang": lambda: Reply(manner="hang"),
    "length": lambda: message("", finish_reason="length"),
    "filter": lambda: message("", finish_reason="content_filter"),
    "refused": lambda: refusal(400, "the schema is not supported"),
    "key": lambda: refusal(401, "no such key"),
    "model": lambda: refusal(404, "no such model"),
}


def _soon() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)


@dataclass(kw_only=True)
class Faults:
    """Answers as `answer` does wherever no fault comes first. `shares`: fault -> how often a try meets it."""

    answer: Callable[[Document], Reply]
    shares: Mapping[str, float] = field(default_factory=dict[str, float])
    always: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words of a prompt -> the fault that every try of it meets."""
    tries: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Prompt -> what its tries met, empty for an answer."""
    paid: Counter[str] = field(default_factory=Counter[str])

    def __call__(self, request: Document) -> Reply:
        """The next answer to this request."""
        prompt = asked_for(request)
        met = self.tries.setdefault(prompt, [])
        fault = self._fault(prompt, len(met))
        met.append(fault)
        if fault:
            return KINDS[fault]()
        self.paid[prompt] += 1
        return self.answer(request)

    def _fault(self, prompt: str, number: int) -> str:
        for words, fault in self.always.items():
            if words in prompt:
                return fault
        drawn = random.Random(f"{prompt}/{number}").random()
        for fault, share in self.shares.items():
            if drawn < share:
                return fault
            drawn -= share
        return ""


def floor_s(tries: Iterable[Sequence[str]], costs: Mapping[str, float], *, backoff_s: float, concurrency: int) -> float:
    """Seconds that the faults cost alone: every cell waits as it must, `concurrency` cells at a time.

    `costs` are of the faults with a cost of their own (a wish of the endpoint, a hang); any other is waited for as long
    as the back-off says, which doubles with every try.
    """
    workers = [0.0] * concurrency
    for met in tries:
        waits = [costs.get(fault, backoff_s * 2**number) for number, fault in enumerate(met[:-1])]
        hung = costs.get(met[-1], 0.0) if met[-1] == "hang" else 0.0
        heapq.heappush(workers, heapq.heappop(workers) + sum(waits) + hung)
    return max(workers)
