"""The parts of the learning study; the command is benchmarks/learning_study.py."""
