"""The telecom world's own tasks: faults composed on a customer's phone and line, and wishes about the account.

Fact names: name, phone_number and date_of_birth (identity), location, data_amount (what data the user would buy),
reason. The end state decides: repairs by assertions (the phone works, the account is as a right run leaves it), all
others by the changed rows. `metadata.faults` names a repair's faults: their number is the depth of the diagnosis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from domains.telecom.faults import Area, agent_call, difficulty_of, most_faults
from domains.telecom.goals import FAMILIES, CustomerSampler, Matter, repair
from domains.telecom.seed import fill, people
from domains.telecom.world import summary
from sandbox.kit.errors import BadInput
from sandbox.kit.message import Json, ToolCall
from sandbox.kit.task import Assertion, Fact, Task
from sandbox.runtime.session import Session
from sandbox.synthesis.goal_builder import GoalDraft
from sandbox.synthesis.task_generator import Family, Record, TaskGenerator, once, one

PERSONAS = ("terse", "chatty", "polite", "impatient")


def _customers() -> list[Record]:
    return [{"user_id": person.customer_id, "person": person} for person in people()]


def _assemble(sampler: CustomerSampler, wishes: Sequence[GoalDraft], family: str, identifier: str, split: str) -> Task:
    matter, person, line = cast(Matter, wishes[0]), sampler.victim.person, sampler.victim.line
    late = sampler.difficulty != "simple"
    holder: dict[str, Json] = {"name": person.full_name, "phone_number": line.phone_number}
    return Task(
        id=identifier,
        domain="telecom",
        split=split,
        family=family,
        difficulty=sampler.difficulty,
        scenario=matter.want + (" You say who you are only when you are asked." if late else ""),
        persona=sampler.rng.choice(PERSONAS),
        facts=(
            *(Fact(name=name, value=value, on_request=late) for name, value in holder.items()),
            Fact(name="date_of_birth", value=person.date_of_birth, on_request=True),
        ),
        goals=(matter.goal,),
        setup=(ToolCall(name="set_user_info", arguments=holder), *matter.setup),
        gold=once(
            (
                agent_call("get_customer_by_phone", phone_number=line.phone_number),
                agent_call("get_details_by_id", id=line.line_id),
                *matter.gold,
            )
        ),
        communicate=matter.goal.final.must_communicate,
        assertions=matter.assertions,
        ticket=matter.ticket,
        seed=sampler.rng.getrandbits(31),
        metadata={"faults": list(matter.faults)} if matter.faults else {},
    )


def _with_account(task: Task, session: Session) -> Task:
    """A repair with the account's state after its gold calls, which have been made in `session`."""
    if not task.assertions:
        return task

    def details(identifier: str) -> Json:
        return session.call("get_details_by_id", {"id": identifier}).value

    number = next(fact.value for fact in task.facts if fact.name == "phone_number")
    customer = session.call("get_customer_by_phone", {"phone_number": number}).value
    account = summary(
        [details(line_id) for line_id in customer["line_ids"]], [details(bill_id) for bill_id in customer["bill_ids"]]
    )
    whole = Assertion(name="assert_account", arguments={"customer_id": customer["customer_id"], "expected": account})
    return task.model_copy(update={"assertions": (*task.assertions, whole)})


def _generator(families: Mapping[str, Family[CustomerSampler]]) -> TaskGenerator[CustomerSampler]:
    return TaskGenerator(
        domain="telecom",
        fill=fill,
        families=families,
        customers=_customers,
        sampler=CustomerSampler,
        assemble=_assemble,
        published=Path(__file__).with_name("splits") / "v1",
        finish=_with_account,
    )


own = _generator(FAMILIES).data


def repairs(area: Area, faults: int, *, count: int, seed: int = 1, split: str = "train") -> list[Task]:
    """Tasks with exactly so many faults: the depth of the diagnosis as a knob.

    Args:
        area: `service`, `data` or `mms`.
        faults: how many faults each task has.
        count: how many tasks.
        seed: decides which.
        split: whose customers.

    Raises:
        BadInput: a complaint of this area cannot have so many faults, or the customers hold no more tasks.
    """
    if not 1 <= faults <= most_faults(area):
        raise BadInput(f"A complaint about {area} has 1 to {most_faults(area)} faults; got {faults}.")
    shares = {"simple": (1, 0, 0), "standard": (0, 1, 0), "hard": (0, 0, 1)}[difficulty_of(faults)]

    def draw(sampler: CustomerSampler) -> Matter:
        return repair(sampler, area, faults)

    family: Family[CustomerSampler] = Family(one(draw), shares)
    return _generator({area: family}).generate(seed, count, split)
