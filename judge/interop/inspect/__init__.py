"""Inspect (inspect_ai): our worlds as its tasks, its logs read and written; docs/inspect.md.

Only here and in `toolgym.inspect_registry` inspect_ai is imported, and nothing imports these before somebody asks.
"""
