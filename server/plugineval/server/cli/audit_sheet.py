"""A sheet that people fill in: one line for every sampled case or row, with what it shows and open answers."""

import json

from plugineval.harness.audits.questions import CaseQuestion, RowQuestion
from plugineval.pccf.values import Json
from plugineval.server.jobs.audit_reviews import CASE_FIELDS, ROW_FIELDS, Questions


def sheet_of(questions: Questions) -> list[str]:
    """The lines, as `--answers` reads them back."""
    return [json.dumps(_line(question), ensure_ascii=False) for question in questions.values()]


def _line(question: CaseQuestion | RowQuestion) -> dict[str, Json]:
    shown = question.model_dump(mode="json")
    if isinstance(question, CaseQuestion):
        asked = [name for name in CASE_FIELDS.said if name in question.shape.model_fields]
        subject, fields = {"case": shown["case"]}, CASE_FIELDS
    else:
        # The grader's verdict goes by another name than the reviewer's.
        shown["graded"] = shown.pop("verdict")
        asked, subject, fields = list(ROW_FIELDS.said), {"row": shown["row"]}, ROW_FIELDS
    return {"reviewer": "", **subject, **dict.fromkeys(asked, ""), **{name: shown[name] for name in fields.shown}}
