"""Sessions of several worlds: each world's rows stay its own, and one log, one clock and one past rule all of them."""

from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest

import toolgym
from toolgym.cli import main
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.distractors import domain_of_task
from toolgym.sandbox.runtime.joined import JoinedDatabase
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session, Snapshot
from toolgym.sandbox.synthesis.proof.check import check

NAME = "retail+airline+telecom"
Call = tuple[str, dict[str, Any]]


def first(world: str, sql: str) -> Any:
    """What a world's own rows answer."""
    return get_domain(world).template().reader.execute(sql).fetchone()[0]


def calls() -> list[Call]:
    """A write in each world, and a refusal after writing began nowhere."""
    flyer = first("airline", "SELECT user_id FROM users ORDER BY user_id")
    order = first("retail", "SELECT order_id FROM orders WHERE status = 'pending' ORDER BY order_id")
    line, customer = (
        get_domain("telecom")
        .template()
        .reader.execute("SELECT line_id, customer_id FROM lines WHERE NOT roaming_enabled ORDER BY line_id")
        .fetchone()
    )
    return [
        ("cancel_pending_order", {"order_id": order, "reason": "ordered by mistake"}),
        ("send_certificate", {"user_id": flyer, "amount": 50}),
        ("enable_roaming", {"customer_id": customer, "line_id": line}),
        ("send_certificate", {"user_id": "nobody", "amount": 50}),
        ("send_certificate", {"user_id": flyer, "amount": 70}),
    ]


def opened(session: Session) -> dict[str, bool]:
    """The joined worlds that were reached, and whether each was copied."""
    database = session._database
    assert isinstance(database, JoinedDatabase)
    return {world: rows._owned for world, rows in database._opened.items()}


def with_distractors(*names: str, world: str = "retail") -> Task:
    return get_domain(world).tasks("test", "own")[0].model_copy(update={"distractors": names})


def test_a_name_that_two_worlds_use_is_prefixed_in_both() -> None:
    domain = get_domain("retail+airline")
    assert {"retail_calculate", "airline_calculate", "retail_get_user_details", "airline_get_user_details"} < {
        *domain.tools
    }
    assert not {"calculate", "get_user_details"} & {*domain.tools}
    assert {"think", "get_order_details", "book_reservation"} < {*domain.tools}, "what one world has keeps its name"
    assert len(domain.tools) == sum(len(get_domain(world).tools) for world in ("retail", "airline"))
    assert get_domain("retail+airline") is domain
    with Session(domain) as session:
        refused = session.call("airline_get_user_details", {})
    assert refused.error is not None and refused.error.message.startswith("airline_get_user_details: ")


def test_policies_stand_one_after_the_other_and_users_keep_their_tools() -> None:
    domain = get_domain(NAME)
    policy = domain.policy_for()
    worlds = [get_domain(name) for name in NAME.split("+")]
    places = [policy.index(world.policy) for world in worlds]
    assert places == sorted(places)
    assert {*domain.user_tools} == {*get_domain("telecom").user_tools}
    assert policy == domain.policy


def test_worlds_joined_by_name_have_no_tasks_and_say_where_some_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "banking+email", "--agent", "oracle"]) == 2
    assert (
        "nothing to play in banking+email. A task is of one world: `toolgym tasks list bank" in capsys.readouterr().err
    )
    with pytest.raises(BadInput, match="nothing to play"):
        toolgym.make("banking+email")


@pytest.mark.parametrize("name", ["retail+retail", "retail+", "retail+nowhere"])
def test_worlds_that_cannot_be_joined_are_told(name: str) -> None:
    with pytest.raises(BadInput):
        get_domain(name)


@pytest.mark.slow
def test_a_join_keeps_what_every_world_must() -> None:
    """Isolation, atomic refusals, forks, rollbacks and replays under random calls of both sides."""
    assert check(get_domain(NAME)) == ["tasks: there is no task, and no goal from which one could be drawn (goals.py)."]


def test_a_world_is_opened_when_it_is_called_and_copied_when_it_is_written() -> None:
    with Session(NAME) as session:
        assert opened(session) == {}
        session.call("list_all_airports", {})
        assert opened(session) == {"airline": False}
        assert session.call(*calls()[2]).ok
        assert opened(session) == {"airline": False, "telecom": True}
        assert not session._database._owned, "what another world writes does not copy the first one"


