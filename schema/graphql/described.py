"""Strawberry's decorators, with every description taken from the docstring: one text for both readers."""

from __future__ import annotations

from collections.abc import Callable
from enum import EnumMeta
from inspect import cleandoc
from typing import Any, TypeVar, dataclass_transform

import strawberry

_T = TypeVar("_T", bound=type)
_E = TypeVar("_E", bound=EnumMeta)


@dataclass_transform(kw_only_default=True, field_specifiers=(strawberry.field,))
def output(cls: _T) -> _T:
    """An object type."""
    return strawberry.type(cls, description=_words(cls))


@dataclass_transform(kw_only_default=True, field_specifiers=(strawberry.field,))
def interface(cls: _T) -> _T:
    """An interface."""
    return strawberry.interface(cls, description=_words(cls))


@dataclass_transform(kw_only_default=True, field_specifiers=(strawberry.field,))
def entry(cls: _T) -> _T:
    """An input type."""
    return strawberry.input(cls, description=_words(cls))


def enumeration(cls: _E) -> _E:
    """An enumeration."""
    return strawberry.enum(cls, description=_words(cls))


def field(resolver: Callable[..., Any]) -> Any:
    """A field that is worked out when it is asked for."""
    return strawberry.field(resolver=resolver, description=_words(resolver))


def mutation(resolver: Callable[..., Any]) -> Any:
    """A field of Mutation."""
    return strawberry.mutation(resolver=resolver, description=_words(resolver))


def subscription(resolver: Callable[..., Any]) -> Any:
    """A field of Subscription."""
    return strawberry.subscription(resolver=resolver, description=_words(resolver))


def _words(thing: object) -> str:
    """The docstring as one line: how it is broken for the source is nobody else's business."""
    return " ".join(cleandoc(thing.__doc__ or "").split())
