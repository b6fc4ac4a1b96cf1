"""Video meetings through their tools: the lobby, who records and shares, series; the edges of the rules."""

from datetime import date, timedelta
from typing import Any

import pytest

from toolgym.domains.directory import owners
from toolgym.domains.video_meeting import domain
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.session import Session

PLACE = "SELECT 1 FROM guests WHERE email = :email AND state IN ('in', 'waiting')"
HOSTS = owners()[::4]
"""Those who are in a live meeting of their own."""


def as_person(email: str) -> Session:
    return Session("video_meeting", task=Task(id="", domain="video_meeting", owner=email))


def done(session: Session, name: str, **arguments: Any) -> Any:
    result = session.call(name, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, name: str, **arguments: Any) -> str:
    result = session.call(name, arguments)
    assert result.error is not None, result.text
    return result.error.code


def rows(sql: str, **values: Any) -> list[tuple[Any, ...]]:
    return domain.template().reader.execute(sql, values).fetchall()


def invited(lobby: bool, wrong_codes: int = 0) -> tuple[str, str, str, str]:
    """A meeting that runs, its passcode and host, and a guest who is in no meeting and may join."""
    found = rows(
        "SELECT m.meeting_id, m.passcode, m.host_email, gu.email FROM guests gu JOIN meetings m USING (meeting_id) "
        "WHERE m.state = 'live' AND gu.state = 'invited' AND gu.role = 'guest' AND m.waiting_room = :lobby "
        "AND gu.wrong_codes = :wrong ORDER BY gu.guest_id",
        lobby=lobby,
        wrong=wrong_codes,
    )
    return next(row for row in found if row[3] in owners() and not rows(PLACE, email=row[3]))


def hosted(session: Session, **given: Any) -> list[dict[str, Any]]:
    pages = [done(session, "list_meetings", role="host", first_day="2026-03-11", page=n, **given) for n in (1, 2)]
    return [meeting for page in pages for meeting in page["items"] if meeting["state"] == "scheduled"]


def here(session: Session) -> list[dict[str, Any]]:
    now = done(session, "list_meetings")["me"]["meeting_now"]
    guests: list[dict[str, Any]] = done(session, "get_meeting", meeting_id=now)["guests"]
    return guests


# --- the lobby ---


def test_a_guest_waits_in_the_lobby_until_a_host_admits_them() -> None:
    meeting, code, host, guest = invited(lobby=True)
    with as_person(guest) as session:
        assert done(session, "join_meeting", meeting_id=meeting, passcode=code)["state"] == "waiting"
        assert done(session, "list_meetings")["me"]["meeting_now"] == meeting
        assert refused(session, "set_recording", on=True) in ("hosts_manage", "wrong_state")
    with as_person(host) as session:
        waiting = next(each for each in here(session) if each["state"] == "waiting")
        admitted = done(session, "manage_guest", guest_id=waiting["guest_id"], action="admit")
        assert admitted["state"] == "in"
        assert refused(session, "manage_guest", guest_id=waiting["guest_id"], action="admit") == "wrong_state"


def test_without_a_lobby_a_guest_is_in_at_once() -> None:
    meeting, code, _, guest = invited(lobby=False)
    with as_person(guest) as session:
        assert done(session, "join_meeting", meeting_id=meeting, passcode=code)["state"] == "in"
        assert refused(session, "join_meeting", meeting_id=meeting, passcode=code) == "one_at_a_time"


def test_three_wrong_passcodes_bar_a_guest() -> None:
    meeting, code, _, guest = invited(lobby=True)
    with as_person(guest) as session:
        wrong = [done(session, "join_meeting", meeting_id=meeting, passcode="none") for _ in range(3)]
        assert [each["tries_left"] for each in wrong] == [2, 1, 0]
        assert not any(each["accepted"] for each in wrong)
        assert refused(session, "join_meeting", meeting_id=meeting, passcode=code) == "barred"


def test_a_host_opens_ten_minutes_before_and_guests_come_after() -> None:
    soon = rows("SELECT meeting_id, host_email, start FROM meetings WHERE state = 'scheduled' AND start < '2026-03-11'")
    minutes = {}
    for meeting, host, start in soon:
        with as_person(host) as session:
            if done(session, "list_meetings")["me"]["meeting_now"] is None:
                answer = session.call("join_meeting", {"meeting_id": meeting})
                minutes[int(start[-2:]) - 30] = "" if answer.error is None else answer.error.code
    assert minutes[10] == "" and minutes[11] == "early"
    guests = rows(
        "SELECT meeting_id, email FROM guests JOIN meetings USING (meeting_id) "
        "WHERE meetings.state = 'scheduled' AND role = 'guest'"
    )
    meeting, guest = next(row for row in guests if row[1] in owners()[2::4] and not rows(PLACE, email=row[1]))
    assert refused(as_person(guest), "join_meeting", meeting_id=meeting, passcode="any") == "early"


# --- who records, and whose the recording is ---


