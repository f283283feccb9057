"""`plugineval work`: what jobs ask of agents, answered by a person, a script, or an agent without MCP."""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError

from plugineval.clients.agent.answers import Worker
from plugineval.clients.agent.questions import WorkKind
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json, Value
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.jobs_named import named_job
from plugineval.server.cli.option_groups import OptionGroup
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.store.work_notes import LEASE_S, LONGEST_LEASE_S, MOST_ITEMS, SHORTEST_LEASE_S, Steps, WorkWish
from plugineval.server.wording import tallied
from plugineval.server.work.batches import WorkBatch, WorkReceipt
from plugineval.server.work.handing import next_work, submit_work

CLIENT = "plugineval work"
STREAM = "-"


class FileAnswer(Value):
    """One answer of a file."""

    item_id: str
    answer: Json


class AnswerFile(Value):
    """What `work submit` reads."""

    lease_id: str
    answers: tuple[FileAnswer, ...]


class Asked(Value):
    """Who asks for work, and for what."""

    worker: Worker
    wish: WorkWish


def _wish(
    kind: list[WorkKind] | None, job: str | None, limit: int | None, lease: int | None, model: str | None
) -> Asked:
    wish = WorkWish(kinds=tuple(kind or ()), job_id=job, limit=limit or 4, lease_s=lease or LEASE_S)
    return Asked(worker=Worker(client=CLIENT, version=version("plugineval"), model=model or ""), wish=wish)


with_work_options = OptionGroup(
    name="asked",
    options={
        "kind": Annotated[list[WorkKind] | None, typer.Option("--kind", help="next: only these; may be repeated.")],
        "job": Annotated[str | None, typer.Option("--job", help="next: only items of this job.")],
        "limit": Annotated[
            int | None, typer.Option("--limit", min=1, max=MOST_ITEMS, help="next: at most so many items; else 4.")
        ],
        "lease": Annotated[
            int | None,
            typer.Option("--lease", min=SHORTEST_LEASE_S, max=LONGEST_LEASE_S, help="next: seconds they are yours."),
        ],
        "model": Annotated[str | None, typer.Option("--model", help="Who answers, for the record.")],
    },
    make=_wish,
)


@with_shared_options
@with_work_options
def work_command(
    action: Annotated[Literal["next", "submit"], typer.Argument(help="Take items, or hand in answers.")],
    file: Annotated[
        str | None, typer.Argument(help='submit: {"lease_id": ..., "answers": [{"item_id", "answer"}]}; - is stdin.')
    ] = None,
    *,
    asked: Asked,
    shared: SharedOptions,
) -> None:
    """Answer what jobs with the role or model `agent` wait for. Exit code 1: an answer was refused."""
    if action == "next":
        batch = run(lambda: _next(asked, shared), as_json=shared.as_json)
        _show(batch, batch_told(batch), shared)
        return
    receipt = run(lambda: _submit(asked.worker, file, shared), as_json=shared.as_json)
    _show(receipt, receipt_told(receipt), shared)
    raise typer.Exit(ExitCode.CHECK_FAILED if receipt.refused else ExitCode.OK)


def batch_told(batch: WorkBatch) -> str:
    """The items for people."""
    lines = [f"lease {batch.lease_id}, until {batch.expires_at:%H:%M:%S} UTC"] if batch.groups else []
    for group in batch.groups:
        lines += [f"\n{group.kind}, as {group.role}:", group.instructions, f"answer: {json.dumps(group.answer_schema)}"]
        lines += [f"\nitem {item.item_id}\n{item.evidence}" for item in group.items]
    return "\n".join([*lines, *([f"\nwaiting: {tallied(batch.waiting)}"] if batch.waiting else [])]) or batch.next_step


def receipt_told(receipt: WorkReceipt) -> str:
    """What became of the answers, for people."""
    refused = [f"  {each.item_id} {each.status}: {each.reason}" for each in receipt.results if each.reason]
    return "\n".join([f"{receipt.accepted} accepted, {receipt.refused} refused", *refused])


def _show(value: Value, told: str, shared: SharedOptions) -> None:
    if shared.as_json:
        echo_json(value.model_dump(mode="json"))
    else:
        typer.echo("\n".join(map(printable, told.split("\n"))))


async def _next(asked: Asked, shared: SharedOptions) -> WorkBatch:
    async with engine_for(read_settings(shared)) as engine:
        store, wish = await engine.workspace.store(), asked.wish
        if wish.job_id is not None:
            job = await named_job(store, wish.job_id, next_step="leave --job out to take work of any")
            wish = wish.model_copy(update={"job_id": job.id})
        return await next_work(store, asked.worker, wish, steps=_steps(shared))


async def _submit(worker: Worker, file: str | None, shared: SharedOptions) -> WorkReceipt:
    read = _answers(file)
    given = {each.item_id: each.answer for each in read.answers}
    async with engine_for(read_settings(shared)) as engine:
        store = await engine.workspace.store()
        return await submit_work(store, read.lease_id, worker, given, steps=_steps(shared))


def _steps(shared: SharedOptions) -> Steps:
    """As commands: whoever works here need not know the tools of the server."""

    def resume(job_id: str) -> str:
        return f"run `{shared.command('resume', job_id)}` for that job"

    return Steps(
        ask=f"run `{shared.command('work', 'next')}`",
        hand_in=f"run `{shared.command('work', 'submit', 'FILE')}`",
        look=f"look at `{shared.command('runs')}`",
        resume=resume,
    )


def _answers(file: str | None) -> AnswerFile:
    if file is None:
        raise ConfigurationError("no file is named", field="FILE", next_step="name a file of answers, or - for stdin")
    try:
        text = sys.stdin.read() if file == STREAM else Path(file).read_text(encoding="utf-8-sig")
        return AnswerFile.model_validate_json(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"cannot be read: {error}", field=file, next_step="name a file of answers") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join([file, *map(str, first["loc"])])
        form = '{"lease_id": "...", "answers": [{"item_id": "...", "answer": {...}}]}'
        raise ConfigurationError(first["msg"], field=field, allowed=(form,)) from error
