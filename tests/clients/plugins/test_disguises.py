"""Errors in disguise are marked in every dress they come in; ordinary results that mention trouble are not."""

import json

import pytest

from plugineval.clients.plugins.disguises import marks
from plugineval.pccf.values import Json

PAGE = (
    "<html>\r\n<head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>"
)
PROSE = "The guide explains how servers answer. A page that does not exist gives 404 Not Found. " * 6
ERROR_TEXTS = [
    "Weather of Oslo: HTTP 500 Internal Server Error",
    "Oslo: N/A. Request failed, try again later",
    "Oslo: N/A",
    PAGE,
    "<!DOCTYPE html><html><head><title>Access denied</title></head></html>",
    "HTTP/1.1 404 Not Found",
    "status code: 503",
    "The city Atlantis does not exist.",
    "City not found",
    "Order 17 could not be found.",
    "The request timed out after 30 s",
    "Oslo: timeout",
    "Your token is invalid",
    "You are unauthorized to read this.",
    "Sorry, something went wrong.",
    "An unexpected error has occurred",
    "Rate limit exceeded, retry later",
    "429 Too Many Requests",
    "The service is temporarily unavailable",
    "Result:\nError: no station of this name",
    "Failed to fetch the forecast",
    "Connection refused",
    "I called it, but permission denied",
    "Invalid city: Atlantis",
    "missing required parameter city",
    '"Error: order not found"',
    "N/A",
]
ERROR_VALUES: list[Json] = [
    {"code": 404, "message": "Oslo does not exist"},
    {"errorCode": "E_NOTFOUND", "data": None},
    {"error_code": 17, "data": None},
    {"err": "boom"},
    {"status": 500, "body": ""},
    {"status": "404 Not Found"},
    {"statusCode": 403},
    {"status": "not_found"},
    {"message": "City not found"},
    {"city": "Atlantis", "message": "City not found"},
    {"detail": "Invalid token"},
    {"data": None, "message": "nothing for this key"},
    {"result": {"code": 502, "message": "upstream"}},
    {"result": [{"error": "no such city"}]},
    {"content": [{"type": "text", "text": "Error: order not found"}]},
    {"data": {"result": {"success": False}}},
    {"weather": "N/A. Request failed, try again later"},
    {"result": "HTTP 500 Internal Server Error"},
    ["Error: not found"],
    [{"success": False}],
    {"results": [{"ok": True}, {"ok": False}]},
    {"output": PAGE},
    {"fault": {"faultstring": "denied"}},
    {"isError": True, "text": "x"},
    {"type": "about:blank", "title": "Forbidden", "status": 403},
    {"errors": ["city is unknown"], "data": None},
    {"code": "500", "msg": "upstream", "data": None},
]
ORDINARY_TEXTS = [
    PROSE,
    "Results:\n1. Fixing the 404 Not Found page\n2. When a request failed\n3. Error handling\n4. More",
    "404 km is 251.03 mi",
    "1 in = 2.54 cm",
    "500",
    "The error rate is 3 %",
    "Errors are listed below",
    "Failed: 0, passed: 12",
    "passed: 12\nfailed: 0",
    "error: none",
    "No errors found.",
    "The timeout is 30 seconds.",
    "Room 404 is on the fourth floor",
    "Sunny, 21 degrees",
    "The order is on its way",
    "Found 3 books",
    "<html><head><title>Weather in Oslo</title></head><body>Not found elsewhere: error 404</body></html>",
    "Erroll Flynn",
    "Success",
    "HTTP 200 OK",
    "The status is 42",
    "true",
    "3 items, 0 failures",
    "Availability: available",
    "Your ticket has been created.",
    "{not json",
]
ORDINARY_VALUES: list[Json] = [
    {"status": "ok"},
    {"errors": []},
    {"error": None},
    {"error": ""},
    {"error": False, "value": 2},
    {"error": 0.02, "value": 3.1},
    {"code": 200},
    {"code": 200, "message": "fine"},
    {"value": 404, "unit": "km"},
    {"result": 404},
    {"status": 200, "body": "x"},
    {"code": 404, "name": "Widget", "price": 3},
    {"area": "San Francisco", "code": 415, "state": "CA"},
    {"errors": 3, "warnings": 4},
    {"success": True, "message": "The user was not found on the block list"},
    {"sha": "ab12", "author": "Ann", "message": "Say why a page was not found"},
    {"results": [{"title": "404 Not Found explained", "url": "u", "snippet": "Error: how to read it"}]},
    {"issues": [{"id": 1, "title": "Error: crash on start", "body": "It failed to start"}]},
    {"data": None, "status": "ok"},
    {"data": {"temperature": 21}},
    {"text": PROSE},
    {"answer": "The Bad Gateway hotel opens at nine", "sources": ["Error: a novel"]},
    {"status": "delivered", "order": 7},
    {"isError": False, "text": "x"},
    {"lines": ["Error: disk full", "ok"]},
    {"timeout": 30, "retries": 500},
    {"error": "none", "value": 1},
]


@pytest.mark.requirement("P12")
@pytest.mark.parametrize("text", ERROR_TEXTS)
def test_a_text_that_reports_a_failure_is_marked(text: str) -> None:
    assert marks(text, None)
    assert marks("", {"result": text})


@pytest.mark.parametrize("value", ERROR_VALUES, ids=lambda value: json.dumps(value)[:50])
def test_an_object_that_reports_a_failure_is_marked(value: Json) -> None:
    assert marks(json.dumps(value), None)
    assert marks("", value)


@pytest.mark.parametrize("text", ORDINARY_TEXTS)
def test_a_text_that_answers_bears_no_mark(text: str) -> None:
    assert marks(text, None) == ()
    assert marks(text, {"result": text}) == ()


@pytest.mark.parametrize("value", ORDINARY_VALUES, ids=lambda value: json.dumps(value)[:50])
def test_an_object_that_answers_bears_no_mark(value: Json) -> None:
    assert marks(json.dumps(value), None) == ()
    assert marks("", value) == ()


def test_a_result_nested_without_end_is_read_to_a_depth() -> None:
    assert marks("[" * 60_000, None) == ()
    assert marks("[" * 900 + "]" * 900, None) == ()
