"""How users talk, measured: simulated ones beside recorded people."""
