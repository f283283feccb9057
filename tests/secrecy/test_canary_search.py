"""The search for secrets can find one: planted in a copy of any output, in any spelling, it is seen."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from doubles.canaries import MODEL_KEY, ODD_VARIABLE, PLANTED, leaks_below, leaks_in, spellings


@pytest.mark.parametrize("secret", [MODEL_KEY, ODD_VARIABLE])
def test_every_spelling_of_a_planted_secret_is_found(secret: str) -> None:
    for kind, form in spellings(secret).items():
        assert any(kind in leak for leak in leaks_in(b"before " + form + b" after", {"it": secret})), kind
    assert not leaks_in(b"before after", {"it": secret})


def test_all_planted_secrets_differ() -> None:
    assert len(PLANTED) == 16
    assert len(set(PLANTED.values())) == len(PLANTED)


def test_a_secret_in_a_database_is_found_even_where_pages_cut_it(tmp_path: Path) -> None:
    clean, leaked = tmp_path / "clean" / "a.db", tmp_path / "leaked" / "a.db"
    clean.parent.mkdir()
    with sqlite3.connect(clean) as connection:
        connection.execute("CREATE TABLE rows (body TEXT)")
        connection.executemany("INSERT INTO rows VALUES (?)", [("x" * 9_000,)] * 3)
    connection.close()
    shutil.copytree(clean.parent, leaked.parent)
    with sqlite3.connect(leaked) as connection:
        for length in range(4_000, 4_100, 3):
            connection.execute("INSERT INTO rows VALUES (?)", ("x" * length + MODEL_KEY,))
    connection.close()
    assert leaks_below(clean.parent) == []
    assert any("MODEL_KEY (plain)" in leak for leak in leaks_below(leaked.parent))


def test_a_secret_in_any_file_or_in_its_name_is_found(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("<p>fine</p>")
    assert leaks_below(tmp_path) == []
    (tmp_path / "report.html").write_text(f"<p>{MODEL_KEY}</p>")
    (tmp_path / f"{MODEL_KEY}.txt").touch()
    found = leaks_below(tmp_path)
    assert {leak.partition(":")[0] for leak in found} == {"report.html", f"{MODEL_KEY}.txt"}
    assert leaks_below(tmp_path, apart_from=[tmp_path / "report.html", tmp_path / f"{MODEL_KEY}.txt"]) == []
