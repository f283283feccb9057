"""Brings a database to the newest tables, in one transaction, whoever else is opening it.

The usual start compares one row with a constant in plain SQL; alembic is imported only when there is work to do.
"""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from plugineval.pccf.errors import StoreError

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009")
"""All revisions, oldest first; a test holds them to the scripts in `migrations`."""
HEAD = REVISIONS[-1]

MIGRATIONS = Path(__file__).parent / "migrations"


def bring_up_to_date(engine: Engine, place: str) -> bool:
    """Migrate where needed; True if this process did it. `StoreError` for a database that is not ours to change."""
    with engine.connect() as connection:
        if _revision(connection) == HEAD:
            return False
    with engine.begin() as connection:
        _lock(connection)
        # Another process may have migrated while this one waited for the lock.
        revision = _revision(connection)
        if revision == HEAD:
            return False
        _refuse_foreign(connection, revision, place)
        _upgrade(connection)
    return True


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _lock(connection: Connection) -> None:
    # On SQLite the transaction itself began with the lock.
    if connection.dialect.name == "postgresql":
        # Another process may migrate for minutes, and what it holds is not kept from anybody else.
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(7310265904)"))


def _refuse_foreign(connection: Connection, revision: str | None, place: str) -> None:
    if revision is not None and revision not in REVISIONS:
        raise StoreError(
            f"it was written by a newer version of PluginEval (its tables are at {revision!r}, "
            f"this version knows {HEAD!r})",
            field=place,
            next_step="upgrade with `pip install -U plugineval`, or choose another place with --home",
        )
    if revision is None and connection.dialect.name == "sqlite":
        others = sorted(inspect(connection).get_table_names())
        if others:
            raise StoreError(
                f"it is the database of another program (it has a table {others[0]!r}, and none of ours)",
                field=place,
                next_step="choose another place with --home or PLUGINEVAL_HOME",
            )


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
