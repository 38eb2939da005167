"""Ctrl-C at any moment, also where Python cannot let an exception out."""

from __future__ import annotations

import signal
import sys
import threading

_AGAIN = 0.01  #: seconds, by which the call that swallowed the interrupt has returned


def keep_interrupts() -> None:
    """Sees to it that no Ctrl-C of this process is lost.

    An exception in a finaliser or in the callback of a weak reference is reported and dropped, a ``KeyboardInterrupt``
    too, and a library may run either at any moment. Such an interrupt is sent to the main thread again.
    """
    report = sys.unraisablehook

    def send_again(dropped: sys.UnraisableHookArgs) -> None:
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            report(dropped)
            return
        timer = threading.Timer(_AGAIN, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
        timer.daemon = True
        timer.start()

    sys.unraisablehook = send_again
