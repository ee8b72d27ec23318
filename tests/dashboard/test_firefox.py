"""The journeys in a second browser, Debian's Firefox: from signing up to the first call in the log, a
failure found, repeated and mended, an answer with its pictures, keys, the ledger, an operator's grant,
a lost password, a second factor, the keyboard alone, the docs, what is saved and copied, and with --all
each page in both themes."""

import csv
import http.server
import json
import shutil
import threading
import time
import urllib.error
import urllib.request

import pytest
import test_every_page
from support import browsing
from support.freshet import Freshet
from support.ports import free_port
from support.reach import need_module, need_program, out_of_reach

FIREFOX = "/usr/bin/firefox-esr"
# As WebDriver has them.
CONTROL, TAB, ENTER, ESCAPE, RIGHT = "\ue009", "\ue004", "\ue007", "\ue00c", "\ue014"
PATIENCE_S = 6


class Page:
    """What the journeys need of Firefox, waiting for it as a person would."""

    def __init__(self, driver):
        self.driver = driver

    def run(self, script, *arguments):
        return self.driver.execute_script(script, script_args=arguments)

    def wait(self, script, *arguments):
        """Until the script gives something true; a page that is being left gives nothing."""
        end = time.monotonic() + PATIENCE_S
        while True:
            found = self.run("try { " + script + " } catch (failure) { return null; }", *arguments)
            if found:
                return found
            assert time.monotonic() < end, (script, arguments, self.run("return document.body.innerText"))
            time.sleep(0.1)

    def go(self, url):
        self.driver.navigate(url)
        self.wait("return document.querySelector('main h1') !== null")

    def see(self, text, within="main"):
        self.wait("return document.querySelector(arguments[1]).innerText.includes(arguments[0])", text, within)

    def click(self, selector, text=""):
        one = self.wait(
            "return [...document.querySelectorAll(arguments[0])].find("
            "  one => one.textContent.trim().startsWith(arguments[1]) && one.checkVisibility())", selector, text)
        self.run("arguments[0].scrollIntoView({block: 'center'})", one)
        one.click()

    def type(self, selector, text):
        one = self.wait("return document.querySelector(arguments[0])", selector)
        one.send_keys(CONTROL, "a")
        one.send_keys(text)

    def gone(self, selector):
        self.wait("return document.querySelector(arguments[0]) === null", selector)

    def fill(self, label, text, within="main"):
        """The field that people know by this name."""
        one = self.wait(
            "return [...document.querySelectorAll(arguments[1] + ' label')].find("
            "  one => one.textContent.trim().startsWith(arguments[0]) && one.checkVisibility())?.control",
            label, within)
        one.send_keys(CONTROL, "a")
        one.send_keys(text)
        return one

    def choose(self, label, value):
        chosen = self.wait(
            "const one = [...document.querySelectorAll('label')].find("
            "  one => one.textContent.trim().startsWith(arguments[0]) && one.checkVisibility())?.control;"
            "if (!one) return false; one.value = arguments[1];"
            "one.dispatchEvent(new Event('change', {bubbles: true})); return one.value === arguments[1]",
            label, value)
        assert chosen

    def press(self, *keys, held=""):
        """As at a keyboard, wherever the focus is."""
        from marionette_driver.marionette import ActionSequence

        typed = ActionSequence(self.driver, "key", "keyboard")
        if held:
            typed.key_down(held)
        for key in "".join(keys):
            typed.key_down(key).key_up(key)
        if held:
            typed.key_up(held)
        typed.perform()

    def press_until(self, found, key, most=80):
        for _ in range(most):
            if self.run(f"const on = document.activeElement; return {found}"):
                return
            self.press(key)
        raise AssertionError(f"{key} never reaches {found}")

    def sign_in(self, place, email, operator=False):
        """Somebody whose account was made for them, by the link that sets a password."""
        self.driver.delete_all_cookies()
        place.run("accounts", "create", email, *(["--operator"] if operator else []))
        self.go(place.run("accounts", "link", email))
        self.type("input[type=password]", browsing.PASSWORD)
        self.click("button[type=submit]")
        self.wait("return document.querySelector('main h1').innerText === 'Overview'")

    def save_into(self, folder):
        """Where what is downloaded goes, without a question."""
        self.driver.set_pref("browser.download.folderList", 2)
        self.driver.set_pref("browser.download.dir", str(folder))
        self.driver.set_pref("browser.download.alwaysOpenPanel", False)

    def text(self, selector):
        return self.wait("return document.querySelector(arguments[0]).innerText", selector)


