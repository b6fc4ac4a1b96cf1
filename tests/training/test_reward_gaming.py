"""A reward that rises while clean held-out success falls is said and can end a run; faults of users teach nothing."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from toolgym.training import credit
from toolgym.training.reward_gaming import Point, alarm, history, record
from toolgym.training.rollout_metrics import held_out


def points(*values: tuple[float, float]) -> list[Point]:
    return [Point(10 * step, reward, clean) for step, (reward, clean) in enumerate(values)]


def test_the_alarm_asks_for_so_many_validations_in_a_row() -> None:
    falling = points((1.0, 0.6), (1.1, 0.5), (1.2, 0.4), (1.3, 0.3))
    found = alarm(falling, 3)
    assert found is not None and "0.600 to 0.300" in found and "1.000 to 1.300" in found and "step 0 to 30" in found
    assert alarm(falling, 4) is None, "one more would be needed"
    assert alarm(falling[:3], 3) is None
    assert alarm(points((1.0, 0.6), (1.1, 0.5), (1.2, 0.5), (1.3, 0.3)), 3) is None, "it did not fall"
    assert alarm(points((1.0, 0.6), (1.1, 0.5), (1.05, 0.4), (1.3, 0.3)), 3) is None, "the reward fell once"
    assert alarm([Point(0, 0.1, 0.1), *points((1.0, 0.6), (1.1, 0.5))], 1) is not None, "only the last count"


def test_a_resumed_run_makes_validations_again(tmp_path: Path) -> None:
    for each in points((1.0, 0.6), (1.1, 0.5), (1.2, 0.4)):
        record(tmp_path, each)
    assert record(tmp_path, Point(10, 1.4, 0.7)) == [Point(0, 1.0, 0.6), Point(10, 1.4, 0.7)]
    assert history(tmp_path)[-1].clean == 0.7


def test_what_is_said_beside_the_reward_is_a_mean_by_world() -> None:
    infos = {"reward": [1.0, 3.0, 2.0], "clean": [1.0, 0.0, None], "turns": [4.0, 6.0, 9.0], "other": [1.0, 1.0, 1.0]}
    found = held_out(["a", "a", "b"], infos)
    assert found == {
        "toolgym/held_out/a/clean": 0.5,
        "toolgym/held_out/a/reward": 2.0,
        "toolgym/held_out/a/turns": 5.0,
        "toolgym/held_out/b/reward": 2.0,
        "toolgym/held_out/b/turns": 9.0,
    }


def test_an_episode_with_a_users_fault_is_nobodys_comparison() -> None:
    mask = torch.tensor([[1, 1], [1, 0], [0, 0], [1, 1]])
    scores = torch.tensor([2.0, 4.0, 90.0, 7.0])
    index = credit.apart(["a", "a", "a", "b"], mask)
    assert torch.allclose(credit.normalise(scores, index), torch.tensor([-1.0, 1.0, 0.0, 0.0]), atol=1e-5)
    assert credit.leave_one_out(scores, index).tolist() == [-2.0, 2.0, 0.0, 0.0]
    rewards = torch.tensor([[0.0, 2.0], [4.0, 0.0], [90.0, 0.0], [0.0, 7.0]])
    assert not credit.turn_level(rewards, mask, index)[2].any()


@pytest.mark.parametrize(("mode", "ended"), [("warn", 300), ("stop", 40), ("off", 300)])
def test_the_trainer_warns_or_stops(mode: str, ended: int, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("verl")
    from toolgym.training.trainer import ToolgymTrainer

    run = SimpleNamespace(_switches={"goodhart": mode, "goodhart_validations": 2}, _folder=tmp_path, _rewards=[])
    run.total_training_steps = 300
    said = {}
    for step, reward, clean in ((0, None, 0.9), (10, 1.0, 0.6), (20, 1.1, 0.7), (30, 1.2, 0.5), (40, 1.3, 0.4)):
        run.global_steps = step
        run._rewards = [] if reward is None else [reward - 0.1, reward + 0.1]
        said[step] = ToolgymTrainer._watch(run, [clean]).get("toolgym/goodhart")
    assert run.total_training_steps == ended
    assert said == (dict.fromkeys(said) if mode == "off" else {0: None, 10: 0.0, 20: 0.0, 30: 0.0, 40: 1.0})
    assert ("may be gamed" in caplog.text) == (mode != "off")


def test_too_many_void_episodes_end_a_run(caplog):
    pytest.importorskip("verl")
    from toolgym.training.trainer import ToolgymTrainer

    run = SimpleNamespace(_voids=[], global_steps=7, total_training_steps=300)
    ToolgymTrainer._end_if_void(run, [1.0] * 6 + [0.0] * 194)
    assert run.total_training_steps == 300
    ToolgymTrainer._end_if_void(run, [1.0] * 3)
    assert run.total_training_steps == 7 and "decided 9 of 203 episodes" in caplog.text
