"""How the user of this world does on the phone what an agent says in plain words, and reads out what the screen shows.

Used by the scripted user (`toolgym.sandbox.runtime.user_tool_driver.UserToolDriver`). Keyword rules on English;
docs/telecom.md says what they cannot understand.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolgym.domains.telecom.instructions import ASKS, Instruction, understand
from toolgym.sandbox.kit.message import Json, ToolCall


@dataclass(frozen=True)
class PhoneToolDriver:
    """A person with a phone. Stateless: what has been done since the agent spoke is passed in."""

    def follow(self, text: str, done: Sequence[tuple[ToolCall, str]] = (), before: str = "") -> Sequence[ToolCall]:
        """The next calls that the agent's message asks for; empty when it asks for none, or all are done.

        A switch that is to be "on" or "off" is looked at first and left alone when it is so already.

        Args:
            text: the agent's message.
            done: the calls made for this message so far, with their results.
            before: the agent's message before it, for what "it" is.
        """
        results = iter(done)
        due: list[ToolCall] = []
        for instruction in understand(text, before):
            for call in _steps(instruction, results, due):
                due.append(call)
                if call == instruction.look:
                    return due
        return due

    def report(self, call: ToolCall, result: str) -> str:
        """What the user says about a call's result."""
        try:
            shown = json.loads(result)
        except ValueError:
            return f"It says: {result.removeprefix('Error: ').partition(' [')[0]}"
        if isinstance(shown, Mapping) and "message" in shown:
            bar = shown.get("status_bar")
            return str(shown["message"]) + (f" The status bar shows: {bar}." if bar else "")
        return f"I see {_spoken(shown)}."

    def ask(self, call: ToolCall) -> str:
        """The sentence with which an agent asks for this call; `follow` understands it."""
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        return ASKS[call.name].format(**{name: _argument(value) for name, value in arguments.items()})


def _steps(
    instruction: Instruction, results: Iterator[tuple[ToolCall, str]], due: list[ToolCall]
) -> Iterator[ToolCall]:
    """The calls of an instruction that have not been made yet."""
    if instruction.look is not None:
        seen = next(results, None) if not due else None
        if seen is None:
            yield instruction.look
            return
        if _state(seen[1], instruction.switch) == instruction.wanted:
            return
    for call in instruction.calls:
        if due or next(results, None) is None:
            yield call


def _state(result: str, switch: str) -> Json:
    try:
        shown = json.loads(result)
    except ValueError:
        return None
    return shown.get(switch) if isinstance(shown, Mapping) else None


def _argument(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _spoken(shown: Json) -> str:
    if isinstance(shown, Mapping):
        return ", ".join(f"{name.replace('_', ' ')}: {_spoken(value)}" for name, value in shown.items())
    if isinstance(shown, list):
        return " and ".join(_spoken(item) for item in shown) or "nothing"
    if isinstance(shown, bool):
        return "yes" if shown else "no"
    return "nothing" if shown is None else str(shown)


user_tool_driver = PhoneToolDriver()
