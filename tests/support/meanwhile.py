"""Callers that go on while something changes."""

import concurrent.futures
import threading

CALLERS = 8


def told_meanwhile(call_on, change):
    """All that the callers were told while `change` ran: `call_on(is_over)` calls until the event is set, and returns
    a list."""
    is_over = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
        callers = [pool.submit(call_on, is_over) for _ in range(CALLERS)]
        try:
            change()
        finally:
            is_over.set()
        return [status for one in callers for status in one.result()]
