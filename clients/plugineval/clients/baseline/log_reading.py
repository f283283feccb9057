"""Tools that read logs, errors or diagnostics, and results that are such lines: there an error is the answer."""

import re

from plugineval.clients.baseline.words import label, squeezed
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json

_READS = re.compile(
    r"\b(?:(?<=\w )(?<!and )(?<!to )log(?! (?:in|out|on|it|a|an|the|this|that|your|my|into)\b)"
    r"|log (?:lines?|entries|messages?|viewer|reader|search|tail)|(?:sys|change)log"
    r"|(?:sys)?logs(?! (?:in|out|the|a|an|it|each|every)\b)|log ?files?|tracebacks?|stack ?traces?|stderr"
    r"|lint(?:er|ing|s)?|diagnostics?|(?:error|crash) (?:lines?|reports?|messages?|entries)"
    r"|(?:list|show|get|read|fetch|search|recent|latest|last|tail|view|collect)s? (?:\w+ ){0,3}"
    r"(?:errors|exceptions))\b",
    re.IGNORECASE,
)
_STAMPED = re.compile(
    r"^\W*(?:\d{4}-\d\d-\d\d|\d{1,2}/\w{2,3}/\d{2,4}|\w{3} +\d{1,2} )?[T ]?\d\d:\d\d(?::\d\d)?"
    r"|^\W*\d{4}-\d\d-\d\d\b|^\W*(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b\W|^\S+:\d+(?::\d+)?:? "
)
_ENTRY_FIELDS = frozenset({"timestamp", "time", "ts", "date", "level", "severity", "line", "lineno", "rule", "ruleid"})
_SEVERAL = 3


def reads_logs(tool: ToolSpec) -> bool:
    """Whether name and description say that the tool returns log lines, errors or diagnostics of something else."""
    return bool(_READS.search(f"{label(tool.name)}. {tool.description}"))


def is_log(content: Json) -> bool:
    """Whether `content` is entries of a log: stamped lines, several lines, or a list of entries."""
    if isinstance(content, str):
        lines = [line for line in content.splitlines() if line.strip()]
        return len(lines) >= _SEVERAL or any(_STAMPED.match(line) for line in lines)
    if isinstance(content, dict):
        return any(is_log(value) for value in content.values() if isinstance(value, list | str | dict))
    return isinstance(content, list) and (len(content) >= _SEVERAL or any(_entry(item) for item in content))


def _entry(item: Json) -> bool:
    if isinstance(item, dict):
        return any(squeezed(key) in _ENTRY_FIELDS for key in item)
    return isinstance(item, str) and is_log(item)
