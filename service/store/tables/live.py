"""Audits of games that go on (revision 0005)."""

from __future__ import annotations
