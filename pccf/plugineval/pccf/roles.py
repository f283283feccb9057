"""The roles of construction, as ports (DESIGN: who plays the model). Each is one verb; each says who plays it.

Generation and evaluation are separate roles (P17): the ids tell whether one model plays both.
"""

from typing import Literal, Protocol

from pydantic import Field

from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Abstention, Invocation, Proposal
from plugineval.pccf.observations import Observation
from plugineval.pccf.records import Assessment, DepthVote, LevelVote, Round
from plugineval.pccf.routing import Failure
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Value


class ProposalTask(Value):
    """What a generator sees: the query, the target, and all evidence of the rounds before (P19). Never any gold."""

    query: Query
    tool: ToolSpec
    history: tuple[Round, ...] = ()


class Proposed(Value):
    """A generator's answer: a whole proposal, or the boundary that broke."""

    proposal: Proposal | None = None
    failure: Failure | None = None
    prompt_hash: str = ""
    by: str = ""
    """Who it was, where several may stand behind the generator's id."""
    spent: Spent | None = None


class Assessed(Value):
    """An evaluator's answer: an assessment, or the boundary that broke."""

    assessment: Assessment | None = None
    failure: Failure | None = None
    spent: Spent | None = None


class Voted(Value):
    """An annotator's answer at level 1 or 2, or the boundary that broke."""

    vote: LevelVote | None = None
    failure: Failure | None = None
    spent: Spent | None = None


class DepthVoted(Value):
    """A second role's answer about the inference depth, or the boundary that broke."""

    vote: DepthVote | None = None
    failure: Failure | None = None
    spent: Spent | None = None


class LookAlike(Value):
    """Another tool that a request for one tool may be mistaken for, and how alike the two are."""

    tool: str
    """Offered name."""
    similarity: float = Field(ge=0, le=1)
    measure: str
    """Name and version of the similarity measure (D12)."""


class ScenarioTask(Value):
    """A tool from which scenarios are derived, among the tools it is offered with."""

    tool: ToolSpec
    toolset: Toolset
    lookalikes: tuple[LookAlike, ...] = ()
    """The most alike first."""
    chains: bool = False
    """Whether requests that need several tools are wanted too."""


class DerivedScenarios(Value):
    """What a writer derived from one tool, or the boundary that broke."""

    scenarios: tuple[Scenario, ...] = ()
    failure: Failure | None = None
    prompt_hash: str = ""
    spent: Spent | None = None


class Candidate(Value):
    """A written query before verification, and what its writer meant by it."""

    query: Query
    scenario: str
    difficulty: Difficulty
    """The difficulty it was written for."""
    inference_steps: tuple[str, ...] = ()
    """Positives: the steps from the words of the query to the arguments; their number is the depth (P26)."""


class WritingTask(Value):
    """A coverage gap to be filled: `count` queries for one scenario at one difficulty."""

    scenario: Scenario
    tool: ToolSpec
    toolset: Toolset
    difficulty: Difficulty
    count: int = Field(ge=1)
    attempt: int = 0
    """Loop round; lets a deterministic writer go on where it stopped."""
    avoid: tuple[str, ...] = ()
    """Texts of queries that already exist for this scenario."""
    evidence: tuple[str, ...] = ()
    """Failure traces and recognition evidence from earlier rounds (P32, P34)."""
    missed: tuple[str, ...] = ()
    """Verified queries of this gap that were observed at another difficulty, with what was observed."""
    returned: tuple[str, ...] = ()
    """What tools of the same server returned to calls that were verified: a look at what it holds (P34)."""


class StrengtheningTask(Value):
    """A verified negative that the router saw through more often than its unit asks for (P32): make it harder."""

    scenario: Scenario
    tool: ToolSpec
    toolset: Toolset
    query: Query
    """The negative as it stands."""
    difficulty: Difficulty
    """The difficulty that is wanted."""
    observed: Difficulty
    evidence: tuple[str, ...] = ()
    """Recognition evidence: what the router answered, run by run, and why that saw through the query."""
    attempt: int = 1
    """Which strengthening of the original query this is, from 1."""
    avoid: tuple[str, ...] = ()


class Written(Value):
    """A writer's answer: up to `count` candidates, or the boundary that broke."""

    candidates: tuple[Candidate, ...] = ()
    failure: Failure | None = None
    prompt_hash: str = ""
    spent: Spent | None = None


class Generator(Protocol):
    """Proposes complete invocations (P9)."""

    @property
    def id(self) -> str:
        """Who plays it."""
        ...

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        """Generator m = `index` answers once."""
        ...


class ArgumentEvaluator(Protocol):
    """S_arg: are the arguments supported by the query and consistent with the tool; is an abstention justified."""

    @property
    def id(self) -> str:
        """Who plays it."""
        ...

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        """Score one proposal."""
        ...


class ResultEvaluator(Protocol):
    """S_out: does the observed result answer the query."""

    @property
    def id(self) -> str:
        """Who plays it."""
        ...

    async def assess_result(
        self, query: Query, tool: ToolSpec, invocation: Invocation, observation: Observation
    ) -> Assessed:
        """Score one observation; a `SUSPECT` one carries the marks in `detail`."""
        ...


class LevelAnnotator(Protocol):
    """f1 and f2 (P1, P2), decided independently of whoever wrote the query."""

    @property
    def id(self) -> str:
        """Who plays it."""
        ...

    async def vote(self, level: Literal[1, 2], query: Query, tool: ToolSpec, toolset: Toolset) -> Voted:
        """Level 1: does the query need any tool. Level 2: does `tool` support it (decided per pair)."""
        ...


class QueryWriter(Protocol):
    """Derives scenarios from tools and writes queries for them."""

    @property
    def id(self) -> str:
        """Who plays it."""
        ...

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        """Trigger and exclusion scenarios of one tool (P21 to P23)."""
        ...

    async def write(self, task: WritingTask) -> Written:
        """Write queries for one gap; fewer than asked, or none, is a normal answer."""
        ...

    async def strengthen(self, task: StrengtheningTask) -> Written:
        """At most one harder wording of a negative that keeps its scenario and label; none is a normal answer."""
        ...


class DepthAnnotator(Protocol):
    """Says how many inference steps lead from a query to its verified arguments, without seeing the writer's (P26)."""

    @property
    def id(self) -> str:
        """Who plays it."""
        ...

    async def depth(self, query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
        """The minimum steps, one sentence each; none where every value stands in the query as the tool wants it."""
        ...
