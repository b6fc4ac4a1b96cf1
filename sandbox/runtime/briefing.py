"""What an agent is told before an episode."""

from __future__ import annotations

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Consent, with_consent
from toolgym.sandbox.runtime.distractors import with_distractors
from toolgym.sandbox.runtime.roles import Briefing


def briefing(
    domain: Domain,
    task: Task,
    *,
    seed: int = 0,
    privileged: bool = False,
    solo: bool = False,
    program: bool = False,
    consent: Consent = "words",
) -> Briefing:
    """What an agent is told before an episode of `task`; alone or by a program it holds the user's tools as well."""
    solo, version = solo or program, domain.version(task.data, task)
    tools = with_distractors(domain, task).offered(task).to_openai() + (domain.user_tools.to_openai() if solo else [])
    return Briefing(
        domain=domain.name,
        policy=with_consent(domain.policy_for(task.data, solo=solo, version=version), consent),
        tools=tools,
        seed=seed,
        task=task if privileged else None,
        ticket=(task.ticket or task.scenario) if solo else None,
        program=program,
        version=version,
    )
