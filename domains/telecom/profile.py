"""Looks up who a telecom task's customer is, for agents that are told so beforehand."""

from collections.abc import Callable

from toolgym.sandbox.kit.world import Json, Task


def profile(task: Task, call: Callable[..., Json]) -> Json:
    """The customer's details and the number of the phone in hand; None where the task does not say the number."""
    number = next((fact.value for fact in task.facts if fact.name == "phone_number"), None)
    if number is None:
        return None
    return {"calling_from": number, **call("get_customer_by_phone", phone_number=number)}
