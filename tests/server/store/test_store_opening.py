"""Opening: cheap to import, migrated once whoever comes first, and one clear sentence for everything that is wrong."""

import ast
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from doubles.postgres import Postgres
from doubles.store import a_plugin, as_ordinary_user, engine_of, start_script
from plugineval.pccf.errors import ConfigurationError, StoreError
from plugineval.server.store import Store, StoreOptions, schema, tables
from plugineval.server.store.database import Database

pytestmark = [pytest.mark.anyio]

IMPATIENT = StoreOptions(busy_timeout_s=0.05)


def _tables(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    return names


def _execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def _make(path: Path) -> None:
    Store.open(path).close()


async def _save_plugin(path: Path) -> None:
    async with Store.open(path) as store:
        await store.plugins.save(a_plugin())


def test_importing_the_store_loads_no_database_library() -> None:
    script = (
        "import sys, plugineval.server.store\n"
        "print([m for m in ('sqlalchemy', 'sqlmodel', 'alembic', 'openai', 'mcp') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_opening_a_database_of_this_version_does_not_import_alembic(place: Path) -> None:
    _make(place)
    script = (
        "import sys; from plugineval.server.store import Store; Store.open(sys.argv[1]).close()\n"
        "print('alembic' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", script, str(place)], capture_output=True, text=True, check=True)
    assert answer.stdout == "False\n"


def test_the_known_revisions_are_the_scripts_in_order() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    assert tuple(script.revision for script in scripts.walk_revisions())[::-1] == schema.REVISIONS
    assert scripts.get_current_head() == schema.HEAD


def test_migrated_tables_are_the_tables_the_code_uses(where: str) -> None:
    Store.open(where).close()
    engine = engine_of(where)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
    engine.dispose()


def test_sql_that_only_sqlite_speaks_stays_in_one_file() -> None:
    folder = Path(tables.__file__).parent
    speaking: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "PRAGMA " in node.value:
                speaking.add(path.name)
    assert speaking == {"sqlite.py"}


def test_a_new_database_keeps_a_write_ahead_log_and_makes_its_directory(place: Path) -> None:
    _make(place)
    connection = sqlite3.connect(place)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


async def test_foreign_keys_hold(store: Store) -> None:
    with pytest.raises(StoreError, match=r"(?i)foreign key"):
        await store.rounds.append("no-such-benchmark", 1, {})


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "sqlite+pysqlite:///{}"])
def test_a_path_and_a_url_name_the_same_file(place: Path, form: str) -> None:
    store = Store.open(form.format(place))
    assert store.place == str(place)
    store.close()


@pytest.mark.parametrize("where", ["sqlite://", ":memory:", "mongodb://host/name", "mysql+nothing://host/name"])
def test_what_is_no_database_url_is_a_configuration_error(where: str) -> None:
    with pytest.raises(ConfigurationError, match="Allowed: a path"):
        Store.open(where)


def test_a_missing_driver_is_named_and_no_password_is_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store.open("postgresql+pg8000://ann:secret@host/name")
    assert "pip install pg8000" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_processes_that_open_a_new_database_at_once_all_succeed(where: str) -> None:
    script = "import sys; from plugineval.server.store import Store; sys.stdin.read(1); Store.open(sys.argv[1]).close()"
    processes = [start_script(script, where) for _ in range(4)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("!")
        process.stdin.flush()
    errors = [process.communicate()[1] for process in processes]
    assert errors == [""] * 4
    Store.open(where).close()


def test_no_lock_is_held_after_a_migration(place: Path) -> None:
    store = Store.open(place)
    connection = sqlite3.connect(place, timeout=0)
    connection.execute("BEGIN EXCLUSIVE")
    connection.close()
    store.close()


def test_a_database_of_a_newer_version_is_refused_and_left_alone(place: Path) -> None:
    _make(place)
    _execute(place, "UPDATE alembic_version SET version_num = '9999'")
    before = place.read_bytes()
    with pytest.raises(StoreError, match=r"newer version.*'9999'.*Next: upgrade") as caught:
        Store.open(place)
    assert str(place) in str(caught.value)
    assert place.read_bytes() == before


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "theirs.db"
    _execute(place, "CREATE TABLE theirs (n)", "INSERT INTO theirs VALUES (1)")
    with pytest.raises(StoreError, match=r"another program.*'theirs'"):
        Store.open(place)
    assert _tables(place) == {"theirs"}


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "notes.txt"
    place.write_text("shopping list\n" * 1000)
    with pytest.raises(StoreError, match=r"not a database.*Next:"):
        Store.open(place)
    assert place.read_text() == "shopping list\n" * 1000


def test_a_directory_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="directory"):
        Store.open(tmp_path)


