"""The journeys in a second browser, Debian's Firefox: from signing up to the first call in the log, a
failure found, repeated and mended, and an answer with its pictures."""

import shutil
import socket
import time

import pytest
from support import browsing
from support.freshet import Freshet
from support.reach import need_module, need_program, out_of_reach

FIREFOX = "/usr/bin/firefox-esr"
CONTROL = "\ue009"  # as WebDriver names the key
PATIENCE_S = 60


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


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

    def text(self, selector):
        return self.wait("return document.querySelector(arguments[0]).innerText", selector)


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
    running = Freshet(tmp_path_factory.mktemp("firefox") / "data", "requests.bodies_hours=24")
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
