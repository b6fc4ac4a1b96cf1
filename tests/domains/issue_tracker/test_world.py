"""The issue tracker: a workflow that is kept, issues that wait for others, and sprints that fill up and turn."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from toolgym.domains.issue_tracker.rules import STEPS
from toolgym.domains.issue_tracker.schema import (
    Comment,
    Component,
    Issue,
    Label,
    Link,
    Person,
    Project,
    Sprint,
    Watch,
    Work,
    room_in,
)
from toolgym.domains.issue_tracker.seed import NOW
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator

TODAY = NOW.date()
LEAD = next(row.lead_email for row in Session("issue_tracker").database.find(Project) if row.project_key == "ATLAS")


@pytest.fixture
def session() -> Session:
    """The lead of Atlas."""
    return Session("issue_tracker", task=Task(id="", domain="issue_tracker", owner=LEAD))


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def atlas(session: Session, where: Callable[[Any], bool] = lambda row: True, **equal: Any) -> str:
    """The first issue of Atlas of which this is true."""
    rows = session.database.find(Issue, project_key="ATLAS", **equal)
    return next(row.issue_id for row in rows if where(View(row).bound(session.database).row))


def move(session: Session, issue: str, state: str, resolution: str | None = None) -> Any:
    return done(session, "move_issue", issue_id=issue, state=state, **_ending(resolution))


def stays(session: Session, issue: str, state: str, resolution: str | None = None) -> str:
    return refused(session, "move_issue", issue_id=issue, state=state, **_ending(resolution))


def _ending(resolution: str | None) -> dict[str, str]:
    return {"resolution": resolution} if resolution else {}


def sprints(session: Session, state: str, key: str = "ATLAS") -> list[Any]:
    return list(done(session, "list_sprints", project_key=key, state=state))


# --- the workflow ---


def test_an_issue_goes_round_by_the_arrows_and_no_other_way(session: Session) -> None:
    issue = atlas(session, lambda row: not row.blocked_by and row.kind != "bug", state="todo", assignee_email=None)
    assert stays(session, issue, "doing") == "assigned"
    done(session, "assign_issue", issue_id=issue, person_email=LEAD)
    for state in ("review", "reopened"):
        assert stays(session, issue, state) == "workflow"
    assert stays(session, issue, "doing", "fixed") == "invalid_argument", "only what is done has a resolution"
    move(session, issue, "doing")
    assert stays(session, issue, "review") == "worked"
    done(session, "log_work", issue_id=issue, minutes=5, on=f"{TODAY - timedelta(days=7)}")
    assert move(session, issue, "review")["fixed_by_email"] == LEAD
    assert stays(session, issue, "done") == "invalid_argument", "nothing is done without a resolution"
    assert move(session, issue, "done", "fixed")["resolution"] == "fixed"
    assert refused(session, "assign_issue", issue_id=issue, person_email=LEAD) == "wrong_state"
    assert move(session, issue, "reopened")["resolution"] is None
    assert move(session, issue, STEPS["reopened"])["state"] == "doing"


@pytest.mark.parametrize("state", ["todo", "doing", "review", "reopened"])
def test_what_will_not_be_fixed_is_closed_from_any_state(session: Session, state: str) -> None:
    issue = atlas(session, state=state)
    assert move(session, issue, "done", "wont_fix")["state"] == "done"
    assert stays(session, issue, "done", "wont_fix") == "workflow"


def test_only_members_change_an_issue_and_anybody_comments(session: Session) -> None:
    roles = done(session, "get_me")["roles"]
    key = next(
        row.project_key for row in session.database.find(Project) if roles.get(row.project_key) in (None, "reader")
    )
    issue = session.database.find(Issue, project_key=key, state="todo")[0].issue_id
    assert refused(session, "edit_issue", issue_id=issue, points=13) == "writer"
    assert refused(session, "log_work", issue_id=issue, minutes=30, on=f"{TODAY - timedelta(days=7)}") == "writer"
    new = {"kind": "bug", "summary": "Crash", "description": "It crashes."}
    assert refused(session, "create_issue", project_key=key, **new) == "writer"
    assert done(session, "add_comment", issue_id=issue, text="Seen here as well.")["author_email"] == LEAD
    stranger = next(
        row.email
        for row in session.database.find(Person, company="Larkfield")
        if View(row).bound(session.database).row.roles.get("ATLAS") in (None, "reader")
    )
    own = atlas(session, state="todo")
    assert refused(session, "assign_issue", issue_id=own, person_email=stranger) == "member"
    at = session.database.get_one(Issue, own)
    if at.assignee_email:
        assert refused(session, "assign_issue", issue_id=own, person_email=at.assignee_email) == "no_change"


def test_a_new_issue_goes_to_whom_its_component_names_and_is_watched(session: Session) -> None:
    part = next(row for row in session.database.find(Component, project_key="ATLAS") if row.default_assignee_email)
    other = session.database.find(Component, project_key="BOREALIS")[0]
    new = {"project_key": "ATLAS", "kind": "bug", "summary": "Crash", "description": "It crashes."}
    made = done(session, "create_issue", **new, component_id=part.component_id)
    assert made["issue_id"].startswith("ATLAS-")
    assert (made["assignee_email"], made["state"], made["watching"]) == (part.default_assignee_email, "todo", True)
    assert refused(session, "create_issue", **new, component_id=other.component_id) == "invalid_argument"
    late = {"issue_id": made["issue_id"], "due_on": f"{TODAY - timedelta(days=1)}"}
    assert refused(session, "edit_issue", **late) == "invalid_argument"
    assert refused(session, "edit_issue", issue_id=made["issue_id"], priority="normal") == "no_change"
    assert refused(session, "set_watching", issue_id=made["issue_id"], watching=True) == "no_change"
    assert done(session, "set_watching", issue_id=made["issue_id"], watching=False)["watching"] is False


def test_ten_hours_a_day_are_the_most_and_two_weeks_the_longest(session: Session) -> None:
    issue, day = atlas(session, state="doing"), TODAY - timedelta(days=8)
    assert done(session, "log_work", issue_id=issue, minutes=595, on=f"{day}")["minutes_of_the_day"] == 595
    assert refused(session, "log_work", issue_id=issue, minutes=6, on=f"{day}") == "work_day"
    assert done(session, "log_work", issue_id=issue, minutes=5, on=f"{day}")["minutes_of_the_day"] == 600
    for days, code in ((14, "work_recent"), (-1, "work_recent")):
        on = f"{TODAY - timedelta(days=days)}"
        assert refused(session, "log_work", issue_id=issue, minutes=30, on=on) == code
    assert done(session, "log_work", issue_id=issue, minutes=30, on=f"{TODAY - timedelta(days=13)}")["minutes"] == 30


def test_labels_are_borne_once_whatever_their_capitals(session: Session) -> None:
    issue = atlas(session, lambda row: not row.labels)
    assert done(session, "set_labels", issue_id=issue, add=["Mobile", "mobile "])["labels"] == ["mobile"]
    assert refused(session, "set_labels", issue_id=issue, add=["MOBILE"]) == "no_change"
    found = done(session, "search_issues", project_key="ATLAS", label="Mobile", page=1)
    assert found["total"] == sum(
        row.issue_id.startswith("ATLAS-") for row in session.database.find(Label, label="mobile")
    )
    assert done(session, "set_labels", issue_id=issue, remove=["Mobile"])["labels"] == []


# --- dependencies ---


def test_an_issue_waits_until_all_that_blocks_it_is_done(session: Session) -> None:
    free = (row for row in session.database.find(Issue, project_key="ATLAS", state="review") if row.kind != "bug")
    keys = [row.issue_id for row in free if not View(row).bound(session.database).row.blocked_by][:3]
    first, second, last = keys
    for key in (first, second):
        done(session, "link_issues", issue_id=key, kind="blocks", other_id=last)
    assert stays(session, last, "done", "fixed") == "blocked"
    move(session, first, "done", "fixed")
    assert done(session, "get_issue", issue_id=last)["blocked_by"] == [second]
    assert stays(session, last, "done", "fixed") == "blocked"
    move(session, second, "done", "wont_fix")
    move(session, last, "done", "fixed")
    move(session, first, "reopened")
    move(session, last, "reopened")
    assert done(session, "get_issue", issue_id=last)["blocked_by"] == [first], "what is reopened blocks again"


def test_what_blocks_never_goes_round_in_a_circle(session: Session) -> None:
    every = session.database.find(Issue, project_key="ATLAS", state="todo")
    keys = [row.issue_id for row in every if not _links(session, row.issue_id)][:4]
    for one, other in pairwise(keys):
        done(session, "link_issues", issue_id=one, kind="blocks", other_id=other)
    back = {"issue_id": keys[-1], "kind": "blocks"}
    for key in keys[:-1]:
        assert refused(session, "link_issues", **back, other_id=key) == "conflict"
    assert refused(session, "link_issues", **back, other_id=keys[-1]) == "invalid_argument"
    again = {"issue_id": keys[0], "kind": "blocks", "other_id": keys[1]}
    assert refused(session, "link_issues", **again) == "no_change"
    done(session, "remove_link", link_id=_links(session, keys[0])[0])
    done(session, "link_issues", **back, other_id=keys[0])
    done(session, "link_issues", **back | {"kind": "relates"}, other_id=keys[1])


def _links(session: Session, issue: str) -> list[str]:
    return [link["link_id"] for link in done(session, "get_issue", issue_id=issue)["links"]]


def test_a_duplicate_is_closed_once_a_link_says_of_what(session: Session) -> None:
    issue, kept = atlas(session, lambda row: not row.duplicate_of, state="todo"), atlas(session, state="doing")
    assert stays(session, issue, "done", "duplicate") == "linked"
    done(session, "link_issues", issue_id=kept, kind="same_as", other_id=issue)
    assert stays(session, issue, "done", "duplicate") == "linked", "the link says it of the other one"
    done(session, "link_issues", issue_id=issue, kind="same_as", other_id=kept)
    assert move(session, issue, "done", "duplicate")["duplicate_of"] == [kept]


# --- sprints ---


def test_a_sprint_takes_points_up_to_its_capacity_and_nothing_without(session: Session) -> None:
    sprint = sprints(session, "future")[0]
    issue = atlas(session, lambda row: row.sprint_id is None, state="todo", points=None)
    plan = {"issue_id": issue, "sprint_id": sprint["sprint_id"]}
    assert refused(session, "plan_issue", **plan) == "estimated"
    done(session, "edit_issue", issue_id=issue, points=1)
    row = session.database.get_one(Sprint, sprint["sprint_id"])
    room = room_in(session.database, row)
    session.database.begin(writable="all")
    session.database.update(row, capacity=row.capacity - room + 2)
    done(session, "plan_issue", **plan)
    assert refused(session, "plan_issue", **plan) == "no_change"
    assert refused(session, "edit_issue", issue_id=issue, points=3) == "capacity", "nor does it grow there"
    assert done(session, "edit_issue", issue_id=issue, points=2)["sprint_room"] == 0
    other = atlas(session, lambda row: row.sprint_id is None, state="todo", points=1)
    assert refused(session, "plan_issue", **plan | {"issue_id": other}) == "capacity"
    assert done(session, "plan_issue", issue_id=issue)["sprint_id"] is None
    done(session, "plan_issue", **plan | {"issue_id": other})
    foreign = sprints(session, "future", "BOREALIS")[-1]["sprint_id"]
    assert refused(session, "plan_issue", issue_id=issue, sprint_id=foreign) == "invalid_argument"
    closed = sprints(session, "closed")[1]["sprint_id"]  # it had room
    assert refused(session, "plan_issue", issue_id=issue, sprint_id=closed) == "wrong_state"


def test_one_sprint_at_a_time_is_active_and_what_is_left_goes_on(session: Session) -> None:
    active, (next_one, later) = sprints(session, "active")[0], sprints(session, "future")
    until = f"{TODAY + timedelta(days=14)}"
    start = {"sprint_id": next_one["sprint_id"], "end_on": until}
    assert refused(session, "start_sprint", **start) == "one_active"
    rest = [row for row in session.database.find(Issue, sprint_id=active["sprint_id"]) if row.state != "done"]
    points = sum(row.points or 0 for row in rest)
    close = {"sprint_id": active["sprint_id"]}
    carry = close | {"carry_to_id": next_one["sprint_id"]}
    fork = session.fork()
    tight = fork.database.get_one(Sprint, next_one["sprint_id"])
    fork.database.begin(writable="all")
    fork.database.update(tight, capacity=next_one["points_planned"] + points - 1)
    assert refused(fork, "close_sprint", **carry) == "limit_exceeded"
    fork.database.update(tight, capacity=next_one["points_planned"] + points)
    ended = done(fork, "close_sprint", **carry)
    assert (ended["carried"], ended["carried_points"]) == (len(rest), points)
    assert {fork.database.get_one(Issue, row.issue_id).sprint_id for row in rest} == {next_one["sprint_id"]}
    assert refused(session, "close_sprint", **close, carry_to_id=active["sprint_id"]) == "invalid_argument"
    done(session, "close_sprint", sprint_id=active["sprint_id"])
    assert {session.database.get_one(Issue, row.issue_id).sprint_id for row in rest} == {None}
    for days in (6, 29):
        wrong = start | {"end_on": f"{TODAY + timedelta(days=days)}"}
        assert refused(session, "start_sprint", **wrong) == "sprint_days"
    begun = done(session, "start_sprint", **start | {"end_on": f"{TODAY + timedelta(days=28)}"})
    assert (begun["state"], begun["start_on"]) == ("active", f"{TODAY}")
    assert refused(session, "start_sprint", sprint_id=later["sprint_id"], end_on=until) == "one_active"
    assert refused(session, "close_sprint", sprint_id=later["sprint_id"]) == "wrong_state"
    other = next(row.sprint_id for row in session.database.find(Sprint, state="active") if row.project_key != "ATLAS")
    assert refused(session, "close_sprint", sprint_id=other) == "lead_only"


def test_what_comes_back_after_its_sprint_goes_to_the_backlog(session: Session) -> None:
    issue = atlas(session, lambda row: row.sprint_id is not None, state="done")
    assert move(session, issue, "reopened")["sprint_id"] is None


def test_an_active_or_a_closed_sprint_is_not_started(session: Session) -> None:
    done(session, "close_sprint", sprint_id=sprints(session, "active")[0]["sprint_id"])
    closed, until = sprints(session, "closed")[0]["sprint_id"], f"{TODAY + timedelta(days=14)}"
    assert refused(session, "start_sprint", sprint_id=closed, end_on=until) == "wrong_state"


# --- the whole ---


def test_the_seed_is_as_large_as_the_world_says(session: Session) -> None:
    counts = {table: len(session.database.find(table)) for table in (Project, Issue, Comment, Label, Link)}
    assert counts == {Project: 7, Issue: 1100, Comment: 2600, Label: 1800, Link: 260}
    assert len(session.database.find(Work)) >= 900 and session.database.find(Watch)


def test_who_has_the_least_to_do_comes_first(session: Session) -> None:
    people = done(session, "search_people", project_key="ATLAS")["items"]
    assert [each["open_points"] for each in people] == sorted(each["open_points"] for each in people)
    assert all("ATLAS" in each["roles"] for each in people)


@pytest.mark.slow
def test_after_right_runs_nothing_waits_in_a_circle_and_no_sprint_is_over_full() -> None:
    for task in Generator(get_domain("issue_tracker"), seed=5).tasks(40):
        session = Session("issue_tracker", task=task)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok
        blocks = [(row.issue_id, row.other_id) for row in session.database.find(Link, kind="blocks")]
        assert not _circle(blocks)
        for sprint in session.database.find(Sprint, state="future"):
            assert room_in(session.database, sprint) >= 0
        for project in session.database.find(Project):
            assert len(session.database.find(Sprint, project_key=project.project_key, state="active")) <= 1


def _circle(pairs: list[tuple[str, str]]) -> bool:
    """Whether some of the pairs lead back to where they begin."""
    left = set(pairs)
    while left:
        ends = {other for _, other in left} - {one for one, _ in left}
        rest = {pair for pair in left if pair[1] not in ends}
        if rest == left:
            return True
        left = rest
    return False
