"""Traits and profiles of the scripted user: its words have the profile's numbers, and what it wants stays the same."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

import pytest
from user_proposals import Proposals, drawn

from toolgym.judge.redteam.arena import drawn_tasks
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_no, is_yes
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.info import ScriptedNotes
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.users.manner import (
    DIGRESSIONS,
    FURTHER,
    HESITATIONS,
    HURRIES,
    Manner,
    is_typable,
    protected_words,
    remarks,
)
from toolgym.sandbox.users.reply_validation import ReplyCheck
from toolgym.sandbox.users.traits import MIXED, PROFILES, SHARES, USUAL, Traits

WORLDS = ("banking", "retail", "calendar")
TONES = ("terse", "chatty", "polite", "impatient")


def tasks_of(world: str, count: int = 8) -> list[Task]:
    return list(drawn_tasks(get_domain(world), count, 5, None))


def play(task: Task, agent: str = "demonstrator", seed: int = 0, **options: object) -> Trajectory:
    domain = get_domain(task.domain)
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, make_user("scripted", options), seed=seed)
        return asyncio.run(run_episode(episode, make_agent(agent)))


def spoken(trajectory: Trajectory) -> list[str]:
    return [message.content or "" for message in trajectory.messages if message.role == "user" and message.content]


@pytest.fixture(scope="module")
def talks() -> dict[str, list[Trajectory]]:
    """Conversations without any trait, by tone."""
    tasks = [task for world in WORLDS for task in tasks_of(world)]
    return {tone: [play(task, style=tone) for task in tasks] for tone in TONES}


# --- the numbers ---


def share(name: str, profile: Traits, talks: list[Trajectory]) -> tuple[float, int]:
    """What a trait comes to in the words of conversations that had none, and of how many words or replies."""
    alone = Traits(profile.tone, profile.patience, **{name: getattr(profile, name)})
    of = hits = 0
    for place, talk in enumerate(talks * 3):
        manner = Manner(alone, talk.task, Random(place))
        for text in (text for text in spoken(talk) if STOP not in text):
            said = manner.said(text)
            if name == "typos":
                pairs = zip(text.split(), said.split(), strict=True)
                words = [
                    (one, two) for one, two in pairs if is_typable(one.rstrip(".,;:!?"), protected_words(talk.task))
                ]
                of, hits = of + len(words), hits + sum(one != two for one, two in words)
            elif name == "broken_off":
                sure = Manner(replace(alone, broken_off=1.0), talk.task, Random(place))
                sure.said(text)
                of, hits = of + sure.is_unfinished, hits + manner.is_unfinished
                if manner.is_unfinished:
                    assert text.startswith(said) and text.endswith(manner.rest().split(": ", 1)[1])
            else:
                added = DIGRESSIONS if name == "digression" else HURRIES
                of, hits = of + 1, hits + any(text + " " + each == said for each in added)
    return hits / of, of


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "trait"),
    [(name, trait) for name, each in PROFILES.items() for trait in each.shares() if trait in SHARES[:4]],
)
def test_the_words_have_the_numbers_of_their_profile(talks, name, trait):
    wanted = getattr(PROFILES[name], trait)
    found, of = share(trait, PROFILES[name], talks[PROFILES[name].tone])
    assert of >= 60 and found == pytest.approx(wanted, abs=3 * (wanted * (1 - wanted) / of) ** 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["undecided", "demanding", "careless"])
def test_the_conversations_have_the_numbers_of_their_profile(name):
    profile = PROFILES[name]
    talks = [play(task, style=name, typos=0, digression=0) for world in WORLDS for task in tasks_of(world, 10)]
    heard = [text for talk in talks for text in spoken(talk)]
    hesitated = sum(text in HESITATIONS for text in heard)
    agreed = sum(is_yes(text) for text in heard)
    assert hesitated / agreed == pytest.approx(profile.second_thoughts, abs=0.15) and agreed > 20
    wished = sum(any(says in text for _, says in FURTHER for text in spoken(talk)) for talk in talks)
    assert wished / len(talks) == profile.unavailable
    noted = [talk.info.user for talk in talks]
    assert all(isinstance(each, ScriptedNotes) and each.tone == profile.tone for each in noted)
    numbers = replace(profile, typos=0, digression=0).shares()
    assert [each.traits for each in noted if isinstance(each, ScriptedNotes)] == [numbers] * len(noted)


@pytest.mark.slow
@pytest.mark.parametrize("tone", TONES)
def test_the_four_tones_have_the_numbers_of_their_profile(tone, talks):
    profile = PROFILES[tone]
    assert profile.shares() == {} and all(talk.info.user is None for talk in talks[tone] if not unplaced(talk))
    bare = told = 0
    task = next(task for task in tasks_of("banking") if any(fact.name == "pin" for fact in task.facts))
    pin = next(fact.value for fact in task.facts if fact.name == "pin")
    for seed in range(200):
        answer = replies(task, ["What is your PIN?"], seed=seed, style=tone)[-1]
        told += pin in answer
        bare += answer == f"{pin}."
    assert told == 200 and bare / told == pytest.approx(profile.bare, abs=0.1)
    said = replies(task, ["Hm, I see."] * 12, style=tone)
    assert STOP in said[profile.patience] and len(said) == profile.patience + 1


def unplaced(talk: Trajectory) -> bool:
    return isinstance(talk.info.user, ScriptedNotes) and bool(talk.info.user.unplaced)


def replies(task: Task, lines: list[str], seed: int = 0, **options: object) -> list[str]:
    """What a user says first, and to each line, until it leaves."""

    async def run() -> list[str]:
        player = make_user("scripted", options).open(task, seed=seed)
        messages = [await player.reply([])]
        for line in lines:
            messages.append(Message(role="assistant", content=line))
            messages.append(await player.reply(messages))
            if STOP in (messages[-1].content or ""):
                break
        return [message.content or "" for message in messages if message.role == "user"]

    return asyncio.run(run())


def test_patience_may_be_given():
    task = tasks_of("banking")[0]
    assert [len(replies(task, ["Hm, I see."] * 12, style="terse", patience=each)) for each in (2, 4)] == [3, 5]


# --- what stays as it is ---


@pytest.mark.parametrize("text", remarks())
def test_nothing_that_is_added_decides_or_tells_anything(text):
    assert not (is_yes(text) or is_no(text)) and not any(map(str.isdigit, text))
    assert is_yes(f"Yes, go ahead. {text}") and is_no(f"No. {text}")
    assert not parse_act(text).refuses


ALL = dict.fromkeys(USUAL, 1.0)


@pytest.mark.parametrize("world", WORLDS)
def test_no_trait_makes_a_user_agree_to_what_it_does_not_want(world):
    domain = get_domain(world)
    goals = [goal for goal in domain.goals if goal.tool.kind == "write" and goal.against is None][:1]
    for goal in goals:
        for proposals in (Proposals(domain, task) for task in drawn(domain, goal, 0, 1)):
            wrong = [text for what, text in proposals.wrong_ones() if " is " in what][:8]
            for text in wrong:
                assert not any(is_yes(said) for said in replies(proposals.task, [text, text], **ALL)), text


@pytest.mark.parametrize("world", WORLDS)
def test_with_every_trait_a_user_invents_nothing_and_tells_the_same(world):
    for task in tasks_of(world, 6):
        plain, restless = play(task), play(task, **ALL)
        check, heard = ReplyCheck(task), [message for message in restless.messages if message.role != "tool"]
        for place, message in enumerate(heard):
            if message.role == "user":
                found = check.problems((message.content or "").replace(STOP, ""), heard[:place])
                assert [problem for problem in found if problem.fault == "invented"] == []
        assert values(restless) <= values(
            plain
        )  # of an agent that does not wait for the end of a sentence, some is left
        assert values(play(task, **ALL | {"broken_off": 0.0})) == values(plain)


def values(talk: Trajectory) -> set[str]:
    """The words with a number or a capital inside that a user said."""
    words = {word.strip(".,;:!?'()\"") for text in spoken(talk) for word in text.split()}
    return {word for word in words if any(map(str.isdigit, word))}


@pytest.mark.parametrize("style", [MIXED, "careless"])
def test_the_seed_decides(style):
    task = tasks_of("banking")[3]
    one, same, other = (spoken(play(task, seed=seed, style=style, typos=0.5)) for seed in (1, 1, 2))
    assert one == same != other


def test_a_trait_of_0_changes_no_word(talks):
    none = dict.fromkeys(SHARES, 0.0)
    for talk in talks["chatty"][:8]:
        assert spoken(play(talk.task, style="chatty", **none)) == spoken(talk)


def test_a_mixed_user_has_each_trait_in_half_of_the_conversations():
    task = tasks_of("banking")[0]
    users = [make_user("scripted", {"style": MIXED}).open(task, seed=seed) for seed in range(200)]
    for trait, usual in USUAL.items():
        having = [user.notes["traits"][trait] for user in users if user.notes and trait in user.notes["traits"]]
        assert set(having) == {usual} and len(having) == pytest.approx(100, abs=25)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"style": "ramblin"}, "did you mean 'rambling'"),
        ({"typos": 3}, "The trait typos is a share from 0 to 1; got 3."),
        ({"digression": "much"}, "The trait digression is a share from 0 to 1; got 'much'."),
        ({"patience": 0}, "The trait patience is a whole number of replies from 1; got 0."),
        ({"typo": 0.1}, "did you mean 'typos'"),
    ],
)
def test_wrong_numbers_are_answered_in_a_sentence(options, words):
    with pytest.raises(BadInput, match=words.replace("(", r"\(")):
        make_user("scripted", options)
