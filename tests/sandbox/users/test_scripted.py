"""The scripted user: tells what is asked, agrees to what it wants and to nothing else, and always ends."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP, Json, Message, ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.language.nlg_templates import STYLES
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.users.fact_extraction import first_person

LAMP: dict[str, Json] = {
    "name": "Desk Lamp",
    "options": {"color": "black", "power source": "USB"},
    "item_id": "5320792178",
    "product_id": "6817146515",
}
WHITE: dict[str, Json] = {**LAMP, "options": {"color": "white", "power source": "USB"}, "item_id": "1569765161"}
SHOES: dict[str, Json] = {"name": "Running Shoes", "options": {"size": "9"}, "item_id": "4107812777"}
ADDRESS: dict[str, Json] = {
    "address1": "445 Maple Drive",
    "address2": "Suite 394",
    "city": "Fort Worth",
    "state": "TX",
    "country": "USA",
    "zip": "76165",
}
IDENTITY = (
    Fact(name="first_name", value="Mei", on_request=True),
    Fact(name="last_name", value="Patel", on_request=True),
    Fact(name="zip", value="76165", on_request=True),
)


def goal(kind: str = "cancel_pending_order", say: str = "I want to cancel an order.", **facts: Json) -> Goal:
    return Goal(kind=kind, utterance=say, facts=tuple(Fact(name=name, value=value) for name, value in facts.items()))


CANCEL = Goal(
    kind="cancel_pending_order",
    utterance="I want to cancel my order.",
    facts=(
        Fact(name="order_id", value="#W4082615", on_request=True),
        Fact(name="reason", value="ordered by mistake", on_request=True),
    ),
)
EXCHANGE = goal(
    "exchange_delivered_order_items",
    "I'd like my black desk lamp exchanged for a white one.",
    order_id="#W4082615",
    items=[LAMP],
    new_items=[WHITE],
    payment="credit card ending in 9212",
)
RETURN = goal(
    "return_delivered_order_items", "I am sending back the lamp and the shoes.", items=[LAMP, SHOES], payment="PayPal"
)
ASK = Goal(kind="ask", utterance="What does the lamp cost?", must_communicate=("153.23",), outcome="answered")


def make_task(*goals: Goal, facts: Sequence[Fact] = IDENTITY, persona: str = "terse", **more: Any) -> Task:
    domain = "kiosk" if goals[0].kind in get_domain("kiosk").tools else "retail"
    return Task(id="t", domain=domain, goals=goals, facts=tuple(facts), persona=persona, **more)


def talk(task: Task, *lines: str, seed: int = 0, **options: Any) -> list[str]:
    """The user's messages when the agent says these lines; stops where the user does."""

    async def run() -> list[str]:
        player = make_user("scripted", options).open(task, seed=seed)
        messages: list[Message] = []
        said = []
        for line in (None, *lines):
            if line is not None:
                messages.append(Message(role="assistant", content=line))
            messages.append(await player.reply(messages))
            said.append(messages[-1].content or "")
            if STOP in said[-1]:
                break
        return said

    return asyncio.run(run())


def agrees(text: str) -> bool:
    return text.startswith("Yes")


# --- telling ---


def test_opens_with_the_first_wish_and_what_is_not_withheld() -> None:
    (opening,) = talk(make_task(CANCEL, facts=(Fact(name="email", value="a@example.com"), *IDENTITY)))
    assert CANCEL.utterance in opening and "a@example.com" in opening
    assert "Mei" not in opening and "#W4082615" not in opening


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("question", "expected", "kept"),
    [
        ("Could you give me your e-mail, or your first name, last name and zip code?", ["Mei Patel", "76165"], ["#W"]),
        ("Please verify your identity first.", ["Mei Patel", "76165"], ["#W"]),
        ("What is your zip code?", ["76165"], ["Mei"]),
        ("Which order is it about?", ["#W4082615"], ["Mei", "mistake"]),
        ("May I have the order number and the reason for cancelling?", ["#W4082615", "ordered by mistake"], ["Mei"]),
        ("Why do you want to cancel?", ["ordered by mistake"], ["#W4082615"]),
    ],
)
def test_answers_exactly_what_is_asked(style: str, question: str, expected: list[str], kept: list[str]) -> None:
    answer = talk(make_task(CANCEL), question, style=style)[1]
    assert all(text.lower() in answer.lower() for text in expected), answer
    assert not any(text in answer for text in kept), answer


