"""What an error of a database means to a person, whichever database it is."""

from typing import NamedTuple


class Fault(NamedTuple):
    """What is wrong, and what helps."""

    problem: str
    next_step: str


FULL = Fault("the disk is full", "free some space, then `plugineval resume --last`: what is stored stays stored")
