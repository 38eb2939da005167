"""The end of a server: nothing acknowledged is lost, and whoever balances the load hears of it in time."""

from __future__ import annotations

import signal
import threading
import time

import httpx

from schema.ports import Role
from service.store import Store
from tests.access.keys import bearer, key_for
from tests.api.test_mutations import APPEND, OPEN
from tests.api.test_server import serving
from tests.databases import Database
from tests.usecases.games import Document, game, id_of

WRITERS = 6


class Writer(threading.Thread):
    """Appends event by event until the server is gone; keeps what was acknowledged."""

    def __init__(self, base: str, key: str, documents: list[Document]) -> None:
        super().__init__()
        self.documents = documents
        self.acknowledged: list[tuple[int, str]] = []
        self.refused: list[object] = []
        self._http = httpx.Client(base_url=base, headers=bearer(key), trust_env=False, timeout=30)

    def run(self) -> None:
        try:
            self._append({"query": OPEN, "variables": {"event": self.documents[0]}})
            for document in self.documents[1:]:
                variables = {"game": id_of(self.documents), "seq": document["seq"], "events": [document]}
                self._append({"query": APPEND, "variables": variables})
        except httpx.HTTPError:
            return  # the server has gone: what had no answer may be stored or not
        finally:
            self._http.close()

    def _append(self, call: dict[str, object]) -> None:
        answer = self._http.post("/graphql", json=call)
        (result,) = answer.json()["data"].values()
        if result["__typename"] != "Receipt":
            self.refused.append(result)
            return
        self.acknowledged.append((result["seq"], result["head"]))


def test_what_was_acknowledged_before_the_end_is_there(database: Database, store: Store) -> None:
    key = key_for(store, Role.SERVER)
    with serving(database) as (process, base):
        writers = [Writer(base, key, game(index)) for index in range(WRITERS)]
        for writer in writers:
            writer.start()
        time.sleep(1.5)
        process.send_signal(signal.SIGTERM)
        for writer in writers:
            writer.join()
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
        assert "Traceback" not in errors
    assert sum(len(writer.acknowledged) for writer in writers) > WRITERS
    for writer in writers:
        assert writer.refused == []
        kept = {event.seq: event.head.hex() for event in store.events(id_of(writer.documents))}
        for seq, head in writer.acknowledged:
            assert kept[seq] == head


def test_readiness_ends_before_the_server_does(database: Database) -> None:
    with serving(database, environment_too={"MINGPAI_DRAIN_SECONDS": "3"}) as (process, base):
        with httpx.Client(base_url=base, trust_env=False) as http:
            assert (http.get("/readyz").status_code, http.get("/readyz").json()) == (200, {"status": "ready"})
            process.send_signal(signal.SIGTERM)
            deadline = time.monotonic() + 2
            while http.get("/readyz").status_code == 200 and time.monotonic() < deadline:
                time.sleep(0.05)
            answer = http.get("/readyz")
            assert (answer.status_code, answer.json()) == (503, {"status": "draining"})
            assert http.get("/healthz").status_code == 200  # it is still alive, and still answers
            assert http.post("/graphql", json={"query": "{ __typename }"}).status_code == 200
        process.communicate(timeout=30)
        assert process.returncode == 0


def test_a_second_signal_ends_the_draining(database: Database) -> None:
    with serving(database, environment_too={"MINGPAI_DRAIN_SECONDS": "300"}) as (process, base):
        assert httpx.get(f"{base}/readyz", trust_env=False).status_code == 200
        process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 20
        while httpx.get(f"{base}/readyz", trust_env=False).status_code == 200 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        assert process.returncode == 0
