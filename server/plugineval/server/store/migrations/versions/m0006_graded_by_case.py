"""An index that holds the rows of a case side by side: what repeats of one case agree on is read from it alone."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Nothing that is there changes; a million rows take seconds once, and about a fifth more room from then on."""
    columns = "run_id grading model variant difficulty case_id confusion"
    op.create_index("ix_graded_cases", "graded", columns.split())
