"""A process of its own that does one act to a case when it is told to, and says what came of it."""

from __future__ import annotations

import sys

from schema.ports import Role, Viewer
from schema.ports.cases import CaseActError, CaseCall, CaseVerdict
from service.store import Store
from tests.disputes.people import Table

ACTS = {
    "propose": lambda port, call: port.propose(call, CaseVerdict("upheld", "x")),
    "approve": lambda port, call: port.approve(call),
    "reject": lambda port, call: port.reject(call, "x"),
    "assign": lambda port, call: port.assign(call, None),
    "state": lambda port, call: port.state(call, "x"),
}


def main(url: str, principal: str, act: str, case: str, seq: str, key: str = "") -> None:
    viewer = Viewer(principal, frozenset({Role.CLERK}), None, "key")
    with Store.connect(url, unsafe_allowed=True) as store:
        port = Table(store)[viewer]
        port.case(case)  # connected
        print("ready", flush=True)
        sys.stdin.readline()
        try:
            row = ACTS[act](port, CaseCall(case, int(seq), key or None))
        except CaseActError as error:
            print(error.code, flush=True)
        else:
            print(row.state, row.next_seq, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