def test_a_file_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(StoreError, match=r"cannot be made.*Next:"):
        Store.open(tmp_path / "home" / "plugineval.db")


def test_a_locked_database_is_waited_for_and_then_named(tmp_path: Path) -> None:
    place = tmp_path / "plugineval.db"
    holder = sqlite3.connect(place)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match=r"locked by another program.*Next: close"):
        Store.open(place, IMPATIENT)
    holder.close()
    _make(place)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A directory that other users can reach; pytest's own are closed to them."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


async def test_a_read_only_file_is_named_and_stays_readable_data(open_folder: Path) -> None:
    place = open_folder / "plugineval.db"
    await _save_plugin(place)
    place.chmod(0o444)
    with as_ordinary_user(open_folder, place), pytest.raises(StoreError, match=r"read-only.*--home"):
        Store.open(place)
    place.chmod(0o644)
    async with Store.open(place) as store:
        assert await store.plugins.get("weather") == a_plugin()


async def test_a_read_only_directory_is_named(open_folder: Path) -> None:
    place = open_folder / "plugineval.db"
    await _save_plugin(place)
    open_folder.chmod(0o555)
    with as_ordinary_user(open_folder, place):
        for there in (place, open_folder / "new.db", open_folder / "new" / "plugineval.db"):
            with pytest.raises(StoreError, match=r"read-only|cannot be made"):
                Store.open(there)
    open_folder.chmod(0o755)


@pytest.mark.parametrize("missing", ["calls", "ix_graded_verdicts"])
def test_a_migration_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    from alembic import op

    def failing(real: str) -> None:
        do = getattr(op, real)

        def unless_last(name: str, *arguments: object) -> object:
            if name == missing:
                raise OSError("the power went")
            return do(name, *arguments)

        monkeypatch.setattr(op, real, unless_last)

    failing("create_table")
    failing("create_index")
    place = tmp_path / "plugineval.db"
    with pytest.raises(OSError, match="the power went"):
        Store.open(place)
    assert _tables(place) == set()
    monkeypatch.undo()
    _make(place)


@pytest.mark.skipif(os.name != "posix", reason="modes as they are on POSIX")
def test_what_is_kept_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "home" / "plugineval.db"
    before = os.umask(0o022)
    try:
        with closing(Store.open(path)):
            modes = {each.name: each.stat().st_mode & 0o777 for each in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert set(modes.values()) == {0o600}
    assert "plugineval.db" in modes


@pytest.mark.parametrize(("synchronous", "level"), [("normal", 1), ("full", 2)])
async def test_what_a_commit_survives_is_a_setting_of_the_connection_that_writes(
    place: Path, synchronous: Literal["normal", "full"], level: int
) -> None:
    database = Database.open(place, StoreOptions(synchronous=synchronous))
    assert await database.write(lambda connection: connection.scalar(text("PRAGMA synchronous"))) == level
    database.close()


def test_a_url_without_a_driver_means_the_one_that_is_shipped(postgres: Postgres) -> None:
    store = Store.open(postgres.create().replace("+psycopg", ""))
    assert store.place.startswith("postgresql")
    store.close()
