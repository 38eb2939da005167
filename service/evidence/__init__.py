"""Evidence that a log is what really happened: leaves, seals, receipts and their proofs."""
