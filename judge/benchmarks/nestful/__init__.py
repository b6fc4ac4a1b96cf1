"""NESTFUL: sequences of calls in which one takes what another returns."""

from toolgym.judge.benchmarks.nestful.adapter import NESTFUL

__all__ = ["NESTFUL"]
