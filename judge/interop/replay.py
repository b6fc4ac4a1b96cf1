"""A recorded episode as a trajectory: its task made one of ours, its calls executed again in a session of our world.

The messages stay as recorded, results included, for they are what the agent and the user saw; the session's log holds
what the same calls come to here, with our ids for what the conversation created, and `info.recorded` says where the
two differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from toolgym.judge.interop.belonging import Copies, require_one_record
from toolgym.judge.interop.criteria import basis_of, task_as_written
from toolgym.judge.interop.new_ids import NewIds
from toolgym.judge.interop.recorded import MALFORMED, Content, LeftOut, Recorded, Unreadable
from toolgym.sandbox.kit.domain import Dataset, Domain
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError, ToolgymError
from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.info import CallDifference, Info, RecordedEpisode
from toolgym.sandbox.runtime.registry import domain_of, get_domain
from toolgym.sandbox.runtime.session import RowChange, Session
from toolgym.sandbox.runtime.trajectory import Fault, Timing, Trajectory
from toolgym.sandbox.synthesis.proof.replay import gold_of

_SHOWN = 400
"""Characters kept of a result that differs."""


def choose_domain(content: Content, env: str | None) -> Domain:
    """The world of a file's episodes: as named, as the file says, or the one that has the tools that were called.

    Raises:
        BadInput: no installed domain fits, or several do.
    """
    named = env or content.domain
    if named is not None:
        return domain_of(named)
    called = {call.name for episode in content.episodes for m in episode.messages for call in m.tool_calls}
    called |= {action["name"] for e in content.episodes for action in e.task["evaluation_criteria"]["actions"] or ()}
    share = {domain.name: len(called & set(domain.tools)) for domain in _with_benchmark_data()}
    best = [name for name, count in share.items() if count and count == max(share.values())]
    if len(best) != 1:
        raise BadInput(
            f"The file does not say which domain it is about and its tools do not tell (they fit "
            f"{' and '.join(best) or 'none'}); name it with --env."
        )
    return get_domain(best[0])


def _with_benchmark_data() -> Iterator[Domain]:
    for name in registry.names("domains"):
        try:
            domain = get_domain(name)
        except ConfigurationError:
            continue  # a broken package of somebody else's is no reason not to import
        if "tau2" in domain.data:
            yield domain


class Importer:
    """Turns recorded episodes of one file into trajectories.

    Args:
        content: the file.
        domain: the world to execute the calls in.
        data: the body of data that the episodes were played on.
        fresh_tasks: score against the tasks installed here, not against those that the file holds.

    Attributes:
        opened: that body of data.

    Raises:
        BadInput: the benchmark's tasks are not those that are installed here.
    """

    def __init__(self, content: Content, domain: Domain, data: str, *, fresh_tasks: bool = False) -> None:
        self.content, self.domain, self.data, self.fresh_tasks = content, domain, data, fresh_tasks
        self.opened = domain.open_data(data)
        self._user_only = set(domain.user_tools) - set(domain.tools)
        self._copies = Copies()
        if fresh_tasks and content.source == "tau-bench":
            raise BadInput(
                "tau-bench and tau2-bench have other tasks under the same ids, so --fresh-tasks fits none here."
            )

    @property
    def version(self) -> str:
        """The version of the benchmark's data that the calls are executed on; empty for data of our own."""
        return self.opened.version

    def trajectories(self, track: Callable[[Sequence[Recorded]], Iterable[Recorded]] = iter) -> list[Trajectory]:
        """The file's episodes in its order; what cannot be played or has no honest score joins the unreadable ones.

        Of a trial that broke down and was played again, the one that came to its end is taken.

        Args:
            track: goes through the episodes, and may show how far it is.
        """
        found: dict[int, Trajectory] = {}
        order = {id(each): number for number, each in enumerate(self.content.episodes)}
        numbered_first = sorted(self.content.episodes, key=lambda each: (each.fault is not None, each.trial is None))
        for recorded in track(numbered_first):
            try:
                found[order[id(recorded)]] = self.trajectory(recorded)
            except Unreadable as problem:
                where = f"task {recorded.task['id']}, trial {recorded.trial}"
                self.content.unreadable.append((where, str(problem)))
                if isinstance(problem, LeftOut):
                    self.content.left_out[problem.kind] += 1
        return [found[number] for number in sorted(found)]

    def trajectory(self, recorded: Recorded) -> Trajectory:
        """One episode.

        Raises:
            Unreadable: its task cannot be played here; the text says why.
            LeftOut: its parts contradict one another, or it is another one's copy.
        """
        task = self._task(recorded)
        own = task_as_written(task)
        require_one_record(recorded, [recorded.task, *([own] if self.fresh_tasks else [])])
        trial = self._copies.trial(recorded)
        if self.fresh_tasks:
            recorded = replace(recorded, task=own, basis=basis_of(own))
        messages = self._with_ticket(recorded.messages, task) if recorded.solo else recorded.messages
        calls: tuple[CallRecord, ...] = ()
        diff: tuple[RowChange, ...] = ()
        differences: list[CallDifference] = []
        fault = Fault(boundary="user", message=recorded.fault) if recorded.fault else None
        if fault is None:
            with Session(self.domain, task=task) as session:
                try:
                    differences = _execute(messages, session)
                    calls, diff = tuple(session.log), tuple(session.diff())
                    self._require_same_data(recorded, calls)
                except InfrastructureError as error:
                    fault = Fault(boundary=error.boundary, message=error.message)
        return Trajectory(
            task=task,
            trial=trial,
            seed=recorded.seed,
            agent=self.content.agent,
            user=self.content.user,
            messages=messages,
            calls=calls,
            diff=diff,
            termination=recorded.termination if fault is None else "infrastructure_error",
            fault=fault,
            timing=Timing(total=recorded.seconds),
            info=_info(recorded, self.content, differences),
        )

    def _task(self, recorded: Recorded) -> Task:
        identifier = str(recorded.task["id"])
        if self.opened.convert is None or self.fresh_tasks:
            own = installed_task(self.opened, identifier)
            if own is None:
                raise Unreadable(f"{self.domain.name} ({self.data}) has no task {identifier!r}")
            return own
        try:
            task = self.opened.convert(recorded.task)
            gold_of(task)
        except ToolgymError as error:
            raise Unreadable(f"task {identifier} does not fit this world: {error}") from None
        except MALFORMED as error:
            raise Unreadable(f"task {identifier} is not of tau2-bench's form ({error!r})") from None
        return task

    def _with_ticket(self, messages: Sequence[Message], task: Task) -> tuple[Message, ...]:
        """A conversation of an agent that works alone: the ticket first, each call with whose tool set it means."""
        found = [Message(role="user", content=task.ticket or task.scenario)]
        for message in messages:
            calls = tuple(
                call.model_copy(update={"by": "user"}) if call.name in self._user_only else call
                for call in message.tool_calls
            )
            found.append(message.model_copy(update={"tool_calls": calls}))
        return tuple(found)

    def _require_same_data(self, recorded: Recorded, calls: Sequence[CallRecord]) -> None:
        """Refuse an episode of which nothing that could be done there can be done here: it met other data."""
        answers = [message.content or "" for message in recorded.messages if message.role == "tool"]
        done_there = [
            record
            for record, answer in zip(calls, answers, strict=True)
            if record.arguments and record.kind in ("read", "write") and not answer.startswith("Error")
        ]
        if done_there and not any(record.ok for record in done_there):
            raise Unreadable(
                f"none of its calls is possible in the data {self.data!r}; name what it was played on with --data"
            )


