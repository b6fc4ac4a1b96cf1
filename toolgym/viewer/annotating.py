"""Annotating a run: turns asked for blind, scores written down, what others say once it is their turn to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from toolgym.judge.annotation import file, labelled, queue
from toolgym.judge.annotation.agreement import board, disagreements, gather
from toolgym.judge.annotation.judges import RULES, judges_of
from toolgym.judge.annotation.record import Annotation, Place, Score, digest_of, named
from toolgym.judge.evaluation.episode_index import COLUMNS
from toolgym.judge.evaluation.run_folder import Key
from toolgym.judge.report.episode_data import episode_data
from toolgym.judge.scoring.reward import TurnScores
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.viewer.open_run import OpenRun, OpenRuns

_AT = {name: place for place, name in enumerate(COLUMNS)}
_SHOWN = frozenset(
    "task trial domain data family difficulty interaction modality scenario ticket communicate messages calls gold "
    "ended agent user".split()
)
"""Of an episode's data what is shown before it is scored: nothing that a judge, a verifier or a reward said."""


class Wanted(BaseModel):
    """Which turns of a run one annotator is asked for.

    Attributes:
        draw: all, a sample, or those on which judges and other annotators disagree.
        count: turns of a sample.
    """

    id: str
    annotator: str = ""
    draw: queue.Draw = "all"
    count: int = Field(default=50, ge=1, le=1_000_000)


class Given(Wanted):
    """A score for a turn; None takes the last one back."""

    task: str
    trial: int = Field(ge=0)
    turn: int = Field(ge=0)
    score: Score | None
    reason: str = Field(default="", max_length=2000)


class Desk:
    """One request's view of a run and of what was said about it.

    Args:
        run: the run.
        wanted: who asks, and for which turns.
        judged: judges' scores that were worked out before, kept between requests.
    """

    def __init__(self, run: OpenRun, wanted: Wanted, judged: dict[tuple[Any, ...], dict[str, TurnScores]]) -> None:
        run.look()
        self.run, self.wanted, self._judged = run, wanted, judged
        self.name = named(wanted.annotator) if wanted.annotator else ""
        self.read = file.read(run.folder.path)
        self.given = file.latest(self.read.entries)
        self.rows = {(row[_AT["task"]], row[_AT["trial"]]): row for row in run.index.rows}
        self._scores: dict[Key, dict[str, Any]] | None = None
        self._episodes: dict[Key, Trajectory] = {}

    def score(self, key: Key) -> Mapping[str, Any]:
        """An episode's line of scores.jsonl."""
        if self._scores is None:
            self._scores = self.run.folder.scores()
        return self._scores.get(key, {})

    def episode(self, key: Key) -> Trajectory:
        """An episode's record."""
        if key not in self._episodes:
            self._episodes[key] = self.run.trajectory(*key)
        return self._episodes[key]

    def judges(self, key: Key) -> dict[str, TurnScores]:
        """What judges say of an episode."""
        row = self.rows[key]
        name = (self.run.folder.path, self.run.generation, row[_AT["offset"]], row[_AT["length"]])
        if name not in self._judged:
            self._judged[name] = judges_of(self.episode(key), self.score(key))
        return self._judged[name]

    def queue(self) -> list[Place]:
        """The turns that are asked for."""
        turns = {key: row[_AT["turns"]] for key, row in self.rows.items()}
        if self.wanted.draw == "all":
            return queue.everything(turns)
        if self.wanted.draw == "sample":
            return queue.sample(turns, self.wanted.count)
        return queue.disagreed(turns, self._others())

    def _others(self) -> list[dict[Place, int]]:
        """The scores of every judge, and of everybody but the one who asks."""
        found: dict[tuple[str, str], dict[Place, int]] = {}
        for place, said in self.given.items():
            for name, entry in said.items():
                if name != self.name:
                    found.setdefault(("person", name), {})[place] = entry.score or 0
        for key in self.rows:
            by_rules = self.score(key).get("judge") == RULES  # then no other judge is known, and nothing is worked out
            judged = {RULES: tuple(self.score(key).get("turns") or ())} if by_rules else self._scores_of(key)
            for name, scores in judged.items():
                found.setdefault(("judge", name), {}).update({(*key, turn): each for turn, each in enumerate(scores)})
        return [*found.values()]

    def _scores_of(self, key: Key) -> dict[str, tuple[int, ...]]:
        return {name: scores.scores or () for name, scores in self.judges(key).items()}

    def mine(self, place: Place) -> Annotation | None:
        """What the one who asks said last of a turn, of whatever text."""
        return self.given.get(place, {}).get(self.name)

    def fits(self, entry: Annotation) -> bool:
        """Whether a score is of the turn's present text."""
        turns = self.episode((entry.task, entry.trial)).turns()
        return entry.turn < len(turns) and digest_of(turns[entry.turn]) == entry.digest

    def is_scored(self, place: Place) -> bool:
        """Whether the one who asks has scored a turn as it is now."""
        entry = self.mine(place)
        return entry is not None and self.fits(entry)

    def is_open(self, key: Key) -> bool:
        """Whether what others say of an episode may be shown: all that was asked for of it is scored."""
        asked = [place for place in self.queue() if place[:2] == key]
        return bool(self.name and asked) and all(map(self.is_scored, asked))

    def state(self) -> dict[str, Any]:
        """The queue with what the one who asks has said, and whose score is of another text by now."""
        turns = []
        for place in self.queue():
            entry = self.mine(place)
            fits = entry is not None and self.fits(entry)
            said = [entry.score, entry.reason] if entry is not None and fits else [None, ""]
            turns.append([*place, *said, entry is not None and not fits])
        people = sorted({name for said in self.given.values() for name in said})
        return {"annotator": self.name, "turns": turns, "people": people, "problems": list(self.read.problems)}

    def told(self, key: Key) -> dict[str, Any] | None:
        """What the others say of an episode, and how it ended; None while it is to stay unknown."""
        if not self.is_open(key):
            return None
        people: dict[str, dict[int, list[Any]]] = {}
        for (task, trial, turn), said in self.given.items():
            for name, entry in said.items():
                if (task, trial) == key and name != self.name and self.fits(entry):
                    people.setdefault(name, {})[turn] = [entry.score, entry.reason]
        judges = {
            name: {turn: [score, scores.reasons[turn]] for turn, score in enumerate(scores.scores or ())}
            for name, scores in self.judges(key).items()
        }
        return {"people": people, "judges": judges, "passed": self.score(key).get("passed")}

    def shown(self, key: Key) -> dict[str, Any]:
        """An episode as it is read before it is scored, and what the others say where that may be shown."""
        data = episode_data(self.episode(key), {}, f"files/{quote(self.wanted.id)}", folder=self.run.folder.path)
        talk = {name: value for name, value in data.items() if name in _SHOWN}
        return {"talk": talk | {"scores": None, "reasons": [], "violations": []}, "told": self.told(key)}

    def add(self, given: Given) -> None:
        """Write a score down.

        Raises:
            BadInput: nobody gave it, or there is no such turn.
        """
        if not self.name:
            raise BadInput("A score needs the name of who gives it.")
        key = given.task, given.trial
        turns = self.episode(key).turns()
        if given.turn >= len(turns):
            raise BadInput(f"{given.task}, trial {given.trial} has {len(turns)} turns; there is no turn {given.turn}.")
        entry = Annotation(
            run=self.run.folder.path.name,
            task=given.task,
            trial=given.trial,
            turn=given.turn,
            annotator=self.name,
            score=given.score,
            reason=given.reason.strip(),
            blind=not self.is_open(key),
            digest=digest_of(turns[given.turn]),
        )
        file.add(self.run.folder.path, [entry])


