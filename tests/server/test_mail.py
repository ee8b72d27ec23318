"""Mail by SMTP to a sink on loopback: with and without STARTTLS and a login, and a sink that refuses."""

import email
import email.policy
import re
import shutil
import signal
import ssl
import subprocess

import pytest
from support import postgres
from support.reach import need_module, out_of_reach

from dashboard import PASSWORD, Person

aiosmtpd = need_module("aiosmtpd", "aiosmtpd is out of reach", at_import=True)
from aiosmtpd.controller import Controller  # noqa: E402
from aiosmtpd.smtp import AuthResult  # noqa: E402
from support.waiting import wait_until


class Kept:
    """Keeps what it is sent; refuses first so many."""

    def __init__(self, refusals=0, answer="451 try later"):
        self.mails, self.refusals, self.answer, self.encrypted = [], refusals, answer, []

    async def handle_DATA(self, server, session, envelope):
        if self.refusals > 0:
            self.refusals -= 1
            return self.answer
        self.encrypted.append(session.ssl is not None)
        self.mails.append((envelope, email.message_from_bytes(envelope.content, policy=email.policy.default)))
        return "250 OK"


@pytest.fixture
def sink():
    running = []

    def run(handler, **options):
        controller = Controller(handler, hostname="127.0.0.1", port=0, **options)
        # Port 0 is only known once it is bound.
        import socket
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            controller.port = probe.getsockname()[1]
        controller.start()
        running.append(controller)
        return controller.port

    yield run
    for controller in running:
        controller.stop()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    at = tmp_path_factory.mktemp("certificate")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", at / "key.pem", "-out", at / "cert.pem"], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(at / "cert.pem", at / "key.pem")
    return at / "cert.pem", context


def settings(port, *more):
    given = [f"mail.url=smtp://127.0.0.1:{port}", "mail.from=Freshet <freshet@example.org>", *more]
    return [part for one in given for part in ("--set", one)]


def test_a_sign_up_by_mail(start, sink):
    kept = Kept()
    server = start(*settings(sink(kept)))
    person = Person(server)
    asked = person.post("sign-up", {"email": "ann@example.org"})
    assert asked.json() == {"next": "verify", "mail": "smtp"}
    wait_until(lambda: kept.mails)
    envelope, mail = kept.mails[0]
    assert (envelope.mail_from, envelope.rcpt_tos) == ("freshet@example.org", ["ann@example.org"])
    assert mail["To"] == "ann@example.org" and mail["From"] == "Freshet <freshet@example.org>"
    assert mail["Subject"] == "Confirm your address" and mail["Message-ID"] and mail["Date"].datetime
    assert not mail.defects
    text = mail.get_content()
    token = re.search(rf"{re.escape(server.url)}/dashboard/verify\?token=([\w-]+)", text)[1]
    assert token not in server.log_text()
    assert person.post("verify", {"token": token, "password": PASSWORD}).status == 200
    Person(server).post("reset/request", {"email": "ann@example.org"})
    wait_until(lambda: len(kept.mails) == 2)
    token = re.search(r"/dashboard/reset\?token=([\w-]+)", kept.mails[1][1].get_content())[1]
    done = Person(server).post("reset/confirm", {"token": token, "password": PASSWORD})
    assert done.status == 200 and done.json()["mail"] == "smtp"


def test_a_test_alert_by_mail(start, sink):
    kept = Kept()
    server = start(*settings(sink(kept)))
    person = Person(server)
    person.post("sign-up", {"email": "gus@example.org"})
    wait_until(lambda: kept.mails)
    token = re.search(r"token=([\w-]+)", kept.mails[0][1].get_content())[1]
    assert person.post("verify", {"token": token, "password": PASSWORD}).status == 200
    sent = person.post("v1/account/alerts/test", {}).json()["data"]
    assert (sent["email"], sent["webhook"]) == ("gus@example.org", None)
    wait_until(lambda: len(kept.mails) == 2)
    assert kept.mails[1][1]["Subject"] == "A test alert" and kept.mails[1][1]["To"] == "gus@example.org"
    assert person.post("v1/account/alerts/update", {"mail": False}).status == 200
    refused = person.post("v1/account/alerts/test", {}).json()
    assert refused["code"] == "no_recipient" and "switched off" in refused["detail"]


