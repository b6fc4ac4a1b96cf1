"""What the issue tracker lets an agent do for the employee who is signed in."""

from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.issue_tracker import schema
from toolgym.sandbox.kit.search import contains_text, given
from toolgym.sandbox.kit.world import NOT_BLANK, Database, Free, Page, PageNumber, Ref, Refusal, View, tool

Kind = Literal["bug", "story", "task"]
Priority = Literal["low", "normal", "high", "urgent"]
Points = Annotated[int, Field(ge=1, le=13)]
Words = Annotated[list[Annotated[str, Field(min_length=2, max_length=30), NOT_BLANK]], Field(max_length=5)]
SHOWN_DAYS, SHOWN = 14, 10
"""Days of noted work that are shown, and comments and notes of work on an issue."""
_ISSUES = (
    "(:project IS NULL OR project_key = :project) AND instr(lower(summary), lower(:text)) "
    "AND (:state IS NULL OR state = :state OR :state = 'unfinished' AND state != 'done') "
    "AND (:kind IS NULL OR kind = :kind) AND (:priority IS NULL OR priority = :priority) "
    "AND (:assignee IS NULL OR assignee_email = :assignee) AND (:reporter IS NULL OR reporter_email = :reporter) "
    "AND (:label IS NULL OR issue_id IN (SELECT issue_id FROM labels WHERE label = :label)) "
    "AND (:sprint IS NULL OR sprint_id = :sprint) AND (:due IS NULL OR due_on <= :due) ORDER BY created_on, issue_id"
)


@tool("read")
def get_me(db: Database) -> View[schema.Person]:
    """Get the employee, roles by project, minutes noted in the last 14 days, active sprints, and the day."""
    me, today = db.owner(schema.Person), db.now.date()
    worked, first = me_worked(db), f"{today - timedelta(days=SHOWN_DAYS - 1)}"
    sprints = [View(row) for row in db.find(schema.Sprint, state="active")]
    recent = {day: minutes for day, minutes in worked.items() if day >= first}
    return View(me, minutes_by_day=recent, active_sprints=sprints, today=today)


@tool("read")
def search_people(
    db: Database, text: str | None = None, project: Ref[schema.Project] | None = None, page: PageNumber = 1
) -> Page[schema.Person]:
    """Find people at Larkfield with their roles and open points, those with the fewest points first.

    Args:
        text: only people whose name, address or team holds this.
        project: only people who have a role in it.
        page: ten a page.
    """
    roles = {row.email for row in db.find(schema.Role, project_key=project.project_key)} if project else None
    rows = [
        row
        for row in db.find(schema.Person, company="Larkfield")
        if (roles is None or row.email in roles) and contains_text(f"{row.name} {row.email} {row.team}", text)
    ]
    loads = "SELECT assignee_email, sum(points) FROM issues WHERE +state != 'done' GROUP BY assignee_email"
    points = {str(email): int(total or 0) for email, total in db.query(loads)}
    return Page(sorted(rows, key=lambda row: (points.get(row.email, 0), row.email)), page)


@tool("read")
def list_projects(db: Database, text: str | None = None) -> list[View[schema.Project]]:
    """List the projects with their leads.

    Args:
        text: only projects whose name holds this.
    """
    return [View(row) for row in db.find(schema.Project) if contains_text(row.name, text)]


@tool("read")
def get_project(db: Database, project: Ref[schema.Project]) -> View[schema.Project]:
    """Get a project with its components and the labels in use."""
    here = {"project_key": project.project_key}
    used = "SELECT DISTINCT label FROM labels JOIN issues USING (issue_id) WHERE project_key = :key ORDER BY label"
    labels = [str(label) for (label,) in db.query(used, key=project.project_key)]
    return View(project, components=[View(row) for row in db.find(schema.Component, **here)], labels=labels)


