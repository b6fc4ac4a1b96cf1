"""What verl is told is what was meant: strings in Hydra's grammar are read by it, and no key is set in vain."""

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from hydra import compose, initialize_config_module
from omegaconf import DictConfig, OmegaConf

from toolgym.cli import main
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.training import dead_keys, preflight, recipe
from toolgym.training.cpu import run
from toolgym.training.grammar import read_value
from toolgym.training.loop.settings import LoopSettings
from toolgym.training.recipe import Setup, setup
from toolgym.training.verl_config import RunPaths, verl_values

LOOP = "actor_rollout_ref.rollout.custom.toolgym"
RUNTIME = Path(__file__).parents[3] / "docs" / "training-runtime.md"
PATHS = RunPaths(Path("runs/nowhere"))
CPU = ["device=cpu", "engine=toolgym_transformers"]
EVERY = [
    (name, variant, device) for name in recipe.names() for variant in recipe.load(name).variants for device in (0, 1)
]
FULL = {"param_dtype": "fp32", "reduce_dtype": "fp32", "buffer_dtype": "fp32"}


def hydra_alone(overrides: list[str]) -> DictConfig:
    with initialize_config_module("verl.trainer.config", version_base=None):
        found: DictConfig = compose("ppo_trainer", overrides=overrides)
    return found


def test_a_cpu_trains_in_full_precision() -> None:
    from verl.utils.config import omega_conf_to_dataclass
    from verl.utils.torch_dtypes import PrecisionType

    config = preflight.compose(setup("tarl", [*CPU, "variant=ppo"]), PATHS)
    role = config.actor_rollout_ref
    for part in (role.actor.fsdp_config, role.ref.fsdp_config, config.critic.fsdp):
        assert OmegaConf.to_container(part.mixed_precision) == FULL
        read = omega_conf_to_dataclass(part).mixed_precision
        assert PrecisionType.to_dtype(read["param_dtype"]) is torch.float32


@pytest.mark.parametrize("critic", [False, True])
def test_the_cpus_overrides_are_what_hydra_makes_of_them(critic: bool) -> None:
    overrides = run.overrides(1, critic=critic)
    meant = hydra_alone(overrides)
    config = preflight.compose(setup("tarl", [*CPU, "gpus=1", f"variant={'ppo' if critic else 'grpo'}"]), PATHS)
    for override in overrides:
        key = override.partition("=")[0].removeprefix("+")
        assert OmegaConf.select(config, key) == OmegaConf.select(meant, key), key


def added(values: Any, defaults: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Keys that verl's own configuration does not have, with their values."""
    found: list[tuple[str, Any]] = []
    for name, value in values.items():
        known = isinstance(defaults, dict) and name in defaults
        if isinstance(value, dict):
            found += added(value, defaults.get(name) if known else None, f"{prefix}{name}.")
        elif not known:
            found.append((f"{prefix}{name}", value))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "on_cpu"), EVERY)
def test_no_key_is_a_misread_string_or_read_by_nobody(name: str, variant: str, on_cpu: int) -> None:
    values = verl_values(setup(name, [f"variant={variant}", *(CPU if on_cpu else [])]), PATHS)
    for key, value in added(values, OmegaConf.to_container(preflight._defaults())):
        assert all(part.isidentifier() for part in key.split(".")), f"{key}: {value}"
    assert dead_keys.dead(dead_keys.leaves(values), preflight._defaults()) == []


