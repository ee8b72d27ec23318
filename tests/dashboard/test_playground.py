"""The playground and the reference: forms from the catalogue, prices, answers, and the keyboard."""

import json
import re

import pytest
from support import browsing
from support.browsing import PASSWORD, expect
from support.feeds import Feeds
from support.freshet import Freshet
from support.waiting import wait_until

# They have pages of their own: keys, and one call of the request log.
KEPT_FOR_OTHER_PAGES = {"account/keys/create", "account/keys/rotate", "account/keys/revoke",
                        "account/requests/show", "account/alerts/test"}


@pytest.fixture(scope="module")
def email(browser, server):
    """One account for this file."""
    context = browser.new_context()
    address = "play@example.org"
    person = browsing.Visitor(context, server, browsing.Watch(context, server.url))
    person.sign_up(address)
    assert person.watch.wrong == []
    context.close()
    return address


@pytest.fixture
def person(visit, email):
    """Signed in."""
    one = visit(viewport={"width": 1280, "height": 900})
    one.sign_in(email)
    one.page.get_by_role("heading", name="Overview").wait_for()
    return one


PLATFORMS = {"all": "All", "microblog": "Microblogs", "web-serp": "Web", "scrape": "Pages", "forum": "Forums",
             "shortvideo": "Short videos", "news": "News", "account": "Account"}


def go_to(page, endpoint):
    platforms = page.get_by_role("navigation", name="Platforms")
    platforms.get_by_role("link", name=PLATFORMS[endpoint.split("/")[0]], exact=True).click()
    page.get_by_label("Endpoint", exact=True).select_option(endpoint)
    page.get_by_role("link", name="Reference").and_(
        page.locator(f"[href='/docs/{endpoint}']")).wait_for()


def test_every_endpoint_answers_its_example(person, server):
    page = person.open("/dashboard/playground")
    described = server.request("GET", "/openapi.json").json["paths"]
    endpoints = [path[4:] for path in described if path[4:] not in KEPT_FOR_OTHER_PAGES]
    offered = set()
    for name in PLATFORMS.values():
        page.get_by_role("navigation", name="Platforms").get_by_role("link", name=name, exact=True).click()
        offered |= set(page.get_by_label("Endpoint", exact=True).locator("option").all_inner_texts())
    assert offered == set(endpoints)
    for endpoint in endpoints:
        go_to(page, endpoint)
        page.get_by_role("button", name="Run", exact=True).click()
        if endpoint.startswith("account/"):
            page.get_by_role("tab", name="JSON").wait_for()
        else:
            page.locator(".item").first.wait_for()
        expect(page.locator(".answer .live"), endpoint).to_contain_text("0 credits")
        if endpoint == "scrape/markdown":
            page.locator(".markdown h3, .markdown h4").first.wait_for()
    assert person.balance() == 1000  # it was the sandbox


def test_the_price_comes_before_a_live_call_and_html_stays_text(person, site):
    page = person.open("/dashboard/playground/scrape/markdown")
    page.get_by_label("Sandbox").uncheck(force=True)
    page.get_by_role("textbox", name="url").fill(site + "?price")
    page.get_by_text("This call: 1 credit").wait_for()
    page.get_by_text("more parameters").click()
    page.get_by_label("render").select_option("always")
    page.get_by_text("This call: 5 credits").wait_for()
    page.get_by_label("render").select_option("never")
    page.get_by_text("This call: 1 credit").wait_for()
    page.get_by_role("button", name="Run", exact=True).click()
    document = page.locator(".markdown")
    document.wait_for()
    assert "High water at noon" in document.inner_text()
    assert "onerror" in document.inner_text() and document.locator("img, script").count() == 0
    expect(page.locator(".answer .live")).to_contain_text("1 credit")
    assert person.balance() == 999


