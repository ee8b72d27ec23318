"""What stands where at the widths of a phone, a tablet and a desk: nothing alone in a row, no name over
many lines, no column out of sight."""

import datetime
import json

import pytest
from support import browsing

WIDTHS = (360, 390, 600, 700, 860, 1024, 1440)


@pytest.fixture(scope="module")
def operator(browser, server, tmp_path_factory):
    context = browser.new_context()
    person = browsing.Visitor(context, server, browsing.Watch(context, server.url))
    person.start_with_link("layout@example.org")
    server.run("accounts", "operator", "layout@example.org")
    key = json.loads(server.run("keys", "create", "layout@example.org", "--json"))
    server.run("keys", "revoke", key["id"])  # So that an id stands in the audit log.
    kept = tmp_path_factory.mktemp("session") / "state.json"
    context.storage_state(path=kept)
    context.close()
    return kept


def at_widths(page, script, widths=WIDTHS):
    """What `script` says of the page, by its width."""
    said = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        said[width] = page.evaluate(script)
    return said


def out_of_sight(page, selector, widths):
    """How many pixels of the first such element one has to scroll for, by the page's width."""
    script = "(one => one.scrollWidth - one.clientWidth)(document.querySelector('%s'))"
    return at_widths(page, script % selector, widths)


def test_the_numbers_of_an_overview_are_a_row_or_a_column(visit, operator):
    page = visit(storage_state=operator).open("/dashboard")
    page.locator(".numbers .card").nth(2).wait_for()
    rows = at_widths(page, "new Set([...document.querySelectorAll('.numbers > *')]"
                           ".map(one => one.getBoundingClientRect().top)).size")
    assert set(rows.values()) <= {1, 3} and rows[1024] == 1 and rows[390] == 3, rows


# How many lines a text takes.
LINES = """(one => { const range = document.createRange(); range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(each => Math.round(each.top))).size; })"""


