"""A response cache on disk: a model's replies by the content of their requests, in one SQLite file.

Opt-in. The same request (endpoint, model, messages, tools, sampling settings, seed) is answered from the file, so that
a rerun of a finished evaluation sends nothing. Several processes may share a file.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput, writing
from toolgym.sandbox.kit.message import Json


def key_of(endpoint: str, request: Mapping[str, Json]) -> str:
    """The address of a request's reply: SHA-256 of its canonical JSON."""
    text = json.dumps([endpoint, request], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class ReplyCache:
    """The replies in one file.

    Args:
        path: the file; made with its folders when it is missing.

    Raises:
        BadInput: the path cannot hold a cache.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=30, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")
        except (OSError, sqlite3.Error) as error:
            raise BadInput(
                f"{path} cannot be used as a response cache: {error}. Name a new file with --cache."
            ) from None

    def get(self, key: str) -> str | None:
        """The stored reply of a request."""
        row = self._connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, reply: str) -> None:
        """Store a reply; the first one of a request stays (BadInput where the disk takes no more)."""
        with writing(self._path):
            try:
                self._connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, reply))
            except sqlite3.OperationalError as error:
                raise OSError(str(error)) from error

    def count(self) -> int:
        """How many replies are stored."""
        return int(self._connection.execute("SELECT count(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


@cache
def open_cache(path: Path) -> ReplyCache:
    """The cache of a file, opened once per process."""
    return ReplyCache(path)
