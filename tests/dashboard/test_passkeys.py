"""Passkeys in a real browser, with the virtual authenticator that Chromium has for tests: making,
showing and removing them, and what the server refuses of what a page may send."""

import json

import pytest
from support import browsing
from support.browsing import PASSWORD
from support.freshet import Freshet
from support.ports import free_port
from support.reach import need_program


@pytest.fixture(scope="module")
def server(app, tmp_path_factory):
    """At an address with a name: for a number browsers make no passkey."""
    need_program()
    port = free_port()
    running = Freshet(tmp_path_factory.mktemp("passkeys") / "data", "dashboard.open_sign_up=true",
                      f"server.base_url=http://localhost:{port}",
                      "dashboard.second_factor_for_operators=true", listen=f"127.0.0.1:{port}")
    running.url = f"http://localhost:{port}"
    yield running
    assert running.stop() == 0, running.log_path.read_text()


class Authenticator:
    """A device at the person's browser that says yes to everything."""

    def __init__(self, person):
        self.cdp = person.context.new_cdp_session(person.page)
        self.cdp.send("WebAuthn.enable")
        self.id = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": True,
            "automaticPresenceSimulation": True}})["authenticatorId"]

    def credentials(self):
        return self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def put(self, credential):
        self.cdp.send("WebAuthn.addCredential", {"authenticatorId": self.id, "credential": credential})

    def clear(self):
        self.cdp.send("WebAuthn.clearCredentials", {"authenticatorId": self.id})


def card_of(page, name):
    return page.locator("section.card").filter(has=page.get_by_role("heading", name=name, exact=True))


def protect(person, email):
    """Signs up and adds the first passkey; the authenticator, and the recovery codes."""
    device = Authenticator(person)
    person.sign_up(email)
    page = person.open("/dashboard/account")
    card = card_of(page, "Passkeys")
    card.get_by_label("Name").fill("my phone")
    card.get_by_label("Password").fill(PASSWORD)
    card.get_by_role("button", name="Add a passkey").click()
    listed = card.get_by_role("list", name="Recovery codes").get_by_role("listitem")
    listed.first.wait_for()
    codes = listed.all_inner_texts()
    assert len(set(codes)) == 10
    card.get_by_role("button", name="I have kept them").click()
    card.get_by_role("cell", name="my phone", exact=True).wait_for()
    return device, codes


def sign_in_by_passkey(page):
    page.get_by_role("button", name="Use a passkey").click()


def as_operator(page):
    """What the audit log answers somebody who is signed in."""
    token = browsing.api(page, "session")[1]["csrf_token"]
    return browsing.api(page, "operator/audit.list", {}, {"X-CSRF-Token": token})


def test_a_passkey_is_made_signs_in_and_is_removed(visit, server):
    person = visit()
    device, codes = protect(person, "key@example.org")
    (made,) = device.credentials()
    assert made["rpId"] == "localhost" and made["isResidentCredential"]

    other = visit()
    theirs = Authenticator(other)
    page = other.sign_in("key@example.org")
    page.get_by_role("button", name="Use a passkey").wait_for()
    sign_in_by_passkey(page)  # with a device that does not know the account
    page.get_by_role("alert").filter(has_text="No passkey was used").wait_for()
    theirs.put(made)
    sign_in_by_passkey(page)
    page.get_by_role("heading", name="Overview").wait_for()

    # A second one, for which the first is shown; then the first goes.
    page = other.open("/dashboard/account")
    card = card_of(page, "Passkeys")
    card.get_by_label("Name").fill("my key")
    card.get_by_label("Password").fill(PASSWORD)
    card.get_by_label("Code", exact=True).fill(codes[0])
    theirs.clear()
    card.get_by_role("button", name="Add a passkey").click()
    card.get_by_role("cell", name="my key", exact=True).wait_for()
    card.get_by_role("button", name="Remove the passkey my phone").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Use a passkey").click()
    dialog.wait_for(state="detached")
    browsing.expect(card.get_by_role("row")).to_have_count(2)  # its head, and the one that is left


