"""The rule sets that there are. A new one is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from weakref import WeakValueDictionary

from replays.digest import resolved_digest
from replays.rulebook import Option, OptionError, Options, Rulebook, resolve
from replays.variants import longyan, xiamen


class Variant:
    """What the registry knows of a rule set: its version, its options, and how to build its book."""

    def __init__(self, version: str, options: Mapping[str, Option], build: Callable[[str, Options, str], Rulebook]):
        self.version = version
        self.options = options
        self.build = build


REGISTRY: Mapping[str, Variant] = MappingProxyType(
    {
        xiamen.ID: Variant(xiamen.VERSION, xiamen.OPTIONS, xiamen.build),
        longyan.ID: Variant(longyan.VERSION, longyan.OPTIONS, longyan.build),
    }
)


def rulebook(ruleset: str, version: str, options: Options) -> Rulebook:
    """The rule book of ``ruleset`` in ``version`` under ``options`` (those that differ from the defaults).

    The same record gives the same object. Raises ``OptionError`` for what is not known.
    """
    given = tuple([(name, type(value), value) for name, value in options.items()])  # True and 1 are not the same
    try:
        return _known(ruleset, version, given)
    except TypeError:  # a value that cannot be hashed, and is no option's either
        return _resolved(ruleset, version, options)


@lru_cache(maxsize=256)
def _known(ruleset: str, version: str, given: tuple[tuple[str, type, object], ...]) -> Rulebook:
    return _resolved(ruleset, version, {name: value for name, _, value in given})


def _resolved(ruleset: str, version: str, options: Options) -> Rulebook:
    variant = REGISTRY.get(ruleset)
    if variant is None:
        raise OptionError(f"no rule set {ruleset!r}; known: {', '.join(sorted(REGISTRY))}")
    if version != variant.version:
        raise OptionError(f"no version {version!r} of rule set {ruleset}; known: {variant.version}")
    return _built(ruleset, version, resolve(variant.options, options, ruleset))


#: Every book that somebody still holds, by its digest: equal records have one book.
_BOOKS: WeakValueDictionary[str, Rulebook] = WeakValueDictionary()


def _built(ruleset: str, version: str, resolved: Mapping[str, object]) -> Rulebook:
    digest = resolved_digest(ruleset, version, resolved)
    known = _BOOKS.get(digest)
    if known is not None:
        return known
    return _BOOKS.setdefault(digest, REGISTRY[ruleset].build(ruleset, MappingProxyType(dict(resolved)), digest))
