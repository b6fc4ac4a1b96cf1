"""The tables of an issue tracker."""

from datetime import date

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.domains.directory import PersonColumns
from toolgym.sandbox.kit.world import Database, computed, key, via


class Base(DeclarativeBase):
    """The tracker's tables."""


class Person(PersonColumns, Base):
    """Somebody in the directory."""

    __tablename__ = "people"
    __shown__ = __brief__ = ("email", "name", "team", "roles", "open_points")

    @computed
    def roles(self, db: Database) -> dict[str, str]:
        """What the person is in which project: reader, member or lead."""
        return {row.project_key: row.role for row in db.find(Role, email=self.email)}

    @computed
    def open_points(self, db: Database) -> int:
        """The points of all issues that are the person's and not done."""
        found = "SELECT coalesce(sum(points), 0) FROM issues WHERE assignee_email = :me AND state != 'done'"
        return int(db.query(found, me=self.email)[0][0])

    @computed
    def minutes_by_day(self, db: Database) -> dict[str, int]:
        """How much work the person has noted on which day."""
        found = 'SELECT "on", sum(minutes) FROM work WHERE email = :me GROUP BY "on" ORDER BY "on"'
        return {str(day): int(minutes) for day, minutes in db.query(found, me=self.email)}


class Project(Base):
    """What issues belong to."""

    __tablename__ = "projects"

    project_key: Mapped[str] = key("ATLAS")
    name: Mapped[str]
    lead_email: Mapped[str] = mapped_column(ForeignKey("people.email"))


class Component(Base):
    """A part of a project, with whoever its new issues go to."""

    __tablename__ = "components"

    component_id: Mapped[str] = key("cp-12")
    project_key: Mapped[str] = mapped_column(ForeignKey("projects.project_key"), index=True)
    default_assignee_email: Mapped[str | None] = mapped_column(ForeignKey("people.email"))
    name: Mapped[str]


class Role(Base):
    """What somebody is in a project."""

    __tablename__ = "roles"
    __table_args__ = (Index("roles_by_person", "email"),)

    project_key: Mapped[str] = mapped_column(ForeignKey("projects.project_key"), primary_key=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)
    role: Mapped[str]


class Sprint(Base):
    """A few weeks of a project's work."""

    __tablename__ = "sprints"

    sprint_id: Mapped[str] = key("sp-401")
    project_key: Mapped[str] = mapped_column(ForeignKey("projects.project_key"), index=True)
    number: Mapped[int]
    state: Mapped[str]
    start_on: Mapped[date]
    end_on: Mapped[date]
    capacity: Mapped[int]

    of_project = via("project_key", "name")

    @computed
    def points_planned(self, db: Database) -> int:
        """The points of all its issues."""
        return points_in(db, self.sprint_id)

    @computed
    def points_done(self, db: Database) -> int:
        """The points of its issues that are done."""
        return points_in(db, self.sprint_id, done=True)