def test_a_wrong_parameter_is_named_and_the_answer_stays(person):
    page = person.open("/dashboard/playground/forum/search")
    page.get_by_role("textbox", name="q").fill("climate")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".item").first.wait_for()
    page.get_by_role("textbox", name="since").fill("24x")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("unknown unit").first.wait_for()
    expect(page.get_by_role("textbox", name="since")).to_have_attribute("aria-invalid", "true")
    assert page.get_by_role("textbox", name="since").input_value() == "24x"
    assert page.locator(".item").count() > 0


def test_what_was_filled_in_is_there_when_one_comes_back(person):
    page = person.open("/dashboard/playground/forum/search")
    page.get_by_role("textbox", name="q").fill("kept words")
    page.get_by_label("Sandbox").uncheck(force=True)
    go_to(page, "news/search")
    assert page.get_by_role("textbox", name="q").input_value() == '"tide gauge" -toy'  # its example
    assert not page.get_by_label("Sandbox").is_checked()
    go_to(page, "forum/search")
    assert page.get_by_role("textbox", name="q").input_value() == "kept words"


def test_what_is_needed_is_asked_for_before_the_call(person):
    page = person.open("/dashboard/playground/forum/search")
    asked = []
    page.on("request", lambda one: asked.append(one.post_data_json) if "/v1/forum/search" in one.url else None)
    page.get_by_role("textbox", name="q").fill("")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("q is required").wait_for()
    expect(page.get_by_role("textbox", name="q")).to_be_focused()
    assert [one for one in asked if not one.get("dry_run")] == []  # the price may have been asked for


def test_a_call_stands_in_the_address_and_among_the_last_ones(person):
    page = person.open("/dashboard/playground/news/search")
    page.get_by_role("textbox", name="q").fill("climate")
    page.get_by_role("group", name="How far back").get_by_role("button", name="Month").click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".item").first.wait_for()
    page.reload()
    page.locator(".item").first.wait_for()  # the sandbox answers again: it costs nothing
    assert page.get_by_role("textbox", name="q").input_value() == "climate"
    assert page.get_by_role("textbox", name="since").input_value() == "30d"
    last = page.get_by_role("region", name="Calls from this tab").get_by_role("listitem")
    expect(last).to_have_count(1)
    expect(last).to_contain_text('"since":"30d"')
    go_to(page, "forum/search")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(last).to_have_count(2)
    last.nth(1).get_by_role("link").click()
    expect(page.get_by_role("textbox", name="q")).to_have_value("climate")
    assert "/playground/news/search" in page.url


def test_answers_are_laid_out_by_what_they_are(person, server):
    page = person.open("/dashboard/playground/shortvideo/search")
    page.get_by_role("button", name="Run", exact=True).click()
    picture = page.locator(".tile .still-picture").first
    picture.wait_for()
    assert picture.get_attribute("src").startswith("/dashboard/api/picture/s")
    wait_until(lambda: picture.evaluate("one => one.naturalWidth") > 0)
    page.locator(".tile .still-length").first.wait_for()
    page.get_by_role("tab", name="List").click()
    expect(page.locator(".tile")).to_have_count(0)
    page.get_by_role("tab", name="Map").click()
    assert page.locator(".timeline-rows .dot").count() > 3
    page = person.open("/dashboard/playground/forum/posts/comments")
    page.get_by_role("button", name="Run", exact=True).click()
    folded = page.locator("details.answers").first
    folded.locator(".item").first.wait_for()
    page.get_by_text("It was deleted or removed").first.wait_for()
    folded.locator("summary").first.click()
    expect(folded.locator(".item").first).to_be_hidden()


def test_anywhere_by_a_few_letters(person):
    page = person.open("/dashboard")
    page.keyboard.press("Control+K")
    expect(page.get_by_role("combobox", name="Where to")).to_be_focused()
    page.keyboard.type("ledg")
    page.get_by_role("option", name="Ledger page").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Ledger").wait_for()
    page.keyboard.press("Control+K")
    page.get_by_role("combobox", name="Where to").fill("forum/posts/comments")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Playground").wait_for()
    assert page.url.endswith("/dashboard/playground/forum/posts/comments")


