"""What may be done by whom in which state: the whole table, written down once more by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.disputes import events as made
from service.disputes.events import By, CaseFormatError, Person, decode, encode
from service.disputes.fold import State, UnfoldableError, fold
from service.disputes.rules import STAFF, Act, Actor, Facts, acting_role, refusal, unlawful
from tests.disputes import histories
from tests.disputes.histories import (
    APPEAL_UNTIL,
    APPROVER,
    DIGEST,
    PARTY,
    PLAYERS,
    PROPOSER,
    SECOND_PROPOSER,
    History,
    minute,
)

IN_TERM, AFTER_TERM = minute(20), "2026-03-15T00:00:00.001Z"

#: The columns of the tables below: how a case stands, and when it is asked.
STANDINGS: tuple[tuple[Callable[[], History], str], ...] = (
    (histories.opened, IN_TERM),
    (histories.in_review, IN_TERM),
    (histories.pending, IN_TERM),
    (histories.decided, APPEAL_UNTIL),
    (histories.decided, AFTER_TERM),
    (histories.appealed, IN_TERM),
    (histories.in_second_review, IN_TERM),
    (histories.pending_again, IN_TERM),
    (histories.decided_again, IN_TERM),
    (histories.withdrawn, IN_TERM),
)

CODES = {
    "Y": None,
    "r": "role",
    "w": "wrong_state",
    "c": "conflict_of_interest",
    "n": "not_assignee",
    "s": "same_person",
    "d": "decided_before",
    "o": "term_over",
    "t": "term_running",
    "x": "not_opener",
}

_NOTHING = "rrrrrrrrrr"
_UNINVOLVED = """
    STATE     YYYYYYYYww
    NOTE      YYYYYYYYww
    ASSIGN    YYwwwYYwww
    SET_DUE   YYYwwYYYww
    REFRESH   YYYwwYYYww
    PROPOSE   wnwwwwnwww
    APPROVE   wwYwwwwYww
    REJECT    wwYwwwwYww
    APPEAL    rrrrrrrrrr
    WITHDRAW  xxxwwxxxww
    CLOSE     wwwtYwwwww
