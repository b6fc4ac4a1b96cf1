"""The first of a validation's problems: where it is, what it is, what was given."""

from pydantic import ValidationError

from toolgym.sandbox.kit.errors import InvalidValue, first_invalid
from toolgym.sandbox.kit.task import Task


def invalid(text: str) -> InvalidValue:
    try:
        Task.model_validate_json(text)
    except ValidationError as error:
        return first_invalid(error)
    raise AssertionError("nothing is wrong with it")


def test_the_first_problem_has_its_place() -> None:
    found = invalid('{"id": "1", "domain": "kiosk", "facts": [{"name": 5, "value": 1}], "seed": "x"}')
    assert (found.where, found.field, found.kind, found.given) == ("facts.0.name", "facts", "string_type", 5)
    assert found.sentence == "facts.0.name: must be text"


def test_what_is_wrong_with_the_whole_value_has_no_place() -> None:
    found = invalid("[]")
    assert (found.where, found.field) == ("", "")
    assert found.sentence == found.message == "must be an object"
