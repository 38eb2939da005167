"""The game itself: tiles, events, table, rules, scoring, audit.

Nothing in here reads a file, a clock, the environment or a random source, and nothing computes with
floats: the same events give the same bytes on every machine (``tests/architecture`` holds this).
"""

#: Version of the engine: it is part of every report, and it changes whenever a verdict may.
ENGINE = "1.0.0"
