"""Writes the kept reports anew; look at the difference before you commit it."""

from __future__ import annotations

from tests.golden.logs import REPORTS, line, logs


def main() -> None:
    REPORTS.write_bytes(b"".join(line(name, events) + b"\n" for name, events in logs()))


if __name__ == "__main__":
    main()
