"""The kinds of training batches; apart from `rows`, so that settings are described where pyarrow is not installed."""

from typing import Literal

Kind = Literal["text", "speech", "warmup", "math", "step", "program"]
"""Dialogue in text, dialogue in speech, dialogue on simplified tasks, a math problem, one step of a trajectory, a
request answered by a program.
"""
