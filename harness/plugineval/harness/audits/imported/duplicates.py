"""Requests that a file holds twice: in the same words, or nearly (D12), of the same tools."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from plugineval.harness.audits.imported.findings import ImportFinding, ImportKind
from plugineval.harness.cases import Case
from plugineval.pccf.coverage.similarity import SIMILARITY, Similarity
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
        self._near: defaultdict[str, dict[str, str]] = defaultdict(dict)

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
        found = self._similarity.nearest(text, group, at_least=NEAR)
        if found is not None:
            other, score = found
            yield ImportFinding(
                case=case.id,
                kind=ImportKind.NEAR_DUPLICATE,
                certain=False,
                place=group[other],
                detail=f"nearly asks what {group[other]} asks ({score:.2f})",
            )
        group.setdefault(text, case.id)


def _gold_of(case: Case) -> str:
    calls = sorted(content_hash(call) for call in case.gold)
    return content_hash([case.sample_type.value, case.target_tool, calls])
