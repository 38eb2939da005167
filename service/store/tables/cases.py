"""Disputes (revision 0004)."""

from __future__ import annotations
