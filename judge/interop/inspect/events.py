"""What Inspect's transcript shows of an episode: every turn with the model's step, its calls and the judge's score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from inspect_ai.event import InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent, ToolEvent
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, GenerateConfig, ModelOutput
from inspect_ai.tool import ToolInfo

from toolgym.judge.interop.inspect.messages import calls_of, to_inspect
from toolgym.judge.scoring.reward import TurnScores
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.trajectory import Trajectory, Turn


def events_of(
    played: Trajectory, told: ChatMessage, tools: Sequence[ToolInfo], turns: TurnScores | None, at: datetime
) -> list[Any]:
    """A sample's events.

    Args:
        played: the episode.
        told: what the agent was told, as a message.
        tools: what it could call.
        turns: a judge's scores, where there are some.
        at: when it began; a trajectory keeps no time of day, and no turn's own time, so that they share its seconds.
    """
    heard: list[ChatMessage] = [told]
    found: list[Any] = []
    opening = next((i for i, message in enumerate(played.messages) if message.role == "assistant"), 0)
    heard += [to_inspect(message) for message in played.messages[:opening] if not message.tool_calls]
    each = played.timing.total / max(1, len(played.turns()))
    for turn in played.turns():
        scored = turns is not None and turns.scores is not None and turn.index < len(turns.scores)
        score = turns.scores[turn.index] if scored and turns is not None and turns.scores else None
        reason = turns.reasons[turn.index] if scored and turns is not None else ""
        found += _turn(turn, heard, played.agent, tools, score, reason, at + timedelta(seconds=each * turn.index))
    return found


def _turn(
    turn: Turn,
    heard: list[ChatMessage],
    agent: str,
    tools: Sequence[ToolInfo],
    score: int | None,
    reason: str,
    at: datetime,
) -> Iterator[Any]:
    """A turn's events; what was said and heard joins the conversation."""
    span, common = f"turn-{turn.index}", {"timestamp": at, "working_start": 0.0}
    inside = common | {"span_id": span}
    name = f"turn {turn.index}" + ("" if score is None else f" (score {score})")
    yield SpanBeginEvent(id=span, name=name, **inside)
    said = to_inspect(turn.action)
    assert isinstance(said, ChatMessageAssistant)
    yield ModelEvent(
        model=agent,
        input=list(heard),
        tools=list(tools),
        tool_choice="auto",
        config=GenerateConfig(),
        output=ModelOutput.from_message(said),
        **inside,
    )
    heard.append(said)
    for message in _heard(turn, partial(_own_call, inside=inside)):
        if isinstance(message, Message):
            heard.append(to_inspect(message))
            if message.role == "tool":
                yield _tool_event(turn.action, message, inside)
        else:
            yield message
    if reason:
        yield InfoEvent(source="judge", data=f"score {score}: {reason}", **inside)
    yield SpanEndEvent(id=span, **inside)


def _heard(turn: Turn, aside: Any) -> Iterable[Any]:
    """What the agent heard back; what the user did meanwhile, with tools of their own, as an aside."""
    own = {call.id: call for message in turn.feedback if message.role == "user" for call in message.tool_calls}
    for message in turn.feedback:
        if message.tool_call_id in own:
            yield aside(own[message.tool_call_id], message)
        elif not (message.role == "user" and message.tool_calls):
            yield message


def _own_call(call: Any, result: Message, inside: dict[str, Any]) -> InfoEvent:
    return InfoEvent(source="the user", data=f"{call.name}({call.arguments_text()}) → {result.content}", **inside)


def _tool_event(action: Message, result: Message, inside: dict[str, Any]) -> ToolEvent:
    shown = to_inspect(result)
    assert isinstance(shown, ChatMessageTool)
    call = next(call for call in calls_of(action.tool_calls) if call.id == result.tool_call_id)
    return ToolEvent(
        id=call.id,
        function=call.function,
        arguments=call.arguments,
        result=shown.text,
        error=shown.error,
        message_id=shown.id,
        **inside,
    )
