"""Single steps from files in ToolRL's released form, made by hand; the released switches work on them together."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rollouts import GREEDY, make_loop, tokenizer

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import write_tasks
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Generator

pytest.importorskip("verl")

from toolgym.cli import main
from toolgym.training import preflight, recipe
from toolgym.training.data.build import train_rows
from toolgym.training.data.released_steps import released_rows
from toolgym.training.loop.scripted_server import ScriptedServer
from toolgym.training.loop.single import StepLoop

CALL = '<tool_call>\n{"name": "weather", "parameters": {"place": "Oslo"}}\n</tool_call>'
STEPS = [
    ("Tools: weather(place).", "<user> Weather in Oslo? </user>", f"<think> I write <tool_call>. </think>\n{CALL}"),
    ("Tools: none.", "<user> Hello </user>", "<think> A greeting. </think>\n<response> Hello </response>"),
]


def as_json(path: Path) -> Path:
    path.write_text(json.dumps([{"instruction": s, "input": u, "output": gold} for s, u, gold in STEPS]), "utf-8")
    return path


def as_parquet(path: Path) -> Path:
    rows = [
        {
            "data_source": "rlla",
            "prompt": [{"role": "system", "content": s}, {"role": "user", "content": u}],
            "reward_model": {"style": "rule", "ground_truth": gold},
        }
        for s, u, gold in STEPS
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def test_both_forms_give_the_same_steps(tmp_path: Path) -> None:
    one, other = released_rows(as_json(tmp_path / "a.json")), released_rows(as_parquet(tmp_path / "a.parquet"))
    assert one == other
    assert [made["reward_model"]["ground_truth"] for made in one] == [CALL, "<response> Hello </response>"]
    assert [message["content"] for message in one[0]["prompt"]] == list(STEPS[0][:2])
    assert one[0]["agent_name"] == "toolgym_step"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.json", None, "There is no file"),
        ("x.json", "version https://git-lfs.github.com/spec/v1", "not Git's pointer"),
        ("x.parquet", "version https://git-lfs.github.com/spec/v1", "not Git's pointer"),
        ("x.json", "{}", "no list of steps"),
        ("x.json", "[]", "holds no step"),
        ("x.json", '[{"instruction": "a", "input": 3, "output": "c"}]', "row 0 is no step of ToolRL"),
        ("x.json", '[{"prompt": [], "reward_model": {"ground_truth": "x"}}]', "row 0 is no step of ToolRL"),
    ],
)
def test_what_is_no_such_file_is_said(name: str, content: str | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(BadInput, match=said):
        released_rows(tmp_path / name)


def test_the_recipe_takes_a_file_or_the_worlds_own_steps(tmp_path: Path) -> None:
    file = as_json(tmp_path / "rlla_rl.json")
    named = recipe.setup("toolrl", ["variant=released-data", f"steps_from={file}"]).settings
    assert named.prompt_tokens == 2048 and len(train_rows(named)) == 2
    assert recipe.setup("toolrl", ["variant=ppo+released-data"]).settings.prompt_tokens == 1024
    own = train_rows(recipe.setup("toolrl", ["env=kiosk", "tasks=3"]).settings)
    assert {made["agent_name"] for made in own} == {"toolgym_step"} and len(own) > 3
    drawn = tmp_path / "drawn.jsonl"
    write_tasks(drawn, Generator(get_domain("banking"), seed=1).tasks(3))
    made = train_rows(recipe.setup("toolrl", ["env=banking", f"data=own:{drawn}"]).settings)
    assert {row["extra_info"]["domain"] for row in made} == {"banking"}, "a world without stored tasks has steps too"


async def test_the_released_switches_are_on_together() -> None:
    made = recipe.setup(
        "toolrl", ["reward=toolrl_released", "reward_options={equal: true, dynamic: true, length: fixed}"]
    )
    preflight.check(made.settings)
    text = f"<think>one two</think>\n{CALL}"
    totals = []
    for step in (1, 106):
        server = ScriptedServer(tokenizer(), {"": [text]})
        options = {"reward": made.settings.reward, "reward_options": made.settings.reward_options}
        loop = make_loop(StepLoop, server, steps=105, **options)
        row = {
            "raw_prompt": [{"role": "user", "content": "Weather in Oslo?"}],
            "reward_model": {"ground_truth": CALL},
            "extra_info": {"split": "train"},
            "global_steps": step,
        }
        output = await loop.run(GREEDY, **row)
        assert output.extra_fields["reward_extra_info"]["acc"] == 1.0
        totals.append(output.reward_score)
    # equal: correctness up to 1, dynamic over 150 steps from 2 and 2 (so 2 - step/150, for both), length 2 of 512 words
    assert totals == [pytest.approx(4.0), pytest.approx(2 * (2 - 105 / 150))]


def test_another_reward_on_steps_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "toolrl", "reward=outcome", "--dry-run"]) == 2
    assert "Set reward=toolrl or toolrl_released" in capsys.readouterr().err
