"""The closed loop (P34): deficits -> writing -> filtering -> votes, Stage I, calibration -> recount, until it stops.

Before the first round real queries are examined; after the candidates of a round the negatives that proved too easy
are strengthened. Plain deterministic code that replays from the top: every role call goes through the journal,
candidates are verified concurrently and counted in the order in which they were written, so that a resumed or
repeated run makes no call twice and ends with the same benchmark. An outage never decides a candidate; a round in
which outages left nothing decided ends the loop as incomplete, with all that was done. A hard limit ends it with
everything that was verified.
"""

from collections.abc import Sequence
from functools import partial
from math import inf

import anyio

from plugineval.pccf.calibration.reference import freeze
from plugineval.pccf.calling import in_order
from plugineval.pccf.construction.accounts import Accounts
from plugineval.pccf.construction.assembly import Ending, assembled
from plugineval.pccf.construction.events import CatalogMade, ConstructionEvent, OnEvent, RecordVerified, RoundEnded
from plugineval.pccf.construction.examining.drafts import Draft, Examined
from plugineval.pccf.construction.examining.examination import Examiner
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.construction.results import ConstructionResult, Incomplete, StopReason
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.construction.sources.catalogue import catalog_for
from plugineval.pccf.construction.sources.real_queries import ROUND, SeedExamined, SeedExaminer
from plugineval.pccf.construction.sources.strengthening import Strengthener, Weak, still_weak, worthwhile
from plugineval.pccf.construction.sources.synthesis import synthesize
from plugineval.pccf.construction.stopping import Stopping
from plugineval.pccf.construction.tally import Tally
from plugineval.pccf.coverage.budgets import spread
from plugineval.pccf.coverage.catalog import Catalog
from plugineval.pccf.coverage.filtering import CandidateFilter
from plugineval.pccf.coverage.moving import BudgetMove
from plugineval.pccf.errors import ConfigurationError, IncompleteError
from plugineval.pccf.examples import Query, RouterFreeze


async def construct(plan: ConstructionPlan, roles: ConstructionRoles, on_event: OnEvent) -> ConstructionResult:
    """Build the benchmark of `plan`; every record is told to `on_event` when it happens.

    `ConfigurationError` where no scenario can be derived at all. What `on_event` or the ledger raises ends the
    construction. Cancellation stops it between any two calls; the ledger keeps those that were answered.
    """
    frozen = freeze(roles.router, runs=plan.config.calibration_runs, temperature=roles.router_temperature)
    try:
        catalog = await catalog_for(plan, roles)
    except IncompleteError as error:
        limit = _limit(roles)
        stopped = Incomplete(cause=str(error)) if limit is None else StopReason(limit)
        return assembled(plan, roles, Accounts({}, plan), Ending(stopped=stopped, router=frozen))
    budgets = spread(catalog.scenarios, plan.toolset, plan.config)
    if not budgets:
        raise ConfigurationError(
            "no scenario can be derived from these tools",
            field="plugins",
            next_step="register a plugin with tools, or allow its tools to be executed",
        )
    return await _Loop(plan, roles, on_event, frozen).run(catalog, Accounts(budgets, plan, catalog.scenarios))


def _limit(roles: ConstructionRoles) -> str | None:
    return roles.meter.reached if roles.meter is not None else None


