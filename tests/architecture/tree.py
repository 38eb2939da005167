"""The repository as the architecture tests read it: its files, and its source as syntax trees."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("replays", "schema", "service", "migrations")
#: The names that rule sets go by, registered or planned.
VARIANTS = ("xiamen", "longyan")


@cache
def sources(*packages: str) -> tuple[Path, ...]:
    """Every Python file of these top-level packages, sorted."""
    return tuple(sorted(path for package in packages for path in (ROOT / package).rglob("*.py")))


@cache
def parse(path: Path) -> ast.Module:
    """The syntax tree of one source file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def name_of(path: Path) -> str:
    """A path as it reads in a message: relative to the repository."""
    return path.relative_to(ROOT).as_posix()


def docstrings(tree: ast.Module) -> set[int]:
    """The ``id`` of every docstring's node: words for people, not code."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, owners) and node.body)
    return {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}


def repository_files() -> list[Path]:
    """Every file that is, or is about to be, in the repository; where git cannot say, every file but hidden folders."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return sorted(_walk(ROOT))
    return sorted(path for name in listed.decode().split("\0") if name and (path := ROOT / name).is_file())


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_file():
            yield path
        elif path.name == ".ci" or not (path.name.startswith((".", "__pycache__")) or path.name.endswith(".egg-info")):
            yield from _walk(path)
