"""What the routes of one application share."""

from __future__ import annotations

from dataclasses import dataclass, field

from schema.graphql import Context
from schema.ports import Viewer
from service.access.authenticator import Authenticator
from service.access.oidc import Provider, ProviderSettings
from service.store import Store
from service.usecases.access import StoredAccess
from service.usecases.append import Intake
from service.usecases.cases import StoredCases
from service.usecases.desk import StoredDesk
from service.usecases.folds import Folds
from service.usecases.insight import StoredInsight
from service.usecases.jobs import StoredExports
from service.usecases.library import StoredLibrary
from service.usecases.links import StoredLinks
from service.usecases.notary import Notary
from service.usecases.oneoff import BoundOneOff, OneOffAudits
from service.usecases.owners import Owners
from service.usecases.players import StoredPlayers
from service.usecases.reaudit import StoredReaudits
from service.usecases.sights import Sights


@dataclass(frozen=True, slots=True)
class Parts:
    """The store, what is kept in memory of it, and who signs. Without a ``notary`` receipts bear no signature."""

    store: Store
    notary: Notary | None
    folds: Folds
    sights: Sights
    owners: Owners
    intake: Intake
    gate: Authenticator
    audits: OneOffAudits = field(default_factory=OneOffAudits)

    @classmethod
    def of(cls, store: Store, notary: Notary | None = None, provider: ProviderSettings | None = None) -> Parts:
        """The parts over a store."""
        folds = Folds(store)
        gate = Authenticator(store, None if provider is None else Provider(provider))
        return cls(store, notary, folds, Sights(folds), Owners(), Intake(store, folds), gate)

    def context(self, viewer: Viewer, request: str | None = None) -> Context:
        """The ports as a viewer may use them; ``request`` names the call in what is put on record."""
        library = StoredLibrary(self.store, self.folds, self.sights, self.owners, viewer, request)
        return Context(
            viewer=viewer,
            library=library,
            desk=StoredDesk(self.store, self.intake, self.notary, self.owners, viewer),
            exports=StoredExports(self.store, viewer),
            links=StoredLinks(self.store, viewer, request),
            oneoff=BoundOneOff(self.audits, viewer),
            insight=StoredInsight(library, self.folds),
            access=StoredAccess(self.store, self.gate, viewer),
            players=StoredPlayers(self.store, viewer),
            reaudits=StoredReaudits(self.store, library, viewer),
            cases=StoredCases(store=self.store, viewer=viewer, request=request, folds=self.folds, notary=self.notary),
        )
