"""What lies in the repository is the product's own, and speaks of no machine and no package registry."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from tests.architecture.tree import PACKAGES, ROOT, name_of, parse, repository_files

#: Addresses that a build or a page would fetch packages or code from.
REGISTRY = re.compile(
    r"//[\w.-]*(?:pypi|pythonhosted|npmjs|debian|ubuntu|crates|jsdelivr|unpkg|cdnjs|cloudflare|docker|quay|ghcr)\.\w"
)
#: Absolute paths into somebody's home or work folder.
MACHINE_PATH = re.compile(r"(?<![\w.~*-])/(?:root|work|home|Users)/\w")
LOCK_FILES = {"uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock", "package-lock.json"}


def texts() -> list[tuple[str, str]]:
    """Every text file of the repository, by its relative path."""
    contents = ((path, path.read_bytes()) for path in repository_files())
    return [(name_of(path), data.decode("utf-8", "replace")) for path, data in contents if b"\0" not in data]


@pytest.mark.parametrize("pattern", [REGISTRY, MACHINE_PATH], ids=["registry", "machine-path"])
def test_no_file_names_a_registry_or_a_machine(pattern: re.Pattern[str]) -> None:
    hits = [
        f"{name}:{number}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert hits == []


def test_the_patterns_see() -> None:
    assert REGISTRY.search("https:" + "//files." + "pythonhosted.org/x")
    assert MACHINE_PATH.search("see " + "/".join(["", "home", "somebody", "notes"]))
    assert not MACHINE_PATH.search("$HOME/work/x and ~/root/x and tests/home/x")


def test_no_lock_file_with_addresses() -> None:
    assert [name_of(path) for path in repository_files() if path.name in LOCK_FILES] == []


def test_the_packages_are_ours(tmp_path: Path) -> None:
    """From any folder ``import schema`` is this repository's, not the library of that name."""
    script = f"import importlib\nfor name in {PACKAGES}: print(importlib.import_module(name).__file__)"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(ROOT / name / "__init__.py") for name in PACKAGES]


def test_no_library_of_the_same_name_is_installed_or_asked_for() -> None:
    installed = {str(canonicalize_name(found.name)) for found in metadata.distributions()}
    assert installed.isdisjoint(PACKAGES)
    assert {str(name) for name, _ in _asked_for()}.isdisjoint(PACKAGES)


def test_constraints_pin_every_direct_dependency_within_its_bounds() -> None:
    pins = [Requirement(line) for line in (ROOT / "constraints.txt").read_text().splitlines()]
    versions = {canonicalize_name(pin.name): _version(pin) for pin in pins}
    for name, requirement in _asked_for():
        assert name in versions, f"{name} is not pinned in constraints.txt"
        assert requirement.specifier.contains(versions[name]), (
            f"constraints.txt pins {name} outside pyproject.toml's bounds"
        )


def test_migrations_stand_alone() -> None:
    """A released revision never changes its meaning, so it imports nothing of ours that may."""
    revisions = sorted((ROOT / "migrations").rglob("versions/*.py"))
    imported = {name_of(path): [name for name in _imports(path) if name in PACKAGES] for path in revisions}
    assert {path: names for path, names in imported.items() if names} == {}


def _imports(path: Path) -> list[str]:
    nodes = list(ast.walk(parse(path)))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return [name.partition(".")[0] for name in plain + [n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)]]


def _version(pin: Requirement) -> str:
    (only,) = pin.specifier
    assert (only.operator, pin.url, pin.extras) == ("==", None, set()), f"not a plain pin: {pin}"
    return only.version


def _asked_for() -> list[tuple[NormalizedName, Requirement]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    asked = [Requirement(text) for requirements in lists for text in requirements]
    return [(canonicalize_name(r.name), r) for r in asked if r.name != project["name"]]
