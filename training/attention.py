"""Whether flash-attention can be used: verl takes it for granted on a GPU and misses it in a worker's traceback."""

from __future__ import annotations

import importlib

FLASH, SDPA = "flash_attention_2", "sdpa"


def why_no_flash() -> str | None:
    """Why flash-attn cannot be used in this environment; None when it can.

    It is imported and not only looked for: one that was built for another torch is installed and does not load.
    """
    try:
        importlib.import_module("flash_attn")
    except ModuleNotFoundError as error:
        return "flash-attn is not installed" if error.name == "flash_attn" else f"flash-attn misses {error.name}"
    except (ImportError, OSError) as error:
        reason = str(error).strip().splitlines()[-1]
        return f"flash-attn is installed and does not load, as when it was built for another torch ({reason})"
    return None
