"""What people want to know of their calendar."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from toolgym.domains.calendar import tools
from toolgym.domains.calendar.goals.draws import workday
from toolgym.domains.calendar.times import Stretch, longest_free
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _one_day(draw: Draw) -> dict[str, Any]:
    day = workday(draw)
    return {"first_day": day, "last_day": day}


def _day_in_words(value: Mapping[str, date]) -> str:
    return f"{value['first_day']:%B} {value['first_day'].day}"


def _without_answer(result: Mapping[str, Any]) -> list[str] | None:
    return [guest["name"] for guest in result["attendees"] if guest["answer"] == "none"] or None


def _who_declined(result: Mapping[str, Any]) -> list[str] | None:
    return [guest["name"] for guest in result["attendees"] if guest["answer"] == "declined"] or None


def _first(result: Mapping[str, Any], column: str) -> Any:
    return result["items"][0][column] if result["items"] else None


def _holders(result: Mapping[str, Any]) -> list[str] | None:
    return list(dict.fromkeys(taken["by"] for taken in result["taken"])) or None


def _free(result: list[Mapping[str, Any]]) -> Stretch | None:
    """The longest free stretch of one's own working hours."""
    hours = [_span(each) for each in result[0]["working_hours"]]
    return longest_free([_span(each) for each in result[0]["busy"]], hours[0]) if hours else None


def _free_from(result: list[Mapping[str, Any]]) -> str | None:
    found = _free(result)
    return found and found[0].isoformat()


def _free_to(result: list[Mapping[str, Any]]) -> str | None:
    found = _free(result)
    return found and found[1].isoformat()


def _span(each: Mapping[str, str]) -> Stretch:
    return datetime.fromisoformat(each["start"]), datetime.fromisoformat(each["end"])


QUESTIONS = (
    Goal(tools.get_event, name="who_is_coming", tells=(Tell("name", value=_without_answer),)),
    Goal(tools.get_event, name="who_declined", tells=(Tell("name", value=_who_declined),)),
    Goal(tools.get_event, name="where", tells=(Tell("room"),)),
    Goal(
        tools.list_events,
        name="first_meeting",
        slots=(Slot("first_day", fills=("first_day", "last_day"), draw=_one_day, say=_day_in_words),),
        tells=(
            Tell("title", value=lambda result: _first(result, "title")),
            Tell("start", kind="moment", value=lambda result: _first(result, "start")),
        ),
    ),
    Goal(
        tools.get_free_busy,
        name="longest_free",
        slots=(Slot("day", draw=workday),),
        tells=(Tell("start", kind="moment", value=_free_from), Tell("end", kind="moment", value=_free_to)),
    ),
    Goal(
        tools.get_room_schedule,
        name="who_has_the_room",
        slots=(Slot("room"), Slot("day", draw=workday)),
        tells=(Tell("by", value=_holders),),
    ),
)
