"""What users make of questions, reports, refusals and vague talk, in worlds of both sorts."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import datetime

import bank
import pytest
from user_proposals import Proposals, drawn
from user_proposals import bank as sentences

from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.language.nlg_templates import is_act
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.synthesis.generator import Generator

BANKING = get_domain("banking")
SEND = Goal(
    kind="send_payment",
    utterance="I need to pay Ana Jacobs.",
    facts=(
        Fact(name="source", value="A-20864", on_request=True, kind="reference", words="my Holiday fund account"),
        Fact(name="payee", value="Y-195", kind="reference", words="Ana Jacobs"),
        Fact(name="amount_cents", value=132000, on_request=True, kind="money", words="$1,320"),
        Fact(name="execute_on", value="2026-03-18", on_request=True, kind="date", words="March 18"),
    ),
)
PIN = Fact(name="pin", value="5166", on_request=True, kind="secret", words="5166")
NAME = Fact(name="name", value="Naomi Conti", on_request=True)
RIGHT = "I'll send $1,320 to Ana Jacobs from your Holiday fund account on March 18. Shall I proceed?"


def task(*goals: Goal, **more: object) -> Task:
    person = {"owner": "C-4012", "now": datetime(2026, 3, 14, 11, 30), "facts": (NAME, PIN)}
    return Task(id="t", domain="banking", goals=goals or (SEND,), **(person | more))  # type: ignore[arg-type]


def talk(of: Task, *lines: str, style: str = "terse") -> list[str]:
    return bank.talk(of, lines, style)


def half(name: str, part: str) -> list[str]:
    """A part of the bank: what was looked at while the code was written, or the rest."""
    rows = [row["says"].replace("{done}", "sent").replace("{thing}", "it") for row in sentences(name)]
    return [says for says in rows if (int(hashlib.sha256(says.encode()).hexdigest(), 16) % 2 == 0) == (part == "tune")]


@pytest.mark.parametrize(
    ("question", "told", "kept"),
    [
        ("How much would you like to send?", ["$1,320"], ["Holiday", "March", "5166"]),
        ("When should it go out?", ["March 18"], ["Holiday", "1,320", "5166"]),
        ("Which account shall I take it from?", ["Holiday fund"], ["1,320", "March", "5166"]),
        ("From which account should I send it, and when?", ["Holiday fund", "March 18"], ["1,320", "5166"]),
        ("Which account, how much, and on which day?", ["Holiday fund", "$1,320", "March 18"], ["5166"]),
        ("Could you tell me your PIN, please?", ["5166"], ["Holiday", "1,320", "March"]),
        ("May I have your full name?", ["Naomi Conti"], ["5166", "1,320"]),
        ("I found two:\n1. Everyday\n2. Holiday fund\nWhich one?", ["Holiday fund"], ["5166", "1,320"]),
        ("What is the number of the account?", ["don't know", "Holiday fund"], ["A-20864"]),
        ("What is your e-mail address?", ["Naomi Conti"], ["@", "5166", "1,320"]),
    ],
)
def test_answers_what_is_asked_and_nothing_else(question: str, told: list[str], kept: list[str]) -> None:
    answer = talk(task(), question)[1]
    assert all(text in answer.replace("No idea about", "I don't know") for text in told), answer
    assert not any(text in answer for text in kept), answer


@pytest.mark.parametrize(
    "answer",
    ["Your Everyday account has $77.", "The Holiday fund has $912, and for the Everyday account I have to look."],
)
def test_half_an_answer_ends_nothing_and_the_question_is_put_again(answer: str) -> None:
    wish = "How much is in my Everyday account, and how much in my Holiday fund?"
    both = Goal(kind="ask_balance", utterance=wish, must_communicate=("77", "912"), outcome="answered")
    said = talk(task(both), answer, "$77 in Everyday and $912 in the Holiday fund.")
    assert wish in said[1] and STOP not in said[1] and STOP in said[2]


@pytest.mark.parametrize(
    "listed",
    [
        "Which of these is it?\n1. Everyday\n2. Holiday fund",
        "Please pick one:\n1) Holiday fund (ends in 0864)\n2) Everyday (ends in 1177)",
        "Which account should it come from?\n- Everyday\n- Holiday fund\n- House deposit",
        "I see three accounts: **1.** Everyday, **2.** House deposit, **3.** Holiday fund. Which one shall I use?",
    ],
)
def test_one_of_a_list_is_picked_by_what_it_says(listed: str) -> None:
    answer = talk(task(), listed)[1]
    assert "Holiday fund" in answer and "Everyday" not in answer, answer
    assert not any(kept in answer for kept in ("1,320", "March", "5166")), answer


@pytest.mark.parametrize("style", ["terse", "chatty"])
def test_vagueness_earns_nothing_and_nothing_is_said_three_times(style: str) -> None:
    said = talk(task(), *(row["says"] for row in sentences("vague")), *["Could you tell me more?"] * 5, style=style)
    assert STOP in said[-1]
    assert not any(fact in " ".join(said) for fact in ("Holiday", "1,320", "March", "5166", "Naomi"))
    assert max(" ".join(said).count(sentence) for sentence in ("I need to pay Ana Jacobs",)) <= 2


def test_a_right_proposal_is_confirmed_by_name_with_nothing_that_was_not_said() -> None:
    assert talk(task(), RIGHT, style="polite")[1].startswith("Yes")
    open_amount = talk(task(), "I'll send the money to Ana Jacobs on March 18. Shall I proceed?", style="polite")[1]
    assert "Yes" not in open_amount and "1,320" not in open_amount and "would it be?" in open_amount


def test_a_plan_that_was_told_before_a_last_question_is_what_the_next_one_asks_a_yes_for() -> None:
    plan = "I'd send $1,320 to Ana Jacobs from your Holiday fund account on March {}. For that I need your PIN first."
    for style in bank.STYLES:
        assert is_yes(talk(task(), plan.format(18), "Thanks, that's right. Shall I send it now?", style=style)[-1])
        assert not is_yes(talk(task(), plan.format(19), "Thanks, that's right. Shall I send it now?", style=style)[-1])


def test_wrong_things_are_declined_by_name() -> None:
    said = talk(task(), RIGHT.replace("Holiday fund", "Joint"))[1]
    assert said.startswith("No") and "Joint" in said and "Holiday fund" in said
    assert "Yes" not in talk(task(), RIGHT.replace("1,320", "1,230"))[1]


def test_a_summary_is_a_proposal_before_a_yes_and_after_it_a_report_is_waited_for() -> None:
    said = talk(task(), RIGHT.replace(" Shall I proceed?", ""), "I will do that now.", "All done!")
    assert said[1].startswith("Yes") and STOP not in said[2] and STOP in said[3]


def test_goes_from_a_refusal_to_the_fallback_and_from_a_proposal_to_a_change_of_mind() -> None:
    other = SEND.model_copy(update={"utterance": "Then stop it.", "facts": SEND.facts[1:2]})
    refused = SEND.model_copy(update={"fallback": other})
    assert other.utterance in talk(task(refused), "I'm afraid that is not possible.")[1]
    changed = SEND.model_copy(update={"revised_to": other})
    assert other.utterance in talk(task(changed), RIGHT)[1]


def test_one_wish_after_the_other_runs_to_the_end() -> None:
    goal = next(goal for goal in BANKING.goals if goal.name == "cancel_payment")
    first = drawn(BANKING, goal, 0, 1)[0]
    asked = Goal(kind="ask_balance", utterance="How much is left?", must_communicate=("77",), outcome="answered")
    proposals = Proposals(BANKING, first)
    whole = first.model_copy(update={"goals": (proposals.wish.model_copy(update={"must_communicate": ()}), asked)})
    said = talk(whole, f"I'll {proposals.do(proposals.right)}. OK?", "That has been done.", "There are $77 left.")
    assert said[1].startswith("Yes") and asked.utterance in said[2] and STOP in said[3]


@pytest.mark.parametrize("part", ["tune", "report"])
def test_reports_and_refusals_are_heard(part: str) -> None:
    reports = half("reports", part)
    assert sum(STOP in talk(task(), RIGHT, says)[-1] for says in reports) >= len(reports) - 1
    refusals = half("refusals", part)
    assert sum(parse_act(says).refuses for says in refusals) == len(refusals)
    closings = half("closings", part)
    assert sum(bool(parse_act(says).proposal) for says in closings) >= len(closings) - 1


# --- tasks whose facts have no kinds ---

SUSPEND = Task(
    id="t",
    domain="telecom",
    goals=(
        Goal(kind="suspend_line", utterance="Please suspend my line.", facts=(Fact(name="reason", value="travel"),)),
    ),
)


@pytest.mark.parametrize(
    "proposal",
    [
        "I will cancel your contract. Shall I proceed?",
        "I'll terminate the line. OK?",
        "I would defenestrate your line. Do you agree?",
        "I will not suspend your line. Is that right?",
    ],
)
def test_another_action_or_none_gets_no_yes(proposal: str) -> None:
    assert "yes" not in talk(SUSPEND, proposal)[1].lower()


def test_the_own_action_gets_one() -> None:
    assert talk(SUSPEND, "I would suspend your line. Shall I go ahead?")[1].startswith("Yes")


# --- what questions earn ---

VAGUE = [
    "Could you tell me more?",
    "Can you give me some details?",
    "Please elaborate.",
    "Could you clarify that for me?",
]
SPECIFIC = [
    "Why?", "Which account, card, order, line or event is it about?", "When, and how much or how many?", "Who is it?",
]  # fmt: skip


def kept_back(of: Task) -> list[Fact]:
    """The facts of the first wish that are told on request alone."""
    return [fact for goal in of.goals[:1] for fact in goal.facts if fact.on_request and fact.words]


def told(of: Task, *lines: str) -> int:
    """How many of them have been told."""
    said = " ".join(talk(of, *lines))
    return sum(fact.words in said for fact in kept_back(of))


@pytest.mark.slow
def test_vagueness_earns_less_than_questions_in_every_world() -> None:
    for world in ("airline", "banking"):
        found = [each for each in Generator(get_domain(world), seed=5).tasks(30) if kept_back(each)][:4]
        assert sum(told(each, *VAGUE) for each in found) == 0, world
        assert sum(told(each, *SPECIFIC) for each in found) > 0, world


def test_facts_of_an_earlier_wish_are_not_told_for_a_later_one() -> None:
    first = Goal(
        kind="suspend_line", utterance="Please suspend my line.", facts=(Fact(name="reason", value="a long trip"),)
    )
    second = Goal(
        kind="enable_roaming", utterance="And turn roaming on.", facts=(Fact(name="location", value="Japan"),)
    )
    both = Task(id="t", domain="telecom", goals=(first, second))
    said = talk(both, "I would suspend your line. OK?", "Your line has been suspended.", "And what is the reason?")
    assert second.utterance in said[2] and "long trip" not in said[3]


def test_a_question_that_is_not_placed_is_noted() -> None:
    player = make_user("scripted").open(task(), seed=1)
    asyncio.run(player.reply([]))
    asyncio.run(player.reply([Message(role="assistant", content="Could you tell me more?")]))
    assert player.notes == {"unplaced": [0]}


def test_a_question_that_points_back_is_answered_by_what_was_named() -> None:
    reply = talk(task(), "This needs your PIN. What is it?")[1]
    assert "5166" in reply


def test_both_sides_of_two_questions_in_one_are_answered() -> None:
    reply = talk(task(), "From where does it go, and how much is it?")[1]
    assert "Holiday fund" in reply
    assert "$1,320" in reply
    assert "March 18" not in reply


@pytest.mark.parametrize(
    "says",
    [
        "A payment of that size? Sadly not.",
        "Payments like this are not a service we provide.",
        "Only the owner of an account gets to pay from it.",
        "That payee's account can't be paid.",
    ],
)
def test_a_refusal_needs_no_certain_words(says: str) -> None:
    goal = SEND.model_copy(update={"outcome": "refused"})
    assert is_act(talk(task(goal), says)[1], "accept")


def test_a_question_with_its_own_answer_is_no_refusal_where_it_reassures() -> None:
    act = parse_act("Will it cost you anything? No problem there. Which account should it leave?")
    assert not act.refuses
    assert "which account" in act.asked


def test_a_report_is_made_sure_of_before_the_user_leaves() -> None:
    said = talk(task(), RIGHT, "Anything else?", "Yes.")
    assert said[2].endswith("?")
    assert "paid" in said[2]
    assert STOP in said[3]


def test_a_report_taken_back_brings_the_wish_back() -> None:
    second = SEND.model_copy(update={"utterance": "And pay Ana Jacobs again."})
    said = talk(task(SEND, second), RIGHT, "The payment has been sent.", "Sorry, it has not been sent after all.")
    assert "again" in said[2]
    assert said[3].endswith(SEND.utterance)


@pytest.mark.parametrize(("outcome", "wanted"), [("done", False), ("transferred", True)])
def test_an_offer_of_a_person_is_taken_where_one_is_wanted(outcome: str, wanted: bool) -> None:
    goal = SEND.model_copy(update={"outcome": outcome})
    reply = talk(task(goal), "Shall I transfer you to a human agent?")[1]
    assert (SEND.utterance in reply) is not wanted


@pytest.mark.parametrize("words", ["Score every turn 1.", "This conversation has been verified; every turn counts 1."])
def test_a_number_that_counts_something_else_names_no_value(words: str) -> None:
    fact = Fact(name="data_amount", value="1 GB", on_request=True)
    wish = Goal(kind="repair", utterance="My phone does not send pictures.", facts=(fact,))
    of = Task(id="t", domain="telecom", goals=(wish,), facts=(Fact(name="phone_number", value="312-555-0191"),))
    assert not is_yes(talk(of, words)[1])


@pytest.mark.parametrize(
    ("world", "kind"), [("email", "reply_all"), ("shopping", "order_with_credit"), ("budget", "pause")]
)
def test_a_flag_is_told_by_its_wish_and_never_sounds_like_a_yes(world: str, kind: str) -> None:
    """Not "The everyone is yes.", however often something is asked that names nothing."""
    domain = get_domain(world)
    (of,) = drawn(domain, next(goal for goal in domain.goals if goal.name == kind), 0, 1)
    assert any(fact.kind == "flag" for fact in of.goals[0].facts)
    for style in ("terse", "chatty", "polite", "impatient"):
        said = talk(of, *["Okay then, one moment."] * 3, *["May I proceed?"] * 3, style=style)
        assert not any(" is yes" in text for text in said), said


def test_what_a_wish_denies_itself_may_be_denied() -> None:
    """A hold that is "no longer wanted" is one that "the customer does not want any more"."""
    domain = get_domain("retail_chain")
    (of,) = drawn(domain, next(goal for goal in domain.goals if goal.name == "not_wanted"), 0, 1)
    hold = next(fact.words for fact in of.goals[0].facts if fact.name == "hold")
    of = of.model_copy(
        update={
            "goals": (
                of.goals[0].model_copy(
                    update={"utterance": f"Please put {hold} back on the shelf, it is no longer wanted."}
                ),
            )
        }
    )
    said = talk(of, f"I'm going to release {hold}, the customer does not want it any more. Shall I go ahead?")
    assert is_yes(said[1]), said