@tool("read")
def search_issues(
    db: Database,
    project: Ref[schema.Project] | None = None,
    text: str | None = None,
    state: Literal["todo", "doing", "review", "done", "reopened", "unfinished"] | None = None,
    kind: Kind | None = None,
    priority: Priority | None = None,
    assignee: Ref[schema.Person] | None = None,
    reporter: Ref[schema.Person] | None = None,
    label: str | None = None,
    sprint: Ref[schema.Sprint] | None = None,
    due_to: date | None = None,
    page: PageNumber = 1,
) -> Page[schema.Issue]:
    """Search issues, the oldest first.

    Args:
        project: only issues of this project.
        text: only issues whose summary holds this.
        state: only issues in this state; `unfinished` is all but done.
        kind: only issues of this kind.
        priority: only issues of this priority.
        assignee: only issues that are this person's.
        reporter: only issues that this person has reported.
        label: only issues that bear this label.
        sprint: only issues of this sprint.
        due_to: only issues that are due on this day or before.
        page: ten a page.
    """
    rows = db.select(
        schema.Issue,
        _ISSUES,
        project=project and project.project_key,
        text=(text or "").strip(),
        state=state,
        kind=kind,
        priority=priority,
        assignee=assignee and assignee.email,
        reporter=reporter and reporter.email,
        label=label and label.strip().lower(),
        sprint=sprint and sprint.sprint_id,
        due=due_to and f"{due_to}",
    )
    return Page(rows, page)


@tool("read")
def get_issue(db: Database, issue: Ref[schema.Issue]) -> View[schema.Issue]:
    """Get an issue in full, with its links, its last comments and the work on it."""
    here = {"issue_id": issue.issue_id}
    links = db.find(schema.Link, **here) + db.find(schema.Link, other_id=issue.issue_id)
    comments, work = db.find(schema.Comment, **here)[-SHOWN:], db.find(schema.Work, **here)[-SHOWN:]
    return View(issue, links=[*map(View, links)], comments=[*map(View, comments)], work=[*map(View, work)])


@tool("write")
def create_issue(
    db: Database,
    project: Ref[schema.Project],
    kind: Kind,
    summary: Free,
    description: Free,
    priority: Priority = "normal",
    component: Ref[schema.Component] | None = None,
) -> View[schema.Issue]:
    """Report an issue, which the employee then watches.

    Args:
        kind: what it is.
        summary: what it is about, in a few words.
        description: what was seen, since when and where.
        priority: how much it matters.
        component: the part of the project that it is about.
    """
    _require_component(project.project_key, component)
    me = db.owner(schema.Person).email
    made = db.insert(
        schema.Issue,
        issue_id=db.new_id(schema.Issue, length=4, alphabet="123456789", prefix=f"{project.project_key}-"),
        project_key=project.project_key,
        component_id=component and component.component_id,
        reporter_email=me,
        assignee_email=component and component.default_assignee_email,
        kind=kind,
        summary=summary,
        description=description,
        state="todo",
        priority=priority,
        created_on=db.now.date(),
    )
    db.add(schema.Watch, issue=made)
    return View(made)


@tool("write")
def edit_issue(
    db: Database,
    issue: Ref[schema.Issue],
    priority: Priority | None = None,
    component: Ref[schema.Component] | None = None,
    points: Points | None = None,
    due_on: date | None = None,
) -> View[schema.Issue]:
    """Change an issue.

    Args:
        priority: how much it matters.
        component: the part of the project that it is about.
        points: how much work it is.
        due_on: when it has to be done; today at the earliest.
    """
    _require_component(issue.project_key, component)
    if due_on is not None and due_on < db.now.date():
        raise Refusal("invalid_argument", "An issue is due today at the earliest.")
    key = component and component.component_id
    wanted = {"priority": priority, "component_id": key, "points": points, "due_on": due_on}
    changes = {name: value for name, value in wanted.items() if value not in (None, getattr(issue, name))}
    if not changes:
        raise Refusal("no_change", "It is like this already.")
    return View(db.update(issue, **changes))


@tool("write")
def assign_issue(db: Database, issue: Ref[schema.Issue], person: Ref[schema.Person]) -> View[schema.Issue]:
    """Give an issue to somebody.

    Args:
        person: whose it is from now on.
    """
    if issue.state == "done":
        raise Refusal("wrong_state", "What is done is nobody's work any more.")
    if issue.assignee_email == person.email:
        raise Refusal("no_change", f"It is {person.name}'s already.")
    return View(db.update(issue, assignee_email=person.email))


