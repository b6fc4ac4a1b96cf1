"""How one thing of a workspace leads to another, in requests that are answered at once."""

RELATIONS = ()
