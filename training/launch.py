"""Starts a training run: checks it, writes its folder, runs verl in a process of its own, draws its curves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf
from rich.console import Console

from toolgym.judge.evaluation import times
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.runtime.env_passthrough import forwarded
from toolgym.training import plots, preflight, resource_estimate
from toolgym.training.cpu.preloading import preloading
from toolgym.training.data.build import build
from toolgym.training.log_tail import follow
from toolgym.training.loop.settings import WITHHELD, withheld
from toolgym.training.process_tree import end_with_parent
from toolgym.training.recipe import Setup
from toolgym.training.run_lock import locked
from toolgym.training.settings import NOT_IDENTITY
from toolgym.training.verl_config import RunPaths, environment


def resolve(setup: Setup, paths: RunPaths, console: Console) -> DictConfig:
    """Check a set-up by toolgym's rules and verl's, build its data and print its plan; returns verl's configuration.

    Raises:
        ToolgymError: it cannot work.
    """
    preflight.check(setup.settings)
    preflight.check_tasks(setup.settings)
    os.environ.setdefault("VERL_LOGGING_LEVEL", "ERROR")  # of this process; the run's own level is set below
    with console.status("checking with verl"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # verl warns of every engine that is not installed
        config = preflight.compose(setup, paths)
        preflight.validate(config)
    with console.status("building the data"):
        built = build(setup.settings, paths.train, paths.val)
    _, critic = preflight.needs(config)
    console.print(resource_estimate.table(setup, config, critic=critic, built=built))
    if ignored := preflight.ignored(setup):
        console.print(f"\nverl reads nowhere, so that they change nothing: {', '.join(ignored)}", highlight=False)
    return config


def dry_run(setup: Setup, console: Console) -> int:
    """Everything but the training; the folder holds the data and verl's configuration for a look."""
    with locked(setup.out):
        paths = RunPaths.next(setup.out)
        config = resolve(setup, paths, console)
        _write_config(config, paths)
    console.print(f"\nverl accepts it. Its configuration: {paths.config}", highlight=False, soft_wrap=True)
    return 0


def train(setup: Setup, console: Console) -> int:
    """The whole run; going on where a folder's last checkpoint stands."""
    preflight.check_machine(setup.settings)
    with locked(setup.out) as lock:
        return _train(setup, lock, console)


def _train(setup: Setup, lock: int, console: Console) -> int:
    paths = RunPaths.next(setup.out)
    _open(setup, paths)
    times.begin(paths.folder)
    config = resolve(setup, paths, console)
    kept = _write_config(config, paths)
    last = paths.last_checkpoint()
    _announce(setup, paths, last, console)
    try:
        status = _run(setup, paths, kept, lock, console)
    except KeyboardInterrupt:
        saved = paths.last_checkpoint()
        where = f"goes on after step {saved}, the last checkpoint" if saved else "starts anew: no step was saved yet"
        console.print(f"Stopped. The same command {where}.", highlight=False)
        return 130
    finally:
        times.end(paths.folder)
    if paths.metrics.is_file() and paths.metrics.stat().st_size:
        plots.draw(paths.folder, paths.folder / "curves.png", title=setup.title)
        console.print(f"Curves: {paths.folder / 'curves.png'}", highlight=False, soft_wrap=True)
    if status != 0:
        raise InfrastructureError(
            "model", f"verl stopped with status {status}; the reason is at the end of {paths.log}."
        )
    return 0


def _open(setup: Setup, paths: RunPaths) -> None:
    """Begin the folder, or go on in it.

    Raises:
        BadInput: it holds a run with other settings.
    """
    identity = setup.settings.model_dump(mode="json", exclude=NOT_IDENTITY)
    if setup.settings.consent == "words":
        del identity["consent"]  # runs that began before there was another way do not name it
    try:
        RunFolder(paths.folder).open({"recipe": setup.name, "variants": list(setup.variants), **identity})
    except BadInput as error:
        raise BadInput(str(error).replace("with --out", "with out=FOLDER")) from None


def _announce(setup: Setup, paths: RunPaths, last: int, console: Console) -> None:
    """Say what is about to happen and where to look."""
    begin = f"going on after step {last}" if last else "starting at step 1"
    for line in (
        f"{begin} of {setup.settings.steps}; verl takes a minute or so until its first line",
        f"log: {paths.log}   TensorBoard: tensorboard --logdir {paths.folder}\n",
    ):
        console.print(line, highlight=False, soft_wrap=True)


def _write_config(config: DictConfig, paths: RunPaths) -> dict[str, Any]:
    """Write it without keys and passwords; returns the agent loops' settings that hold one."""
    custom = config.actor_rollout_ref.rollout.custom
    shown, kept = withheld(OmegaConf.to_container(custom.toolgym))  # type: ignore[arg-type]
    custom.toolgym = shown
    paths.metrics.parent.mkdir(parents=True, exist_ok=True)
    paths.config.write_text(OmegaConf.to_yaml(config), encoding="utf-8")
    return kept


def _run(setup: Setup, paths: RunPaths, kept: dict[str, Any], lock: int, console: Console) -> int:
    """Run verl below `process_tree`: its output goes to the log, its metrics to the console; nothing of it stays."""
    given = os.environ | environment(setup.settings, paths) | {WITHHELD: json.dumps(kept)}
    on_cpu = setup.settings.device == "cpu" and "RAY_ADDRESS" not in given  # a cluster has its workers
    command = [sys.executable, "-m", "toolgym.training.process_tree", str(paths.config), str(paths.log)]
    with (
        paths.log.open("a", encoding="utf-8") as log,
        preloading(given, here=on_cpu) as forks,
        subprocess.Popen(
            command,
            env=given | forks,
            stdin=subprocess.PIPE,  # its end tells that process that this process is gone
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=(lock,),  # the folder stays taken until nothing of the run is left
            start_new_session=True,  # Ctrl-C reaches this process alone
        ) as process,
    ):
        try:
            follow(process, paths.metrics, setup.settings.steps, console)
        except KeyboardInterrupt:
            console.print("Stopping verl; this takes some seconds.")
            raise
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
    return process.returncode


def main(config_file: str) -> None:
    """What the process runs: verl's own PPO main on a configuration that was checked before.

    Ray is started here and not by verl, which would print the variables that go along, keys among them.
    """
    end_with_parent()
    from verl.trainer.constants_ppo import get_ppo_ray_runtime_env
    from verl.trainer.main_ppo import TaskRunnerV1, run_ppo

    from toolgym.sandbox.runtime.cluster import start

    config = OmegaConf.load(Path(config_file))
    assert isinstance(config, DictConfig)
    options = dict(OmegaConf.to_container(config.ray_kwargs.ray_init))  # type: ignore[arg-type]
    runtime = dict(get_ppo_ray_runtime_env(config))
    options["runtime_env"] = runtime | {"env_vars": runtime.get("env_vars", {}) | forwarded()}
    start(**cluster(options))
    run_ppo(config, task_runner_class=TaskRunnerV1)


def cluster(options: dict[str, Any]) -> dict[str, Any]:
    """Options of `ray.init` for the cluster that RAY_ADDRESS names, or for one of the run's own: without an address Ray
    would join whatever cluster was started on this machine last.
    """
    address = os.environ.get("RAY_ADDRESS")
    if address:
        options = {name: value for name, value in options.items() if name not in {"num_cpus", "num_gpus"}}
    return options | {"address": address or "local"}


if __name__ == "__main__":
    main(sys.argv[1])
