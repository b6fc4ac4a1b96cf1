"""Whether one run is better than another by more than chance: what is compared, the statistics, the tables."""
