"""What opens the service to its bearer: API keys ``mp_<id>_<secret>``, and the tokens of sessions in the same form.

The id is no secret and names the key everywhere; of the secret only its SHA-256 is kept. It is 32 random bytes, so a
plain hash is as good as a slow one.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256

from schema.ports import Role

_ID_SIZE = 8  #: bytes
_SECRET_SIZE = 32  #: bytes
_FORM = re.compile(rf"(m[ps])_([0-9a-f]{{{2 * _ID_SIZE}}})_([0-9a-f]{{{2 * _SECRET_SIZE}}})")


class Kind(Enum):
    """What a token is; the value is how its text begins."""

    KEY = "mp"
    SESSION = "ms"


@dataclass(frozen=True, slots=True)
class Token:
    """An id and its secret (32 bytes), which only ``text`` shows."""

    kind: Kind
    id: str
    secret: bytes = field(repr=False)

    @classmethod
    def new(cls, kind: Kind) -> Token:
        """A token that nobody has had before."""
        return cls(kind, secrets.token_hex(_ID_SIZE), secrets.token_bytes(_SECRET_SIZE))

    @classmethod
    def parse(cls, text: str) -> Token | None:
        """The token that a text is, ``None`` if it is none."""
        match = _FORM.fullmatch(text)
        return None if match is None else cls(Kind(match[1]), match[2], bytes.fromhex(match[3]))

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the secret: all that is kept of it."""
        return sha256(self.secret).digest()

    @property
    def text(self) -> str:
        """The token as its bearer sends it."""
        return f"{self.kind.value}_{self.id}_{self.secret.hex()}"


def new_principal_id() -> str:
    """An id for a principal; random, for it stands in records that others read."""
    return f"p-{secrets.token_hex(_ID_SIZE)}"


def role_names(roles: frozenset[Role]) -> list[str]:
    """Roles as they are stored: their words, in order."""
    return sorted(role.value for role in roles)
