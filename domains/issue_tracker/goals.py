"""What those who develop want of the tracker, and how they speak of issues."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from toolgym.domains.issue_tracker import tools
from toolgym.domains.issue_tracker.rules import WRITERS
from toolgym.domains.issue_tracker.schema import Component, Issue, Label, Link, Person, Project, Sprint
from toolgym.domains.issue_tracker.seed import SUBJECTS, WORDS
from toolgym.sandbox.kit.world import Calls, Condition, Draw, Goal, Slot, Tell, Thing, View

I_MEAN = ("I mean {}.", "It is {}.")
_SEEN = ("it stops at 500 rows", "the page stays empty", "totals are wrong", "it takes a minute", "names are cut off")
_NEWS = (
    "a customer has tested it",
    "the newest build has it",
    "we need the log files",
    "it can wait",
    "tests are green",
)
_WISHES = ("a dark theme", "keyboard shortcuts", "a yearly view", "a second language", "bulk editing")
_MINUTES = (30, 45, 60, 90, 120, 150, 240, 300)


def _issues(draw: Draw, project_key: str, **equal: Any) -> list[Issue]:
    return draw.database.find(Issue, project_key=project_key, **equal)


def _project(draw: Draw) -> Project:
    """One in which the employee has a role."""
    roles = draw.view(draw.person).roles
    return draw.database.get_one(Project, draw.rng.choice(sorted(roles)))


def _in(*states: str) -> Callable[[View[Issue]], bool]:
    return lambda issue: issue.row.state in states


def _unfinished(issue: View[Issue]) -> bool:
    return issue.row.state != "done"


def _lately(draw: Draw) -> date:
    return draw.now.date() - timedelta(days=draw.rng.choice((-1, 0, 0, 1, 2, 3, 6, 13, 14, 15)))


def _soon(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(2, 40))


def _end(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.choice((6, 7, 10, 14, 14, 21, 28, 29)))


def _component(draw: Draw) -> Component | None:
    """A component of the drawn project, or of the drawn issue's."""
    at = draw.values.get("project") or draw.values["issue"]
    return draw.one_of(draw.database.find(Component, project_key=at.project_key))


def _someone(draw: Draw) -> Person | None:
    """A colleague, now and then one who is no member of the issue's project."""
    key = draw.values["issue"].project_key
    rows = [(row, draw.view(row).roles.get(key)) for row in draw.rows(Person) if row.company == "Larkfield"]
    wanted = WRITERS if draw.rng.random() < 0.7 else ("reader", None)
    return draw.one_of(row for row, role in rows if role in wanted)


def _idlest(draw: Draw) -> Person | None:
    """Who of the members has the fewest open points; one alone."""
    key = draw.values["issue"].project_key
    found = _by_load(draw)
    members = [row for row in found if draw.view(row).roles.get(key) in WRITERS]
    points = [draw.view(row).open_points for row in members[:2]]
    return members[0] if len(points) == 2 and points[0] < points[1] and members[0] in found[:10] else None


def _by_load(draw: Draw) -> list[Person]:
    project = draw.database.get_one(Project, draw.values["issue"].project_key)
    return list(tools.search_people.function(draw.database, project=project).rows)


def _loads_seen(draw: Draw) -> Calls:
    """The issue's project, and its people with those who have the least to do first."""
    issue = draw.values["issue"]
    project = draw.database.get_one(Project, issue.project_key)
    return [(tools.get_issue, {"issue": issue}), (tools.search_people, {"project": project})]


def _seen(name: str) -> Callable[[Draw], Calls]:
    return lambda draw: [(tools.get_issue, {"issue": draw.values[name]})]


def _beside(draw: Draw) -> Issue | None:
    """Another issue of the same project that is not done."""
    issue = draw.values["issue"]
    rows = [row for row in _issues(draw, issue.project_key) if row.state != "done" and row != issue]
    return draw.one_of(rows)


def _older(draw: Draw) -> Issue | None:
    issue = draw.values["issue"]
    rows = [row for row in _issues(draw, issue.project_key, kind=issue.kind) if row.created_on < issue.created_on]
    return draw.one_of(rows)


def _sprint(*states: str) -> Callable[[Draw], Sprint | None]:
    """A sprint of the drawn issue's project in one of these states."""

    def found(draw: Draw) -> Sprint | None:
        rows = draw.database.find(Sprint, project_key=draw.values["issue"].project_key)
        return draw.one_of(row for row in rows if row.state in states)

    return found