def test_pages_go_on_and_the_call_is_there_as_code(person):
    page = person.open("/dashboard/playground/forum/search")
    page.get_by_role("textbox", name="q").fill("climate")
    page.get_by_text("more parameters").click()
    page.get_by_role("textbox", name="limit").fill("3")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".item").nth(2).wait_for()
    expect(page.locator(".item")).to_have_count(3)
    page.get_by_role("button", name="Next page").click()
    page.locator(".item").nth(5).wait_for()
    page.get_by_text("2 pages").wait_for()
    ids = page.locator(".item-foot code").all_inner_texts()
    assert len(set(ids)) == len(ids) == 6
    page.get_by_role("tab", name="JSON").click()
    expect(page.get_by_role("tabpanel")).to_contain_text('"next_cursor"')
    expect(page.get_by_role("tabpanel")).to_contain_text(re.compile(r"\{…\} \d+ keys"))
    page.get_by_role("tab", name="Code").click()
    for name, text in (("curl", '"q":"climate"'), ("Python", 'q="climate"'),
                       ("JavaScript", "await fetch"), ("Go", "http.NewRequest"), ("C++", "freshet::connect"),
                       ("C", "freshet_connect"), ("Command line", "freshet call"), ("MCP", "forum_search")):
        page.get_by_role("tab", name=name, exact=True).click()
        expect(page.get_by_role("tabpanel").last).to_contain_text(text)


def press_until(page, key, found, most=60):
    """Presses a key until the focus is where it should be."""
    for _ in range(most):
        if page.evaluate(f"(() => {{ const on = document.activeElement; return {found}; }})()"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never reaches {found}")


def test_everything_works_with_the_keyboard_alone(visit, email):
    person = visit(viewport={"width": 1280, "height": 900})
    page = person.open("/dashboard")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    press_until(page, "Tab", "on.type === 'email'")
    page.keyboard.type(email)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Overview").wait_for()

    press_until(page, "Shift+Tab", "on.textContent === 'Playground'")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"  # the focus can be seen
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Playground", level=1)).to_be_focused()
    press_until(page, "Tab", "on.name === 'q'")
    page.keyboard.press("Control+A")
    page.keyboard.type("climate")
    page.keyboard.press("Enter")
    page.locator(".item").first.wait_for()
    press_until(page, "Tab", "on.role === 'tab' && on.textContent === 'Cards'")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Map", exact=True)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="JSON", exact=True)).to_be_focused()
    expect(page.get_by_role("tabpanel").first).to_contain_text('"data"')
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="Code", exact=True)).to_be_focused()


def test_a_dialog_keeps_the_focus_and_gives_it_back(person):
    page = person.open("/dashboard/keys")
    page.get_by_role("button", name="Create key").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    for _ in range(20):
        page.keyboard.press("Tab")
        inside = page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')")
        assert inside
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    expect(page.get_by_role("button", name="Create key")).to_be_focused()


def test_the_reference_needs_no_account(visit, server):
    reader = visit(viewport={"width": 1280, "height": 900})
    page = reader.open("/docs")
    described = server.request("GET", "/openapi.json").json
    for path in described["paths"]:
        page.get_by_role("link", name=path[4:], exact=True).first.wait_for()
    page.get_by_label("Search the docs").fill("community")
    page.get_by_role("link", name="community in forum/search").click()
    page.get_by_role("heading", name="forum/search").wait_for()
    assert page.url.endswith("/docs/forum/search#parameter-community")
    parameters = described["paths"]["/v1/forum/search"]["post"]["requestBody"]["content"][
        "application/json"]["schema"]["properties"]
    for name in parameters:
        expect(page.locator(f"#parameter-{name}"), name).to_have_count(1)
    expect(page.locator("#parameter-community")).to_be_in_viewport()  # Folded, had one not come for it.
    page = reader.open("/docs/forum/search")
    expect(page.locator("#parameter-q")).to_be_visible()
    expect(page.locator("#parameter-dry_run")).to_be_hidden()
    parts = page.locator("main h2").evaluate_all("all => all.map(one => one.innerText.split(' ')[0].trim())")
    assert parts == ["Example", "Answer", "Parameters", "Errors"]
    page.get_by_text("more parameters").click()
    expect(page.locator("#parameter-dry_run")).to_be_visible()
    page = reader.open("/docs/errors")
    for code in ("rate_limited", "insufficient_credits", "not_signed_in"):
        page.get_by_role("link", name=code, exact=True).wait_for()
    meaning = server.request("GET", "/errors/invalid_json").json["help"]
    expect(page.get_by_role("row").filter(has_text="invalid_json")).to_contain_text(meaning)
    page.get_by_role("link", name="rate_limited", exact=True).click()
    page.get_by_text("429").wait_for()
    assert server.request("GET", "/errors/rate_limited").json["help"][:40] in page.content()
    assert all(status < 400 for status, _ in reader.watch.statuses)


