"""What a check found, and how to mend it. No finding holds a secret."""

from collections.abc import Iterable
from enum import StrEnum

from plugineval.pccf.errors import PluginEvalError
from plugineval.pccf.values import Value


class Status(StrEnum):
    """`WARN` works, but a person should know; `FAIL` does not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(Value):
    """One check."""

    name: str
    status: Status
    detail: str
    fix: str | None = None

    @classmethod
    def of_error(cls, name: str, error: PluginEvalError) -> "Finding":
        """A failed check, in the words of the error."""
        allowed = f"choose one of: {', '.join(error.allowed)}" if error.allowed else None
        where = f"{error.field}: " if error.field else ""
        return cls(name=name, status=Status.FAIL, detail=where + error.problem, fix=error.next_step or allowed)


def passed(findings: Iterable[Finding]) -> bool:
    """Whether nothing failed."""
    return all(finding.status is not Status.FAIL for finding in findings)
