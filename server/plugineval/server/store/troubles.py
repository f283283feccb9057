"""Where troubles with the parts of a job are kept: one text a job, which processes change one after the other."""

from datetime import UTC, datetime

from plugineval.server.store.agreements import Agreed, AgreementShelf
from plugineval.server.store.trouble_notes import Trouble, Troubles


class TroubleShelf:
    """Troubles by job."""

    def __init__(self, agreements: AgreementShelf) -> None:
        self._agreements = agreements

    async def note(self, job_id: str, trouble: Trouble) -> None:
        """Keep one."""

        def step(found: Agreed) -> tuple[str, None]:
            at = datetime.fromtimestamp(found.now, UTC)
            return _read(found.body).and_also(trouble, at).model_dump_json(), None

        await self._agreements.change(_name(job_id), step)

    async def of(self, job_id: str) -> Troubles:
        """All that are kept of a job."""
        return _read((await self._agreements.read(_name(job_id))).body)


def _read(body: str) -> Troubles:
    return Troubles.model_validate_json(body) if body else Troubles()


def _name(job_id: str) -> str:
    return f"troubles {job_id}"
