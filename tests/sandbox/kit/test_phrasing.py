"""A world's words: read from its file, completed by the ways to ask that all worlds share, and missed by name."""

from pathlib import Path

import pytest

from toolgym.domains.kiosk.schema import Ticket
from toolgym.domains.kiosk.tools import find_tickets, reserve_ticket
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.goal import Goal, Thing
from toolgym.sandbox.kit.phrasing import Asking, words_beside
from toolgym.sandbox.kit.sentence import places, without_untold

WORDS = """
[things]
Ticket = ["seat {seat} on {evening}"]

[goals.reserve_ticket]
verbs = ["book", "reserve"]
what = "{ticket_id}[ for {holder}]"
says = ["{ticket_id} is the seat I want[, for {holder}]."]

[goals.find_tickets]
what = "where the ticket of {holder} is"
"""


def declared(folder: Path, words: str, code: str) -> dict[str, object]:
    """What a module of a package makes that has these words beside it."""
    package = folder / "stall" / "goals"
    package.mkdir(parents=True)
    for inside in (package, package.parent):
        (inside / "__init__.py").touch()
    (package.parent / "sentences.toml").write_text(words, encoding="utf-8")
    module = package / "buying.py"
    made: dict[str, object] = {"Goal": Goal, "Thing": Thing, "Ticket": Ticket, "reserve_ticket": reserve_ticket}
    exec(compile(code, str(module), "exec"), made | {"find_tickets": find_tickets}, made)
    return made


def test_goals_and_things_find_their_words_in_the_folder_above(tmp_path: Path) -> None:
    made = declared(tmp_path, WORDS, "book = Goal(reserve_ticket)\nask = Goal(find_tickets)\nseat = Thing(Ticket)")
    book, ask, seat = made["book"], made["ask"], made["seat"]
    assert isinstance(book, Goal) and isinstance(ask, Goal) and isinstance(seat, Thing)
    assert book.verbs == ("book", "reserve") and ask.verbs == ("tell",) and seat.says == ("seat {seat} on {evening}",)
    assert book.says[:3] == (
        "{ticket_id} is the seat I want[, for {holder}].",
        "Please book {ticket_id}[ for {holder}].",
        "Could you reserve {ticket_id}[ for {holder}]?",
    )
    assert "Please tell me where the ticket of {holder} is." in ask.says
    assert len(book.says) == len({*book.says}) == 17  # none of them is more than one in sixteen
    assert without_untold(book.says[1], {"ticket_id"}) == "Please book {ticket_id}."
    assert all({name for name, _ in places(says)} == {"ticket_id", "holder"} for says in book.says)


def test_what_a_declaration_says_itself_stays(tmp_path: Path) -> None:
    code = "book = Goal(reserve_ticket, ['I want {ticket_id}.'], ['take'])"
    book = declared(tmp_path, WORDS, code)["book"]
    assert isinstance(book, Goal) and (book.says, book.verbs) == (["I want {ticket_id}."], ["take"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", r"The goal 'reserve_ticket' has no words; give it `says`, or write `\[goals.reserve_ticket\]`"),
        ("[goals.reserve_ticket]\nsays = ['Book {ticket_id}.']", "has no verbs; name what people call the action"),
        ("[goals.reserve_ticket]\nverbs = ['book']", "it has neither `says` nor `what`"),
        ("[goals.reserve_ticket]\nsay = ['Book {ticket_id}.']", r"sentences.toml: goals.reserve_ticket.say"),
        ("[goals.reserve_ticket", "sentences.toml cannot be read: "),
    ],
)
def test_what_lacks_words_is_told(tmp_path: Path, words: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says):
        declared(tmp_path, words, "Goal(reserve_ticket)")


def test_a_folder_that_is_no_package_has_none(tmp_path: Path) -> None:
    (tmp_path / "sentences.toml").write_text(WORDS, encoding="utf-8")
    (tmp_path / "loose").mkdir()
    assert not words_beside(str(tmp_path / "loose" / "goals.py")).goals
    assert words_beside(str(tmp_path / "goals.py")).goals["find_tickets"] == Asking(
        what="where the ticket of {holder} is"
    )
