"""Who may come in, and who may see what."""