def test_every_world_changes_as_it_does_alone_and_no_other_does() -> None:
    with Session(NAME, seed=4) as session:
        assert [session.call(*call).ok for call in calls()] == [True, True, True, False, True]
        tables = {row.table for row in session.diff()}
        assert {"orders", "airline.payment_methods", "telecom.lines"} <= tables
        assert all(table.partition(".")[0] in {"airline", "telecom"} for table in tables if "." in table)
        with Session("retail", seed=4) as alone:
            alone.call(*calls()[0])
            assert alone.diff() == [row for row in session.diff() if "." not in row.table]
        with Session("telecom", seed=4, now=session.now) as alone:
            alone.call(*calls()[2])
            there = [(row.table.removeprefix("telecom."), row.key, row.after) for row in session.diff()]
            assert [(row.table, row.key, row.after) for row in alone.diff()] == [
                row for row in there if row[0] in ("lines",)
            ]
        with Session(NAME, seed=4) as other:
            assert other.diff() == [] and other.digest() != session.digest()


def test_ids_are_each_worlds_own_and_known_to_the_session() -> None:
    with Session(NAME, seed=4) as session, Session("airline", seed=4) as alone:
        session.call(*calls()[1])
        alone.call(*calls()[1])
        made = session.new_ids
        assert len(made) == 1
        assert made.isdisjoint(alone.new_ids), "no id is generated in two worlds"
        assert made == {row.key[-1] for row in session.diff() if row.before is None}


def seen(session: Session) -> list[Any]:
    """The rows that `calls` write, as the worlds' own tools show them."""
    done = calls()
    looks: list[Call] = [
        ("get_order_details", {"order_id": done[0][1]["order_id"]}),
        ("airline_get_user_details", {"user_id": done[1][1]["user_id"]}),
        ("get_details_by_id", {"id": done[2][1]["line_id"]}),
    ]
    with session.fork() as look:
        results = [look.call(*call) for call in looks]
    assert all(result.ok for result in results)
    return [*(result.value for result in results), session.diff()]


