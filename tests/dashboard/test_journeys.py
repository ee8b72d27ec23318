"""What a person does with the dashboard, from the first visit on, in a real browser."""

import csv
import json
import subprocess

from support.browsing import PASSWORD, expect, link_from_log
from support.reach import need_module


def make_key(page, **fields):
    """Through the dialog; returns the new key."""
    page.get_by_role("button", name="Create key").click()
    dialog = page.get_by_role("dialog")
    for label, value in fields.items():
        dialog.get_by_label(label.replace("_", " ")).fill(value)
    dialog.get_by_role("button", name="Create", exact=True).click()
    key = dialog.get_by_label("New key", exact=True).inner_text()
    dialog.get_by_role("button", name="I have copied it").click()
    dialog.wait_for(state="detached")
    return key


def row_of(page, key):
    return page.get_by_role("row").filter(has_text="…" + key[-4:])


def test_the_first_hour(visit, server, site):
    person = visit(viewport={"width": 1280, "height": 900})
    live, test = person.sign_up("hour@example.org")
    page = person.page
    assert live.startswith("frs_live_") and test.startswith("frs_test_")
    page.get_by_role("button", name="Copy Live key").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == live
    # What the page shows can be pasted as it is.
    line = page.get_by_label("First call", exact=True).inner_text()
    said = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True).stdout
    assert len(json.loads(said)["data"]) == 3
    # The link has been used: who opens it again need not type a password to learn that.
    other = visit().open(link_from_log(server, "hour@example.org", "verify").removeprefix(server.url))
    other.get_by_text("This link is good no more").wait_for()
    assert other.get_by_label("Password", exact=True).count() == 0
    other.get_by_role("link", name="Ask for another link").click()
    other.get_by_role("heading", name="Create account").wait_for()

    assert server.call("microblog/search", test, q="climate").status == 200
    assert server.call("scrape/markdown", live, url=site).headers["X-Service-Credits-Used"] == "1"
    assert person.balance() == 999
    page.get_by_text("1 credit for 1 call").wait_for()
    page.get_by_text("Show as a table").click()
    numbers = page.get_by_role("table", name="Credits by day")
    expect(numbers).to_contain_text("scrape/markdown")
    expect(numbers.locator("tbody tr").first.locator("td").first).to_have_text("1")
    expect(page.locator(".chart svg rect.series-0")).to_have_count(1)
    server.call("scrape/markdown", live, url=site + "?again")
    assert person.balance() == 998
    page.get_by_text("2 credits for 2 calls").wait_for()
    # The keys are not shown again.
    page = person.open("/dashboard/welcome")
    page.get_by_text("Your account has keys already").wait_for()
    assert live not in page.content()


def test_keys_have_budgets_successors_and_an_end(visit, server, site):
    person = visit(viewport={"width": 1280, "height": 900})
    live, _ = person.sign_up("keys@example.org")
    page = person.open("/dashboard/keys")
    capped = make_key(page, Name="the laptop", Monthly_budget="1", Expires="30d")
    assert server.call("scrape/markdown", capped, url=site).status == 200
    refused = server.call("scrape/markdown", capped, url=site + "?b")
    assert (refused.status, refused.json["code"]) == (402, "key_budget_exceeded")
    page = person.open("/dashboard")
    page.get_by_text("Budget used up: the laptop").wait_for()
    assert page.get_by_text("Your credits run low").count() == 0
    page = person.open("/dashboard/keys")
    expect(row_of(page, capped)).to_contain_text("the laptop")
    expect(row_of(page, capped)).to_contain_text("1 of 1")

    row_of(page, live).get_by_role("button", name="Rotate").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Grace").fill("1h")
    dialog.get_by_role("button", name="Create successor").click()
    successor = dialog.get_by_label("New key", exact=True).inner_text()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert successor != live
    for key in (live, successor):  # both, for the time of grace
        assert server.call("scrape/markdown", key, url=site).status == 200

    row_of(page, capped).get_by_role("button", name="Revoke").click()
    page.get_by_role("button", name="Keep it").click()
    assert server.call("account/show", successor).status in (200, 403)
    row_of(page, capped).get_by_role("button", name="Revoke").click()
    page.get_by_role("button", name="Revoke it").click()
    page.get_by_text("1 key revoked or expired").click()  # those that work are not among them
    row_of(page, capped).get_by_text("revoked").wait_for()
    gone = server.call("scrape/markdown", capped, url=site)
    assert (gone.status, gone.json["code"]) == (401, "revoked_api_key")


