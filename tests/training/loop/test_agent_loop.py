"""The agent loop plays live retail sessions: tokens, masks, rewards, budgets and what it refuses."""

from types import SimpleNamespace

import pytest
from rollouts import GREEDY, make_loop, oracle, row, solvable, tokenizer

from toolgym.judge.scoring.judges.rules import judge
from toolgym.judge.scoring.rewards.tarl import tarl
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.formats.program import program_format, render_program
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import parse_line
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.program import program_of
from toolgym.sandbox.users.scripted import ScriptedUser

pytest.importorskip("verl")

from toolgym.training.data.rows import dialogue_rows
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.loop.scripted_server import LOG_PROB, ScriptedServer, script_of
from toolgym.training.loop.single import MathLoop, StepLoop

CANCEL = "cancel_pending_order"


def spoken(output, words):
    """The generated stretches of a trajectory as texts."""
    texts, current = [], []
    for token, mask in zip([*output.response_ids, 0], [*output.response_mask, 0], strict=True):
        if mask:
            current.append(token)
        elif current:
            texts.append(words.decode(current))
            current = []
    return texts


@pytest.mark.parametrize("format", ["native", "toolrl", "json_ast"])
async def test_an_oracles_words_are_trained_on_and_nothing_else(format):
    words = tokenizer()
    for task in solvable(3):
        opening, texts = script_of(await oracle(task), format=format)
        loop = make_loop(ToolgymLoop, ScriptedServer(words, {opening: texts}), turn_tokens=None)
        output = await loop.run(GREEDY, **row(task, format=format))
        info = output.extra_fields["reward_extra_info"]
        assert info["acc"] == 1.0 and info["reward_terminal"] == 10.0
        assert spoken(output, words) == [f"{text}<|im_end|>" for text in texts]
        assert len(output.response_ids) == len(output.response_mask) == len(output.response_logprobs)
        assert set(zip(output.response_mask, output.response_logprobs, strict=True)) == {(1, LOG_PROB), (0, 0.0)}
        assert output.response_mask[-1] == 1, "what nobody learns from is not carried at the end"
        assert info["drift_text"] == info["drift_turns"] == 0.0
        prompt = words.decode(output.prompt_ids)
        assert opening in prompt and prompt.endswith("<|im_start|>assistant\n")
        assert "trajectory" not in info


@pytest.mark.parametrize("mode", ["trajectory", "turn"])
async def test_rewards_sit_where_credit_says(mode):
    task = solvable(1)[0]
    played = await oracle(task)
    opening, texts = script_of(played)
    wanted = tarl(played, verdict=verify(played), scores=judge(played))
    loop = make_loop(ToolgymLoop, ScriptedServer(tokenizer(), {opening: texts}), turn_tokens=None, credit=mode)
    output = await loop.run(GREEDY, **row(task, split="dev"))
    stored = output.as_dict()
    mask = output.response_mask
    ends = [index for index, bit in enumerate(mask) if bit and not [*mask, 0][index + 1]]
    rewarded = {index: value for index, value in enumerate(stored["rm_scores"].tolist()) if value}
    assert len(ends) == len(texts) == len(wanted.turns) and output.reward_score == pytest.approx(wanted.total)
    assert 5 < wanted.total <= 15
    if mode == "trajectory":
        assert rewarded == {ends[-1]: pytest.approx(wanted.total)}
    else:
        shares = {end: pytest.approx(share) for end, share in zip(ends, wanted.turns, strict=True) if share}
        assert rewarded == shares
    assert "token_rewards" not in stored
    record = parse_line(output.extra_fields["reward_extra_info"]["trajectory"])
    assert record.task.id == task.id and record.termination == "user_stop", "validation keeps its conversations"