def test_an_id_of_the_audit_log_is_two_lines_at_most(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/operator/audit")
    page.locator("td .long").first.wait_for()
    # An id's letters are chosen by chance, and the widest may be chosen.
    page.evaluate("for (const one of document.querySelectorAll('td .long'))"
                  "  if (/^key_/.test(one.textContent)) one.textContent = 'key_' + 'W'.repeat(26)")
    # Of addresses, which may be as long as people like, other tests leave theirs in the log.
    lines = at_widths(page, "Math.max(...[...document.querySelectorAll('td .long')]"
                            f"  .filter(one => /^key_/.test(one.textContent)).map({LINES}))",
                      (860, 1024, 1440))
    assert 1 <= min(lines.values()) and max(lines.values()) <= 2, lines
    hidden = out_of_sight(page, ".table-frame", (1024, 1440))
    assert max(hidden.values()) <= 1, hidden


@pytest.mark.parametrize("guide", ["endpoints", "sources", "settings", "migrating"])
def test_no_column_of_a_guide_is_out_of_sight_unsaid(guide, visit):
    page = visit().open("/docs/guides/" + guide)
    page.locator(".markdown table").first.wait_for()
    hidden = at_widths(page, "[...document.querySelectorAll('.table-frame')]"
                             ".filter(one => one.scrollWidth > one.clientWidth + 1"
                             "   && !(innerWidth > 704 && getComputedStyle(one).backgroundAttachment"
                             "        .startsWith('local'))).length")
    assert set(hidden.values()) == {0}, hidden


@pytest.fixture(scope="module")
def long_named(browser, server, site, tmp_path_factory):
    """Somebody with the longest address, and a key with the longest name in one word, which was used."""
    address = "a" * 64 + "@example.org"
    context = browser.new_context()
    person = browsing.Visitor(context, server, browsing.Watch(context, server.url))
    person.start_with_link(address)
    key = json.loads(server.run("keys", "create", address, "--name", "k" * 64, "--json"))["key"]
    assert server.call("scrape/markdown", key, url=site).status == 200
    kept = tmp_path_factory.mktemp("session") / "state.json"
    context.storage_state(path=kept)
    context.close()
    return kept


def test_no_long_name_pushes_a_column_of_the_audit_log_out_of_sight(visit, operator, long_named):
    page = visit(storage_state=operator).open("/dashboard/operator/audit")
    page.get_by_text("a" * 64).first.wait_for()
    hidden = out_of_sight(page, ".table-frame", (390, 1024, 1440))
    assert max(hidden.values()) <= 1, hidden


def test_an_address_of_the_audit_log_breaks_where_its_parts_meet(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/operator/audit")
    cell = page.locator("td .long").filter(has_text="account:layout@example.org").first
    cell.wait_for()
    # Its last part is longer than a column of 1,024 px may be; "account:" and "layout" are not.
    script = """[...[...document.querySelectorAll('td .long')].find(one => one.textContent ===
      'account:layout@example.org').childNodes].filter(one => one.nodeType === 3)
      .map(one => { const range = document.createRange(); range.selectNodeContents(one);
        return range.getClientRects().length; })"""
    for lines in at_widths(page, script, (1024, 1440)).values():
        assert lines[:2] == [1, 1] and len(lines) == 3, lines


def test_a_phone_shows_a_call_that_failed_in_two_lines(visit, server):
    person = visit()
    _, test = person.sign_up("two-lines@example.org")
    assert server.call("microblog/search", test, q="climate", limit=1000).status == 400
    assert server.call("microblog/search", test, q="climate").status == 200
    page = person.open("/dashboard/requests")
    rows = page.get_by_role("table", name="Requests").locator("tbody tr")
    browsing.expect(rows).to_have_count(2)
    heights = at_widths(page, "[...document.querySelectorAll('tbody tr')].map(one => one.clientHeight)", (390,))
    browsing.expect(rows.nth(1)).to_contain_text("invalid_request")
    assert heights[390][1] <= heights[390][0] + 2, heights


def test_no_head_of_the_sources_runs_into_the_next(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/sources")
    page.locator(".sources th").first.wait_for()
    wide = at_widths(page, "[...document.querySelectorAll('.sources th')]"
                           ".filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)",
                     (860, 1024, 1440))
    assert set(map(len, wide.values())) == {0}, wide


def test_what_is_chosen_is_seen_where_colours_are_forced(visit, operator):
    def colours(page, selector, name="background-color"):
        page.locator(selector).first.wait_for()
        return page.locator(selector).first.evaluate(f"one => getComputedStyle(one).getPropertyValue('{name}')")

    page = visit(storage_state=operator, forced_colors="active").open("/dashboard/playground")
    for chosen, other in ((".platforms a[aria-current]", ".platforms a:not([aria-current])"),
                          (".segments [aria-pressed=true]", ".segments [aria-pressed=false]"),
                          (".track", "body")):
        assert colours(page, chosen) != colours(page, other), chosen
    assert colours(page, "[role=tab][aria-selected=true]", "border-bottom-color") != colours(
        page, "[role=tab][aria-selected=false]", "border-bottom-color")


def test_a_phone_sees_what_a_long_dialog_is_for(visit, long_named):
    page = visit(storage_state=long_named, viewport={"width": 390, "height": 700}).open("/dashboard/keys")
    page.get_by_role("button", name="Create key").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").wait_for()
    assert dialog.evaluate("one => one.scrollHeight > one.clientHeight")
    verb = dialog.get_by_role("button", name="Create", exact=True)
    browsing.expect(verb).to_be_in_viewport(ratio=1)
    dialog.evaluate("one => one.scrollTo(0, one.scrollHeight)")
    browsing.expect(verb).to_be_in_viewport(ratio=1)


def test_no_long_name_pushes_anything_out_of_sight(visit, long_named):
    page = visit(storage_state=long_named).open("/dashboard/keys")
    page.get_by_text("k" * 64).wait_for()
    table = out_of_sight(page, ".table-frame", (390, 768, 1024, 1440))
    assert max(table.values()) <= 1, table
    side = out_of_sight(page, ".side", (860, 1024, 1440))
    assert max(side.values()) <= 1, side


def test_no_long_name_pushes_numbers_of_calls_out_of_sight(visit, long_named):
    page = visit(storage_state=long_named).open("/dashboard/requests")
    page.locator("td", has_text="k" * 64).wait_for()
    hidden = out_of_sight(page, ".table-frame", (390, 768, 1024, 1440))
    assert max(hidden.values()) <= 1, hidden
    page.goto(page.url.replace("/requests", "?by=key"))
    page.get_by_text("Show as a table").click()
    page.locator("th", has_text="k" * 64).wait_for()
    hidden = out_of_sight(page, ".chart .table-frame", (390, 768, 1024, 1440))
    assert max(hidden.values()) <= 1, hidden


def test_no_long_path_pushes_numbers_of_calls_out_of_sight(visit, server):
    person = visit()
    live, _ = person.sign_up("long-paths@example.org")
    assert server.call("account/show", live).status == 403  # in the log all the same, with a key's name
    page = person.open("/dashboard/playground/forum/communities/posts")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".item").first.wait_for()
    page.clock.set_fixed_time(datetime.datetime.now() + datetime.timedelta(minutes=59))
    person.open("/dashboard/requests")
    page.get_by_role("row").filter(has_text="forum/communities/posts").first.wait_for()
    hidden = out_of_sight(page, ".table-frame", (390, 768, 1024, 1440))
    assert max(hidden.values()) <= 1, hidden


def test_an_account_that_an_operator_looks_at_belongs_to_the_accounts(visit, operator):
    for path in ("account", "requests"):
        page = visit(storage_state=operator).open(f"/dashboard/operator/{path}?email=layout%40example.org")
        browsing.expect(page.locator("nav [aria-current=page], .side [aria-current=page]")).to_have_text("Accounts")


def test_a_phone_shows_of_a_key_what_was_set(visit, long_named):
    page = visit(storage_state=long_named, viewport={"width": 390, "height": 800}).open("/dashboard/keys")
    row = page.locator("tbody tr").first
    row.wait_for()
    shown = row.locator("td:visible").evaluate_all("cells => cells.map(cell => cell.dataset.label)")
    assert "Scopes" in shown and not {"Budget", "Expires"} & set(shown), shown


@pytest.fixture(scope="module")
def budgeted(browser, server, site, tmp_path_factory):
    """Somebody with a key whose budget is used up, one whose budget runs low and one with all of it."""
    context = browser.new_context()
    person = browsing.Visitor(context, server, browsing.Watch(context, server.url))
    person.start_with_link("meters@example.org")
    for name, budget, calls in (("used", 1, 1), ("low", 5, 4), ("fresh", 9, 0)):
        key = json.loads(server.run("keys", "create", "meters@example.org", "--json", "--name", name,
                                    "--monthly-budget", str(budget)))["key"]
        for number in range(calls):
            assert server.call("scrape/markdown", key, url=f"{site}?{number}").status == 200
    server.run("keys", "create", "meters@example.org", "--name", "unbounded")
    kept = tmp_path_factory.mktemp("session") / "state.json"
    context.storage_state(path=kept)
    context.close()
    return kept


def test_a_key_takes_five_lines_of_a_phone_at_most(visit, budgeted):
    page = visit(storage_state=budgeted).open("/dashboard/keys")
    page.locator("tbody meter").nth(2).wait_for()
    heights = at_widths(page, "[...document.querySelectorAll('tbody tr')].map(one => one.clientHeight)", (390,))[390]
    assert len(heights) == 4 and max(heights) < 160, heights


def test_a_meter_has_the_colour_of_what_it_says(visit, budgeted):
    page = visit(storage_state=budgeted, viewport={"width": 390, "height": 844}).open("/dashboard/keys")
    page.locator("tbody meter").nth(2).wait_for()
    fills = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('tbody tr:has(meter)')].map(row =>"
        " [row.querySelector('strong').textContent, getComputedStyle(row.querySelector('meter')).color]))")
    colours = page.evaluate(
        "Object.fromEntries([['used', '--bad'], ['low', '--warn'], ['fresh', '--accent']].map(([of, name]) => {"
        " document.body.style.outlineColor = `var(${name})`;"
        " return [of, getComputedStyle(document.body).outlineColor]; }))")
    assert fills == colours and len(set(colours.values())) == 3


def test_paper_gets_dark_ink_and_nothing_to_click(visit, operator):
    page = visit(storage_state=operator, color_scheme="dark").open("/dashboard")
    page.locator(".numbers .card").nth(2).wait_for()
    page.locator(".segments").first.wait_for()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".side").is_hidden()
    assert page.locator("h1").is_visible() and page.locator(".numbers").is_visible()
    # Which days and what of them the bars tell is still said.
    for choice in page.locator(".segments").all():
        assert choice.locator("button:visible").count() == 1
    page.emulate_media(media="screen", color_scheme="dark")
    assert page.locator(".side").is_visible()


