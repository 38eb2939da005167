"""Writes into README.md what its ``console`` examples print now: ``python tools/readme_examples.py``."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLE = re.compile(r"(```console\n\$ (mingpai [^\n]+)\n).*?(```)", re.DOTALL)


def _printed(command: str) -> str:
    program = Path(sys.executable).with_name("mingpai")
    done = subprocess.run(
        [str(program), *shlex.split(command)[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return "".join(line.rstrip() + "\n" for line in done.stdout.strip("\n").splitlines())


def main() -> None:
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    readme.write_text(EXAMPLE.sub(lambda m: m[1] + _printed(m[2]) + m[3], text), encoding="utf-8")


if __name__ == "__main__":
    main()
