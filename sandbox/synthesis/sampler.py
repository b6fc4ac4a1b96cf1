"""Live sampling: arguments drawn from one person's rows in a world at a moment.

Every value comes from the running world: which wishes can be granted and which break exactly one rule is found by the
rules' own predicates, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.synthesis.arguments import Arguments, drawn_names, is_whole
from toolgym.sandbox.synthesis.scene import SAME as SAME
from toolgym.sandbox.synthesis.scene import Scene
from toolgym.sandbox.synthesis.search import Drawing, Search, at_edge

TRIES = 10
"""Arguments that are tried for a rule's edge."""


class Sampler(Scene):
    """One person in a world at a moment, whose wishes' arguments are drawn."""

    def draw(self, goal: Goal, rng: Random) -> Arguments | None:
        """Arguments that make sense for a goal, whatever the rules say; None when the person has nothing for it."""
        return Search(self, goal, rng).first()

    def drawing(self, rng: Random, values: Mapping[str, Any]) -> Drawing:
        """What slots are drawn from."""
        return Drawing(rng, self, dict(values))

    def allowed(self, goal: Goal, rng: Random) -> Arguments | None:
        """Arguments that break no rule; None when none were found."""
        return Search(self, goal, rng, self._rules(goal.tool)).first()

    def allowed_with(self, goal: Goal, rng: Random, given: Mapping[str, Any]) -> Arguments | None:
        """Arguments of which some are decided and which break no rule; None when none were found."""
        found = Search(self, goal, rng, self._rules(goal.tool), given=given).first()
        if found is None or self.broken(goal.tool, found):
            return None
        return {name: found[name] for name in (*drawn_names(goal), *found)}

    def forbidden_with(self, goal: Goal, rule: Rule, rng: Random, given: Mapping[str, Any]) -> Arguments | None:
        """Arguments of which some are decided and which break exactly this rule; None when none were found."""
        found = Search(self, goal, rng, self._rules(goal.tool), rule, given).first()
        if found is None or self.broken(goal.tool, found) != [rule]:
            return None
        return {name: found[name] for name in (*drawn_names(goal), *found)}

    def forbidden(self, goal: Goal, rule: Rule, rng: Random) -> Arguments | None:
        """Arguments that break exactly this rule, near its edge where it has one; None when none were found."""
        exact = Search(self, goal, rng, self._rules(goal.tool), rule).first()
        if exact is not None:
            return at_edge(self, goal, rule, exact) or exact
        for _ in range(TRIES if any(is_whole(goal.tool, name) for name in rule.parameters) else 0):
            arguments = self.draw(goal, rng)
            found = arguments and at_edge(self, goal, rule, arguments)
            if found:
                return found
        return None
