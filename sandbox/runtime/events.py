"""Events: what a person would see of its own affairs, as in an app or a mail: the rows of its own that stand changed.

Not a refused call, not other people's rows, not internal columns, and not the rows of a distractor's world.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import shown_columns
from toolgym.sandbox.runtime.session import RowChange, Session


def events_of(session: Session, since: int = 0) -> tuple[RowChange, ...]:
    """The rows of the session's owner that stand changed, in the columns that views show.

    Args:
        session: in this process.
        since: compare with the state after so many calls, not with the start.
    """
    return tuple(_seen(session, since))


def _seen(session: Session, since: int) -> Iterator[RowChange]:
    models = {model.__tablename__: model for model in session.domain.models}
    for change in session.diff(since=since):
        model = models.get(change.table)  # a joined world's tables have its name before theirs
        if model is None:
            continue
        row = session.database.get(model, *change.key)
        if row is None or session.database.is_own(row):
            before, after = _shown(model, change.before), _shown(model, change.after)
            if before != after:
                yield replace(change, before=before, after=after)


def _shown(model: type[DeclarativeBase], row: dict[str, Json] | None) -> dict[str, Json] | None:
    return None if row is None else {name: value for name, value in row.items() if name in shown_columns(model)}
