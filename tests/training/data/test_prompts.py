"""A prompt that does not fit is said before anything starts, with what it takes."""

from pathlib import Path

import depthbench_checkout
import pytest
from rollouts import make_loop, tokenizer

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.data.build import build
from toolgym.training.data.prompts import longest, require_fit
from toolgym.training.data.rows import Row, dialogue_rows
from toolgym.training.loop.conversation import shape_of
from toolgym.training.recipe import setup
from toolgym.training.settings import TrainSettings


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return depthbench_checkout.make(tmp_path_factory.mktemp("tier") / "checkout")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("model")
    tokenizer().save_pretrained(folder)
    return str(folder)


def rows(format: str) -> list[Row]:
    return dialogue_rows("text", get_domain("kiosk").tasks("train")[:2], format)


def tier(checkout: Path, model: str, *changes: str) -> TrainSettings:
    return setup("tier", [f"data=depthbench:{checkout}", f"model={model}", *changes]).settings


@pytest.mark.parametrize("format", ["native", "hermes"])
async def test_what_is_counted_is_what_the_loop_shows_before_the_user_speaks(format: str) -> None:
    pytest.importorskip("verl")
    from toolgym.training.loop.agent_loop import ToolgymLoop

    task = get_domain("kiosk").tasks("train")[0]
    (made,) = dialogue_rows("text", [task], format)
    loop = make_loop(ToolgymLoop, None, prompt_length=100_000)
    tools = shape_of(format).tools(briefing(get_domain("kiosk"), task).tools)
    shown = loop.transcript(made["prompt"], tools)
    assert longest([made], tokenizer()).tokens == shown.prompt


def test_tools_in_the_chat_template_count() -> None:
    native, text = (longest(rows(format), tokenizer()) for format in ("native", "hermes"))
    assert native.tokens > 300 and text.tokens > 300 and not native.estimated
    assert abs(longest(rows("hermes"), None).tokens - text.tokens) < text.tokens
    assert str(longest(rows("hermes"), None)).startswith("about ")


def test_a_prompt_that_does_not_fit_is_refused_with_what_it_takes(model: str) -> None:
    made = rows("hermes")
    found = require_fit(made, model, 100_000)
    assert require_fit(made, model, found.tokens) == found
    with pytest.raises(BadInput, match=rf"has {found.tokens:,} tokens and prompt_tokens allows {found.tokens - 1:,}"):
        require_fit(made, model, found.tokens - 1)
    assert require_fit(made, "a/model-that-is-not-here", 1).estimated, "a plan without the model is an estimate"


def test_the_tier_recipe_builds_its_data_from_a_checkout(checkout: Path, model: str, tmp_path: Path) -> None:
    made = tier(checkout, model)
    built = build(made, tmp_path / "train.parquet", tmp_path / "val.parquet")
    assert (built.train, built.val) == (14, 6) and 0 < built.longest.tokens < made.prompt_tokens
    assert (made.group, made.lr, made.estimator, made.max_turns) == (8, 5e-6, "toolgym_tier", 1)
    with pytest.raises(BadInput, match="prompt_tokens allows 100"):
        build(tier(checkout, model, "prompt_tokens=100"), tmp_path / "no.parquet", tmp_path / "no.parquet")
    assert not (tmp_path / "no.parquet").exists()


def test_the_tier_recipe_says_what_its_data_lack(checkout: Path, model: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="name it as the data: depthbench:CHECKOUT"):
        build(setup("tier", [f"model={model}"]).settings, tmp_path / "a", tmp_path / "b")
    with pytest.raises(BadInput, match="answered by programs alone; set mix=program"):
        build(tier(checkout, model, "mix=text"), tmp_path / "a", tmp_path / "b")
    with pytest.raises(BadInput, match="toolgym tasks generate kiosk --interaction program"):
        kiosk = setup("tier", [f"model={model}", "env=kiosk", "val_split=test"]).settings
        build(kiosk, tmp_path / "a", tmp_path / "b")
