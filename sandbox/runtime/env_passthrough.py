"""Which environment variables go along to the processes of a Ray cluster: settings of models, their keys, verl's own.

They are handed to Ray directly and written nowhere, because keys are among them.
"""

from __future__ import annotations

import os

PREFIXES = ("TOOLGYM_", "OPENAI_", "VERL_", "HF_")
NAMES = frozenset(
    {"GLOO_SOCKET_IFNAME", "OMP_NUM_THREADS", "RAY_USAGE_STATS_ENABLED", "TENSORBOARD_DIR", "TOKENIZERS_PARALLELISM"}
)


def forwarded() -> dict[str, str]:
    """The variables of this process that the cluster's processes need."""
    return {name: value for name, value in os.environ.items() if name.startswith(PREFIXES) or name in NAMES}
