"""Consent by call: each change is shown to the user, a no is a refusal in the log, the record holds the answers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from openai_server import OpenAIServer

from toolgym import BadInput, Session, make
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.evaluation.voids import is_void
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Approval, Consent, Shown, shown_call
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.events import events_of
from toolgym.sandbox.runtime.info import ScriptedNotes, UserChecks
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, User, make_agent, make_user
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line

BANKING = get_domain("banking")
TASK = BANKING.tasks("test", "v2")[1]
"""A payment to somebody, then a transfer between own accounts."""
VERIFY, PAY = TASK.goals[0].calls


class Steps:
    """An agent that makes these steps, one after the other."""

    privileged = False

    def __init__(self, *steps: Message) -> None:
        self._steps = list(steps)

    def open(self, briefing: Briefing) -> Steps:
        self.briefing = briefing
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        return self._steps.pop(0) if self._steps else Message(role="assistant", content="Anything else?")


def calls(*made: ToolCall) -> Message:
    return Message(role="assistant", tool_calls=made)


def paying(**changes: object) -> ToolCall:
    assert isinstance(PAY.arguments, dict)
    return ToolCall(name=PAY.name, arguments=PAY.arguments | changes)  # type: ignore[arg-type]


async def play(agent: Steps, user: User | None = None, consent: Consent = "call", task: Task = TASK) -> Trajectory:
    with Session(BANKING, task=task) as session:
        episode = Episode(BANKING, task, session, user or make_user("scripted"), seed=3, consent=consent)
        return await run_episode(episode, agent, user_name="scripted")


async def test_a_right_change_is_made_and_a_wrong_one_is_a_refusal_with_the_users_words() -> None:
    wrong = paying(amount_cents=9999)
    played = await play(Steps(calls(VERIFY), calls(wrong, paying()), calls(paying())))
    assert [(record.name, record.error) for record in played.calls][:4] == [
        ("verify_pin", None),
        ("send_payment", "declined"),
        ("send_payment", "not_asked"),
        ("send_payment", None),
    ]
    assert played.calls[1].message == "No, $72.51, please."
    assert [(each.call, each.approved, each.by) for each in played.approvals] == [
        (1, False, "scripted"),
        (3, True, "scripted"),
    ]
    assert "account_id" in str(played.approvals[0].shown.rows) or played.approvals[0].shown.rows
    assert [change.table for change in played.diff if change.before is None] == ["payments"]
    with Session(BANKING, task=TASK) as again:
        assert again.replay(played.calls) == [] and again.diff() == list(played.diff)


async def test_the_record_says_how_consent_was_given_and_older_ones_mean_words() -> None:
    played = await play(Steps(calls(VERIFY), calls(paying())))
    assert parse_line(played.to_line()) == played and played.consent == "call"
    spoken = await play(Steps(calls(VERIFY)), consent="words")
    line = spoken.to_line()
    assert '"consent":"words"' in line and "approvals" not in line
    older = line.replace('"consent":"words",', "").replace('"format_version":3', '"format_version":2')
    assert parse_line(older).consent == "words"


async def test_conduct_reads_approvals_where_it_read_yeses() -> None:
    made = Steps(calls(VERIFY), calls(paying()))
    kinds = [violation.kind for violation in verify(await play(made)).violations]
    assert "unconfirmed_write" not in kinds
    spoken = await play(Steps(calls(VERIFY), calls(paying())), consent="words")
    assert "unconfirmed_write" in [violation.kind for violation in verify(spoken).violations]


async def test_the_policy_says_who_asks() -> None:
    agent = Steps()
    await play(agent)
    assert "shown to the user by the system" in agent.briefing.policy
    await play(agent, consent="words")
    assert "shown to the user by the system" not in agent.briefing.policy


async def test_whoever_only_tries_values_is_left() -> None:
    played = await play(Steps(calls(VERIFY), *(calls(paying(amount_cents=number)) for number in (1, 2, 3, 4))))
    assert played.termination == "user_stop" and len(played.approvals) == 3
    assert not any(change.table == "payments" for change in played.diff)


async def test_calls_that_need_no_yes_or_that_no_tool_takes_are_not_shown() -> None:
    read = ToolCall(name="list_accounts", arguments={})
    played = await play(Steps(calls(read), calls(paying(amount_cents="much")), calls(paying(payee_id="Y-999999"))))
    assert played.approvals == () and [record.error for record in played.calls] == [
        None,
        "invalid_arguments",
        "not_found",
    ]


async def test_the_demonstrator_passes_cleanly_under_both() -> None:
    for consent in ("words", "call"):
        for task in BANKING.tasks("test", "v2")[:6]:
            with Session(BANKING, task=task) as session:
                episode = Episode(BANKING, task, session, make_user("scripted"), seed=1, consent=consent)
                verdict = verify(await run_episode(episode, make_agent("demonstrator")))
            assert verdict.passed() and verdict.well_conducted, (task.id, consent)


class Mute:
    """A user that cannot be shown calls."""

    def open(self, task: Task, *, seed: int, tools: Sequence[object] = ()) -> Mute:
        return self

    async def reply(self, messages: Sequence[Message]) -> Message:
        return Message(role="user", content="Hello.")


async def test_a_user_that_cannot_approve_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="this user has no method `approve`"):
        await play(Steps(), Mute())


async def test_a_language_model_answers_the_shown_call_in_json() -> None:
    answers = ['{"approve": false, "say": "Not that much."}', "Hm.", '```json\n{"approve": true}\n```']
    with OpenAIServer("banking") as server:

        async def brain(body: dict[str, object]) -> dict[str, object]:
            last = body["messages"][-1]["content"]  # type: ignore[index]
            text = answers.pop(0) if "about to be made for you" in last else "Thought: so.\nReply: Please pay."
            return {"role": "assistant", "content": text}

        server.brains["user"] = brain
        user = make_user("llm", {"model": {"model": "user", "base_url": server.url}, "check": False})
        played = await play(Steps(calls(VERIFY), calls(paying(amount_cents=9999)), calls(paying())), user)
    assert [(each.approved, each.sentence) for each in played.approvals] == [(False, "Not that much."), (True, "")]
    assert played.calls[1].message == "Not that much." and not answers
    assert "9999" in str(server.requests) and "PIN" not in played.approvals[0].sentence


async def answered(answers: list[str], *steps: Message) -> Trajectory:
    """An episode whose user, a language model with its checks, gives these answers to the calls it is shown."""
    with OpenAIServer("banking") as server:

        async def brain(body: dict[str, object]) -> dict[str, object]:
            last = body["messages"][-1]["content"]  # type: ignore[index]
            shown = "about to be made for you" in last or "was not taken" in last
            return {"role": "assistant", "content": answers.pop(0) if shown else "Thought: so.\nReply: Please pay."}

        server.brains["user"] = brain
        user = make_user("llm", {"model": {"model": "user", "base_url": server.url}})
        return await play(Steps(calls(VERIFY), *steps), user)


YES, NO = '{"approve": true}', '{"approve": false, "say": "I do not want that."}'


async def test_a_language_models_wrong_answers_to_calls_are_taken_back() -> None:
    played = await answered([YES, NO, NO, YES], calls(paying(amount_cents=9999)), calls(paying()))
    assert [each.approved for each in played.approvals] == [False, True]
    checks = played.info.user
    assert isinstance(checks, UserChecks)
    assert (checks.faults["wrong_yes"], checks.faults["wrong_no"]) == (1, 1)
    assert {each.fault for each in checks.sent} <= {"repeats"}


async def test_right_answers_to_calls_are_left_alone() -> None:
    asking = '{"approve": false, "say": "What does it cost?"}'
    played = await answered([asking, YES, NO], calls(paying()), calls(paying()), calls(paying()))
    assert [each.approved for each in played.approvals] == [False, True, False], "the third would pay twice"
    assert isinstance(played.info.user, UserChecks) and "wrong_no" not in played.info.user.faults


async def test_a_wrong_yes_to_a_call_that_stays_so_decides_the_episode() -> None:
    played = await answered([YES] * 4, calls(paying(amount_cents=9999)))
    assert [each.approved for each in played.approvals] == [True]
    assert isinstance(played.info.user, UserChecks)
    assert ("wrong_yes", 0) in {(each.fault, each.message) for each in played.info.user.sent}
    assert is_void(played) and not is_void(await answered([YES, NO], calls(paying(amount_cents=9999))))


async def test_another_users_approve_is_found_as_its_notes_are() -> None:
    class Nodding(Mute):
        async def approve(self, call: ToolCall, shown: Shown) -> Approval:
            return Approval(approved=True)

    played = await play(Steps(calls(VERIFY), calls(paying(amount_cents=9999))), Nodding())
    assert [each.approved for each in played.approvals] == [True] and played.calls[1].wrote


def test_in_gymnasium_a_no_is_the_calls_result() -> None:
    env = make("banking", task=TASK.id, data="v2", split="test", consent="call")
    _, info = env.reset(seed=3)
    assert "shown to the user by the system" in info["policy"]
    env.step(VERIFY.model_dump_json(include={"name", "arguments"}))
    _, _, _, _, info = env.step(paying(amount_cents=9999).model_dump_json(include={"name", "arguments"}))
    assert info["messages"][-1]["content"] == "Error: No, $72.51, please. [declined]"
    env.close()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"env": "retail", "data": "tau2"}, "consent=call is for worlds' own data"),
        ({"env": "banking", "solo": True}, "consent=call needs a user"),
    ],
)
def test_where_a_yes_means_words_it_is_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        EvalSettings(consent="call", **given)  # type: ignore[arg-type]


def says(text: str) -> Message:
    return Message(role="assistant", content=text)


@pytest.mark.parametrize("consent", ["words", "call"])
async def test_a_report_without_a_change_is_not_believed_and_one_with_it_is_heard_in_any_words(
    consent: Consent,
) -> None:
    false = Steps(says("Your payment of $72.51 has been sent. Anything else?"), says("Really, it has been sent."))
    played = await play(false, consent=consent)
    said = [message.content or "" for message in played.messages if message.role == "user"]
    assert said[1] == "I don't see it yet."
    odd = "All right: the payment went out on its way just now as wished."
    made = await play(Steps(calls(VERIFY), calls(paying()), says(odd)), consent=consent)
    heard = [message.content or "" for message in made.messages if message.role == "user"]
    assert TASK.goals[1].utterance in heard[1], "the next wish is put"


async def test_whoever_reports_nothing_is_asked_whether_it_is_done() -> None:
    made = await play(Steps(calls(VERIFY), says("I would send it. Shall I?"), calls(paying())), consent="words")
    heard = [message.content or "" for message in made.messages if message.role == "user"]
    assert heard[2].endswith("?") and TASK.goals[1].utterance not in heard[2], "Anything else? is no report"


FREEZE = ToolCall(name="set_card_state", arguments={"card_id": "K-192", "state": "frozen", "reason": "precaution"})
"""Nothing that the task's user wants."""


