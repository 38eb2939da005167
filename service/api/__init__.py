"""The ASGI application: GraphQL, health and a page that says what is served; and the server that it runs in."""

from service.api.app import HOSTS, create_app
from service.api.server import PortError, address, bound, serve

__all__ = ["HOSTS", "PortError", "address", "bound", "create_app", "serve"]
