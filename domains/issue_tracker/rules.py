"""The tracker's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal

from toolgym.domains.issue_tracker import tools
from toolgym.domains.issue_tracker.schema import Issue, Link, Person, Project, Sprint
from toolgym.sandbox.kit.world import ToolCall, View, rule

STEPS = {"todo": "doing", "reopened": "doing", "doing": "review", "review": "done", "done": "reopened"}
DAY_MINUTES, SPRINT_DAYS = 600, (7, 28)
State = Literal["doing", "review", "done", "reopened"]
Resolution = Literal["fixed", "duplicate", "wont_fix"] | None
WRITERS = ("member", "lead")


@rule(
    "An issue moves from todo or reopened to doing, to review, to done and to reopened, one step at a time; as a "
    "duplicate, or as what will not be fixed, it is closed from any state.",
    why="From its state it does not go there.|from its state|not go there|one step|first|step|review",
    on=[tools.move_issue],
    reads=[tools.get_issue],
)
def workflow(issue: View[Issue], state: State, resolution: Resolution) -> bool:
    if state == "done" and resolution != "fixed":
        return issue.row.state != "done"
    return STEPS[issue.row.state] == state


@rule(
    "Nobody begins an issue that is not assigned.",
    why="Nobody has this issue.|assigned|assignee|nobody",
    on=[tools.move_issue],
    reads=[tools.get_issue],
)
def assigned(issue: View[Issue], state: State) -> bool:
    return state != "doing" or issue.row.assignee_email is not None


@rule(
    "An issue goes to review once work has been noted on it.",
    why="No work was noted on it.|no work|work was noted|work has been|log work|logged",
    on=[tools.move_issue],
    reads=[tools.get_issue],
)
def worked(issue: View[Issue], state: State) -> bool:
    return state != "review" or issue.row.minutes > 0


@rule(
    "An issue is not done, as fixed, while one that blocks it is not.",
    why="Another issue blocks it.|blocks|blocked|waits for|depends",
    on=[tools.move_issue],
    reads=[tools.get_issue],
)
def blocked(issue: View[Issue], resolution: Resolution) -> bool:
    return resolution != "fixed" or not issue.row.blocked_by


@rule(
    "An issue is closed as a duplicate once a link says of which one.",
    why="No link says of which issue it is a duplicate.|no link|linked|of which|link",
    on=[tools.move_issue],
    reads=[tools.get_issue],
)
def linked(issue: View[Issue], resolution: Resolution) -> bool:
    return resolution != "duplicate" or bool(issue.row.duplicate_of)


@rule(
    "Nobody closes a bug as fixed that they have brought to review themselves.",
    why="Who fixed a bug does not close it.|fixed it|four eyes|themselves|yourself|own fix|somebody else",
    on=[tools.move_issue],
    reads=[tools.get_issue, tools.get_me],
    by="policy",
)
def four_eyes(issue: View[Issue], resolution: Resolution, owner: View[Person]) -> bool:
    return resolution != "fixed" or issue.row.kind != "bug" or issue.row.fixed_by_email != owner.row.email


@rule(
    "The issues and sprints of a project are changed by its members and leads alone; others comment and watch.",
    why="Only members of the project change it, and you are none.|only members|you are not a member|you are none",
    on=[
        tools.create_issue,
        tools.edit_issue,
        tools.assign_issue,
        tools.move_issue,
        tools.link_issues,
        tools.remove_link,
        tools.set_labels,
        tools.log_work,
        tools.plan_issue,
    ],
    reads=[tools.get_issue, tools.get_me],
)
def writer(
    owner: View[Person],
    issue: View[Issue] | None = None,
    project: View[Project] | None = None,
    link: View[Link] | None = None,
) -> bool:
    row: Any = next(each.row for each in (issue, project, link) if each is not None)
    return owner.row.roles.get(row.project_key) in WRITERS


@rule(
    "Issues are given to members and leads of their project.",
    why="Issues go to members of the project, and that person is none.|that person|go to members|not a member",
    on=[tools.assign_issue],
    reads=[tools.get_issue, tools.search_people],
)
def member(issue: View[Issue], person: View[Person]) -> bool:
    return person.row.roles.get(issue.row.project_key) in WRITERS


@rule(
    "Only bugs are urgent; stories and tasks are high at most.",
    why="Only a bug is urgent.|only bugs|only a bug|not a bug|high at most|urgent",
    on=[tools.create_issue, tools.edit_issue],
    reads=[tools.get_issue],
    by="policy",
)
def urgent(
    priority: tools.Priority | None = None, kind: tools.Kind | None = None, issue: View[Issue] | None = None
) -> bool:
    return priority != "urgent" or (issue.row.kind if issue is not None else kind) == "bug"


@rule(
    "An issue is planned for a sprint once it has points.",
    why="It has no points.|no points|estimated|estimate|without points",
    on=[tools.plan_issue],
    reads=[tools.get_issue],
)
def estimated(issue: View[Issue], sprint: View[Sprint] | None) -> bool:
    return sprint is None or issue.row.points is not None


@rule(
    "The points of a sprint's issues stay within its capacity.",
    why="That is over the capacity of the sprint.|capacity|too many points|over the|room",
    on=[tools.plan_issue, tools.edit_issue],
    reads=[tools.get_issue, tools.list_sprints],
)
def capacity(issue: View[Issue], sprint: View[Sprint] | None = None, points: int | None = None) -> bool:
    own = issue.row.points or 0
    if points is not None and issue.row.sprint_room is not None:
        return points - own <= max(0, issue.row.sprint_room)
    return sprint is None or sprint.row.points_planned + own <= sprint.row.capacity


@rule(
    "The leads of a project alone start and close its sprints.",
    why="The project's leads alone do that.|lead",
    on=[tools.start_sprint, tools.close_sprint],
    reads=[tools.get_me],
)
def lead_only(sprint: View[Sprint], owner: View[Person]) -> bool:
    return owner.row.roles.get(sprint.row.project_key) == "lead"


@rule(
    "A project has one active sprint at a time.",
    why="Another sprint is active.|another sprint|active|close",
    on=[tools.start_sprint],
    reads=[tools.list_sprints],
    looks={
        "active": lambda sprint: ToolCall(
            name="list_sprints", arguments={"project_key": sprint.row.project_key, "state": "active"}
        )
    },
)
def one_active(sprint: View[Sprint], active: Sequence[dict[str, Any]]) -> bool:
    return not active


@rule(
    "A sprint takes 7 to 28 days.",
    why="A sprint takes one to four weeks.|7 to 28|28 days|four weeks|one week|too long|too short",
    on=[tools.start_sprint],
)
def sprint_days(now: datetime, end_on: date) -> bool:
    return SPRINT_DAYS[0] <= (end_on - now.date()).days <= SPRINT_DAYS[1]


@rule(
    "Nobody notes more than ten hours of work on one day.",
    why="That is more than ten hours on one day.|ten hours|10 hours|600",
    on=[tools.log_work],
    reads=[tools.get_me],
)
def work_day(owner: View[Person], minutes: int, on: date) -> bool:
    return owner.row.minutes_by_day.get(f"{on}", 0) + minutes <= DAY_MINUTES


@rule(
    "Work is noted for today or one of the 13 days before.",
    why="That day is not one of the last 14.|last 14|two weeks|too far back|future|still to come",
    on=[tools.log_work],
)
def work_recent(now: datetime, on: date) -> bool:
    return now.date() - timedelta(days=tools.SHOWN_DAYS - 1) <= on <= now.date()
