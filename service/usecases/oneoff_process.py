"""The process of one audit (``service.usecases.oneoff``): a log comes in, its reports go out, one JSON line each, or
the answer to a question about it.

It opens nothing and knows no database. Called with the language, with what it may use at most (seconds of processor
time, bytes of memory, bytes of output), and with the question, if there is one.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterator
from typing import Any

from service.audits import Audited, audit_stream

#: Exit codes that say what was used up.
NO_MEMORY, NO_ROOM = 3, 4


def main(lang: str, seconds: int, memory: int, output: int, question: str | None = None) -> int:
    """Audits standard input; one line ``{"report", "fault"}`` a game. With a ``question`` (a JSON object) they
    are answers of ``service.usecases.oneoff_answers``."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    left = output
    try:
        for document in _lines(question, lang):
            line = json.dumps(document) + "\n"
            left -= len(line)
            if left < 0:
                return NO_ROOM
            sys.stdout.write(line)
        sys.stdout.flush()
    except MemoryError:
        return NO_MEMORY
    return 0


def _lines(question: str | None, lang: str) -> Iterator[dict[str, Any]]:
    if question is None:
        return (_line(one, one.document(lang)) for one in audit_stream(sys.stdin.buffer, "log"))
    from service.usecases.oneoff_answers import HEADS, Question, answer, heads  # an audit alone starts sooner without

    asked = Question(**json.loads(question))
    if asked.what == HEADS:
        return (_line(*found) for found in heads(sys.stdin.buffer, lang))
    return iter([answer(sys.stdin.buffer, asked, lang)])


def _line(audited: Audited, report: dict[str, Any] | None) -> dict[str, Any]:
    fault = None if audited.fault is None else {"text": audited.fault.text, **audited.fault.document}
    return {"report": report, "fault": fault}


if __name__ == "__main__":
    _, lang, seconds, memory, output, *question = sys.argv
    sys.exit(main(lang, int(seconds), int(memory), int(output), *question))