def test_a_mistake_is_shown_at_its_field_and_nothing_is_lost(visit, server):
    person = visit()
    page = person.open("/dashboard/sign-up")
    page.get_by_label("E-mail address").fill("short@example.org")
    page.get_by_role("button", name="Create account").click()
    page.get_by_text("stands in its log").wait_for()
    page.goto(link_from_log(server, "short@example.org", "verify"))
    page.get_by_label("Password", exact=True).fill("short")
    page.get_by_role("button", name="Set it and sign in").click()
    field = page.get_by_label("Password", exact=True)
    page.locator(".field-error").wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    described = field.get_attribute("aria-describedby").split()
    assert any("10" in page.locator("#" + name).inner_text() for name in described)
    assert field.input_value() == "short"
    expect(field).to_be_focused()

    person.sign_up("mistake@example.org")
    page = person.open("/dashboard/keys")
    page.get_by_role("button", name="Create key").click()
    page.get_by_label("Name").fill("kept")
    page.get_by_label("Expires").fill("tomorrow")
    page.get_by_role("button", name="Create", exact=True).click()
    page.locator(".field-error").wait_for()
    assert page.get_by_label("Expires").get_attribute("aria-invalid") == "true"
    assert page.get_by_label("Name").input_value() == "kept"


def test_who_is_refused_is_told_where_to_go(visit, server, site):
    person = visit()
    page = person.open("/dashboard/sign-up")
    page.get_by_label("E-mail address").fill("unverified@example.org")
    page.get_by_role("button", name="Create account").click()
    page.get_by_text("stands in its log").wait_for()
    person.sign_in("unverified@example.org", "never chosen")
    page.get_by_role("link", name="Sign up again").click()
    page.get_by_role("heading", name="Create account").wait_for()

    person.start_with_link("broke@example.org")
    page = person.open("/dashboard/playground/scrape/markdown")
    page.get_by_label("Sandbox").uncheck(force=True)
    page.get_by_role("textbox", name="url").fill(site + "?broke")
    page.get_by_text("This call: 1 credit").wait_for()
    page.route("**/dashboard/api/v1/scrape/markdown", lambda route: route.fulfill(
        status=402, content_type="application/problem+json", body=json.dumps({
            "type": "/errors/insufficient_credits", "title": "Insufficient credits", "status": 402,
            "code": "insufficient_credits", "detail": "the call costs 1 and 0 are available"})))
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("alert").get_by_role("link", name="overview").click()
    page.get_by_text("The next grant is on").wait_for()


def test_signing_out_in_one_tab_signs_out_of_all(visit):
    person = visit()
    person.start_with_link("tabs@example.org")
    other = person.context.new_page()
    other.goto(person.server.url + "/dashboard/keys")
    other.get_by_role("heading", name="Keys", exact=True).wait_for()
    expect(other.locator("body")).to_contain_text("tabs@example.org")
    person.page.get_by_role("button", name="Sign out").click()
    person.page.get_by_role("heading", name="Sign in").wait_for()
    # Nobody touches the other tab.
    other.get_by_role("heading", name="Sign in").wait_for()
    expect(other.locator("body")).not_to_contain_text("tabs@example.org")


def test_a_forgotten_password(visit, server):
    person = visit()
    person.sign_up("forgot@example.org")
    elsewhere = visit()
    page = elsewhere.open("/dashboard/reset")
    page.get_by_label("E-mail address").fill("forgot@example.org")
    page.get_by_role("button", name="Send a link").click()
    page.get_by_text("stands in its log").wait_for()
    page.goto(link_from_log(server, "forgot@example.org", "reset"))
    page.get_by_label("New password", exact=True).fill("another long password")
    page.get_by_role("button", name="Set it and sign in").click()
    page.get_by_role("heading", name="Overview").wait_for()
    late = visit().open(link_from_log(server, "forgot@example.org", "reset").removeprefix(server.url))
    late.get_by_text("This link is good no more").wait_for()
    assert late.get_by_label("New password", exact=True).count() == 0
    late.get_by_label("E-mail address").fill("forgot@example.org")
    late.get_by_role("button", name="Send a link").click()
    late.get_by_text("stands in its log").wait_for()
    # Every other session has ended: the page says so and keeps what it shows.
    person.page.get_by_role("link", name="Ledger", exact=True).first.click()
    person.page.get_by_role("dialog", name="Sign in again").wait_for()
    dialog = person.page.get_by_role("dialog")
    expect(dialog.get_by_label("E-mail address")).to_have_value("forgot@example.org")
    expect(dialog.get_by_label("Password", exact=True)).to_be_focused()
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    dialog.get_by_role("alert").wait_for()
    dialog.get_by_label("Password").fill("another long password")
    dialog.get_by_role("button", name="Sign in").click()
    dialog.wait_for(state="detached")


