"""mingpai-shuffle/1 and wall-hash/1: the contract's vectors, the shuffles of whole logs, the stream's edges."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays import merkle, shuffle
from replays.shuffle import Shuffle, Stream, read_hex
from replays.tiles import CODES, full_set, parse
from tests.shared import contract

VECTORS: list[dict[str, Any]] = json.loads(contract("shuffle-vectors.json").read_bytes())
LOGS = sorted(contract("examples").glob("*.paipu.jsonl"))


def shuffle_of(vector: dict[str, Any]) -> Shuffle:
    return Shuffle(
        game=vector["game"],
        hand=vector["hand"],
        ruleset=vector["ruleset"],
        version=vector["version"],
        server_seed=read_hex(vector["server_seed"]),
        client_seeds=tuple((client["seat"], read_hex(client["seed"], 32)) for client in vector["client_seeds"]),
        dots=vector["dots"],
    )


@pytest.fixture(params=VECTORS, ids=lambda vector: f"{vector['game'][:8]}-{vector['ruleset']}-{vector['dots']}")
def vector(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.param
    return found


def test_vector(vector: dict[str, Any]) -> None:
    hand = shuffle_of(vector)
    assert hand.commitment.hex() == vector["commitment"]
    assert hand.transcript.hex() == vector["transcript"]
    assert " ".join(CODES[tile] for tile in hand.wall) == vector["wall"]
    assert hand.wall_root.hex() == vector["wall_root"]
    assert list(hand.break_dice) == vector["dice_break"]
    assert [list(throw) for throw in islice(hand.dice("gold"), 3)] == vector["dice_gold"]


def test_client_commitments_of_vector(vector: dict[str, Any]) -> None:
    for client in vector["client_seeds"]:
        found = shuffle.client_commitment(vector["game"], client["seat"], read_hex(client["seed"], 32))
        assert found.hex() == client["commitment"]


def test_another_member_is_another_wall(vector: dict[str, Any]) -> None:
    hand = shuffle_of(vector)
    others = [
        Shuffle(**{**vars_of(hand), "game": hand.game + " "}),
        Shuffle(**{**vars_of(hand), "hand": hand.hand + 1}),
        Shuffle(**{**vars_of(hand), "ruleset": "another"}),
        Shuffle(**{**vars_of(hand), "version": "2"}),
        Shuffle(**{**vars_of(hand), "server_seed": hand.server_seed[:-1] + bytes([hand.server_seed[-1] ^ 1])}),
        Shuffle(**{**vars_of(hand), "client_seeds": ((0, bytes(32)),)}),
    ]
    walls = {other.wall for other in others}
    assert len(walls) == len(others)
    assert hand.wall not in walls


def vars_of(hand: Shuffle) -> dict[str, Any]:
    return {name: getattr(hand, name) for name in Shuffle.__dataclass_fields__}


def hands_of(log: Path) -> list[tuple[Shuffle, list[dict[str, Any]]]]:
    """Every hand of a log: the shuffle that its last events reveal, and its events."""
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    started, found = events[0], []
    for number in sorted({event["hand"] for event in events if "hand" in event}):
        hand = [event for event in events if event.get("hand") == number]
        first = next(event for event in hand if event["type"] == "hand_started")
        revealed = next(event for event in hand if event["type"] == "wall_revealed")
        shuffled = Shuffle(
            game=started["game"],
            hand=number,
            ruleset=started["ruleset"]["id"],
            version=started["ruleset"]["version"],
            server_seed=read_hex(revealed["server_seed"]),
            client_seeds=tuple((client["seat"], read_hex(client["seed"], 32)) for client in first["client_seeds"]),
            dots=started["ruleset"]["options"].get("dots", True),
        )
        found.append((shuffled, hand))
    return found


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_log_was_shuffled_so(log: Path) -> None:
    for shuffled, events in hands_of(log):
        by_type = {event["type"]: event for event in events}
        assert shuffled.commitment.hex() == by_type["hand_started"]["commitment"]["commitment"]
        assert list(shuffled.wall) == [parse(code) for code in by_type["wall_revealed"]["wall"]]
        dealt = [event for event in events if event["type"] == "dealt"]
        assert Counter(shuffled.wall) == Counter(full_set(shuffled.dots))
        assert sum(len(event["tiles"]) for event in dealt) < len(shuffled.wall)
        for purpose in ("break", "gold"):
            thrown = [tuple(e["dice"]) for e in events if e["type"] == "dice_rolled" and e["purpose"] == purpose]
            assert thrown == list(islice(shuffled.dice(purpose), len(thrown)))
        for client in by_type["hand_started"]["client_seeds"]:
            opened = shuffle.client_commitment(shuffled.game, client["seat"], read_hex(client["seed"], 32))
            assert opened.hex() == client["commitment"]


def test_there_are_logs() -> None:
    assert len(LOGS) == 16


# The stream, against the text of steps 4 to 6 written once more in the plainest way.


def stream_bytes(seed: bytes, label: str, transcript: bytes, size: int) -> bytes:
    found = b""
    for k in range(size // 64 + 1):
        found += hmac.new(seed, label.encode() + b"\x00" + transcript + k.to_bytes(4, "big"), hashlib.sha512).digest()
    return found[:size]


SEEDS = st.binary(min_size=16, max_size=200)
TRANSCRIPTS = st.binary(min_size=32, max_size=32)


@settings(deadline=None)
@given(SEEDS, TRANSCRIPTS)
def test_uniform_256_gives_the_stream_itself(seed: bytes, transcript: bytes) -> None:
    stream = Stream(seed, "wall", transcript)
    assert bytes(stream.uniform(256) for _ in range(200)) == stream_bytes(seed, "wall", transcript, 200)


@settings(deadline=None)
@given(SEEDS, TRANSCRIPTS, st.integers(1, 256))
def test_uniform_refuses_what_would_bend_the_odds(seed: bytes, transcript: bytes, n: int) -> None:
    stream = Stream(seed, "any label", transcript)
    taken = [byte % n for byte in stream_bytes(seed, "any label", transcript, 256) if byte < 256 - 256 % n]
    assert [stream.uniform(n) for _ in taken] == taken


@settings(deadline=None)
@given(SEEDS, TRANSCRIPTS, st.integers(0, 256))
def test_shuffled_is_the_swaps_of_step_6(seed: bytes, transcript: bytes, size: int) -> None:
    stream, expected = Stream(seed, "wall", transcript), list(range(size))
    for i in range(size - 1, 0, -1):
        j = stream.uniform(i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert list(Stream(seed, "wall", transcript).shuffled(range(size))) == expected


@pytest.mark.parametrize("n", [-1, 0, 257])
def test_uniform_of_a_byte_only(n: int) -> None:
    with pytest.raises(ValueError, match="1 to 256"):
        Stream(bytes(16), "wall", bytes(32)).uniform(n)


def test_at_most_256_items_are_shuffled() -> None:
    with pytest.raises(ValueError, match="257 items"):
        Stream(bytes(16), "wall", bytes(32)).shuffled(range(257))


@settings(deadline=None)
@given(SEEDS, TRANSCRIPTS, st.booleans())
def test_wall_holds_exactly_the_set(seed: bytes, transcript: bytes, dots: bool) -> None:
    assert Counter(shuffle.wall(seed, transcript, dots)) == Counter(full_set(dots))


@settings(deadline=None)
@given(SEEDS, TRANSCRIPTS)
def test_dice_are_dice_and_two_streams(seed: bytes, transcript: bytes) -> None:
    throws = {purpose: list(islice(shuffle.dice(seed, transcript, purpose), 40)) for purpose in ("break", "gold")}
    assert all(1 <= die <= 6 for thrown in throws.values() for throw in thrown for die in throw)
    assert throws["break"] != throws["gold"]


def test_dice_have_two_purposes() -> None:
    with pytest.raises(ValueError, match="'wall'"):
        shuffle.dice(bytes(16), bytes(32), "wall")


def test_a_tile_is_shown_from_the_wall_s_root(vector: dict[str, Any]) -> None:
    hand = shuffle_of(vector)
    leaves = [shuffle.wall_leaf(hand.tile_salt(index), tile) for index, tile in enumerate(hand.wall)]
    for index in (0, 1, len(leaves) - 1):
        proof = merkle.inclusion_proof(leaves, index)
        merkle.verify_inclusion(leaves[index], index, len(leaves), proof, hand.wall_root)
        lie = shuffle.wall_leaf(hand.tile_salt(index), (hand.wall[index] + 1) % len(CODES))
        with pytest.raises(merkle.ProofError):
            merkle.verify_inclusion(lie, index, len(leaves), proof, hand.wall_root)


def test_a_commitment_is_a_leaf_of_the_game_s_root() -> None:
    seeds = [bytes([n]) * 128 for n in range(8)]
    leaves = [shuffle.commitment(hand, seed) for hand, seed in enumerate(seeds, 1)]
    text = b"mingpai-shuffle/1 commit\x00" + (3).to_bytes(4, "big") + seeds[2]
    assert leaves[2] == merkle.leaf_hash(text)
    proof = merkle.inclusion_proof(leaves, 2)
    merkle.verify_inclusion(shuffle.commitment(3, seeds[2]), 2, 8, proof, merkle.root(leaves))


def test_wall_hash() -> None:
    salt = read_hex("00112233445566778899aabbccddeeff")
    expected = hashlib.sha256(salt + b"1m,9s,7z,8f").hexdigest()
    assert shuffle.wall_hash(salt, [parse(code) for code in ("1m", "9s", "7z", "8f")]).hex() == expected


@pytest.mark.parametrize(("size", "guessable"), [(0, True), (1, True), (15, True), (16, False), (128, False)])
def test_guessable_f_guess_1(size: int, guessable: bool) -> None:
    assert shuffle.is_guessable(bytes(size)) is guessable


@pytest.mark.parametrize("size", [1, 15, 16, 64, 127, 128, 129, 300])
def test_seeds_of_any_length_work(size: int) -> None:
    seed = bytes(range(256)).ljust(300, b"s")[:size]
    hand = Shuffle("g", 1, "any", "1", seed)
    stream = stream_bytes(seed, "wall", hand.transcript, 1000)
    numbers = iter(stream)
    row = list(full_set())
    for i in range(143, 0, -1):
        j = next(byte for byte in numbers if byte < 256 - 256 % (i + 1)) % (i + 1)
        row[i], row[j] = row[j], row[i]
    assert hand.wall == tuple(row)


def test_client_seeds_count_by_seat_whatever_their_order() -> None:
    seeds = ((2, b"c" * 32), (0, b"a" * 32), (1, b"b" * 32))
    one, other = Shuffle("g", 1, "r", "1", bytes(16), seeds), Shuffle("g", 1, "r", "1", bytes(16), seeds[::-1])
    assert one.transcript == other.transcript


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"client_seeds": ((0, b"a" * 32), (0, b"b" * 32))}, "two client seeds"),
        ({"client_seeds": ((0, b"a" * 31),)}, "31 bytes"),
        ({"client_seeds": ((0, b"a" * 33),)}, "33 bytes"),
        ({"client_seeds": ((-1, b"a" * 32),)}, "seat -1"),
        ({"client_seeds": ((256, b"a" * 32),)}, "seat 256"),
        ({"hand": -1}, "hand -1"),
        ({"hand": 2**32}, "hand 4294967296"),
    ],
)
def test_what_does_not_fit_the_protocol(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _ = Shuffle(**{**vars_of(Shuffle("g", 1, "r", "1", bytes(16))), **change}).transcript


def test_a_transcript_takes_a_whole_commitment() -> None:
    with pytest.raises(ValueError, match="31 bytes"):
        shuffle.transcript("g", 1, "r", "1", bytes(31))


@pytest.mark.parametrize("text", ["A0", "a", "0x10", " a0", "a0 ", "a0\n", "a 0b", "g0", "٠٠", "a0 b0"])
def test_hex_is_read_strictly(text: str) -> None:
    with pytest.raises(ValueError, match="hex"):
        read_hex(text)


@settings(deadline=None)
@given(st.binary(max_size=64))
def test_hex_round_trips(raw: bytes) -> None:
    assert read_hex(raw.hex()) == read_hex(raw.hex(), len(raw)) == raw
    with pytest.raises(ValueError, match="expected"):
        read_hex(raw.hex(), len(raw) + 1)
