"""What the routes of one application share."""

from __future__ import annotations

from dataclasses import dataclass

from schema.graphql import Context
from schema.ports import Viewer
from service.store import Store
from service.usecases.append import Intake
from service.usecases.desk import StoredDesk
from service.usecases.folds import Folds
from service.usecases.library import StoredLibrary
from service.usecases.notary import Notary
from service.usecases.sights import Sights


@dataclass(frozen=True, slots=True)
class Parts:
    """The store, what is kept in memory of it, and who signs. Without a ``notary`` receipts bear no signature."""

    store: Store
    notary: Notary | None
    folds: Folds
    sights: Sights
    intake: Intake

    @classmethod
    def of(cls, store: Store, notary: Notary | None = None) -> Parts:
        """The parts over a store."""
        folds = Folds(store)
        return cls(store, notary, folds, Sights(folds), Intake(store, folds))

    def context(self, viewer: Viewer, request: str | None = None) -> Context:
        """The ports as a viewer may use them; ``request`` names the call in what is put on record."""
        return Context(
            viewer=viewer,
            library=StoredLibrary(self.store, self.folds, self.sights, viewer, request),
            desk=StoredDesk(self.store, self.intake, self.notary, viewer),
        )