"""

#: By person: the acts in the states, in the order of ``STANDINGS``.
TABLES: dict[str, tuple[Person, frozenset[str], str]] = {
    "the case's player": (
        PARTY.person,
        frozenset({"player"}),
        """
        STATE     YYYYYYYYww
        NOTE      rrrrrrrrrr
        ASSIGN    rrrrrrrrrr
        SET_DUE   rrrrrrrrrr
        REFRESH   rrrrrrrrrr
        PROPOSE   rrrrrrrrrr
        APPROVE   rrrrrrrrrr
        REJECT    rrrrrrrrrr
        APPEAL    wwwYowwwww
        WITHDRAW  YYYwwYYYww
        CLOSE     rrrrrrrrrr
        """,
    ),
    "the case's player, a clerk too": (
        PARTY.person,
        frozenset({"player", "clerk"}),
        """
        STATE     YYYYYYYYww
        NOTE      ccccccccww
        ASSIGN    ccwwwccwww
        SET_DUE   cccwwcccww
        REFRESH   cccwwcccww
        PROPOSE   wcwwwwcwww
        APPROVE   wwcwwwwcww
        REJECT    wwcwwwwcww
        APPEAL    wwwYowwwww
        WITHDRAW  YYYwwYYYww
        CLOSE     wwwccwwwww
        """,
    ),
    "a clerk": (Person("clerk-9"), frozenset({"clerk"}), _UNINVOLVED),
    "an auditor": (Person("auditor-9", "elsewhere-9"), frozenset({"auditor"}), _UNINVOLVED),
    "an admin": (Person("admin-9"), frozenset({"admin"}), _UNINVOLVED),
    "who has all roles of the staff": (Person("chief"), frozenset(STAFF), _UNINVOLVED),
    "who proposed the first verdict": (
        PROPOSER.person,
        frozenset({"clerk"}),
        """
        STATE     YYYYYYYYww
        NOTE      YYYYYYYYww
        ASSIGN    YYwwwddwww
        SET_DUE   YYYwwYYYww
        REFRESH   YYYwwYYYww
        PROPOSE   wYwwwwdwww
        APPROVE   wwswwwwdww
        REJECT    wwswwwwdww
        APPEAL    rrrrrrrrrr
        WITHDRAW  xxxwwxxxww
        CLOSE     wwwtYwwwww
        """,
    ),
    "who approved it, under another principal": (
        Person("somebody", APPROVER.player),
        frozenset({"admin"}),
        """
        STATE     YYYYYYYYww
        NOTE      YYYYYYYYww
        ASSIGN    YYwwwddwww
        SET_DUE   YYYwwYYYww
        REFRESH   YYYwwYYYww
        PROPOSE   wnwwwwdwww
        APPROVE   wwYwwwwdww
        REJECT    wwYwwwwdww
        APPEAL    rrrrrrrrrr
        WITHDRAW  xxxwwxxxww
        CLOSE     wwwtYwwwww
        """,
    ),
    "who proposed the second verdict": (
        SECOND_PROPOSER.person,
        frozenset({"admin", "clerk"}),
        """
        STATE     YYYYYYYYww
        NOTE      YYYYYYYYww
        ASSIGN    YYwwwYYwww
        SET_DUE   YYYwwYYYww
        REFRESH   YYYwwYYYww
        PROPOSE   wnwwwwYwww
        APPROVE   wwYwwwwsww
        REJECT    wwYwwwwsww
        APPEAL    rrrrrrrrrr
        WITHDRAW  xxxwwxxxww
        CLOSE     wwwtYwwwww
        """,
    ),
    "a clerk who sat in the game": (
        Person("clerk-3", "p2"),
        frozenset({"clerk"}),
        """
        STATE     ccccccccww
        NOTE      ccccccccww
        ASSIGN    ccwwwccwww
        SET_DUE   cccwwcccww
        REFRESH   cccwwcccww
        PROPOSE   wcwwwwcwww
        APPROVE   wwcwwwwcww
        REJECT    wwcwwwwcww
        APPEAL    rrrrrrrrrr
        WITHDRAW  xxxwwxxxww
        CLOSE     wwwccwwwww
        """,
    ),
    "an analyst": (Person("analyst-1"), frozenset({"analyst"}), "\n".join(f"{act.name} {_NOTHING}" for act in Act)),
    "nobody": (Person("x"), frozenset(), "\n".join(f"{act.name} {_NOTHING}" for act in Act)),
}


@pytest.mark.parametrize("who", TABLES)
def test_table(who: str) -> None:
    person, roles, text = TABLES[who]
    rows = {Act[name]: cells for name, cells in (line.split() for line in text.split("\n") if line.strip())}
    assert set(rows) == set(Act)
    for act, cells in rows.items():
        for (history, at), cell in zip(STANDINGS, cells, strict=True):
            found = refusal(history().case, act, Actor(person, roles), Facts(at, PLAYERS, person))
            assert (found and found.code) == CODES[cell], (act, history.__name__, at)


def test_the_columns_are_all_states() -> None:
    assert {history().case.state for history, _ in STANDINGS} == set(State)


def test_who_opened_it_withdraws_it() -> None:
    """A case of the staff alone has no player: its opener may give it up, under any principal of that person."""
    case = History(player=None, opener=APPROVER).attached().case
    facts = Facts(IN_TERM, PLAYERS)
    same, other = (
        Actor(Person("somebody", APPROVER.player), frozenset({"clerk"})),
        Actor(PROPOSER.person, frozenset(STAFF)),
    )
    assert refusal(case, Act.WITHDRAW, same, facts) is None
    assert refusal(case, Act.WITHDRAW, other, facts) == (
        "not_opener",
        "a case is withdrawn by its player, or by who opened it",
    )


def test_a_verdict_without_a_player_is_closed_at_once() -> None:
    case = History(player=None, opener=APPROVER).attached().assigned().proposed().approved().case
    assert (case.state, case.appeal_until) == (State.DECIDED, None)
    assert refusal(case, Act.CLOSE, Actor(Person("x"), frozenset({"clerk"})), Facts(IN_TERM, PLAYERS)) is None


def test_nothing_attached_is_nothing_to_rest_on() -> None:
    case = History().assigned().case
    found = refusal(case, Act.PROPOSE, Actor(PROPOSER.person, frozenset({"clerk"})), Facts(IN_TERM, PLAYERS))
    assert found is not None
    assert found.code == "no_evidence"


def test_newer_evidence_stands_against_an_approval() -> None:
    case = histories.pending().attached(report="cc" * 32).case
    found = refusal(case, Act.APPROVE, Actor(APPROVER.person, frozenset({"clerk"})), Facts(IN_TERM, PLAYERS))
    assert found is not None
    assert found.code == "evidence_changed"


@pytest.mark.parametrize(
    ("assignee", "code"),
    [(Person("clerk-9"), None), (Person("clerk-3", "p2"), "conflict_of_interest"), (PROPOSER.person, "decided_before")],
)
def test_assignee(assignee: Person, code: str | None) -> None:
    actor = Actor(Person("admin-1"), frozenset({"admin"}))
    found = refusal(histories.appealed().case, Act.ASSIGN, actor, Facts(IN_TERM, PLAYERS, assignee))
    assert (found and found.code) == code


def test_acting_role() -> None:
    both = Actor(PARTY.person, frozenset({"player", "admin", "clerk"}))
    assert [acting_role(act, both) for act in (Act.STATE, Act.APPEAL, Act.NOTE)] == ["player", "player", "clerk"]


def test_withdrawing_an_appeal_lets_the_first_verdict_stand() -> None:
    case = histories.pending_again().withdrawn().case
    assert (case.state, case.pending) == (State.CLOSED, None)
    assert case.verdict is not None
    assert case.verdict.proposal.outcome == "upheld"


# -- Histories judged afterwards ---------------------------------------------------------------------------------------

LAWFUL = {
    "decided again": histories.decided_again,
    "withdrawn": histories.withdrawn,
    "refreshed": lambda: histories.in_review().attached(report="cc" * 32).proposed().approved(),
    "voided": lambda: (
        histories.pending()
        .attached(report="cc" * 32, by=APPROVER)
        .add(made.ApprovalVoided, APPROVER, proposal=3)
        .proposed()
        .approved()
    ),
}

UNLAWFUL: dict[str, tuple[Callable[[], History], int, str]] = {
    "approved by who proposed": (lambda: histories.pending().approved(PROPOSER), 4, "same_person"),
    "approved by the same person under another principal": (
        lambda: histories.opened().assigned(APPROVER).proposed(APPROVER).approved(By("admin", "x", APPROVER.player)),
        4,
        "same_person",
    ),
    "approved by a player": (lambda: histories.pending().approved(PARTY), 4, "role"),
    "approved by one who sat there": (
        lambda: histories.pending().approved(By("admin", "x", "p3")),
        4,
        "conflict_of_interest",
    ),
    "approved on newer evidence": (
        lambda: histories.pending().attached(report="cc" * 32).approved(),
        5,
        "evidence_changed",
    ),
    "another verdict than proposed": (
        lambda: histories.pending().add(
            made.VerdictApproved, APPROVER, proposal=3, outcome="dismissed", text=DIGEST, appeal_until=APPEAL_UNTIL
        ),
        4,
        "other_verdict",
    ),
    "proposed by another than the assignee": (lambda: histories.in_review().proposed(APPROVER), 3, "not_assignee"),
    "proposed on older evidence": (
        lambda: (
            histories.in_review()
            .attached(report="cc" * 32)
            .add(made.VerdictProposed, PROPOSER, outcome="upheld", text=DIGEST, evidence=1)
        ),
        4,
        "evidence_changed",
    ),
    "decided again by the same": (lambda: histories.pending_again().approved(PROPOSER), 8, "decided_before"),
    "appealed by another player": (lambda: histories.decided().appealed(By("player", "bob", "p1")), 5, "role"),
    "appealed by the staff": (lambda: histories.decided().appealed(APPROVER), 5, "role"),
    "closed before the term is over": (lambda: histories.decided().closed(), 5, "term_running"),
    "said after the end": (
        lambda: histories.withdrawn().add(made.StatementMade, PARTY, text=DIGEST),
        3,
        "wrong_state",
    ),
}


@pytest.mark.parametrize("history", LAWFUL.values(), ids=LAWFUL.keys())
def test_lawful(history: Callable[[], History]) -> None:
    assert unlawful(history().events, PLAYERS) is None


@pytest.mark.parametrize("name", UNLAWFUL)
def test_unlawful(name: str) -> None:
    history, seq, code = UNLAWFUL[name]
    found = unlawful(history().events, PLAYERS)
    assert found is not None
    assert (found.seq, found.refusal.code) == (seq, code)


def test_histories_that_are_none() -> None:
    whole = histories.decided().events
    for events in ([], whole[1:], [*whole[:2], *whole[3:]], [whole[0], whole[0]], [*whole[:3], whole[4]]):
        with pytest.raises(UnfoldableError):
            fold(events)
    with pytest.raises(UnfoldableError, match="not pending"):
        fold(
            [
                *whole[:3],
                made.VerdictRejected(case=whole[0].case, seq=3, at=minute(3), by=APPROVER, proposal=2, text=""),
            ]
        )


# -- Bytes -------------------------------------------------------------------------------------------------------------


def test_bytes_and_back() -> None:
    events = histories.decided_again().events
    assert [decode(encode(event)) for event in events] == events
    assert sorted({type(event).__name__ for event in events}) == [
        "Appealed",
        "Assigned",
        "EvidenceAttached",
        "Opened",
        "VerdictApproved",
        "VerdictProposed",
    ]


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda body: body[:-1],
        lambda body: b" " + body,
        lambda body: body.replace(b'"type":"opened"', b'"type":"shut"'),
        lambda body: body.replace(b'"seq":0', b'"seq":"0"'),
        lambda body: body.replace(b'"seq":0', b'"more":1,"seq":0'),
        lambda body: body.replace(b'"seq":0,', b""),
        lambda body: b"\xff" + body[1:],
        lambda body: b"[]",
    ],
)
def test_bytes_that_are_none(spoilt: Callable[[bytes], bytes]) -> None:
    body = encode(histories.opened().events[0])
    assert spoilt(body) != body
    with pytest.raises(CaseFormatError):
        decode(spoilt(body))
