"""The learning study: what is held out is never trained, the control keeps the scores, intervals are paired."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("ray")
from learning_study import PLANS, arguments, run, study_of
from study.analysis import analysed, compared, table
from study.invented import elsewhere
from study.runs import Study
from study.tasks import composition, rows, split_compositions
from study.warm_start import MONTHS, chats, demonstrations, evenly, varied, wholes

from toolgym.judge.scoring.judges.rules import RulesJudge
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training import preflight
from toolgym.training.cpu.tiny import make_tokenizer
from toolgym.training.loop.builder import make_builder
from toolgym.training.sft import tokenised
from toolgym.training.verl_config import RunPaths

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("learning study")]
LIMITS = Limits(max_turns=7, max_result_chars=100)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """The study at its smoke size with its tasks drawn."""
    found = study_of(arguments(["--smoke", "--out", str(tmp_path_factory.mktemp("study"))]))
    found.draw()
    return found


@pytest.mark.parametrize("interaction", ["dialogue", "program"])
def test_what_is_held_out_is_never_trained_but_its_parts_are(interaction: str, study: Study) -> None:
    for world in ("banking", "calendar"):
        splits = {
            split: [task for task in study.of_split(interaction, split) if task.domain == world]
            for split in ("train", "dev", "test")
        }
        assert all(splits.values())
        for one, other in (("train", "dev"), ("train", "test"), ("dev", "test")):
            assert not {*map(composition, splits[one])} & {*map(composition, splits[other])}
            assert not set().union(*map(rows, splits[one])) & set().union(*map(rows, splits[other]))
        assert not {task.owner for task in splits["train"]} & {task.owner for task in splits["test"]}


def test_held_out_compositions_leave_their_parts_in_training() -> None:
    counts = {(wish, way): 20 for wish in "abcd" for way in "xyz"} | {("e", "only"): 20, ("a", "rare"): 1}
    for seed in range(20):
        chosen = split_compositions(counts, seed)
        trained = [key for key, split in chosen.items() if split == "train"]
        assert {wish for wish, _ in trained} == {*"abcde"} and {way for _, way in trained} == {*"xyz", "only", "rare"}
        assert Counter(chosen.values()) == {"train": 11, "dev": 1, "test": 2}


def test_demonstrations_fit_and_spell_what_they_copy(study: Study) -> None:
    tasks = study.of_split("dialogue", "train") + study.of_split("program", "train")
    shown = demonstrations(tasks, LIMITS)
    assert len(shown) == len(tasks)
    texts = chats(shown)
    tokenizer = make_tokenizer(
        (message["content"] for chat in texts for message in chat),
        vocabulary=600,
        words=wholes(study.plan["goals"]["dialogue"]),
    )
    assert [tokenizer.decode(token) for token in tokenizer.encode("ev-20719")][-3:] == ["20", "71", "9"]
    for trajectory, chat in zip(shown, texts, strict=True):
        arm = "tier" if trajectory.task.interaction == "program" else "outcome"
        settings = study.setup(arm, 0).settings
        example = tokenised(chat, make_builder(tokenizer, "qwen2"))
        first = example.mask.index(1)
        assert first <= settings.prompt_tokens and len(example.ids) - first <= settings.response_tokens
        assert tokenizer.decode(example.ids).endswith(chat[-1]["content"] + "<|im_end|>")


def test_other_numbers_days_and_names_stand_wherever_theirs_did() -> None:
    said = "Customer: Ada Moor. Card K-176, ending in 4764; my Brand review ev-20664 on March 17, room Quincy: A-20898."
    called = "K-176 4764 ev-20664 2026-03-17 list_events(text='Brand review') list_rooms(name='Quincy')"
    chat = [{"role": "user", "content": said}, {"role": "assistant", "content": called}]
    words = ["Launch review", "Team offsite", "Harbor"]
    heard, answer = (message["content"] for message in varied(chat, random.Random(3), words))
    card, last, event, day, *_ = answer.split()
    name = heard.removeprefix("Customer: ").partition(".")[0]
    title = next(each for each in ("Launch review", "Launch offsite", "Team review", "Team offsite") if each in heard)
    month, number = MONTHS[int(day[5:7]) - 1], int(day[8:])
    told = f"Customer: {name}. Card {card}, ending in {last}; my {title} {event} on {month} {number}, room Harbor: A-"
    assert heard.startswith(told) and "A-20898" not in heard
    assert answer.endswith(f"{day} list_events(text='{title}') list_rooms(name='Harbor')")
    assert {card, last, event, day, name}.isdisjoint({"K-176", "4764", "ev-20664", "2026-03-17", "Ada Moor"})


def test_every_composition_is_demonstrated_as_often(study: Study) -> None:
    shown = demonstrations(study.of_split("program", "train"), LIMITS)
    told = list(zip(shown, chats(shown), strict=True))
    found = Counter(composition(one.task) for one, _ in evenly(told, 3000, random.Random(0)))
    known = {composition(one.task) for one in shown}
    assert {*found} == known and len(known) > 3 and max(found.values()) < 1.5 * min(found.values())


def test_a_made_up_way_keeps_the_wish_and_is_no_worlds(study: Study) -> None:
    shown, rng, reader = (
        demonstrations(study.of_split("program", "train"), LIMITS),
        random.Random(0),
        get_format("direct"),
    )
    found: dict[int, set[str]] = {}
    for one, chat in zip(shown, chats(shown), strict=True):
        invented = elsewhere(chat, one.task, rng)
        *_, real = reader.parse(chat[2]["content"]).tool_calls
        *before, last = reader.parse(invented[2]["content"]).tool_calls
        key = next(name for name in real.arguments if name.endswith("_id"))
        assert last.name == real.name and {**last.arguments, key: real.arguments[key]} == real.arguments
        names = get_domain(one.task.domain).tools
        assert not any(
            {*call.arguments} & {*names[call.name].parameters["properties"]} for call in before if call.name in names
        )
        assert not rows(one.task) & {word.strip(".,;:?'") for word in invented[1]["content"].split()}
        found.setdefault(len(before), set()).add(invented[1]["content"])
    assert {*found} == {0, 1, 2} and min(map(len, found.values())) > 1


def test_the_controls_scores_are_the_judges_at_other_turns(study: Study) -> None:
    shown = demonstrations(study.of_split("dialogue", "train"), LIMITS)
    # a demonstrator's turns all advance the case; these end on one that repeats
    idle = [one.model_copy(update={"messages": (*one.messages[:2], *one.messages[1:])}) for one in shown]
    plain, control = RulesJudge(), RulesJudge(shuffled=True)
    pairs = [(asyncio.run(plain.score(one)).scores, asyncio.run(control.score(one)).scores) for one in idle]
    assert all(Counter(first) == Counter(second) for first, second in pairs if first and second)
    assert any(first != second for first, second in pairs)
    assert [asyncio.run(control.score(one)).scores for one in idle] == [second for _, second in pairs]


def test_every_arm_of_the_plan_is_accepted_by_verl(study: Study, tmp_path: Path) -> None:
    for arm in yaml.safe_load((PLANS / "plan.yaml").read_text(encoding="utf-8"))["arms"]:
        found = study.setup(arm, 0)
        preflight.check_tasks(found.settings)
        preflight.validate(preflight.compose(found, RunPaths(tmp_path)))
        assert found.settings.val_split == "dev", "the test is played once, at the end"


def _finished(arm: str, seed: int | str, clean: Sequence[bool]) -> dict[str, Any]:
    outcomes = [
        {"task": f"t{n // 2}", "depth": 1 + n % 2, "clean": each, "passed": True, "interaction": "dialogue"}
        for n, each in enumerate(clean)
    ]
    known = {"arm": arm, "seed": seed, "test": outcomes, "wall_seconds": 1, "cpu_seconds": 1}
    return known if arm == "start" else {**known, "dev_by_step": {"0": 0.2, "1": 0.4}}


def test_paired_intervals() -> None:
    rng = random.Random(0)
    base = [rng.random() < 0.5 for _ in range(400)]
    runs: dict[str, Any] = {"start-dialogue": _finished("start", "dialogue", base)}
    for seed in range(3):
        runs[f"outcome-{seed}"] = _finished("outcome", seed, base)
        runs[f"tarl-{seed}"] = _finished("tarl", seed, [each or rng.random() < 0.4 for each in base])
    same = compared(runs, "outcome", "start-dialogue", 500, 0)
    assert same["seeds"] == [*range(3)] and same["difference"] == 0 and same["interval"] == [0, 0]
    better = compared(runs, "tarl", "outcome", 500, 0)
    assert 0.15 < better["difference"] < 0.25 and 0.1 < better["interval"][0] < better["interval"][1] < 0.3
    assert better["passed"] == 0 and better["passed_interval"] == [0, 0], "all have passed"
    plan = yaml.safe_load((PLANS / "plan.yaml").read_text(encoding="utf-8"))
    found = analysed({**plan, "bootstrap": {"resamples": 100, "seed": 0}}, runs)
    assert not found["complete"] and [each["first"] for each in found["comparisons"]] == ["tarl", "outcome", "tarl"]
    assert "| tarl - outcome | 3 | +0." in table(found)
    assert f"| outcome | 3 | {sum(base) / 400:.3f} | {sum(base) / 400:.3f} |" in table(found)


def test_the_smoke_size_runs_a_warm_start_and_resumes(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    given = arguments(["--smoke", "--runs", "start-program", "--jobs", "1", "--out", str(study.out)])
    run(given)
    kept = study.result("start-program")
    found = json.loads(kept.read_text(encoding="utf-8"))
    assert len(found["test"]) == len(study.of_split("program", "test"))
    losses = json.loads(study.result("warm-program").read_text(encoding="utf-8"))["losses"]
    assert losses[-1] < losses[0] and not any(each["clean"] for each in found["test"])
    written = kept.stat().st_mtime_ns
    run(given)
    assert kept.stat().st_mtime_ns == written and "nothing is concluded" in capsys.readouterr().out
    with pytest.raises(BadInput, match="There is no run 'start-9'"):
        study.run("start-9")
