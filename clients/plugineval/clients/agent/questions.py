"""What an agent is asked: one item of work, complete in itself, and known by its content.

The same question of the same job is the same item, whoever asks again after a crash: its answer is there already.
"""

from enum import StrEnum
from typing import Literal, TypeAlias

from plugineval.pccf.values import Json, Value, content_hash

Side: TypeAlias = Literal["generate", "evaluate", ""]
"""On which side of P17 an item stands; most kinds stand on none."""


class WorkKind(StrEnum):
    """What an item asks for."""

    WRITE_SCENARIOS = "write_scenarios"
    WRITE_QUERY = "write_query"
    STRENGTHEN_QUERY = "strengthen_query"
    VOTE_LEVEL = "vote_level"
    PROPOSE_INVOCATION = "propose_invocation"
    JUDGE_ARGUMENTS = "judge_arguments"
    JUDGE_RESULT = "judge_result"
    JUDGE_DEPTH = "judge_depth"
    ANSWER_AS_MODEL = "answer_as_model"
    JUDGE_GOLD = "judge_gold"
    REVIEW = "review"

    @property
    def role(self) -> str:
        """Who plays it, as people and records call the role."""
        return _ROLES[self]

    @property
    def side(self) -> Side:
        """Generator or evaluator of the same record (P17)."""
        if self in {WorkKind.PROPOSE_INVOCATION, WorkKind.ANSWER_AS_MODEL}:
            return "generate"
        judging = {WorkKind.JUDGE_ARGUMENTS, WorkKind.JUDGE_RESULT, WorkKind.JUDGE_GOLD}
        return "evaluate" if self in judging else ""

    @property
    def shows_gold(self) -> bool:
        """Whether its evidence holds what is right, so that who has seen it must not be asked for it any more."""
        return self in {WorkKind.JUDGE_GOLD, WorkKind.JUDGE_DEPTH, WorkKind.REVIEW}

    @property
    def independent(self) -> bool:
        """Whether the items of one subject want different people: nobody is asked twice (P60)."""
        return self is WorkKind.REVIEW


_ROLES = {
    WorkKind.WRITE_SCENARIOS: "query writer",
    WorkKind.WRITE_QUERY: "query writer",
    WorkKind.STRENGTHEN_QUERY: "query writer",
    WorkKind.VOTE_LEVEL: "level annotator",
    WorkKind.PROPOSE_INVOCATION: "generator",
    WorkKind.JUDGE_ARGUMENTS: "argument evaluator",
    WorkKind.JUDGE_RESULT: "result evaluator",
    WorkKind.JUDGE_DEPTH: "depth annotator",
    WorkKind.ANSWER_AS_MODEL: "model under test",
    WorkKind.JUDGE_GOLD: "judge",
    WorkKind.REVIEW: "reviewer",
}


class WorkQuestion(Value):
    """One question to an agent. Instructions are ours; whatever comes from plugins and models is evidence."""

    kind: WorkKind
    model: str
    """Id under which settings and records know who answers: `agent`, or `sampling`."""
    instructions: str
    evidence: str
    answer_schema: dict[str, Json]
    subject: str = ""
    """`plugineval.pccf.chat.subject_of` the request it is about; empty where it is about no single one."""
    seat: int = 0
    """Tells players of one role apart who are asked the same."""
    seed: int = 0
    """Tells repeats of one question apart."""

    @property
    def prompt_hash(self) -> str:
        """Hash of the instructions, for the record of the answer."""
        return content_hash(self.instructions)

    def id_in(self, job_id: str) -> str:
        """Id of the item in one job."""
        return f"w-{content_hash([job_id, self.model_dump(mode='json')])[:24]}"