def test_understands_the_lists_that_models_write() -> None:
    said = talk(
        make_task(CANCEL),
        "Happy to help! Please provide either:\n1. Your email address, or\n2. Your first name, last name and zip code.",
        "Thanks, Mei. Before I proceed, I need the following:\n- **Order ID**\n- **Reason** for the cancellation",
        "I found:\n- **Order ID:** #W4082615\n- **Total:** $10\n\nShall I cancel it, and which reason applies?",
    )
    assert "Mei Patel" in said[1] and "#W4082615" not in said[1]
    assert "#W4082615" in said[2] and "ordered by mistake" in said[2].lower()
    assert agrees(said[3]) and "ordered by mistake" in said[3].lower()


def test_says_that_it_does_not_know() -> None:
    forgetful = make_task(CANCEL, scenario="You do not remember your e-mail address.")
    answer = talk(forgetful, "What is your e-mail address?")[1]
    assert re.search(r"don't know|no idea", answer, re.IGNORECASE) and "e-mail" in answer
    assert "Mei Patel" in talk(make_task(CANCEL), "What is your e-mail address?")[1], "it says what it has"
    assert "preference" in talk(make_task(EXCHANGE), "What is the reason?")[1]


def test_describes_items_and_addresses_in_words() -> None:
    said = talk(make_task(EXCHANGE), "Which item is it?", "Which options would you like for the new item?")
    assert "Desk Lamp (color: black" in said[1] and "color: white" in said[2]
    change = goal("modify_user_address", "I moved.", address=ADDRESS)
    assert "445 Maple Drive, Suite 394, Fort Worth, TX, USA, 76165" in talk(make_task(change), "What address?")[1]


def test_the_zip_code_of_a_new_address_is_not_the_users() -> None:
    moved = goal("modify_user_address", "I moved.", address={**ADDRESS, "zip": "10001"})
    answer = talk(make_task(moved), "What is the new address, with city, state and zip code?")[1]
    assert "10001" in answer and "76165" not in answer and "know" not in answer


def test_facts_that_only_this_domain_has() -> None:
    task = get_domain("kiosk").tasks("train")[0]
    assert "A2" in talk(task, "Which seat do you want?")[1]


# --- agreeing and objecting ---

MOVE = goal("modify_pending_order_address", "Send my order elsewhere.", order_id="#W4082615", address=ADDRESS)

RIGHT = [
    (MOVE, "I would change the address of order #W4082615 to 445 Maple Drive, 76165. Shall I go ahead?"),
    (MOVE, "Shall I send order #W4082615 to 445 Maple Drive?"),
    (CANCEL, "I will cancel order #W4082615, reason: ordered by mistake. Do you confirm (yes/no)?"),
    (
        EXCHANGE,
        "You want the Desk Lamp (5320792178) exchanged for item 1569765161 in order #W4082615. Is this correct?",
    ),
    (EXCHANGE, "Shall I exchange the desk lamp (black) for the white one, paid by credit card ending in 9212?"),
    (
        RETURN,
        "- Desk Lamp\n- Running Shoes\nThe refund goes to your PayPal account. Please confirm that I may proceed.",
    ),
    (goal("modify_user_address", "I moved.", address=ADDRESS), "New address: 445 Maple Drive, TX 76165. Proceed?"),
]
WRONG = [
    (CANCEL, "Shall I cancel order #W9999999?", "#W9999999"),
    (CANCEL, "Cancel order #W4082615 with the reason 'no longer needed' (yes/no)?", "no longer needed"),
    (EXCHANGE, "Exchange item 5320792178 for item 7777777777. Do you confirm?", None),
    (EXCHANGE, "Exchange the lamp for the white one using your gift card. Is that right?", "9212"),
    (EXCHANGE, "Exchange the lamp for the white one with the credit card ending in 1111. Is that right?", "9212"),
    (RETURN, "Shall I return the Desk Lamp?", "Running Shoes"),
    (RETURN, "Shall I return the Desk Lamp and the shoes to your credit card?", "PayPal"),
    (goal("modify_user_address", "I moved.", address=ADDRESS), "New address: 12 Oak Street, 10001. Ok?", None),
    (EXCHANGE, "Exchange the lamp (color: black) for the white one (power source: mains). Is that right?", None),
    (MOVE, "I would cancel order #W4082615. Shall I go ahead?", None),
    (MOVE, "I would change the options of an item in order #W4082615. Shall I go ahead?", None),
    (MOVE, "I'll change your profile's address to 445 Maple Drive, TX 76165. Shall I go ahead?", None),
    (
        goal("exchange_delivered_order_items", "A kettle for my lamp.", items=[LAMP], new_items=[{"name": "Kettle"}]),
        "I would exchange the Desk Lamp for a Desk Lamp (color: white). Shall I go ahead?",
        None,
    ),
    (goal("reserve_ticket", "A seat.", evening="Friday", seat="A2"), "Shall I book A2 on Sunday?", "Friday"),
    (goal("reserve_ticket", "A seat.", evening="Friday", seat="A2"), "Shall I book B1 on Friday?", "A2"),
]


