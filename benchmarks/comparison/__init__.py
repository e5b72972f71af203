"""The parts of `benchmarks/compare.py`, one purpose each."""
