"""From an empty data folder to a call's row in the request log, by the keyboard alone."""

import json
import time

import pytest
from support.browsing import PASSWORD, Visitor, Watch
from support.freshet import Freshet
from support.reach import need_program


@pytest.fixture
def place(app, tmp_path):
    need_program()
    running = Freshet(tmp_path / "data")
    yield running
    assert running.stop() == 0, running.log_path.read_text()


def focus(page, found, most=80):
    """Goes on by Tab to what was looked for."""
    for _ in range(most):
        if page.evaluate(f"(() => {{ const on = document.activeElement; return {found}; }})()"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {found}")


def test_the_first_minutes(browser, place):
    began = time.monotonic()
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    person = Visitor(context, place, Watch(context, place.url))
    page = person.open("/")
    focus(page, "on.textContent === 'Create account' && on.classList.contains('button')")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Create account").wait_for()
    focus(page, "on.type === 'email'")
    page.keyboard.type("first@example.org")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Choose a password").wait_for()
    focus(page, "on.textContent === 'Choose a password'")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Choose a password").wait_for()
    focus(page, "on.type === 'password'")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_label("Test key", exact=True).wait_for()
    focus(page, "on.textContent === 'Copy Test key'")
    page.keyboard.press("Enter")
    page.locator(".step.done").first.wait_for()
    key = page.evaluate("navigator.clipboard.readText()")
    focus(page, "on.textContent === 'Copy First call'")
    page.keyboard.press("Enter")
    page.locator(".step.done").nth(1).wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert key in copied and f"{place.url}/v1/forum/search" in copied
    assert place.call("forum/search", key, q="climate", limit=3).status == 200
    page.get_by_role("heading", name="We see your call").wait_for()
    focus(page, "on.textContent === 'Open it'")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_text("forum/search").first.wait_for()
    print(f"from an empty data folder to the call in the log: {time.monotonic() - began:.1f} s")
    assert person.watch.wrong == []
    context.close()


def test_the_first_call_is_the_first_that_succeeds(browser, place):
    context = browser.new_context()
    person = Visitor(context, place, Watch(context, place.url))
    _, key = person.sign_up("second@example.org")
    page = person.page
    assert place.call("forum/search", key, q="climate", limt=3).status == 400
    page.get_by_role("heading", name="Your call failed").wait_for()
    step = page.get_by_role("status").filter(has_text="was answered with")
    step.get_by_text("invalid_request").wait_for()
    assert place.call("news/search", key, q="climate", limit=3).status == 200
    page.get_by_role("heading", name="We see your call").wait_for()
    step.get_by_text("news/search").wait_for()
    assert place.call("web-serp/search", key, limt=3).status == 400
    assert place.call("forum/search", key, q="climate", limit=3).status == 200
    page.goto(place.url + "/dashboard/welcome")
    page.get_by_role("heading", name="We see your call").wait_for()
    step.get_by_text("news/search").wait_for()
    assert person.watch.wrong == []
    context.close()


def test_what_a_page_asks_too_early_it_asks_again(browser, place):
    """The dashboard's calls share the account's rate: where that is used up, a page is late."""
    context = browser.new_context()
    early = []

    def refuse_once(route):
        if route.request.url in early:
            return route.continue_()
        early.append(route.request.url)
        route.fulfill(status=429, content_type="application/problem+json", body=json.dumps({
            "type": "/errors/rate_limited", "title": "Rate limited", "status": 429, "code": "rate_limited",
            "detail": "the plan allows 2 requests in 2 s", "retryable": True, "retry_after_s": 1}))

    context.route("**/dashboard/api/v1/account/**", refuse_once)
    person = Visitor(context, place, Watch(context, place.url))
    live, test = person.sign_up("early@example.org")
    assert live.startswith("frs_live_") and test.startswith("frs_test_")
    page = person.page
    for name in ("Ledger", "Requests", "Overview"):
        page.get_by_role("link", name=name, exact=True).first.click()
        page.get_by_role("heading", name=name, exact=True).wait_for()
        page.locator(".loading").first.wait_for(state="detached")
        assert page.get_by_role("alert").count() == 0, name
    assert len(early) > 4, early
    context.close()
