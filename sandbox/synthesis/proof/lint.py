"""The task lint: proves for any domain that every task can be solved, and that nothing but solving it passes.

Each check is played, not guessed: gold calls run in real sessions, an idle agent passes when the verifier would say so.
docs/tasks.md lists the proofs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sandbox.kit.domain import Domain
from sandbox.kit.errors import InfrastructureError
from sandbox.kit.task import Fact, Goal, Task
from sandbox.language.text_match import mentions
from sandbox.runtime.registry import get_domain
from sandbox.runtime.session import RowChange, Session
from sandbox.synthesis.proof.end_state import same_diff
from sandbox.synthesis.proof.facts import untrue_facts
from sandbox.synthesis.proof.idle import passes_idle
from sandbox.synthesis.proof.reachability import Step, depth, structure, trace
from sandbox.synthesis.proof.replay import gold_of, hands_over
from sandbox.users.user_facts import fact_in_words


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a task, in a sentence."""

    task: str
    text: str

    def __str__(self) -> str:
        return f"{self.task}: {self.text}"


@dataclass
class Report:
    """What the lint found.

    Attributes:
        problems: in the tasks' order.
        counts: tasks by family and difficulty.
        writes: tasks by family whose gold calls change something.
        idle: ids of the tasks that an agent which looks nothing up passes.
    """

    problems: list[Problem] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    writes: Counter[str] = field(default_factory=Counter)
    idle: list[str] = field(default_factory=list)


def lint(tasks: Iterable[Task], step: Callable[[], None] = lambda: None) -> Report:
    """Check tasks, each by itself and all together.

    Args:
        tasks: of any domains and splits.
        step: called after each task, for a progress bar.
    """
    report = Report()
    ids: set[str] = set()
    wishes: dict[tuple[str, str], str] = {}
    for task in tasks:
        if task.id in ids:
            report.problems.append(Problem(task.id, "another task has the same id."))
        ids.add(task.id)
        twin = wishes.setdefault((task.split, _content(task)), task.id)
        if twin != task.id:
            report.problems.append(Problem(task.id, f"has the same facts and goals as {twin}."))
        idle = passes_idle(task)
        report.problems += [Problem(task.id, text) for text in problems_of(task, idle=idle)]
        report.counts[task.family, task.difficulty] += 1
        report.writes[task.family] += bool(gold_of(task).diff)
        if idle:
            report.idle.append(task.id)
        step()
    return report


def problems_of(task: Task, *, idle: bool | None = None) -> list[str]:
    """What is wrong with one task, as sentences; empty when it is sound.

    Args:
        task: the task.
        idle: whether `passes_idle`, where that is known already.
    """
    domain = get_domain(task.domain)
    try:
        with Session(domain, task=task) as session:
            steps = trace(task, session)
            refused = [record for record in session.log if not record.ok]
    except InfrastructureError as error:
        return [f"its world cannot be prepared or played: {error.message}"]
    found = [f"the gold call {record.name} is refused: {record.message}" for record in refused]
    found += _unreachable(steps)
    found += _shape(task, steps)
    found += _changes(task, domain)
    found += _outcomes(task)
    found += _assertions(task, domain)
    found += _words(task)
    found += untrue_facts(task, domain)
    if not (task.assertions or task.communicate or gold_of(task).diff or hands_over(task)):
        found.append("nothing has to be written, said or handed over, so an agent that does nothing passes.")
    elif passes_idle(task) if idle is None else idle:
        found.append("an agent that looks nothing up passes.")
    return found


# --- the checks, each a list of sentences ---


def _unreachable(steps: Sequence[Step]) -> list[str]:
    return [
        f"the gold call {step.call.name} uses {value!r}, which neither the user says nor an earlier call returns."
        for step in steps
        for value in step.missing
    ]


def _shape(task: Task, steps: Sequence[Step]) -> list[str]:
    longest, shape = depth(steps), structure(steps)
    found = []
    if task.depth != longest:
        found.append(f"its depth is given as {task.depth}, but its longest chain of calls has {longest}.")
    if task.structure != shape:
        found.append(f"its structure is given as {task.structure!r}, but its calls are {shape!r}.")
    return found


