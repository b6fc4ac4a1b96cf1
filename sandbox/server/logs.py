"""Structured logs: one JSON object per line on standard error, never with tokens, session ids or contents."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime


class JsonFormatter(logging.Formatter):
    """Time, level, logger, message and the record's `fields`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            entry |= _where(record.exc_info[1])
        return json.dumps(entry, ensure_ascii=False)


def _where(error: BaseException) -> dict[str, object]:
    """Which error, why, and where it began; not what it says, as messages may quote contents."""
    kinds = [type(error).__name__]
    while error.__cause__ is not None:
        error = error.__cause__
        kinds.append(type(error).__name__)
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return {"error": " from ".join(kinds), "trace": [f"{at.filename}:{at.lineno} {at.name}" for at in frames]}


def configure(level: str) -> None:
    """Send every logger's lines through the formatter."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("toolgym").setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
        logger.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").propagate = False  # with nobody to read them, uvicorn words no lines