@pytest.mark.parametrize(("fault", "finishes"), [("wrong_no", True), ("wrong_no", False), ("invented", False)])
async def test_an_episode_that_a_users_fault_decided_teaches_nothing(fault, finishes, monkeypatch):
    class Checked(ScriptedUser):
        """A user whose first reply was played with a fault."""

        def open(self, task, **others):
            sent = [{"message": 0, "fault": fault}]
            notes = {"replies": 3, "faulty": 1, "uncorrected": 1, "faults": {}, "sent": sent}
            return SimpleNamespace(reply=super().open(task, **others).reply, notes=notes)

    monkeypatch.setattr("toolgym.training.loop.agent_loop.make_user", lambda name, options: Checked())
    task = solvable(1)[0]
    opening, texts = script_of(await oracle(task))
    texts = texts if finishes else ["I am sorry, that is not possible."] * 9
    server = ScriptedServer(tokenizer(), {opening: texts})
    options = {"user_options": {"style": f"checked {fault} {finishes}"}}
    output = await make_loop(ToolgymLoop, server, turn_tokens=None, **options).run(GREEDY, **row(task))
    info, is_void = output.extra_fields["reward_extra_info"], fault == "wrong_no" and not finishes
    assert (info["user_fault"], info["void"], info["acc"]) == (1, is_void, finishes)
    assert any(output.response_mask) == (not is_void)
    assert len(output.response_mask) == len(output.response_ids)


async def test_a_reward_without_turns_cannot_be_placed_by_turn():
    task = solvable(1)[0]
    opening, texts = script_of(await oracle(task))
    server = ScriptedServer(tokenizer(), {opening: texts})
    with pytest.raises(BadInput, match="no share per turn"):
        await make_loop(ToolgymLoop, server, turn_tokens=None, reward="toolrl", credit="turn").run(GREEDY, **row(task))
    output = await make_loop(ToolgymLoop, server, turn_tokens=None, reward="toolrl").run(GREEDY, **row(task))
    assert output.reward_score > 0


async def test_training_progress_reaches_the_reward():
    task = solvable(1)[0]
    opening, texts = script_of(await oracle(task))
    options = {"reward": "toolrl", "reward_options": {"scale": "dynamic"}, "turn_tokens": None}
    totals = []
    for step in (1, 6, 11):
        loop = make_loop(ToolgymLoop, ScriptedServer(tokenizer(), {opening: texts}), **options)
        totals.append((await loop.run(GREEDY, **row(task) | {"global_steps": step})).extra_fields["reward_extra_info"])
    assert [info["reward_format"] for info in totals] == [2.0, 1.5, 1.0], "2 - p at p = 0, 1/2, 1"


async def test_a_prompt_that_does_not_fit_is_refused_and_not_cut():
    task = solvable(1)[0]
    loop = make_loop(ToolgymLoop, ScriptedServer(tokenizer(), {"": []}), prompt_length=1000)
    with pytest.raises(BadInput, match=r"The prompt has \d+ tokens and data.max_prompt_length allows 1000"):
        await loop.run(GREEDY, **row(task))


async def test_a_turn_over_its_budget_is_closed_and_the_conversation_goes_on():
    task = solvable(1)[0]
    server = ScriptedServer(tokenizer(), {"": ["Good day, and welcome to our wonderful shop, dear customer. " * 3] * 3})
    loop = make_loop(ToolgymLoop, server, turn_tokens=12, max_turns=3)
    output = await loop.run(GREEDY, **row(task))
    closing = tokenizer().convert_tokens_to_ids("<|im_end|>")
    ends = [
        index for index, bit in enumerate(output.response_mask) if bit and not [*output.response_mask, 0][index + 1]
    ]
    assert [sum(output.response_mask)] == [36] and len(ends) == 3
    assert [output.response_ids[end + 1] for end in ends[:-1]] == [closing, closing]
    assert output.extra_fields["reward_extra_info"]["drift_text"] == 0.0


