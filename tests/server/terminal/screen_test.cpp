#include <catch2/catch.hpp>
#include <server/terminal/cards.hpp>
#include <server/terminal/screen.hpp>
#include <server/terminal/table.hpp>

#include <boost/json.hpp>

using namespace freshet::server;

TEST_CASE("terminal: a table is as wide as its screen, and keeps what is to be copied whole") {
  const table_column columns[] = {{"id", false, false}, {"name"}, {"credits", true}, {"note"}};
  const std::vector<table_row> rows{
      {"key_01KATZ", "the key of the harbour office's second gauge", "12", "n"},
      {"key_02KATZ", "b\x1b[2J", "1200", "a note that is not short either"}};
  for (const std::size_t width : {40U, 60U, 80U, 120U}) {
    const std::string text = table_text(columns, rows, {width, false});
    INFO(text);
    CHECK(text.find("key_01KATZ") != std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
    std::size_t at = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
      CHECK(columns_of(text.substr(at, end - at)) <= width);
      at = end + 1;
    }
  }
  CHECK(table_text(columns, rows, {40, false}) ==
        "id          name                 credits\n"
        "key_01KATZ  the key of the har…       12\n"
        "key_02KATZ  b[2J                    1200\n");
}

TEST_CASE("terminal: a card of what others wrote holds nothing that a terminal obeys") {
  const auto envelope = boost::json::parse(R"({"data": [{"object": "post", "id": "x:1",
      "source": "x", "url": "https://x.example/1?a=\u001b[2J", "title": "\u001b]0;owned\u0007t",
      "text": "a\u009b31m\u202eb", "created_at": "2026-10-30T15:00:00Z",
      "author": {"handle": "al\u001bice", "display_name": null}, "metrics": {"likes": 1234}}],
      "page": {"next_cursor": "c1.abc", "has_more": true},
      "meta": {"credits": {"used": 1}, "completeness": "partial",
        "sources": [{"name": "x", "instance": null, "code": null},
                    {"name": "bluesky", "instance": null, "code": "source_timeout"}]}})");
  const std::string text =
      cards_text(envelope.as_object(), {std::chrono::milliseconds(1234), ""}, {60, false});
  CHECK(text ==
        "1  ]0;ownedt\n"
        "   @alice · x · 30 Oct 2026 15:00\n"
        "   a31mb\n"
        "   1,234 likes\n"
        "   https://x.example/1?a=[2J\n"
        "\n"
        "1 item · 1 credit · 1,234 ms\n"
        "partial: bluesky: source_timeout\n"
        "next: cursor=c1.abc\n");
}

TEST_CASE("terminal: a problem is a sentence for each parameter, and says what to do") {
  const auto wrong = boost::json::parse(R"({"title": "Invalid request", "code": "invalid_request",
      "request_id": "req_1", "detail": "d", "retryable": false, "retry_after_s": null,
      "errors": [{"pointer": "/limit", "code": "x", "detail": "is at most 100"}]})");
  CHECK(problem_text(wrong.as_object(), {80, false}) ==
        "freshet: Invalid request\n  limit: is at most 100\n  invalid_request · req_1\n");
  const auto later = boost::json::parse(R"({"title": "Rate limited", "code": "rate_limited",
      "request_id": "req_2", "detail": "too many", "retryable": true, "retry_after_s": 3,
      "errors": []})");
  CHECK(problem_text(later.as_object(), {80, true}) ==
        "\x1b[31mfreshet: Rate limited\x1b[0m\n  too many\n  Try again in 3 s.\n"
        "  \x1b[2mrate_limited · req_2\x1b[0m\n");
}
