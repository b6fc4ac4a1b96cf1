"""Agents that try to be scored well without serving anybody, and what each reward and verdict gives them."""
