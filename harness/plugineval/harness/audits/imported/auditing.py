"""The import audit: every case is looked at once, as it is read, and what is found is counted by kind (X5)."""

from collections import Counter
from collections.abc import Iterator

from plugineval.harness.audits.imported.counting import count_mismatch
from plugineval.harness.audits.imported.duplicates import Duplicates
from plugineval.harness.audits.imported.findings import GroundedIn, ImportFinding, ImportKind
from plugineval.harness.audits.imported.grounding import Grounding, where_from
from plugineval.harness.audits.imported.passing import enum_strangers, passable, said
from plugineval.harness.cases import Case
from plugineval.pccf.examples import SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.schemas import violations
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json, Value, canonical_json


class ImportAudit(Value):
    """What was found in a file."""

    cases: int
    sound: int
    """Cases of which nothing certain was found."""
    kinds: dict[str, int]
    """Kind -> cases."""
    grounding: dict[str, int]
    """Where gold values come from -> values; `open` is no finding."""
    similarity: str
    findings: tuple[ImportFinding, ...]

    @property
    def wrong(self) -> int:
        """Cases of which something certain was found."""
        return self.cases - self.sound


class ImportAuditor:
    """Takes cases one by one."""

    def __init__(self, reader: Grounding | None = None) -> None:
        self._reader = reader
        self._duplicates = Duplicates()
        self._cases = self._sound = 0
        self._kinds: Counter[str] = Counter()
        self._grounding: Counter[GroundedIn] = Counter()
        self._findings: list[ImportFinding] = []

    def add(self, case: Case) -> tuple[ImportFinding, ...]:
        """Look at a case; what was found of it."""
        found = tuple(self._found(case))
        self._cases += 1
        self._sound += not any(finding.certain for finding in found)
        self._kinds.update({finding.kind.value for finding in found})
        self._findings += found
        return found

    def result(self) -> ImportAudit:
        """What was found so far."""
        return ImportAudit(
            cases=self._cases,
            sound=self._sound,
            kinds={kind.value: self._kinds[kind.value] for kind in ImportKind if self._kinds[kind.value]},
            grounding=dict(sorted(self._grounding.items())),
            similarity=self._duplicates.measure,
            findings=tuple(self._findings),
        )

    def _found(self, case: Case) -> Iterator[ImportFinding]:
        if case.sample_type is SampleType.POSITIVE and not case.gold:
            yield _finding(case, ImportKind.BOTH_EMPTY, "", "there is no gold, and it is not declared a negative")
        yield from self._duplicates.findings(case)
        if told := count_mismatch(case):
            yield _finding(case, ImportKind.COUNT, "", told)
        for call in case.gold:
            tool = case.toolset.tool(call.tool)
            yield from _against_schema(case, tool, call)
            yield from self._ungrounded(case, tool, call)

    def _ungrounded(self, case: Case, tool: ToolSpec, call: GoldCall) -> Iterator[ImportFinding]:
        places = where_from(case.query, tool, call, self._reader)
        self._grounding.update(places.values())
        for path, place in places.items():
            if place == "nowhere":
                told = "stands neither in the request nor in the schema, and cannot be inferred"
                yield _finding(case, ImportKind.UNGROUNDED, f"{tool.offered_name}.{path}", told)


def _against_schema(case: Case, tool: ToolSpec, call: GoldCall) -> Iterator[ImportFinding]:
    for name, value in enum_strangers(tool, call):
        told = f"{_short(value)} counts as right and is none of the listed values"
        yield _finding(case, ImportKind.ENUM, f"{tool.offered_name}.{name}", told)
    broken = violations(tool.input_schema, said(tool, call))
    if not broken:
        return
    told = "; ".join(f"{each.path or '/'}: {each.message}" for each in broken[:2])
    yield _finding(case, ImportKind.SCHEMA, tool.offered_name, told)
    verdict, problem = passable(tool, call)
    if verdict == "no":
        yield _finding(case, ImportKind.UNPASSABLE, tool.offered_name, problem)


def _finding(case: Case, kind: ImportKind, place: str, detail: str) -> ImportFinding:
    return ImportFinding(case=case.id, kind=kind, certain=kind.certain, place=place, detail=detail)


def _short(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= 60 else text[:59] + "…"
