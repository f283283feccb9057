"""The tables of the queue, in a PostgreSQL schema of their own beside ours, made once whoever comes first."""

import psycopg

SCHEMA = "plugineval_queue"
SEARCH_PATH = f"-c search_path={SCHEMA}"
"""Connection options under which its statements find its tables, and no other's."""
_LOCK = 7310265905
# By its row: `to_regclass` may go on remembering that a table was not there, which another process has just made.
_THERE = f"SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = '{SCHEMA}' AND tablename = 'procrastinate_jobs')"


def connection_options(idle_transaction_s: float) -> str:
    """Those of a process of the queue: one that is stopped in the middle of a transaction keeps no locks for longer."""
    return f"{SEARCH_PATH} -c idle_in_transaction_session_timeout={round(idle_transaction_s * 1000)}"


def ensure_queue(conninfo: str) -> bool:
    """Make what is missing, in one transaction; True if this process did it. What psycopg raises passes through."""
    from procrastinate.schema import SchemaManager

    with psycopg.connect(conninfo) as connection:
        if _there(connection):
            return False
        # Another process may be making them: this one waits, and finds them.
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        if _there(connection):
            return False
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        connection.execute(f"SET LOCAL search_path TO {SCHEMA}")
        connection.execute(SchemaManager.get_schema())
    return True


def _there(connection: "psycopg.Connection[tuple[object, ...]]") -> bool:
    row = connection.execute(_THERE).fetchone()
    return row is not None and bool(row[0])
