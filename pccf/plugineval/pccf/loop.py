"""The closed loop (P34): deficits -> writing -> filtering -> votes, Stage I, calibration -> recount, until it stops.

Plain deterministic code that replays from the top: every role call goes through the journal, candidates are
verified concurrently and counted in the order in which they were written, so that a resumed or repeated run makes no
call twice and ends with the same benchmark. An outage never decides a candidate; a round in which outages left
nothing decided ends the loop as incomplete, with all that was done.
"""

from collections import Counter
from functools import partial

import anyio

from plugineval.pccf.calibration.reference import ReferenceRouter, freeze
from plugineval.pccf.calling import in_order
from plugineval.pccf.construction.accounts import Accounts
from plugineval.pccf.construction.annotation import Annotator
from plugineval.pccf.construction.assembly import Ending, assembled
from plugineval.pccf.construction.drafts import Draft, Examined
from plugineval.pccf.construction.events import CatalogMade, ConstructionEvent, OnEvent, RecordVerified, RoundEnded
from plugineval.pccf.construction.examination import Examiner
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.construction.results import ConstructionResult, Incomplete
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.construction.stopping import Stopping
from plugineval.pccf.construction.synthesis import synthesize
from plugineval.pccf.coverage.budgets import Budgets, spread
from plugineval.pccf.coverage.catalog import Catalog
from plugineval.pccf.coverage.derivation import derive_catalog
from plugineval.pccf.coverage.filtering import CandidateFilter
from plugineval.pccf.coverage.moving import Mover
from plugineval.pccf.errors import ConfigurationError, IncompleteError
from plugineval.pccf.examples import RouterFreeze


async def construct(plan: ConstructionPlan, roles: ConstructionRoles, on_event: OnEvent) -> ConstructionResult:
    """Build the benchmark of `plan`; every record is told to `on_event` when it happens.

    `ConfigurationError` where no scenario can be derived at all. What `on_event` or the ledger raises ends the
    construction. Cancellation stops it between any two calls; the ledger keeps those that were answered.
    """
    frozen = freeze(roles.router, runs=plan.config.calibration_runs, temperature=roles.router_temperature)
    try:
        catalog = await derive_catalog(roles.writer, plan.toolset, plan.executable, roles.calls)
    except IncompleteError as error:
        ending = Ending(stopped=Incomplete(cause=str(error)), router=frozen)
        return assembled(plan, roles, Accounts({}, plan.config), ending)
    budgets = spread(catalog.scenarios, plan.toolset, plan.config)
    if not budgets:
        raise ConfigurationError(
            "no scenario can be derived from these tools",
            field="plugins",
            next_step="register a plugin with tools, or allow its tools to be executed",
        )
    return await _Loop(plan, roles, on_event, frozen).run(catalog, budgets)


class _Loop:
    """The mutable state of one construction; concurrent parts never touch the accounts."""

    def __init__(
        self, plan: ConstructionPlan, roles: ConstructionRoles, on_event: OnEvent, frozen: RouterFreeze
    ) -> None:
        self._plan, self._roles, self._frozen = plan, roles, frozen
        self._on_event, self._telling = on_event, anyio.Lock()
        self._filter = CandidateFilter()
        self._examiner = Examiner(
            toolset=plan.toolset,
            config=plan.config.verification,
            annotator=Annotator(roles.annotator, plan.toolset, roles.calls),
            verifier=roles.verifier,
            router=ReferenceRouter(router=roles.router, freeze=frozen, calls=roles.calls),
            clock=roles.clock,
        )

    async def run(self, catalog: Catalog, budgets: Budgets) -> ConstructionResult:
        """Round after round until a stop reason, or an outage that left nothing decided."""
        accounts, stopping = Accounts(budgets, self._plan.config), Stopping(self._plan.config)
        await self._tell(CatalogMade(catalog=catalog, coverage=accounts.table))
        rounds: list[ConstructionRound] = []
        while True:
            rounds.append(await self._round(catalog, accounts, len(rounds) + 1))
            await self._tell(RoundEnded(round=rounds[-1]))
            if (stopped := stopping.after(rounds[-1], exhausted=accounts.exhausted)) is not None:
                break
        ending = Ending(catalog=catalog, rounds=tuple(rounds), stopped=stopped, router=self._frozen)
        return assembled(self._plan, self._roles, accounts, ending)

    async def _round(self, catalog: Catalog, accounts: Accounts, number: int) -> ConstructionRound:
        before = accounts.table.deficit
        tasks = accounts.tasks(catalog.scenarios, self._plan.toolset, number)
        synthesis = await synthesize(
            tasks, self._roles.writer, self._roles.calls, self._filter, benchmark=self._plan.benchmark_id or ""
        )
        for task, answer in synthesis.written:
            accounts.spend(task, answer)
        examined = await in_order([partial(self._examine, draft) for draft in synthesis.drafts])
        counted, surplus = accounts.file(examined)
        after = accounts.table.deficit
        moves = accounts.move(Mover(catalog.scenarios, self._plan.toolset))
        verdicts = Counter(result.record.verdict for result in examined)
        return ConstructionRound(
            number=number,
            deficit_before=before,
            deficit_after=after,
            candidates=synthesis.candidates,
            accepted=verdicts["accepted"],
            rejected=verdicts["rejected"],
            undecided=verdicts["undecided"],
            filtered=synthesis.filtered,
            failures=synthesis.failures,
            counted=tuple(counted),
            surplus=tuple(surplus),
            moves=moves,
            coverage=accounts.table,
        )

    async def _examine(self, draft: Draft) -> Examined:
        examined = await self._examiner.examine(draft)
        await self._tell(RecordVerified(round=draft.round, record=examined.record, example=examined.example))
        return examined

    async def _tell(self, event: ConstructionEvent) -> None:
        async with self._telling:
            await self._on_event(event)
