"""verl's trainer on machines without a GPU or vLLM: a platform, an FSDP engine and a transformers rollout server.

For tests, laptops and debugging; nothing of it is used when a GPU platform is selected.
"""

ENGINE = "toolgym_transformers"
"""The name of our rollout server, for `actor_rollout_ref.rollout.name`."""
