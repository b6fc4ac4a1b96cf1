"""OpenEnv's WebSocket: one message, one answer, until either side leaves.

Messages that are there already are received, answered and sent without a pause of the event loop, so between two of
them others get their turn, and a client that sends faster than a session may be called is kept waiting.
"""

from __future__ import annotations

import asyncio
import json

from starlette.websockets import WebSocket, WebSocketDisconnect

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.server.body import require_json_text, require_whole_characters
from toolgym.sandbox.server.openenv import json_rpc, wire
from toolgym.sandbox.server.openenv.environment import Environment
from toolgym.sandbox.server.openenv.environments import Environments
from toolgym.sandbox.server.openenv.wire import WireError
from toolgym.sandbox.server.quota import Rate


async def converse(socket: WebSocket, environments: Environments, world: str) -> None:
    """Serve a client's socket."""
    await socket.accept()
    asked = socket.query_params.get("session_id")
    try:
        identifier, environment = environments.attach(world, asked)
    except (WireError, BadInput) as error:
        await _send(socket, wire.told(error).frame())
        await socket.close()
        return
    settings = environments.service.settings
    rate = Rate(settings.calls_per_second)
    try:
        while (text := await _received(socket, settings.ttl)) is not None:
            await asyncio.sleep(rate.pause())
            answer = await _answer(text, identifier, environment, environments)
            if answer is None:
                break
            await _send(socket, answer)
        await socket.close()
    except (WebSocketDisconnect, RuntimeError):  # it left while it was answered
        pass
    finally:
        await environments.detach(identifier)


async def _received(socket: WebSocket, patience: float) -> str | None:
    """The next message; None when the client left or says nothing for as long as a session lives."""
    try:
        async with asyncio.timeout(patience):
            message = await socket.receive()
    except TimeoutError:
        await _send(socket, WireError("SESSION_ERROR", f"Nothing was heard for {patience:g} s.").frame())
        return None
    if message["type"] == "websocket.disconnect":
        return None
    text = message.get("text")
    return text if text is not None else (message.get("bytes") or b"").decode(errors="replace")


async def _answer(
    text: str, identifier: str, environment: Environment, environments: Environments
) -> dict[str, Json] | None:
    """The answer to a message; None to one that says goodbye."""
    try:
        body = text.encode(errors="surrogatepass")
        require_json_text(body)
        require_whole_characters(body)
        match wire.read(text):
            case wire.ResetMessage(data=asked):
                return await environment.reset(asked)
            case wire.StepMessage(data=action):
                return await environment.step(action)
            case wire.StateMessage():
                return environment.state()
            case wire.McpMessage(data=request):
                own = (identifier, environment)
                return {
                    "type": "mcp",
                    "data": await json_rpc.answer(request, environments, environment.world.name, own),
                }
            case wire.CloseMessage():
                return None
    except Exception as error:  # the boundary of a message: one that fails must not end the client's socket
        return wire.told(error).frame()


async def _send(socket: WebSocket, message: dict[str, Json]) -> None:
    await socket.send_text(json.dumps(message, ensure_ascii=False))
