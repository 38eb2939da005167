"""Sessions of browsers: how long they last, their cookie and their token against requests of other sites."""

from __future__ import annotations

import hmac

from service.access.keys import Token

#: Seconds after which a session ends, whatever it does.
SESSION_SECONDS = 12 * 3600
#: Seconds without a request after which it ends.
IDLE_SECONDS = 3600
#: The cookie that holds a session's token.
COOKIE = "mingpai_session"

_PURPOSE = b"mingpai csrf/1"


def csrf_token(session: Token) -> str:
    """What a session's requests bear in ``x-csrf-token``: made of the secret, so that nothing has to be kept."""
    return hmac.new(session.secret, _PURPOSE, "sha256").hexdigest()
