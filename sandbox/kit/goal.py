"""What people come for in a world, with its words: goals, their slots, follow-up questions, and how people name things.

Declarations only. `toolgym.sandbox.synthesis` draws tasks from them, users and agents take their vocabulary from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from inspect import signature
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.author_errors import called_at, told
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.phrasing import lacking, words_beside
from toolgym.sandbox.kit.reference import Kind
from toolgym.sandbox.kit.tool import Tool

if TYPE_CHECKING:
    from datetime import datetime

    from toolgym.sandbox.kit.database import Database
    from toolgym.sandbox.kit.rule import Rule

Model = TypeVar("Model", bound=DeclarativeBase)
Value = TypeVar("Value")
TELLING = ("tell",)
"""What people who ask a question want: to be told."""
WRITTEN: Sequence[str] = ("written",)
"""Stands for the words that `sentences.toml` has."""


Calls = list[tuple[Tool, Mapping[str, Any]]]
"""Calls of tools with their arguments by the functions' own names: rows for references."""


class Draw(Protocol):
    """What a slot's value is drawn from.

    Examples:
        >>> from random import Random
        >>> from toolgym.sandbox.synthesis.sampler import Sampler
        >>> from toolgym.sandbox.synthesis.search import Drawing
        >>> from toolgym.kit import Draw, get_domain
        >>> draw: Draw = Drawing(Random(1), Sampler(get_domain("kiosk")))
        >>> draw.rng.choice(["Friday", "Sunday"]), draw.now.year
        ('Friday', 2026)
    """

    @property
    def rng(self) -> Random:
        """Decides."""
        ...

    @property
    def now(self) -> datetime:
        """The moment at which the task plays."""
        ...

    @property
    def database(self) -> Database:
        """The world's rows before anything is done; only to be read."""
        ...

    @property
    def values(self) -> Mapping[str, Any]:
        """What was drawn before, by parameter: rows for references."""
        ...

    @property
    def person(self) -> Any:
        """The person's own row."""
        ...

    def rows(self, model: type[Model]) -> list[Model]:
        """The person's rows of a table."""
        ...

    def one_of(self, among: Iterable[Value]) -> Value | None:
        """One of some rows or values; None where there are none."""
        ...

    def view(self, row: Any) -> Any:
        """What tools show of a row, as attributes."""
        ...


