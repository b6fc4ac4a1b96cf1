"""T-Eval, version 1: the review dimension."""

from judge.benchmarks.teval.adapter import TEval

__all__ = ["TEval"]
