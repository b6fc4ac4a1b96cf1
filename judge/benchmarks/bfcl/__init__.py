"""BFCL, the Berkeley Function-Calling Leaderboard, versions 3 and 4, from the packages that its authors publish."""

from toolgym.judge.benchmarks.bfcl.adapter import BFCL3, BFCL4

__all__ = ["BFCL3", "BFCL4"]
