"""Tasks from a world: goals, wording, drawing, and what each gold call depends on."""
