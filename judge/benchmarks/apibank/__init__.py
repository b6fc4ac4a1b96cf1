"""API-Bank: levels 1 to 3 as ToolRL processed and scores them, and levels 1 and 2 as their authors score them."""

from toolgym.judge.benchmarks.apibank.adapter import APIBank
from toolgym.judge.benchmarks.apibank.executed import APIBankExecuted

__all__ = ["APIBank", "APIBankExecuted"]
