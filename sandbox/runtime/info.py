"""What roles and wrappers add to the record of an episode: `Trajectory.info`. Not for what every episode has.

Nothing is written that was never said, so an episode of which nothing is noted has an empty `info`. Names that are not
listed here, of other people's wrappers or of a later toolgym, are kept as they are.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.text import Fields, Kept, Text, mended

Number = int | float
"""Kept as it came: a whole number stays one."""


class Noted(BaseModel):
    """Base of these records: only what was said is written, in the order of the fields."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, Kept] = Field(init=False)

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Json]:
        return {name: value for name, value in write(self).items() if name in self.model_fields_set}


class SentFault(Noted):
    """A fault with which a reply was played.

    Attributes:
        message: which of the user's messages it is, from 0.
        fault: the sort.
    """

    message: int
    fault: str


class UserChecks(Noted):
    """How a language model did as the user.

    Attributes:
        replies: how many it gave.
        faulty: those whose first version had a fault.
        uncorrected: those played with one.
        faults: how often which sort of fault occurred, over all versions.
        examples: some of them: `fault`, `evidence` and the `reply`.
        sent: those with which replies were played.
    """

    replies: int
    faulty: int
    uncorrected: int
    faults: dict[str, int]
    examples: list[Json] = []
    sent: tuple[SentFault, ...] = ()


class ScriptedNotes(Noted):
    """What the scripted user did not understand, and how it behaved where it had traits.

    Attributes:
        unplaced: which of the agent's messages to it, counted from 0, held a question that it could not place.
        noticed: after which of them it said that something of its own stands changed that it had not asked for.
        tone: whose words it used.
        traits: its shares that were not 0 (see `toolgym.sandbox.users.traits.Traits`).
    """

    unplaced: tuple[int, ...]
    noticed: tuple[int, ...] = ()
    tone: Text = ""
    traits: dict[str, Number] = {}


class UtteranceRecord(Noted):
    """One spoken message of the user.

    Attributes:
        audio: the recording's name, as in the message.
        seconds: its length.
        spoken: the words that the engine spoke.
        words: how many those are.
        ids: the ids among them.
        check_missed: the ids that cannot be heard in the user's own voice; None where that was not checked.
        heard: the transcript; None where nobody transcribed it.
        word_errors: the transcript's errors in words.
        missed: the ids that the transcript lacks; None without a transcript.
    """

    audio: Text
    seconds: Number
    spoken: Text = ""
    words: int = 0
    ids: tuple[Text, ...] = ()
    check_missed: tuple[Text, ...] | None = None
    heard: Text | None = None
    word_errors: int = 0
    missed: tuple[Text, ...] | None = None


class SpeechRecord(Noted):
    """How an episode was spoken.

    Attributes:
        tts: the engine that spoke.
        asr: the one that transcribed; None where there was none.
        agent_input: what reached the agent: `audio`, or `asr` for the transcript.
        auth: `spoken` (the agent had to find out who the user is) or `profile` (it was told).
        voice: the voice's `name`, `rate` and `pitch`.
        channel: what the sound went through.
        utterances: what was said, in order.
    """

    tts: Text = ""
    asr: Text | None = None
    agent_input: Text = "audio"
    auth: Literal["spoken", "profile"] = "spoken"
    voice: Fields = {}
    channel: Text = ""
    utterances: tuple[UtteranceRecord, ...] = ()


class CallDifference(Noted):
    """A call of an imported episode that comes to something else here.

    Attributes:
        call: its id.
        tool: the tool.
        kind: how the two differ, in words.
        write: whether it writes; None for a call that was not run.
        there: the recorded result, shortened.
        here: ours, shortened.
    """

    call: Text
    tool: Text
    kind: Text
    write: bool | None = None
    there: Text
    here: Text


class RecordedEpisode(Noted):
    """What the file says of an imported episode, and where executing it here differs.

    Attributes:
        source: the benchmark that wrote the file.
        reward: as recorded; None where there is none.
        components: its parts, by tau2-bench's names.
        basis: the parts that the reward is the product of.
        ending: why the episode ended, in the file's words.
        trial: as recorded.
        task: the task's record, in tau2-bench's form.
        differences: the calls that come to something else here.
    """

    source: Text
    reward: Number | None = None
    components: dict[str, Number] = {}
    basis: tuple[Text, ...] = ()
    ending: Text = ""
    trial: Kept = None
    task: Fields
    differences: tuple[CallDifference, ...] = ()


class ProgramFault(Noted):
    """Why a program was stopped.

    Attributes:
        call: the number of the call at fault; None where the text could not be read as a program.
        code: the refusal's, `bad_reference`, `too_many_calls` or `unreadable`.
        message: the sentence that says why.
    """

    call: int | None = None
    code: Text
    message: Text


class ProgramAttempt(Noted):
    """One program of an episode that is answered by programs.

    Attributes:
        first: the position of its first call in the record's `calls`.
        results: how many of its calls were made, a refused last one among them; those after it were not.
        fault: why it was stopped; None where it came to its end.
    """

    first: int
    results: int
    fault: ProgramFault | None = None


class PerturbedRecord(Noted):
    """What the agent saw otherwise than the record shows it.

    Attributes:
        spec: the perturbations, as `--perturb` takes them.
        tools: the names that tools had for the agent, by their true ones.
        parameters: the names that their parameters had, by tool.
        faults: how many calls came to nothing once.
    """

    spec: str
    tools: dict[str, str] = {}
    parameters: dict[str, dict[str, str]] = {}
    faults: int = 0


class CanaryRecord(Noted):
    """How often the agent took a planted shortcut.

    Attributes:
        tool: calls of the debugger's tool.
        row: messages and calls that hold the code of a planted result.
        answer: those that hold the key in a tool's description.
    """

    tool: int = 0
    row: int = 0
    answer: int = 0

    @property
    def touched(self) -> bool:
        """Whether any of them was taken."""
        return bool(self.tool or self.row or self.answer)


class Info(Noted):
    """What is noted of an episode.

    Attributes:
        solo: the agent worked alone, with both sides' tools.
        unread: the positions of the agent's messages that could not be read.
        agent: what the agent noted about itself.
        user: what the user did: a language model's checks, what the scripted one did not understand, or what another
            user wrote.
        speech: how it was spoken; None in text.
        programs: the programs with which the agent answered, in order; each but the first one tries again.
        recorded: what another benchmark's file says; None for episodes of our own.
        perturbed: what the agent saw otherwise; None where it saw everything as it is.
        canary: what it made of planted shortcuts; None where there were none.
    """

    solo: bool = False
    unread: tuple[int, ...] = ()
    agent: Kept = None
    user: Annotated[UserChecks | ScriptedNotes | Json, Field(union_mode="left_to_right"), BeforeValidator(mended)] = (
        None
    )
    speech: SpeechRecord | None = None
    programs: tuple[ProgramAttempt, ...] = ()
    recorded: RecordedEpisode | None = None
    perturbed: PerturbedRecord | None = None
    canary: CanaryRecord | None = None
