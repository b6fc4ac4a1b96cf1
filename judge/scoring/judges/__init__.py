"""Judges: each gives every turn of a trajectory a score in {-1, 0, 1}; registry group `toolgym.judges`."""
