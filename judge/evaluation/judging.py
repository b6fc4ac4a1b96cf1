"""Scores a run's folder with a judge and rewards: scores.jsonl, and their summary in summary.json."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import Field
from pydantic_core import from_json
from rich.console import Console

from toolgym.judge.annotation.people import agreement_with_people
from toolgym.judge.evaluation.episode_index import build_index, write_index
from toolgym.judge.evaluation.run_folder import RunFolder, write_json
from toolgym.judge.evaluation.scoring_summary import agreement_with_rules, summarise_scores
from toolgym.judge.evaluation.usage import sum_usage
from toolgym.judge.scoring.functions import reward_of
from toolgym.judge.scoring.reward import Judge
from toolgym.judge.scoring.scorer import REWARDS, make_judge, score_run
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.models.settings import JudgeModel
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.progress import Progress


class JudgeSettings(JudgeModel):
    """How a run is scored: one schema for flags, TOML file and environment."""

    run: Path = Field(description="the run's folder")
    judge: str = Field(default="rules", description="judge: rules, llm, an installed one or FILE.py:NAME")
    judge_options: dict[str, Any] = Field(default={}, description="options of the judge, such as samples=3")
    calibrate: Path | None = Field(
        default=None, description="an annotated run, or exported annotations: examples for the judge llm"
    )
    rewards: tuple[str, ...] = Field(default=REWARDS, description="rewards to compute, installed ones or FILE.py:NAME")
    concurrency: int = Field(default=16, ge=1, description="trajectories judged at the same time")

    def make_judge(self) -> Judge:
        """The judge, with its model."""
        factory = parts.find("judges", self.judge)
        options = self.options("judge", self.judge, factory, self.judge_options)
        if self.calibrate is not None:
            if "calibrate" not in parts.options_of(factory):
                raise BadInput(
                    f"--calibrate shows examples to a language model, and the judge {self.judge!r} takes none; "
                    "add --judge llm."
                )
            options = {**options, "calibrate": self.calibrate}
        return make_judge(self.judge, options)

    def check(self) -> None:
        """Say what cannot be scored before anything is played; raises as making the judge and the rewards does."""
        self.make_judge()
        for name in self.rewards:
            reward_of(name)
        shown = Counter(map(parts.shown_name, dict.fromkeys(self.rewards)))
        for name, times in shown.items():
            if times > 1:
                raise BadInput(f"Two rewards would be recorded as {name}; give one of their files another name.")

    def code(self) -> dict[str, str]:
        """Digests of the code of a judge and of rewards that are not installed, by the names they are recorded by."""
        named: list[tuple[parts.Group, str]] = [("judges", self.judge), *(("rewards", name) for name in self.rewards)]
        found = {parts.shown_name(name): parts.code(group, name) for group, name in named}
        return {name: digest for name, digest in found.items() if digest is not None}


def judge_folder(folder: RunFolder, settings: JudgeSettings, console: Console) -> dict[str, Any]:
    """Score a run with a progress bar; the scores' summary is added to summary.json and returned.

    Raises:
        BadInput: the folder holds no finished trajectory.
    """
    trajectories = folder.trajectories()
    if not trajectories:
        raise BadInput(f"{folder.path} holds no finished trajectory to score.")
    settings.check()
    judge = settings.make_judge()
    with Progress(console, f"judging with {parts.shown_name(settings.judge)}", len(trajectories)) as bar:
        scores = score_run(
            folder,
            judge,
            bar.update,
            rewards=settings.rewards,
            concurrency=settings.concurrency,
        )
    summary = summarise_scores(scores, trajectories)
    summary["usage"] = sum_usage(getattr(judge, "take_usage", tuple)())
    summary["unpriced_models"] = settings.unpriced(("judge",))
    if calibration := getattr(judge, "calibration", None):
        summary["calibration"] = calibration
    if people := agreement_with_people(folder.path, trajectories, [score.turns for score in scores]):
        summary["people"] = people
    if settings.judge != "rules":
        summary["agreement"] = agreement_with_rules(scores, trajectories)
    if code := settings.code():
        summary["code"] = code
    kept = from_json(folder.summary_file.read_bytes()) if folder.summary_file.is_file() else {}
    write_json(folder.summary_file, kept | {"scores": summary})
    write_index(folder, build_index(folder))
    return summary
