"""Users whom the agent knows already: the task without its authentication, and the profile that takes its place.

As in TARL's speech experiments (section 5), where the agent is given the profile. The domain says how a user is
identified (`Domain.profile`); nothing here knows how.
"""

from __future__ import annotations

from typing import Literal

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, Refusal
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.session import Session

Auth = Literal["spoken", "profile"]
"""The user says who they are, or the agent is given their profile."""


def authenticated(domain: Domain, task: Task) -> tuple[Task, Json]:
    """The task without the calls that identify its user, and the user's profile.

    Raises:
        BadInput: the domain has no profiles, or this task does not say who its user is.
    """
    look = domain.profile or (domain.identity.profile if domain.identity else None)
    if look is None:
        raise BadInput(f"The domain {domain.name} has no user profiles; run it with auth=spoken.")
    with Session(domain, task=task.model_copy(update={"tools": None})) as session:

        def call(name: str, **arguments: Json) -> Json:
            result = session.call(name, arguments)
            if result.error is not None:
                raise Refusal(result.error.code, result.error.message)
            return result.value

        try:
            profile = look(task, call)
        except Refusal as refusal:
            raise BadInput(f"The task {task.id} does not say who its user is: {refusal.message}") from refusal
        used = {record.name for record in session.log}
    if profile is None:
        raise BadInput(f"The task {task.id} does not say who its user is; run it with auth=spoken.")
    gold = tuple(step for step in task.gold if step.name not in used)
    return task.model_copy(update={"gold": gold}), profile
