"""The commands, one module each: `SUMMARY`, `add_arguments` and `run`."""
