"""The parts of `tests/run.py`, one purpose each."""
