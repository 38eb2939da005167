"""What the README shows is what the commands print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ (mingpai [^\n]+)\n(.*?)```", README, re.DOTALL)


def _trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def test_there_are_examples() -> None:
    assert len(CONSOLE) == 2


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=[command.split()[1] for command, _ in CONSOLE])
def test_an_example_prints_what_is_shown(command: str, shown: str) -> None:
    program = Path(sys.executable).with_name("mingpai")
    done = subprocess.run(
        [str(program), *shlex.split(command)[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert _trimmed(done.stdout) == _trimmed(shown)
    assert done.stderr == ""


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