@pytest.mark.parametrize(("wish", "proposal"), RIGHT)
def test_agrees_to_a_right_proposal(wish: Goal, proposal: str) -> None:
    assert agrees(talk(make_task(wish), proposal)[1])


@pytest.mark.parametrize(("wish", "proposal", "correction"), WRONG)
def test_objects_to_a_wrong_proposal(wish: Goal, proposal: str, correction: str | None) -> None:
    answer = talk(make_task(wish), proposal)[1]
    assert not agrees(answer)
    assert correction is None or correction in answer, answer


def test_a_wrong_proposal_stays_wrong() -> None:
    said = talk(make_task(CANCEL), *["Shall I cancel order #W9999999?"] * 9)
    assert not any(agrees(text) for text in said) and STOP in said[-1]


def test_declines_another_action() -> None:
    answer = talk(make_task(CANCEL), "Would you like me to return the items of your order?")[1]
    assert not agrees(answer) and CANCEL.utterance in answer
    assert not agrees(talk(make_task(CANCEL), "Shall I transfer you to a human agent?")[1])
    assert not agrees(talk(make_task(ASK), "Shall I cancel it?")[1])


# --- the agenda ---


def test_a_wish_that_turns_out_impossible_is_replaced() -> None:
    wish = EXCHANGE.model_copy(update={"fallback": RETURN})
    said = talk(make_task(wish), "Unfortunately, the white lamp is not available. Would you like another color?")
    assert RETURN.utterance in said[1] and not agrees(said[1])


def test_a_caveat_is_no_refusal() -> None:
    wish = CANCEL.model_copy(update={"fallback": RETURN})
    assert agrees(talk(make_task(wish), "Note that this cannot be undone. Shall I cancel the order #W4082615?")[1])
    assert "Mei" in talk(make_task(wish), "I can't look at it until you give me your name and zip code.")[1]


def test_a_wish_changes_after_the_first_proposal() -> None:
    wish = EXCHANGE.model_copy(update={"revised_to": RETURN})
    said = talk(make_task(wish), "Shall I exchange the lamp for the white one?", "Return lamp and shoes to PayPal. OK?")
    assert RETURN.utterance in said[1] and not agrees(said[1])
    assert "Yes" in talk(make_task(wish), "Shall I exchange the lamp?", "Shall I return the lamp and the shoes?")[2]


def test_goes_on_to_the_next_wish_and_ends() -> None:
    said = talk(
        make_task(CANCEL, RETURN),
        "Shall I cancel order #W4082615?",
        "I have cancelled the order.",
        "Shall I return the lamp and the shoes?",
        "Your return has been processed.",
    )
    assert RETURN.utterance in said[2] and agrees(said[3]) and said[4].endswith(STOP)


@pytest.mark.parametrize(
    "report",
    [
        "Your order has been cancelled.",
        "I've successfully canceled order #W4082615. Is there anything else I can help you with?",
        "Done! Is there something else?",
        "All set. Your refund will arrive in 5 days.",
    ],
)
def test_recognises_a_report(report: str) -> None:
    assert STOP in talk(make_task(CANCEL), "Shall I cancel it?", report)[2]


@pytest.mark.parametrize(
    "line",
    [
        "Once cancelled, it stays cancelled.",
        "I will cancel it now.",
        "Your order can be cancelled.",
        "Your order has been delivered.",
        "It has not been cancelled yet.",
    ],
)
def test_what_is_no_report(line: str) -> None:
    assert STOP not in talk(make_task(CANCEL), line)[1]


def test_a_refusal_is_accepted_where_policy_forbids_the_wish() -> None:
    wish = CANCEL.model_copy(update={"outcome": "refused"})
    assert STOP in talk(make_task(wish), "I am sorry, but I can't cancel a delivered order. Want a human agent?")[1]


