"""Principals, keys and sessions (revision 0003)."""

from __future__ import annotations
