"""Qwen2.5-Omni's thinker in verl: what verl lacks for users who speak."""