async def test_the_response_budget_ends_a_trajectory_on_a_generated_token():
    task = solvable(1)[0]
    server = ScriptedServer(tokenizer(), {"": ["Good day, and welcome to our wonderful shop, dear customer."] * 30})
    loop = make_loop(ToolgymLoop, server, response_length=150, max_turns=30)
    output = await loop.run(GREEDY, **row(task, split="dev"))
    assert len(output.response_ids) <= 150 and output.response_mask[-1] == 1
    record = parse_line(output.extra_fields["reward_extra_info"]["trajectory"])
    assert record.termination == "max_tokens" and output.extra_fields["reward_extra_info"]["acc"] == 0.0


@pytest.mark.parametrize(("most", "model_turns"), [(1, 1), (3, 3), (None, 5)])
async def test_a_user_may_have_so_many_turns_and_the_model_answers_the_last(most, model_turns):
    server = ScriptedServer(tokenizer(), {"": ["Could you tell me more about that?"] * 5})
    loop = make_loop(ToolgymLoop, server, max_user_turns=most, max_turns=5)
    output = await loop.run(GREEDY, **row(solvable(1)[0], split="dev"))
    record = parse_line(output.extra_fields["reward_extra_info"]["trajectory"])
    said = [message.role for message in record.messages]
    assert said.count("user") == (most or 6) and said.count("assistant") == model_turns
    assert record.termination == "max_turns"


async def test_what_cannot_be_read_costs_a_turn_and_is_answered():
    task = solvable(1)[0]
    broken = '<tool_call>{"name": "get_order_details", "arguments": </tool_call>'
    loop = make_loop(ToolgymLoop, ScriptedServer(tokenizer(), {"": [broken, "", "Goodbye."]}), max_turns=3)
    output = await loop.run(GREEDY, **row(task, split="dev"))
    info = output.extra_fields["reward_extra_info"]
    assert info["unread"] == 2.0 and info["turns"] == 3.0
    text = tokenizer().decode(output.response_ids)
    assert "could not be read and was not delivered: The call is not valid JSON" in text
    assert "It holds neither text nor a tool call" in text


async def test_a_wrong_write_is_stopped_and_thought_over():
    task = next(task for task in solvable(200) if [call.name for goal in task.goals for call in goal.calls] == [CANCEL])
    opening, texts = script_of(await oracle(task))
    index = next(index for index, text in enumerate(texts) if f'"{CANCEL}"' in text)
    arguments = {"order_id": "#W1", "reason": "no longer needed"}
    wrong = Message(role="assistant", tool_calls=(ToolCall(name=CANCEL, arguments=arguments),))
    texts.insert(index, get_format("hermes").render(wrong))
    server = ScriptedServer(tokenizer(), {opening: texts})
    loop = make_loop(ToolgymLoop, server, turn_tokens=None, interventions=2, credit="turn")
    output = await loop.run(GREEDY, **row(task, split="dev"))
    info = output.extra_fields["reward_extra_info"]
    assert info["interventions"] == 1.0 and info["acc"] == 1.0 and info["refused"] == 0.0
    assert info["turns"] == len(texts) - 1 and info["drift_text"] == 0.0
    assert len(output.extra_fields["turn_scores"]) == len(texts) - 1
    text = tokenizer().decode(output.response_ids)
    assert "</tool_call>\nHold on" in text, "the stopped turn goes on where its closing token was"


async def test_a_template_without_tools_is_found_out():
    from toolgym.training.cpu.tiny import make_tokenizer

    words = make_tokenizer(["hello"], vocabulary=300)
    words.chat_template = words.chat_template.replace("{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}", "")
    loop = make_loop(ToolgymLoop, ScriptedServer(words, {"": []}), words=words, prompt_length=60000)
    with pytest.raises(ConfigurationError, match="does not show the tools"):
        await loop.run(GREEDY, **row(solvable(1)[0]))


def test_a_wrong_setting_is_named():
    with pytest.raises(ConfigurationError, match="did you mean turn_tokens"):
        make_loop(ToolgymLoop, None, turn_token=5)


