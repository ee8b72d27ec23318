"""Callers that spend an account's credits at several servers, and what each call was told, by its name: so that a book
can be held against it, call by call."""

import collections
import concurrent.futures
import http.client
import itertools
import json
import threading
import time
import urllib.parse

from support.waiting import PATIENCE_S

NAMES = itertools.count(1)
# Before the next call of one who was told to come again, or was not answered.
PAUSE_S = 0.1


class Told:
    """What callers were told of their calls; a status of None: nobody answered."""

    def __init__(self):
        self.by_name, self.charged, self.lock = {}, 0, threading.Lock()

    def put(self, name, status):
        with self.lock:
            self.by_name[name] = status
            self.charged += status == 200

    def names(self, *statuses):
        return {name for name, status in self.by_name.items() if status in statuses}

    def counts(self):
        return collections.Counter(self.by_name.values())

    def expect_in_book(self, charged):
        """Every call that was told as charged is charged, once; of the others only those that nobody answered can be. A
        server that stood still while it fetched the page is told that its site was too late."""
        assert set(self.by_name.values()) <= {200, 402, 429, 503, 504, None}, self.counts()
        assert len(charged) == len(set(charged)), "a call was charged twice"
        unpaid = self.names(200) - set(charged)
        assert not unpaid, f"{len(unpaid)} calls that were answered are not in the book"
        refused = set(charged) - self.names(200, None)
        assert not refused, f"charged, and told {[self.by_name.get(name) for name in refused]}"


class Caller:
    """One who calls one server, over a connection that stays."""

    def __init__(self, url, key, page):
        self.host, self.key, self.page = urllib.parse.urlsplit(url).netloc, key, page
        self.connection = None

    def call(self, told):
        """The status."""
        name = f"call-{next(NAMES)}"
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.host, timeout=2 * PATIENCE_S)
            self.connection.request("POST", "/v1/scrape/markdown", json.dumps({"url": self.page}),
                                    {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json",
                                     "X-Request-Id": name})
            answer = self.connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            self.close()
            status = None
        told.put(name, status)
        return status

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class Gate:
    """Lets nobody by while so many calls were charged, so that what befalls them does so amid calls."""

    def __init__(self, told, limit):
        self.told, self.limit = told, limit

    def let_by(self):
        while self.told.charged >= self.limit:
            time.sleep(PAUSE_S / 4)


def spend(callers, told, gate=None, is_over=lambda: False):
    """All of them call, each until it is told that there are no more credits, or is not served once it is over."""
    def spend_on(caller):
        try:
            while True:
                if gate is not None:
                    gate.let_by()
                status = caller.call(told)
                if status == 402 or (status != 200 and is_over()):
                    return
                if status != 200:
                    time.sleep(PAUSE_S)
        finally:
            caller.close()

    with concurrent.futures.ThreadPoolExecutor(len(callers)) as pool:
        list(pool.map(spend_on, callers))
