"""Waiting for what comes to be true by itself."""

import time

# Far longer than anything takes on a machine that does a dozen other things: no test may depend on
# how fast it runs, and one that passes never waits it out.
PATIENCE_S = 60


def wait_until(condition, timeout_s=PATIENCE_S, told=lambda: None):
    """Answers what the condition came to be. What there is to be `told` is said with the failure."""
    end = time.monotonic() + timeout_s
    while not (held := condition()):
        assert time.monotonic() < end, f"waited in vain: {told()}"
        time.sleep(0.05)
    return held
