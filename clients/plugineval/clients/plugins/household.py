"""What all plugins of a pool share: where they live, who ends them, and how patiently they are treated."""

from dataclasses import dataclass, field
from pathlib import Path

from anyio.abc import TaskGroup
from pydantic import SecretStr

from plugineval.clients.plugins.guarding import Guard
from plugineval.clients.plugins.permissions import Permissions
from plugineval.clients.plugins.restarts import RestartSchedule


@dataclass(frozen=True, kw_only=True)
class Household:
    """Given by the pool to everything that starts a process."""

    home: Path
    """PluginEval's home directory."""
    guard: Guard
    tasks: TaskGroup
    """Where the owner tasks of connections run."""
    schedule: RestartSchedule
    grace_s: float
    """How long a process may take to end after each request to."""
    processes_per_plugin: int
    secrets: tuple[SecretStr, ...] = ()
    """Known here and given to no plugin: what one finds on its own must not come back either."""
    permissions: Permissions = field(default_factory=Permissions)