def test_with_starttls_and_a_login(start, sink, certificate):
    path, context = certificate
    kept = Kept()

    def check(server, session, envelope, mechanism, given):
        right = (given.login, given.password) == (b"freshet", b"a mail password")
        return AuthResult(success=right, handled=False)

    port = sink(kept, tls_context=context, require_starttls=True, auth_required=True,
                authenticator=check)
    right = start(*settings(port, "mail.username=freshet", "mail.password=a mail password",
                            f"mail.ca_file={path}"))
    Person(right).post("sign-up", {"email": "ann@example.org"})
    wait_until(lambda: kept.mails)
    assert kept.encrypted == [True]
    wrong = start(*settings(port, "mail.username=freshet", "mail.password=another",
                            f"mail.ca_file={path}"))
    Person(wrong).post("sign-up", {"email": "bea@example.org"})
    wait_until(lambda: "mail: given up: 535" in wrong.log_text())
    assert "a mail password" not in right.log_text() and len(kept.mails) == 1


def test_a_certificate_that_nobody_vouches_for_is_refused(start, sink, certificate):
    kept = Kept()
    server = start(*settings(sink(kept, tls_context=certificate[1])))
    Person(server).post("sign-up", {"email": "ann@example.org"})
    wait_until(lambda: "not sent, will be tried again" in server.log_text())
    assert kept.mails == []


def test_without_tls_nothing_is_sent_to_another_host(start, sink):
    kept = Kept()
    port = sink(kept)
    # By this name it is no loopback server for us, though it ends up there.
    host = f"mail.url=smtp://0.0.0.0:{port}"
    server = start(*settings(port, host))
    Person(server).post("sign-up", {"email": "ann@example.org"})
    wait_until(lambda: "not sent, will be tried again" in server.log_text())
    assert kept.mails == []
    stated = start(*settings(port, host, "mail.require_tls=false"))
    Person(stated).post("sign-up", {"email": "ann@example.org"})
    wait_until(lambda: kept.mails)


def test_a_refusal_for_a_while_is_tried_again(start, sink):
    kept = Kept(refusals=1)
    server = start(*settings(sink(kept)))
    Person(server).post("sign-up", {"email": "ann@example.org"})
    wait_until(lambda: kept.mails)
    assert "not sent, will be tried again" in server.log_text()


def test_a_refusal_for_good_is_not(start, sink):
    kept = Kept(refusals=1, answer="554 no such thing")
    server = start(*settings(sink(kept)))
    asked = Person(server).post("sign-up", {"email": "ann@example.org"})
    assert asked.status == 202
    wait_until(lambda: "mail: given up: 554" in server.log_text())
    assert kept.mails == []


def test_a_mail_outlives_its_server(start, sink, tmp_path):
    data, port = tmp_path / "data", sink(Kept(refusals=1000))
    first = start(*settings(port), data_dir=data)
    assert Person(first).post("sign-up", {"email": "ann@example.org"}).status == 202
    wait_until(lambda: "not sent, will be tried again" in first.log_text())
    first.signal(signal.SIGKILL)
    first.wait()
    kept = Kept()
    second = start(*settings(sink(kept)), data_dir=data)
    wait_until(lambda: kept.mails)
    token = re.search(r"verify\?token=([\w-]+)", kept.mails[0][1].get_content())[1]
    assert Person(second).post("verify", {"token": token, "password": PASSWORD}).status == 200
    # And it is sent once.
    second.stop()
    again = Kept()
    third = start(*settings(sink(again)), data_dir=data)
    assert Person(third).post("sign-up", {"email": "bea@example.org"}).status == 202
    wait_until(lambda: again.mails)
    assert [mail["To"] for _, mail in again.mails] == ["bea@example.org"]


def test_another_server_sends_what_one_has_left(start, sink, tmp_path):
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    database, port = postgres.Postgres(), sink(Kept(refusals=1000))
    try:
        book = ["--set", f"storage.database={database.url}"]
        first = start(*settings(port), *book, data_dir=tmp_path / "first")
        (tmp_path / "second").mkdir(mode=0o700)
        shutil.copy(tmp_path / "first/pepper", tmp_path / "second/pepper")
        kept = Kept()
        second = start(*settings(sink(kept)), *book, data_dir=tmp_path / "second")
        assert Person(first).post("sign-up", {"email": "ann@example.org"}).status == 202
        wait_until(lambda: "not sent, will be tried again" in first.log_text())
        assert kept.mails == []  # Whose it is has it.
        first.signal(signal.SIGKILL)
        first.wait()
        wait_until(lambda: kept.mails)
        token = re.search(r"verify\?token=([\w-]+)", kept.mails[0][1].get_content())[1]
        assert Person(second).post("verify", {"token": token, "password": PASSWORD}).status == 200
        second.stop()
    finally:
        database.close()
