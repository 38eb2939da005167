"""The ASGI application: GraphQL, health and a page that says what is served; and the server that it runs in."""

from service.api.app import create_app
from service.api.server import HostError, PortError, address, bound, serve

__all__ = ["HostError", "PortError", "address", "bound", "create_app", "serve"]
