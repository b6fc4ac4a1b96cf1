"""Which scored conversations are worth learning from: named gates, a funnel, and a holdout of other people."""
