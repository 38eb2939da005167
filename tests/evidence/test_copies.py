"""The copies in tests/data are the contract, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import shared

NEEDED = (
    "contract/evidence-vectors.json",
    "contract/examples",
    "contract/shuffle-vectors.json",
    "contract/vectors",
    "rulebook/options.json",
    "rulebook/vectors.jsonl",
)


def files_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_every_needed_copy_is_there() -> None:
    for name in NEEDED:
        part, _, rest = name.partition("/")
        assert {"contract": shared.contract, "rulebook": shared.rulebook}[part](rest).exists()


def test_a_missing_copy_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"no-such-vectors\.json is missing"):
        shared.contract("no-such-vectors.json")


@pytest.mark.parametrize("part", ["contract", "rulebook"])
def test_copies_equal_their_originals(part: str) -> None:
    originals = shared.ORIGINALS / part
    if not originals.is_dir():
        pytest.skip(f"no originals at {originals}; a clone of the repository has the copies only")
    copies = shared.DATA / part
    names = files_below(copies)
    assert names
    for name in names:
        assert (originals / name).is_file(), f"{name} has no original"
        assert (copies / name).read_bytes() == (originals / name).read_bytes(), name


@pytest.mark.parametrize("folder", ["contract/examples", "contract/vectors"])
def test_copied_folders_are_whole(folder: str) -> None:
    originals = shared.ORIGINALS / folder
    if not originals.is_dir():
        pytest.skip(f"no originals at {originals}; a clone of the repository has the copies only")
    assert files_below(shared.DATA / folder) == files_below(originals)
