"""The conversations that are played at the moment: bounded, put aside when idle, taken up again from their journals."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from pathlib import Path

from pydantic import ValidationError

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.approval import Approval
from toolgym.viewer.play.beginning import Beginning, Said, Side
from toolgym.viewer.play.conversation import Conversation, environment_address
from toolgym.viewer.play.records import Journal

OPEN = 16
"""Conversations that are held in memory; one more puts the one aside that was idle longest."""
IDLE = 3600.0
"""Seconds after which a conversation that nobody looks at is put aside."""
_ENDING = 10.0
"""Seconds that a repetition of recorded words may take until it stands where it was left."""


class Conversations:
    """The conversations of one server.

    Args:
        root: the folder that is viewed.
        shared: whether others than this machine reach the server.
    """

    def __init__(self, root: Path, *, shared: bool = False) -> None:
        self._root, self._shared = root, shared
        self._open: dict[str, Conversation] = {}
        self._taking_up = asyncio.Lock()

    async def begin(self, beginning: Beginning) -> Conversation:
        """Begin a conversation.

        Raises:
            ToolgymError: a side cannot be seated.
        """
        for side, given in (("agent", beginning.agent), ("user", beginning.user)):
            if given is not None:
                self.admit(side, given)
        name = secrets.token_urlsafe(9)
        journal = Journal(self._root, name)
        conversation = await asyncio.to_thread(Conversation, name, beginning, journal)
        journal.begin(beginning.model_dump(mode="json"))
        await self._hold(conversation)
        return conversation

    async def get(self, name: str) -> Conversation:
        """A conversation by its id, taken up from its journal where it was put aside.

        Raises:
            BadInput: there is none.
        """
        async with self._taking_up:
            found = self._open.get(name)
            if found is None:
                found = await self._taken_up(name)
        found.touched = time.monotonic()
        return found

    async def _taken_up(self, name: str) -> Conversation:
        journal = Journal(self._root, name)
        header, entries = journal.read()
        try:
            beginning = Beginning.model_validate(header)
            said = [Said.model_validate(entry) for entry in entries if "said" in entry]
            answers = [Approval.model_validate(entry["approval"]) for entry in entries if "approval" in entry]
            sides = {"agent": beginning.agent, "user": beginning.user}
            for entry in entries:
                if "given" in entry:
                    sides[entry["side"]] = Side.model_validate(entry["given"])
                elif "hand" in entry and (side := sides[entry["side"]]) is not None:
                    sides[entry["side"]] = side.model_copy(update={"hand": entry["hand"]})
        except (ValidationError, KeyError) as error:
            raise BadInput(f"The record of the conversation {name} is damaged; begin another.") from error
        whole = beginning.model_copy(
            update=sides | {"recorded": [*beginning.recorded, *said], "approvals": [*beginning.approvals, *answers]}
        )
        conversation = await asyncio.to_thread(Conversation, name, whole, journal)
        conversation.saved = next((entry["saved"] for entry in entries if "saved" in entry), None)
        await self._hold(conversation)
        await conversation.settled(_ENDING)
        if any("ended" in entry for entry in entries) and not conversation.over:
            conversation.end()
            await conversation.settled(_ENDING)
        return conversation

    async def _hold(self, conversation: Conversation) -> None:
        now = time.monotonic()
        idle = sorted(self._open.values(), key=lambda each: each.touched)
        many = len(idle) - OPEN + 1
        for place, each in enumerate(idle):
            if place < many or now - each.touched > IDLE:
                del self._open[each.name]
                await each.close()
        self._open[conversation.name] = conversation
        conversation.start()

    def admit(self, side: str, given: Side) -> None:
        """Refuse an address that could carry the server's key away: who holds the token need not hold the key.

        Raises:
            BadInput: others reach this server, it holds a key, and the address is not its environment's.
        """
        known = environment_address("agent" if side == "agent" else "user")
        held = [name for name in (f"TOOLGYM_{side.upper()}_API_KEY", "TOOLGYM_API_KEY") if os.environ.get(name)]
        if self._shared and held and given.base_url and given.base_url.rstrip("/") != (known or "").rstrip("/"):
            raise BadInput(
                f"This server is open to others and holds a key ({held[0]}), which goes to no address of a page's; "
                f"set TOOLGYM_{side.upper()}_BASE_URL where it runs, or leave the address out."
            )