def test_a_value_from_the_command_line_is_read_as_hydra_reads_it() -> None:
    keys = {
        "actor_rollout_ref.model.override_config": "{attn_implementation:sdpa,other: bf16}",
        "actor_rollout_ref.actor.optim.lr_scheduler_type": "cosine",
        "trainer.logger": "[console,file]",
        "data.apply_chat_template_kwargs": "{enable_thinking: false}",
        "actor_rollout_ref.actor.optim.weight_decay": "1e-3",
    }
    given = [f"{key}={value}" for key, value in keys.items()]
    config = preflight.compose(setup("tarl", given), PATHS)
    meant = hydra_alone([f"++{line}" for line in given])
    for key in keys:
        assert OmegaConf.select(config, key) == OmegaConf.select(meant, key), key
    options = setup("toolrl", ["reward_options={scale:equal}"]).settings.reward_options
    assert options["scale"] == "equal"
    assert setup("tarl", ["model=a folder=x"]).settings.model == "a folder=x", "text is taken as it stands"


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("actor_rollout_ref.actor.grad_clip=0.5", r"reads .* nowhere; .*actor\.optim\.clip_grad"),
        ("trainer.logger=console,file", r"written \[a,b\]"),
        ("trainer.logger=[console", "cannot be read"),
        ("reward_options={scale", "cannot be read"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_words(assignment: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        preflight.compose(setup("tarl", [assignment]), PATHS)


def names_of_keys(text: str) -> list[tuple[str, str]]:
    """The keys of verl that a page names with their dots, each with a value to set."""
    section = "|".join(str(name) for name in preflight._defaults())
    return re.findall(rf"`((?:{section})(?:\.\w+)+)(?:=([^`]*))?`", text)


def test_every_key_of_the_page_can_be_set_from_the_command_line() -> None:
    page = RUNTIME.read_text(encoding="utf-8")
    table = page.split("### Settings")[1].split("\n\n")[2]
    listed = [name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(listed) == sorted(LoopSettings.model_fields), "the table names all settings of the loop"
    keys = [(f"{LOOP}.{name}", "") for name in listed] + names_of_keys(page)
    assert len(keys) > len(listed) + 5
    defaults = preflight.compose(setup("tarl"), PATHS)
    for key, value in keys:
        if isinstance(present := OmegaConf.select(defaults, key), DictConfig) and present:
            continue  # a section, whose keys are set one by one
        given = value or ("7" if present is None or isinstance(present, int) else str(present))
        config = preflight.compose(setup("tarl", [f"{key}={given}"]), PATHS)
        assert OmegaConf.select(config, key) == read_value(given, key), key


def test_a_setting_of_the_loop_is_checked_before_the_run() -> None:
    with pytest.raises(ConfigurationError, match="agent loop's setting attempts is wrong"):
        preflight.validate(preflight.compose(setup("tarl", [f"{LOOP}.attempts=0"]), PATHS))
    with pytest.raises(BadInput, match=r"no key 'atempts' of verl's .*did you mean 'attempts'"):
        preflight.compose(setup("tarl", [f"{LOOP}.atempts=3"]), PATHS)


def test_a_gpu_never_holds_all_logits_where_the_model_allows_it() -> None:
    def fused(*arguments: str, recipe: str = "tarl") -> tuple[bool, bool, bool]:
        role = preflight.compose(setup(recipe, arguments), PATHS).actor_rollout_ref
        entropy = (part.fsdp_config.entropy_from_logits_with_chunking for part in (role.actor, role.ref))
        return (role.model.use_fused_kernels, *entropy)

    assert fused() == (True, True, True)
    assert fused(*CPU) == (False, False, False)
    assert fused("actor_rollout_ref.model.use_fused_kernels=false") == (False, True, True)
    assert fused("variant=granite-4.1-8b", recipe="prove") == (False, True, True), "it divides its logits"
    assert fused("variant=speech") == (False, True, True), "it hears"


def extended(tmp_path: Path, verl: str) -> Setup:
    file = tmp_path / "mine.yaml"
    file.write_text(f"extends: tarl\ntitle: mine\nverl: {verl}\n", encoding="utf-8")
    return setup(str(file))


def test_a_recipes_keys_are_looked_at_too(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="clip_grad"):
        preflight.compose(extended(tmp_path, "{critic: {grad_clip: 2}}"), PATHS)
    with pytest.raises(BadInput, match="space after the colon"):
        extended(tmp_path, "{actor_rollout_ref: {model: {override_config: {attn:sdpa}}}}")


def test_a_dry_run_names_what_verl_reads_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keys = ["actor_rollout_ref.nccl_timeout=99", "actor_rollout_ref.actor.optim.clip_grad=0.5"]
    sizes = ["env=kiosk", "val_split=test", "steps=2", "warmup_steps=0", "val_tasks=2", "math_problems=8"]
    assert main(["train", "tarl", *sizes, *keys, f"out={tmp_path}", "--dry-run"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "change nothing: actor_rollout_ref.nccl_timeout" in shown and "clip_grad" not in shown
