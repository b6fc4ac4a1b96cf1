"""Changes of what an agent sees that leave the right run as it was: the basis of robustness figures."""
