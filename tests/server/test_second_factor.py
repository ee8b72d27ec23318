"""A second factor at the dashboard, with an authenticator that others wrote."""

import time

import pytest
from support.reach import need_module

from dashboard import PASSWORD, Person

pyotp = need_module("pyotp", "what plays the authenticator", at_import=True)


def code_of(answer):
    return answer.status, answer.json()["code"]


def read_totp(uri):
    """As an authenticator reads a QR code."""
    return pyotp.parse_uri(uri)


def protect(person):
    # No half minute ends between a code and who judges it.
    left = 30 - time.time() % 30
    if left < 12:
        time.sleep(left)
    begun = person.post("second-factor/begin", {"password": PASSWORD}).json()
    totp = read_totp(begun["uri"])
    assert (totp.secret, totp.issuer) == (begun["secret"], "Freshet")
    # One half minute before: the present code stays for what comes next.
    done = person.post("second-factor/confirm", {"code": totp.at(time.time() - 30)})
    assert done.status == 200, done.body
    return totp, done.json()["recovery_codes"]


def test_an_authenticator_of_others_signs_in(server):
    person = Person(server).sign_up("factor@example.org")
    none = {"on": False, "codes": False, "passkeys": [], "passkeys_possible": False,
            "recovery_codes": 0, "required": False}
    assert person.get("second-factor").json() == none  # no passkeys: the address is a number
    totp, recovery = protect(person)
    assert person.get("second-factor").json() == {
        **none, "on": True, "codes": True, "recovery_codes": 10}
    who = {"email": "factor@example.org", "password": PASSWORD}
    assert code_of(Person(server).post("sign-in", who)) == (401, "second_factor_required")
    assert code_of(Person(server).post("sign-in", {**who, "code": "000000"})) == (401, "invalid_second_factor")
    code = totp.now()
    inside = Person(server)
    assert inside.post("sign-in", {**who, "code": code}).status == 200
    assert code_of(Person(server).post("sign-in", {**who, "code": code})) == (401, "invalid_second_factor")
    assert Person(server).post("sign-in", {**who, "code": recovery[0]}).status == 200
    assert code_of(Person(server).post("sign-in", {**who, "code": recovery[0]}))[0] == 401
    removed = inside.post("second-factor/remove", {"password": PASSWORD, "code": recovery[1]})
    assert removed.status == 200, removed.body
    assert Person(server).post("sign-in", who).status == 200


@pytest.fixture
def strict(start):
    return start("--set", "dashboard.second_factor_for_operators=true")


def test_operators_need_one_where_the_configuration_says_so(strict):
    boss = Person(strict).sign_up("boss@example.org")
    assert strict.run("accounts", "operator", "boss@example.org").returncode == 0
    assert code_of(boss.post("operator/accounts.list")) == (403, "second_factor_missing")
    assert boss.get("second-factor").json()["required"] is True
    # What is their own they reach: they have to turn it on.
    assert boss.get("sessions").status == 200
    protect(boss)
    assert boss.post("operator/accounts.list").status == 200
    # Lost: the command line helps, and the log says who did.
    helped = strict.run("accounts", "recover", "boss@example.org")
    assert helped.stdout == "boss@example.org signs in with the password alone now\n", helped.stderr
    assert code_of(boss.post("operator/audit.list")) == (403, "second_factor_missing")
    protect(boss)
    entries = boss.post("operator/audit.list", {"limit": 5}).json()["entries"]
    assert [one["action"] for one in entries[:2]] == ["second_factor.on", "accounts.recover"]
