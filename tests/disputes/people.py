"""Who takes part in the tests' disputes, and the ports as each of them has them."""

from __future__ import annotations

from schema.ports import PUBLIC, Role, Viewer
from schema.ports.cases import CaseCall, CaseOpening, CaseRow, CaseVerdict
from service.api.parts import Parts
from service.store import Store
from service.usecases.cases import StoredCases
from service.usecases.notary import Notary
from tests.usecases.games import game, id_of, with_violation
from tests.usecases.sealed import take_in

#: The game in dispute: a payment at ``FAULT`` is not what was won.
DOCUMENTS, FAULT = with_violation(game(1))
GAME = id_of(DOCUMENTS)
PLAYERS = [seat["player"] for seat in DOCUMENTS[0]["seats"]]
#: Another game with other players.
OTHER_DOCUMENTS = [
    DOCUMENT if DOCUMENT["seq"] else DOCUMENT | {"seats": [{"player": f"other-{seat}"} for seat in range(4)]}
    for DOCUMENT in game(2)
]
OTHER = id_of(OTHER_DOCUMENTS)

ALICE = Viewer("alice", frozenset({Role.PLAYER}), PLAYERS[0], "key-alice")
BOB = Viewer("bob", frozenset({Role.PLAYER}), PLAYERS[1], "key-bob")
ZOE = Viewer("zoe", frozenset({Role.PLAYER}), "other-0", "key-zoe")
CLERK = Viewer("clerk-1", frozenset({Role.CLERK}), None, "key-clerk-1")
CLERK_AGAIN = CLERK._replace(key="key-clerk-1b")
CLERK_2 = Viewer("clerk-2", frozenset({Role.CLERK}), None, "key-clerk-2")
AUDITOR = Viewer("auditor-1", frozenset({Role.AUDITOR}), None, "key-auditor")
ADMIN = Viewer("admin-1", frozenset({Role.ADMIN}), "somewhere-else", "key-admin")
#: Somebody of the staff who sat in the game, and the same person under another principal.
SEATED = Viewer("clerk-3", frozenset({Role.CLERK}), PLAYERS[2], "key-seated")
ANALYST = Viewer("analyst-1", frozenset({Role.ANALYST}), None, "key-analyst")
SERVER = Viewer("server-1", frozenset({Role.SERVER}), None, "key-server")

STAFF = (CLERK, CLERK_2, AUDITOR, ADMIN)
EVERYBODY = (ALICE, BOB, ZOE, *STAFF, SEATED, ANALYST, SERVER, PUBLIC)

VERDICT = CaseVerdict("upheld", "the payment was one point off", ("G-SCORE-1",), (0,))


def filled(store: Store) -> Store:
    """The store with both games in it, audited."""
    take_in(store, DOCUMENTS, OTHER_DOCUMENTS)
    return store


class Table:
    """The ports over one store: ``table[viewer]`` are that viewer's."""

    def __init__(self, store: Store, notary: Notary | None = None) -> None:
        self.store = store
        self._parts = Parts.of(store, notary)

    def __getitem__(self, viewer: Viewer) -> StoredCases:
        port = self._parts.context(viewer, "request-1").cases
        assert isinstance(port, StoredCases)
        return port

    def opened(self, viewer: Viewer = ALICE, *, key: str | None = None, text: str = "I was paid too little") -> CaseRow:
        """A case over the fault."""
        return self[viewer].open(CaseOpening(GAME, text, step=FAULT, clause="G-SCORE-1"), key)

    def assigned(self, row: CaseRow, viewer: Viewer = CLERK) -> CaseRow:
        return self[viewer].assign(call(row), None)

    def proposed(self, row: CaseRow, viewer: Viewer = CLERK) -> CaseRow:
        return self[viewer].propose(call(self.assigned(row, viewer)), VERDICT)

    def decided(self, row: CaseRow, by: tuple[Viewer, Viewer] = (CLERK, CLERK_2)) -> CaseRow:
        return self[by[1]].approve(call(self.proposed(row, by[0])))

    def now(self, case: str) -> CaseRow:
        """The case as the staff sees it."""
        return self[AUDITOR].case(case)


def call(row: CaseRow, key: str | None = None) -> CaseCall:
    """A call for the case as it stands in ``row``."""
    return CaseCall(row.case, row.next_seq, key)
