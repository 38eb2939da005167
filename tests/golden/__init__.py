"""Whole logs with their reports. ``python -m tests.golden.rewrite`` writes the reports anew, and nothing else does."""
