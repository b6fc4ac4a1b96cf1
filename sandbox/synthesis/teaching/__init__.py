"""PROVE's data pipeline (section 3.2): a state machine leads a teacher model through conversations on live tools.

Read in this order: `source` and `context` (steps 1 and 2), `machine` with a module for each state (step 3), `knobs`
(step 4), `gate` (step 5); `run` makes many conversations, `row` and `card` say what came of them.
"""
