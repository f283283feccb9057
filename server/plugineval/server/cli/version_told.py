"""A new version in a few lines for people."""

from collections import Counter

from plugineval.server.cli.options import SharedOptions
from plugineval.server.cli.plain_text import printable
from plugineval.server.jobs.versioning import VersionOutcome
from plugineval.server.wording import counted, tallied


def version_told(outcome: VersionOutcome, shared: SharedOptions) -> str:
    """What the version is, what changed, what comes next."""
    kinds = dict(sorted(Counter(change.kind.value for change in outcome.changes).items()))
    lines = [
        printable(f"{outcome.name}@{outcome.version} ({outcome.benchmark_id}): {counted(outcome.examples, 'example')}"),
        f"  changed: {tallied(kinds)}",
        *([f"  {counted(outcome.executed, 'call')} executed to prove it"] if outcome.executed else []),
        f"Next: {shared.command('versions', outcome.benchmark_id)}",
    ]
    return "\n".join(lines)
