"""A share of the tests, for where there is no time for all of them: ``--part 2/3``.

Which tests are in a part hangs on their names alone, so that it is the same on every machine and in every run.
"""

from __future__ import annotations

import argparse
import re
from hashlib import sha256
from typing import NamedTuple


class Part(NamedTuple):
    """The ``number``-th of ``count`` parts, from 1 on."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Part:
        """A part as the command line has it; ``argparse.ArgumentTypeError`` for what is none."""
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        part = cls(int(found[1]), int(found[2])) if found else cls(0, 0)
        if not 1 <= part.number <= part.count:
            raise argparse.ArgumentTypeError(f"{text!r} is no part: such as 1/3, 2/3 or 3/3")
        return part

    def has(self, test: str) -> bool:
        """Whether the test of this name (its file's path, ``::``, and its own with its parameters) is in the part."""
        return int.from_bytes(sha256(test.encode()).digest()) % self.count == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"