def test_what_is_recorded_is_stored_when_the_meeting_ends_and_shared_by_its_host() -> None:
    for host in HOSTS:
        with as_person(host) as session:
            if any(each["company"] != "Larkfield" and each["state"] == "in" for each in here(session)):
                continue
            session.call("set_recording", {"on": True})  # some are being recorded already
            ended = done(session, "leave_meeting", end_for_all=True)
            assert ended["state"] == "ended"
            found = done(session, "list_recordings", meeting_id=ended["meeting_id"])["items"]
            assert [each["recording_id"] for each in found] == [ended["recording_id"]]
            last = min(date.fromisoformat(found[0]["expires_on"]), date(2026, 4, 9))
            given = {"recording_id": ended["recording_id"], "people_emails": [owners()[1]]}
            assert refused(session, "share_recording", until=f"{last + timedelta(days=1)}", **given) == "share_term"
            assert done(session, "share_recording", until=f"{last}", **given)["link"].endswith(ended["recording_id"])
            return
    pytest.fail("nobody could record")


def test_whoever_was_sent_a_recording_sees_it_and_does_not_share_it() -> None:
    (recording, email), *_ = (
        row for row in rows("SELECT recording_id, email FROM shares ORDER BY share_id") if row[1] in owners()
    )
    with as_person(email) as session:
        title = rows(
            "SELECT title FROM recordings JOIN meetings USING (meeting_id) WHERE recording_id = :r", r=recording
        )
        found = done(session, "list_recordings", text=title[0][0])["items"]
        assert recording in {each["recording_id"] for each in found}
        given = {"recording_id": recording, "people_emails": [owners()[0]], "until": "2026-03-12"}
        assert refused(session, "share_recording", **given) == "own_recording"


def test_guests_neither_record_nor_manage() -> None:
    for email in owners()[1::4]:
        with as_person(email) as session:
            me = done(session, "list_meetings")["me"]
            if me["role_now"] == "guest":
                assert refused(session, "set_recording", on=True) == "hosts_manage"
                assert refused(session, "leave_meeting", end_for_all=True) == "hosts_manage"
                assert done(session, "leave_meeting")["state"] == "live"
            else:
                assert me["role_now"] == "cohost"


def test_a_host_leaves_a_meeting_only_to_a_cohost() -> None:
    for host in HOSTS:
        with as_person(host) as session:
            guests = here(session)
            if any(each["role"] == "cohost" and each["state"] == "in" for each in guests):
                continue
            assert refused(session, "leave_meeting") == "led"
            inside = next(each for each in guests if each["state"] == "in" and each["role"] == "guest")
            done(session, "manage_guest", guest_id=inside["guest_id"], action="make_cohost")
            assert done(session, "leave_meeting")["state"] == "live"
            return
    pytest.fail("every meeting has a cohost")


# --- series ---


def test_each_time_of_a_series_is_a_meeting_of_its_own() -> None:
    with as_person(owners()[2]) as session:
        given = {"title": "Code clinic", "minutes": 30, "people_emails": [owners()[0]]}
        made = done(session, "schedule_meeting", start="2026-03-17T10:00", every="week", until="2026-04-07", **given)
        assert (made["times"], made["last_on"]) == (4, "2026-04-07")
        times = hosted(session, text="Code clinic")
        assert [each["start"][:10] for each in times] == ["2026-03-17", "2026-03-24", "2026-03-31", "2026-04-07"]
        second = times[1]["meeting_id"]
        done(session, "change_meeting", meeting_id=second, cancelled=True)
        assert len(hosted(session, text="Code clinic")) == 3
        third = times[2]["meeting_id"]
        moved = done(session, "change_meeting", meeting_id=third, start="2026-04-01T11:30", following=True)
        assert moved["days"] == ["2026-04-01", "2026-04-08"]
        assert [each["start"] for each in hosted(session, text="Code clinic")] == [
            "2026-03-17T10:00",
            "2026-04-01T11:30",
            "2026-04-08T11:30",
        ]
        assert (
            refused(session, "schedule_meeting", start="2026-03-17T10:00", every="week", **given) == "invalid_argument"
        )


def test_the_plan_limits_minutes_and_people() -> None:
    with as_person(owners()[0]) as session:
        assert done(session, "list_meetings")["me"]["plan"] == "basic"
        given = {"title": "Vendor call", "start": "2026-03-17T10:00", "people_emails": []}
        assert done(session, "schedule_meeting", minutes=60, **given)["state"] == "scheduled"
        assert refused(session, "schedule_meeting", minutes=61, **given) == "plan_minutes"
        sizes = {
            len(done(session, "get_meeting", meeting_id=each["meeting_id"])["guests"]): each for each in hosted(session)
        }
        meeting = sizes[19]["meeting_id"]
        there = {each["email"] for each in done(session, "get_meeting", meeting_id=meeting)["guests"]}
        new = [email for email in owners() if email not in there][:2]
        assert refused(session, "change_meeting", meeting_id=meeting, add_emails=new) == "plan_people"
        done(session, "change_meeting", meeting_id=meeting, add_emails=new[:1])
        assert refused(session, "change_meeting", meeting_id=meeting, add_emails=new[1:]) == "plan_people"


def test_only_the_host_changes_a_meeting_and_reads_its_passcode() -> None:
    with as_person(owners()[3]) as session:
        guest = done(session, "list_meetings", role="guest", first_day="2026-03-11")["items"][0]["meeting_id"]
        assert refused(session, "change_meeting", meeting_id=guest, cancelled=True) == "host_only"
        assert "passcode" not in done(session, "get_meeting", meeting_id=guest)["meeting"]
        own = hosted(session)[0]["meeting_id"]
        assert done(session, "get_meeting", meeting_id=own)["meeting"]["passcode"]
