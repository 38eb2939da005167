"""Who may see what, tried by force: no answer tells a viewer what is hidden from it.

``twins`` makes games that differ only in what somebody may not see, ``worlds`` takes them in event by event, ``probes``
asks everything that the schema has, and ``compare`` holds the answers against each other. What is new in the schema is
asked by itself; where it has arguments that nobody has thought of, ``test_coverage`` says so.
"""