def saved_in(folder, pattern):
    """What has been downloaded, once it is whole: until then its name ends in .part."""
    end = time.monotonic() + PATIENCE_S
    while True:
        found = [path for path in folder.glob(pattern) if path.stat().st_size > 0]
        if found and not list(folder.glob("*.part")):
            return found[0].read_text()
        assert time.monotonic() < end, list(folder.iterdir())
        time.sleep(0.1)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    driver = need_module("marionette_driver.marionette",
                         "marionette-driver (tests/requirements.txt) is out of reach")
    if shutil.which(FIREFOX) is None:
        out_of_reach("there is no " + FIREFOX)
    running = driver.Marionette(bin=FIREFOX, headless=True, port=free_port(), startup_timeout=180,
                                gecko_log=str(tmp_path_factory.mktemp("gecko") / "gecko.log"))
    running.start_session()
    yield Page(running)
    running.quit()
    running.cleanup()


@pytest.fixture(scope="module")
def place(app, tmp_path_factory):
    need_program()
    running = Freshet(tmp_path_factory.mktemp("firefox") / "data", "requests.bodies_hours=24",
                      "scrape.allow_private=127.0.0.0/8")
    yield running
    assert running.stop() == 0, running.log_path.read_text()


def test_from_nothing_to_a_call_in_the_log(firefox, place):
    page = firefox
    page.go(place.url + "/")
    page.click("a", "Create account")
    page.type("input[type=email]", "fox@example.org")
    page.click("button[type=submit]")
    page.click("a.button", "Choose a password")  # there is no mail, and we are at its machine
    page.type("input[type=password]", browsing.PASSWORD)
    page.click("button[type=submit]")
    test_key = page.text("code[aria-label='Test key']")
    page.see("Waiting for your call")
    assert place.call("forum/search", test_key, q="climate", limit=3).status == 200
    page.see("We see your call")
    page.click("a", "Open it")
    page.see("forum/search", "dialog")


def test_a_failure_is_found_repeated_and_mended(firefox, place):
    page = firefox
    key = place.key("fox@example.org", "--test")
    assert place.call("news/search", key, q="climate", since="24x").status == 400
    page.go(place.url + "/dashboard/requests?status=failed")
    page.click("table.rows a", "news/search")
    page.see("unknown unit", "dialog")
    page.click("dialog a", "Again in the playground")
    page.wait("return document.querySelector('input[name=since]').value === '24x'")
    page.type("input[name=since]", "30d")
    page.click("form button[type=submit]", "Run")
    page.wait("return document.querySelectorAll('.item').length > 0")
    page.see("0 credits", ".answer .live")


def test_videos_have_their_pictures(firefox, place):
    page = firefox
    page.go(place.url + "/dashboard/playground/shortvideo/search")
    page.click("form button[type=submit]", "Run")
    page.wait("return document.querySelector('.tile .still-picture').naturalWidth > 0")
    page.click("[role=tab]", "JSON")
    page.see('"data"', ".code.json")


def test_keys_have_budgets_successors_and_an_end(firefox, place, site):
    page = firefox
    page.sign_in(place, "keys@example.org")
    page.go(place.url + "/dashboard/keys")
    page.click("button", "Create key")
    page.fill("Name", "the laptop", "dialog")
    page.fill("Expires", "tomorrow", "dialog")
    page.click("dialog button[type=submit]", "Create")
    page.wait("return document.querySelector('dialog .field-error') !== null")
    assert page.run("return document.activeElement.getAttribute('aria-invalid')") == "true"
    page.fill("Expires", "30d", "dialog")  # what was right is still there
    page.fill("Monthly budget", "1", "dialog")
    page.click("dialog button[type=submit]", "Create")
    key = page.text("dialog code[aria-label='New key']")
    page.click("dialog button", "I have copied it")
    page.gone("dialog")
    assert place.call("scrape/markdown", key, url=site).status == 200
    assert place.call("scrape/markdown", key, url=site + "?b").json["code"] == "key_budget_exceeded"
    page.go(place.url + "/dashboard/keys")
    page.see("1 of 1")
    page.click("button", "Rotate")
    page.click("dialog button[type=submit]", "Create successor")
    assert page.text("dialog code[aria-label='New key']") != key
    page.press(ESCAPE)
    page.gone("dialog")
    page.click("tr button", "Revoke")
    page.click("dialog button[type=submit]", "Revoke it")
    page.see("1 key revoked or expired")


