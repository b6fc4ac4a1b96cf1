"""Tasks of any world that declares goals: drawn from a seed, in cells of outcome and information, each one proven.

The same arguments give the same tasks. No person is in two splits.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Literal

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import OWN, Information, Interaction, Task
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.synthesis.assembly import DIFFICULTY, assembled
from toolgym.sandbox.synthesis.composition import (
    change_of_mind,
    hurried,
    may_depend,
    on_condition,
    on_its_condition,
    second_choice,
    several,
    taken_back,
    without_tool,
)
from toolgym.sandbox.synthesis.distinct import Distinct
from toolgym.sandbox.synthesis.edges import pair
from toolgym.sandbox.synthesis.information import information_of
from toolgym.sandbox.synthesis.knobs import OFF, Knobs, perturbed
from toolgym.sandbox.synthesis.mixture import VERSION_2, Family, Mixture
from toolgym.sandbox.synthesis.naming import Naming, choosing, mistaken
from toolgym.sandbox.synthesis.parallel import in_processes, on_cluster
from toolgym.sandbox.synthesis.pressure import REPLACED, pressed
from toolgym.sandbox.synthesis.proof.prove import prove
from toolgym.sandbox.synthesis.sampler import SAME, Sampler
from toolgym.sandbox.synthesis.second_choices import next_best
from toolgym.sandbox.synthesis.statistics import DEEP
from toolgym.sandbox.synthesis.threads import thread
from toolgym.sandbox.synthesis.trouble import TROUBLED, is_among, troubled
from toolgym.sandbox.synthesis.turns import turns_of, without_idle_sums
from toolgym.sandbox.synthesis.wish import Drawn, drawn

SHARES = {"train": (0.0, 0.72), "dev": (0.72, 0.84), "test": (0.84, 1.0)}
"""Which part of the shuffled people a split draws from."""
PEOPLE_OF = {"train-prove": "train", "hard": "test"}
"""Splits that play among another one's people."""
Engine = Literal["local", "ray"]
WISHES: dict[Family, Sequence[int]] = {"several": (2, 2, 3), "changes": (2, 3, 3), "thread": (3, 4, 4, 5)}
"""How many wishes tasks with several have; those of `changes` change something each."""
NAMINGS: dict[Family, Naming] = {"mistaken": mistaken, "choosing": choosing}
BEGINNINGS: tuple[Family, ...] = (*NAMINGS, "taken_back", "hurried")
"""Families of threads that begin in a way of their own."""
TAKEN_BACK_FIRST = 0.5
"""The share of wishes taken back that come first; the others come last, when the agent thinks that it knows the way."""
BY_PROGRAM: dict[Family, int] = {"granted": 75, "several": 25}
"""Those of a hundred tasks for programs, which answer once and choose nothing."""
USUAL = 2
"""Look-ups, one built on the other, by which a program's rows are described, where no depth is asked for."""
EDGES = 0.08
"""The share of places that hold pairs on both sides of a rule's edge."""
INFORMATION: tuple[Information, ...] = ("complete", "withheld", "described")
TRIES_WITH_A_PERSON = 3
"""Goals drawn before a person counts as having nothing of the wanted sort."""
TRIES, TRIES_IN_A_CELL, TRIES_IN_A_FAMILY, AIMED, AIMED_DEEP = 120, 400, 20, 40, 12
"""Draws for one task before the world, a rare cell of it, or the family that was drawn first counts as exhausted; and
before the wishes of a place may be put in another way, and less deep, than is aimed at: by one after so many draws, as
it comes after twice as many.
"""


