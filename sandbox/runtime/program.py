"""A program: calls made in order, whose arguments may be parts of earlier results; the first fault stops it.

Each call is atomic, and what was written before a fault stays. How programs are written is `toolgym.sandbox.formats`'s
business, what the right answer is the verifier's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.tool import Failure, Tool, ToolResult
from toolgym.sandbox.runtime.info import ProgramFault
from toolgym.sandbox.runtime.references import resolve_arguments, sources
from toolgym.sandbox.runtime.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a program.

    Attributes:
        call: as the program has it.
        result: what it came to; None where it was not made, as it is at fault or stands after the fault.
        text: what the agent is shown.
    """

    call: ToolCall
    result: ToolResult | None
    text: str

    @property
    def made(self) -> bool:
        """Whether the call reached the session."""
        return self.result is not None

    @property
    def ok(self) -> bool:
        """Whether it was made and not refused."""
        return self.result is not None and self.result.ok


async def play(
    calls: Sequence[ToolCall],
    call: Callable[[ToolCall], Awaitable[ToolResult]],
    find: Callable[[ToolCall], Tool | None],
    most: int,
) -> tuple[list[Step], ProgramFault | None]:
    """Make a program's calls in their order, up to the first fault or the call that hands the conversation over.

    Args:
        calls: the program.
        call: makes a call without references.
        find: the tool that a call means; None for an unknown one.
        most: calls that a program may have; of a longer one none is made.
    """
    if len(calls) > most:
        message = f"A program has at most {most} calls; this one has {len(calls)}, and none was made."
        long = ProgramFault(call=most, code="too_many_calls", message=message)
        return [Step(each, None, _refused(long)) for each in calls[: most + 1]], long
    steps: list[Step] = []
    values: list[Json] = []
    fault: ProgramFault | None = None
    for number, each in enumerate(calls):
        if fault is not None:
            steps.append(Step(each, None, f"Not made: call {fault.call} is at fault."))
            continue
        tool = find(each)
        try:
            result = await call(_resolved(each, values, tool))
        except Refusal as refusal:
            fault = _fault(number, each, Failure(refusal.code, refusal.message))
            steps.append(Step(each, None, _refused(fault)))
            continue
        values.append(result.value)
        steps.append(Step(each, result, result.text))
        fault = None if result.error is None else _fault(number, each, result.error)
        if result.ok and tool is not None and tool.ends_episode:
            break
    return steps, fault


def _resolved(call: ToolCall, values: Sequence[Json], tool: Tool | None) -> ToolCall:
    """The call with its references replaced (Refusal where one leads nowhere)."""
    if isinstance(call.arguments, str):
        return call
    found = resolve_arguments(call.arguments, values, keys_of(tool))
    return call.model_copy(update={"arguments": found})


def keys_of(tool: Tool | None) -> Mapping[str, Collection[str]]:
    """By argument, the names of the keys that it takes."""
    if tool is None:
        return {}
    return {tool.inputs[name]: [key_column(table) for table in tables] for name, tables in tool.takes.items()}


def _fault(number: int, call: ToolCall, failure: Failure) -> ProgramFault:
    return ProgramFault(call=number, code=failure.code, message=f"Call {number}, {call.name}: {failure.message}")


def _refused(fault: ProgramFault) -> str:
    return f"Error: {fault.message} [{fault.code}]"


def answered(trajectory: Trajectory) -> list[Json] | None:
    """The results that are an episode's answer: the last program's last one, or all that no other call of it uses;
    None where it was stopped by a fault, or no program was given.
    """
    attempts = trajectory.info.programs
    if not attempts or attempts[-1].fault is not None:
        return None
    program = next(message for message in reversed(trajectory.messages) if message.role == "assistant")
    first, count = attempts[-1].first, attempts[-1].results
    values = [record.value for record in trajectory.calls[first : first + count]]
    if program.returns == "one":
        return values[-1:]
    used = {source for call in program.tool_calls for source in sources(call.arguments)}
    return [value for number, value in enumerate(values) if number not in used]
