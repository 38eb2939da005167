"""The mechanisms that rule sets are made of, one module a subject. None of them names a variant."""
