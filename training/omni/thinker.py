"""Takes the thinker (text and hearing) out of a Qwen2.5-Omni checkpoint, leaving the talker and its voice behind.

`python -m toolgym.training.omni.thinker MODEL FOLDER`; MODEL is a folder with the whole model's safetensors files.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from rich.progress import track
from safetensors import safe_open
from safetensors.torch import save_file
from transformers import Qwen2_5OmniThinkerConfig

from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.training.omni.model import THINKER

_PREFIX = "thinker."
_INDEX = "model.safetensors.index.json"


def extract(model: Path, folder: Path) -> int:
    """Write the thinker of `model` into `folder`, shard by shard, with tokenizer and feature extractor.

    Returns:
        How many tensors were written.

    Raises:
        BadInput: `model` is not a whole Qwen2.5-Omni model on this machine.
    """
    config = _config(model)
    shards = sorted(model.glob("*.safetensors"))
    folder.mkdir(parents=True, exist_ok=True)
    places: dict[str, str] = {}
    for number, shard in enumerate(track(shards, description="shards", transient=True)):
        with safe_open(shard, framework="pt") as file:
            mine = {name[len(_PREFIX) :]: file.get_tensor(name) for name in file.keys() if name.startswith(_PREFIX)}  # noqa: SIM118  # not a mapping
        if mine:
            name = f"model-{number:05d}.safetensors"
            save_file(mine, folder / name, metadata={"format": "pt"})
            places |= dict.fromkeys(mine, name)
    if not places:
        raise BadInput(f"{model} holds no tensor of a thinker; is it the whole Qwen2.5-Omni model?")
    _write(folder / _INDEX, {"metadata": {}, "weight_map": places})
    thinker = Qwen2_5OmniThinkerConfig(**config, architectures=[THINKER])
    thinker.save_pretrained(folder)
    for file in model.iterdir():
        if file.suffix in {".json", ".txt", ".jinja"} and file.name not in {"config.json", _INDEX}:
            shutil.copy(file, folder / file.name)
    return len(places)


def _config(model: Path) -> dict[str, Any]:
    file = model / "config.json"
    whole = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    if "thinker_config" not in whole:
        raise BadInput(f"{model} is not a folder with a whole Qwen2.5-Omni model: its config.json has no thinker.")
    dropped = {"architectures", "model_type", "transformers_version"}
    return {name: value for name, value in whole["thinker_config"].items() if name not in dropped}


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def main() -> int:
    """Entry of the command."""
    parser = argparse.ArgumentParser(prog="python -m toolgym.training.omni.thinker", description=__doc__)
    parser.add_argument("model", type=Path, help="folder of the whole model")
    parser.add_argument("folder", type=Path, help="where to write the thinker")
    arguments = parser.parse_args()
    try:
        count = extract(arguments.model, arguments.folder)
    except ToolgymError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{count} tensors in {arguments.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
