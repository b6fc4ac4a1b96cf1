"""ACEBench, English: single and parallel calls, dialogues by turn, profiles, and requests without a right call."""

from toolgym.judge.benchmarks.acebench.adapter import ACEBench

__all__ = ["ACEBench"]