def test_the_ledger_is_filtered_and_verified(firefox, place, site):
    page = firefox
    page.sign_in(place, "books@example.org")
    live = place.key("books@example.org")
    for n in range(2):
        assert place.call("scrape/markdown", live, url=f"{site}?books={n}").status == 200
    page.go(place.url + "/dashboard/ledger")
    page.wait("return document.querySelectorAll('table.rows tbody tr').length === 3")
    page.choose("Kind", "grant")
    page.click("button", "Filter")
    page.wait("return document.querySelectorAll('table.rows tbody tr').length === 1")
    page.click("button", "Verify the ledger")
    page.see("3 entries verified")


def test_an_operator_gives_credits(firefox, place):
    page = firefox
    place.account("poor@example.org")
    page.sign_in(place, "boss@example.org", operator=True)
    page.go(place.url + "/dashboard/operator/accounts")
    page.fill("Find an account", "poor@")
    page.click("button", "Search")
    page.wait("return document.querySelectorAll('table.rows tbody tr').length === 1")
    page.click("tr button", "Grant")
    page.fill("Credits", "250", "dialog")
    page.fill("Reason", "for the pilot", "dialog")
    page.click("dialog button[type=submit]", "Give the credits")
    page.see("poor@example.org was given 250 credits")
    page.see("1,250")
    page.go(place.url + "/dashboard/operator/audit")
    page.see("credits.grant")


def test_alerts_are_chosen_and_tried(firefox, place):
    page = firefox
    page.sign_in(place, "alerted@example.org")
    page.go(place.url + "/dashboard/account")
    page.click("button", "Send a test alert")
    page.see("sends no alerts by mail")
    page.fill("Webhook", "https://hooks.invalid/freshet")
    page.click("button[type=submit]", "Save alerts")
    assert page.text("code[aria-label='Signing secret']").startswith("whsec_")
    page.click("button", "Send a test alert")
    page.see("A test is on its way to https://hooks.invalid/freshet")
    page.click("button", "Send a test alert")
    page.see("within the last minute")


def test_a_second_factor_and_a_lost_password(firefox, place):
    pyotp = need_module("pyotp", "what plays the authenticator")
    page = firefox
    page.sign_in(place, "factor@example.org")
    page.go(place.url + "/dashboard/account")
    page.click("section h2", "Second factor")
    page.wait("return [...document.querySelectorAll('section.card')].find(one => one.innerText.startsWith("
              "'Second factor')).querySelector('input')").send_keys(browsing.PASSWORD)
    page.click("button", "Turn it on")
    page.wait("return document.querySelector('svg[aria-label=\"QR code for an authenticator\"], "
              "[role=img][aria-label=\"QR code for an authenticator\"]')")
    page.fill("Code", pyotp.TOTP(page.text("section.card .factor code, section.card code")).now())
    page.click("button", "Confirm")
    codes = page.wait("return [...document.querySelectorAll('[aria-label=\"Recovery codes\"] li')]"
                      ".map(one => one.innerText)")
    assert len(set(codes)) == 10
    page.click("button", "I have kept them")
    # The password is lost: the link sets another, and the second factor is asked for all the same.
    page.driver.delete_all_cookies()
    page.go(place.run("accounts", "link", "factor@example.org"))
    page.type("input[type=password]", "another long password")
    page.click("button[type=submit]")
    page.fill("Code", codes[0])
    page.click("button[type=submit]")
    page.wait("return document.querySelector('main h1').innerText === 'Overview'")


def test_with_the_keyboard_alone(firefox, place):
    page = firefox
    page.sign_in(place, "typist@example.org")
    page.press_until("on.textContent === 'Playground'", TAB)
    page.driver.switch_to_window(page.driver.current_window_handle, focus=True)
    page.wait("return document.hasFocus()")
    assert page.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.press(ENTER)
    page.press_until("on.name === 'q'", TAB)
    page.press("a", held=CONTROL)
    page.press("climate", ENTER)
    page.wait("return document.querySelectorAll('.item').length > 0")
    page.press_until("on.role === 'tab' && on.textContent === 'Cards'", TAB)
    page.press(RIGHT)
    assert page.run("return document.activeElement.textContent") == "Map"
    page.press("k", held=CONTROL)
    page.wait("return document.activeElement.role === 'combobox'")
    page.press("ledg", ENTER)
    page.wait("return document.querySelector('main h1').innerText === 'Ledger'")


def test_a_call_is_shared_by_its_address(firefox, place):
    page = firefox
    page.go(place.url + "/dashboard/playground/news/search")
    page.type("input[name=q]", "climate")
    page.click("form button", "Month")
    page.click("form button[type=submit]", "Run")
    page.wait("return document.querySelectorAll('.item').length > 0")
    page.driver.refresh()
    page.wait("return document.querySelectorAll('.item').length > 0")
    assert page.run("return document.querySelector('input[name=since]').value") == "30d"