def _next_of(draw: Draw) -> Sprint | None:
    """The next sprint of the drawn sprint's project."""
    rows = draw.database.find(Sprint, project_key=draw.values["sprint"].project_key, state="future")
    return min(rows, key=lambda row: row.start_on, default=None)


def _listed(draw: Draw) -> Calls:
    project = draw.database.get_one(Project, draw.values["sprint"].project_key)
    return [(tools.list_sprints, {"project": project})]


def _next_started(draw: Draw) -> Calls:
    return [(tools.start_sprint, {"sprint": _next_of(draw), "end_on": draw.values["until"]})]


def _only_link(draw: Draw) -> Link | None:
    """The only link of the drawn issue."""
    key = draw.values["issue"].issue_id
    found = draw.database.find(Link, issue_id=key) + draw.database.find(Link, other_id=key)
    return found[0] if len(found) == 1 else None


def _blocker(draw: Draw) -> Issue | None:
    """The only issue that blocks the drawn one, where both only wait to be approved."""
    issue = draw.values["waiting"]
    blockers = draw.view(issue).blocked_by
    found = draw.database.get_one(Issue, blockers[0]) if len(blockers) == 1 else None
    if found is None or draw.view(found).blocked_by or found.state != "review" or issue.state != "review":
        return None
    mine = draw.person.email in [row.fixed_by_email for row in (found, issue) if row.kind == "bug"]
    return None if mine else found


def _chain_seen(draw: Draw) -> Calls:
    blocker = _blocker(draw)
    return [*_seen("waiting")(draw), *([(tools.get_issue, {"issue": blocker})] if blocker else [])]


def _chain_closed(draw: Draw) -> Calls:
    issue, done = draw.values["waiting"], {"state": "done", "resolution": "fixed"}
    text = {"text": draw.values["text"]}
    return [(tools.move_issue, {"issue": issue, **done}), (tools.add_comment, {"issue": issue, **text})]


def _topic(draw: Draw) -> list[Issue]:
    """The issues of the drawn project about the drawn subject that are not done."""
    rows = _issues(draw, draw.values["project"].project_key)
    return [row for row in rows if row.state != "done" and draw.values["about"] in row.summary.lower()]


def _lacking(draw: Draw) -> list[Issue]:
    rows = [] if not 1 < len(_topic(draw)) <= 4 else _topic(draw)
    borne = {row.issue_id for row in draw.database.find(Label, label=draw.values["add"][0])}
    return rows if not borne & {row.issue_id for row in rows} else []


def _topic_seen(draw: Draw) -> Calls:
    given = {"project": draw.values["project"], "text": draw.values["about"], "state": "unfinished"}
    return [(tools.search_issues, given)]


def _others_labelled(draw: Draw) -> Calls:
    return [(tools.set_labels, {"issue": row, "add": draw.values["add"]}) for row in _lacking(draw)[1:]]


def _handed_in(draw: Draw) -> Calls:
    return [(tools.move_issue, {"issue": draw.values["issue"], "state": "review"})]


def _overdue(result: Any) -> list[str] | None:
    return [item["issue_id"] for item in result["items"]] if 0 < result["total"] <= 5 else None


def _room(result: Any, draw: Draw) -> int:
    key = draw.values["sprint"].sprint_id
    return next(int(row["capacity"]) - int(row["points_planned"]) for row in result if row["sprint_id"] == key)


ISSUE, OPEN = Slot("issue", says=I_MEAN), Slot("issue", says=I_MEAN, where=_unfinished)
UNWATCHED = Slot("issue", says=I_MEAN, where=lambda issue: not issue.row.watching)
BEGUN, DOING = (Slot("issue", says=I_MEAN, where=_in(*states)) for states in (("doing", "review"), ("doing",)))
UNESTIMATED = Slot("issue", where=lambda issue: issue.row.points is None and _unfinished(issue))
NEWS, TEXT = Slot("news", draw=_NEWS), Slot("text", mentions=("news",))
SUMMARY = Slot("summary", mentions=("subject",))
ON = Slot("on", withheld=0.5, draw=_lately, says=("On {}.", "It was on {}."))
MINUTES = Slot("minutes", withheld=0.3, draw=_MINUTES, says=("{}.", "It took {}."))
POINTS = Slot("points", withheld=0.3, draw=(1, 2, 3, 5, 8, 13), says=("{} points.", "{}."))
PRIORITY = Slot("priority", withheld=0.5, says=("{}.", "It is {}."))
WORD = Slot("add", draw=lambda draw: [draw.rng.choice(WORDS)], say=lambda words: words[0])
SPRINT = Slot("sprint", draw=_sprint("active", "future"), says=("Into {}.", "{}."))
UNTIL = Slot("end_on", withheld=0.4, draw=_end, says=("Until {}.", "It ends on {}."))


