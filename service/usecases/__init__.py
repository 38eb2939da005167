"""What the service does with games: take in, give out, audit, look at a step. Every use case stands on the store."""
