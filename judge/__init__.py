"""Scoring: verifier, rewards, turn-level judges, metrics and reports, all from recorded trajectories."""
