"""What `plugineval doctor` says of [[schedules]]: whether each could start, long before it is due."""

from collections.abc import Mapping
from contextlib import aclosing

from plugineval.pccf.errors import StoreError
from plugineval.server.cli.findings import Finding, Status
from plugineval.server.schedules.checking import obstacle_of
from plugineval.server.settings.schedules import Schedule
from plugineval.server.settings.settings import Settings
from plugineval.server.workspace import Workspace


async def schedule_findings(settings: Settings, environ: Mapping[str, str]) -> tuple[Finding, ...]:
    """One for each; none where the database does not open, which is a finding of its own."""
    if not settings.schedules:
        return ()
    async with aclosing(Workspace(settings, environ=environ)) as workspace:
        try:
            await workspace.store()
        except StoreError:
            return ()
        return tuple([await _finding(workspace, schedule) for schedule in settings.schedules])


async def _finding(workspace: Workspace, schedule: Schedule) -> Finding:
    name, obstacle = f"schedule {schedule.name}", await obstacle_of(workspace, schedule)
    if obstacle is not None:
        return Finding.of_error(name, obstacle)
    return Finding(name=name, status=Status.OK, detail=f"{schedule.subject}, {schedule.rhythm}: can start")