def _move(name: str, state: str, now: Callable[..., bool], resolution: str | None = None) -> Goal:
    fixed = {"state": state, "resolution": resolution}
    return Goal(tools.move_issue, name=name, fixed=fixed, slots=(Slot("issue", says=I_MEAN, where=now),))


def _report(name: str, kind: str, *about: Slot) -> Goal:
    slots = (
        Slot("project", draw=_project, says=("In {}.",)),
        SUMMARY,
        Slot("description", mentions=(about[-1].name,)),
        PRIORITY,
        Slot("component", given=0.5, withheld=0.5, draw=_component, says=("The {} part.", "{}.")),
    )
    fixed, subject = {"kind": kind}, Slot("subject", draw=SUBJECTS)
    id_told = (Tell("issue_id", kind="text"),)
    return Goal(tools.create_issue, name=name, fixed=fixed, slots=slots, about=(subject, *about), tells=id_told)


def _edit(name: str, *given: Slot, **more: Any) -> Goal:
    return Goal(tools.edit_issue, name=name, slots=(OPEN, *given), **more)


REPORTS = (
    _report("report", "bug", Slot("seen", draw=_SEEN)),
    _report("propose", "story", Slot("wish", draw=_WISHES)),
    _edit("prioritise", PRIORITY, where=lambda issue, priority: issue.row.priority != priority),
    _edit("estimate", POINTS, where=lambda issue, points: issue.row.points != points),
    _edit("set_due", Slot("due_on", withheld=0.4, draw=_soon, says=("By {}.",))),
    Goal(tools.set_labels, name="label", slots=(ISSUE, WORD), where=lambda issue, add: add[0] not in issue.row.labels),
    Goal(
        tools.set_labels,
        name="label_all",
        slots=(WORD,),
        about=(Slot("project", of=Project, draw=_project), Slot("about", draw=SUBJECTS, reads=_topic_seen)),
        worked_out={"issue": lambda draw: next(iter(_lacking(draw)), None)},
        also=_others_labelled,
    ),
    Goal(tools.add_comment, name="comment", slots=(ISSUE, TEXT), about=(NEWS,)),
    Goal(tools.set_watching, name="watch", fixed={"watching": True}, slots=(UNWATCHED,)),
)
FLOW = (
    Goal(
        tools.assign_issue,
        name="assign",
        slots=(OPEN, Slot("person", withheld=0.3, draw=_someone, says=("To {}.", "{}."))),
        where=lambda issue, person: issue.row.assignee_email != person.row.email,
    ),
    Goal(
        tools.assign_issue,
        name="assign_idlest",
        slots=(Slot("issue", says=I_MEAN, where=_unfinished, reads=_loads_seen),),
        worked_out={"person": _idlest},
        where=lambda issue, person: issue.row.assignee_email != person.row.email,
        tells=(Tell("assignee_email", kind="text"),),
    ),
    _move("start", "doing", _in("todo", "reopened", "review")),
    _move("hand_in", "review", _in("doing", "todo")),
    _move("approve", "done", _in("review", "doing"), "fixed"),
    _move("reopen", "reopened", _in("done")),
    _move("drop", "done", _in("todo", "doing", "reopened"), "wont_fix"),
    _move("close_duplicate", "done", _in("todo", "reopened"), "duplicate"),
    Goal(
        tools.log_work,
        name="log_work",
        slots=(BEGUN, MINUTES, ON),
        share=1.4,
    ),
    Goal(
        tools.log_work,
        name="log_and_hand_in",
        slots=(DOING, MINUTES, ON),
        also=_handed_in,
    ),
    Goal(
        tools.move_issue,
        name="unblock_and_close",
        fixed={"state": "done", "resolution": "fixed"},
        slots=(TEXT,),
        about=(NEWS, Slot("waiting", of=Issue, where=_in("review"), says=I_MEAN, reads=_chain_seen)),
        worked_out={"issue": _blocker},
        also=_chain_closed,
    ),
)
LINKS = (
    Goal(
        tools.link_issues,
        name="block",
        fixed={"kind": "blocks"},
        slots=(OPEN, Slot("other", draw=_beside)),
    ),
    Goal(
        tools.link_issues,
        name="duplicate",
        fixed={"kind": "same_as"},
        slots=(Slot("issue", where=_in("todo", "doing", "reopened")), Slot("other", draw=_older)),
        where=lambda issue: not issue.row.duplicate_of,
        also=lambda draw: [
            (tools.move_issue, {"issue": draw.values["issue"], "state": "done", "resolution": "duplicate"})
        ],
    ),
    Goal(
        tools.remove_link,
        name="unlink",
        about=(Slot("issue", of=Issue, says=I_MEAN, reads=_seen("issue")),),
        worked_out={"link": _only_link},
        tells=(Tell("other_id", kind="text"),),
    ),
)
SPRINTS = (
    Goal(tools.plan_issue, name="plan", slots=(OPEN, SPRINT), share=1.5),
    Goal(
        tools.plan_issue,
        name="unplan",
        slots=(Slot("issue", says=I_MEAN, where=lambda issue: _unfinished(issue) and issue.row.sprint_id is not None),),
    ),
    Goal(
        tools.edit_issue,
        name="estimate_and_plan",
        slots=(UNESTIMATED, POINTS),
        about=(Slot("sprint", of=Sprint, draw=_sprint("future")),),
        where=lambda sprint, points: points + sprint.row.points_planned <= sprint.row.capacity,
        also=lambda draw: [(tools.plan_issue, {"issue": draw.values["issue"], "sprint": draw.values["sprint"]})],
    ),
    Goal(
        tools.start_sprint,
        name="start_sprint",
        slots=(Slot("sprint", where=lambda sprint: sprint.row.state == "future", says=I_MEAN), UNTIL),
    ),
    Goal(
        tools.close_sprint,
        name="close_sprint",
        slots=(Slot("sprint", where=lambda sprint: sprint.row.state == "active", says=I_MEAN),),
        tells=(Tell("carried_points", near=("point", "points", "carried")),),
    ),
    Goal(
        tools.close_sprint,
        name="turn_sprint",
        slots=(Slot("sprint", where=lambda sprint: sprint.row.state == "active", says=I_MEAN, reads=_listed),),
        about=(Slot("until", draw=lambda draw: draw.now.date() + timedelta(days=13)),),
        also=_next_started,
    ),
)
QUESTIONS = (
    Goal(
        tools.get_issue,
        name="ask_blockers",
        slots=(ISSUE,),
        where=lambda issue: bool(issue.row.blocked_by),
        tells=(Tell("blocked_by", kind="text"),),
    ),
    Goal(tools.get_issue, name="ask_reporter", slots=(ISSUE,), tells=(Tell("reporter", kind="text"),)),
    Goal(
        tools.search_issues,
        name="ask_overdue",
        fixed={"state": "unfinished"},
        slots=(Slot("due_to", draw=lambda draw: draw.now.date() - timedelta(days=draw.rng.choice((1, 2, 5)))),),
        worked_out={"assignee": lambda draw: draw.person},
        tells=(Tell("items", kind="text", value=_overdue),),
    ),
    Goal(
        tools.list_sprints,
        name="ask_room",
        about=(Slot("sprint", of=Sprint, where=lambda sprint: sprint.row.state != "closed"),),
        worked_out={"project": lambda draw: draw.database.get_one(Project, draw.values["sprint"].project_key)},
        tells=(Tell("room", kind="number", value=_room, near=("point", "points", "room")),),
    ),
)
THINGS = (
    Thing(Project), Thing(Sprint, has_known_key=False), Thing(Issue),
    Thing(Component, found_by=(tools.get_project,), has_known_key=False),
    Thing(Person, where=lambda person: person.row.company == "Larkfield"),
)  # fmt: skip
CONDITIONS = (Condition(Issue, "minutes", "if {value} or more of work was noted on {it}", tools.get_issue),)
GOALS = (*REPORTS, *FLOW, *LINKS, *SPRINTS, *QUESTIONS)
