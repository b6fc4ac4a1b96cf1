"""Who agrees with whom on a run's turns, people and judges, and where they do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, Literal

from toolgym.judge.annotation.file import Given
from toolgym.judge.annotation.judges import judges_of
from toolgym.judge.annotation.pair import agree
from toolgym.judge.annotation.record import Place, digest_of
from toolgym.judge.evaluation.run_folder import Key
from toolgym.judge.scoring.reward import TurnScores
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.trajectory import Trajectory

Who = tuple[Literal["person", "judge"], str]
_EXCERPT = 160
"""Signs of a turn's text in a list."""


@dataclass
class Scored:
    """All scores of the turns that people scored.

    Attributes:
        by: who gave which score to which turn.
        reasons: and why.
        texts: the beginning of each turn.
        changed: turns of which a person's score is of another text than the present one, with that person.
        judges: what judges say, by episode.
    """

    by: dict[Who, dict[Place, int]] = field(default_factory=dict)
    reasons: dict[tuple[Who, Place], str] = field(default_factory=dict)
    texts: dict[Place, str] = field(default_factory=dict)
    changed: list[tuple[Place, str]] = field(default_factory=list)
    judges: dict[Key, dict[str, TurnScores]] = field(default_factory=dict)

    def add(self, who: Who, place: Place, score: int, reason: str) -> None:
        """Take a score in."""
        self.by.setdefault(who, {})[place] = score
        self.reasons[who, place] = reason


def gather(given: Given, episode: Callable[[Key], Trajectory], score: Callable[[Key], Mapping[str, Any]]) -> Scored:
    """The scores of people that are of the present text, and those of judges for the same turns.

    Args:
        given: what people said last.
        episode: the record of an episode; BadInput where there is none.
        score: its line of scores.jsonl, empty where there is none.
    """
    found = Scored()
    for key in dict.fromkeys((task, trial) for task, trial, _ in given):
        places = [place for place in given if place[:2] == key]
        try:
            trajectory = episode(key)
        except BadInput:  # the episode is no longer there
            found.changed += [(place, name) for place in places for name in given[place]]
            continue
        _of_episode(found, given, places, trajectory, score(key))
    return found


def _of_episode(
    found: Scored, given: Given, places: list[Place], trajectory: Trajectory, score: Mapping[str, Any]
) -> None:
    turns = trajectory.turns()
    digests = [digest_of(turn) for turn in turns]
    judged = found.judges[trajectory.task.id, trajectory.trial] = judges_of(trajectory, score)
    for place in sorted(places):
        at = place[2]
        fitting = [said for said in given[place].values() if at < len(turns) and said.digest == digests[at]]
        for said in fitting:
            found.add(("person", said.annotator), place, said.score or 0, said.reason)
        found.changed += [(place, said.annotator) for said in given[place].values() if said not in fitting]
        if fitting:
            action = turns[at].action
            calls = "; ".join(f"{call.name}({call.arguments_text()})" for call in action.tool_calls)
            found.texts[place] = " ".join(filter(None, (action.content, calls)))[:_EXCERPT]
            for name, scores in judged.items():
                if scores.scores is not None:
                    found.add(("judge", name), place, scores.scores[at], scores.reasons[at])


def board(scored: Scored, given: Given) -> dict[str, Any]:
    """The numbers as JSON: who scored how much, and every pair that has at least one person in it."""
    people = sorted((who for who in scored.by if who[0] == "person"), key=lambda who: who[1].casefold())
    judges = [who for who in scored.by if who[0] == "judge"]
    pairs = [*combinations(people, 2), *((person, judge) for person in people for judge in judges)]
    told = {name: [said[name] for said in given.values() if name in said] for said in given.values() for name in said}
    return {
        "people": [
            {
                "name": name,
                "turns": len(said),
                "blind": sum(entry.blind for entry in said),
                "changed": sum(each == name for _, each in scored.changed),
            }
            for name, said in sorted(told.items())
        ],
        "judges": [name for _, name in judges],
        "pairs": [_pair(scored, first, second) for first, second in pairs],
    }


def _pair(scored: Scored, first: Who, second: Who) -> dict[str, Any]:
    ours, theirs = scored.by[first], scored.by[second]
    found = agree((place, ours[place], theirs[place]) for place in ours if place in theirs)
    named = {"first": _who(first), "second": _who(second)}
    return named | {"agreement": None if found is None else asdict(found)}


def disagreements(scored: Scored) -> list[dict[str, Any]]:
    """Turns on which not all agree, the widest apart first: what each said, and why."""
    found = []
    for place, text in scored.texts.items():
        said = [(who, scores[place]) for who, scores in scored.by.items() if place in scores]
        values = [score for _, score in said]
        if len(set(values)) > 1:
            told = [_who(who) | {"score": score, "reason": scored.reasons[who, place]} for who, score in said]
            found.append({"place": list(place), "text": text, "apart": max(values) - min(values), "said": told})
    return sorted(found, key=lambda each: -each["apart"])


def _who(who: Who) -> dict[str, str]:
    return {"kind": who[0], "name": who[1]}
