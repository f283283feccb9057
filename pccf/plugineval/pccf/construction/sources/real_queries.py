"""Real queries on their way to a verdict: read by the annotators, then examined like any written query (P8)."""

from plugineval.pccf.construction.examining.annotation import EXPECTED
from plugineval.pccf.construction.examining.drafts import Draft, Examined
from plugineval.pccf.construction.examining.examination import Examiner
from plugineval.pccf.construction.examining.writeup import Finding, no_vote
from plugineval.pccf.construction.plan import ConstructionPlan
from plugineval.pccf.construction.sources.placing import own_scenario, scenario_of
from plugineval.pccf.construction.sources.seeds import Reading, SeedFinding, SeedReader
from plugineval.pccf.coverage.filtering import CandidateFilter, FilteredCandidate
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.labels import ValidInvocation, label_of
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.roles import Candidate, WritingTask
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.values import Value

ROUND = 0
"""Real queries are examined in a round before the first one that is written for."""


class SeedExamined(Value):
    """One real query: what the votes said, and the verdict on each reading that was tried; the last one stands."""

    finding: SeedFinding
    examined: tuple[Examined, ...]


class SeedExaminer:
    """Examines the real queries of one plan."""

    def __init__(self, plan: ConstructionPlan, examiner: Examiner) -> None:
        self._plan, self._examiner = plan, examiner
        self._reader = SeedReader(examiner.annotator, plan.toolset, plan.executable, plan.config)

    def sifted(self, sieve: CandidateFilter) -> tuple[list[Query], list[FilteredCandidate]]:
        """The real queries that are worth examining, and those that are not, with the reason (P29)."""
        kept: list[Query] = []
        filtered: list[FilteredCandidate] = []
        for query in self._plan.seeds:
            seed = query if query.origin == "real" else query.model_copy(update={"origin": "real"})
            own = own_scenario(seed, ScenarioKind.TRIGGER, self._reader.nearest(seed).offered_name)
            draft = self._draft(seed, own)
            task = WritingTask(
                scenario=own, tool=draft.tool, toolset=self._plan.toolset, difficulty=draft.unit.difficulty, count=1
            )
            fit, unfit = sieve.sift(task, [draft.candidate])
            kept += [candidate.query for candidate in fit]
            filtered += unfit
        return kept, filtered

    async def examine(self, seed: Query) -> SeedExamined:
        """The readings of `seed`, tried until one is accepted or undecided."""
        started = self._examiner.clerk.now
        finding = await self._reader.read(seed)
        if not finding.readings:
            draft = self._draft(seed, own_scenario(seed, ScenarioKind.TRIGGER, finding.nearest))
            record = self._examiner.clerk.record(draft, _unread(finding), started)
            return SeedExamined(finding=finding, examined=(await self._examiner.settle(draft, record),))
        tried: list[Examined] = []
        for reading in finding.readings:
            tried.append(await self._read_as(seed, reading))
            if tried[-1].record.verdict != "rejected":
                break
        return SeedExamined(finding=finding, examined=tuple(tried))

    async def _read_as(self, seed: Query, reading: Reading) -> Examined:
        started = self._examiner.clerk.now
        draft = self._placed(seed, reading, reading.kind)
        if not reading.kind.positive:
            levels = EXPECTED[reading.kind]
            reason = f"annotated {levels}, which is {reading.kind.value}"
            label = label_of(*levels, None)
            said = Finding(verdict="accepted", reason=reason, votes=reading.votes, label=label)
            return await self._examiner.settle(draft, self._examiner.clerk.record(draft, said, started))
        record = await self._examiner.verified(draft, reading.votes)
        if record.verdict == "accepted" and not isinstance(record.label, ValidInvocation):
            draft = self._placed(seed, reading, ScenarioKind.UNDERSPECIFIED)
            record = _filed_under(record, draft)
        return await self._examiner.settle(draft, record)

    def _placed(self, seed: Query, reading: Reading, kind: ScenarioKind) -> Draft:
        own = own_scenario(seed, kind, reading.target, reading.lookalike)
        return self._draft(seed, scenario_of(seed, own, self._examiner.scenarios, self._plan.toolset))

    def _draft(self, seed: Query, scenario: Scenario) -> Draft:
        # A real query was written for no difficulty; what counts is the one that is observed.
        unit = CoverageUnit(scenario=scenario.id, difficulty=Difficulty.EASY)
        return Draft(
            candidate=Candidate(query=seed, scenario=scenario.id, difficulty=unit.difficulty),
            scenario=scenario,
            tool=self._plan.toolset.tool(scenario.target),
            unit=unit,
            round=ROUND,
            benchmark=self._plan.benchmark_id or "",
        )


def _unread(finding: SeedFinding) -> Finding:
    if finding.failure is not None:
        return no_vote(finding.failure, finding.votes)
    return Finding(verdict="rejected", reason=finding.problem, votes=finding.votes)


def _filed_under(record: VerificationRecord, draft: Draft) -> VerificationRecord:
    return record.model_copy(update={"id": draft.record_id, "scenario": draft.scenario.id, "gap": draft.gap})