@tool("write")
def move_issue(
    db: Database,
    issue: Ref[schema.Issue],
    state: Literal["doing", "review", "done", "reopened"],
    resolution: Literal["fixed", "duplicate", "wont_fix"] | None = None,
) -> View[schema.Issue]:
    """Move an issue to another state. What is reopened after its sprint was closed goes to the backlog.

    Args:
        state: where it goes.
        resolution: how it ended; only with `done`.
    """
    if (state == "done") != (resolution is not None):
        raise Refusal("invalid_argument", "A resolution is given for what is done, and only then.")
    fixer = db.owner(schema.Person).email if state == "review" else issue.fixed_by_email
    planned = db.get(schema.Sprint, issue.sprint_id) if issue.sprint_id else None
    is_over = state == "reopened" and planned is not None and planned.state == "closed"
    sprint = None if is_over else issue.sprint_id
    return View(db.update(issue, state=state, resolution=resolution, fixed_by_email=fixer, sprint_id=sprint))


@tool("write")
def add_comment(
    db: Database, issue: Ref[schema.Issue], text: Annotated[Free, Field(min_length=1)]
) -> View[schema.Comment]:
    """Comment on an issue.

    Args:
        text: what the employee wants to be known.
    """
    author = db.owner(schema.Person).email
    return View(db.add(schema.Comment, issue=issue, author_email=author, on=db.now.date(), text=text))


@tool("write")
def link_issues(
    db: Database, issue: Ref[schema.Issue], kind: Literal["blocks", "same_as", "relates"], other: Ref[schema.Issue]
) -> View[schema.Link]:
    """Say how one issue bears on another: it blocks it, says the same, or is related to it.

    Args:
        kind: which of them.
        other: the issue that waits, that is kept, or that is related.
    """
    if issue.issue_id == other.issue_id:
        raise Refusal("invalid_argument", "An issue is not linked to itself.")
    values = {"issue_id": issue.issue_id, "kind": kind, "other_id": other.issue_id}
    if db.find(schema.Link, **values):
        raise Refusal("no_change", "They are linked like this already.")
    if kind == "blocks" and issue.issue_id in _waiting_for(db, issue.issue_id, other.issue_id):
        raise Refusal("conflict", f"{issue.issue_id} waits for {other.issue_id} already, so it cannot block it.")
    return View(db.add(schema.Link, **values))


@tool("write")
def remove_link(db: Database, link: Ref[schema.Link]) -> dict[str, str]:
    """Remove a link between two issues."""
    db.delete(link)
    return {"removed": link.link_id, "kind": link.kind, "issue_id": link.issue_id, "other_id": link.other_id}


@tool("write")
def set_labels(
    db: Database, issue: Ref[schema.Issue], add: Words | None = None, remove: Words | None = None
) -> View[schema.Issue]:
    """Put labels on an issue, and take labels off it.

    Args:
        add: labels to put on.
        remove: labels to take off.
    """
    borne = {row.label: row for row in db.find(schema.Label, issue_id=issue.issue_id)}
    new = dict.fromkeys(label.strip().lower() for label in add or () if label.strip().lower() not in borne)
    gone = [borne[label.strip().lower()] for label in remove or () if label.strip().lower() in borne]
    if not new and not gone:
        raise Refusal("no_change", "Its labels are like this already.")
    for row in {row.label: row for row in gone}.values():
        db.delete(row)
    for label in new:
        db.insert(schema.Label, issue_id=issue.issue_id, label=label)
    return View(issue)


@tool("write")
def log_work(
    db: Database, issue: Ref[schema.Issue], minutes: Annotated[int, Field(ge=5, le=600)], on: date, note: Free = ""
) -> View[schema.Work]:
    """Note work of the employee's on an issue.

    Args:
        minutes: how long.
        on: the day.
        note: what was done, if it was said.
    """
    me = db.owner(schema.Person).email
    made = db.add(schema.Work, issue=issue, email=me, on=on, minutes=minutes, note=note)
    return View(made, minutes_of_the_day=me_worked(db)[f"{on}"])


