"""The shape of an answer as a model is told it: what has to be kept to, and no notes for readers of our code."""

from plugineval.pccf.coverage.answers import ScenariosAnswer
from plugineval.pccf.json_answer import answer_schema
from plugineval.pccf.schemas import violations


def test_a_schema_keeps_its_rules_and_a_field_that_is_called_title_and_no_notes() -> None:
    schema = answer_schema(ScenariosAnswer)
    assert "ScenarioKind" not in str(schema)
    assert "Scenarios" not in str(schema["properties"])
    assert [v.keyword for v in violations(schema, {"scenarios": [{"kind": "trigger"}]})] == ["required"]
    assert [v.keyword for v in violations(schema, {"scenarios": [{"kind": "trigger", "title": ""}]})] == ["minLength"]
    assert violations(schema, {"scenarios": [{"kind": "trigger", "title": "t"}]}) == ()
