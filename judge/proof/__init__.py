"""Proving tasks and worlds sound: the lint and the checker."""
