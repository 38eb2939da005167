"""The GraphQL schema: types here, and fields that call the ports of ``schema.ports`` through ``info.context``."""

from schema.graphql.build import SDL_PATH, schema, sdl
from schema.graphql.context import Context

__all__ = ["SDL_PATH", "Context", "schema", "sdl"]