class _Loop:
    """The state of one construction; concurrent parts never touch the accounts."""

    def __init__(
        self, plan: ConstructionPlan, roles: ConstructionRoles, on_event: OnEvent, frozen: RouterFreeze
    ) -> None:
        self._plan, self._roles, self._frozen = plan, roles, frozen
        self._on_event, self._telling = on_event, anyio.Lock()
        self._filter = CandidateFilter(plan.config.filters)
        self._strengthener = Strengthener(roles.writer, roles.calls, self._filter, plan.toolset)
        # Under a hard limit candidates are finished before others are begun, or it would be spent on beginnings.
        self._at_once = anyio.CapacityLimiter(plan.config.concurrency if plan.config.limits.any else inf)

    async def run(self, catalog: Catalog, accounts: Accounts) -> ConstructionResult:
        """Round after round until a stop reason, or an outage that left nothing decided."""
        await self._tell(CatalogMade(catalog=catalog, coverage=accounts.table))
        stopping = Stopping(self._plan.config)
        rounds: list[ConstructionRound] = []
        stopped: StopReason | Incomplete | None = None
        if self._plan.seeds:
            rounds.append(await self._real_queries(catalog, accounts))
            catalog = catalog.model_copy(update={"scenarios": accounts.scenarios})
            await self._tell(CatalogMade(catalog=catalog, coverage=accounts.table))
            await self._tell(RoundEnded(round=rounds[-1]))
            stopped = stopping.after_real_queries(rounds[-1], limit=_limit(self._roles))
        examiner = self._examiner(catalog)
        while stopped is None:
            rounds.append(await self._round(examiner, accounts, rounds[-1].number + 1 if rounds else 1))
            await self._tell(RoundEnded(round=rounds[-1]))
            stopped = stopping.after(
                rounds[-1],
                exhausted=accounts.exhausted,
                idle=not accounts.tasks(rounds[-1].number + 1),
                limit=_limit(self._roles),
            )
        ending = Ending(catalog=catalog, rounds=tuple(rounds), stopped=stopped, router=self._frozen)
        return assembled(self._plan, self._roles, accounts, ending)

    def _examiner(self, catalog: Catalog) -> Examiner:
        return Examiner(self._plan, self._roles, self._frozen, catalog.scenarios)

    async def _real_queries(self, catalog: Catalog, accounts: Accounts) -> ConstructionRound:
        """Round 0: what the real queries are, each counted in the unit of its observed difficulty."""
        tally = Tally(ROUND, accounts)
        seeds = SeedExaminer(self._plan, self._examiner(catalog))
        kept, filtered = seeds.sifted(self._filter)
        tally.wrote(len(self._plan.seeds), filtered)
        read = await in_order([partial(self._examine_seed, seeds, query) for query in kept])
        moves: list[BudgetMove] = []
        for examined in (seed.examined[-1] for seed in read):
            if examined.example is not None:
                moves += accounts.welcome(examined.draft.scenario, examined.example)
            tally.examined([examined])
        return tally.ended(tuple(moves), tuple(seed.finding for seed in read))

    async def _round(self, examiner: Examiner, accounts: Accounts, number: int) -> ConstructionRound:
        """Round r: write for what is short, examine, strengthen what proved too easy, move what is out of reach."""
        tally = Tally(number, accounts)
        written = await synthesize(
            accounts.tasks(number),
            self._roles.writer,
            self._roles.calls,
            self._filter,
            benchmark=self._plan.benchmark_id or "",
        )
        for task, answer in written.written:
            accounts.spend(task, answer)
        tally.wrote(written.candidates, written.filtered, written.failures)
        examined = await self._examine(examiner, written.drafts)
        tally.examined(examined)
        if not self._plan.config.closed_loop:
            return tally.ended(())
        await self._strengthen(examiner, accounts, tally, examined)
        return tally.ended(accounts.move(number))

    async def _strengthen(self, examiner: Examiner, accounts: Accounts, tally: Tally, examined: list[Examined]) -> None:
        """Pass after pass; what did not become harder is tried again from its latest verified wording."""
        weak = [found for each in examined if (found := Weak.of(each))]
        for attempt in range(1, self._plan.config.strengthening + 1):
            chosen = worthwhile(weak, accounts)
            if not chosen or _limit(self._roles):
                return
            made = await self._strengthener.strengthen(chosen, attempt, accounts)
            tally.wrote(made.candidates, made.filtered, made.failures)
            again = await self._examine(examiner, [draft for _, draft in made.pairs])
            tally.examined(again)
            pairs = list(zip((each for each, _ in made.pairs), again, strict=True))
            tally.strengthened(len(again), sum(each.outdone_by(harder) for each, harder in pairs))
            weak = still_weak(weak, pairs)

    async def _examine(self, examiner: Examiner, drafts: Sequence[Draft]) -> list[Examined]:
        return await in_order([partial(self._examine_one, examiner, draft) for draft in drafts])

    async def _examine_one(self, examiner: Examiner, draft: Draft) -> Examined:
        async with self._at_once:
            examined = await examiner.examine(draft)
        await self._tell_examined(examined)
        return examined

    async def _examine_seed(self, seeds: SeedExaminer, query: Query) -> SeedExamined:
        found = await seeds.examine(query)
        for examined in found.examined:
            await self._tell_examined(examined)
        return found

    async def _tell_examined(self, examined: Examined) -> None:
        await self._tell(RecordVerified(round=examined.draft.round, record=examined.record, example=examined.example))

    async def _tell(self, event: ConstructionEvent) -> None:
        async with self._telling:
            await self._on_event(event)
