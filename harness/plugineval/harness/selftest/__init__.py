"""The grader on trial (X6): rows respelled in ways that mean the same, whose verdict must not move.

Nobody has to know the right verdict of a row for this, so it works on any benchmark or file of cases.
"""

from plugineval.harness.selftest.rows import built_in_rows, rows_of_case
from plugineval.harness.selftest.running import RelationResult, SelfTest, Violation, self_test

__all__ = ["RelationResult", "SelfTest", "Violation", "built_in_rows", "rows_of_case", "self_test"]
