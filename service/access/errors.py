"""Credentials that do not open the service. No text says which part of them was wrong, nor holds any of them."""

from __future__ import annotations


class CredentialsError(Exception):
    """Credentials that are sent and not good: unknown, expired, revoked or malformed."""

    status = 401  #: of the answer
    code = "UNAUTHENTICATED"

    def __init__(self, message: str = "These credentials are not good.") -> None:
        super().__init__(message)


class SignedOutError(CredentialsError):
    """The cookie of a session that is over, or never was."""

    def __init__(self) -> None:
        super().__init__("This session is over: sign in again.")


class CrossSiteError(CredentialsError):
    """A session's request that another site may have made its browser send."""

    status = 403
    code = "FORBIDDEN"


class ProviderError(CredentialsError):
    """The identity provider cannot be asked, so nobody knows whether these credentials are good."""

    status = 503
    code = "UNAVAILABLE"