@pytest.mark.parametrize(
    ("text", "reward"), [("It is \\boxed{42}.", 1.0), ("It is \\boxed{41}.", 0.0), ("No idea.", 0.0)]
)
async def test_math_rows(text, reward):
    given = {
        "raw_prompt": [{"role": "user", "content": "What is 6 times 7?"}],
        "reward_model": {"ground_truth": "42"},
        "extra_info": {"split": "train"},
    }
    output = await make_loop(MathLoop, ScriptedServer(tokenizer(), {"": [text]})).run(GREEDY, **given)
    assert output.reward_score == reward == output.as_dict()["rm_scores"].sum() == output.as_dict()["rm_scores"][-1]
    assert output.extra_fields["reward_extra_info"]["acc"] == reward and set(output.response_mask) == {1}


async def test_single_steps_are_scored_as_toolrl_does():
    gold = '<think>plan</think>\n<tool_call>\n{"name": "f", "parameters": {"a": 1}}\n</tool_call>'
    half = gold.replace('"a": 1', '"a": 2')
    rewards = []
    for text in (gold, half, "nothing"):
        given = {
            "raw_prompt": [{"role": "user", "content": "Go."}],
            "reward_model": {"ground_truth": gold},
            "extra_info": {"split": "train"},
        }
        output = await make_loop(StepLoop, ScriptedServer(tokenizer(), {"": [text]}), reward="toolrl").run(
            GREEDY, **given
        )
        rewards.append((output.reward_score, output.extra_fields["reward_extra_info"]["acc"]))
    assert rewards[0] == (4.0, 1.0) and rewards[2] == (-3.0, 0.0)
    assert -3 < rewards[1][0] < 4 and rewards[1][1] == 0.0


@pytest.mark.parametrize("form", ["json_ast", "xml_ast", "direct"])
async def test_a_request_is_answered_by_a_program_and_a_second_one_is_not_asked_for(form):
    cell = Cell(depth=(2, 2), interaction="program")
    (task,) = Generator(get_domain("banking"), seed=4, cell=cell).tasks(1)
    (made,) = dialogue_rows("program", [task], form)
    assert program_format(form).program_tools(get_domain("banking").tools.to_openai()) in made["prompt"][0]["content"]
    told = {"raw_prompt": made["prompt"], "extra_info": made["extra_info"] | {"split": "dev"}, "global_steps": 1}
    right = render_program(program_of(task), program_format(form))
    for text, reward, fault in ((right, 1.0, None), ("I look that up.", 0.0, "unreadable")):
        server = ScriptedServer(tokenizer(), {task.ticket or "": [text]})
        output = await make_loop(ToolgymLoop, server, turn_tokens=None, reward="tier").run(GREEDY, **told)
        info = output.extra_fields["reward_extra_info"]
        (attempt,) = parse_line(info["trajectory"]).info.programs
        assert (info["acc"], output.reward_score) == (reward, pytest.approx(reward))
        assert (attempt.fault and attempt.fault.code) == fault
        assert spoken(output, tokenizer()) == [f"{text}<|im_end|>"]


async def test_where_calls_are_approved_a_no_is_the_calls_result():
    task = get_domain("banking").tasks("test", "v2")[1]
    verify_pin, pay = task.goals[0].calls
    wrong = pay.model_copy(update={"arguments": pay.arguments | {"amount_cents": 9999}})
    hermes = get_format("hermes")
    texts = [hermes.render(Message(role="assistant", tool_calls=(call,))) for call in (verify_pin, wrong, pay)]
    (made,) = dialogue_rows("text", [task], "hermes", consent="call")
    assert "shown to the user by the system" in made["prompt"][0]["content"]
    told = {"raw_prompt": made["prompt"], "extra_info": made["extra_info"] | {"split": "dev"}, "global_steps": 1}
    server = ScriptedServer(tokenizer(), {"": [*texts, "So."]})
    loop = make_loop(ToolgymLoop, server, turn_tokens=None, max_turns=4, consent="call", prompt_length=20000)
    output = await loop.run(GREEDY, **told)
    record = parse_line(output.extra_fields["reward_extra_info"]["trajectory"])
    assert record.consent == "call" and [call.error for call in record.calls] == [None, "declined", None]
