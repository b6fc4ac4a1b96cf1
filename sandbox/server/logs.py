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
            entry["error"] = type(record.exc_info[1]).__name__
            entry["trace"] = traceback.format_tb(record.exc_info[2])  # where, not what: messages may quote contents
        return json.dumps(entry, ensure_ascii=False)


def configure(level: str) -> None:
    """Send every logger's lines through the formatter."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("toolgym").setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
        logger.setLevel(logging.WARNING)
