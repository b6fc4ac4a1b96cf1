"""Turn scores that people give: how they are kept, which turns are asked for, how far all agree, what is taken away."""