def test_the_owner_verifies_the_ledger_against_a_head_that_was_kept(visit, server, site):
    person = visit()
    live, _ = person.sign_up("auditor@example.org")
    server.call("scrape/markdown", live, url=site)
    page = person.open("/dashboard/ledger")
    page.get_by_role("button", name="Verify the ledger").click()
    page.get_by_text("2 entries verified").wait_for()
    head = page.get_by_label("Head", exact=True).inner_text()
    server.call("scrape/markdown", live, url=f"{site}?again")
    page.get_by_label("A head that you have kept").fill(head)
    page.get_by_role("button", name="Verify the ledger").click()
    page.get_by_text("1 entry verified").wait_for()
    page.get_by_label("A head that you have kept").fill("1:" + "0" * 64)
    page.get_by_role("button", name="Verify the ledger").click()
    page.get_by_text("This is not what was booked").wait_for()
    page.get_by_label("A head that you have kept").fill("the newest")
    page.get_by_role("button", name="Verify the ledger").click()
    page.get_by_text("is not a head of the ledger").wait_for()


def test_the_operator_grants_and_the_balance_moves(visit, server, site):
    person = visit()
    person.sign_up("poor@example.org")
    boss = visit(viewport={"width": 1280, "height": 900})
    boss.sign_up("boss@example.org")
    assert boss.page.get_by_role("link", name="Audit log").count() == 0
    server.run("accounts", "operator", "boss@example.org")
    page = boss.open("/dashboard/operator/accounts")
    page.get_by_label("Find an account").fill("poor@")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="Grant of poor@example.org").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Credits").fill("many")
    dialog.get_by_label("Reason").fill("for the pilot")
    dialog.get_by_role("button", name="Give the credits").click()
    dialog.get_by_role("alert").or_(dialog.locator(".field-error")).first.wait_for()
    dialog.get_by_label("Credits").fill("250")
    dialog.get_by_role("button", name="Give the credits").click()
    page.get_by_text("poor@example.org was given 250 credits").wait_for()
    row = page.get_by_role("row").filter(has_text="poor@example.org")
    row.get_by_text("1,250").wait_for()
    assert person.balance() == 1250
    person.open("/dashboard/ledger").get_by_text("for the pilot").wait_for()

    page.get_by_role("button", name="Plan of poor@example.org").click()
    page.get_by_role("combobox", name="Plan").select_option("team")
    page.get_by_role("button", name="Change the plan").click()
    page.get_by_text("poor@example.org is on team").wait_for()
    live, _ = visit().sign_up("charged@example.org")
    charged = server.call("scrape/markdown", live, url=site + "?refund")
    page.get_by_role("button", name="Refund a call").click()
    page.get_by_label("Request id").fill(charged.headers["X-Request-Id"])
    page.get_by_label("Reason").fill("it was the wrong page")
    page.get_by_role("button", name="Refund the call").click()
    page.get_by_text("was refunded").wait_for()
    row = page.get_by_role("row").filter(has_text="charged@example.org")
    page.get_by_label("Find an account").fill("charged@")
    page.get_by_role("button", name="Search").click()
    row.get_by_text("1,000").wait_for()

    page = boss.open("/dashboard/operator/ledger")
    page.get_by_role("button", name="Verify the ledger").click()
    page.get_by_text("The ledger is sound").wait_for()
    page = boss.open("/dashboard/operator/audit")
    log = page.get_by_role("table", name="Audit log")
    expect(log).to_contain_text("credits.grant")
    expect(log).to_contain_text("accounts.plan")
    page.get_by_label("Filter").fill("the wrong PAGE")
    expect(log.locator("tbody tr")).to_have_count(1)
    expect(log).to_contain_text("credits.refund")
    page.get_by_label("Filter").fill("nothing like it")
    page.get_by_text("No entry matches").wait_for()

    page = boss.open("/dashboard/operator/account?email=charged@example.org")
    used = page.get_by_role("tabpanel", name="Usage")
    used.get_by_role("group", name="By what").get_by_role("button", name="Source").click()
    expect(used).to_contain_text("1 credit for 1 call")
    page.get_by_role("tab", name="Audit log").click()
    expect(page.get_by_role("table", name="Audit log of charged@example.org")).to_contain_text(
        "keys.create")


def test_the_ledger_is_filtered_and_saved(visit, server, site):
    person = visit(viewport={"width": 1280, "height": 900})
    live, _ = person.sign_up("ledger@example.org")
    for n in range(3):
        server.call("scrape/markdown", live, url=f"{site}?{n}")
    page = person.open("/dashboard/ledger")
    table = page.get_by_role("table", name="The ledger")
    expect(table.locator("tbody tr")).to_have_count(4)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export as CSV").click()
    rows = list(csv.DictReader(open(saved.value.path(), newline="")))
    assert [int(row["amount"]) for row in rows] == [-1, -1, -1, 1000]
    assert [int(row["balance"]) for row in rows] == [997, 998, 999, 1000]
    assert all(len(row["hash"]) == 64 for row in rows)
    page.get_by_label("Kind").select_option("grant")
    page.get_by_role("button", name="Filter").click()
    expect(table.locator(".badge")).to_have_text(["grant"])
    page.get_by_role("button", name="Show all").click()
    table.locator("tbody tr").nth(3).wait_for()


