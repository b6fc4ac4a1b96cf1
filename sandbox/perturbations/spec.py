"""Which perturbations a run plays under, as text: `tools+5,names,enums,order,format,fault=0.05,paraphrase`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields

from toolgym.sandbox.kit.errors import BadInput

ACCEPTED = "tools+N, names, enums, order, format, fault=SHARE, paraphrase"
_PART = re.compile(r"(tools)\+(\d{1,3})|(fault)=(\d*\.?\d+)|(names|enums|order|format|paraphrase)")


@dataclass(frozen=True)
class Perturbations:
    """What is changed.

    Attributes:
        tools: so many live tools of other worlds are offered as well.
        names: tools and parameters have other names.
        enums: schemas do not list the values of a choice.
        order: the tools are listed in another order.
        format: results have their keys in another order and another layout.
        fault: the share of the agent's calls that come to nothing once, from 0 to below 1.
        paraphrase: the user's first words are others.
    """

    tools: int = 0
    names: bool = False
    enums: bool = False
    order: bool = False
    format: bool = False
    fault: float = 0.0
    paraphrase: bool = False

    @classmethod
    def parse(cls, text: str) -> Perturbations:
        """The perturbations that a text names, separated by commas.

        Raises:
            BadInput: it names something else, one twice, or none.
        """
        found: dict[str, int | float | bool] = {}
        for part in (each.strip() for each in text.split(",")):
            match = _PART.fullmatch(part)
            if match is None:
                raise BadInput(f"There is no perturbation {part!r}; a list takes {ACCEPTED}.")
            name = match[1] or match[3] or match[5]
            if name in found:
                raise BadInput(f"The perturbation {name} is named twice.")
            found[name] = int(match[2]) if match[1] else float(match[4]) if match[3] else True
        if not 0 <= found.get("fault", 0) < 1:
            raise BadInput(f"fault=SHARE takes a share from 0 to below 1; got {found['fault']}.")
        return cls(**found)  # type: ignore[arg-type]  # the pattern knows which value has which type

    def __str__(self) -> str:
        return ",".join(
            _written(field.name, getattr(self, field.name)) for field in fields(self) if self._has(field.name)
        )

    def each(self) -> Iterator[Perturbations]:
        """Every one of them alone."""
        for field in fields(self):
            if self._has(field.name):
                yield Perturbations(**{field.name: getattr(self, field.name)})

    def _has(self, name: str) -> bool:
        return bool(getattr(self, name))


def _written(name: str, value: float) -> str:
    return {"tools": f"tools+{value}", "fault": f"fault={value:g}"}.get(name, name)
