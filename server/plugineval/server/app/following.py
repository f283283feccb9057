"""How a tool and the tasks extension understand each other: a client follows tasks, and an answer is one."""

from contextvars import ContextVar

follows_tasks: ContextVar[bool] = ContextVar("follows_tasks", default=False)
"""Whether the client of this call takes a task in place of the answer."""
TASK_META = "plugineval/task"
"""Marks an answer whose job goes on as a task."""
