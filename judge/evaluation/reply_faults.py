"""What was odd about a run's replies: in how many, and which setting cures it. Bad serving is told from a bad model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from toolgym.sandbox.runtime.trajectory import Trajectory

_SAYS = {
    "call_as_text": (
        "{n} held a call as text: the endpoint runs without a parser of the model's tool calls; start it with one "
        "(vLLM: --enable-auto-tool-choice --tool-call-parser NAME), or name the form that the model writes "
        "(--format hermes)."
    ),
    "beside_name": "{n} had arguments beside the tool's name; such calls are not made.",
    "unclosed_thoughts": (
        "{n} never ended their thoughts: give them room (--max-tokens), or start the endpoint with a "
        "parser of reasoning."
    ),
    "format": "{n} broke the format of calls; --format names the one that the model writes.",
    "empty": "{n} held neither words nor calls.",
    "cut": "{n} reached the length limit and broke off: raise --max-tokens, or the endpoint's own limit.",
    "blank_arguments": '{n} came with arguments such as "null", which were read as none.',
    "repaired": "{n} could not be read and had to be repaired (--repair); without it they count as unread.",
}
"""The counts of `info.agent` in the order in which they are told."""


def reply_faults(trajectories: Iterable[Trajectory]) -> dict[str, int]:
    """How often what was odd about an agent's replies, by the names of `info.agent`; empty where nothing was noted."""
    found: Counter[str] = Counter()
    for trajectory in trajectories:
        noted = trajectory.info.agent if isinstance(trajectory.info.agent, Mapping) else {}
        for part in ("unusable_replies", "noticed"):
            counts = noted.get(part)
            found.update(
                {name: n for name, n in counts.items() if name in _SAYS} if isinstance(counts, Mapping) else {}
            )
    return {name: found[name] for name in _SAYS if found[name]}


def fault_lines(faults: Mapping[str, int]) -> list[str]:
    """One sentence for each sort."""
    return [_SAYS[name].format(n=_counted(name, count)) for name, count in faults.items()]


def _counted(name: str, count: int) -> str:
    one, more = ("call", "calls") if name == "blank_arguments" else ("reply", "replies")
    return f"{count} {one if count == 1 else more}"
