"""What one round comes to, added up while it runs: from written candidates to what was counted."""

from collections import Counter
from collections.abc import Iterable, Sequence

from plugineval.pccf.construction.accounts import Accounts
from plugineval.pccf.construction.examining.annotation import disputed_level
from plugineval.pccf.construction.examining.drafts import Examined
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.construction.sources.seeds import SeedFinding
from plugineval.pccf.coverage.filtering import FilteredCandidate
from plugineval.pccf.coverage.moving import BudgetMove
from plugineval.pccf.routing import Failure


class Tally:
    """Of one round; files what was examined in the accounts."""

    def __init__(self, number: int, accounts: Accounts) -> None:
        self._number, self._accounts = number, accounts
        self._before = accounts.table.deficit
        self._candidates = 0
        self._filtered: list[FilteredCandidate] = []
        self._failures: list[Failure] = []
        self._verdicts: Counter[str] = Counter()
        self._disputed = 0
        self._counted: list[str] = []
        self._surplus: list[str] = []
        self._strengthened = self._harder = 0

    def wrote(self, candidates: int, filtered: Iterable[FilteredCandidate], failures: Iterable[Failure] = ()) -> None:
        """Candidates that came in, those of them that are not worth verifying, and writers that broke."""
        self._candidates += candidates
        self._filtered += filtered
        self._failures += failures

    def examined(self, examined: Sequence[Examined]) -> None:
        """Verdicts, in the order of the candidates."""
        counted, surplus = self._accounts.file(examined)
        self._counted += counted
        self._surplus += surplus
        for result in examined:
            self._verdicts[result.record.verdict] += 1
            rejected = result.record.verdict == "rejected"
            self._disputed += rejected and disputed_level(result.record.votes) is not None

    def strengthened(self, count: int, harder: int) -> None:
        """Harder wordings that were examined, and how many of them proved harder."""
        self._strengthened += count
        self._harder += harder

    def ended(self, moves: tuple[BudgetMove, ...], seeds: tuple[SeedFinding, ...] = ()) -> ConstructionRound:
        """The round as data; `moves` are made already."""
        table = self._accounts.table
        return ConstructionRound(
            number=self._number,
            deficit_before=self._before,
            deficit_after=table.deficit,
            candidates=self._candidates,
            accepted=self._verdicts["accepted"],
            rejected=self._verdicts["rejected"],
            undecided=self._verdicts["undecided"],
            disputed=self._disputed,
            filtered=tuple(self._filtered),
            failures=tuple(self._failures),
            counted=tuple(self._counted),
            surplus=tuple(self._surplus),
            strengthened=self._strengthened,
            harder=self._harder,
            moves=moves,
            seeds=seeds,
            coverage=table,
        )
