"""A person at the dashboard of a running server: keeps the cookie and the CSRF token as a page would."""

import itertools
import json
import re

from serving import post_bytes
from support.waiting import wait_until

API = "/dashboard/api/"
PASSWORD = "a tide of gauges"


# Every person sits at a machine of their own, as people do: what an address may ask for is bounded.
machines = (f"127.77.{number // 250}.{number % 250 + 1}" for number in itertools.count())


class Person:
    def __init__(self, server, cookie=None, agent="test-browser/1"):
        self.server, self.cookie, self.csrf, self.agent = server, cookie, None, agent
        self.address = next(machines)
        self.cookie_name = "freshet_session"

    def fields(self, more=()):
        fields = [f"User-Agent: {self.agent}", *more]
        if self.cookie:
            fields.append(f"Cookie: {self.cookie_name}={self.cookie}")
        if self.csrf:
            fields.append(f"X-CSRF-Token: {self.csrf}")
        return fields

    def keep(self, answer):
        """What a browser does with the answer's cookie, and a page with the token."""
        set_cookie = answer.field("Set-Cookie")
        if set_cookie:
            self.cookie_name, value = re.match(r"((?:__Host-)?freshet_session)=([^;]*)", set_cookie).groups()
            self.cookie = value or None
            if not self.cookie:
                self.csrf = None
        if answer.status == 200 and b'"csrf_token"' in answer.body:
            self.csrf = answer.json()["csrf_token"]
        return answer

    def get(self, name, *more):
        return self.keep(self.server.get(API + name, *self.fields(more), source=self.address))

    def post(self, name, body=None, *more):
        return self.keep(self.server.exchange(
            post_bytes(API + name, body or {}, None, *self.fields(more)), source=self.address))

    def sign_up(self, email, password=PASSWORD):
        before = len(links_of(self.server, email, "verify"))
        asked = self.post("sign-up", {"email": email})
        assert asked.status == 202, asked.body
        # The log comes a moment later: an older link would be taken for the new one.
        token = link_of(self.server, email, "verify", before)
        done = self.post("verify", {"token": token, "password": password})
        assert done.status == 200, done.body
        return self

    def sign_in(self, email, password=PASSWORD):
        return self.post("sign-in", {"email": email, "password": password})


def logged_mails(server, email):
    """The mails that went to the log, as their text."""
    mails = []
    for line in server.log_text().splitlines():
        message = json.loads(line).get("message", "")
        if message.startswith(f"mail to {email} "):
            mails.append(message)
    return mails


def links_of(server, email, purpose):
    """The tokens in the mails of this purpose that the log has."""
    pattern = re.compile(rf"/dashboard/{purpose}\?token=([\w-]+)")
    return [m[1] for m in map(pattern.search, logged_mails(server, email)) if m]


def link_of(server, email, purpose, before=0):
    """The token in the last of them, of more than there were before."""
    wait_until(lambda: len(links_of(server, email, purpose)) > before)
    return links_of(server, email, purpose)[-1]
