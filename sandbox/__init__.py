"""The machinery of a world: domains, tools, sessions, users, episodes, the Gymnasium environment and the servers."""

from sandbox import gym_hook

gym_hook.install()
