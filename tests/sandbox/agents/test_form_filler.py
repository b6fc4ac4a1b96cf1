"""What the form-filler goes by beside declarations: examples in schemas, rows in results of no type, who is there."""

import asyncio
from collections.abc import Sequence

from toolgym.sandbox.agents.dialogue import DialogueContext
from toolgym.sandbox.agents.examples import in_order, value_shape
from toolgym.sandbox.agents.form_filler import FormFiller
from toolgym.sandbox.agents.row_search import RowSearch
from toolgym.sandbox.agents.seen import Seen
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

RETAIL = get_domain("retail")
ORDERS = {model.__name__: model for model in RETAIL.models}["Order"]
WHO = (Fact(name="email", value="mei.fischer1915@example.org", on_request=True),)


def seen_of(user_id: str) -> Seen:
    """What the profile and the orders of a customer show."""
    seen = Seen(RETAIL, RETAIL.tools)
    seen.person = user_id
    with Session(RETAIL) as session:
        profile = session.call("get_user_details", {"user_id": user_id}).value
        seen.note(RETAIL.tools["get_user_details"], profile)
        for order_id in profile["orders"]:
            seen.note(
                RETAIL.tools["get_order_details"], session.call("get_order_details", {"order_id": order_id}).value
            )
    return seen


def test_several_texts_are_read_by_their_examples() -> None:
    goal = next(goal for goal in RETAIL.goals if goal.name == "modify_user_address")
    names = ("address1", "address2", "city", "state", "country", "zip")
    said = in_order(goal, names, "Please use 12 St. Mary Lane, Apt 4, New York, NY, USA, 10037 from now on.")
    assert said == dict(zip(names, ("12 St. Mary Lane", "Apt 4", "New York", "NY", "USA", "10037"), strict=True))
    assert in_order(goal, names, "It is 9 Elm Street, Boston, MA, USA, 02167.")["address2"] == ""
    assert in_order(goal, names, "It is in Boston.") == {}
    assert value_shape("12345") == r"\d\d\d\d\d" and value_shape("CA") == "[A-Z]{2}"


def test_rows_are_found_in_results_that_name_no_tables() -> None:
    rows = seen_of("mei_fischer_5469").rows
    tables = {table.__name__ for table, _ in rows}
    assert tables == {"User", "PaymentMethod", "Order", "Variant"}, "a payment is no payment method"
    assert all(row["user_id"] == "mei_fischer_5469" for (table, _), row in rows.items() if table.__name__ == "Order")


def test_a_misheard_key_is_taken_for_the_one_that_it_resembles() -> None:
    seen = seen_of("mei_fischer_5469")
    search, key = RowSearch(RETAIL, RETAIL.tools, seen), next(iter(seen.of(ORDERS)))
    assert search.key_heard(ORDERS, f"It is order {key[1:-1]}, please.") == key
    assert search.key_heard(ORDERS, "It is order W5, please.") is None


def briefed() -> Briefing:
    return Briefing(domain="retail", policy="", tools=tuple(RETAIL.tools.to_openai()), seed=0)


def test_nothing_is_told_or_changed_before_it_is_known_who_is_there() -> None:
    script = FormFiller(briefed()).script(DialogueContext("How much money is left on my gift card?"))
    asked = next(script)
    assert not asked.tool_calls and "email" in (asked.content or "")
    again = script.send([Message(role="user", content="I would rather not say.")])
    assert not again.tool_calls, "no call is guessed"
    found = script.send([Message(role="user", content="It is mei.fischer1915@example.org.")])
    assert found.tool_calls[0].name == "find_user_id_by_email"


def played(utterance: str, goal: Goal, gold: Sequence[ToolCall] = ()) -> Trajectory:
    task = Task(id="x", domain="retail", split="test", scenario="", facts=WHO, goals=(goal,), gold=tuple(gold))

    async def play() -> Trajectory:
        with Session(RETAIL, task=task) as session:
            return await run_episode(Episode(RETAIL, task, session, make_user("scripted")), make_agent("rules"))

    return asyncio.run(play())


def answered(question: str) -> Message:
    """What the form-filler says to a closed question about its proposal to cancel an order."""
    opening = "It is mei.fischer1915@example.org. Cancel order {}, please, I no longer need it."
    with Session(RETAIL) as session:
        profile = session.call("get_user_details", {"user_id": "mei_fischer_5469"}).value
        orders = {key: session.call("get_order_details", {"order_id": key}).value for key in profile["orders"]}
        order = next(key for key, row in orders.items() if row["status"] == "pending")
        other = next(key for key in orders if key != order)
        script = FormFiller(briefed()).script(DialogueContext(opening.format(order)))
        message, reply = next(script), ""
        for _ in range(12):
            if message.tool_calls:
                text = session.call(message.tool_calls[0].name, message.tool_calls[0].arguments).text
                reply = Message(role="tool", content=text)
            elif "?" in (message.content or "") and order in (message.content or ""):
                return script.send([Message(role="user", content=question.format(order=order, other=other))])
            else:
                reply = Message(role="user", content="No longer needed.")
            message = script.send([reply])
    raise AssertionError(message)


def test_a_closed_question_gets_a_yes_where_it_is_what_was_proposed() -> None:
    assert is_yes(answered("Do you mean that you would cancel order {order}?").content or "")


def test_a_closed_question_about_something_else_gets_another_proposal() -> None:
    put_right = answered("Do you mean that you would cancel order {other}?")
    assert not is_yes(put_right.content or "")


def test_a_matter_of_a_humans_is_handed_over() -> None:
    said = "I want to speak to a human agent: the parcel with the Kettle never reached me."
    wish = Goal(kind="transfer_to_human_agents", utterance=said, outcome="transferred")
    trajectory = played(said, wish, [ToolCall(name="transfer_to_human_agents", arguments={"summary": said})])
    assert [call.name for call in trajectory.calls if call.ok][-1] == "transfer_to_human_agents"
