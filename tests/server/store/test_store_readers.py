"""What the connections that read a file keep of it."""

from pathlib import Path

from plugineval.server.store import Store, StoreOptions
from plugineval.server.store.database import Database
from plugineval.server.store.sqlite import KEPT

MOST_MIB = 4


def test_all_that_stay_open_keep_a_few_megabytes_of_the_file_together(place: Path) -> None:
    Store.open(place).close()
    database = Database.open(place, StoreOptions())
    # Below zero it is in KiB, else in pages.
    kept = database.read_here(lambda connection: connection.exec_driver_sql("PRAGMA cache_size").scalar_one())
    database.close()
    assert -MOST_MIB * 1024 <= KEPT * kept < 0