@dataclass(frozen=True)
class Cell:
    """What drawn tasks are to be; what is left open comes in the usual shares.

    Attributes:
        depth: the least and the greatest depth.
        structure: the shape of the needed calls.
        information: how the user puts it.
        interaction: with a user, alone on a ticket, or by a program.
        family: of which family they are.
    """

    depth: tuple[int, int] | None = None
    structure: str | None = None
    information: Information | None = None
    interaction: Interaction = "dialogue"
    family: Family | None = None

    @property
    def name(self) -> str:
        """A short name for ids."""
        depth = "" if self.depth is None else "d" + "to".join(str(depth) for depth in dict.fromkeys(self.depth))
        alone = "" if self.interaction == "dialogue" else self.interaction
        parts = (depth, self.structure or "", self.information or "", self.family or "", alone)
        return "-".join(part for part in parts if part)

    def holds(self, task: Task) -> bool:
        """Whether a task is in this cell."""
        deep = self.depth is None or self.depth[0] <= task.depth <= self.depth[1]
        return deep and self.structure in (None, task.structure)


ANYTHING = Cell()
KEPT, NOTHING = "kept", "nothing found for this person"
"""What becomes of most draws."""
_Twofold = Callable[[Drawn, Drawn, random.Random], Drawn | None]


class Generator:
    """Draws a world's tasks.

    Args:
        domain: the world; it declares goals.
        seed: decides which tasks.
        split: whose people: train, dev or test.
        cell: what the tasks are to be.
        knobs: what makes them harder.
        data: `own`, or a later version, whose dev and test may play in rows of their own.
        mixture: which families there are, and how people put their wishes.

    Raises:
        BadInput: the world declares no goals, or there is no such split.
    """

    def __init__(
        self,
        domain: Domain,
        seed: int = 0,
        split: str = "train",
        cell: Cell = ANYTHING,
        knobs: Knobs = OFF,
        data: str = OWN,
        mixture: Mixture = VERSION_2,
    ) -> None:
        if not domain.goals:
            raise BadInput(f"The world {domain.name} declares no goals, so that no tasks can be drawn.")
        if split not in (*SHARES, *PEOPLE_OF):
            raise unknown("split to draw from", split, (*SHARES, *PEOPLE_OF))
        self._share = PEOPLE_OF.get(split, split)
        self.domain, self.seed, self.split, self.cell = domain, seed, split, cell
        self.knobs, self.data, self.rows = knobs, data, domain.open_data(data).rows_of(split)
        self.mixture = mixture
        self._arguments = (domain.name, seed, split, cell, knobs, data, mixture)
        self._samplers: dict[tuple[Json, datetime], Sampler] = {}
        self.outcomes: Counter[tuple[Family, str]] = Counter()
        """What became of the draws of this process, by family; pairs are not counted."""
        self._known: dict[Hashable, Any] = {}
        self._latest_pair: tuple[tuple[int, int], list[Task] | None] = ((-1, 0), None)

    @cached_property
    def people(self) -> Sequence[Json]:
        """The keys of the persons of this split; one None at a desk for anybody."""
        keys = list(self.domain.owner_keys(self.rows))
        if not keys:
            return [None]
        random.Random(f"{self.domain.name} splits").shuffle(keys)  # as for the published splits
        opened = self.domain.open_data(self.data)
        here = [share for split, share in SHARES.items() if opened.rows_of(split) == self.rows]
        first, size = here[0][0], here[-1][1] - here[0][0]
        low, high = (round((edge - first) / size * len(keys), 6) for edge in SHARES[self._share])
        return keys[int(low) : int(high)]

    def tasks(
        self, count: int, *, workers: int = 1, engine: Engine = "local", step: Callable[[], None] = lambda: None
    ) -> Iterator[Task]:
        """So many different tasks, the same ones wherever they are drawn; fewer when the world has no more.

        Args:
            count: how many.
            workers: processes of this machine that draw.
            engine: `ray` draws with all processors of a Ray cluster instead.
            step: called after each task, for a progress bar.
        """
        kept = Distinct()
        for index, first in enumerate(self._firsts(count, workers, engine)):
            fresh = first
            while fresh is not None and not kept.add(fresh[1]):
                fresh = self._drawn(index, fresh[0] + 1)
            if fresh is None:
                return
            step()
            yield fresh[1]

    def tried(self, draws: int) -> Iterator[Task]:
        """The different tasks that so many draws come to, one for each place: of a cell that a world may not have."""
        kept = Distinct()
        for index in range(draws):
            task = self._attempt(index, 0)
            if task is not None and kept.add(task):
                yield task

    def _firsts(self, count: int, workers: int, engine: Engine) -> Iterator[tuple[int, Task] | None]:
        """The first task of every place, whatever stands in the other places."""
        if engine == "ray":
            return on_cluster(partial(_drawer, self._arguments), count)
        if workers == 1:
            return (self._drawn(index) for index in range(count))
        _ = self.people  # read before the processes begin, which then need not read them
        return in_processes(partial(_drawer, self._arguments), count, workers)

    def _drawn(self, index: int, start: int = 0) -> tuple[int, Task] | None:
        """The first proven task of a place that is in the wanted cell, with its attempt's number."""
        tries = TRIES if self.cell.depth is None and self.cell.structure is None else TRIES_IN_A_CELL
        for attempt in range(start, start + tries):
            task = self._attempt(index, attempt)
            if task is not None:
                return attempt, task
        return None

    def _attempt(self, index: int, attempt: int) -> Task | None:
        """The task that one draw for a place comes to; None where it is not in the wanted cell, or not proven."""
        origin = ":".join(self._names)
        both = random.Random(f"{origin}:pair {index // 2}:{attempt}")
        is_open = "granted" in self.mixture.families and self.cell.family is None and self.cell.interaction != "program"
        if both.random() < EDGES * self._fitting and is_open:
            drawn_before, sides = self._latest_pair
            if drawn_before != (index // 2, attempt):
                sides = self._pair(both, index)
                self._latest_pair = ((index // 2, attempt), sides)
            return None if sides is None else sides[index % 2]
        # the same family again and again, so that rare ones have their share; another where there is none
        aim = self.cell.information or self.mixture.information_for(index, origin)
        aim = aim if attempt < AIMED or self.cell.information else None
        family = self._family(random.Random(f"{origin}:family {index}:{attempt // TRIES_IN_A_FAMILY}"), aim)
        is_deep = aim not in (None, "complete") and random.Random(f"{origin}:deep {index}").random() < self.mixture.deep
        least = max(0, DEEP - attempt // AIMED_DEEP) if is_deep and attempt < 2 * AIMED_DEEP else 0
        task = self._task(random.Random(f"{origin}:{index}:{attempt}"), f"{self._prefix}-{index:04d}", family, aim)
        task, cause = self._kept(task, aim, least if self.cell.depth is None else 0)
        self.outcomes[family, cause] += 1
        return task

    def _kept(self, task: Task | None, aim: Information | None, least: int) -> tuple[Task | None, str]:
        """A drawn task where it is kept, with what became of it."""
        if task is None:
            return None, NOTHING
        if self.mixture.hangs_together:
            task = without_idle_sums(task)
        measured = self._measured(task, aim)
        if measured is None:
            return None, "put in another way"
        if self.mixture.turns is not None and turns_of(measured) > self.mixture.turns:
            return None, "too long for an episode"
        if measured.depth < least:
            return None, "less deep"
        if not self.cell.holds(measured):
            return None, "of another shape"
        problems = prove(measured)
        return (None, re.sub(r"'[^']*'|\d+", "_", problems[0])) if problems else (measured, KEPT)

    @property
    def _fitting(self) -> float:
        """The share of tasks for which a tool of this world fits."""
        return 0.0 if self.cell.depth == (0, 0) else max(0.0, 1 - self.knobs.irrelevant - self.knobs.hidden_tools)

    def _measured(self, task: Task, aim: Information | None) -> Task | None:
        """The task with the way in which its wishes are put; None where another way is wanted."""
        if self.mixture.information is None or task.interaction == "program":
            return task
        found = information_of(task)
        if aim not in (None, found):
            return None
        return task.model_copy(update={"information": found, "difficulty": DIFFICULTY[found]})

    def _right(self, task: Task) -> bool:
        return self._kept(task, None, 0)[1] == KEPT

    def _pair(self, rng: random.Random, index: int) -> list[Task] | None:
        """The two tasks of a pair of places, on both sides of a rule's edge and in the same words."""
        goal = rng.choice([goal for goal in self.domain.goals if goal.against is None])
        usual: Information = rng.choice(INFORMATION)
        aim = self.mixture.information_for(index // 2 * 2, ":".join(self._names))
        information = self.cell.information or aim or usual
        sampler = self._sampler(rng.choice(self.people), rng.choice((self.domain.now, *self.domain.clocks)))
        rules = [rule for rule in sampler.rules if rule.applies(goal.tool) and rule.remedy is None]
        sides = pair(sampler, goal, rng.choice(rules), rng, information) if rules else None
        if sides is None:
            return None
        seed, tasks = rng.random(), []
        for side, drawn_wish in enumerate(sides):
            identifier, again = f"{self._prefix}-{index // 2 * 2 + side:04d}", random.Random(seed)
            family: Family = "forbidden" if side else "granted"
            task = assembled(
                sampler, [drawn_wish], again, identifier, self.split, information, family, self.cell.interaction
            )
            rule = sides[1].broken
            assert rule is not None
            named = task.model_copy(update={"metadata": {"pair": f"{self._prefix}-{index // 2}", "rule": rule.name}})
            measured = self._measured(named, self.cell.information or aim)
            if measured is None:
                return None
            tasks.append(perturbed(self.domain, measured, again, self.knobs))
        return tasks if all(map(self._right, tasks)) else None

    def _task(self, rng: random.Random, identifier: str, family: Family, aim: Information | None) -> Task | None:
        deep = self.cell.depth is not None and self.cell.depth[0] > 1
        open_to = ("complete", "described") if self.cell.interaction == "program" else INFORMATION
        usual: Information = "described" if deep else rng.choice(open_to)
        information = aim or usual
        sampler = self._sampler(rng.choice(self.people), rng.choice((self.domain.now, *self.domain.clocks)))
        wishes = self._wishes(sampler, family, rng, information)
        if wishes is None:
            return None
        task = assembled(sampler, wishes, rng, identifier, self.split, information, family, self.cell.interaction)
        if family == "hidden_tool":
            return task.model_copy(
                update={"tools": tuple(name for name in self.domain.tools if name != wishes[0].needs)}
            )
        return task if family == "irrelevant" else perturbed(self.domain, task, rng, self.knobs)

    def _family(self, rng: random.Random, aim: Information | None) -> Family:
        if self.cell.family is not None:
            return self.cell.family
        if self.cell.depth == (0, 0):  # where no tool fits
            return rng.choice(("irrelevant", "hidden_tool"))
        chance = rng.random()
        if chance < self.knobs.irrelevant:
            return "irrelevant"
        if chance < self.knobs.irrelevant + self.knobs.hidden_tools:
            return "hidden_tool"
        if self.cell.interaction == "program":
            return rng.choices(list(BY_PROGRAM), list(BY_PROGRAM.values()))[0]
        if self.domain.troubles and rng.random() < TROUBLED:
            return "trouble"
        if rng.random() < self.knobs.changes:
            return "changes"
        families = dict(self.mixture.families)
        if aim == "complete":
            families.pop("choosing", None)  # who leaves it to a rule does not say all
        return rng.choices(list(families), list(families.values()))[0]

    @property
    def _names(self) -> list[str]:
        """World, version (of the first none), split and seed."""
        return [self.domain.name, *([] if self.data == OWN else [self.data]), self.split, str(self.seed)]

    @property
    def _prefix(self) -> str:
        return "-".join((*self._names, *filter(None, (self.cell.name,))))

    def _wishes(
        self, sampler: Sampler, family: Family, rng: random.Random, information: Information
    ) -> list[Drawn] | None:
        """The wishes of one task; None when this person has none of this family."""
        granted, forbidden = partial(self._granted, rng, information), partial(self._forbidden, rng, information)
        if family == "irrelevant":
            return self._irrelevant(rng)
        if family == "condition" and not may_depend(sampler):
            return None  # before a wish is drawn for nothing
        if family == "trouble":
            return troubled(sampler, rng, partial(is_among, *SHARES[self._share]))
        if family == "hidden_tool":
            wanted = granted(sampler)
            return None if wanted is None else [without_tool(wanted)]
        writing = partial(self._granted, rng, information, wanted=_changes)
        if family == "thread" or (family == "changes" and self.mixture.hangs_together):
            drawing = granted if family == "thread" else writing
            following = [goal for goal in self._ways_on if family == "thread" or _changes(goal)]
            return thread(sampler, drawing, following, rng.choice(WISHES[family]), rng, information)
        if family in BEGINNINGS:
            return self._begun(sampler, family, rng, information)
        if family in WISHES:
            return several(sampler, [granted if family == "several" else writing] * rng.choice(WISHES[family]), rng)
        if family == "pressure":
            return self._pressed(sampler, rng, information)
        if family == "second_choice" and self.mixture.hangs_together:
            refused = forbidden(sampler)
            both = None if refused is None else self._next_best(sampler, refused, rng, information)
            return None if both is None else [both]
        draws = {"granted": granted, "forbidden": forbidden, "second_choice": forbidden}
        found = draws.get(family, writing)(sampler)
        ways: dict[Family, _Twofold] = {"second_choice": second_choice, "change_of_mind": change_of_mind}
        twofold = ways.get(family)
        if found is None or (twofold and found.wish.outcome == "transferred"):
            return None
        if twofold is not None:
            others = (writing(sampler) for _ in range(TRIES_WITH_A_PERSON))
            return next(([both] for other in others if other and (both := twofold(found, other, rng))), None)
        if family == "condition":
            own = self.mixture.hangs_together
            found = on_its_condition(sampler, found, rng) if own else on_condition(sampler, found, rng, information)
        return None if found is None else [found]

    def _begun(
        self, sampler: Sampler, family: Family, rng: random.Random, information: Information
    ) -> list[Drawn] | None:
        """A thread that begins in a way of its own, or ends with a wish that is taken back."""
        count, goals = rng.choice(WISHES["thread"]), self._ways_on
        writing = partial(self._granted, rng, information, wanted=_changes)
        if family != "taken_back" or rng.random() < TAKEN_BACK_FIRST:
            if family in NAMINGS:
                begun = self._granted(rng, information, sampler, naming=NAMINGS[family])
            else:
                begun = (hurried if family == "hurried" else taken_back)(writing(sampler), rng)
            if begun is None:
                return None
            goals = [goal for goal in goals if family != "taken_back" or goal.tool.name != begun.needs]
            return thread(sampler, lambda _: begun, goals, count, rng, information) or [begun]
        wishes = thread(sampler, writing, goals, count, rng, information)
        last = taken_back(wishes[-1], rng) if wishes else None
        return [*wishes[:-1], last] if wishes and last else None

    @property
    def _ways_on(self) -> list[Goal]:
        """What may follow in a thread."""
        return [goal for goal in self.domain.goals if goal.against is None and not goal.tool.ends_episode]

    def _next_best(
        self, sampler: Sampler, refused: Drawn, rng: random.Random, information: Information
    ) -> Drawn | None:
        goals = [goal for goal in self.domain.goals if goal.against is None and _changes(goal)]
        return next_best(sampler, refused, goals, rng, information)

    def _pressed(self, sampler: Sampler, rng: random.Random, information: Information) -> list[Drawn] | None:
        """A forbidden wish that is asked for again, and dropped or replaced in the end."""
        refused = self._forbidden(rng, information, sampler)
        if refused is None:
            return None
        goal = next(goal for goal in self.domain.goals if goal.name == refused.wish.kind)
        instead = self._next_best(sampler, refused, rng, information) if rng.random() < REPLACED else None
        again = pressed(sampler, refused, goal, rng, instead)
        return None if again is None else [again]

    def _granted(
        self,
        rng: random.Random,
        information: Information,
        sampler: Sampler,
        *,
        wanted: Callable[[Goal], bool] = lambda goal: True,
        naming: Naming | None = None,
    ) -> Drawn | None:
        goals = [goal for goal in self.domain.goals if goal.against is None and wanted(goal)]
        found = (drawn(sampler, goal, rng, information, naming=naming) for goal in _some_of(goals, rng))
        return next(filter(None, found), None)

    def _forbidden(self, rng: random.Random, information: Information, sampler: Sampler) -> Drawn | None:
        """A wish that breaks a rule; all rules are as frequent as can be."""
        rules = [rule for rule in sampler.rules if rule.remedy is None]
        if not rules:
            return None
        rule = rng.choice(rules)
        goals = [goal for goal in self.domain.goals if rule.applies(goal.tool) and goal.against in (None, rule)]
        goals = [goal for goal in goals if goal.against is rule] or goals
        found = (drawn(sampler, goal, rng, information, breaking=rule) for goal in _some_of(goals, rng))
        return next(filter(None, found), None)

    def _irrelevant(self, rng: random.Random) -> list[Drawn] | None:
        """A wish of another world, which no tool of this one can grant."""
        if not self._others:
            return None
        other = rng.choice(self._others)
        sampler = other._sampler(rng.choice(other.people), other.domain.now)
        found = other._granted(rng, "complete", sampler, wanted=self._is_foreign)
        return None if found is None else [without_tool(found)]

    @cached_property
    def _others(self) -> Sequence[Generator]:
        """The generators of the other installed worlds whose tasks are drawn."""
        worlds = [get_domain(name) for name in names("domains") if name != self.domain.name]
        return [Generator(world, self.seed, self.split, mixture=self.mixture) for world in worlds if world.goals]

    def _is_foreign(self, goal: Goal) -> bool:
        """Whether a goal of another world is none that could be meant here, such as to speak to a human."""
        return goal.tool.name not in self.domain.tools and not goal.tool.ends_episode

    def _sampler(self, owner: Json, now: datetime) -> Sampler:
        if (owner, now) not in self._samplers:
            deep = self.cell.depth is not None and self.cell.depth[0] > 2
            wanted = max(1, self.cell.depth[1] - 1) if self.cell.depth else USUAL
            looks = wanted if self.cell.interaction == "program" else None
            self._samplers[owner, now] = Sampler(
                self.domain,
                owner,
                now,
                self.rows,
                same=1.0 if deep else SAME,
                known=self._known,
                deep=looks,
                split=self._share,
                by_name=self.mixture.hangs_together,
                label=self._prefix if self.mixture.hangs_together else "",
            )
        return self._samplers[owner, now]


def _changes(goal: Goal) -> bool:
    return goal.tool.kind == "write"


def _some_of(goals: Sequence[Goal], rng: random.Random) -> Iterable[Goal]:
    """Goals by their shares, each once, to be tried with one person before another person is."""
    return dict.fromkeys(rng.choices(goals, [goal.share for goal in goals], k=TRIES_WITH_A_PERSON) if goals else ())


def _drawer(arguments: tuple[str, int, str, Cell, Knobs, str, Mixture]) -> Callable[[int], tuple[int, Task] | None]:
    """What draws places in another process."""
    name, *rest = arguments
    return Generator(get_domain(name), *rest)._drawn  # type: ignore[arg-type]  # as `_arguments` has them


def dev_tasks(domain: Domain, count: int) -> Sequence[Task]:
    """Stored dev tasks of a world's newest data; drawn ones where it stores none."""
    if domain.open_data(domain.newest_data).splits:
        return domain.tasks("dev")[:count]
    return list(Generator(domain, seed=0, split="dev").tasks(count))
