"""Learning: data sets, the verl integration, advantages, curricula, recipes and data synthesis."""
