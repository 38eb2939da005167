"""Where the tests find the project's contract and rule book: plain copies in ``tests/data``.

The originals may lie beside the repository (``../shared``, or the folder that ``MINGPAI_SHARED`` names);
``tests/evidence/test_copies.py`` holds the copies to them.
"""

from __future__ import annotations

import os
from pathlib import Path

DATA = Path(__file__).resolve().parent / "data"

#: The folder of the originals; it need not exist.
ORIGINALS = Path(os.environ.get("MINGPAI_SHARED") or DATA.parents[2] / "shared")


def contract(name: str) -> Path:
    """The copy of a file or folder of the contract, such as ``shuffle-vectors.json``."""
    return _existing("contract", name)


def rulebook(name: str) -> Path:
    """The copy of a file of the rule book, such as ``options.json``."""
    return _existing("rulebook", name)


def _existing(part: str, name: str) -> Path:
    path = DATA / part / name
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: tests need this copy of shared/{part}/{name}")
    return path
