"""The agents of an evaluation: the upper bound, the honest baseline, the empty ones, and models."""