def _changes(task: Task, domain: Domain) -> list[str]:
    """Whether the gold calls change exactly what the goals say."""
    goals = [goal.final for goal in task.goals]
    if task.assertions or not goals:
        return []
    try:
        wished = _wished(task, domain, goals)
    except ValueError as refusal:
        return [str(refusal)]
    gold = gold_of(task)
    if not same_diff(wished, gold.diff, gold.new_ids):
        tables = sorted({row.table for row in (*wished, *gold.diff)})
        return [f"its gold calls do not change what its goals say; look at {', '.join(tables)}."]
    return []


def _wished(task: Task, domain: Domain, goals: Sequence[Goal]) -> list[RowChange]:
    """The rows that the goals' calls change."""
    with Session(domain, task=task) as session:
        for goal in goals:
            for call in goal.calls:
                result = session.call(call.name, call.arguments, by=call.by)
                if not result.ok:
                    raise ValueError(f"the call {call.name} of goal {goal.utterance!r} is refused: {result.text}")
        return session.diff()


def _outcomes(task: Task) -> list[str]:
    """Whether each goal's calls and texts fit its outcome."""
    found = []
    for goal in (goal.final for goal in task.goals):
        if goal.outcome == "done" and not goal.calls and not task.assertions:
            found.append(f"the goal {goal.utterance!r} is to be done, but has no calls.")
        if goal.outcome != "done" and goal.calls:
            found.append(f"the goal {goal.utterance!r} is to be {goal.outcome}, but has calls that write.")
        if goal.outcome in {"answered", "refused"} and not goal.must_communicate:
            found.append(f"the goal {goal.utterance!r} is to be {goal.outcome}, but nothing has to be said.")
        if goal.outcome == "transferred" and not hands_over(task):
            found.append("a human has to take over, but no gold call hands the conversation over.")
    told = {text for goal in task.goals for text in goal.final.must_communicate}
    if task.goals and told != set(task.communicate):
        odd = sorted(told ^ set(task.communicate))
        found.append(f"its goals and its communicate texts differ: {', '.join(map(repr, odd))}.")
    return found


def _assertions(task: Task, domain: Domain) -> list[str]:
    if not task.assertions:
        return []
    with Session(domain, task=task) as session:
        if all(session.holds(assertion) for assertion in task.assertions):
            return ["its assertions hold before anything is done, so an agent that does nothing passes."]
        for call in task.gold:
            session.call(call.name, call.arguments, by=call.by)
        failed = [assertion.name for assertion in task.assertions if not session.holds(assertion)]
    return [f"after the gold calls the assertion {name} does not hold." for name in failed]


def _words(task: Task) -> list[str]:
    """Whether what the user says gives away a withheld fact or what the agent has to find out."""
    found = []
    if not task.scenario.strip():
        found.append("it has no scenario, so neither a language model nor a person can play its user.")
    for goal, facts in _told_apart(task):
        found += [
            f"the wish {goal.utterance!r} tells {fact.name}, which is withheld."
            for fact in facts
            if fact.on_request and _gives_away(fact, goal.utterance)
        ]
    speech = "\n".join(_user_speech(task))
    for goal in (goal.final for goal in task.goals):
        if goal.must_communicate and all(mentions(text, speech) for text in goal.must_communicate):
            found.append(
                f"the user says already what must be communicated: {', '.join(map(repr, goal.must_communicate))}."
            )
    return found


def _user_speech(task: Task) -> Iterator[str]:
    for goal, facts in _told_apart(task):
        yield goal.utterance
        yield from (fact_in_words(fact.value) for fact in facts)


def _told_apart(task: Task) -> Iterator[tuple[Goal, tuple[Fact, ...]]]:
    """Every goal, replacements included, with the facts that its words must not give away."""
    for goal in task.every_goal():
        yield goal, (*task.facts, *goal.facts)


def _gives_away(fact: Fact, text: str) -> bool:
    value = fact.value.get("address1") if isinstance(fact.value, dict) else fact.value
    return isinstance(value, str) and len(value) > 1 and mentions(value, text)


def _content(task: Task) -> str:
    """What makes two tasks the same."""
    facts = [fact.model_dump_json(exclude={"on_request"}) for fact in task.facts]
    facts += [call.model_dump_json() for call in task.setup]
    return "\n".join(
        [task.domain, task.data, *facts, *(goal.model_dump_json(exclude={"utterance"}) for goal in task.goals)]
    )
