"""The network's rows: 180 accounts with their posts, of which 24 are owners; both sides of every rule."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache, partial

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.domains.social_media.schema import Account, DirectMessage, Post, Reaction, Relation
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (datetime(2026, 3, 14, 0, 10), datetime(2026, 3, 16, 9, 0))
"""Other moments: ten minutes after midnight, when nothing has been posted yet, and the Monday after."""
SEED, UNSEEN = 66201, 66202
"""Of the usual people, and of those whom no training task knows."""
TRADES = tuple(
    "ceramic artist:clay,bicycle mechanic:wheels,baker:bread,gardener:greens,carpenter:builds,photographer:light,"
    "translator:words,beekeeper:bees,illustrator:ink,violinist:strings,rower:oars,chemist:lab,tailor:seams,"
    "bookseller:pages,climber:rocks,cheesemaker:rind,printer:press,sailor:knots,florist:stems,astronomer:stars".split(
        ","
    )
)
CITIES = "Ghent,Porto,Turin,Leeds,Lyon,Malmo,Bergen,Graz,Cork,Basel,Utrecht,Tartu,Split,Seville,Aarhus".split(",")
TAGS = tuple(
    "opengarden marathon pottery sourdough nightsky repaircafe bookfair harvest regatta woodwork streetart honey "
    "choir chess kites lanterns trams bridges orchards ferries markets typefaces murals tiles quilts skates saunas "
    "telescopes compost wildflowers canals puppets accordions fungi origami lighthouses dialects".split()
)
_SAID = (
    "We begin at {n}.", "Already {n} of us.", "Only {n} left.", "This took me {n} days.", "Number {n} in the series.",
    "{n} visitors so far.",
)  # fmt: skip


@cache
def _accounts(seed: int) -> tuple[dict[str, str | bool], ...]:
    """All accounts, the owners first."""
    rng, found = random.Random(seed), dict[str, dict[str, str | bool]]()
    for first, last in rng.sample([(first, last) for first in FIRST_NAMES for last in LAST_NAMES], 400):
        trade, word = rng.choice(TRADES).split(":")
        handle, city = f"@{first.lower()}{'._'[len(found) % 2]}{word}", rng.choice(CITIES)
        found[handle] = {
            "handle": handle, "name": f"{first} {last}", "trade": trade, "city": city, "verified": rng.random() < 0.2,
            "bio": f"{trade.capitalize()} from {city}.", "private": (len(found) % 3 == 0) != (len(found) < 24),
        }  # fmt: skip
        if len(found) == 180:
            break
    return tuple(found.values())


def owners(seed: int = SEED) -> tuple[str, ...]:
    """The handles of the 24 whom sessions serve."""
    return tuple(str(each["handle"]) for each in _accounts(seed)[:24])


def fill(db: Database, seed: int = SEED) -> None:
    """Write the rows; another seed makes other people."""
    rng = random.Random(seed)
    rows = [db.insert(Account, **each) for each in _accounts(seed)]
    follows = {row.handle: _relations(db, rng, row, rows, place < 24) for place, row in enumerate(rows)}
    followers = {row.handle: [each for each in rows if row.handle in follows[each.handle]] for row in rows}
    posts = [post for place, row in enumerate(rows) for post in _posts(db, rng, row, place)]
    for post in posts:
        fans = followers[post.author_handle]
        may_be_shown = post.audience == "public" and not db.get_one(Account, post.author_handle).private
        for row in rng.sample(fans, min(len(fans), rng.choice((0, 1, 2, 3, 5, 8, 11)))):
            db.insert(Reaction, post_id=post.post_id, kind="like", handle=row.handle)
            if (
                post.audience == "public"
                and not db.get_one(Account, post.author_handle).private
                and rng.random() < 0.15
            ):
                db.insert(Reaction, post_id=post.post_id, kind="repost", handle=row.handle)
        old = post.created_at < NOW - timedelta(days=2)
        for row in rng.sample(fans, min(len(fans), rng.choice((0, 1, 2)))) if old else ():
            after = post.created_at + timedelta(minutes=rng.randrange(9, 900))
            about = {"audience": post.audience, "created_at": after, "deleted": False}
            is_quote = may_be_shown and rng.random() < 0.25
            about |= {"quote_id" if is_quote else "reply_to_id": post.post_id}
            text = f"{rng.choice(_SAID).format(n=rng.randrange(3, 99))}{f' #{rng.choice(TAGS)}' if is_quote else ''}"
            db.add(Post, author_handle=row.handle, text=text, **about)
    for block in db.find(Relation, kind="block"):  # which has ended all else between the two
        for both in ((block.source, block.target), (block.target, block.source)):
            for relation in db.find(Relation, source=both[0], target=both[1]):
                if relation.kind != "block":
                    db.delete(relation)
    for relation in db.find(Relation, kind="request"):
        if db.get(Relation, relation.source, relation.target, "follow"):
            db.delete(relation)
    for row in rows[:24]:
        _messages(db, rng, row, rows)


def _relations(db: Database, rng: random.Random, me: Account, rows: Sequence[Account], is_owner: bool) -> set[str]:
    """Whom an account follows; the other relations of owners."""
    others = rng.sample([row for row in rows if row is not me], 40)
    kinds = {"follow": others[:14]}
    if is_owner:
        kinds |= {"mute": others[:2], "block": others[14:16]}
    for kind, targets in kinds.items():
        for row in targets:
            since = NOW - timedelta(minutes=rng.randrange(600, 400_000))
            db.insert(Relation, source=me.handle, target=row.handle, kind=kind, since=since)
    if is_owner:
        close, blocking, asking = others[:3], others[16:18], [others[3], *others[18:24]] if me.private else []
        for kind, sources in (("close", close), ("block", blocking), ("request", asking)):
            for row in sources:
                since = NOW - timedelta(minutes=rng.randrange(30, 9_000))
                db.insert(Relation, source=row.handle, target=me.handle, kind=kind, since=since)
    return {row.handle for row in others[:14]}


def _posts(db: Database, rng: random.Random, me: Account, place: int) -> list[Post]:
    """What an account has posted, with one hashtag each; some owners have posted as often today as they may."""
    today = {3: 20, 11: 20, 19: 20, 5: 19, 13: 19, 21: 19}.get(place, place % 2)
    made = []
    for number, tag in enumerate(rng.sample(TAGS, 4 + today)):
        back = rng.randrange(20, 900) if number < today else rng.randrange(1_000, 60_000)
        audience = rng.choice(("public", "public", "public", "followers", "followers", "close"))
        text = f"{rng.choice(_SAID).format(n=rng.randrange(3, 99))} #{tag}"
        about = {"audience": audience, "created_at": NOW - timedelta(minutes=back), "deleted": False}
        made.append(db.add(Post, author_handle=me.handle, text=text, **about))
    return made


def _messages(db: Database, rng: random.Random, me: Account, rows: Sequence[Account]) -> None:
    """Short conversations, of which the other side or the owner has written the last message."""
    blocked = {row.target for row in db.find(Relation, source=me.handle, kind="block")}
    others = [row for row in rows if row is not me and row.handle not in blocked]
    for number, row in enumerate(rng.sample(others, 10)):
        moment = NOW - timedelta(minutes=200 + 400 * number)
        for turn in range(rng.choice((1, 2, 3))):
            is_mine = (number + turn) % 2 == 0
            both = (me.handle, row.handle) if is_mine else (row.handle, me.handle)
            about = {"text": rng.choice(_SAID).format(n=rng.randrange(3, 99)), "unread": not is_mine and number < 4}
            sent_at = moment - timedelta(minutes=30 * turn)
            db.add(DirectMessage, sender_handle=both[0], receiver_handle=both[1], sent_at=sent_at, **about)


fill_unseen = partial(fill, seed=UNSEEN)
"""Other people and posts, in which tasks of dev and test play."""
