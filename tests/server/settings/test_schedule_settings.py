"""`[[schedules]]`: what is accepted, and what a mistake is told."""

from pathlib import Path

import pytest

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.settings import Settings

pytestmark = pytest.mark.requirement("B27")


def loaded(folder: Path, text: str) -> Settings:
    path = folder / "plugineval.toml"
    path.write_text(text)
    return load_settings(config=path, home=folder, environ={}, cwd=folder)


def test_schedules_are_read_in_their_order(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        '[[schedules]]\nname = "nightly"\nrun = "run-a"\ncron = "0 3 * * 1-5"\ntime_zone = "Europe/Berlin"\n'
        '[[schedules]]\nname = "often"\nbenchmark = "mine"\nmodels = ["fast"]\nrepeats = 1\nevery = "30m"\n',
    )
    assert [schedule.rhythm for schedule in settings.schedules] == ["cron 0 3 * * 1-5 (Europe/Berlin)", "every 30m"]
    assert [schedule.subject for schedule in settings.schedules] == ["run-a", "mine"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('run = "a"\ncron = "0 25 * * *"', r"line 4: schedules.*cron: is no cron expression"),
        ('run = "a"\nevery = "soon"', r"every: is no time between two runs.*12h"),
        ('run = "a"\nevery = "1d"\ncron = "0 3 * * *"', r"every: stands beside cron"),
        ('run = "a"', r"is missing, and so is cron"),
        ('run = "a"\nbenchmark = "b"\nevery = "1d"', r"run: stands beside benchmark"),
        ('run = "a"\nevery = "1d"\ntime_zone = "Mars/Olympus"', r"time_zone: is no time zone"),
        ('run = "a"\nevry = "1d"', r"did you mean 'every'"),
    ],
)
def test_a_mistake_names_its_line_and_what_to_write(tmp_path: Path, lines: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=f"(?s){told}"):
        loaded(tmp_path, f'[[schedules]]\nname = "n"\n{lines}\n')


def test_two_schedules_of_one_name_are_refused(tmp_path: Path) -> None:
    one = '[[schedules]]\nname = "n"\nrun = "a"\nevery = "1d"\n'
    with pytest.raises(ConfigurationError, match=r"line 6.*two schedules 'n'"):
        loaded(tmp_path, one + one)


def test_one_table_is_told_to_be_a_list(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"must be a list of tables"):
        loaded(tmp_path, '[schedules]\nname = "n"\n')
