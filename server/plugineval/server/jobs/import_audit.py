"""The import audit of a file: read as it is audited, however long it is; no model and no plugin is asked (X5)."""

import time

import anyio

from plugineval.clients.baseline.grounded import LexicalGrounding
from plugineval.clients.formats.public.reading import CaseFormat, CaseSource, read_source
from plugineval.clients.formats.records import Remark
from plugineval.harness.audits.imported.auditing import ImportAudit, ImportAuditor
from plugineval.pccf.errors import InvalidRecordError
from plugineval.server.jobs.cases import case_of_record


class ImportAuditOutcome(ImportAudit):
    """What `plugineval audit import --json` prints."""

    file: str
    format: CaseFormat
    refused: tuple[Remark, ...] = ()
    """Records that are no case."""
    warnings: tuple[Remark, ...] = ()
    seconds: float = 0.0


async def audit_import(source: CaseSource) -> ImportAuditOutcome:
    """Audit a file; `InvalidRecordError` where nothing in it could be read."""
    auditor, remarks, started = ImportAuditor(LexicalGrounding()), list[Remark](), time.monotonic()
    for found in read_source(source):
        if isinstance(found, Remark):
            remarks.append(found)
        else:
            auditor.add(case_of_record(found))
        # A long file can be stopped.
        await anyio.lowlevel.checkpoint()
    audit = auditor.result()
    if not audit.cases and not remarks:
        step = "name a file of cases, one record a line"
        raise InvalidRecordError("holds no records", field=str(source.path), next_step=step)
    return ImportAuditOutcome(
        **dict(audit),
        file=str(source.path),
        format=source.format,
        refused=tuple(remark for remark in remarks if remark.severity == "refused"),
        warnings=tuple(remark for remark in remarks if remark.severity == "warning"),
        seconds=round(time.monotonic() - started, 3),
    )
