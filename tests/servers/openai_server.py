"""A real HTTP server that speaks OpenAI's chat protocol, plays the roles by rules, and misbehaves on demand.

`OpenAIServer` runs uvicorn in a thread on a free loopback port. The model's name chooses who answers: `agent` is the
domain's rules agent (`hermes`: with calls in text), `user` the scripted user in ReAct form, `judge` gives every turn 1.
`misbehave(...)` queues faults.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import socket
import threading
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.message import STOP, Message, ToolCall
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, make_agent, make_user

Body = dict[str, Any]
Brain = Callable[[Body], Awaitable[Body]]
"""Makes the assistant message of a reply from the request's body."""

SLOW = 30.0
"""Seconds that the fault `slow` takes, unless the server is closed before."""
REFUSAL = "I'm sorry, I can't help with that."


class OpenAIServer:
    """The server.

    Attributes:
        requests: the bodies received, in order.
        brains: who answers, by model name.
        seeds: of the scripted users, by task; 0 without one.
        peak: most requests under way at once.
    """

    def __init__(self, domain: str = "kiosk", *, delay: float = 0.0) -> None:
        self.domain, self.delay = domain, delay
        self.requests: list[Body] = []
        self.keys: list[str] = []
        self.seeds: dict[str, int] = {}
        self.peak = self._under_way = 0
        self.brains: dict[str, Brain] = {
            "agent": self._agent,
            "deaf": self._deaf,
            "hermes": self._hermes_agent,
            "user": self._user,
            "judge": judge,
        }
        self._faults: dict[str, deque[str]] = defaultdict(deque)
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._closing = threading.Event()
        config = uvicorn.Config(self._app(), log_level="critical", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    @property
    def url(self) -> str:
        host, port = self._socket.getsockname()
        return f"http://{host}:{port}/v1"

    def misbehave(self, model: str, *faults: str) -> None:
        """Queue faults for the next requests of a model, one each; `ok` lets one through."""
        self._faults[model].extend(faults)

    def asked(self, model: str) -> list[Body]:
        return [body for body in self.requests if body["model"] == model]

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.set()
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    def _app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/audio/speech")
        async def speak(request: Request) -> Response:
            body = await request.json()
            self.requests.append(body)
            return await asyncio.to_thread(self._speak, body)

        @app.post("/v1/audio/transcriptions")
        async def transcribe(request: Request) -> Response:
            form = await request.form()
            content = await form["file"].read()
            await form.close()
            self.requests.append({"model": form["model"], "bytes": len(content)})
            return JSONResponse({"text": await asyncio.to_thread(hear, content)})

        @app.post("/v1/chat/completions")
        async def complete(request: Request) -> Response:
            body = await request.json()
            self.requests.append(body)
            self.keys.append(request.headers.get("authorization", ""))
            self._under_way += 1
            self.peak = max(self.peak, self._under_way)
            try:
                await asyncio.sleep(self.delay)
                return await self._answer(body)
            finally:
                self._under_way -= 1

        return app

    def _speak(self, body: Body) -> Response:
        """What eSpeak NG says, as a WAV file; or a fault."""
        from toolgym.sandbox.speech.audio import write_wav
        from toolgym.sandbox.speech.engines import Voice, make_tts

        queue = self._faults[body["model"]]
        fault = queue.popleft() if queue else "ok"
        if fault in HTTP_FAULTS:
            return HTTP_FAULTS[fault]()
        content = write_wav(make_tts("espeak").speak(body["input"], Voice("en-us", rate=body["speed"])))
        if fault == "broken":
            content = content[:30]
        elif fault == "silent":
            content = content[:44] + bytes(len(content) - 44)
        return Response(content, media_type="audio/wav")

    async def _answer(self, body: Body) -> Response:
        queue = self._faults[body["model"]]
        fault = queue.popleft() if queue else "ok"
        if fault in HTTP_FAULTS:
            return HTTP_FAULTS[fault]()
        if fault == "slow":
            for _ in range(int(SLOW * 20)):
                if self._closing.is_set():
                    break
                await asyncio.sleep(0.05)
        if fault == "no_seed" and "seed" in body:
            return _error(400, "Unsupported parameter: 'seed' is not supported with this model.", param="seed")
        message = FAULTY_MESSAGES[fault] if fault in FAULTY_MESSAGES else await self.brains[body["model"]](body)
        if isinstance(message, Response):
            return message
        text = completion(message, body)
        if fault == "truncated":
            return Response(text[: len(text) // 2], media_type="application/json")
        return Response(text, media_type="application/json")

    # --- brains ---

    async def _deaf(self, body: Body) -> Response | Body:
        """A model that takes only text."""
        if any(isinstance(message.get("content"), list) for message in body["messages"]):
            return _error(400, "audio input is not supported by this model")
        return await self._agent(body)

    async def _agent(self, body: Body) -> Body:
        """The rules agent with native calls."""
        record = (await self._rules_agent(_messages(body)[1:])).to_openai()
        for index, call in enumerate(record.get("tool_calls", ())):
            call["id"] = f"x{index}"
        return record

    async def _hermes_agent(self, body: Body) -> Body:
        """The rules agent with calls in text."""
        hermes = get_format("hermes")
        view = []
        for message in _messages(body)[1:]:
            text = message.content or ""
            if message.role == "assistant":
                view.append(hermes.parse(text))
            elif "<tool_response>" in text:
                results = re.findall(r"<tool_response>\n(.*?)\n</tool_response>", text, re.DOTALL)
                view += [Message(role="tool", content=result) for result in results]
            else:
                view.append(message)
        return {"role": "assistant", "content": hermes.render(await self._rules_agent(view))}

    async def _rules_agent(self, conversation: Sequence[Message]) -> Message:
        """The rules agent's next step, led again through the whole conversation."""
        tools = get_domain(self.domain).tools.to_openai()
        agent = make_agent("rules").open(Briefing(domain=self.domain, policy="", tools=tools))
        view: list[Message] = []
        slipped = False
        for message in conversation:
            if message.role == "assistant":
                slipped = message.content == REFUSAL or any(_is_slip(call) for call in message.tool_calls)
            if slipped:
                continue  # a fault played on us and what came back: the rules agent goes on as if nothing had happened
            if message.role == "assistant":
                await agent.act(tuple(view))
            view.append(message)
        return await agent.act(tuple(view))

    async def _user(self, body: Body) -> Body:
        """The scripted user of the task whose situation is in the prompt."""
        prompt = body["messages"][0]["content"]
        domain = get_domain(self.domain)
        stored = ((split, data) for data in (domain.newest_data, "own") for split in domain.open_data(data).splits)
        task = next(task for split, data in stored for task in domain.tasks(split, data) if task.scenario in prompt)
        player = make_user("scripted").open(task, seed=self.seeds.get(task.id, 0))
        view: list[Message] = []
        text = ""
        for message in [*_messages(body)[2:], None]:
            if message is None or message.role == "assistant":
                text = (await player.reply(tuple(view))).content or ""
                view.append(Message(role="user", content=text))
            else:
                view.append(Message(role="assistant", content=message.content))
        return {"role": "assistant", "content": f"Thought: I go on with my wish.\nReply: {text}"}


@cache
def _ears() -> Any:
    from toolgym.sandbox.speech.engines import make_asr

    return make_asr("whisper", {"model": "tiny"})


@cache
def hear(wav: bytes) -> str:
    """What Whisper (tiny) hears in a WAV file; a conversation is sent again with every request."""
    from toolgym.sandbox.speech.audio import read_wav

    return str(_ears().transcribe(read_wav(wav)))


def as_text(parts: Sequence[Body]) -> str:
    """A message of parts as text: audio is transcribed and read back."""
    from toolgym.sandbox.speech.inverse_text_normalization import read

    texts = []
    for part in parts:
        sound = part.get("input_audio")
        texts.append(read(hear(base64.b64decode(sound["data"]))) if sound else part["text"])
    return " ".join(texts)


def _is_slip(call: ToolCall) -> bool:
    return call.name == "fly_to_the_moon" or "unreadable" in call.arguments


async def judge(body: Body) -> Body:
    """Every turn is fine."""
    turns = sorted({int(number) for number in re.findall(r"^\[Turn (\d+)\]", body["messages"][1]["content"], re.M)})
    verdicts = {f"turn_{turn}": {"reason": "fine", "score": 1} for turn in turns}
    return {"role": "assistant", "content": f"<think>All is well.</think>\n{json.dumps(verdicts)}"}


def _messages(body: Body) -> list[Message]:
    """The conversation without replies that were sent back and the notes that say so."""
    found: list[Message] = []
    for record in body["messages"]:
        if isinstance(record["content"], list):
            record = record | {"content": as_text(record["content"])}
        if (record["content"] or "").startswith(("[This reply was not sent", "[Not from the agent")):
            found.pop()
            continue
        calls = tuple(
            ToolCall(name=call["function"]["name"], arguments=json.loads(call["function"]["arguments"]), id=call["id"])
            for call in record.get("tool_calls", ())
        )
        found.append(
            Message(
                role=record["role"],
                content=record["content"],
                tool_calls=calls,
                tool_call_id=record.get("tool_call_id"),
            )
        )
    return found


def completion(message: Body, body: Body) -> str:
    """A chat completion as JSON text."""
    written = len(json.dumps(message)) // 4
    read = len(json.dumps(body["messages"])) // 4
    extra = {name: message[name] for name in ("finish_reason",) if name in message}
    message = {name: value for name, value in message.items() if name != "finish_reason"}
    finish = extra.get("finish_reason", "tool_calls" if message.get("tool_calls") else "stop")
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        }
    )


def _error(status: int, message: str, headers: dict[str, str] | None = None, param: str | None = None) -> Response:
    return JSONResponse({"error": {"message": message, "type": "x", "param": param}}, status, headers)


HTTP_FAULTS: dict[str, Callable[[], Response]] = {
    "429": lambda: _error(429, "slow down", {"retry-after-ms": "20"}),
    "429_long": lambda: _error(429, "slow down", {"retry-after": "1"}),
    "500": lambda: _error(500, "broken", {"retry-after-ms": "5"}),
    "501": lambda: _error(501, "no such thing here", {"retry-after-ms": "5"}),
    "503": lambda: _error(503, "busy", {"retry-after-ms": "5"}),
    "400": lambda: _error(400, "the conversation is too long"),
    "401": lambda: _error(401, "Incorrect API key provided: sk-se****cret"),
    "not_json": lambda: Response("<html>gateway</html>", media_type="text/html"),
    "no_choices": lambda: JSONResponse({"id": "x", "object": "chat.completion", "choices": []}),
}

FAULTY_MESSAGES: dict[str, Body] = {
    "empty": {"role": "assistant", "content": ""},
    "refusal": {"role": "assistant", "content": None, "refusal": REFUSAL},
    "cut": {"role": "assistant", "content": "<think>Let me see, wait", "finish_reason": "length"},
    "unknown_tool": {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "x", "type": "function", "function": {"name": "fly_to_the_moon", "arguments": "{}"}}],
    },
    "broken_arguments": {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "x", "type": "function", "function": {"name": "find_tickets", "arguments": '{"holder": "Ada'}}
        ],
    },
    "invented": {
        "role": "assistant",
        "content": "Thought: hm\nReply: My order is W9988776, and I am at eve@example.com.",
    },
    "no_thought": {"role": "assistant", "content": "Thought: what now?"},
    "no_verdict": {"role": "assistant", "content": "The agent did a great job!"},
    "leaves": {"role": "assistant", "content": f"Thought: bored\nReply: Bye. {STOP}"},
}


def contents(bodies: Sequence[Body]) -> list[str]:
    """The last message of each request."""
    return [body["messages"][-1]["content"] for body in bodies]
