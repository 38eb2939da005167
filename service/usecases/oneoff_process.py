"""The process of one audit (``service.usecases.oneoff``): a log comes in, its reports go out, one JSON line each.

It opens nothing and knows no database. Called with the language, and what it may use at most: seconds of processor
time, bytes of memory, bytes of output.
"""

from __future__ import annotations

import json
import resource
import sys

from service.audits import audit_stream

#: Exit codes that say what was used up.
NO_MEMORY, NO_ROOM = 3, 4


def main(lang: str, seconds: int, memory: int, output: int) -> int:
    """Audits standard input; one line ``{"report", "fault"}`` a game."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    left = output
    try:
        for audited in audit_stream(sys.stdin.buffer, "log"):
            fault = None if audited.fault is None else {"text": audited.fault.text, **audited.fault.document}
            line = json.dumps({"report": audited.document(lang), "fault": fault}) + "\n"
            left -= len(line)
            if left < 0:
                return NO_ROOM
            sys.stdout.write(line)
        sys.stdout.flush()
    except MemoryError:
        return NO_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
