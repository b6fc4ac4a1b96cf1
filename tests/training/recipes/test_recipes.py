"""Every recipe, with every variant, is accepted by toolgym's rules and by verl's own configuration checker."""

from pathlib import Path

import pytest
from omegaconf import DictConfig, OmegaConf

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.training import preflight, recipe
from toolgym.training.recipe import Setup, Values, setup
from toolgym.training.verl_config import RunPaths

pytestmark = pytest.mark.slow

PATHS = RunPaths(Path("runs/nowhere"))
SETUPS = [(name, variant) for name in recipe.names() for variant in recipe.load(name).variants]
TOGETHER = [
    ("tarl", "grpo+judge+math"),
    ("tarl", "ppo+judge+math"),
    ("tarl", "ppo+per-turn"),
    ("tarl", "rloo+per-turn"),
    ("tarl", "rloo+judge"),
    ("tarl", "grpo+judge+top-entropy"),
    ("tarl", "grpo+judge+intervention"),
    ("toolrl", "ppo+dynamic+dynamic-length+finegrained+optimal"),
    ("tier", "dapo+xml+simple"),
    ("prove", "granite-4.1-8b+flat-budget"),
]


def composed(made: Setup) -> DictConfig:
    preflight.check(made.settings)
    config = preflight.compose(made, PATHS)
    preflight.validate(config)
    return config


