"""How the scripted user words what it does: templates by act and by style. Not for deciding what to do.

No template holds a digit, an id or any other fact; those come from the task alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Literal

Style = Literal["terse", "chatty", "polite", "impatient"]
Act = Literal[
    "greet",
    "yes",
    "yes_order",
    "incomplete",
    "wait",
    "stuck",
    "no",
    "no_thing",
    "no_offer",
    "unknown",
    "private",
    "no_preference",
    "as_usual",
    "usual_way",
    "none_of_it",
    "just_one",
    "no_end",
    "only",
    "as_it_is",
    "rest",
    "again",
    "insist",
    "human",
    "accept",
    "change",
    "mixed_up",
    "next",
    "yes_fact",
    "which",
    "unsure",
    "sure_done",
    "sure_all",
    "sure_refused",
    "sure_meant",
    "sure_only",
    "not_done",
    "missing",
    "left_open",
    "thanks",
    "give_up",
]
STYLES: tuple[Style, ...] = ("terse", "chatty", "polite", "impatient")

PATIENCE: dict[Style, int] = {"terse": 5, "chatty": 6, "polite": 6, "impatient": 4}
"""Replies without progress after which a user of this style gives up."""
BARE: dict[Style, float] = {"terse": 0.5, "chatty": 0.0, "polite": 0.0, "impatient": 0.5}
"""Share of facts that a user of this style says as the value alone."""

_PHRASES: dict[Act, dict[Style, tuple[str, ...]]] = {
    "greet": {
        "terse": ("Hi.", "Hello.", "Hey."),
        "chatty": (
            "Hi there, I hope your day is going well!",
            "Hello, nice to reach you!",
            "Hey, good that you're there!",
        ),
        "polite": ("Good day.", "Hello, thank you for taking my request.", "Good morning."),
        "impatient": ("Hi, I'm in a hurry.", "Hello, quickly please.", "Hey, I don't have long."),
    },
    "yes": {
        "terse": ("Yes.", "Yes, go ahead.", "Yes, do it."),
        "chatty": ("Yes, that's exactly what I had in mind, go ahead!", "Yes, perfect, please do that!"),
        "polite": ("Yes, please.", "Yes, please go ahead.", "Yes, that is right, thank you."),
        "impatient": ("Yes, go on.", "Yes, just do it.", "Yes, yes, go ahead."),
    },
    "yes_order": {
        "terse": ("Yes, {}.", "Yes: {}."),
        "chatty": ("Yes, exactly, please {}!", "Yes, that's it, please {}!"),
        "polite": ("Yes, please {}.", "Yes, thank you, please {}."),
        "impatient": ("Yes, {}.", "Yes, just {}."),
    },
    "incomplete": {
        "terse": ("What exactly would you do?",),
        "chatty": ("Hold on, what exactly would you do?",),
        "polite": ("Before I agree, could you tell me exactly what you would do?",),
        "impatient": ("What exactly?",),
    },
    "wait": {
        "terse": ("I'll wait.", "Go on."),
        "chatty": ("No hurry, take your time!", "I'll be here!"),
        "polite": ("Please take your time.", "Thank you, I will wait."),
        "impatient": ("OK, but hurry.", "Go on, then."),
    },
    "stuck": {
        "terse": ("I've said all I know.",),
        "chatty": ("I'm afraid I have told you all that I know!",),
        "polite": ("I am afraid that I have told you all I know.",),
        "impatient": ("I've told you everything.",),
    },
    "no_thing": {
        "terse": ("No, not {}.",),
        "chatty": ("Oh no, not {}, sorry!",),
        "polite": ("No, I am afraid not {}.",),
        "impatient": ("No, not {}.",),
    },
    "no": {
        "terse": ("No.", "No, wrong.", "No, not quite."),
        "chatty": ("No, hold on, that's not quite what I meant.", "No, sorry, there is a mix-up there."),
        "polite": ("No, I am afraid that is not right.", "No, please let me correct that."),
        "impatient": ("No, that's wrong.", "No, listen."),
    },
    "no_offer": {
        "terse": ("No.", "No, thanks."),
        "chatty": ("No, that's kind of you, but I don't need that.", "No, thanks, not for me!"),
        "polite": ("No, thank you.", "No, but thank you for offering."),
        "impatient": ("No, I don't want that.", "No, not that."),
    },
    "unknown": {
        "terse": ("I don't know {}.", "No idea about {}."),
        "chatty": ("Oh dear, I really don't remember {}.", "Hm, I don't know {}, sorry about that!"),
        "polite": ("I am sorry, I do not know {}.", "I am afraid I don't remember {}."),
        "impatient": ("I don't know {}.", "I don't have {} here."),
    },
    "private": {
        "terse": ("I'd rather not give {}.",),
        "chatty": ("Oh, I'd rather keep {} to myself, if that's okay.",),
        "polite": ("I would prefer not to give {}.",),
        "impatient": ("I won't give {} here.",),
    },
    "no_preference": {
        "terse": ("No preference on {}.",),
        "chatty": ("Oh, I have no preference about {}, really!",),
        "polite": ("I have no preference regarding {}.",),
        "impatient": ("I don't care about {}.",),
    },
    "as_usual": {
        "terse": ("The usual {}.",),
        "chatty": ("Oh, whatever {} is usual!",),
        "polite": ("The usual {}, please.",),
        "impatient": ("The usual {}.",),
    },
    "usual_way": {
        "terse": ("The usual way.",),
        "chatty": ("Oh, the usual way will do!",),
        "polite": ("The usual way, please.",),
        "impatient": ("The usual way.",),
    },
    "just_one": {
        "terse": ("Just one.",),
        "chatty": ("Oh, just one, thanks!",),
        "polite": ("Just one, please.",),
        "impatient": ("One.",),
    },
    "no_end": {
        "terse": ("No end.", "Until further notice."),
        "chatty": ("Oh, it can run until further notice!",),
        "polite": ("Until further notice, please.",),
        "impatient": ("No end.",),
    },
    "none_of_it": {
        "terse": ("No {}.",),
        "chatty": ("Oh, no {} needed!",),
        "polite": ("No {}, thank you.",),
        "impatient": ("No {}.",),
    },
    "only": {
        "terse": ("Just that.", "No more than that."),
        "chatty": ("Oh, just that, thanks!",),
        "polite": ("Only that, please.",),
        "impatient": ("Just that.",),
    },
    "as_it_is": {
        "terse": ("Yes, as it is.",),
        "chatty": ("Yes, that can stay just as it is!",),
        "polite": ("Yes, please leave that as it is.",),
        "impatient": ("Yes, leave that.",),
    },
    "rest": {
        "terse": ("The rest as it is now.",),
        "chatty": ("Everything else can stay just as it is!",),
        "polite": ("Please leave everything else as it is.",),
        "impatient": ("Leave the rest as it is.",),
    },
    "again": {
        "terse": ("As I said:", "Again:"),
        "chatty": ("Let me say it once more:", "Like I said:"),
        "polite": ("If I may repeat it:", "To say it again:"),
        "impatient": ("I told you:", "Once more:"),
    },
    "insist": {
        "terse": ("Are you sure? Please check again.", "Please look again."),
        "chatty": ("Oh no, are you quite sure? Could you check that again for me?",),
        "polite": ("Could you please check once more whether that is possible?",),
        "impatient": ("That can't be. Check again.", "I need this. Look again."),
    },
    "human": {
        "terse": ("Then get me a person.", "A human, please."),
        "chatty": ("Then it's best if a real person looks at it with me!",),
        "polite": ("Then please put me through to a colleague of yours.",),
        "impatient": ("Then give me a human.",),
    },
    "accept": {
        "terse": ("OK.", "All right.", "Fine."),
        "chatty": ("Oh well, I understand, rules are rules.", "That's a pity, but I see."),
        "polite": ("I understand.", "I see, thank you for explaining."),
        "impatient": ("Fine, then not.", "All right, whatever."),
    },
    "change": {
        "terse": ("No.", "Hm, no."),
        "chatty": ("Oh, actually, hold that thought!", "Hm, no, now that I think about it."),
        "polite": ("No, I am sorry.", "No, please excuse me."),
        "impatient": ("No, stop.", "No, no."),
    },
    "mixed_up": {
        "terse": ("Right, my mistake.", "Ah, right, I mixed that up."),
        "chatty": ("Oh, you're right, I mixed that up!", "Ah, of course, my mistake!"),
        "polite": ("You are right, I was mistaken there.", "Oh, you are right, I mixed that up."),
        "impatient": ("Right, right, my mistake.", "Fine, I mixed that up."),
    },
    "next": {
        "terse": ("Thanks.", "Good.", "OK, thanks."),
        "chatty": ("Great, thanks so much!", "Wonderful, you're quick!"),
        "polite": ("Thank you.", "Thank you very much."),
        "impatient": ("Good.", "OK, fine."),
    },
    "yes_fact": {
        "terse": ("Yes.",),
        "chatty": ("Yes, right!",),
        "polite": ("Yes, exactly.",),
        "impatient": ("Yes.",),
    },
    "which": {
        "terse": ("What do you need to know?", "Like what?"),
        "chatty": ("Oh, what would you like to know?", "Hm, what exactly do you need from me?"),
        "polite": ("Gladly. What would you like to know?", "May I ask what exactly you need?"),
        "impatient": ("What do you want to know?", "Just tell me what you need."),
    },
    "unsure": {
        "terse": ("Not sure.", "I couldn't say."),
        "chatty": ("Hm, I'm really not sure about that!", "Oh, I honestly couldn't tell you!"),
        "polite": ("I am sorry, I am not sure about that.", "I am afraid I could not say."),
        "impatient": ("No idea.", "How should I know?"),
    },
    "sure_done": {
        "terse": ("So it's {} now?", "Is it {} now?"),
        "chatty": ("Lovely! So it's really {} now?", "Just to be sure, is it {} now?"),
        "polite": ("Thank you. Is it {} now?", "May I ask whether it is {} now?"),
        "impatient": ("So is it {} now?", "Is it {} or not?"),
    },
    "sure_all": {
        "terse": ("Is all of it done now?",),
        "chatty": ("Great! And is all that I asked for done now?",),
        "polite": ("Thank you. Has everything that I asked for been done now?",),
        "impatient": ("And the rest? Is all of it done?",),
    },
    "sure_refused": {
        "terse": ("So it can't be done?",),
        "chatty": ("Oh, so does that mean that it can't be done?",),
        "polite": ("Do I understand rightly that it cannot be done?",),
        "impatient": ("So you can't do it?",),
    },
    "sure_meant": {
        "terse": ("Do you mean that you would {}?", "So you would {}?"),
        "chatty": ("Sorry, just so that I get it right: do you mean that you would {}?",),
        "polite": ("Do I understand rightly that you would {}?", "May I ask whether you mean that you would {}?"),
        "impatient": ("You mean that you would {}?",),
    },
    "sure_only": {
        "terse": ("Would you only {}?", "So you would {}, and nothing else?"),
        "chatty": ("Would you just {}, and nothing else?",),
        "polite": ("Do I understand rightly that you would {}, and nothing else?",),
        "impatient": ("You would only {}, yes?",),
    },
    "not_done": {
        "terse": ("You said it was done.",),
        "chatty": ("Oh, but you told me that it was done!",),
        "polite": ("Excuse me, I understood that it had been done.",),
        "impatient": ("You told me it was done!",),
    },
    "missing": {
        "terse": ("That doesn't answer it.", "And the answer?"),
        "chatty": ("Hm, I think you haven't quite answered me yet!",),
        "polite": ("I am afraid my question is not fully answered yet.",),
        "impatient": ("You still haven't told me.",),
    },
    "left_open": {
        "terse": ("One question:", "And one thing:"),
        "chatty": ("Lovely! There's just one thing left that I'd like to know:",),
        "polite": ("Thank you. May I ask one more thing about that:",),
        "impatient": ("And quickly:",),
    },
    "thanks": {
        "terse": ("Thanks, that's all.", "That's it. Bye."),
        "chatty": (
            "Wonderful, that was everything, thanks a lot and have a lovely day!",
            "That's all, you've been great!",
        ),
        "polite": ("Thank you very much, that is all. Goodbye.", "That was everything, thank you for your help."),
        "impatient": ("OK, that's all. Bye.", "Finally. That's it."),
    },
    "give_up": {
        "terse": ("This leads nowhere. Bye.",),
        "chatty": ("I think we're going round in circles, I'll try again another day. Bye!",),
        "polite": ("I am afraid we are not getting anywhere. I will stop here. Goodbye.",),
        "impatient": ("We're going in circles. I'm done.",),
    },
}


def style_of(persona: str, rng: Random) -> Style:
    """The style that a persona names, or one drawn at random."""
    words = persona.lower()
    named = [style for style in STYLES if style in words]
    return named[0] if named else rng.choice(STYLES)


def phrase(act: Act, style: Style, rng: Random, about: str = "") -> str:
    """Words for an act; `about` fills the place of what the user does not know."""
    return rng.choice(_PHRASES[act][style]).format(about)


_NO_THING = re.compile(
    r"(?:no|not|any|with|without|for|in|on|at|by|from|to|of|as|and|or|if|so|then|this|that|it|is|are)\b", re.I
)


def declined(beside: Sequence[str], style: Style, rng: Random) -> str:
    """A no to what stands beside a wish; by name, "No, not ...", where the words are a thing and no piece of a clause.

    Args:
        beside: the agent's words.
        style: how the user talks.
        rng: draws the wording.
    """
    words = next(iter(beside), "")
    is_thing = " " in words and not _NO_THING.match(words)
    return phrase("no_thing", style, rng, words) if is_thing else phrase("no_offer", style, rng)


def is_detail(beside: Sequence[str]) -> bool:
    """Whether what stands beside a wish is a figure or a name alone, of which a user rather asks than says no to all.

    Args:
        beside: the agent's words, such as "$106.25" or "Philadelphia"; what is done, a fee and words of reach are none.
    """
    return bool(beside) and all(" " not in each and (each[:1].isupper() or _FIGURE.search(each)) for each in beside)


def statement(name: str, value: str, style: Style, rng: Random, forms: Sequence[str] = ()) -> str:
    """A fact as a sentence, in one of these forms if there are any; terse users often say just the value."""
    if BARE[style] and rng.random() < BARE[style]:
        said = value[0].upper() + value[1:] if " " in value else value
        return said if said.endswith(".") else f"{said}."
    text = rng.choice(forms or (f"The {name.replace('_', ' ')} is {{}}.",)).replace("{}", value)
    return text[0].upper() + text[1:]


_FIGURE = re.compile(r"\d")
_FIXED = frozenset(text for styles in _PHRASES.values() for texts in styles.values() for text in texts)


def is_fixed(text: str) -> bool:
    """Whether a sentence is a template as it stands, which tells no fact."""
    return text in _FIXED


def is_act(text: str, act: Act) -> bool:
    """Whether words for an act stand in what was said, in whatever style."""
    words = (template for templates in _PHRASES[act].values() for template in templates)
    return any(all(part in text for part in template.split("{}")) for template in words)
