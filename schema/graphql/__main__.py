"""``python -m schema.graphql`` writes the schema's SDL to ``schema/schema.graphql``."""

from __future__ import annotations

from schema.graphql.build import SDL_PATH, sdl

SDL_PATH.write_text(sdl(), encoding="utf-8")
