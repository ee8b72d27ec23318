// Accept, Accept-Encoding, Content-Type, If-None-Match, and the compression they ask for.
#include <catch2/catch.hpp>
#include <server/http/compression.hpp>
#include <server/http/negotiation.hpp>
#include <string>

#include "gunzip.hpp"

using namespace freshet::server;

TEST_CASE("a stream is what names one and not JSON itself") {
  CHECK(wanted_stream("text/event-stream") == stream_form::events);
  CHECK(wanted_stream("application/x-ndjson;q=0.5, */*;q=0.1") == stream_form::lines);
  CHECK(wanted_stream("application/x-ndjson, text/event-stream") == stream_form::lines);
  for (const auto* none : {"", "*/*", "text/*", "application/json, text/event-stream",
                           "text/event-stream;q=0", "text/event-streams"}) {
    INFO(none);
    CHECK(wanted_stream(none) == stream_form::none);
  }
}

TEST_CASE("Accept admits JSON by the most specific range") {
  for (const char* yes : {"", "*/*", "application/json", "text/html, application/json;q=0.1",
                          "text/html,application/xhtml+xml,*/*;q=0.8", "application/*",
                          "Application/JSON", "*/*;q=0, application/json"}) {
    INFO(yes);
    CHECK(accepts_json(yes));
  }
  for (const char* no : {"text/html", "application/xml", "application/json;q=0",
                         "*/*, application/json;q=0.0", "application/jsonp"}) {
    INFO(no);
    CHECK(!accepts_json(no));
  }
}

TEST_CASE("gzip is used when it is asked for") {
  for (const char* yes : {"gzip", "deflate, gzip;q=0.5", "*", "br;q=1.0, GZIP", "x-gzip"}) {
    INFO(yes);
    CHECK(accepts_gzip(yes));
  }
  for (const char* no : {"", "identity", "gzip;q=0", "*;q=0", "gzip;q=0.000, *", "br"}) {
    INFO(no);
    CHECK(!accepts_gzip(no));
  }
}

TEST_CASE("JSON is application/json in UTF-8") {
  CHECK(is_json("application/json"));
  CHECK(is_json("Application/JSON; charset=UTF-8"));
  CHECK(is_json("application/json;charset=\"utf-8\""));
  CHECK(!is_json("application/json; charset=latin1"));
  CHECK(!is_json("text/json"));
  CHECK(!is_json(""));
}

TEST_CASE("entity tags match weakly") {
  CHECK(matches_etag("\"a\"", "\"a\""));
  CHECK(matches_etag("\"b\", W/\"a\"", "\"a\""));
  CHECK(matches_etag("*", "\"a\""));
  CHECK(!matches_etag("\"b\"", "\"a\""));
}

TEST_CASE("a browser that opens an address wants a page, a program does not") {
  CHECK(prefers_html("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"));
  CHECK(prefers_html("Text/HTML"));
  CHECK(!prefers_html(""));
  CHECK(!prefers_html("*/*"));
  CHECK(!prefers_html("application/json"));
  CHECK(!prefers_html("application/json, text/html;q=0.5"));
  CHECK(!prefers_html("text/html;q=0, */*"));
}

TEST_CASE("what is compressed can be read again, more than once with one encoder") {
  gzip_encoder encoder;
  for (const std::string& text : {std::string(5000, 'a'), std::string("{\"b\": [1, 2, 3]}"),
                                  std::string(gzip_slice_bytes, 'c'),
                                  std::string(3 * gzip_slice_bytes + 1, 'd'), std::string()}) {
    CHECK(gunzip(encoder.encode(text)) == text);
  }
}
