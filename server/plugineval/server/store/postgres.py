"""Everything that is true of PostgreSQL alone: how a server is reached, and what its error codes mean.

A server can be restarted, or replaced by its standby, in the middle of work: what fails for that reason alone is done
again, on a new connection, until patience ends. Readers see one snapshot and can change nothing.

A process that falls silent in the middle of a transaction (stopped, or cut off) must not keep its locks. The server
ends those that wait for their next statement, but not those that sent only a part of what belongs together: whoever
waits for such a lock ends them.
"""

import logging
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import URL, Engine, create_engine, text
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from plugineval.server.store.fault import FULL, Fault

DRIVER = "postgresql+psycopg"
"""What a URL that names no driver means."""
EXTRA = "'plugineval[postgres]'"
"""What installs it."""

# Who is refused while connecting is told without a code, as if nobody were there.
_GONE = Fault(
    "the database server cannot be reached",
    "start it or check host, user and password in [store] url, then `plugineval resume --last`",
)
_REFUSED = Fault("the database server refuses this user", "check user and password in [store] url")
_RIGHTS = Fault("this user may not change the database", "grant this user the right to create tables in it")
_FAULTS = {
    "53100": FULL,
    "53300": Fault("the server has no connection left", "close other programs that use it, or raise max_connections"),
    "28P01": _REFUSED,
    "28000": _REFUSED,
    "3D000": Fault("there is no such database", "make it with `createdb`, or check [store] url"),
    "42501": _RIGHTS,
    "25006": Fault("this server only reads", "name the server that also writes in [store] url"),
}
CONNECT_S = 10
"""How long a host may take to answer, unless the URL says it; then it is tried again for as long as patience lasts."""
NAME = "plugineval"
"""What the server lists our connections as, unless the URL says it."""
_DEADLOCKS = ("40001", "40P01")
_WAITED = "55P03"
_SHUT = ("57P01", "57P02", "57P03", "53300", "25P03")
_CONNECTING = "08"
# Rights over connections of the same user are all that it takes.
_END_SILENT = text("""
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
      AND application_name = current_setting('application_name')
      AND xact_start IS NOT NULL AND wait_event = 'ClientRead'
      AND state_change < clock_timestamp() - make_interval(secs => :silence)
""")


def fault_of(error: DBAPIError) -> Fault | None:
    """The meaning of an error of PostgreSQL."""
    code = _code(error)
    if code in _FAULTS:
        return _FAULTS[code]
    return _GONE if _lost(error, code) else None


def passes(error: BaseException) -> bool:
    """Whether the same work may succeed a moment later: the connection was lost, or two writers met head-on."""
    if not isinstance(error, DBAPIError):
        return False
    code = _code(error)
    return code in _DEADLOCKS or _lost(error, code)


def freeing(engine: Engine, silence_s: float) -> Callable[[BaseException], bool]:
    """What is done about an error: True where it came of waiting for a lock in vain, and who kept it was looked for.

    Whoever was silent for so long in the middle of a transaction loses the connection. What it was doing is undone;
    where it wakes up, it does that again on a new one.
    """

    def freed(error: BaseException) -> bool:
        if not isinstance(error, DBAPIError) or _code(error) != _WAITED:
            return False
        # What keeps it from being done keeps the work from being done as well, which tells it.
        with suppress(SQLAlchemyError), engine.connect() as connection:
            connection.execute(_END_SILENT, {"silence": silence_s})
        return True

    return freed


def open_engines(url: URL, idle_transaction_s: float) -> tuple[Engine, Engine]:
    """Engines for readers, which are not limited here, and for the one writer.

    A process that is stopped in the middle of a transaction holds its locks no longer than `idle_transaction_s`: its
    connection is taken away, and what it was doing is done again on a new one when it wakes. A writer waits no longer
    than this for a lock either: it may have to see to that itself (`freeing`).
    """
    given = url.query.get("options", "")
    options = given if isinstance(given, str) else " ".join(given)
    idle = f"-c idle_in_transaction_session_timeout={round(idle_transaction_s * 1000)}"
    patience = {} if "connect_timeout" in url.query else {"connect_timeout": str(CONNECT_S)}
    url = url.update_query_dict({"options": f"{options} {idle}".strip(), "fallback_application_name": NAME, **patience})
    # A lost connection is told once, as an error of ours; the driver would say it again on stderr as it cleans up.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    readers = create_engine(
        url, max_overflow=-1, isolation_level="REPEATABLE READ", execution_options={"postgresql_readonly": True}
    )
    waiting = f"{url.query['options']} -c lock_timeout={round(idle_transaction_s * 1000)}"
    return readers, create_engine(url.update_query_dict({"options": waiting}), pool_size=1, max_overflow=0)


def _lost(error: DBAPIError, code: str | None) -> bool:
    if error.connection_invalidated:
        return True
    # A server that cannot be reached has no code to give.
    unreached = code is None or code in _SHUT or code.startswith(_CONNECTING)
    return isinstance(error, OperationalError) and hasattr(error.orig, "sqlstate") and unreached


def _code(error: DBAPIError) -> str | None:
    code = getattr(error.orig, "sqlstate", None)
    return code if isinstance(code, str) else None
