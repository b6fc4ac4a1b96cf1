"""The rules of video meetings: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import date, datetime, timedelta
from typing import Any

from toolgym.domains.video_meeting import tools
from toolgym.domains.video_meeting.schema import Meeting, Person, Recording
from toolgym.sandbox.kit.world import ToolCall, View, rule

OPENS, SHARED = timedelta(minutes=10), timedelta(days=30)
LIMITS = {"basic": (60, 20), "pro": (480, 100)}
HOUSE = "Larkfield"


def _guests(whole: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Whom a look at a meeting shows."""
    return whole["guests"] if whole else []


def _whole(number: str | None) -> ToolCall | None:
    return None if number is None else ToolCall(name="get_meeting", arguments={"meeting_id": number})


@rule(
    "An employee is in one meeting at a time, lobbies included.",
    why="The employee has to leave the current meeting first.|leave|current meeting|another meeting|one meeting",
    on=[tools.join_meeting],
    reads=[tools.list_meetings],
)
def one_at_a_time(owner: View[Person]) -> bool:
    return owner.row.meeting_now is None


@rule(
    "A host opens a meeting at the earliest ten minutes before its start; guests come in after a host or cohost.",
    why="The meeting is not open yet.|not open|opens|too early|ten minutes|10 minutes|host has not|nobody is there",
    on=[tools.join_meeting],
    reads=[tools.get_meeting],
)
def early(meeting: View[Meeting], now: datetime) -> bool:
    row = meeting.row
    return row.host_is_in or (row.role == "host" and row.start - now <= OPENS)


@rule(
    "Who was removed from a meeting, or gave three wrong passcodes, stays outside.",
    why="The employee is barred from this meeting.|barred|removed|three wrong|stays outside",
    on=[tools.join_meeting],
    reads=[tools.get_meeting],
)
def barred(meeting: View[Meeting]) -> bool:
    return meeting.row.my_state != "removed" and meeting.row.tries_left > 0


@rule(
    "The plan of the employee limits meetings: basic to 60 minutes, pro to 480.",
    why="The employee's plan does not allow a meeting that long.|minutes long|60 minutes|480|too long|an hour|length",
    on=[tools.schedule_meeting, tools.change_meeting],
    reads=[tools.list_meetings],
)
def plan_minutes(owner: View[Person], minutes: int | None) -> bool:
    return minutes is None or minutes <= LIMITS[owner.row.plan or "basic"][0]


@rule(
    "With basic 20 people take part in a meeting, with pro 100, the host included.",
    why="The employee's plan does not allow that many people.|many people|20 people|100 people|full",
    on=[tools.schedule_meeting, tools.change_meeting],
    reads=[tools.list_meetings, tools.get_meeting],
)
def plan_people(
    owner: View[Person],
    meeting: View[Meeting] | None = None,
    people: list[View[Person]] | None = None,
    add: list[View[Person]] | None = None,
) -> bool:
    there = 1 if meeting is None else meeting.row.invited
    return there + len(people or add or ()) <= LIMITS[owner.row.plan or "basic"][1] or not (people or add)


@rule(
    "Only its host moves, lengthens or cancels a meeting and invites further people.",
    why="Only the host of this meeting may change it.|only the host|not the host|another host|hosted by",
    on=[tools.change_meeting],
    reads=[tools.list_meetings],
)
def host_only(meeting: View[Meeting]) -> bool:
    return meeting.row.role == "host"


@rule(
    "Guests are managed, and a meeting is recorded or ended, by its host and cohosts.",
    why="The employee is a guest there; hosts and cohosts do that.|a guest|cohost|hosts",
    on=[tools.manage_guest, tools.set_recording, tools.leave_meeting],
    reads=[tools.list_meetings],
)
def hosts_manage(owner: View[Person], end_for_all: bool = True) -> bool:
    return owner.row.role_now != "guest" or not end_for_all


@rule(
    "A host leaves without ending the meeting only while a cohost is in.",
    why="Nobody would lead the meeting; make somebody cohost first, or end it.|nobody would lead|no cohost|lead it",
    on=[tools.leave_meeting],
    reads=[tools.list_meetings, tools.get_meeting],
    looks={"whole": lambda owner: _whole(owner.row.meeting_now)},
)
def led(owner: View[Person], end_for_all: bool, whole: dict[str, Any] | None) -> bool:
    cohosts = [guest for guest in _guests(whole) if guest["role"] == "cohost" and guest["state"] == "in"]
    return end_for_all or owner.row.role_now != "host" or bool(cohosts)


@rule(
    "Only the host of the meeting shares its recording.",
    why="The recording belongs to the host of its meeting.|belongs to|recorded by|somebody else's|another host",
    on=[tools.share_recording],
    reads=[tools.list_recordings],
)
def own_recording(owner: View[Person], recording: View[Recording]) -> bool:
    return bool(recording.row.host_email == owner.row.email)


@rule(
    "A link to a recording opens for 30 days at most, and never after the recording expires.",
    why="The link cannot open that long.|that long|30 days|thirty days|expires|too late",
    on=[tools.share_recording],
    reads=[tools.list_recordings],
)
def share_term(recording: View[Recording], until: date, now: datetime) -> bool:
    return until <= min(now.date() + SHARED, recording.row.expires_on)


@rule(
    "People outside Larkfield are sent a recording only if they were invited to the meeting.",
    why="Outsiders who were not invited to that meeting are sent no recording.|outside|not invited|external|client",
    on=[tools.share_recording],
    reads=[tools.list_recordings, tools.get_meeting],
    looks={"whole": lambda recording: _whole(recording.row.meeting_id)},
    by="policy",
)
def outsiders(recording: View[Recording], people: list[View[Person]], whole: dict[str, Any] | None) -> bool:
    invited = {guest["email"] for guest in _guests(whole)}
    return all(person.row.email in invited or person.row.company == HOUSE for person in people)


@rule(
    "While somebody from outside Larkfield is in a meeting, it is not recorded.",
    why="Somebody from outside Larkfield is in the meeting.|from outside|client|external|outsider",
    on=[tools.set_recording],
    reads=[tools.list_meetings, tools.get_meeting],
    looks={"whole": lambda owner: _whole(owner.row.meeting_now)},
    by="policy",
)
def recorded(owner: View[Person], on: bool, whole: dict[str, Any] | None) -> bool:
    return not on or all(guest["company"] == HOUSE for guest in _guests(whole) if guest["state"] == "in")
