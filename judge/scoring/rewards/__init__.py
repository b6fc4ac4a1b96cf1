"""The rewards: one page each, a pure function of a recorded trajectory; docs/rewards.md compares them."""