def routes(runs: OpenRuns) -> APIRouter:
    """The routes; plain functions, which FastAPI runs beside the event loop."""
    api = APIRouter(prefix="/api/annotations")
    judged: dict[tuple[Any, ...], dict[str, TurnScores]] = {}

    def desk(wanted: Wanted) -> Desk:
        return Desk(runs.get(wanted.id), wanted, judged)

    @api.get("")
    def state(wanted: Annotated[Wanted, Query()]) -> dict[str, Any]:
        return desk(wanted).state()

    @api.post("")
    def add(given: Given) -> dict[str, Any]:
        desk(given).add(given)
        return {"told": desk(given).told((given.task, given.trial))}

    @api.get("/episode")
    def episode(wanted: Annotated[Wanted, Query()], task: str, trial: int) -> dict[str, Any]:
        return desk(wanted).shown((task, trial))

    @api.get("/agreement")
    def agreement(wanted: Annotated[Wanted, Query()], everything: bool = False) -> dict[str, Any]:
        """Numbers of all; of the disagreements those on turns that who asks has scored, if that is an annotator."""
        seen = desk(wanted)
        scored = gather(seen.given, seen.episode, seen.score)
        listed = disagreements(scored)
        own = [each for each in listed if everything or not seen.name or seen.is_scored(_place(each))]
        found = board(scored, seen.given) | {"disagreements": own, "hidden": len(listed) - len(own)}
        return found | {"problems": list(seen.read.problems), "annotator": seen.name}

    @api.get("/export")
    def export(wanted: Annotated[Wanted, Query()], form: Literal["jsonl", "csv"] = "jsonl") -> Response:
        """What all said last, each with its turn."""
        seen = desk(wanted)
        turns = list(labelled.labelled(seen.given, seen.episode, seen.score))
        text = labelled.to_csv(turns) if form == "csv" else "".join(f"{each.to_line()}\n" for each in turns)
        kind = "text/csv; charset=utf-8" if form == "csv" else "application/x-ndjson"
        named = {"content-disposition": f'attachment; filename="annotated-turns.{form}"'}
        return Response(text, media_type=kind, headers=named)

    return api


def _place(each: Mapping[str, Any]) -> Place:
    task, trial, turn = each["place"]
    return str(task), int(trial), int(turn)