async def test_what_stands_changed_beside_a_wish_is_noticed_once() -> None:
    done = says("Your payment of $72.51 has been sent. Anything else?")
    played = await play(Steps(calls(VERIFY, FREEZE, paying()), done, done), consent="words")
    heard = [message.content or "" for message in played.messages if message.role == "user"]
    odd = "I also see something I didn't ask for: the state of my card K-192 has changed."
    assert odd in heard[1] and TASK.goals[1].utterance in heard[1]
    assert sum(odd in each for each in heard) == 1
    assert isinstance(played.info.user, ScriptedNotes) and played.info.user.noticed == (0,)
    made = await play(Steps(calls(VERIFY, paying()), done), consent="words")
    assert not any("didn't ask for" in (message.content or "") for message in made.messages)


async def test_a_change_that_mends_what_the_user_sees_wrong_is_approved() -> None:
    back = ToolCall(name=FREEZE.name, arguments=FREEZE.arguments | {"state": "active", "reason": "found"})  # type: ignore[operator]
    with Session(BANKING, task=TASK) as session:
        for is_wrong in (False, True):
            if is_wrong:
                assert session.call(FREEZE.name, FREEZE.arguments).ok
            player = make_user("scripted").open(TASK, seed=1)
            player.see(events_of(session))  # type: ignore[attr-defined]
            shown = shown_call(session, session.tools_of("agent")[back.name], back)
            assert shown is not None
            answer = await player.approve(back, shown)  # type: ignore[attr-defined]
            assert answer.approved is is_wrong
