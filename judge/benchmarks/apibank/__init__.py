"""API-Bank, levels 1 to 3, one call a row, as ToolRL processed and scores it."""

from judge.benchmarks.apibank.adapter import APIBank

__all__ = ["APIBank"]
