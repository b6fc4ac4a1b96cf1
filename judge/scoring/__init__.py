"""Scores of a recorded trajectory: verifier, rewards, judges of turns."""
