"""Books the seat that somebody names, and counts free seats for everybody else."""

import json
import re


def play(messages, tools):
    said = " ".join(message["content"] for message in messages if message["role"] == "user")
    evening, seat = re.search(r"Friday|Saturday|Sunday", said), re.search(r"\b[A-C]\d\b", said)
    name = re.search(r"name(?: is|'s|:)? ([A-Z]\w+ [A-Z]\w+)", said)
    results = [message["content"] for message in messages if message["role"] == "tool"]
    if not evening:
        return "Which evening would you like?"
    if not results:
        return [{"name": "list_free_seats", "arguments": {"evening": evening[0]}}]
    free = json.loads(results[0])
    if not seat:
        return f"{len(free)} seats are free on {evening[0]}. Anything else?"
    if not name:
        return "What is your name, please?"
    ticket = next((ticket["ticket_id"] for ticket in free if ticket["seat"] == seat[0]), None)
    if ticket is None:
        return f"I cannot do that: seat {seat[0]} is taken."
    if len(results) > 1:
        return f"Done: seat {seat[0]} on {evening[0]} is yours. Anything else?"
    question = f"Shall I reserve seat {seat[0]} on {evening[0]} for {name[1]}?"
    if question not in [message["content"] for message in messages]:
        return question
    return [{"name": "reserve_ticket", "arguments": {"ticket_id": ticket, "holder": name[1]}}]