@tool("read")
def list_sprints(
    db: Database, project: Ref[schema.Project], state: Literal["future", "active", "closed"] | None = None
) -> list[View[schema.Sprint]]:
    """List a project's sprints with the points planned and done, those that start first first.

    Args:
        state: only sprints in this state.
    """
    rows = db.find(schema.Sprint, project_key=project.project_key, **given(state=state))
    return [View(row) for row in sorted(rows, key=lambda row: (row.start_on, row.sprint_id))]


@tool("write")
def plan_issue(db: Database, issue: Ref[schema.Issue], sprint: Ref[schema.Sprint] | None = None) -> View[schema.Issue]:
    """Put an issue into a sprint of its project, or back into the backlog.

    Args:
        sprint: which one; the backlog without it.
    """
    if issue.state == "done" or (sprint is not None and sprint.state == "closed"):
        raise Refusal("wrong_state", "What is done is not planned any more, and nothing is for a closed sprint.")
    if sprint is not None and sprint.project_key != issue.project_key:
        raise Refusal("invalid_argument", "That is a sprint of another project.")
    key = sprint and sprint.sprint_id
    if issue.sprint_id == key:
        raise Refusal("no_change", "It is there already.")
    return View(db.update(issue, sprint_id=key))


@tool("write")
def start_sprint(db: Database, sprint: Ref[schema.Sprint], end_on: date) -> View[schema.Sprint]:
    """Start a future sprint today.

    Args:
        end_on: its last day.
    """
    if sprint.state != "future":
        raise Refusal("wrong_state", f"Only a future sprint is started; this one is {sprint.state}.")
    return View(db.update(sprint, state="active", start_on=db.now.date(), end_on=end_on))


@tool("write")
def close_sprint(
    db: Database, sprint: Ref[schema.Sprint], carry_to: Ref[schema.Sprint] | None = None
) -> View[schema.Sprint]:
    """Close an active sprint today; what is not done is carried on.

    Args:
        carry_to: the future sprint that takes it; the backlog without one.
    """
    if sprint.state != "active":
        raise Refusal("wrong_state", f"Only an active sprint is closed; this one is {sprint.state}.")
    rest = [row for row in db.find(schema.Issue, sprint_id=sprint.sprint_id) if row.state != "done"]
    points = schema.points_in(db, sprint.sprint_id, done=False)
    if carry_to is not None:
        if carry_to.project_key != sprint.project_key or carry_to.state != "future":
            raise Refusal("invalid_argument", "What is left goes to a future sprint of the same project.")
        if points > schema.room_in(db, carry_to):
            raise Refusal("limit_exceeded", f"What is left has {points} points, more than that sprint still takes.")
    for row in rest:
        db.update(row, sprint_id=carry_to and carry_to.sprint_id)
    return View(db.update(sprint, state="closed", end_on=db.now.date()), carried_points=points, carried=len(rest))


@tool("write")
def set_watching(db: Database, issue: Ref[schema.Issue], watching: bool) -> View[schema.Issue]:
    """Have the employee hear of an issue, or no longer.

    Args:
        watching: whether they hear of it.
    """
    found = db.mine(schema.Watch, issue_id=issue.issue_id)
    if bool(found) == watching:
        raise Refusal("no_change", "It is like this already.")
    for row in found:
        db.delete(row)
    if watching:
        db.add(schema.Watch, issue=issue)
    return View(issue)


def me_worked(db: Database) -> dict[str, int]:
    """The employee's noted minutes by day."""
    found: dict[str, int] = View(db.owner(schema.Person)).bound(db).row.minutes_by_day
    return found


def _require_component(project_key: str, component: schema.Component | None) -> None:
    if component is not None and component.project_key != project_key:
        raise Refusal("invalid_argument", "That is a component of another project.")


def _waiting_for(db: Database, issue_id: str, first: str) -> set[str]:
    """All that waits for an issue, directly or for others that do; ends early where `issue_id` is among it."""
    found, left = set[str](), [first]
    while left and issue_id not in found:
        waiting = {row.other_id for row in db.find(schema.Link, issue_id=left.pop(), kind="blocks")}
        left += sorted(waiting - found)
        found |= waiting
    return found
