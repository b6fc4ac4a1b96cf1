"""Benchmarks of others, played by our agents and scored by their own checkers (docs/benchmarks.md)."""
