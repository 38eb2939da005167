"""Exports that take long (revision 0006)."""

from __future__ import annotations
