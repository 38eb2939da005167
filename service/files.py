"""Files that are whole or not there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, mkstemp


def write_whole(path: Path, lines: Iterable[bytes]) -> None:
    """Writes ``lines`` beside ``path`` and puts them in its place; whatever goes wrong leaves nothing behind."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.writelines(lines)
            file.close()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def write_durably(
    path: Path, content: bytes, put: Callable[[str, Path], None] = os.replace, *, mode: int = 0o600
) -> None:
    """Writes ``content`` beside ``path`` and has it ``put`` there; a crash leaves the old file or the new one."""
    descriptor, temporary = mkstemp(dir=path.parent, prefix=f".{path.name}.")  # of mode 0600
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            os.fchmod(descriptor, mode)
            file.flush()
            os.fsync(descriptor)
        put(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
    with open_folder(path.parent) as folder:
        os.fsync(folder)


@contextmanager
def open_folder(path: Path) -> Iterator[int]:
    """The descriptor of a folder, to sync or to lock it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