class Issue(Base):
    """A bug, a story or a task."""

    __tablename__ = "issues"
    __table_args__ = (
        Index("issues_by_sprint", "sprint_id", "state", "points"),
        Index("issues_by_assignee", "assignee_email", "state", "points"),
    )
    __brief__ = ("issue_id", "summary", "state")

    issue_id: Mapped[str] = mapped_column(primary_key=True)  # `ATLAS-418`: its project's key goes first
    project_key: Mapped[str] = mapped_column(ForeignKey("projects.project_key"), index=True)
    component_id: Mapped[str | None] = mapped_column(ForeignKey("components.component_id"))
    sprint_id: Mapped[str | None] = mapped_column(ForeignKey("sprints.sprint_id"))
    reporter_email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    assignee_email: Mapped[str | None] = mapped_column(ForeignKey("people.email"))
    fixed_by_email: Mapped[str | None] = mapped_column(ForeignKey("people.email"))
    kind: Mapped[str]
    summary: Mapped[str]
    description: Mapped[str]
    state: Mapped[str]
    resolution: Mapped[str | None]
    priority: Mapped[str]
    points: Mapped[int | None]
    created_on: Mapped[date]
    due_on: Mapped[date | None]

    of_project = via("project_key", "name")
    reporter = via("reporter_email", "name")

    @computed
    def blocked_by(self, db: Database) -> list[str]:
        """The issues that are not done and for which it waits."""
        links = db.find(Link, other_id=self.issue_id, kind="blocks")
        return [row.issue_id for row in links if db.get_one(Issue, row.issue_id).state != "done"]

    @computed
    def duplicate_of(self, db: Database) -> list[str]:
        """The issues of which a link says that it is a duplicate."""
        return [row.other_id for row in db.find(Link, issue_id=self.issue_id, kind="same_as")]

    @computed
    def minutes(self, db: Database) -> int:
        """How much work was noted on it."""
        return int(db.query("SELECT sum(minutes) FROM work WHERE issue_id = :issue", issue=self.issue_id)[0][0] or 0)

    @computed
    def labels(self, db: Database) -> list[str]:
        """The labels that it bears."""
        return [row.label for row in db.find(Label, issue_id=self.issue_id)]

    @computed
    def sprint_room(self, db: Database) -> int | None:
        """How many points more its sprint takes; none without a sprint."""
        return None if self.sprint_id is None else room_in(db, db.get_one(Sprint, self.sprint_id))

    @computed
    def watching(self, db: Database) -> bool:
        """Whether the employee watches it."""
        return bool(db.mine(Watch, issue_id=self.issue_id))


class Link(Base):
    """How one issue bears on another."""

    __tablename__ = "links"

    link_id: Mapped[str] = key("ln-301")
    issue_id: Mapped[str] = mapped_column(ForeignKey("issues.issue_id"), index=True)
    kind: Mapped[str]
    other_id: Mapped[str] = mapped_column(ForeignKey("issues.issue_id"), index=True)

    project_key = via("issue_id", "project_key")


class Comment(Base):
    """What somebody has said of an issue."""

    __tablename__ = "comments"

    comment_id: Mapped[str] = key("cm-5001")
    issue_id: Mapped[str] = mapped_column(ForeignKey("issues.issue_id"), index=True)
    author_email: Mapped[str] = mapped_column(ForeignKey("people.email"))
    on: Mapped[date]
    text: Mapped[str]


class Work(Base):
    """Time that somebody has spent on an issue."""

    __tablename__ = "work"

    work_id: Mapped[str] = key("wl-801")
    issue_id: Mapped[str] = mapped_column(ForeignKey("issues.issue_id"), index=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    on: Mapped[date]
    minutes: Mapped[int]
    note: Mapped[str]


class Label(Base):
    """A word by which issues are found."""

    __tablename__ = "labels"
    __table_args__ = (Index("labels_by_word", "label"),)

    issue_id: Mapped[str] = mapped_column(ForeignKey("issues.issue_id"), primary_key=True)
    label: Mapped[str] = mapped_column(primary_key=True)


class Watch(Base):
    """That somebody wants to hear of an issue; nobody else sees it."""

    __tablename__ = "watches"
    __owned_by__ = "email"

    watch_id: Mapped[str] = key("wt-101")
    issue_id: Mapped[str] = mapped_column(ForeignKey("issues.issue_id"), index=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"))


def points_in(db: Database, sprint_id: str, *, done: bool | None = None) -> int:
    """The points of a sprint's issues, or of those alone that are done, or are not."""
    found = "SELECT sum(points) FROM issues WHERE sprint_id = :sprint AND (:done IS NULL OR (state = 'done') = :done)"
    return int(db.query(found, sprint=sprint_id, done=done)[0][0] or 0)


def room_in(db: Database, sprint: Sprint) -> int:
    """How many points more a sprint takes."""
    return sprint.capacity - points_in(db, sprint.sprint_id)
