"""A reviewer played by a chat model, be it a provider or a connected agent; its answer is read strictly."""

from plugineval.harness.audits.opinions import Reviewed
from plugineval.harness.audits.questions import CaseQuestion, RowQuestion
from plugineval.pccf.chat import ChatModel, ChatRequest, ChatTurn
from plugineval.pccf.json_answer import ask_json
from plugineval.pccf.prompts import Prompt


class PromptedReviewer:
    """Asks a chat model about one case or one row."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._case = Prompt.load(__package__ or "", "reference_review.md")
        self._row = Prompt.load(__package__ or "", "judge_review.md")

    async def review(self, question: CaseQuestion | RowQuestion) -> Reviewed:
        """The opinion, or the boundary that broke."""
        turns = self._turns(question)
        answered = await ask_json(self._model, ChatRequest(turns=turns), question.shape)
        return Reviewed(opinion=answered.value, by=self._model.id, failure=answered.failure, spent=answered.spent)

    def _turns(self, question: CaseQuestion | RowQuestion) -> tuple[ChatTurn, ...]:
        shown = question.model_dump(mode="json", exclude={"case", "row"})
        return (self._case if isinstance(question, CaseQuestion) else self._row).turns(**shown)


def prompt_hash(kind: type[CaseQuestion] | type[RowQuestion]) -> str:
    """Hash of the prompt that questions of a kind are asked with."""
    name = "reference_review.md" if kind is CaseQuestion else "judge_review.md"
    return Prompt.load(__package__ or "", name).hash
