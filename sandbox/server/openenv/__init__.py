"""The OpenEnv wire: every world as an environment that OpenEnv's clients, and the trainers that read it, can play.

Written from the protocol of openenv 0.10 (https://github.com/huggingface/OpenEnv, `openenv/core/env_server`); nothing
of that package is imported, because its requirements exclude ours.
"""
