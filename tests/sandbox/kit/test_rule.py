"""Rules: said once, held by the tools that they are about, read by anybody who saw what the tools show."""

from datetime import datetime
from typing import Any

import lending
import pytest

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.rule import known, rule, rules_in
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

BANK = get_domain("banking")
RULES = {rule.name: rule for rule in BANK.rules}


def test_a_rule_refuses_with_its_name_and_words_and_nothing_changes() -> None:
    with Session(lending.domain) as session:
        before = session.dump()
        error = session.call("give_back", {"loan": "L-07"}).error
        assert error is not None and (error.code, error.message) == ("a_day_old", "It is too new.")
        assert session.dump() == before and not session.diff()
        assert session.call("give_back", {"loan": "L-08"}).ok and session.diff()


def test_a_rule_left_to_the_agent_refuses_nothing() -> None:
    late = Task(id="t", domain="lending", now=datetime(2026, 6, 1, 9, 0))
    with Session(lending.domain, task=late) as session:
        found = known(session._database, lending.within_a_month, {"loan": session._database.find(lending.Loan)[0]})
        assert not lending.within_a_month.allows(found)
        assert session.call("give_back", {"loan": "L-07"}).ok


def test_rules_hold_in_the_order_of_their_declaration_and_open_with_their_remedy() -> None:
    with Session(BANK) as session:
        db = session._database
        me: Any = db.owner(BANK.owner)  # type: ignore[arg-type]
        account: Any = next(row for row in db.mine(BANK.tools["get_account"].references["account"]))
        payee: Any = db.mine(BANK.tools["send_payment"].references["payee"])[0]
        pay = {
            "source_id": account.account_id, "payee_id": payee.payee_id,
            "amount_cents": me.daily_limit_cents + 1, "execute_on": "2026-03-13",
        }  # fmt: skip
        codes = [_code(session, "send_payment", pay)]
        assert session.call("verify_pin", {"pin": me.pin}).ok
        codes.append(_code(session, "send_payment", pay))
        codes.append(_code(session, "send_payment", pay | {"amount_cents": 100}))
    assert codes == ["pin_first", "daily_limit" if account.available_cents > me.daily_limit_cents else "covered", ""]
    assert RULES["pin_first"].remedy is BANK.tools["verify_pin"]


def test_both_sides_of_an_amounts_edge() -> None:
    with Session(BANK) as session:
        db = session._database
        me: Any = db.owner(BANK.owner)  # type: ignore[arg-type]
        accounts: Any = db.mine(BANK.tools["get_account"].references["account"], kind="savings")
        session.call("verify_pin", {"pin": me.pin})
        move = {"source_id": accounts[0].account_id, "target_id": accounts[1].account_id}
        edge = accounts[0].available_cents
        over = _code(session, "transfer_between_own_accounts", move | {"amount_cents": edge + 1})
        exact = _code(session, "transfer_between_own_accounts", move | {"amount_cents": edge})
    assert (over, exact) == ("covered", "")


def test_a_wrong_secret_is_counted_by_an_answer_and_the_third_locks() -> None:
    with Session(BANK) as session:
        tries = [session.call("verify_pin", {"pin": "wrong"}) for _ in range(4)]
    assert [answer.value["tries_left"] for answer in tries[:3]] == [2, 1, 0]  # type: ignore[index,call-overload]
    assert tries[3].error is not None and tries[3].error.code == "locked"


def test_an_agent_that_saw_the_views_decides_as_the_tool_does() -> None:
    late = Task(id="t", domain="lending", now=datetime(2026, 3, 10, 9, 29))
    with Session(lending.domain, task=late) as session:
        for key in ("L-07", "L-08"):
            seen = View.seen(lending.Loan, session.call("get_loan", {"loan_id": key}).value)  # type: ignore[arg-type]
            allowed = lending.a_day_old.allows({"loan": seen, "now": session.now})
            assert session.call("give_back", {"loan": key}).ok == allowed == (key == "L-08")


def test_a_predicates_parameters_are_those_of_its_tools() -> None:
    with pytest.raises(ConfigurationError, match="asks for 'loan', which list_books has no parameter for"):

        @rule("Nothing.", on=[lending.give_back, lending.list_books])
        def stray(loan: View[lending.Loan]) -> bool:
            return True


def test_a_module_gives_its_rules_in_order() -> None:
    from toolgym.domains.banking import rules

    assert [entry.name for entry in rules_in(rules)][:3] == ["pin_first", "dormant", "covered"]
    assert list(BANK.rules) == rules_in(rules)


def _code(session: Session, name: str, arguments: dict[str, Any]) -> str:
    error = session.call(name, arguments).error
    return "" if error is None else error.code


def test_a_rule_that_asks_for_the_result_of_a_read_is_decided_alike_by_the_tool_and_by_who_saw_the_json() -> None:
    office = get_domain("calendar")
    rule = next(each for each in office.rules if each.name == "room_free")
    event_table, room_table = (office.tools["book_room"].references[name] for name in ("event", "room"))
    with Session(office) as session:
        rooms = session.call("list_rooms", {"building": "Boston"}).value["items"]
        verdicts = set()
        for hour in range(9, 17):
            new = {"title": "Round", "start": f"2026-03-12T{hour:02d}:00", "minutes": 60}
            event = View.seen(event_table, session.call("create_event", new).value)
            for shown in rooms:
                seen = rule.optional | {"event": event, "room": View.seen(room_table, shown)}
                look = rule.look("schedule", seen)
                assert look is not None
                seen["schedule"] = session.call(look.name, look.arguments).value
                booked = _code(session, "book_room", {"event_id": event.row.event_id, "room_id": shown["room_id"]})
                assert rule.allows(seen) == (booked == "")
                verdicts.add(booked)
        assert verdicts == {"", "room_free"}


def test_there_is_nothing_to_look_at_for_an_event_without_a_room() -> None:
    office = get_domain("calendar")
    rule = next(each for each in office.rules if each.name == "room_free")
    with Session(office) as session:
        new = {"title": "Round", "start": "2026-03-12T09:00", "minutes": 60}
        made = session.call("create_event", new).value
        seen = rule.optional | {"event": View.seen(office.tools["get_event"].references["event"], made)}
        assert rule.look("schedule", seen) is None and rule.allows(seen)
