"""The schedule: kinds alternate by batch after the warm-up, every row comes once a pass, and verl's loader follows."""

import itertools
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf
from torchdata.stateful_dataloader import StatefulDataLoader
from verl.trainer.ppo.utils import create_rl_dataset, create_rl_sampler
from verl.utils.dataset.rl_dataset import collate_fn

from toolgym.training.data.kinds import Kind
from toolgym.training.data.rows import row, write_rows
from toolgym.training.data.schedule import Schedule

MIX: tuple[Kind, ...] = ("math", "text", "speech")
SIZES: dict[Kind, int] = {"math": 5, "text": 3, "speech": 4, "warmup": 2}


def test_batches_alternate_after_the_warm_up() -> None:
    schedule = Schedule(MIX, batch=2, steps=8, warmup=2)
    assert [schedule.kind(step) for step in range(8)] == ["warmup", "warmup", *MIX, *MIX]
    kinds = [schedule.locate(index, SIZES)[0] for index in range(len(schedule))]
    assert kinds == [kind for step in range(8) for kind in [schedule.kind(step)] * 2]
    assert schedule.kinds() == {"warmup", *MIX}
    assert Schedule(MIX, batch=2, steps=2).kinds() == {"math", "text"}, "what never comes is not built"


@given(st.integers(1, 5), st.integers(1, 12), st.integers(0, 4), st.integers(0, 3), st.permutations(["math", "text"]))
def test_every_row_of_a_kind_comes_once_in_a_pass(
    batch: int, steps: int, warmup: int, seed: int, mix: list[Kind]
) -> None:
    schedule = Schedule((*mix, "text"), batch=batch, steps=steps, warmup=min(warmup, steps), seed=seed)
    order = [schedule.locate(index, SIZES) for index in range(len(schedule))]
    for kind, size in SIZES.items():
        indices = [position for found, position in order if found == kind]
        passes = [indices[start : start + size] for start in range(0, len(indices), size)]
        for whole in passes:
            assert len(set(whole)) == len(whole)
            assert set(whole) <= set(range(size))
    assert order == [schedule.locate(index, SIZES) for index in range(len(schedule))]


def test_another_seed_is_another_order() -> None:
    orders = {
        seed: [Schedule(("math",), 5, 2, seed=seed).locate(i, {"math": 50})[1] for i in range(10)] for seed in (0, 1)
    }
    assert orders[0] != orders[1]


def test_rows_drawn_beyond_the_last_step_go_on_with_the_mix_and_never_warm_up_again() -> None:
    schedule = Schedule(MIX, batch=2, steps=2, warmup=1, redraw=True)
    assert schedule.kinds() == {"warmup", *MIX}, "kinds that come only beyond the last step are built too"
    kinds = [schedule.locate(index, SIZES)[0] for index in range(2 * 9)]
    assert kinds == [kind for kind in ("warmup", *MIX, *MIX, "math", "text") for _ in range(2)]


def loader(tmp_path: Path, *, redraw: bool = False) -> StatefulDataLoader:
    kinds: list[Kind] = ["math"] * 5 + ["text"] * 3 + ["warmup"] * 2
    rows = [row(kind, [{"role": "user", "content": str(n)}], ability="x", name=str(n)) for n, kind in enumerate(kinds)]
    train, val = tmp_path / "train.parquet", tmp_path / "val.parquet"
    write_rows(train, rows)
    write_rows(val, rows[:2])
    config = OmegaConf.create(
        {
            "train_files": str(train),
            "val_files": str(val),
            "cache_dir": str(tmp_path / "cache"),
            "shuffle": False,
            "filter_overlong_prompts": False,
            "custom_cls": {"path": "pkg://toolgym.training.data.dataset", "name": "ScheduledDataset"},
            "toolgym": {"mix": ["math", "text"], "batch": 2, "steps": 6, "warmup": 1, "seed": 3, "redraw": redraw},
        }
    )
    validation = create_rl_dataset(config.val_files, config, tokenizer=None, processor=None, is_train=False)
    assert [validation[position]["extra_info"]["task"] for position in range(len(validation))] == ["0", "1"]
    dataset = create_rl_dataset(config.train_files, config, tokenizer=None, processor=None)
    return StatefulDataLoader(
        dataset, batch_size=2, sampler=create_rl_sampler(config, dataset), collate_fn=collate_fn, num_workers=0
    )


def names(batch: dict) -> list[str]:
    return [info["task"] for info in batch["extra_info"]]


def test_verls_loader_follows_the_schedule_and_resumes(tmp_path: Path) -> None:
    batches = [[info["kind"] for info in batch["extra_info"]] for batch in loader(tmp_path)]
    assert batches == [[kind] * 2 for kind in ("warmup", "math", "text", "math", "text", "math")]
    every = loader(tmp_path)
    seen, state = [], None
    for position, batch in enumerate(every):
        seen.append(names(batch))
        if position == 2:
            state = every.state_dict()
    assert Counter(Counter(name for batch in seen for name in batch).values())[1] > 0
    resumed = loader(tmp_path)
    resumed.load_state_dict(state)
    assert [names(batch) for batch in resumed] == seen[3:]


def test_verls_loader_draws_on_for_replaced_prompts(tmp_path: Path) -> None:
    """verl fetches from one iterator and begins it again when it ends; here it does not end."""
    batches = itertools.islice(loader(tmp_path, redraw=True), 12)
    kinds = [batch["extra_info"][0]["kind"] for batch in batches]
    assert kinds == ["warmup", *["math", "text"] * 5, "math"], "6 steps were asked for, 12 batches drawn"
