"""Files that are whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile


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