def test_a_list_is_shown_as_its_sources_answer(browser, app, tmp_path):
    feeds = Feeds()
    server = Freshet(tmp_path / "data", "dashboard.open_sign_up=true", *feeds.settings)
    context = browser.new_context(locale="en-GB")
    try:
        person = browsing.Visitor(context, server, browsing.Watch(context, server.url))
        person.sign_up("reader@example.org")
        page = person.open("/dashboard/playground/news/search")
        page.get_by_label("Sandbox").uncheck(force=True)
        page.get_by_role("textbox", name="q", exact=True).fill("tide")
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".item").get_by_text("Tide at the quick quay").wait_for()
        status = page.locator(".answer .live")
        expect(status).to_have_text("Calling… 1 item of 1 source")
        assert page.locator(".item").count() == 1
        feeds.let_go.set()
        page.locator(".item").get_by_text("Tide at the slow quay").wait_for()
        expect(status).to_contain_text("2 items, 1 credit")
        person.open("/dashboard")
        assert person.watch.wrong == [] and person.balance() == 999
    finally:
        feeds.close()
        context.close()
        assert server.stop() == 0


def test_who_calls_too_often_is_told_for_how_long_to_wait(browser, app, site, tmp_path):
    running = Freshet(tmp_path / "data", "dashboard.open_sign_up=true", "plans.free.rate=0.25",
                      "plans.free.burst=4", "scrape.allow_private=127.0.0.0/8")
    context = browser.new_context()
    one = browsing.Visitor(context, running, browsing.Watch(context, running.url))
    one.start_with_link("often@example.org")
    page = one.open("/dashboard/playground/scrape/markdown")
    page.get_by_label("Sandbox").uncheck(force=True)
    page.get_by_role("textbox", name="url").fill(site)
    _, session = browsing.api(page, "session")
    fields = {"X-CSRF-Token": session["csrf_token"]}
    asked = {"url": site, "dry_run": True}
    wait_until(lambda: browsing.api(page, "v1/scrape/markdown", asked, fields)[0] == 429)
    page.get_by_role("button", name="Run", exact=True).click()
    said = page.get_by_role("alert").filter(has_text="Rate limited")
    expect(said).to_contain_text(re.compile(r"Try again in \d+ seconds?\."))
    expect(said).to_contain_text("You can try again now.")
    assert page.get_by_role("textbox", name="url").input_value() == site
    # The price, which is asked for as well, waits and complains of nothing.
    expect(page.locator(".price")).not_to_contain_text("Rate limited")
    context.close()
    assert running.stop() == 0


def test_who_calls_with_a_revoked_key_is_told_what_to_do(person, email, server):
    key = json.loads(server.run("keys", "create", email, "--json"))
    server.run("keys", "revoke", key["id"])
    refused = server.call("news/search", key["key"], q="climate")
    assert refused.status == 401 and refused.json["detail"] == "the key was revoked: create another"
    page = person.open("/docs/errors/" + refused.json["code"])
    page.get_by_role("main").get_by_role("link", name="keys", exact=True).click()
    page.get_by_role("heading", name="Keys", exact=True).wait_for()
