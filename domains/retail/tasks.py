"""The retail world's own tasks: any number, drawn from a seed, in families and difficulties, with their gold calls.

Facts of a task (who the user is): `first_name`, `last_name`, and `email` or `zip`. Facts of a goal: `order_id`, or
`order` (what a customer without the number knows it by); `items` and `new_items` (lists of {name, options, item_id,
product_id}); `reason`; `payment` (in words); `address` (the six fields); `question`; `matter` (for a human).

Difficulty follows TARL's three forms of an instruction (section 4 and appendix A): simple (one wish, everything stated
at once, with the order number), standard (the number and some facts are told when asked), hard (no number is known,
orders are described; often several wishes, conditions and changes of mind). docs/tasks.md describes the families.
"""

from __future__ import annotations

from pathlib import Path

from domains.retail import compositions, forbidden, goals, questions
from domains.retail.customer_sampler import CustomerSampler, Record, world
from domains.retail.seed import fill
from domains.retail.wording import WITHHELD
from sandbox.kit.task import Fact
from sandbox.synthesis.goal_builder import call
from sandbox.synthesis.task_generator import Family, Identity, TaskBuilder, TaskGenerator, UserStyle, one

FAMILIES: dict[str, Family[CustomerSampler]] = {
    "cancel": Family(one(goals.cancel), (3, 2, 2)),
    "return": Family(one(goals.send_back), (3, 2, 3)),
    "exchange": Family(one(goals.exchange), (3, 3, 3)),
    "modify_items": Family(one(goals.modify_items), (3, 3, 3)),
    "modify_payment": Family(one(goals.modify_payment), (2, 2, 1)),
    "modify_address": Family(one(goals.modify_address), (2, 2, 1)),
    "profile": Family(one(goals.move_house), (1, 2, 1)),
    "information": Family(one(questions.ask), (5, 4, 4)),
    "forbidden": Family(one(forbidden.forbidden), (5, 4, 4)),
    "human": Family(one(forbidden.human), (2, 1, 1)),
    "conditional": Family(one(compositions.conditional), (0, 4, 5)),
    "change_of_mind": Family(one(compositions.change_of_mind), (0, 2, 4)),
    "several": Family(compositions.several, (0, 4, 5)),
}


def _customers() -> list[Record]:
    return [user for user in world().users.values() if user["orders"]]


def _identity(sampler: CustomerSampler) -> Identity:
    """Known by e-mail, or by name and zip code."""
    user, late = sampler.user, sampler.difficulty != "simple"
    first, last = user["name"]["first_name"], user["name"]["last_name"]
    facts = [Fact(name="first_name", value=first, on_request=late), Fact(name="last_name", value=last, on_request=late)]
    if sampler.rng.random() < 0.5:
        facts.append(Fact(name="email", value=user["email"], on_request=late))
        known = f"You are {first} {last}; your e-mail address is {user['email']}."
        return Identity(tuple(facts), known, call("find_user_id_by_email", email=user["email"]))
    code = user["address"]["zip"]
    facts.append(Fact(name="zip", value=code, on_request=late))
    known = f"You are {first} {last}; your zip code is {code}. You do not remember your e-mail address."
    return Identity(tuple(facts), known, call("find_user_id_by_name_zip", first_name=first, last_name=last, zip=code))


USER_STYLE = UserStyle(
    thing="order",
    lost="You have no order number at hand; the agent has to find the order in your account.",
    withheld=WITHHELD,
)
BUILDER = TaskBuilder("retail", _identity, USER_STYLE)
PUBLISHED = Path(__file__).with_name("splits") / "v1"
GENERATOR = TaskGenerator("retail", fill, FAMILIES, _customers, CustomerSampler, BUILDER.task, PUBLISHED)
own = GENERATOR.data
