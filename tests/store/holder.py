"""``python -m tests.store.holder FOLDER [BIN]``: uses an embedded server until its standard input ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import psycopg

from service.embedded import APPLICATION, embedded

if __name__ == "__main__":
    binaries = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with embedded(Path(sys.argv[1]), binaries=binaries, settings={"fsync": "off"}) as server:
        with psycopg.connect(server.url(APPLICATION)) as connection:
            role = connection.execute("SELECT current_user").fetchone()
        print(json.dumps({"started": server.started, "pid": server.pid, "port": server.port, "role": role}), flush=True)
        sys.stdin.read()
