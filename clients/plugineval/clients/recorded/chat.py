"""A recorded model in a role. Its answers come from the ledger of its recording; whoever gets as far as asking it
has asked what was not recorded.
"""

from plugineval.clients.recorded.router import NEXT
from plugineval.pccf.chat import ChatReply, ChatRequest
from plugineval.pccf.routing import Failure, FailureKind


class RecordedChat:
    """`plugineval.pccf.chat.ChatModel`."""

    def __init__(self, model_id: str, file: str) -> None:
        """`file` is the name of the recording."""
        self._id = model_id
        self._file = file

    @property
    def id(self) -> str:
        """`recorded:NAME`."""
        return self._id

    async def complete(self, request: ChatRequest) -> ChatReply:
        """A `NOT_RECORDED` failure."""
        last = request.turns[-1].content if request.turns else ""
        shown = " ".join(last.split())[:120]
        detail = f"{self._file} holds no answer in this role to what it is asked now ({shown}...). {NEXT}"
        return ChatReply(failure=Failure(kind=FailureKind.NOT_RECORDED, detail=detail))
