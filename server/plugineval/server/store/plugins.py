"""Snapshots of plugins: each content once, the newest first."""

from datetime import UTC, datetime

from sqlalchemy import Connection, Select, func, select

from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.tools import Plugin
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.database import Database, insert_into
from plugineval.server.store.summaries import PluginSummary

_plugins = tables.table_of(tables.Plugins)


class PluginShelf:
    """What plugins offered, and when."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, plugin: Plugin) -> None:
        """Keep the snapshot; one that is known already becomes the newest again."""
        row = {
            "name": plugin.name,
            "content_hash": plugin.content_hash,
            "version": plugin.version,
            "tools": len(plugin.tools),
            "captured_at": datetime.now(UTC),
            "body": to_text(plugin),
        }
        fresh = {name: row[name] for name in ("version", "captured_at", "body")}

        def work(connection: Connection) -> None:
            insert = insert_into(connection.dialect.name, _plugins).values(row)
            connection.execute(insert.on_conflict_do_update(index_elements=["name", "content_hash"], set_=fresh))

        await self._database.write(work)

    async def get(self, name: str, *, content_hash: str | None = None) -> Plugin:
        """The newest snapshot of `name`, or the one with that hash; `UnknownNameError` where there is none."""

        def work(connection: Connection) -> Plugin:
            query = select(_plugins.c.body).where(_plugins.c.name == name).order_by(_plugins.c.captured_at.desc())
            if content_hash is not None:
                query = query.where(_plugins.c.content_hash == content_hash)
            body = connection.execute(query.limit(1)).scalar()
            if body is None:
                known = connection.scalars(select(_plugins.c.name).distinct())
                raise UnknownNameError("stored plugin", name, known, next_step="take a snapshot of it first")
            return read_value(Plugin, body, f"plugins/{name}")

        return await self._database.read(work)

    async def all(self) -> tuple[PluginSummary, ...]:
        """The newest snapshot of every plugin, by name."""

        def work(connection: Connection) -> tuple[PluginSummary, ...]:
            rows = connection.execute(_newest()).mappings()
            return tuple(PluginSummary.model_validate(dict(row)) for row in rows)

        return await self._database.read(work)


def _newest() -> "Select[*tuple[object, ...]]":
    latest = select(_plugins.c.name, func.max(_plugins.c.captured_at).label("at")).group_by(_plugins.c.name).subquery()
    columns = [_plugins.c[name] for name in PluginSummary.model_fields]
    same = (_plugins.c.name == latest.c.name) & (_plugins.c.captured_at == latest.c.at)
    return select(*columns).join(latest, same).order_by(_plugins.c.name)
