"""The scoring room's commands, one module each."""
