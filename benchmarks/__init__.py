"""Speed, always as a ratio to a peer or a limit in the same run: machines differ, ratios less so."""
