"""Evidence bundles ``mingpai-bundle/1``: one file that proves a game without the store (``fairness.md``, "Evidence").

``make`` puts a bundle together for one receiver, ``encode`` writes it, ``verify`` re-derives everything that it shows.
"""

from service.evidence.bundles.checking import Verification, verify
from service.evidence.bundles.form import SIZE_LIMIT
from service.evidence.bundles.making import FORMAT, Sealed, encode, make
from service.evidence.bundles.steps import FAILED, OK, SKIPPED, STEPS, UNPROVEN, Step

__all__ = [
    "FAILED",
    "FORMAT",
    "OK",
    "SIZE_LIMIT",
    "SKIPPED",
    "STEPS",
    "UNPROVEN",
    "Sealed",
    "Step",
    "Verification",
    "encode",
    "make",
    "verify",
]