def test_one_past_rules_all_worlds() -> None:
    """Fork, rollback, replay and snapshot, at every moment of a run through three worlds."""
    with Session(NAME, seed=2) as session:
        moments = [seen(session)]
        for call in calls():
            session.call(*call)
            moments.append(seen(session))
        assert moments[3] == moments[4], "a refused call changes nothing"
        assert sum(one != other for one, other in pairwise(moments)) == 4
        snapshot = Snapshot.model_validate_json(session.snapshot().model_dump_json())
        assert snapshot.domain == NAME
        with Session.restore(snapshot) as again, Session(NAME, seed=2) as replayed:
            assert replayed.replay(session.log) == []
            assert again.digest() == replayed.digest() == session.digest()
            assert seen(again) == seen(replayed) == moments[-1]
        for kept in range(len(calls()), -1, -1):
            with session.fork() as fork:
                assert seen(fork) == moments[kept]
                fork.rollback(kept // 2)
                assert seen(fork) == moments[kept // 2]
                for call in calls()[kept // 2 : kept]:
                    fork.call(*call)
                assert seen(fork) == moments[kept]
            assert seen(session) == moments[kept], "forks are independent"
            if kept:
                session.rollback(kept - 1)
        assert session.diff() == []


def test_the_dump_names_the_world_of_every_row_that_is_not_the_firsts() -> None:
    with Session("retail+airline") as session, Session("retail") as retail:
        dump = session.dump()
        assert dump.startswith(retail.dump())
        assert b'["airline.users", ' in dump and b'["users", ' in dump


def test_the_first_worlds_clock_rules_all() -> None:
    now = datetime(2026, 3, 5, 16, 30)
    with Session("airline+telecom", now=now) as session:
        assert session.now == now
        assert isinstance(session._database, JoinedDatabase)
        assert session._database.of("telecom").now == now


def test_what_follows_a_write_follows_it_in_its_own_world_only() -> None:
    """Only telecom settles the phone after a write; in a join it does so for its own writes, and reads its own rows."""
    with Session("retail+telecom") as session, Session("telecom", now=get_domain("retail").now) as alone:
        assert session.call(*calls()[0]).ok
        assert {row.table for row in session.diff()} >= {"orders"}
        for name in ("toggle_airplane_mode", "check_network_status"):
            joined, own = session.call(name, {}, by="user"), alone.call(name, {}, by="user")
            assert joined == own and own.ok
        assert [(row.table, row.after) for row in session.diff() if row.table.startswith("telecom.")] == [
            (f"telecom.{row.table}", row.after) for row in alone.diff()
        ]


@pytest.mark.parametrize("joined", ["retail+banking", "banking+retail"])
def test_owners_and_rules_are_each_worlds_own(joined: str) -> None:
    """A bank serves one customer and holds its rules, beside a shop that serves anybody."""
    payee = {"name": "Test Payee", "iban": "DE89370400440532013000"}
    with Session(joined) as session, Session("banking", now=session.now) as alone:
        for name, arguments in (("get_profile", {}), ("add_payee", payee), ("verify_pin", {"pin": "wrong"})):
            assert session.call(name, arguments) == alone.call(name, arguments), name
        assert session.log[0].ok and session.log[1].error is not None
        order_id = calls()[0][1]["order_id"]
        assert session.call("get_order_details", {"order_id": order_id}).ok
    task = with_distractors("banking.add_payee", "banking.get_profile")
    with Session("retail", task=task) as session, Session("banking", now=session.now) as alone:
        assert session.call("add_payee", payee) == alone.call("add_payee", payee)
        assert session.call("get_profile", {}) == alone.call("get_profile", {})


def test_set_up_and_assertions_reach_the_worlds() -> None:
    """A task with a set-up in telecom, whose tools a join of that name holds."""
    source = next(task for task in get_domain("telecom").tasks("test", "own") if task.setup)
    task = source.model_copy(update={"domain": "retail+telecom", "gold": ()})
    with Session("retail+telecom", task=task) as session, Session("retail+telecom", task=task) as again:
        assert session.diff() == [] and session.digest() == again.digest()
        with Session("retail+telecom", seed=source.seed, now=session.now) as bare:
            assert bare.digest() != session.digest()


# --- distractors ---


def test_a_task_offers_its_distractors_and_nothing_else_of_their_worlds() -> None:
    task = with_distractors("airline.cancel_reservation", "airline.get_user_details", "telecom.get_customer_by_id")
    own = [*get_domain("retail").tools]
    added = ["cancel_reservation", "airline_get_user_details", "get_customer_by_id"]
    with Session("retail", task=task) as session:
        assert session.domain.name == "retail" and session.snapshot().domain == "retail"
        assert [*session.tools_of("agent")] == own + added, "the task's own tools keep their names"
        assert not session.call("book_reservation", {}).ok and session.log[-1].error == "unknown_tool"
        flyer = first("airline", "SELECT user_id FROM users ORDER BY user_id")
        assert session.call("airline_get_user_details", {"user_id": flyer}).ok
        assert session.log[-1].kind == "read"
    told = briefing(get_domain("retail"), task)
    assert [tool["function"]["name"] for tool in told.tools] == own + added
    assert told.policy == briefing(get_domain("retail"), task.model_copy(update={"distractors": ()})).policy


def test_distractors_stand_beside_the_tools_that_a_task_leaves() -> None:
    task = with_distractors("airline.calculate").model_copy(update={"tools": ("get_order_details",)})
    with Session("retail", task=task) as session:
        assert [*session.tools_of("agent")] == ["get_order_details", "airline_calculate"]
    assert len(briefing(get_domain("retail"), task).tools) == 2


@pytest.mark.slow
def test_distractors_of_one_name_are_told_apart() -> None:
    task = with_distractors("retail.transfer_to_human_agents", "telecom.transfer_to_human_agents", world="airline")
    assert [*domain_of_task(task).tools][-2:] == ["retail_transfer_to_human_agents", "telecom_transfer_to_human_agents"]
    task = with_distractors("retail.get_item_details", "retail.get_item_details", world="telecom")
    assert [*domain_of_task(task).tools][-1] == "get_item_details"


@pytest.mark.parametrize(
    ("distractor", "said"),
    [
        ("airline.cancel_reservations", "cancel_reservation"),
        ("airlines.cancel_reservation", "airline"),
        ("retail.get_order_details", "another world"),
        ("cancel_reservation", "world.tool"),
        ("airline+telecom.think", "world.tool"),
    ],
)
def test_a_distractor_that_is_none_is_told(distractor: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Session("retail", task=with_distractors(distractor))


def test_a_task_without_distractors_joins_nothing() -> None:
    task = with_distractors()
    assert domain_of_task(task) is get_domain("retail")
    with Session("retail", task=task) as session:
        assert not isinstance(session._database, JoinedDatabase)


def test_the_same_set_up_is_worked_out_once_whatever_the_distractors() -> None:
    task = next(task for task in get_domain("telecom").tasks("test", "own") if task.setup)
    other = task.model_copy(update={"distractors": ("retail.get_order_details",)})
    with Session("telecom", task=task) as one, Session("telecom", task=other) as two:
        assert one.dump() == two.dump()[: len(one.dump())]
        assert two.diff() == []


def test_where_the_tasks_of_joined_worlds_are_is_said() -> None:
    said = "`toolgym tasks list banking` has those of banking"
    with pytest.raises(BadInput, match=said):
        get_domain("banking+email").tasks("train")
    assert "--distractors 1" in get_domain("banking+email").where_tasks_are
