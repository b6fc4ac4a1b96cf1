"""What people want to know of their calendar."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from toolgym.domains.calendar.goals.draws import workday
from toolgym.domains.calendar.times import Stretch, longest_free
from toolgym.domains.calendar.tools.people import get_free_busy
from toolgym.domains.calendar.tools.reading import get_event, list_events
from toolgym.domains.calendar.tools.rooms import get_room_schedule
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
    Goal(
        get_event,
        name="who_is_coming",
        says=(
            "Who hasn't answered yet for {event}?",
            "Whose answer is still missing for {event}?",
            "I'd like to know who has yet to answer for {event}.",
            "Which of the guests of {event} haven't answered?",
            "Can you tell me who still has to reply to the invitation to {event}?",
            "Who still owes me an answer for {event}?",
            "Please check who hasn't responded to {event}.",
            "Which invitations to {event} are still open? I need the names.",
            "I want to chase the missing answers for {event}. Whose are they?",
            "Could you list the guests of {event} who haven't replied?",
            "From whom are we still waiting for an answer about {event}?",
            "Has everybody answered for {event}? If not, who hasn't?",
        ),
        verbs=("tell", "find out"),
        tells=(Tell("name", value=_without_answer),),
    ),
    Goal(
        get_event,
        name="who_declined",
        says=(
            "Who has declined {event}?",
            "Who is not coming to {event}?",
            "Which guests have turned down {event}?",
            "Please tell me who said no to {event}.",
            "Can you check who has declined the invitation to {event}?",
            "I'd like to know who won't be at {event}. I mean those who declined.",
            "Has anybody declined {event}, and who?",
            "Which people have said that they can't come to {event}?",
            "Who sent their regrets for {event}?",
            "Could you give me the names of those who declined {event}?",
            "I want to know who refused the invitation to {event}.",
            "Did anyone turn down {event}? Who was it?",
        ),
        verbs=("tell", "find out"),
        tells=(Tell("name", value=_who_declined),),
    ),
    Goal(
        get_event,
        name="where",
        says=(
            "Which room is {event} in?",
            "Where does {event} take place?",
            "I can't find the room of {event}. Which one is it?",
            "Please tell me the room of {event}.",
            "What room do I have to go to for {event}?",
            "In which room are we meeting for {event}?",
            "Can you look up the room of {event}?",
            "Where do I need to be for {event}? I mean the room.",
            "I forgot which room {event} is in. Could you check?",
            "Which room has been booked for {event}?",
            "Could you tell me where {event} is held?",
            "I'd like to know the room for {event}.",
        ),
        verbs=("tell", "find out"),
        tells=(Tell("room"),),
    ),
    Goal(
        list_events,
        name="first_meeting",
        says=(
            "What is my first meeting on {first_day}, and when?",
            "When does my day begin on {first_day}, and with what?",
            "Please tell me what comes first in my calendar on {first_day}, and at what time.",
            "What do I have first on {first_day}, and at what time?",
            "Which event opens my day on {first_day}, and when does it start?",
            "How does my day start on {first_day}? I'd like the title and the time.",
            "I'm planning my morning: what's my first event on {first_day}, and when?",
            "Can you look up the first thing in my calendar on {first_day}, with its time?",
            "What's first on my agenda on {first_day}, and what time is it?",
            "Could you check what I start with on {first_day}, and when?",
            "What time is my first appointment on {first_day}, and what is it?",
            "On {first_day}, which meeting comes first and when does it begin?",
        ),
        verbs=("tell", "look up"),
        slots=(Slot("first_day", fills=("first_day", "last_day"), draw=_one_day, say=_day_in_words),),
        tells=(
            Tell("title", value=lambda result: _first(result, "title")),
            Tell("start", kind="moment", value=lambda result: _first(result, "start")),
        ),
    ),
    Goal(
        get_free_busy,
        name="longest_free",
        says=(
            "When is my longest free stretch on {day} within working hours?",
            "I need time to think on {day}. When am I free the longest during working hours?",
            "From when to when am I free the longest on {day}, between nine and half past five?",
            "What's my longest gap in the working day on {day}? I need its start and end.",
            "Can you find the longest free slot in my working hours on {day}?",
            "I want to get some work done on {day}. From when to when is my longest break between meetings?",
            "Please find the longest stretch on {day} in which I have nothing planned, within working hours.",
            "When do I have the most time in one piece on {day}, during working hours?",
            "Where is the biggest gap in my calendar on {day}, between nine and half past five? From when to when?",
            "Could you tell me my longest uninterrupted free time on {day} in working hours?",
            "On {day}, when does my longest free period in the working day start and end?",
            "How is my {day}: when am I free for the longest time in working hours?",
        ),
        verbs=("find", "tell"),
        slots=(Slot("day", draw=workday),),
        tells=(
            Tell("start", kind="moment", value=_free_from),
            Tell("end", kind="moment", value=_free_to),
        ),
    ),
    Goal(
        get_room_schedule,
        name="who_has_the_room",
        says=(
            "Who has booked {room} on {day}?",
            "By whom is {room} taken on {day}?",
            "I'd like to know who uses {room} on {day}.",
            "Please tell me who holds meetings in {room} on {day}.",
            "Who is in {room} on {day}?",
            "Can you check who has reserved {room} on {day}?",
            "Whose meetings are in {room} on {day}?",
            "I need to know who has {room} on {day}.",
            "Could you look up who is using {room} on {day}?",
            "Which people have meetings in {room} on {day}? I mean whoever booked it.",
            "I was hoping for {room} on {day}. Who has it?",
            "Who do I have to ask about {room} on {day}? I mean, who has booked it?",
        ),
        verbs=("tell", "look up"),
        slots=(Slot("room"), Slot("day", draw=workday)),
        tells=(Tell("by", value=_holders),),
    ),
)
