"""A run's folder that toolgym 0.1 wrote is resumed, scored and reported as one of today's."""

import json
import shutil
from pathlib import Path

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings

RECORDED = Path(__file__).with_name("run-v1")
"""`toolgym eval kiosk --agent rules --seed 5` as toolgym 0.1 left it, its report aside; turn scores are
today's rule judge's."""


@pytest.fixture
def old(tmp_path: Path) -> RunFolder:
    return RunFolder(Path(shutil.copytree(RECORDED, tmp_path / "old")))


def test_an_old_run_is_gone_on_with(old: RunFolder, tmp_path: Path) -> None:
    seconds = [trajectory.timing.total for trajectory in old.trajectories()]
    assert main(["eval", "kiosk", "--agent", "rules", "--seed", "5", "--out", str(old.path)]) == 0
    assert [trajectory.timing.total for trajectory in old.trajectories()] == seconds, "nothing is played again"
    assert main(["eval", "kiosk", "--agent", "rules", "--seed", "5", "--out", str(tmp_path / "new")]) == 0
    new = RunFolder(tmp_path / "new")
    assert [t.canonical() for t in old.trajectories()] == [t.canonical() for t in new.trajectories()]
    assert old.scores_file.read_bytes() == new.scores_file.read_bytes()


def test_an_old_run_keeps_its_scores_and_is_reported(old: RunFolder) -> None:
    scores, summary = old.scores_file.read_bytes(), json.loads(old.summary_file.read_text(encoding="utf-8"))
    assert main(["judge", str(old.path)]) == 0
    assert old.scores_file.read_bytes() == scores == (RECORDED / "scores.jsonl").read_bytes()
    assert json.loads(old.summary_file.read_text(encoding="utf-8")) == summary
    assert main(["report", str(old.path)]) == 0 and old.report_file.stat().st_size > 10_000
    assert main(["show", str(old.path)]) == 0


def test_an_old_spoken_run_is_gone_on_with(tmp_path: Path) -> None:
    settings = EvalSettings(env="kiosk", modality="speech", agent_input="asr", disfluency=0.3).identity()
    assert (settings["agent_input"], settings["disfluency"]) == ("asr", 0.3)
    former = {"agent_input": "ears", "disfluency": "hesitation"}
    folder = RunFolder(tmp_path)
    folder.settings_file.write_text(json.dumps({former.get(name, name): value for name, value in settings.items()}))
    folder.open(settings)
    assert json.loads(folder.settings_file.read_text()) == folder.settings() == json.loads(json.dumps(settings))
