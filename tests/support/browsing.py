"""A browser of our own: headless Chromium, watched for whatever a page must not do."""

import json
import os
import pathlib
import re

from support.waiting import wait_until

# Nothing is drawn with a graphics card, and no process is started for a page that may come. What V8 would
# optimise is gone before it pays.
FLAGS = ("--no-sandbox --disable-gpu --in-process-gpu --disable-software-rasterizer --disable-quic "
         "--js-flags=--no-turbofan "
         "--disable-features=SpareRendererForSitePerProcess --no-first-run "
         "--disable-background-networking --disable-component-update --disable-sync").split()
# The one that draws no windows takes half the processor time.
PLACES = ("/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium")
CHROMIUM = next(filter(os.path.exists, PLACES), PLACES[-1])
PASSWORD = "correct horse battery"


def why_not():
    """Why there can be no browser; "" if there can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright (tests/requirements.txt) is out of reach"
    return "" if os.path.exists(CHROMIUM) else "there is no " + CHROMIUM


def expect(what, message=None):
    """What a page comes to show: waits for it, where reading once would race the page."""
    from playwright import sync_api

    return sync_api.expect(what, message)


class Watch:
    """What the pages of a context did that no page may: errors, other hosts, refused content."""

    def __init__(self, context, base_url):
        self.base_url = base_url
        self.wrong = []
        self.statuses = []
        context.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " event => console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI))"
        )
        context.on("request", self.on_request)
        context.on("response", lambda answer: self.statuses.append((answer.status, answer.url)))
        context.on("console", self.on_console)
        context.on("weberror", lambda failed: self.wrong.append(f"uncaught: {failed.error}"))

    def on_request(self, request):
        if not request.url.startswith((self.base_url + "/", "data:", "blob:" + self.base_url)):
            self.wrong.append("a request to another host: " + request.url)

    def on_console(self, message):
        if message.type not in ("error", "warning"):
            return
        # The browser's own line for an answer of 4xx, which a test looks at by itself.
        refused = re.match(r"Failed to load resource: .* status of 4\d\d", message.text)
        if not (refused and "/dashboard/api/" in message.location.get("url", "")):
            self.wrong.append(f"console {message.type}: {message.text}")


class Axe:
    """axe-core from the build's packages."""

    def __init__(self, app):
        self.script = (app / "node_modules/axe-core/axe.min.js").read_text()

    def violations(self, page):
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate("() => {" + self.script + "}")
        # Every rule is tried; only of what is told the elements are described, which takes longest.
        passed, violations = page.evaluate(
            "() => axe.run({resultTypes: ['violations']}).then(all => [all.passes.length, all.violations])")
        assert passed > 10, "axe has looked at nothing"
        return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in violations]


def link_from_log(server, email, what):
    """The last link that the server's log has for an address: "verify" or "reset"."""
    wanted = re.compile(re.escape(server.url) + r"/dashboard/" + what + r"\?token=[\w-]+")

    def links():
        lines = pathlib.Path(server.log_path).read_text().splitlines()
        return [link for line in lines if f"mail to {email}" in line for link in wanted.findall(line)]

    wait_until(links)  # a thread of the server's writes its log
    return links()[-1]


class Visitor:
    """One person in a browser context."""

    def __init__(self, context, server, watch):
        self.context, self.server, self.watch = context, server, watch
        self.page = context.new_page()
        self.page.set_default_timeout(15000)

    def open(self, path):
        self.page.goto(self.server.url + path)
        self.page.wait_for_load_state("networkidle")
        return self.page

    def sign_up(self, email, password=PASSWORD):
        """Up to the first keys, as a person does it; returns the live and the test key."""
        page = self.open("/dashboard/sign-up")
        page.get_by_label("E-mail address").fill(email)
        page.get_by_role("button", name="Create account").click()
        page.get_by_text("stands in its log").wait_for()
        page.goto(link_from_log(self.server, email, "verify"))
        page.get_by_label("Password", exact=True).fill(password)
        page.get_by_role("button", name="Set it and sign in").click()
        live = page.get_by_label("Live key", exact=True).inner_text()
        test = page.get_by_label("Test key", exact=True).inner_text()
        return live, test

    def start_with_link(self, email, password=PASSWORD):
        """Signs in to an account that the operator makes: mails to one address are few an hour."""
        self.server.account(email)
        page = self.open(self.server.run("accounts", "link", email).removeprefix(self.server.url))
        page.get_by_label("New password", exact=True).fill(password)
        page.get_by_role("button", name="Set it and sign in").click()
        page.get_by_role("button", name="Sign out").wait_for()

    def sign_in(self, email, password=PASSWORD):
        page = self.open("/dashboard/sign-in")
        page.get_by_label("E-mail address").fill(email)
        page.get_by_label("Password", exact=True).fill(password)
        page.get_by_role("button", name="Sign in").click()
        return page

    def balance(self):
        """What the overview says."""
        page = self.open("/dashboard")
        shown = page.locator(".numbers strong").first.inner_text()
        return int(shown.replace(",", ""))


def api(page, path, body=None, headers=None):
    """A call of the dashboard's interface from within the page; status and JSON."""
    script = """async ([path, body, headers]) => {
      const init = body === null ? {} : {method: 'POST', body: JSON.stringify(body),
        headers: {'Content-Type': 'application/json', ...headers}};
      const answer = await fetch('/dashboard/api/' + path, init);
      return [answer.status, await answer.text()];
    }"""
    status, text = page.evaluate(script, [path, body, headers or {}])
    return status, json.loads(text)
