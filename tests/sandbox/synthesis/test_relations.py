"""Rows that are described by other rows: chains of look-ups as long as they are asked for, none of them needless."""

import random
import re

import pytest

from toolgym.sandbox.kit.goal import Relation
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.addressing import Way, addressed
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.program import program_of
from toolgym.sandbox.synthesis.proof.prove import prove
from toolgym.sandbox.synthesis.proof.replay import gold_of
from toolgym.sandbox.synthesis.relations import relations_of


def drawn(world: str, depth: int, structure: str | None = None) -> Task:
    cell = Cell(depth=(depth, depth), structure=structure, interaction="program")
    return next(Generator(get_domain(world), 1, cell=cell).tasks(1))


DEEPEST = dict.fromkeys(("banking", "budget", "calendar", "payments", "retail_chain", "shopping", "trading"), 6)
DEEPEST |= {"retail": 3, "telecom": 3}


@pytest.mark.slow
@pytest.mark.parametrize(("world", "depth"), DEEPEST.items())
def test_worlds_are_as_deep_as_their_tools_allow(world: str, depth: int) -> None:
    task = drawn(world, depth)
    assert task.depth == depth and not prove(task) and program_of(task).tool_calls


def test_a_result_without_which_a_list_has_the_same_hit_is_needless() -> None:
    task = drawn("calendar", 4, "chain")
    place, call = next(
        (place, call)
        for place, call in enumerate(task.gold)
        if call.name == "list_events" and {"holder_email", "room_id"} & set(call.arguments)
    )
    assert isinstance(call.arguments, dict)
    title = gold_of(task).log[place].value["items"][0]["title"]
    told = call.model_copy(update={"arguments": call.arguments | {"text": title}})
    gold = (*task.gold[:place], told, *task.gold[place + 1 :])
    easier = task.model_copy(update={"gold": gold, "ticket": f"{task.ticket} It is called {title}."})
    assert any("passes without the result" in problem for problem in prove(easier))


def test_a_look_up_that_nobody_uses_is_needless() -> None:
    task = drawn("calendar", 2, "chain")
    more = task.model_copy(update={"gold": (ToolCall(name="list_rooms", arguments={}), *task.gold)})
    assert any("no later call uses what call 0, list_rooms" in problem for problem in prove(more))


def test_words_pass_over_no_row_twice_and_name_nothing_that_is_to_be_found() -> None:
    generator = Generator(get_domain("calendar"), 1, cell=Cell(depth=(7, 7), interaction="program"))
    sampler = generator._sampler(generator.people[0], get_domain("calendar").now)
    room = next(thing.table for thing in sampler.domain.things if thing.table.__name__ == "Room")
    for row in sampler.rows(room)[:4]:
        way = addressed(sampler, row, random.Random(5), 6)
        assert way is not None and (way.deep == 1 or row.name not in way.words)
        assert len(set(map(str, way.calls))) == len(way.calls)


def ways(world: str, table: str, deep: int, count: int = 20, seed: int = 3, step: int = 1) -> list[Way]:
    """Ways to rows that somebody of training has of a table."""
    domain = get_domain(world)
    generator = Generator(domain, 1, cell=Cell((deep + 1, deep + 1), interaction="program"))
    sampler = generator._sampler(generator.people[0], domain.now)
    model = next(thing.table for thing in domain.things if thing.table.__name__ == table)
    found = (addressed(sampler, row, random.Random(seed), deep) for row in sampler.rows(model)[: count * step : step])
    return [way for way in found if way is not None]


def test_what_no_tool_lists_is_found_with_the_only_row_that_it_belongs_to() -> None:
    found = ways("payments", "Payment", 3)
    assert found and all(way.words.startswith("the only payment for ") for way in found)
    assert {way.calls[-1].name for way in found} == {"get_invoice"}


def test_a_row_of_which_nobody_speaks_leads_on_to_others() -> None:
    deepest = max(ways("retail_chain", "Store", 4), key=lambda way: way.deep)
    assert deepest.deep == 4
    calls = [call.arguments for call in deepest.calls if call.name == "list_transfers"]
    assert sum("store_id" in arguments for arguments in calls) >= 3  # other stores' transfers among themselves


def test_a_list_without_a_home_has_an_only_row_by_what_another_row_says() -> None:
    words = [way.words for way in ways("payments", "Invoice", 2, 60) if way.deep == 2]
    assert any(text.startswith("the only invoice due on ") for text in words)


def test_where_a_month_is_said_a_list_is_filtered_by_its_days() -> None:
    found = [way for way in ways("budget", "Expense", 3) if way.words.startswith("the January expense at ")]
    assert found
    arguments = [call.arguments for call in found[0].calls if isinstance(call.arguments, dict)]
    assert {"first_day": "2026-01-01", "last_day": "2026-01-31"}.items() <= arguments[-1].items()


def test_the_first_of_a_list_leads_on_by_what_the_list_shows_of_it() -> None:
    found = [way for way in ways("budget", "Category", 3) if way.words.startswith("the category of the latest expense")]
    assert found and {way.calls[-1].name for way in found} == {"list_expenses"}


def test_no_row_is_led_to_by_what_its_list_would_show_anyway() -> None:
    # all that was paid at one shop is of one category, so that the day would tell nothing more
    found = [way.words for seed in range(3) for way in ways("budget", "Category", 3, seed=seed)]
    told = re.compile(r"the category of (the [A-Z].* expense of|what we paid at .* on) the same day")
    assert len(found) > 20 and not any(map(told.match, found))


def test_a_row_without_what_a_part_in_brackets_tells_is_told_without_it() -> None:
    found = [way.words for way in ways("shopping", "Variant", 3, 40, step=20) if " one " in way.words]
    sized = [words for words in found if re.match(r"the \w+ one in (small|medium|large) of the ", words)]
    plain = [words for words in found if re.match(r"the \w+ one of the ", words)]
    assert sized and plain and len(sized) + len(plain) == len(found)


def test_keys_and_days_have_usual_words_and_texts_none() -> None:
    relations = {
        (table.__name__, column): each for (table, column), each in relations_of(get_domain("calendar")).items()
    }
    assert (
        isinstance(relations["Event", "room_id"], Relation) and relations["Event", "room_id"].says == "the room of {it}"
    )
    assert relations["Event", "series_id"].says == "the series of {it}"
    assert ("Event", "description") not in relations
