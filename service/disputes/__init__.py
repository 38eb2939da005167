"""Disputes: a case as a chain of facts, what folding them gives, and who may add which. No clock, no store."""
