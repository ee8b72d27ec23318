"""The request log in a browser: a failure found, read, repeated and mended; filters in the address;
what an operator sees of it."""

import pytest
from support import browsing
from support.browsing import expect


@pytest.fixture(scope="module")
def account(browser, server, site):
    """One account for this file, with calls of both keys; its address and its keys."""
    context = browser.new_context()
    address = "caller@example.org"
    person = browsing.Visitor(context, server, browsing.Watch(context, server.url))
    live, test = person.sign_up(address)
    assert person.watch.wrong == []
    context.close()
    assert server.call("scrape/markdown", live, url=site).status == 200
    assert server.call("forum/search", test, q="climate").status == 200
    return address, live, test


@pytest.fixture
def person(visit, account):
    one = visit(viewport={"width": 1280, "height": 900})
    one.sign_in(account[0])
    one.page.get_by_role("heading", name="Overview").wait_for()
    return one


def rows(page):
    return page.get_by_role("table", name="Requests").locator("tbody tr")


def test_the_overview_knows_the_first_call_with_a_test_key(visit, server):
    one = visit()
    _, test = one.sign_up("first@example.org")
    page = one.open("/dashboard")
    page.get_by_role("heading", name="Waiting for your call").wait_for()
    made = server.call("news/search", test, q="climate", limit=2)
    assert made.status == 200
    page.get_by_role("heading", name="We see your call").wait_for()  # by itself
    page = one.open("/dashboard")
    row = page.get_by_role("table", name="Last calls").locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("news/search")
    expect(row).to_contain_text("Test")
    row.get_by_role("link").click()
    page.get_by_role("dialog").get_by_text(made.json["meta"]["request_id"], exact=True).wait_for()
    expect(page.get_by_role("dialog").get_by_label("Sources")).to_contain_text("ms")


def test_calls_come_to_whoever_looks(visit, server, site):
    one = visit()
    live, test = one.sign_up("onlooker@example.org")
    page = one.open("/dashboard/requests")
    page.get_by_text("No calls yet").wait_for()
    # What to do about that is one click away.
    page.get_by_role("link", name="Open the playground").click()
    page.get_by_role("heading", name="Playground").wait_for()
    page = one.open("/dashboard/requests")
    assert server.call("news/search", test, q="climate").status == 200
    expect(rows(page)).to_have_count(1)  # by themselves
    assert server.call("scrape/markdown", live, url=site).status == 200
    expect(rows(page)).to_have_count(2)
    expect(page.locator(".who .balance")).to_have_text("999 credits")
    page = one.open("/dashboard")
    assert server.call("scrape/markdown", live, url=site).status == 200
    expect(page.get_by_role("table", name="Last calls").locator("tbody tr")).to_have_count(3)
    expect(page.locator(".numbers").first).to_contain_text("998")


def test_a_failure_is_found_read_repeated_and_mended(person, account, server):
    _, _, test = account
    wrong = server.call("news/search", test, q="climate", since="24x")
    assert wrong.status == 400
    page = person.page
    # By the keyboard alone.
    page.get_by_role("link", name="Requests", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Requests").wait_for()
    page.get_by_label("Status", exact=True).focus()
    page.get_by_label("Status", exact=True).select_option("4xx")
    expect(page).to_have_url(server.url + "/dashboard/requests?status=4xx")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("invalid_request")
    rows(page).get_by_role("link").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("unknown unit").first.wait_for()
    expect(dialog.get_by_label("Request body").first).to_contain_text('"since": "24x"')
    dialog.get_by_role("button", name="Copy as curl").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"curl -s {server.url}/v1/news/search") and '"24x"' in copied
    dialog.get_by_role("link", name="Again in the playground").focus()
    page.keyboard.press("Enter")
    since = page.get_by_role("textbox", name="since")
    expect(since).to_have_value("24x")
    expect(page.get_by_role("textbox", name="q")).to_have_value("climate")
    assert page.get_by_label("Sandbox").is_checked()  # it was a test key's call
    since.fill("30d")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".answer .live").get_by_text("0 credits").wait_for()
    page.get_by_role("link", name="Requests", exact=True).click()
    mended = rows(page).first
    expect(mended).to_contain_text("200")
    expect(mended).to_contain_text("Dashboard")


def test_a_charged_call_leads_to_its_entry_in_the_ledger(person, account):
    page = person.open("/dashboard/requests?endpoint=scrape%2Fmarkdown")
    expect(rows(page)).to_have_count(1)
    rows(page).get_by_role("link").click()
    entry = page.get_by_role("dialog").get_by_role("link", name="led_")
    name = entry.inner_text()
    entry.click()
    page.get_by_role("heading", name="Ledger").wait_for()
    assert name in page.url
    expect(page.locator("tr[aria-current=true]")).to_contain_text("scrape/markdown")


def test_a_charge_of_the_ledger_leads_to_its_call(person, account):
    page = person.open("/dashboard/ledger")
    page.get_by_role("table").get_by_role("link", name="req_").first.click()
    page.get_by_role("dialog").get_by_text("scrape/markdown").first.wait_for()
    page.get_by_role("heading", name="Requests").wait_for()


