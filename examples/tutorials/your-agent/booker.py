"""Books the seat that somebody names, and counts free seats for everybody else."""

import json
import re

from toolgym import Message, ToolCall


class Booker:
    """What `toolgym eval --agent booker` makes once."""

    privileged = False  # True: briefing.task is the task itself, as for the oracle

    def open(self, briefing):  # briefing.tools is OpenAI's list of tools, briefing.policy the rules as text
        return Conversation()


class Conversation:
    """One customer."""

    async def act(self, messages):
        said = " ".join(message.content or "" for message in messages if message.role == "user")
        evening, seat = re.search(r"Friday|Saturday|Sunday", said), re.search(r"\b[A-C]\d\b", said)
        name = re.search(r"name(?: is|'s|:)? ([A-Z]\w+ [A-Z]\w+)", said)
        results = {call.name: call for message in messages for call in message.tool_calls}
        if not evening:
            return Message(role="assistant", content="Which evening would you like?")
        if "list_free_seats" not in results:
            return self.call("list_free_seats", evening=evening[0])
        free = next(json.loads(message.content) for message in messages if message.role == "tool")
        if not seat:
            return Message(role="assistant", content=f"{len(free)} seats are free on {evening[0]}. Anything else?")
        if not name:
            return Message(role="assistant", content="What is your name, please?")
        ticket = next((ticket["ticket_id"] for ticket in free if ticket["seat"] == seat[0]), None)
        if ticket is None:
            return Message(role="assistant", content=f"I cannot do that: seat {seat[0]} is taken.")
        if "reserve_ticket" in results:
            return Message(role="assistant", content=f"Done: seat {seat[0]} on {evening[0]} is yours. Anything else?")
        question = f"Shall I reserve seat {seat[0]} on {evening[0]} for {name[1]}?"
        if question not in {message.content for message in messages}:
            return Message(role="assistant", content=question)
        return self.call("reserve_ticket", ticket_id=ticket, holder=name[1])

    def call(self, name, **arguments):
        return Message(role="assistant", tool_calls=(ToolCall(id=name, name=name, arguments=arguments),))
