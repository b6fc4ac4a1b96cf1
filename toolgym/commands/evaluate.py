"""Run an agent on a split of tasks, many episodes at once, and score what it did.

A run is a folder; running the same command again resumes it.

toolgym eval kiosk --agent oracle --out runs/first     a world of a few tasks, and the calls that solve them
toolgym eval retail --agent llm --agent-model NAME --agent-base-url http://127.0.0.1:8000/v1 --trials 4
                                                       a model, each task four times
toolgym eval --mcp "npx some-server" --agent oracle    any MCP server is the world (docs/mcp-worlds.md)
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from rich.console import Console

from toolgym.commands import mcp_flags
from toolgym.judge import report
from toolgym.judge.evaluation import times
from toolgym.judge.evaluation.depth.benchmark import is_tooldepth
from toolgym.judge.evaluation.judging import JudgeSettings, judge_folder
from toolgym.judge.evaluation.robustness import robustness, robustness_table
from toolgym.judge.evaluation.run import Played, baseline, unspoken
from toolgym.judge.evaluation.run import run as play_run
from toolgym.judge.evaluation.run_folder import GROWING, RunFolder, write_json
from toolgym.judge.evaluation.scoring_summary import score_table
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.evaluation.summary import FLOORS, Judged, judge_all, summarise, table
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.models.settings import JudgeModel
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.registry import domain_of, is_own_data
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import Trajectory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym eval`."""
    add_flags(parser, EvalSettings, positional=("env",))
    mcp_flags.add_flags(parser)


def run_folder(settings: EvalSettings) -> RunFolder:
    """The folder a run goes to."""
    code = settings.code()
    agent = _folder_word(settings.agent, code["agent"]) if "agent" in code else settings.agent
    if is_tooldepth(settings.env):
        way = settings.format or ("program" if settings.program else "solo" if settings.solo else "dialogue")
        distractors = f"-distractors-{settings.distractors}" if settings.distractors else ""
        name = f"tooldepth-{agent}-{way}-{settings.split}{distractors}"
    else:
        name = f"{domain_of(settings.env).name.partition(':')[0]}-{agent}-{settings.data}-{settings.split}"
    name += f"-{_folder_word(settings.user, code['user'])}" if "user" in code else ""
    name += "-speech" if settings.modality == "speech" else ""
    name += "-canary" if settings.canary else ""
    name += f"-{settings.perturbations()}".replace(",", "-") if settings.perturb is not None else ""
    return RunFolder(settings.out or Path("runs") / name.replace(":", "-").replace("/", "-"))


def _folder_word(name: str, code: str) -> str:
    """An agent or a user of one's own in a folder's name; what is changed in its code is played into another one."""
    place, _, thing = name.rpartition(":")
    return "-".join([*re.findall(r"[\w.-]+", f"{Path(place).stem} {thing}"), code[:6]])


def play(settings: EvalSettings, folder: RunFolder, console: Console) -> Played:
    """Play and show how far it is, after saying about what it will use."""
    with Progress(console, f"{settings.agent} on {settings.env}") as bar:

        def told(trajectory: Trajectory) -> None:
            broken = trajectory.termination == "infrastructure_error"
            bar.advance(passed=None if console.quiet or broken else verify(trajectory).passed(settings.basis))

        def say(sentence: str) -> None:
            console.print(sentence, highlight=False, soft_wrap=True)

        return play_run(settings, folder, bar.begin, told, say)


def floor(settings: EvalSettings, agent: str, console: Console) -> list[Judged]:
    """What an agent of no use does on the same tasks."""
    with Progress(console, f"{agent} beside it") as bar:
        return judge_all(baseline(settings, agent, bar.advance))


def usual_run(settings: EvalSettings) -> list[Judged]:
    """The same run as it is, where it was played into its usual folder."""
    usual = settings.model_copy(update={"perturb": None, "out": None})
    folder = run_folder(usual)
    if not folder.settings_file.is_file():
        return []
    kept = folder.settings()
    same = all(kept.get(name) == value for name, value in usual.identity().items() if name not in GROWING)
    return judge_all(folder.trajectories()) if same else []


def scoring_of(settings: EvalSettings, folder: RunFolder) -> JudgeSettings:
    """How the run is scored once it is played."""
    shared = {name: getattr(settings, name) for name in (*JudgeModel.model_fields, "judge", "judge_options")}
    return JudgeSettings(run=folder.path, rewards=settings.reward, **shared)


USER_HINT = (
    "The scripted user plays, as no user was given. For a model's score the usual choice is one that a language model "
    "plays: --user llm --user-model NAME --user-base-url URL; --user scripted keeps this one and says nothing."
)


def run_and_summarise(settings: EvalSettings, console: Console) -> int:
    """The whole command: play, judge, print, save."""
    folder = run_folder(settings)
    scoring = scoring_of(settings, folder)
    scoring.check()
    if settings.agent == "llm" and "user" not in settings.model_fields_set and not (settings.solo or settings.program):
        console.print(USER_HINT, highlight=False, soft_wrap=True)
    played = play(settings, folder, console)
    trajectories = played.trajectories
    judged = judge_all(trajectories)
    beside = [agent for agent in FLOORS if agent != settings.agent and settings.user == "scripted"]
    floors = {agent: floor(settings, agent, console) for agent in beside}
    compare = settings.modality == "speech" and settings.repeats_freely()
    text = judge_all(unspoken(settings)) if compare else []
    failures = folder.failures()
    unpriced = settings.unpriced(("agent", "user"))
    summary = summarise(
        judged,
        failures,
        basis=settings.basis,
        floors=floors,
        unpriced=unpriced,
        text=text,
        settings=folder.settings(),
    )
    if played.stopped is not None:
        summary["stopped"] = played.stopped
    if settings.perturb is not None:
        summary["robustness"] = robustness(settings, judged, usual_run(settings))
    write_json(folder.summary_file, summary)
    agent, user = settings.player_names()
    company = "by program" if settings.program else "alone" if settings.solo else f"with {user} user"
    world = settings.env if settings.env == settings.data else f"{settings.env}, {settings.data} data"
    title = f"{agent} {company} on {world}, {settings.split} split"
    if not (settings.alone or is_own_data(settings.data)):
        title += ", no events"  # others' scores mean a user that goes by words alone
    if settings.consent == "call":
        title += ", each change approved"
    if settings.modality == "speech":
        title += f", in speech ({settings.tts}, {settings.channel}, agent input {settings.agent_input})"
    console.print(table(summary, title))
    if "robustness" in summary:
        console.print(robustness_table(summary["robustness"]))
    if trajectories:
        console.print(score_table(judge_folder(folder, scoring, console)))
    times.end(folder.path)
    if trajectories:
        report.write([folder], folder.report_file)
        console.print(f"\nReport: {folder.report_file}", highlight=False, soft_wrap=True)
    example = folder.path if trajectories else folder.failures_file
    console.print(f"Saved in {folder.path}. Read one: toolgym show {example}", highlight=False, soft_wrap=True)
    if played.stopped is not None:
        console.print(played.stopped["sentence"], highlight=False, soft_wrap=True)
        return 1
    return 1 if failures and not judged else 0


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym eval`."""
    if arguments.mcp is not None:
        from toolgym.commands import mcp_world  # the SDK loads slowly

        return mcp_world.evaluate(arguments)
    return run_and_summarise(resolve(EvalSettings, arguments), SafeConsole())
