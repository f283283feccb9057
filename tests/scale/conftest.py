"""The fleets of the smaller tests."""

from server.workers.conftest import asked, assembled, forks

__all__ = ["asked", "assembled", "forks"]