def test_a_printed_ledger_has_no_empty_card(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/ledger")
    card = page.locator("section.card").filter(has=page.get_by_role("heading", name="Verify it"))
    card.wait_for()
    page.emulate_media(media="print")
    browsing.expect(card).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Verify the ledger").click()
    card.get_by_text("verified").first.wait_for()
    page.emulate_media(media="print")  # What came of it is for the file.
    browsing.expect(card.get_by_label("Head", exact=True)).to_be_visible()


def test_of_many_keys_a_phone_shows_some_and_finds_each(visit, server, site):
    person = visit()
    person.start_with_link("many-keys@example.org")
    person.page.set_viewport_size({"width": 390, "height": 800})
    budgets = {30: 5, 40: 1}
    for number in range(95):
        limit = ["--monthly-budget", str(budgets[number])] if number in budgets else []
        key = json.loads(server.run("keys", "create", "many-keys@example.org", "--name", f"program {number:02}",
                                    "--json", *limit))
        if number < 24:
            server.run("keys", "revoke", key["id"])
        for _ in range({30: 4, 40: 1}.get(number, 0)):
            assert server.call("scrape/markdown", key["key"], url=site).status == 200
    page = person.open("/dashboard/keys")
    rows = page.get_by_role("table", name="Keys of the account").locator("tbody tr")
    browsing.expect(rows).to_have_count(20)
    # Where calls are refused, or soon will be, stands first.
    for place, (name, state) in enumerate([("program 40", "Used up"), ("program 30", "Runs low"),
                                           ("program", "Live")]):
        browsing.expect(rows.nth(place)).to_contain_text(name)
        browsing.expect(rows.nth(place)).to_contain_text(state)
    browsing.expect(page.get_by_text("program 00")).to_be_hidden()
    page.get_by_role("button", name="Show 50 more").click()
    browsing.expect(rows).to_have_count(70)
    page.get_by_role("button", name="Show 1 more").click()
    browsing.expect(rows).to_have_count(71)
    page.get_by_text("24 keys revoked or expired").click()
    browsing.expect(page.get_by_text("program 00")).to_be_hidden()
    page.get_by_role("button", name="Show 4 more").click()
    browsing.expect(page.get_by_text("program 00")).to_be_visible()
    page.get_by_label("Find a key").fill("PROGRAM 77")
    browsing.expect(rows).to_have_count(1)
    page.get_by_label("Find a key").fill("nothing like it")
    page.get_by_text("No key matches").wait_for()


def test_a_row_of_tabs_fades_where_there_are_more(visit):
    page = visit(viewport={"width": 390, "height": 800}).open("/")
    tabs = page.get_by_role("tablist", name="Platforms")
    tabs.wait_for()
    fades = "row => getComputedStyle(row).maskImage.match(/3rem|48px/g)?.length ?? 0"
    browsing.expect(tabs).to_have_attribute("data-more", "right")
    assert tabs.evaluate(fades) == 1
    tabs.get_by_role("tab").first.focus()
    page.keyboard.press("End")
    browsing.expect(tabs).to_have_attribute("data-more", "left")
    last = tabs.get_by_role("tab").last
    assert last.get_attribute("aria-selected") == "true"
    assert tabs.evaluate("row => row.lastChild.getBoundingClientRect().right"
                         " <= row.getBoundingClientRect().right + 1")
    tabs.evaluate("row => row.scrollTo(60, 0)")
    browsing.expect(tabs).to_have_attribute("data-more", "left right")
    assert tabs.evaluate(fades) == 2
    page.set_viewport_size({"width": 1440, "height": 800})
    browsing.expect(tabs).to_have_attribute("data-more", "")
    assert tabs.evaluate(fades) == 0


def test_no_picture_is_a_word(visit):
    """Who is not signed in gets no pictures; a link that reads "image" says nothing."""
    page = visit().open("/")
    page.locator(".web_result").first.wait_for()
    assert page.locator(".item-media a").filter(has_text="image").count() == 0


def test_a_name_and_its_fact_are_one_row(visit, operator):
    """Names above values read as one list of both."""
    page = visit(storage_state=operator).open("/dashboard/operator/service")
    page.locator(".facts dd").first.wait_for()
    apart = at_widths(page, "Math.max(...[...document.querySelectorAll('.facts > div')].map(row =>"
                            "  row.lastChild.getBoundingClientRect().top"
                            "  - row.firstChild.getBoundingClientRect().top))", (360, 390, 768))
    assert max(apart.values()) < 4, apart


def test_a_time_of_the_audit_log_is_two_lines_at_most(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/operator/audit")
    page.locator("td time").first.wait_for()
    lines = at_widths(page, f"Math.max(...[...document.querySelectorAll('td time')].map({LINES}))",
                      (768, 860, 1024, 1440))
    assert max(lines.values()) <= 2 and lines[1440] == 1, lines
    page = visit(storage_state=operator, locale="en-US").open("/dashboard/operator/audit")
    page.locator("td time").first.wait_for()
    lines = at_widths(page, f"Math.max(...[...document.querySelectorAll('td time')].map({LINES}))", (768, 1024))
    assert max(lines.values()) <= 2, lines


def test_the_front_page_s_title_is_what_one_would_type(visit):
    page = visit().open("/")
    page.locator("main h1").wait_for()
    assert "public-data" in page.title() and "public-data" in page.locator("main h1").inner_text()


def test_no_word_of_the_front_page_s_title_is_broken(visit):
    page = visit().open("/")
    page.locator("main h1").wait_for()
    ends = at_widths(page, "(() => { const heading = document.querySelector('main h1');"
                           "  const walk = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);"
                           "  const letters = [];"
                           "  while (walk.nextNode()) for (let at = 0; at < walk.currentNode.length; ++at) {"
                           "    const range = document.createRange();"
                           "    range.setStart(walk.currentNode, at); range.setEnd(walk.currentNode, at + 1);"
                           "    letters.push([walk.currentNode.data[at], range.getBoundingClientRect().top]); }"
                           "  return letters.filter(([letter, top], at) => at > 0 && top > letters[at - 1][1] + 4"
                           "    && !/\\s/.test(letters[at - 1][0] + letter)).length; })()")
    assert set(ends.values()) == {0}, ends


# How many stand in each row, from the first on.
ROWS = """(all => { const rows = new Map();
  for (const one of all) { const top = Math.round(one.getBoundingClientRect().top);
    rows.set(top, (rows.get(top) ?? 0) + 1); }
  return [...rows.values()]; })"""


def test_the_filters_of_the_request_log_fill_their_rows(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/requests")
    page.get_by_label("Status").wait_for()
    rows = at_widths(page, f"{ROWS}([...document.querySelectorAll('.request-filters .filter > .field')])",
                     (390, 768, 860, 1024, 1280, 1440))
    assert all(len(set(row)) == 1 and sum(row) == 6 for row in rows.values()), rows


def test_no_platform_of_the_playground_stands_alone(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/playground")
    page.get_by_role("navigation", name="Platforms").wait_for()
    rows = at_widths(page, f"{ROWS}([...document.querySelectorAll('.platforms a')])", (*WIDTHS, 768, 1280))
    assert all(row == [8] for row in rows.values()), rows
    page.set_viewport_size({"width": 390, "height": 800})
    platforms = page.get_by_role("navigation", name="Platforms")
    browsing.expect(platforms).to_have_attribute("data-more", "right")
    page.goto(page.url.split("?")[0] + "/account/show")
    browsing.expect(platforms).to_have_attribute("data-more", "left")  # The chosen one is in sight.


def test_a_tablet_has_room_for_accounts_and_keys(visit, operator, long_named):
    page = visit(storage_state=operator).open("/dashboard/operator/accounts")
    page.get_by_text("a" * 64).first.wait_for()
    hidden = out_of_sight(page, ".table-frame", (390, 768, 1024, 1440))
    assert max(hidden.values()) <= 1, hidden
    page = visit(storage_state=long_named).open("/dashboard/keys")
    page.locator("td code").first.wait_for()
    lines = at_widths(page, f"Math.max(...[...document.querySelectorAll('td code')].map({LINES}))", (390, 768, 1024))
    assert set(lines.values()) == {1}, lines


def test_no_usage_is_said_in_all_of_its_place(visit, operator):
    page = visit(storage_state=operator, viewport={"width": 768, "height": 900}).open("/dashboard")
    page.locator(".of-chart .empty").wait_for()
    empty = page.evaluate("(one => one.parentElement.getBoundingClientRect().bottom"
                          " - one.getBoundingClientRect().bottom)(document.querySelector('.of-chart .empty'))")
    assert empty < 40


def test_a_link_that_is_a_button_is_read_under_the_mouse(visit):
    page = visit(viewport={"width": 1280, "height": 900}).open("/")
    button = page.get_by_role("main").get_by_role("link", name="Create account").first
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.mouse.move(0, 0)
        before = button.evaluate("one => getComputedStyle(one).color")
        button.hover()
        browsing.expect(button).to_have_css("color", before)
        assert before != button.evaluate("one => getComputedStyle(one).backgroundColor")


def test_a_partial_call_stands_apart_from_its_mark(visit, operator, server):
    key = json.loads(server.run("keys", "create", "layout@example.org", "--test", "--json"))["key"]
    longer = server.call("microblog/search", key, q="climate", since="30d")  # than X looks back
    assert longer.json["meta"]["completeness"] == "partial"
    page = visit(storage_state=operator, viewport={"width": 1440, "height": 900}).open("/dashboard/requests")
    mark = page.locator("td .badge.warn").first
    apart = mark.evaluate("one => one.getBoundingClientRect().left"
                          " - one.previousElementSibling.getBoundingClientRect().right")
    assert apart > 2, apart


def test_what_an_error_means_has_the_room(visit):
    page = visit().open("/docs/errors")
    page.locator("table.rows td").first.wait_for()
    share = at_widths(page, "(row => row.children[2].clientWidth / row.clientWidth)"
                            "(document.querySelector('table.rows thead tr'))", (768, 1024, 1440))
    assert min(share.values()) > 0.4, share


def test_a_phone_shows_no_number_that_a_source_lacks(visit, operator):
    page = visit(storage_state=operator, viewport={"width": 390, "height": 900}).open("/dashboard/sources")
    row = page.get_by_role("row").filter(has_text="lemmy")
    row.wait_for()
    assert "–" not in row.inner_text()


def test_the_code_of_an_endpoint_stays_in_view_beside_its_text(visit):
    page = visit(viewport={"width": 1440, "height": 900}).open("/docs/news/search")
    errors = page.locator("#errors")
    errors.evaluate("one => one.scrollIntoView()")
    tops = ("[...document.querySelectorAll('#example, #errors')].map(one => {"
            " const {left, top} = one.getBoundingClientRect(); return {left, top}; })")
    code, told = page.evaluate(tops)
    assert 0 <= code["top"] < 200 and code["left"] > told["left"] + 300, (code, told)
    page.set_viewport_size({"width": 1024, "height": 900})
    code, told = page.evaluate(tops)
    assert code["left"] == told["left"] and code["top"] < told["top"]


def test_an_endpoint_lists_the_errors_that_it_can_give(visit):
    page = visit().open("/docs/scrape/markdown")
    table = page.get_by_role("region", name="Errors of this call")
    table.get_by_role("link", name="robots_disallowed").wait_for()
    said = table.inner_text()
    assert "unsafe_content" in said and "no_recipient" not in said and "csrf_failed" not in said


def test_the_codes_of_an_endpoint_s_errors_are_not_taken_apart(visit):
    page = visit(viewport={"width": 1440, "height": 900}).open("/docs/news/search")
    page.get_by_role("region", name="Errors of this call").get_by_role("link").first.wait_for()
    lines = at_widths(page, "[...document.querySelectorAll('.endpoint td a[href^=\"/docs/errors/\"]')]"
                            f".map({LINES})", (1024, 1440))
    assert all(found and max(found) <= 2 for found in lines.values()), lines


def test_a_phone_shows_no_name_of_an_empty_cell_in_a_guide(visit):
    page = visit(viewport={"width": 390, "height": 900}).open("/docs/guides/endpoints")
    row = page.get_by_role("row").filter(has_text="microblog/trends").first
    row.wait_for()
    assert row.locator("td:visible").count() == 3


def test_the_columns_of_all_platforms_sources_stand_below_each_other(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/sources")
    page.get_by_role("row").filter(has_text="lemmy").wait_for()
    edges = "new Set([...document.querySelectorAll('.sources th:nth-child(%s)')]" \
            ".map(one => Math.round(one.getBoundingClientRect().left))).size"
    for column in range(1, 7):
        found = at_widths(page, edges % column, (860, 1024, 1440))
        assert set(found.values()) == {1}, (column, found)


def test_a_phone_shows_why_a_call_failed_whole(visit, operator, server):
    page = visit(storage_state=operator, viewport={"width": 360, "height": 900}).open("/dashboard")
    page.evaluate("""async () => {
      const {csrf_token} = (await (await fetch('/dashboard/api/session')).json());
      await fetch('/dashboard/api/v1/shortvideo/videos/transcript', {method: 'POST', body: '{}', headers: {
        'Content-Type': 'application/json', 'X-CSRF-Token': csrf_token}}); }""")
    page.goto(server.url + "/dashboard/requests?status=failed")
    code = page.get_by_role("row").get_by_text("invalid_request").first
    code.wait_for()
    hidden = code.evaluate("one => { const row = one.closest('tr');"
                           " return one.getBoundingClientRect().right - row.getBoundingClientRect().right; }")
    assert hidden <= 1 and code.evaluate("one => one.closest('tr').scrollWidth"
                                         " - one.closest('tr').clientWidth") <= 1


def test_operators_are_told_to_choose_an_account_where_none_is_named(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/operator/requests")
    page.get_by_text("Choose the account whose calls you want to see").wait_for()
    page.get_by_role("link", name="Choose an account").click()
    page.get_by_role("heading", level=1, name="Accounts").wait_for()


def test_all_calls_are_those_of_the_account_that_an_operator_looks_at(visit, operator):
    page = visit(storage_state=operator).open(
        "/dashboard/operator/requests?email=layout%40example.org&code=no_such_code")
    page.get_by_role("button", name="Show all").click()
    page.wait_for_url("**/dashboard/operator/requests?email=layout%40example.org")


def test_a_phone_names_no_action_of_the_session_that_one_is_in(visit, operator):
    page = visit(storage_state=operator, viewport={"width": 390, "height": 900}).open("/dashboard/account")
    row = page.get_by_role("row").filter(has_text="This one")
    row.wait_for()
    assert row.locator("td:visible").count() == 4


def test_the_hint_of_a_test_alert_stands_below_its_button(visit, operator):
    page = visit(storage_state=operator, viewport={"width": 390, "height": 900}).open("/dashboard/account")
    button = page.get_by_role("button", name="Send a test alert").bounding_box()
    hint = page.get_by_text("Goes where your saved alerts go").bounding_box()
    assert hint["y"] >= button["y"] + button["height"] and abs(hint["x"] - button["x"]) <= 1


def test_a_field_of_time_stands_beside_its_buttons(visit, operator):
    page = visit(storage_state=operator, viewport={"width": 1440, "height": 900}).open("/dashboard/playground")
    page.locator(".time-field input").wait_for()
    ends = page.evaluate("[...document.querySelectorAll('.time-field .segments, .time-field input')]"
                         ".map(one => one.getBoundingClientRect().bottom)")
    assert len(ends) == 2 and abs(ends[0] - ends[1]) <= 2, ends


MOVED = """new Promise(tell => new PerformanceObserver(list => tell(
  list.getEntries().filter(one => !one.hadRecentInput).reduce((sum, one) => sum + one.value, 0)))
    .observe({type: 'layout-shift', buffered: true}) || setTimeout(() => tell(0), 1000))"""


@pytest.mark.parametrize("path", ["/dashboard", "/dashboard/keys", "/dashboard/requests", "/dashboard/ledger",
                                  "/dashboard/sources", "/dashboard/account", "/dashboard/operator/audit"])
@pytest.mark.parametrize("last", ["**/openapi.json", "**/dashboard/api/v1/**"])
def test_nothing_moves_away_when_something_comes_late(path, last, visit, operator):
    """Whichever of what a page asks for comes last: at most a tenth, which is what Lighthouse calls good."""
    visitor, held = visit(storage_state=operator, viewport={"width": 412, "height": 823}), []
    page = visitor.page
    page.route(last, lambda route: route.continue_() if held is None else held.append(route))
    page.goto(visitor.server.url + path)
    page.locator("h1").first.wait_for()
    page.wait_for_timeout(500)
    late, held = held, None
    for one in late:
        one.continue_()
    page.wait_for_load_state("networkidle")
    page.locator(".loading").first.wait_for(state="detached")
    assert page.evaluate(MOVED) < 0.1