def test_a_mere_apology_is_questioned_once() -> None:
    wish = CANCEL.model_copy(update={"outcome": "refused", "must_communicate": ("cannot|can't", "order")})
    said = talk(make_task(wish), "I am sorry, no: that's not possible.", "As delivered orders can't be cancelled.")
    assert CANCEL.utterance in said[1] and STOP in said[2]
    assert STOP in talk(make_task(wish), *["I am sorry, no: that's not possible."] * 2)[2]


def test_insists_before_giving_up_a_wish() -> None:
    said = talk(make_task(CANCEL), *["That is not possible."] * 5)
    assert CANCEL.utterance in said[1] and STOP not in said[2] and STOP in said[-1]


def test_asks_for_a_person_where_one_is_needed() -> None:
    wish = CANCEL.model_copy(update={"outcome": "transferred"})
    said = talk(make_task(wish), "I cannot do that.", "Shall I transfer you to a human agent?")
    assert STOP not in said[1] and agrees(said[2])
    assert STOP in talk(make_task(wish), "I have transferred you to a specialist. Please stay in the chat.")[1]


def test_who_asks_for_a_name_refuses_nothing() -> None:
    reply = talk(make_task(CANCEL), "I'm sorry that it was not as hoped. To look into this, may I have your e-mail?")[1]
    assert "Mei Patel" in reply and CANCEL.utterance not in reply


@pytest.mark.parametrize(
    ("answer", "enough"),
    [
        ("It costs $153.23.", True),
        ("It is 153.230 dollars.", True),
        ("It costs $53.23.", False),
        ("It costs $1153.23.", False),
        ("The lamp is nice.", False),
    ],
)
def test_waits_for_the_answer(answer: str, enough: bool) -> None:
    assert (STOP in talk(make_task(ASK), answer)[1]) is enough


def test_numbers_are_whole_words() -> None:
    six = ASK.model_copy(update={"must_communicate": ("6",)})
    assert STOP not in talk(make_task(six), "T106 costs 16.6 and 60")[1]
    assert STOP in talk(make_task(six), "There are 6.")[1]
    thousand = ASK.model_copy(update={"must_communicate": ("1234.5",)})
    assert STOP in talk(make_task(thousand), "That makes $1,234.50 in all.")[1]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("line", ["Hm.", "What is your e-mail?", "Shall I go ahead?", "", "Which order?", "🙂" * 50])
def test_ends_when_the_agent_goes_in_circles(style: str, line: str) -> None:
    assert STOP in talk(make_task(CANCEL, EXCHANGE), *[line] * 40, style=style)[-1]


# --- determinism and truth ---


def test_a_seed_fixes_the_words_and_seeds_vary_them() -> None:
    task = make_task(CANCEL, persona="")
    lines = ("Your name?", "Which order?", "Shall I cancel it?", "It has been cancelled.")
    runs = {tuple(talk(task, *lines, seed=seed)) for seed in range(20)}
    assert len(runs) > 5
    assert talk(task, *lines, seed=3) == talk(task, *lines, seed=3)


def test_a_persona_names_the_style() -> None:
    assert talk(make_task(CANCEL, persona="A chatty student."), "Name?") == talk(
        make_task(CANCEL, persona="A chatty student."), "Name?", style="chatty"
    )


def test_a_wrong_style_is_answered_with_the_right_ones() -> None:
    with pytest.raises(BadInput, match="did you mean 'terse'"):
        make_user("scripted", {"style": "tersee"})


_FRAGMENTS = st.sampled_from(
    [
        "Could you tell me your e-mail and zip?",
        "What is your user id?",
        "Which order number?",
        "Is your order #W1111111?",
        "Shall I cancel order #W2222222?",
        "I'm sorry, that's not possible.",
        "It has been cancelled.",
        "Which items and which payment method?",
        "Refund of $12.34 to credit card ending in 3333, ok?",
        "What address: 99 Elm Street, 10001?",
        "Is there anything else?",
        "One moment please.",
    ]
)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(st.lists(_FRAGMENTS, min_size=1, max_size=3).map(" ".join), max_size=12), seed=st.integers(0, 99))
def test_never_says_a_number_or_an_address_that_the_task_does_not_hold(lines: list[str], seed: int) -> None:
    task = make_task(CANCEL, EXCHANGE, RETURN, ASK, persona="")
    known = task.model_dump_json() + " ".join(lines)  # what is wrong is declined by name
    for said in talk(task, *lines, seed=seed):
        for token in re.findall(r"[#\w@.-]*\d[\w@.-]*\w|\S+@\S+|\d", said):
            assert token in known, (token, said)


