"""The telecom world's own tasks: faults composed on a customer's phone and line, and wishes about the account.

Fact names: name, phone_number and date_of_birth (identity), location, data_amount (what data the user would buy),
reason. The end state decides: repairs by assertions (the phone works, the account is as a right run leaves it), all
others by the changed rows. `metadata.faults` names a repair's faults: their number is the depth of the diagnosis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from domains.drawing import Drawing, Record, once
from domains.telecom.cases import FAMILIES, Case, Matter
from domains.telecom.faults import agent_call
from domains.telecom.seed import fill, people
from domains.telecom.world import summary
from domains.wishes import Wish
from sandbox.message import Json, ToolCall
from sandbox.session import Session
from sandbox.task import Assertion, Fact, Task

PERSONAS = ("terse", "chatty", "polite", "impatient")


def _customers() -> list[Record]:
    return [{"user_id": person.customer_id, "person": person} for person in people()]


def _assemble(case: Case, wishes: Sequence[Wish], family: str, identifier: str, split: str) -> Task:
    matter, person, line = cast(Matter, wishes[0]), case.victim.person, case.victim.line
    late = case.difficulty != "simple"
    holder: dict[str, Json] = {"name": person.full_name, "phone_number": line.phone_number}
    return Task(
        id=identifier,
        domain="telecom",
        split=split,
        family=family,
        difficulty=case.difficulty,
        scenario=matter.want + (" You say who you are only when you are asked." if late else ""),
        persona=case.rng.choice(PERSONAS),
        facts=(
            *(Fact(name=name, value=value, withheld=late) for name, value in holder.items()),
            Fact(name="date_of_birth", value=person.date_of_birth, withheld=True),
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
        communicate=matter.goal.final.tell,
        assertions=matter.assertions,
        ticket=matter.ticket,
        seed=case.rng.getrandbits(31),
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


own = Drawing(
    domain="telecom",
    fill=fill,
    families=FAMILIES,
    customers=_customers,
    case=Case,
    assemble=_assemble,
    finish=_with_account,
).data
