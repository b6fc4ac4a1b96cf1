"""T-Eval, version 1: forms, plans, thoughts, the choice of a tool, its arguments, and what its response says."""

from toolgym.judge.benchmarks.teval.adapter import TEval

__all__ = ["TEval"]