def test_an_account_is_taken_along_and_deleted(visit, server):
    person = visit()
    live, _ = person.sign_up("leaving@example.org")
    page = person.open("/dashboard/account")
    page.get_by_text("this one").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export").click()
    assert "leaving@example.org" in json.dumps(json.load(open(saved.value.path())))
    page.get_by_role("button", name="Delete account").click()
    page.get_by_role("dialog").get_by_label("Password").fill("not the password")
    page.get_by_role("dialog").get_by_role("button", name="Delete account").click()
    page.get_by_role("dialog").get_by_role("alert").wait_for()
    page.get_by_role("dialog").get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("dialog").get_by_role("button", name="Delete account").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    assert server.call("scrape/markdown", live, url="https://example.org/").status == 401
    person.sign_in("leaving@example.org")
    page.get_by_role("alert").wait_for()


def test_alerts_are_chosen_and_tried(visit, server):
    person = visit()
    person.sign_up("alerted@example.org")
    page = person.open("/dashboard/account")
    card = page.locator("section.card").filter(has=page.get_by_role("heading", name="Alerts"))
    card.get_by_text("No alert goes by mail here").wait_for()
    expect(card.get_by_label("By mail")).to_have_count(0)
    card.get_by_role("button", name="Send a test alert").click()
    card.get_by_text("sends no alerts by mail").wait_for()
    card.get_by_text("Enter a webhook among").wait_for()  # where the person is, and not by an endpoint
    card.get_by_label("A source has failed your calls for long").check()
    card.get_by_label("Webhook").fill("https://hooks.invalid/freshet")
    card.get_by_role("button", name="Save alerts").click()
    card.get_by_text("Alerts saved").wait_for()
    expect(card.get_by_label("Signing secret", exact=True)).to_contain_text("whsec_")
    card.get_by_role("button", name="Send a test alert").click()
    card.get_by_text("A test is on its way to https://hooks.invalid/freshet").wait_for()
    expect(card.get_by_text("sends no alerts by mail")).to_have_count(0)
    card.get_by_role("button", name="Send a test alert").click()
    card.get_by_text("within the last minute").wait_for()
    card = person.open("/dashboard/account").locator("section.card").filter(has_text="Save alerts")
    expect(card.get_by_label("A source has failed your calls for long")).to_be_checked()
    expect(card.get_by_label("Webhook")).to_have_value("https://hooks.invalid/freshet")


def test_a_second_factor_is_turned_on_asked_for_and_turned_off(visit, server):
    pyotp = need_module("pyotp", "what plays the authenticator")
    person = visit()
    person.sign_up("factor@example.org")
    page = person.open("/dashboard/account")
    card = page.locator("section.card").filter(has=page.get_by_role("heading", name="Second factor"))
    card.get_by_label("Password").fill(PASSWORD)
    card.get_by_role("button", name="Turn it on").click()
    card.get_by_role("img", name="QR code for an authenticator").wait_for()
    totp = pyotp.TOTP(card.locator("code").inner_text())
    card.get_by_label("Code", exact=True).fill("000000")
    card.get_by_role("button", name="Confirm").click()
    card.get_by_role("alert").wait_for()
    card.get_by_label("Code", exact=True).fill(totp.now())
    card.get_by_role("button", name="Confirm").click()
    codes = card.get_by_role("list", name="Recovery codes").get_by_role("listitem").all_inner_texts()
    assert len(set(codes)) == 10
    card.get_by_role("button", name="I have kept them").click()
    card.get_by_text("10 recovery codes left").wait_for()

    other = visit().open("/dashboard/sign-in")
    other.get_by_label("E-mail address").fill("factor@example.org")
    other.get_by_label("Password", exact=True).fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    field = other.get_by_label("Code", exact=True)
    field.wait_for()
    other.get_by_role("status").filter(has_text="One more step").wait_for()
    expect(other.get_by_role("alert")).to_have_count(0)  # nothing went wrong
    field.fill(codes[0])
    other.get_by_role("button", name="Sign in").click()
    other.get_by_role("heading", name="Overview").wait_for()

    card.get_by_label("Password").fill(PASSWORD)
    card.get_by_label("Code", exact=True).fill(codes[1])
    card.get_by_role("button", name="Turn it off").click()
    card.get_by_role("button", name="Turn it on").wait_for()
