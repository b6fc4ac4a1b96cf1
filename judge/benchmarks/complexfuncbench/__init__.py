"""ComplexFuncBench: long chains of calls to a travel service, answered from recorded responses."""

from toolgym.judge.benchmarks.complexfuncbench.adapter import ComplexFuncBench

__all__ = ["ComplexFuncBench"]