def installed_task(opened: Dataset, identifier: str) -> Task | None:
    """The task with this id, looked for first in the splits that the id names."""
    for split in sorted(opened.splits, key=lambda name: name not in identifier):
        found = _by_id(opened, split).get(identifier)
        if found is not None:
            return found
    return None


@lru_cache(maxsize=16)
def _by_id(opened: Dataset, split: str) -> Mapping[str, Task]:
    return {task.id: task for task in opened.tasks(split)}


def _info(recorded: Recorded, content: Content, differences: Sequence[CallDifference]) -> Info:
    told = RecordedEpisode(
        source=content.source,
        reward=recorded.reward,
        components=dict(recorded.components),
        basis=recorded.basis,
        ending=recorded.ending,
        trial=recorded.trial,
        task=dict(recorded.task),
        differences=tuple(differences),
    )
    return Info(solo=True, recorded=told) if recorded.solo else Info(recorded=told)


# --- executing ---


def _execute(messages: Iterable[Message], session: Session) -> list[CallDifference]:
    """Execute every call that has a recorded result; returns the calls whose outcome or value differs."""
    messages = list(messages)
    recorded = {message.tool_call_id: message.content or "" for message in messages if message.role == "tool"}
    differences: list[CallDifference] = []
    ids = NewIds(session)
    for message in messages:
        for call in message.tool_calls:
            text = recorded.get(call.id)
            if text is None:
                differences.append(
                    CallDifference(call=call.id, tool=call.name, kind="not run there", there="", here="")
                )
                continue
            result = session.call(call.name, ids.ours(call.arguments), by=call.by)
            kind = _difference(text, result, ids)
            if kind is not None:
                differences.append(
                    CallDifference(
                        call=call.id,
                        tool=call.name,
                        kind=kind,
                        write=session.log[-1].kind == "write",
                        there=text[:_SHOWN],
                        here=result.text[:_SHOWN],
                    )
                )
    return differences


def _difference(text: str, result: ToolResult, ids: NewIds) -> str | None:
    """How a call's outcome or value differs; new things' ids are learnt from it and are no difference."""
    refused_there = text.startswith("Error")
    if refused_there and not result.ok:
        return None
    if refused_there:
        return "refused there, done here"
    if not result.ok:
        return "done there, refused here"
    there, here = _read(text), _read(result.value)
    ids.learn(there, here)
    return None if _plain(there) == _plain(ids.theirs(here)) else "another result"


def _read(value: Json) -> Json:
    """JSON text as what it says."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _plain(value: Json) -> Json:
    """A result without what is a matter of form: keys that hold nothing, numbers as text, fractions of a cent."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{float(value):.2f}"
    if isinstance(value, str):
        try:
            return f"{float(value):.2f}"
        except ValueError:
            return value
    return "" if value is None else str(value)