@pytest.mark.parametrize("chosen, more", [("", 0), ("?by=source", 1), ("?measure=errors&by=code", 1)])
def test_the_overview_asks_for_each_thing_once_and_for_all_at_once(person, chosen, more):
    # Nobody tells of new calls: those of the test before may come into the log only now.
    person.page.route("**/dashboard/api/events", lambda held: None)
    asked = []
    person.page.on("request", lambda one: asked.append((one.url, one.post_data)) if "/api/v1/" in one.url else None)
    page = person.open("/dashboard" + chosen)
    page.get_by_role("table", name="Last calls").wait_for()
    page.locator(".numbers").get_by_text("At this week").wait_for()
    # A browser has six connections to a server, and one of them the account's events.
    assert len(set(asked)) == len(asked) == 5 + more, asked


def test_the_overview_says_how_long_calls_took(person):
    times = person.page.get_by_role("table", name="How long calls took this week").locator("tbody tr")
    expect(times.filter(has_text="scrape/markdown")).to_contain_text(" ms")
    expect(times.filter(has_text="forum/search")).to_have_count(1)
    times.get_by_role("link", name="scrape/markdown").click()
    person.page.get_by_role("heading", name="Requests").wait_for()
    expect(rows(person.page).filter(has_text="scrape/markdown").first).to_be_visible()
    expect(rows(person.page).filter(has_text="forum/search")).to_have_count(0)


def test_the_overview_draws_what_failed(person, account, server):
    for body in ({"q": "climate", "sinse": "1d"}, {"q": "climate", "limit": 1000}):
        assert server.call("forum/search", account[2], **body).status == 400
    page = person.open("/dashboard")
    card = page.locator("section.card").filter(has=page.get_by_role("heading", name="Usage", exact=True))
    card.get_by_role("button", name="Errors", exact=True).click()
    card.get_by_role("button", name="Code", exact=True).click()
    card.get_by_role("button", name="7 days", exact=True).click()
    expect(card).to_contain_text("invalid_request")
    page.reload()  # what was chosen is in the address
    for chosen in ("Errors", "Code", "7 days"):
        expect(card.get_by_role("button", name=chosen, exact=True)).to_have_attribute("aria-pressed", "true")
    card.get_by_text("Show as a table").click()
    expect(card.get_by_role("table")).to_contain_text("invalid_request")
    card.get_by_role("button", name="Credits", exact=True).click()
    expect(card.get_by_role("button", name="Code", exact=True)).to_have_count(0)
    expect(card.get_by_role("button", name="Source", exact=True)).to_have_count(1)


def test_each_choice_of_a_filter_is_one_that_the_server_takes(person):
    page, refused = person.open("/dashboard/requests"), []
    page.on("response", lambda one: refused.append(page.url) if one.status >= 400 else None)
    for label in ("Status", "Key", "Mode", "Time"):
        field = page.get_by_label(label, exact=True)
        for choice in field.locator("option").all_inner_texts()[1:]:
            with page.expect_response("**/account/requests/list"):
                field.select_option(label=choice)
        page.goto(page.url.split("?")[0])
    page.get_by_label("Mode", exact=True).select_option(label="Test")
    expect(rows(page).filter(has_not_text="Test")).to_have_count(0)
    expect(rows(page).first).to_be_visible()
    assert refused == []


def test_filters_and_the_open_call_stay_in_the_address(person, account, server):
    email, _, _ = account
    made = server.call("account/show", server.key(email)).json["meta"]["request_id"]
    page = person.open("/dashboard/requests?mode=live&endpoint=account%2Fshow")
    expect(page.get_by_label("Mode", exact=True)).to_have_value("live")
    expect(page.get_by_label("Endpoint", exact=True)).to_have_value("account/show")
    expect(rows(page)).to_have_count(1)
    page.get_by_label("Key", exact=True).select_option("dashboard")
    page.get_by_text("No call matches").wait_for()
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Find a call").fill(made)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("account/show").wait_for()
    assert made in page.url
    page.reload()
    dialog.get_by_text("account/show").wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert "id=" not in page.url
    page.go_back()
    dialog.wait_for()
    page = person.open("/dashboard/requests?status=fine")
    page.get_by_text("is not a status such as 400").first.wait_for()


def test_on_a_phone_a_row_has_two_lines(person, account):
    page = person.open("/dashboard/requests")
    page.set_viewport_size({"width": 390, "height": 844})
    rows(page).first.wait_for()
    heights = [rows(page).nth(i).bounding_box()["height"] for i in range(rows(page).count())]
    assert heights and max(heights) < 100
    # A number has its noun, one or many, and what there is none of is not there.
    noun = ("row => [...row.querySelectorAll('td.numeric')].filter(one => one.checkVisibility())"
            ".map(one => one.innerText + ' ' + getComputedStyle(one, '::after').content.slice(1, -1))")
    charged = rows(page).filter(has_text="scrape/markdown").first
    assert charged.evaluate(noun)[::2] == ["1 credit", "1 item"]


def test_an_operator_sees_the_calls_and_not_what_was_sent(visit, account, server):
    one = visit()
    one.sign_up("looker@example.org")
    server.run("accounts", "operator", "looker@example.org")
    page = one.open("/dashboard/operator/accounts")
    page.get_by_role("link", name="Requests of caller@example.org").click()
    expect(page.locator(".lead")).to_have_text("caller@example.org")
    page.get_by_label("Status", exact=True).select_option("failed")
    wrong = rows(page).filter(has_text="invalid_request").first
    wrong.wait_for()
    assert "email=caller" in page.url
    wrong.get_by_role("link").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("What invalid_request means").wait_for()
    assert "24x" not in dialog.inner_text()
    assert dialog.get_by_role("link", name="Again in the playground").count() == 0
