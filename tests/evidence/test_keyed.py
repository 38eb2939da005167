"""The keyed code that streams are drawn from is HMAC-SHA-512 (``fairness.md``, step 4)."""

from __future__ import annotations

import hmac

import pytest

from replays.shuffle import Keyed

#: Around the sizes at which HMAC pads a key, takes it as it is, and hashes it first.
SIZES = (0, 1, 16, 127, 128, 129, 300)


@pytest.mark.parametrize("size", SIZES)
def test_it_is_what_the_standard_library_computes(size: int) -> None:
    key = bytes(range(256)) * 2
    keyed = Keyed(key[:size])
    for length in (0, 1, 63, 111, 112, 128, 500):
        message = b"m" * length
        assert keyed.digest(message) == hmac.digest(key[:size], message, "sha512")


def test_messages_do_not_run_into_each_other() -> None:
    keyed = Keyed(b"key")
    assert keyed.digest(b"one") != keyed.digest(b"two")
    assert keyed.digest(b"one") == keyed.digest(b"one")