def test_the_docs_are_searched(firefox, place):
    page = firefox
    page.driver.delete_all_cookies()
    page.go(place.url + "/docs")
    page.fill("Search the docs", "firecrawl", "body")
    page.click("[role=search] a", "Moving from Firecrawl or Tavily")
    page.wait("return document.querySelector('main h1').innerText === 'Moving from Firecrawl or Tavily'")
    page.click("main nav a, nav.docs-nav a", "Errors")
    page.click("a", "rate_limited")
    page.see("429")


def test_the_ledger_and_the_account_are_saved(firefox, place, site, tmp_path):
    page = firefox
    page.save_into(tmp_path)
    page.sign_in(place, "saved@example.org")
    assert place.call("scrape/markdown", place.key("saved@example.org"), url=site + "?saved").status == 200
    page.go(place.url + "/dashboard/ledger")
    page.click("button", "Export as CSV")
    rows = list(csv.DictReader(saved_in(tmp_path, "*.csv").splitlines()))
    assert [(int(row["amount"]), int(row["balance"])) for row in rows] == [(-1, 999), (1000, 1000)]
    page.go(place.url + "/dashboard/account")
    page.click("button", "Export")
    assert "saved@example.org" in json.dumps(json.loads(saved_in(tmp_path, "*.json")))


def test_what_a_guide_shows_can_be_copied(firefox, place):
    page = firefox
    page.go(place.url + "/docs/guides/first-calls")
    page.wait("return [...document.querySelectorAll('button')].filter("
              "  one => one.textContent.startsWith('Copy'))[1]").click()
    page.go(place.url + "/docs")
    page.click("input[type=search]")
    page.press("v", held=CONTROL)
    page.wait("return document.querySelector('input[type=search]').value.includes('/v1/forum/search')")


@pytest.fixture
def slow(place):
    """Its address by a connection over which no script comes until the event is set, and that."""
    may_come = threading.Event()

    class Slow(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path.endswith(".js"):
                may_come.wait(3 * PATIENCE_S)
            try:
                with urllib.request.urlopen(place.url + self.path, timeout=10) as answer:
                    body, fields, status = answer.read(), answer.headers, answer.status
            except urllib.error.HTTPError as failed:
                body, fields, status = failed.read(), failed.headers, failed.code
            self.send_response(status)
            for name in ("Content-Type", "Content-Security-Policy"):
                self.send_header(name, fields.get(name, ""))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_address[1]}", may_come
    may_come.set()
    running.shutdown()
    thread.join()
    running.server_close()


def test_the_frame_is_there_before_the_script(firefox, slow):
    page, (url, may_come) = firefox, slow
    page.run("location.href = arguments[0]", url + "/docs/errors")  # waits for no page
    page.wait("return location.href.startsWith(arguments[0])"
              " && document.querySelector('.loading').checkVisibility()", url)
    assert page.text(".brand") == "Freshet" and page.text(".loading") == "Loading…"
    where = "return JSON.stringify(document.querySelector('.brand').getBoundingClientRect())"
    before = page.run(where)
    may_come.set()
    page.see("Errors", "main h1")
    assert page.run(where) == before and page.run("return document.querySelectorAll('.brand').length") == 1


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_fits_and_has_no_barriers(firefox, place, app, theme):
    page = firefox
    axe = (app / "node_modules/axe-core/axe.min.js").read_text()
    page.sign_in(place, f"{theme}@example.org", operator=True)
    page.run("localStorage.setItem('freshet-theme', arguments[0])", theme)
    found = {}
    for name, path in {**test_every_page.OPEN, **test_every_page.SIGNED_IN}.items():
        page.go(place.url + path)
        if name.startswith("playground"):
            page.click("form button[type=submit]", "Run")
            page.wait("return document.querySelectorAll('.item').length > 0")
        page.gone(".loading")
        for width in (1440, 1024, 500):  # its window is not narrower
            page.driver.set_window_rect(width=width, height=900)
            wide, room = page.run("return [document.documentElement.scrollWidth, innerWidth]")
            if wide > room:
                found[name, width] = f"{wide} pixels wide"
        wrong = page.driver.execute_async_script(
            axe + "; const told = arguments[0]; window.axe.run({resultTypes: ['violations']}).then("
            "all => told(all.violations.map(one => [one.id, one.nodes[0].html.slice(0, 200)])))")
        if wrong:
            found[name] = wrong
    page.driver.set_window_rect(width=1440, height=900)
    assert found == {}
