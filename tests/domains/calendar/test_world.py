"""The calendar through its tools: what they refuse, what follows a move, what nobody learns; edges of the rules."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest

from toolgym.domains.calendar import domain
from toolgym.domains.directory import colleagues, owners, people
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.session import Session

ME, HUGO, LONDON = "mira.tan@larkfield.example", "hugo.keller@larkfield.example", "helena.petrov@larkfield.example"
MOMENTS = (domain.now, *domain.clocks)


@pytest.fixture
def session() -> Session:
    return Session("calendar")


def done(session: Session, name: str, **arguments: Any) -> Any:
    result = session.call(name, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, name: str, **arguments: Any) -> str:
    result = session.call(name, arguments)
    assert result.error is not None, result.text
    return result.error.code


def made(session: Session, start: str = "2026-03-16T09:00", minutes: int = 60, *guests: str) -> str:
    event = done(session, "create_event", title="Planning round", start=start, minutes=minutes)["event_id"]
    if guests:
        done(session, "invite_people", event_id=event, people_emails=list(guests))
    return str(event)


def rows(sql: str, **values: Any) -> list[tuple[Any, ...]]:
    return domain.template().reader.execute(sql, values).fetchall()


def invited(answer: str = "accepted") -> str:
    """An event to come that Mira is invited to and answered like this."""
    sql = (
        "SELECT e.event_id FROM events e JOIN attendees a USING (event_id) WHERE a.email = :me AND a.answer = :answer "
        "AND e.start > :now AND e.state != 'cancelled' ORDER BY e.start"
    )
    return str(rows(sql, me=ME, answer=answer, now=domain.now.isoformat())[0][0])


def busy(session: Session, email: str, day: str) -> list[tuple[str, str]]:
    found = done(session, "get_free_busy", people_emails=[email], day=day)[0]
    return [(span["start"][11:], span["end"][11:]) for span in found["busy"]]


# --- the directory ---


def test_the_directory_has_its_traps() -> None:
    everybody, staff = people(), colleagues()
    assert (len(everybody), len(staff), len(owners())) == (160, 64, 24)
    assert len({entry.email for entry in everybody}) == 160
    first = Counter(entry.name.split()[0] for entry in staff)
    assert sorted(count for count in first.values() if count > 1) == [2, 2, 2, 2, 2, 3]
    assert sum(count == 2 for count in Counter(entry.name for entry in staff).values()) == 2
    assert sum(entry.zone != "America/New_York" for entry in everybody) == 9
    unlike = [entry for entry in staff if entry.name.lower().split()[1] not in entry.email]
    assert len(unlike) == 3
    moved = [entry for entry in everybody if f"@{entry.company.lower()}." not in entry.email]
    assert len(moved) == 1


# --- busy times ---


def test_busy_times_stand_on_the_own_clock_and_work_on_that_of_the_office(session: Session) -> None:
    before = done(session, "get_free_busy", people_emails=[LONDON], day="2026-03-27")[0]
    after = done(session, "get_free_busy", people_emails=[LONDON], day="2026-03-30")[0]
    assert before["working_hours"] == [{"start": "2026-03-27T05:00", "end": "2026-03-27T13:30"}]
    assert after["working_hours"] == [{"start": "2026-03-30T04:00", "end": "2026-03-30T12:30"}]


def test_declining_frees_the_time(session: Session) -> None:
    event = invited()
    start = done(session, "get_event", event_id=event)["start"]
    taken = busy(session, ME, start[:10])
    done(session, "answer_invitation", event_id=event, answer="declined", comment="travelling")
    assert busy(session, ME, start[:10]) != taken
    done(session, "answer_invitation", event_id=event, answer="tentative")
    assert busy(session, ME, start[:10]) == taken


def test_events_that_touch_are_one_busy_stretch(session: Session) -> None:
    made(session, "2026-05-30T09:00", 60)
    made(session, "2026-05-30T10:00", 30)
    made(session, "2026-05-30T12:00", 30)
    assert busy(session, ME, "2026-05-30") == [("09:00", "10:30"), ("12:00", "12:30")]


def test_people_outside_share_nothing(session: Session) -> None:
    client = next(entry.email for entry in people() if entry.team is None)
    made(session, "2026-05-30T09:00", 60, client)
    found = done(session, "get_free_busy", people_emails=[client], day="2026-05-30")[0]
    assert (found["shares"], found["busy"]) == (False, [])


# --- moving and repeating ---


def test_answers_fall_back_when_an_event_moves_and_stay_when_it_is_renamed(session: Session) -> None:
    sql = (
        "SELECT e.event_id FROM events e JOIN attendees a USING (event_id) WHERE e.organiser_email = :me "
        "AND e.start > '2026-03-12' AND e.state = 'planned' AND e.room_id IS NULL AND a.answer = 'accepted'"
    )
    event = str(rows(sql, me=ME)[0][0])
    renamed = done(session, "update_event", event_id=event, title="Another name")
    assert renamed["asked_again"] == []
    assert "accepted" in {guest["answer"] for guest in renamed["attendees"]}
    moved = done(session, "update_event", event_id=event, start="2026-05-30T09:00")
    assert moved["state"] == "moved"
    assert {guest["answer"] for guest in moved["attendees"]} == {"none"}
    assert moved["asked_again"] == [guest["name"] for guest in moved["attendees"]]


def test_a_series_is_made_of_events_with_exceptions(session: Session) -> None:
    event = made(session, "2026-03-16T09:00", 60, HUGO)
    series = done(session, "set_recurrence", event_id=event, every="week", interval=1, until="2026-04-13")
    assert (series["times"], series["last_on"]) == (5, "2026-04-13")
    listed = done(session, "list_events", first_day="2026-03-16", last_day="2026-04-30", text="Planning round")
    times = [item["event_id"] for item in listed["items"] if item["start"].endswith("09:00")]
    assert len(times) == 5
    guests = done(session, "get_event", event_id=times[3])["attendees"]
    assert [guest["email"] for guest in guests] == [HUGO]
    done(session, "update_event", event_id=times[1], start="2026-03-24T11:00")
    once = done(session, "cancel_event", event_id=times[2], scope="this_time", message="away")
    assert (once["cancelled"], once["left"]) == (1, 4)
    rest = done(session, "cancel_event", event_id=times[1], scope="following", message="away")
    assert (rest["cancelled"], rest["left"]) == (3, 1)
    assert done(session, "get_event", event_id=times[0])["state"] == "planned"


def test_cancelling_all_leaves_what_has_been() -> None:
    session = Session("calendar", now=datetime(2026, 4, 1, 8))
    sql = "SELECT event_id FROM events WHERE organiser_email = :me AND series_id = :series ORDER BY start"
    series = rows(
        "SELECT series_id FROM events WHERE organiser_email = :me AND series_id IS NOT NULL GROUP BY 1 "
        "HAVING min(start) < '2026-03-10' AND max(start) > '2026-04-02'",
        me=ME,
    )[0][0]
    events = [row[0] for row in rows(sql, me=ME, series=series)]
    done(session, "cancel_event", event_id=events[-1], scope="whole_series", message="over")
    states = [done(session, "get_event", event_id=event) for event in events]
    assert {event["state"] == "cancelled" for event in states if event["start"] > "2026-04-01T08:00"} == {True}
    assert {event["state"] == "cancelled" for event in states if event["start"] < "2026-04-01T08:00"} == {False}


# --- what nobody learns ---


def test_titles_of_busy_calendars_are_nowhere(session: Session) -> None:
    shut = [item["calendar_id"] for item in done(session, "list_calendars")["items"] if item["rights"] == "busy_only"]
    assert shut
    strange = rows(
        "SELECT event_id, start FROM events e WHERE calendar_id = :shut AND NOT EXISTS "
        "(SELECT 1 FROM attendees a WHERE a.event_id = e.event_id AND a.email = :me)",
        shut=shut[0],
        me=ME,
    )
    assert strange
    for event, start in strange:
        assert refused(session, "get_event", event_id=event) == "not_found"
        listed = done(session, "list_events", first_day=start[:10], last_day=start[:10])
        assert event not in str(listed)
    assert refused(session, "list_events", first_day="2026-03-01", last_day="2026-03-31", calendar_id=shut[0]) == (
        "not_allowed"
    )


def test_private_calendars_and_other_teams_are_not_found(session: Session) -> None:
    for (calendar,) in rows("SELECT calendar_id FROM calendars WHERE team_rights IS NULL AND email != :me", me=ME):
        assert refused(
            session, "create_event", title="x", start="2026-03-16T09:00", minutes=5, calendar_id=calendar
        ) == ("not_found")
    assert refused(
        session, "list_events", first_day="2026-03-01", last_day="2026-03-02", calendar_id="cal-hugo-keller-work"
    ) == ("not_found")


# --- refusals ---


def test_a_room_holds_one_event_at_a_time(session: Session) -> None:
    first = made(session, "2026-05-30T09:00", 60)
    done(session, "book_room", event_id=first, room_id="R-BOS-2")
    early, late = made(session, "2026-05-30T09:59", 30), made(session, "2026-05-30T10:00", 30)
    assert refused(session, "book_room", event_id=early, room_id="R-BOS-2") == "room_free"
    done(session, "book_room", event_id=late, room_id="R-BOS-2")
    assert refused(session, "update_event", event_id=late, start="2026-05-30T09:45") == "room_free"
    assert refused(session, "update_event", event_id=first, minutes=61) == "room_free"
    done(session, "update_event", event_id=first, start="2026-05-30T08:30")
    schedule = done(session, "get_room_schedule", room_id="R-BOS-2", day="2026-05-30")["taken"]
    assert [(taken["start"][11:], taken["end"][11:]) for taken in schedule] == [("08:30", "09:30"), ("10:00", "10:30")]


def test_a_room_seats_all_who_take_part(session: Session) -> None:
    event = made(session, "2026-05-30T09:00", 60, HUGO, LONDON)
    done(session, "book_room", event_id=event, room_id="R-BOS-3")  # three seats
    more = {"event_id": event, "people_emails": ["clara.novak@larkfield.example"]}
    assert refused(session, "invite_people", **more) == "room_seats"
    done(session, "book_room", event_id=event, room_id="R-BOS-1")
    done(session, "invite_people", **more)
    assert refused(session, "book_room", event_id=event, room_id="R-BOS-3") == "room_seats"


def test_a_series_runs_for_a_year_at_most(session: Session) -> None:
    arguments = {"event_id": made(session), "every": "month", "interval": 1}
    assert refused(session, "set_recurrence", **arguments, until="2027-03-17") == "series_length"
    assert refused(session, "set_recurrence", **arguments, until="2026-04-15") == "invalid_argument"
    done(session, "set_recurrence", **arguments, until="2027-03-16")
    assert refused(session, "set_recurrence", **arguments, until="2027-03-16") == "wrong_state"


def test_a_series_needs_its_room_at_every_time(session: Session) -> None:
    event, other = made(session), made(session, "2026-03-30T09:30", 60)
    for each in (event, other):
        done(session, "book_room", event_id=each, room_id="R-AUS-1")
    arguments = {"event_id": event, "every": "week", "interval": 1}
    assert refused(session, "set_recurrence", **arguments, until="2026-03-30") == "conflict"
    done(session, "set_recurrence", **arguments, until="2026-03-29")


def test_guests_change_nothing_of_an_event(session: Session) -> None:
    event = invited()
    assert refused(session, "update_event", event_id=event, title="Mine") == "organiser_only"
    assert refused(session, "cancel_event", event_id=event, scope="this_time") == "organiser_only"
    assert refused(session, "remove_attendee", event_id=event, person_email=ME) == "organiser_only"


def test_writing_needs_the_right_to_edit(session: Session) -> None:
    shared = {item["rights"]: item["calendar_id"] for item in done(session, "list_calendars")["items"]}
    event = {"title": "x", "start": "2026-03-16T09:00", "minutes": 30}
    for right in ("view", "busy_only"):
        assert refused(session, "create_event", **event, calendar_id=shared[right]) == "rights"
    found = done(session, "create_event", **event, calendar_id=shared["edit"])
    assert found["calendar_id"] == shared["edit"]


def test_what_has_begun_stays(session: Session) -> None:
    sql = "SELECT event_id FROM events WHERE organiser_email = :me AND start < :now AND state != 'cancelled'"
    event = str(rows(sql, me=ME, now=domain.now.isoformat())[0][0])
    assert refused(session, "cancel_event", event_id=event, scope="this_time") == "past"
    assert refused(session, "update_event", event_id=event, start="2026-05-30T09:00") == "past"


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("create_event", {"title": "x", "start": "2026-03-10T09:30", "minutes": 30}, "invalid_argument"),
        ("create_event", {"title": "x", "start": "2026-03-16T23:31", "minutes": 30}, "invalid_argument"),
        ("create_event", {"title": "x", "start": "2026-03-16T09:00Z", "minutes": 30}, "invalid_arguments"),
        ("update_event", {"event_id": "own", "minutes": 60}, "no_change"),
        ("invite_people", {"event_id": "own", "people_emails": [HUGO, ME]}, "no_change"),
        ("remove_attendee", {"event_id": "own", "person_email": LONDON}, "no_change"),
        ("answer_invitation", {"event_id": "own", "answer": "accepted"}, "not_allowed"),
        ("set_reminder", {"event_id": "own", "minutes_before": 10}, "no_change"),
        ("book_room", {"event_id": "own", "room_id": "R-AUS-1"}, "no_change"),
        ("set_reminder", {"event_id": "gone", "minutes_before": 10}, "wrong_state"),
        ("get_event", {"event_id": "ev-99999"}, "not_found"),
    ],
)
def test_refusals(session: Session, name: str, arguments: dict[str, Any], code: str) -> None:
    own, gone = made(session, "2026-03-16T09:00", 60, HUGO), made(session)
    done(session, "set_reminder", event_id=own, minutes_before=10)
    done(session, "book_room", event_id=own, room_id="R-AUS-1")
    done(session, "cancel_event", event_id=gone, scope="this_time")
    given = {key: {"own": own, "gone": gone}.get(str(value), value) for key, value in arguments.items()}
    before = session.diff()
    assert refused(session, name, **given) == code
    assert session.diff() == before


def test_the_same_answer_twice_changes_nothing(session: Session) -> None:
    event = invited()
    done(session, "answer_invitation", event_id=event, answer="declined")
    assert refused(session, "answer_invitation", event_id=event, answer="declined") == "no_change"


def test_reminders_only_for_what_one_takes_part_in(session: Session) -> None:
    shared = {item["rights"]: item["calendar_id"] for item in done(session, "list_calendars")["items"]}
    seen = rows(
        "SELECT event_id FROM events e WHERE calendar_id = :shared AND state = 'planned' AND NOT EXISTS "
        "(SELECT 1 FROM attendees a WHERE a.event_id = e.event_id AND a.email = :me)",
        shared=shared["view"],
        me=ME,
    )[0][0]
    assert done(session, "get_event", event_id=seen)["part"] == "none"
    assert refused(session, "set_reminder", event_id=seen, minutes_before=10) == "not_allowed"


# --- the rows ---


def test_no_room_is_booked_twice() -> None:
    last: dict[str, datetime] = {}
    booked = (
        "SELECT room_id, start, minutes FROM events WHERE room_id IS NOT NULL AND state != 'cancelled' ORDER BY start"
    )
    for room, start, minutes in rows(booked):
        begin = datetime.fromisoformat(start)
        assert last.get(room, begin) <= begin
        last[room] = begin + timedelta(minutes=minutes)


@pytest.mark.parametrize("now", MOMENTS, ids=str)
@pytest.mark.parametrize(
    "away", [timedelta(), timedelta(minutes=1), timedelta(hours=23, minutes=59), timedelta(days=1)]
)
def test_rules_on_time_have_rows_on_both_sides_of_their_edges(now: datetime, away: timedelta) -> None:
    sql = (
        "SELECT e.organiser_email FROM events e WHERE e.start = :start AND e.state != 'cancelled' "
        "AND EXISTS (SELECT 1 FROM attendees a WHERE a.event_id = e.event_id)"
    )
    found = rows(sql, start=(now + away).isoformat(timespec="minutes"))
    assert len({email for (email,) in found} & set(owners())) >= 3


@pytest.mark.parametrize("minutes", [45, 46])
@pytest.mark.parametrize("ends", ["12:45", "11:45", "16:45"])
def test_working_hours_have_rows_on_both_sides_of_their_edges(ends: str, minutes: int) -> None:
    sql = "SELECT count(*) FROM events WHERE start LIKE :at AND minutes = :minutes AND state != 'cancelled'"
    assert rows(sql, at=f"%T{ends}", minutes=minutes)[0][0] >= 3


@pytest.mark.parametrize(("more", "least"), [(0, 3), (1, 3)])
def test_rooms_have_as_many_seats_as_guests_or_one_too_few(more: int, least: int) -> None:
    sql = (
        "SELECT count(*) FROM (SELECT count(a.email) + 1 AS heads FROM events e JOIN attendees a USING (event_id) "
        "WHERE e.start > '2026-03-31T09' AND e.state != 'cancelled' GROUP BY e.event_id) g "
        "JOIN rooms r ON g.heads = r.seats + :more"
    )
    assert rows(sql, more=more)[0][0] >= least


@pytest.mark.parametrize("at", ["10:00", "09:59"])
def test_rooms_that_are_taken_until_ten_meet_events_at_ten_and_a_minute_before(at: str) -> None:
    sql = (
        "SELECT count(*) FROM events e JOIN events b ON date(b.start) = date(e.start) AND b.room_id IS NOT NULL "
        "WHERE e.start LIKE :at AND e.room_id IS NULL AND b.start LIKE '%T09:00' AND b.minutes = 60"
    )
    assert rows(sql, at=f"%T{at}")[0][0] >= 3


def test_each_owner_has_things_of_their_own() -> None:
    for email in owners():
        session = Session("calendar", task=Task(id="", domain="calendar", owner=email))
        assert done(session, "get_now")["email"] == email
        assert done(session, "list_events", first_day="2026-03-10", last_day="2026-04-10")["total"] >= 12
