"""The worlds: one folder each, with schema, seed, tools, policy and tasks."""
