"""Questions to a person whether a job may execute a tool whose policy is `ask`, and what was answered.

A question is known by an id that nobody can guess and that is told to people only, as the command that answers it. It
is answered once: by a local command, or by the person whom a client asked. An answer holds for this tool, as it is
described now, in this job.
"""

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, ValidationError

from plugineval.clients.plugins.confirming import Confirmation
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Value, content_hash
from plugineval.server.trust.private_files import PrivateFolder

_ANSWER = "-answer"


class Answer(Value):
    """What a person said."""

    granted: bool
    by: str
    """Who was asked where, such as `command line`."""
    at: AwareDatetime


class Request(Value):
    """One question."""

    id: str
    job_id: str
    plugin: str
    tool: str
    description: str
    arguments: Arguments
    """Of the first call that was wanted."""
    key: str
    """Digest of the tool as it was described."""
    asked_at: AwareDatetime
    answer: Answer | None = None

    @property
    def state(self) -> Literal["granted", "refused", "pending"]:
        """What became of it."""
        return "pending" if self.answer is None else "granted" if self.answer.granted else "refused"

    @property
    def command(self) -> str:
        """How a person answers it."""
        return f"plugineval approve --request {self.id}"


class Requests:
    """Kept below the home, a folder for each job."""

    def __init__(self, home: Path) -> None:
        self._root = home / "approvals" / "requests"

    def of_job(self, job_id: str) -> tuple[Request, ...]:
        """The questions of a job, in the order in which they came up."""
        return tuple(sorted(_in(self._folder(job_id)), key=lambda request: (request.asked_at, request.key)))

    def pending(self, job_id: str | None = None) -> tuple[Request, ...]:
        """Those that nobody has answered, of one job or of all."""
        found = self.of_job(job_id) if job_id is not None else self._all()
        return tuple(request for request in found if request.answer is None)

    def get(self, request_id: str) -> Request:
        """The question with this id; `ConfigurationError` where there is none."""
        for request in self._all():
            if secrets.compare_digest(request.id.encode(), request_id.encode()):
                return request
        raise ConfigurationError(
            "there is no such request here",
            field="--request",
            next_step="copy the whole id from what the job said, and give the same --home",
        )

    def open(self, job_id: str, tool: ToolSpec, arguments: Arguments) -> Request:
        """The question whether `job_id` may execute `tool`, asked now if it was not asked yet."""
        folder, key = self._folder(job_id), content_hash(tool)
        asked = Request(
            id=secrets.token_hex(24),
            job_id=job_id,
            plugin=tool.plugin,
            tool=tool.name,
            description=tool.description,
            arguments=arguments,
            key=key,
            asked_at=datetime.now(UTC),
        )
        folder.keep_first(key[:32], asked.model_dump(mode="json"))
        return next(request for request in _in(folder) if request.key == key)

    def answer(self, request: Request, *, granted: bool, by: str) -> Request:
        """Write down what a person said; `ConfigurationError` where it was answered already."""
        said = Answer(granted=granted, by=by, at=datetime.now(UTC))
        if not self._folder(request.job_id).keep_first(request.key[:32] + _ANSWER, said.model_dump(mode="json")):
            raise ConfigurationError("it was answered already", field="--request", next_step="resume the job")
        return request.model_copy(update={"answer": said})

    def _all(self) -> tuple[Request, ...]:
        folders = sorted(self._root.iterdir()) if self._root.is_dir() else []
        return tuple(request for folder in folders for request in _in(PrivateFolder(folder)))

    def _folder(self, job_id: str) -> PrivateFolder:
        return PrivateFolder(self._root / content_hash(job_id)[:32])


class JobConfirmations:
    """Of one job. Implements `plugineval.clients.plugins.confirming.Confirmations`."""

    def __init__(self, requests: Requests, job_id: str) -> None:
        self._requests = requests
        self._job_id = job_id
        self._answered: dict[str, Confirmation] = {}

    def of(self, tool: ToolSpec, arguments: Arguments) -> Confirmation:
        """What was said of `tool`; the first call asks."""
        key = content_hash(tool)
        if key not in self._answered:
            said = _told(self._requests.open(self._job_id, tool, arguments))
            if said.state == "pending":
                return said
            self._answered[key] = said
        return self._answered[key]


def _told(request: Request) -> Confirmation:
    if request.answer is None:
        return Confirmation(state="pending", reason="its policy is ask, and nobody has confirmed it for this job yet")
    verb = "confirmed" if request.answer.granted else "refused"
    return Confirmation(state=request.state, reason=f"a person {verb} it for this job ({request.answer.by})")


def _in(folder: PrivateFolder) -> Iterator[Request]:
    names = list(folder.names())
    for name in names:
        if name.endswith(_ANSWER):
            continue
        try:
            request = Request.model_validate(folder.get(name))
            said = folder.get(name + _ANSWER)
            answer = None if said is None else Answer.model_validate(said)
        except ValidationError as error:
            problem, step = "is no request", "delete it; the question is then asked again"
            raise ConfigurationError(problem, field=str(folder.path / f"{name}.json"), next_step=step) from error
        yield request.model_copy(update={"answer": answer})