@pytest.fixture(autouse=True)
def speech_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recipes are checked on machines without speech engines too; that they are asked for is tested below."""
    real = preflight.registry.names
    monkeypatch.setattr(preflight.registry, "names", lambda group: ["one"] if group == "tts" else real(group))


@pytest.mark.parametrize(("name", "variant"), SETUPS)
def test_every_variant_is_sound(name: str, variant: str) -> None:
    made = setup(name, [f"variant={variant}"])
    preflight.check(made.settings)
    part = recipe.load(name).variants[variant]
    if part.verl or "estimator" in part.settings:  # the others change nothing that verl looks at
        composed(made)


@pytest.mark.parametrize(("name", "variant"), TOGETHER)
def test_verl_accepts_what_is_put_together(name: str, variant: str) -> None:
    made = setup(name, [f"variant={variant}"])
    config = composed(made)
    assert config.data.train_batch_size == made.settings.batch
    assert config.actor_rollout_ref.rollout.n == made.settings.group
    assert config.actor_rollout_ref.actor.optim.lr == made.settings.lr
    assert config.actor_rollout_ref.rollout.custom.toolgym.reward == made.settings.reward


def keys(values: Values, prefix: str = "") -> list[str]:
    found: list[str] = []
    for name, value in values.items():
        inner = isinstance(value, dict)
        found += keys(value, f"{prefix}{name}.") if inner else [f"{prefix}{name}"]
    return found


@pytest.mark.parametrize("name", recipe.names())
def test_every_verl_key_in_a_recipe_exists_in_verl(name: str) -> None:
    loaded = recipe.load(name)
    parts = [loaded, *loaded.variants.values()]
    parts += [part for variant in loaded.variants.values() for part in variant.combined.values()]
    defaults = preflight._defaults()
    for part in parts:
        for key in keys(part.verl):
            if key.rpartition(".")[0].endswith("wrap_policy"):  # free-form in verl
                key = key.rpartition(".")[0]
            assert OmegaConf.select(defaults, key, default="missing") != "missing", key


@pytest.mark.parametrize("name", recipe.names())
def test_every_number_of_a_recipe_says_where_it_is_from(name: str) -> None:
    lines = (recipe.FOLDER / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    settings = lines[lines.index("settings:") + 1 :]
    for line in settings[: settings.index("")]:
        assert "#" in line, f"{name}: {line.strip()} has no source"


def test_tarl_is_its_table_5() -> None:
    config = composed(setup("tarl"))
    actor = config.actor_rollout_ref.actor
    assert (config.data.train_batch_size, config.actor_rollout_ref.rollout.n) == (32, 4)
    assert (actor.optim.lr, actor.optim.clip_grad, actor.clip_ratio, actor.ppo_epochs) == (1e-6, 1.0, 0.2, 1)
    assert (actor.use_kl_loss, actor.kl_loss_coef) == (True, 0.003)
    assert (config.actor_rollout_ref.rollout.temperature, config.actor_rollout_ref.rollout.top_p) == (0.7, 0.95)
    ppo = composed(setup("tarl", ["variant=ppo"]))
    assert (ppo.algorithm.adv_estimator, ppo.algorithm.gamma, ppo.algorithm.lam) == ("gae", 1.0, 1.0)
    assert (ppo.algorithm.use_kl_in_reward, ppo.algorithm.kl_ctrl.kl_coef, ppo.critic.optim.lr) == (True, 0.001, 1e-5)


def test_prove_bounds_both_sides() -> None:
    loop = composed(setup("prove")).actor_rollout_ref.rollout.custom.toolgym
    assert (loop.max_turns, loop.max_user_turns) == (10, 5)


def test_variants_combine() -> None:
    judged = setup("tarl", ["variant=ppo+judge"]).settings
    assert (judged.estimator, judged.credit, judged.reward) == ("toolgym_uniform_gae", "trajectory", "tarl")
    assert setup("tarl", ["variant=ppo+judge+every-token"]).settings.estimator == "toolgym_every_token_gae"
    assert setup("tarl", ["variant=intervention"]).settings.judge is None, "it compares by rule and pays for no judge"
    turns = setup("tarl", ["variant=ppo+per-turn"]).settings
    assert (turns.estimator, turns.credit) == ("gae", "turn")
    assert setup("tarl", ["variant=grpo+per-turn"]).settings.estimator == "toolgym_turn_grpo"
    assert setup("toolrl", ["variant=dynamic+length"]).settings.reward_options == {
        "scale": "dynamic",
        "length": "fixed",
    }
    assert [setup("prove", [f"variant={m}"]).settings.lr for m in ("qwen3-4b", "qwen3-8b", "qwen2.5-7b")] == [
        1e-6,
        5e-8,
        3e-7,
    ]


def test_settings_and_verl_keys_from_the_command_line() -> None:
    made = setup(
        "tarl", ["lr=5e-7", "mix=math,text", "env=retail,kiosk", "actor_rollout_ref.actor.clip_ratio_high=0.28"]
    )
    assert (made.settings.lr, made.settings.mix, made.settings.env) == (5e-7, ("math", "text"), ("retail", "kiosk"))
    assert composed(made).actor_rollout_ref.actor.clip_ratio_high == 0.28


def test_a_broken_recipe_is_said_with_its_line(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("extends: tarl\nkeys: [1, 2\nmodel: x\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"own\.yaml, line 3, is not YAML: expected ',' or ']'"):
        recipe.load(str(own))


def test_a_recipe_of_ones_own_extends_another(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("extends: tarl\ntitle: mine\nsettings: {lr: 2e-6}\n", encoding="utf-8")
    made = setup(str(file), ["variant=rloo"])
    assert (made.name, made.title, made.settings.lr, made.settings.estimator) == ("mine", "mine", 2e-6, "toolgym_rloo")


@pytest.mark.parametrize(
    ("name", "assignments", "message"),
    [
        ("trl", [], "did you mean 'tarl'"),
        ("nowhere.yaml", [], "no recipe file"),
        ("tarl", ["variant=judgee"], "did you mean 'judge'"),
        ("tarl", ["variant=grpo+ppo"], "exclude each other"),
        ("tarl", ["lrr=1"], "did you mean 'lr'"),
        ("tarl", ["lr=fast"], "lr: "),
        ("tarl", ["lr"], "KEY=VALUE"),
    ],
)
def test_a_wrong_assignment_is_refused_in_words(name: str, assignments: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        setup(name, assignments)


@pytest.mark.parametrize(
    ("assignments", "message"),
    [
        (["reward=tarl"], "needs turn scores"),
        (["credit=turn"], "toolgym_turn_grpo"),
        (["group=1"], "group must be 2"),
        (["mini_batch=5"], "does not divide"),
        (["turn_tokens=40000"], "whole conversation"),
        (["mix=warmup"], "warmup_steps"),
        (["warmup_steps=300"], "leaves nothing"),
        (["mix=step"], "format=toolrl"),
        (["mix=step", "format=toolrl"], "gold text"),
        (["format=hermess"], "did you mean 'hermes'"),
        (["reward=toolrl", "reward_options={scales: equal}"], "does not take these options"),
        (["reward_options={a: 1}"], "takes no options"),
        (["user=scriptd"], "did you mean 'scripted'"),
    ],
)
def test_impossible_settings_are_refused_in_words(assignments: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        preflight.check(setup("tarl", assignments).settings)


def test_speech_without_an_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight.registry, "names", lambda group: [])
    with pytest.raises(BadInput, match="speech engine"):
        preflight.check(setup("tarl", ["mix=speech"]).settings)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("actor_rollout_ref.actr.grad_clip=1", "did you mean 'actor'"),
        ("actor_rollout_ref.actor.grad_clp=1", "did you mean 'grad_clip'"),
        ("actor_rollout_ref.actor.optim.lr.x=1", "no section 'lr' of verl's"),
    ],
)
def test_an_unknown_key_of_verl_is_refused_with_the_nearest(key: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        preflight.compose(setup("tarl", [key]), PATHS)


def test_what_verl_refuses_is_said_in_a_sentence() -> None:
    made = setup("toolrl", ["variant=ppo", "batch=3", "mini_batch=3", "gpus=2"])
    with pytest.raises(ConfigurationError, match=r"verl refuses this configuration: .*divisible"):
        preflight.validate(preflight.compose(made, PATHS))


def test_rows_that_do_not_fill_passes_are_refused_before_the_first_step() -> None:
    keys = ["device=cpu", "engine=toolgym_transformers", "batch=2", "gpus=1"]
    preflight.validate(preflight.compose(setup("tarl", keys), PATHS))
    wrong = setup("tarl", [*keys, "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=3"])
    with pytest.raises(ConfigurationError, match="8 rows in an update are not divisible"):
        preflight.validate(preflight.compose(wrong, PATHS))


def test_a_machine_without_gpus_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    with pytest.raises(ConfigurationError, match="device=cpu"):
        preflight.check_machine(setup("tarl").settings)
