"""How long something takes is said in the unit that people would choose, and never as nought."""

import pytest

from plugineval.pccf.durations import lasting


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "under a second"),
        (0.4, "under a second"),
        (1, "1 second"),
        (4.66, "4.7 seconds"),
        (42.4, "42 seconds"),
        (59.8, "1 minute"),
        (150, "2.5 minutes"),
        (3599, "1 hour"),
        (7200 * 36, "72 hours"),
        (3600 * 12_345, "12,345 hours"),
    ],
)
def test_a_length_of_time_is_told_in_its_unit(seconds: float, said: str) -> None:
    assert lasting(seconds) == said
