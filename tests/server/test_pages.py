"""The pages for people: what they may load, how long they may be kept, and what is no page."""

import gzip
import re

import pytest
from support.reach import out_of_reach

POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self' data:",
    "connect-src": "'self'", "font-src": "'self'", "form-action": "'self'", "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def policy_of(answer):
    parts = answer.field("Content-Security-Policy").split("; ")
    return dict(part.split(" ", 1) for part in parts)


@pytest.fixture
def built(server):
    if server.get("/dashboard").status == 404:
        out_of_reach("the dashboard was left out of this build: npm or its registry was out of reach")
    return server


def assets_of(page):
    return re.findall(r'(?:src|href)="(/dashboard/assets/[^"]+)"', page.body.decode())


def test_every_path_of_the_application_is_its_page(built):
    page = built.get("/dashboard")
    for path in ("/dashboard/", "/dashboard/keys", "/dashboard/verify?token=a", "/docs", "/docs/",
                 "/docs/errors/rate_limited"):
        same = built.get(path)
        assert (same.status, same.body) == (200, page.body), path
        assert same.field("Content-Type") == "text/html; charset=utf-8"
        assert same.field("Cache-Control") == "no-cache"
        assert same.field("X-Service-Credits-Used") == "0" and same.field("X-Request-Id")


def test_the_headers_are_strict_with_a_dashboard_and_without(server):
    for path in ("/dashboard", "/docs"):
        page = server.get(path)
        assert policy_of(page) == POLICY
        assert page.field("X-Content-Type-Options") == "nosniff"
        assert page.field("Referrer-Policy") == "no-referrer"
        assert page.field("Cross-Origin-Opener-Policy") == "same-origin"
        assert "microphone=()" in page.field("Permissions-Policy")
        assert page.field("Content-Type").startswith("text/html")


def test_nothing_is_inline_and_nothing_is_elsewhere(built):
    html = built.get("/dashboard").body.decode()
    assert re.findall(r"<script(?![^>]* src=)", html) == []
    assert "<style" not in html and " style=" not in html and "://" not in html
    assert assets_of(built.get("/dashboard"))


def test_assets_are_kept_for_ever_and_packed(built):
    for path in assets_of(built.get("/dashboard")):
        plain = built.get(path)
        assert plain.status == 200 and policy_of(plain) == POLICY
        assert plain.field("Cache-Control") == "public, max-age=31536000, immutable"
        packed = built.get(path, "Accept-Encoding: gzip")
        assert packed.field("Content-Encoding") == "gzip" and packed.field("Vary") == "Accept-Encoding"
        assert gzip.decompress(packed.body) == plain.body
        assert packed.field("ETag") != plain.field("ETag")
        for answer, coding in ((plain, ""), (packed, "Accept-Encoding: gzip")):
            fields = [f"If-None-Match: {answer.field('ETag')}"] + [coding] * bool(coding)
            again = built.get(path, *fields)
            assert (again.status, again.body) == (304, b"")
        head = built.get(path, method="HEAD")
        assert head.status == 200 and head.field("Content-Length") == str(len(plain.body))


def test_what_is_no_file_is_not_found(built):
    for path in ("/dashboard/assets/nothing.js", "/dashboard/assets/", "/dashboards", "/docsx",
                 "/dashboard/api/nothing"):
        answer = built.get(path)
        assert (answer.status, answer.json()["code"]) == (404, "unknown_endpoint"), path


def test_who_looks_for_a_page_that_is_none_gets_one(built):
    as_a_browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
    page = built.get("/nothing/here", as_a_browser)
    assert (page.status, page.body) == (404, built.get("/dashboard").body)
    assert policy_of(page) == POLICY and page.field("Vary") and page.field("ETag") is None
    known = built.get("/nothing/here", as_a_browser, f"If-None-Match: {built.get('/dashboard').field('ETag')}")
    assert known.status == 404
    for path, *fields in (("/nothing/here",), ("/v1/nothing", as_a_browser),
                          ("/dashboard/assets/nothing.js", as_a_browser)):
        answer = built.get(path, *fields)
        assert (answer.status, answer.json()["code"]) == (404, "unknown_endpoint"), path


def test_pages_are_only_read(server):
    for path in ("/dashboard", "/docs/errors"):
        answer = server.post(path, "{}")
        assert (answer.status, answer.field("Allow")) == (405, "GET, HEAD, OPTIONS")


def test_they_can_be_switched_off(start):
    without = start("--set", "dashboard.enabled=false")
    for path in ("/dashboard", "/dashboard/keys", "/docs"):
        assert without.get(path).json()["code"] == "unknown_endpoint"
    assert "/dashboard" not in without.get("/").json()["links"]
