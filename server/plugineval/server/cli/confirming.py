"""Tools with policy `ask` at the command line: the person who started the work is asked, if one is there."""

from plugineval.pccf.errors import IncompleteError
from plugineval.server.cli.consent import asked, somebody_there
from plugineval.server.cli.options import SharedOptions
from plugineval.server.cli.requests_told import BY, show_request
from plugineval.server.jobs.confirmations import UnconfirmedError
from plugineval.server.settings.settings import Settings
from plugineval.server.trust.requests import Requests


def answered_here(settings: Settings, waiting: UnconfirmedError) -> bool:
    """Ask for each tool that a job waits for, and write down the answers; False where nobody is there to ask."""
    if not somebody_there():
        return False
    requests = Requests(settings.home)
    for request in waiting.requests:
        show_request(request)
        requests.answer(request, granted=asked("May it be executed in this job?"), by=BY)
    return True


def told_here(waiting: UnconfirmedError, job_id: str, shared: SharedOptions) -> IncompleteError:
    """The same error with the commands that answer it from here."""
    answers = [shared.command("approve", "--request", request.id) for request in waiting.requests]
    commands = ", ".join(f"`{command}`" for command in (*answers, shared.command("resume", job_id)))
    told = IncompleteError(waiting.problem, next_step=f"run {commands}")
    told.job_id = job_id
    return told
