"""State `query`: the teacher writes what the user says, from a chain with its live entities (section 3.2, 3.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.teaching import nowhere
from toolgym.sandbox.synthesis.teaching.conversation import AGAIN, Conversation, State, Step

PROMPT = """\
You play a user who writes to an assistant that has tools. You are given, as JSON, what the user wants as a plan of \
calls with real values from the running system, who the user is, and today's date. Answer with the user's message \
alone, as this person would write it in a chat.
Use only names, ids and values of the plan: never make one up. Do not name tools or parameters. A value under "found" \
is not known to the user: it is looked up, and "words" say which one is meant.
"detail" says how much the message tells: complete, every value under "given"; missing_required, all but what stands \
under "withhold"; minimal, the wish in one short sentence and nothing under "withhold".
"write" says which message it is: query opens the conversation, follow_up asks for something further after \
"conversation", clarification answers the assistant's last words with what stands under "tell"."""
PERSONAS = (
    "a busy professional who writes short sentences",
    "a friendly person who explains a little",
    "somebody who is new to this and writes plainly",
    "a precise person who likes full sentences",
    "somebody in a hurry on a phone",
    "a polite older person",
)
_LONGEST = 1500


async def query(talk: Conversation) -> tuple[State, str]:
    """Ask for the plan that is next."""
    plan = talk.plans[talk.asked]
    talk.asked += 1
    first = talk.asked == 1
    detail = talk.detail if first else "complete"
    talk.withheld = withheld(talk, plan) if first else {}
    asked: dict[str, Json] = {
        **{"write": "query" if first else "follow_up", "detail": detail, "persona": talk.task.persona},
        **{"today": talk.today, "plan": [asdict(step) for step in plan], "withhold": talk.withheld},
        **({} if first else {"conversation": talk.spoken()}),
    }
    text = await written(talk, "query", asked)
    if text is None:
        return "end", "no usable query"
    talk.say("user", text)
    return "turn", str(asked["write"] if not first else detail)


def withheld(talk: Conversation, plan: Sequence[Step]) -> dict[str, Json]:
    """What the user keeps back at first: one value that is needed, or all of them."""
    given = needed(talk.tools, plan)
    if talk.detail == "missing_required":
        chosen = talk.rng.choice(sorted(given))
        given = {chosen: given[chosen]}
    return {} if talk.detail == "complete" else given


def needed(tools: Mapping[str, Tool], plan: Sequence[Step]) -> dict[str, Json]:
    """What a user has to tell for a plan, in words: required values that no result shows and no schema lists.

    A value that something else in the plan says as well cannot be kept back.
    """
    found: dict[str, Json] = {}
    for step in plan:
        schema = tools[step.tool].parameters if step.tool in tools else {}
        for name, value in step.given.items():
            is_listed = "enum" in schema.get("properties", {}).get(name, {})
            told = [str(each).casefold() for each in nowhere.told_values(value)]
            if name in schema.get("required", ()) and told and not is_listed and not _said_elsewhere(plan, name, told):
                found.setdefault(name.replace("_", " "), value)
    return found


def _said_elsewhere(plan: Sequence[Step], name: str, told: Sequence[str]) -> bool:
    """Whether another parameter, another value of this one, or the words for a row say one of these."""
    words = [str(each["words"]) for step in plan for each in step.found.values()]
    words += [str(value) for step in plan for other, value in step.given.items() if other != name]
    same = {str(step.given[name]).casefold() for step in plan if name in step.given}
    return len(same) > 1 or any(each in word.casefold() for each in told for word in words)


async def written(talk: Conversation, state: State, asked: dict[str, Json]) -> str | None:
    """A message of the user's that passes; None where the teacher writes none, and the conversation is given up."""
    content = json.dumps(asked, ensure_ascii=False)
    messages = [{"role": "system", "content": PROMPT}, {"role": "user", "content": content}]
    for attempt in range(AGAIN + 1):
        reply = await talk.ask(state, messages, attempt)
        text = reply.text.strip().strip('"')
        fault = wrong(text, asked, f"{content} {' '.join(talk.turns)}")
        if fault is None:
            return text
        talk.blame(state, fault)
    talk.throw(f"no usable {state}")
    return None


def wrong(text: str, asked: dict[str, Json], known: str) -> str | None:
    """What is wrong with a message of the user's; None where nothing is."""
    if not text or len(text) > _LONGEST:
        return "no message" if not text else "too long"
    if nowhere.forged(text):
        return "speaks for another side"
    if nowhere.invented(text, known):
        return "names what is not there"
    said = text.casefold()
    kept_back = [value for value in nowhere.told_values(asked.get("withhold", {})) if str(value).casefold() in said]
    if kept_back:
        return "tells what it withholds"
    plan = asked.get("plan", ())
    needed = [each for step in plan for each in nowhere.told_values(step["given"]) if isinstance(each, str)]
    if asked.get("detail") == "complete" and any(_is_left_out(each, said) for each in needed):
        return "leaves out what it should tell"
    return None


def _is_left_out(value: str, said: str) -> bool:
    """Whether an id is missing; names, days and free texts may be said otherwise."""
    is_id = " " not in value and any(sign.isdigit() for sign in value) and not nowhere.is_day(value)
    return is_id and value.casefold() not in said
