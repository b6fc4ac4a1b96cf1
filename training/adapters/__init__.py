"""Our worlds for trainers that have a loop of their own: TRL, SkyRL, ART and verl's tool agent (docs/trainers.md)."""