_ASKING_NOTHING = st.sampled_from(
    [
        "Hello, how can I help you today?",
        "I'm sorry, that's not possible.",
        "It has been cancelled.",
        "Is there anything else?",
        "One moment please.",
        "Shall I go ahead?",
        "Do you confirm (yes/no)?",
        "Your account is in good order.",
        "I need a moment.",
        "",
    ]
)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(_ASKING_NOTHING, max_size=12), seed=st.integers(0, 99))
def test_never_tells_a_withheld_fact_unasked(lines: list[str], seed: int) -> None:
    said = " ".join(talk(make_task(CANCEL, persona=""), *lines, seed=seed))
    for fact in (*CANCEL.facts, *IDENTITY):
        assert str(fact.value) not in said


@pytest.mark.parametrize("identifier", ["kiosk-1", "kiosk-2", "kiosk-3", "kiosk-4", "kiosk-6"])
@pytest.mark.parametrize(
    "says", ["Anything else?", "6 seats are free on Monday. Anything else?", "Thank you.", "One moment."]
)
def test_what_proposes_nothing_gets_no_yes(identifier: str, says: str) -> None:
    assert not is_yes(talk(get_domain("kiosk").task(identifier), says)[-1])


# --- imported tasks with free text ---


def test_plays_a_task_that_is_prose() -> None:
    move = {"order_id": "#W1234567", **ADDRESS}
    wish = Goal(
        kind="ask",
        utterance="I want to return the cleaner and to correct the address of another order.",
        calls=(
            ToolCall(
                name="return_delivered_order_items",
                arguments={"order_id": "#W2378156", "item_ids": ["4602305039"], "payment_method_id": "paypal_1"},
            ),
            ToolCall(name="modify_pending_order_address", arguments=move),
        ),
    )
    known = Fact(name="known_info", value="You are Yusuf Rossi in zip code 19122.")
    said = talk(
        make_task(wish, facts=[known]),
        "Your e-mail, or your full name and zip code?",
        "Which order?",
        "Shall I return item 4602305039 of order #W2378156 to your PayPal account?",
        "It has been returned.",
        "Which address?",
        "Shall I change order #W1234567 to 445 Maple Drive, 76165?",
        "Changed: it has been updated.",
    )
    assert "Yusuf Rossi" in said[1] and "19122" in said[1] and "#W2378156" in said[2]
    assert agrees(said[3]) and "#W1234567" in said[4] and "445 Maple Drive" in said[5]
    assert agrees(said[6]) and STOP in said[7]


def test_a_situation_told_to_the_user_becomes_the_users_words() -> None:
    text = "You want to return your lamp. If the agent asks you to confirm, say no. Ask the agent to help you."
    assert first_person(text) == "I want to return my lamp. Ask you to help me."
    assert first_person("Make sure you win.") == "Make sure I win.", "something has to be said"


# --- users who hold tools ---


class Torch:
    """Drives the tools of a user who can switch a torch on."""

    def follow(self, text: str, done: Sequence[tuple[ToolCall, str]] = (), before: str = "") -> Sequence[ToolCall]:
        return [ToolCall(name="switch", arguments={}, id="c1")] if "switch it on" in text and not done else []

    def report(self, call: ToolCall, result: str) -> str:
        return f"I did {call.name}: {result}"

    def ask(self, call: ToolCall) -> str:
        return "Please switch it on."


def test_follows_spoken_instructions_with_its_own_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    names, load = registry.names, registry.load
    driven = "user_tool_drivers"
    monkeypatch.setattr(registry, "names", lambda group: ["retail"] if group == driven else names(group))
    monkeypatch.setattr(registry, "load", lambda group, name: Torch() if group == driven else load(group, name))
    from toolgym.sandbox.users.scripted import ScriptedUser

    player = ScriptedUser().open(make_task(CANCEL), seed=0, tools=[{"type": "function"}])
    heard = [Message(role="user", content="Hi"), Message(role="assistant", content="Please switch it on.")]
    action = asyncio.run(player.reply(heard))
    assert [call.name for call in action.tool_calls] == ["switch"]
    result = Message(role="tool", content="light", tool_call_id="c1", name="switch")
    assert asyncio.run(player.reply([*heard, action, result])).content == "I did switch: light"