def test_a_lost_password_needs_the_passkey(visit, server):
    person = visit()
    protect(person, "lost@example.org")
    page = person.open("/dashboard/account")
    page.get_by_role("button", name="Sign out").first.click()
    page = person.open("/dashboard/reset")
    page.get_by_label("E-mail address").fill("lost@example.org")
    page.get_by_role("button", name="Send a link").click()
    page.get_by_text("stands in its log").wait_for()
    page.goto(browsing.link_from_log(server, "lost@example.org", "reset"))
    page.get_by_label("New password", exact=True).fill("another tide of gauges")
    page.get_by_role("button", name="Set it and sign in").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("heading", name="Overview").wait_for()


def test_operators_meet_the_rule_with_a_passkey_and_are_helped(visit, server):
    person = visit()
    protect(person, "boss@example.org")
    server.run("accounts", "operator", "boss@example.org")
    status, body = as_operator(person.open("/dashboard/account"))
    assert status == 200
    assert "passkey.add" in [one["action"] for one in body["entries"]]
    server.run("accounts", "recover", "boss@example.org")
    status, body = as_operator(person.page)
    assert (status, body["code"]) == (403, "second_factor_missing")


# Asks for a challenge and has the browser answer it; gives the answer as the page would send it.
SHOW = """async ([who]) => {
  const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')),
                                        letter => letter.charCodeAt(0));
  const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const asked = await (await fetch('/dashboard/api/passkeys/ask', {method: 'POST',
    headers: {'Content-Type': 'application/json'}, body: JSON.stringify(who)})).json();
  const shown = await navigator.credentials.get({publicKey: {challenge: bytes(asked.challenge),
    rpId: asked.rpId, allowCredentials: asked.allowCredentials.map(one => ({...one, id: bytes(one.id)}))}});
  const {clientDataJSON, authenticatorData, signature} = shown.response;
  return {id: shown.id, response: {clientDataJSON: text(clientDataJSON),
    authenticatorData: text(authenticatorData), signature: text(signature)}};
}"""


@pytest.fixture
def stranger(visit, server):
    """A browser without a session that has the passkey: shown(), and enter(answer)."""
    device, _ = protect(visit(), "strict@example.org") if not hasattr(server, "made") else (None, None)
    if device is not None:
        server.made = device.credentials()[0]
    person = visit()
    person.device = Authenticator(person)
    person.device.put(server.made)
    page = person.open("/dashboard/sign-in")
    who = {"email": "strict@example.org", "password": PASSWORD}
    person.shown = lambda: page.evaluate(SHOW, [who])
    person.enter = lambda answer: browsing.api(page, "sign-in", {**who, "passkey": json.dumps(answer)})
    return person


def test_an_answer_is_taken_once(stranger, server):
    answer = stranger.shown()
    assert stranger.enter(answer)[0] == 200
    stranger.context.clear_cookies()
    status, body = stranger.enter(answer)
    assert (status, body["code"]) == (401, "invalid_second_factor") and "was used" in body["detail"]


def test_what_was_changed_on_the_way_is_refused(stranger):
    def changed(part):
        answer = stranger.shown()
        text = answer["response"][part]
        answer["response"][part] = text[:12] + ("A" if text[12] != "A" else "B") + text[13:]
        return answer

    for part in ("signature", "authenticatorData"):
        status, body = stranger.enter(changed(part))
        assert (status, body["code"]) == (401, "invalid_second_factor"), part


def test_a_copy_of_the_passkey_is_noticed(stranger):
    stranger.device.clear()
    stranger.device.put({**stranger.server.made, "signCount": 1000})
    assert stranger.enter(stranger.shown())[0] == 200
    stranger.context.clear_cookies()
    stranger.device.clear()
    stranger.device.put({**stranger.server.made, "signCount": 5})
    status, body = stranger.enter(stranger.shown())
    assert status == 401 and "counter went back" in body["detail"]
