"""Requests that a file holds twice: in the same words, or nearly (D12), of the same tools."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from plugineval.harness.audits.imported.findings import ImportFinding, ImportKind
from plugineval.harness.cases import Case
from plugineval.pccf.coverage.similarity import SIMILARITY, Similarity, stems
from plugineval.pccf.values import content_hash

NEAR = 0.9


class _Seen(NamedTuple):
    case: str
    gold: str


class Duplicates:
    """Remembers every request; near ones are looked for among those whose gold calls the same tools."""

    def __init__(self, similarity: Similarity = SIMILARITY) -> None:
        self.measure = similarity.measure
        self._similarity = similarity
        self._exact: dict[str, _Seen] = {}
        self._near: defaultdict[str, _Group] = defaultdict(_Group)

    def findings(self, case: Case) -> Iterator[ImportFinding]:
        """What is found of a case, given those before it."""
        said = " ".join(message.content for message in case.query.messages)
        text = " ".join(said.lower().split())
        now = case.query.now.isoformat() if case.query.now else ""
        key, gold = content_hash([text, now, case.toolset.content_hash]), _gold_of(case)
        before = self._exact.setdefault(key, _Seen(case.id, gold))
        if before.case != case.id:
            same = before.gold == gold
            yield ImportFinding(
                case=case.id,
                kind=ImportKind.DUPLICATE if same else ImportKind.CONFLICT,
                certain=True,
                place=before.case,
                detail=f"asks what {before.case} asks, with {'the same' if same else 'other'} gold",
            )
            return
        group = self._near[content_hash(sorted({call.tool for call in case.gold}) or [case.target_tool, "none"])]
        found = self._similarity.nearest(text, group.worth_a_look(text), at_least=NEAR)
        if found is not None:
            other, score = found
            yield ImportFinding(
                case=case.id,
                kind=ImportKind.NEAR_DUPLICATE,
                certain=False,
                place=group.cases[other],
                detail=f"nearly asks what {group.cases[other]} asks ({score:.2f})",
            )
        group.add(text, case.id)


class _Group:
    """Requests for the same tools, found again by their words.

    Two texts reach `NEAR` only where the cosine of their words reaches 2 NEAR - 1, and so share words that make up its
    square of either text (Cauchy and Schwarz): of the rarest words that make up more than the rest, one is shared.
    """

    def __init__(self) -> None:
        self.cases: dict[str, str] = {}
        """Text -> the first case that asks it."""
        self._by_word: defaultdict[str, dict[str, None]] = defaultdict(dict)

    def add(self, text: str, case: str) -> None:
        """Remember a request."""
        if text not in self.cases:
            self.cases[text] = case
            for word in frozenset(stems(text)):
                self._by_word[word][text] = None

    def worth_a_look(self, text: str) -> list[str]:
        """All requests that can be near to `text`, and few others."""
        counts = Counter(stems(text))
        whole = sum(count * count for count in counts.values())
        looked, found = 0, dict[str, None]()
        for word in sorted(counts, key=lambda each: (len(self._by_word.get(each, ())), each)):
            found |= self._by_word.get(word, {})
            looked += counts[word] ** 2
            if looked > (1 - (2 * NEAR - 1) ** 2) * whole:
                break
        return list(found)


def _gold_of(case: Case) -> str:
    calls = sorted(content_hash(call) for call in case.gold)
    return content_hash([case.sample_type.value, case.target_tool, calls])
