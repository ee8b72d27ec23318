"""Callers that go on while something changes."""

import concurrent.futures
import http.client
import json
import threading
import urllib.error
import urllib.request

CALLERS = 8


def status_of(url, key, endpoint, /, **parameters):
    """Of a call; what went wrong where nobody answers."""
    wanted = urllib.request.Request(f"{url}/v1/{endpoint}", json.dumps(parameters).encode(),
                                    {"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(wanted, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code
    except (OSError, http.client.HTTPException) as cut:
        return repr(cut)


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
