"""Words for people, as data: one row a thing, one column a language, in the order of ``LANGUAGES``.

No language stands in for another: a row has all of them. ``schema.catalogue`` is the way to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

#: English, Chinese in simplified and in traditional characters, by their BCP 47 tags.
LANGUAGES: tuple[str, ...] = ("en", "zh-Hans", "zh-Hant")

#: One thing in every language.
Row: TypeAlias = tuple[str, str, str]
Rows: TypeAlias = Mapping[str, Row]