@dataclass(frozen=True)
class Thing:
    """How people speak of a row.

    Attributes:
        table: whose rows.
        says: ways to describe one, such as `my {nickname} account`; the places are columns by which it is known.
            Without them, those of `sentences.toml`.
        where: which rows anybody would speak of; all of them without it.
        found_by: the read tools that lead to one, in their order, where the result's type does not say it; each is
            given keys of the person, of the row, or of what the row belongs to.
        has_known_key: people know the key, such as an order's number; a row without is always described.
        says_key: people say the key, such as an order's number, where all is told at once; from version 3 of the tasks
            on, rows of other things are called by their names.
        at: file and line of the declaration.

    Examples:
        >>> from toolgym.domains.kiosk.schema import Ticket
        >>> from toolgym.kit import Thing
        >>> seat = Thing(Ticket, ["seat {seat} on {evening}"], where=lambda row: row.holder is None)
        >>> seat.says[0].format(seat="A2", evening="Friday")
        'seat A2 on Friday'
    """

    table: type[DeclarativeBase]
    says: Sequence[str] = WRITTEN
    where: Callable[[Any], bool] | None = None
    found_by: Sequence[Tool] = ()
    has_known_key: bool = True
    says_key: bool = False
    at: tuple[str, int] = field(default_factory=called_at, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        name = self.table.__name__
        if self.says is WRITTEN:
            object.__setattr__(self, "says", words_beside(self.at[0]).things.get(name, WRITTEN))
        if self.says is WRITTEN:
            raise lacking(f"The thing {name!r}", f"[things] {name} = [...]")
        _tell(f"The thing {name!r}", self, "where")


@dataclass(frozen=True)
class Relation:
    """How people get along a column from one row to another, where nobody can ask them which one they mean.

    What a request leaves to look up is said by these words, one within the other: "the payee that the only standing
    order of my Household account goes to".

    Attributes:
        table: the rows that hold the column.
        column: what holds another row's key, or a value that stands elsewhere as well; a path with dots where tools
            show it deeper, such as `items.item_id`: it is one where each list on the way has one entry.
        says: what the column holds, with `{it}` in the place of the row's words: "the account of {it}". Without it,
            nothing is described by the row.
        by: which rows are meant, by what the column holds; it follows their own words: "on {it}". One with places of
            the table's own columns, `{on:month}` for the month of a day, stands alone; that of a key stands for the
            words of its row: "the charge from {merchant} on {account_id} that was booked on {it}". Without it, rows
            are never told apart by the column. A part in brackets is left out of a row that has nothing there.
        only: the only row of another one, or with a value: "the only card of {it}", "the only charge on {account_id}
            that was booked on {it}". Without it, none is described so.
        first: the one of several that the table's list tool shows first: "the next payment from {it}", "the latest
            charge on {account_id} from {it}". Without it, none is described so.

    Examples:
        >>> from toolgym.domains.budget.schema import Bill
        >>> from toolgym.kit import Relation
        >>> relation = Relation(Bill, "category_id", says="the category of {it}", only="the only bill under {it}")
        >>> relation.only.format(it=relation.says.format(it="the rent"))
        'the only bill under the category of the rent'
    """

    table: type[DeclarativeBase]
    column: str
    says: str = ""
    by: str = ""
    only: str = ""
    first: str = ""


@dataclass(frozen=True)
class Same:
    """Another place where a wanted value stands: the person says "the same as {it}" and the agent looks it up.

    Attributes:
        table: whose row holds the value.
        column: which column; the sign of money is left out.
        says: the words for it, with `{it}` in the row's place.
        by: the read tool that shows the column, when the list that finds the row does not.

    Examples:
        >>> from toolgym.domains.budget.schema import Bill
        >>> from toolgym.kit import Same, Slot
        >>> Slot("amount_cents", same_as=[Same(Bill, "amount_cents", "the same as {it}")]).same_as[0].column
        'amount_cents'
    """

    table: type[DeclarativeBase]
    column: str
    says: str
    by: Tool | None = None


@dataclass(frozen=True)
class Condition:
    """Something that a person may make a wish depend on: a number that a tool shows.

    Attributes:
        table: whose row is looked at.
        column: the number.
        says: the words, with `{it}` in the row's place and `{value}` in the number's: "If {it} holds {value} or more".
        by: the read tool that shows it.
        value: works it out from the tool's result, where no field of that is the column.
        more, less: what is said of that one of two rows which has more of it, or less: "cost more". Without them,
            nobody chooses by it.

    Examples:
        >>> from toolgym.domains.budget.schema import Category
        >>> from toolgym.domains.budget.tools import list_categories
        >>> from toolgym.kit import Condition
        >>> enough = Condition(Category, "left_cents", "if {value} or more is left for {it}", list_categories)
        >>> enough.says.format(value="$20", it="groceries")
        'if $20 or more is left for groceries'
    """

    table: type[DeclarativeBase]
    column: str
    says: str
    by: Tool
    value: Callable[[Any], Any] | None = None
    more: str = ""
    less: str = ""


@dataclass(frozen=True)
class Slot:
    """One parameter of a goal's tool, as a person brings it, or several that are one thing to a person.

    Attributes:
        name: the parameter, or a name of its own for what arguments are worked out from, or a goal is `about`.
        withheld: the share of tasks in which the person tells it only when asked.
        given: the share of tasks in which an optional parameter is given at all.
        draw: how a value is drawn, or the values to choose from; a reference is drawn among the owner's rows.
        says: sentences that tell it when asked, `{}` in the value's place.
        words: what a value is called, where people do not say it as it is written: `{"lost": "I lost it"}`.
        fills: the parameters that one drawn value fills, such as an address; `draw` then gives a dictionary of them.
        say: the words for such a value, or for a list; a second argument is all that was drawn.
        same_as: other places where the value also stands.
        mentions: of text that the agent composes, what it must mention: parameters, or columns of the rows that they
            name, such as `transaction.merchant`. A slot of a further write's text (see `Goal.also`) has mentions too.
        reads: further look-ups that the value asks for, as calls of read tools with their arguments: a function of
            what was drawn.
        of: the table whose row the value is, where the parameter takes keys of several (`AnyOf`) or the name is one of
            its own.
        where: which rows are drawn, where it is a row.
        kind: what sort of value it is, where a name of its own does not say it, such as a secret that a further call
            needs.
        of_call: reads a value of its own off the call's arguments (`draw.values`), for wishes that hold none.

    Examples:
        >>> from toolgym.kit import Slot
        >>> slot = Slot("reason", draw=["lost", "late"], words={"lost": "I lost it"}, says=["Because {}."])
        >>> slot.says[0].format(slot.words["lost"])
        'Because I lost it.'
    """

    name: str
    withheld: float = 0.0
    given: float = 1.0
    draw: Callable[[Draw], Any] | Sequence[Any] | None = None
    says: Sequence[str] = ()
    words: Mapping[str, str] | None = None
    fills: Sequence[str] = ()
    say: Callable[..., str] | None = None
    same_as: Sequence[Same] = ()
    mentions: Sequence[str] = ()
    reads: Callable[[Draw], Sequence[tuple[Tool, Mapping[str, Any]]]] | None = None
    of: type[DeclarativeBase] | None = None
    where: Callable[[Any], bool] | None = None
    kind: Kind | None = None
    of_call: Callable[[Draw], Any] | None = None

    def __post_init__(self) -> None:
        _tell(f"The slot {self.name!r}", self, "where", "draw", "say", "reads", "of_call")


@dataclass(frozen=True)
class Tell:
    """Something that must be told.

    Attributes:
        name: a column or field of the result; a path with dots and positions where it lies deeper. Of a list, each
            entry must be told.
        kind: what sort of value; from its name and type without one.
        by: the read tool, or the tool of one of the goal's further calls, whose result holds it; the goal's own tool
            without one.
        value: works it out from the result, and from what was drawn where it asks for a second argument, such as a
            sum; None where this result cannot say it, so that the wish is not made.
        near: words that belong to it, so that an 8 elsewhere is not this 8.
        of: the table of which `by` shows a row, where it is one that the wish's own rows refer to.

    Examples:
        >>> from toolgym.kit import Tell
        >>> left = Tell("left", kind="money", value=lambda result: result["limit_cents"] - result["spent_cents"])
        >>> left.value({"limit_cents": 5000, "spent_cents": 1200}), left.of_the_draw
        (3800, False)
    """

    name: str
    kind: Kind | None = None
    by: Tool | None = None
    value: Callable[..., Any] | None = None
    near: Sequence[str] = ()
    of: type[DeclarativeBase] | None = None

    @property
    def of_the_draw(self) -> bool:
        """Whether its value needs all that was drawn, which only the engine knows: no agent can work it out."""
        return self.value is not None and len(signature(self.value).parameters) > 1


@dataclass(frozen=True)
class Made:
    """What a goal's own call has made, as an argument of a further one (see `Goal.also`).

    Attributes:
        name: a field of the call's result, such as the key of a new row; a path with dots where it lies deeper.
        by: another of the goal's further calls, made before, that has made it; the goal's own without one.
    """

    name: str
    by: Tool | None = None


@dataclass(frozen=True)
class Ask:
    """A question that follows a wish.

    Attributes:
        says: the question.
        tells: what must be told then.

    Examples:
        >>> from toolgym.kit import Ask, Tell
        >>> Ask("And what does it cost?", Tell("price", kind="money")).tells.name
        'price'
    """

    says: str
    tells: Tell


@dataclass(frozen=True, eq=False)
class Goal:
    """Something that a person may want.

    Attributes:
        tool: the call that grants it; a read tool for a question, the tool that hands over for a matter of a human's.
        says: ways to ask for it; the places are the tool's parameters. A part in brackets, `[ from {source}]`, is left
            out when what it speaks of is not told at first. Without them, those of `sentences.toml` (see
            `toolgym.sandbox.kit.phrasing`).
        verbs: words for the action, base form first, from there as well; a question needs none.
        slots: the parameters that the person decides, and what others are worked out from; the rest is drawn by type.
        fixed: arguments that the wish itself decides: to freeze a card is to set its state to `frozen`.
        about: what the wish speaks of besides and the call is not given, such as an item whose price is asked for.
        worked_out: arguments that the agent works out, such as a sum: functions of what was drawn; None where it
            cannot be done.
        also: further calls that the same words ask for, with their arguments: a function of what was drawn; writes, and
            reads and neutral calls that these need, such as a quote. `Made` among the arguments is what a call before
            has made or shown.
        tells: what must be told when it is done.
        asks: questions that may follow.
        against: the rule that the wish breaks by its very words, such as to cancel for one of several travellers; such
            a wish is never granted.
        where: which drawn arguments make sense; a predicate on them by name, views for references.
        name: what it is called; the tool's name without one.
        share: how often it is drawn, against the other goals.
        at: file and line of the declaration.

    Examples:
        >>> from toolgym.domains.kiosk.tools import reserve_ticket
        >>> from toolgym.kit import Goal, Slot
        >>> goal = Goal(reserve_ticket, ["Book {ticket_id} for {holder}."], ["book"], [Slot("holder", withheld=0.5)])
        >>> goal.name, list(goal.tool.inputs), goal.slot("holder").withheld
        ('reserve_ticket', ['ticket_id', 'holder'], 0.5)
    """

    tool: Tool
    says: Sequence[str] = WRITTEN
    verbs: Sequence[str] = TELLING
    slots: Sequence[Slot] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    about: Sequence[Slot] = ()
    worked_out: Mapping[str, Callable[[Draw], Any]] = field(default_factory=dict)
    also: Callable[[Draw], Sequence[tuple[Tool, Mapping[str, Any]]]] | None = None
    tells: Sequence[Tell] = ()
    asks: Sequence[Ask] = ()
    against: Rule | None = None
    where: Callable[..., bool] | None = None
    name: str = ""
    share: float = 1.0
    at: tuple[str, int] = field(default_factory=called_at, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.tool.name)
        words = words_beside(self.at[0]).goals.get(self.name) if self.says is WRITTEN else None
        if words is not None:
            if words.verbs is not None and self.verbs is TELLING:
                object.__setattr__(self, "verbs", words.verbs)
            says = words.sentences(self.verbs, is_question=self.tool.kind == "read")
            object.__setattr__(self, "says", says)
        if self.says is WRITTEN:
            raise lacking(f"The goal {self.name!r}", f"[goals.{self.name}]` with `says = [...]")
        if self.verbs is TELLING and self.tool.kind == "write":
            raise ConfigurationError(f"The goal {self.name!r} has no verbs; name what people call the action.")
        self._require_drawn(self.where)
        _tell(f"The goal {self.name!r}", self, "where")

    def _require_drawn(self, where: Callable[..., bool] | None) -> None:
        """What `where` asks for is drawn."""
        names = (name for slot in (*self.slots, *self.about) for name in (slot.name, *slot.fills))
        drawn = {*self.tool.inputs, *names, *self.worked_out}
        stray = [] if where is None else [name for name in signature(where).parameters if name not in drawn]
        if stray:
            raise ConfigurationError(
                f"The goal {self.name!r}: its `where` asks for {stray[0]!r}, which is not drawn; there is "
                f"{', '.join(sorted(drawn))}."
            )

    @cache  # noqa: B019  # worlds declare their goals once, and they are asked for their slots at every draw
    def slot(self, name: str) -> Slot:
        """The slot that fills a parameter; an undeclared one where there is none."""
        return next(
            (slot for slot in (*self.slots, *self.about) if name == slot.name or name in slot.fills), Slot(name)
        )

    @cached_property
    def tables(self) -> dict[str, type[DeclarativeBase]]:
        """The tables of the rows that the wish is about, by slot."""
        return {**self.tool.references, **{slot.name: slot.of for slot in (*self.slots, *self.about) if slot.of}}


def _tell(what: str, declared: object, *functions: str) -> None:
    """Let what breaks in an author's functions be told with file and line."""
    for name in functions:
        function = getattr(declared, name)
        if callable(function):
            object.__setattr__(declared, name, told(what, function.__module__, function))
