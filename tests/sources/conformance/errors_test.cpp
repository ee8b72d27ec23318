// Conformance: whatever status an upstream answers with, and whatever stands in its body, the
// caller gets an error with the right code, never an empty success and never `internal`.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sources/conformance/driver.hpp>
#include <sources/hostile.hpp>
#include <utility>

using namespace freshet;

namespace {

/// What each status may become. A source that knows better than its status (a 403 that says
/// "quota") chooses among these.
const std::map<int, std::set<errc>> allowed = {
    {401, {errc::source_auth_required}},
    {402, {errc::source_unavailable, errc::source_auth_required}},
    {403, {errc::source_blocked, errc::source_auth_required, errc::source_unavailable}},
    {404, {errc::not_found, errc::source_error}},
    {410, {errc::not_found, errc::source_error}},
    {429, {errc::source_unavailable}},
    {451, {errc::source_blocked}},
    {500, {errc::source_error, errc::source_unavailable}},
    {502, {errc::source_unavailable}},
    {503, {errc::source_unavailable}},
    {504, {errc::source_timeout, errc::source_unavailable}},
};

struct body {
  const char* what;
  const char* type;
  const char* text;
};
constexpr body bodies[] = {
    {"no body", "text/plain", ""},
    {"an HTML page", "text/html; charset=utf-8",
     "<!DOCTYPE html><html><head><title>Sorry</title></head><body><h1>Sorry</h1></body></html>"},
    {"a JSON error", "application/json", R"({"error":"made up","message":"made up","code":7})"},
    {"an empty object", "application/json", "{}"},
    {"an empty list", "application/json", "[]"},
    {"plain text", "text/plain", "made up\n"},
};

/// read(), and on through the steps that it asks for, each answered the same way.
result<sources::step> read_to_the_end(const test::subject& one, const test::exchange& step,
                                      const http::response& answer) {
  std::string state = step.state;
  for (int i = 0; i <= sources::max_follow_steps; ++i) {
    auto read = one.how->read({one.what, *one.where, answer, step.position, state});
    if (!read || !std::holds_alternative<sources::follow>(*read)) return read;
    state = std::get<sources::follow>(*read).state;
  }
  return error(errc::internal, "it follows for ever");
}

http::response answer_with(const test::exchange& step, int status, const body& body) {
  http::response answer = step.answer;
  answer.status = status;
  answer.body = body.text;
  answer.headers = {{"Content-Type", body.type}, {"Retry-After", "7"}};
  return answer;
}

}  // namespace

TEST_CASE("conformance: every failing status becomes its code, at every step") {
  for (const auto& one : test::subjects()) {
    for (const auto& page : one.pages) {
      for (const auto& step : page.steps) {
        for (const auto& [status, codes] : allowed) {
          for (const auto& with : bodies) {
            INFO(one.name() << ": status " << status << " with " << with.what << ", position '"
                            << step.position << "', state '" << step.state << "'");
            const auto read = read_to_the_end(one, step, answer_with(step, status, with));
            if (!read.has_error()) {
              // A page that fell back to something narrower says that it is partial.
              const auto& listing = std::get<sources::listing>(*read);
              // So does one without a part that failed; a part that is said not to be is none.
              const bool is_told = one.how->reads_failures && !step.state.empty() && status < 500;
              CHECK(((listing.partial || is_told) && !listing.items.empty()));
              continue;
            }
            const auto& failed = read.error();
            INFO(describe(failed.code()).name << ": " << failed.detail());
            CHECK(codes.contains(failed.code()));
            if (failed.code() == errc::source_unavailable && (status == 429 || status == 503))
              CHECK(failed.retry_after == std::chrono::seconds{7});
            CHECK((failed.source_text.empty() ||
                   failed.detail().find(failed.source_text) == std::string::npos));
          }
        }
      }
      break;  // later pages take the same way
    }
  }
}

TEST_CASE("conformance: a success without what was asked for is no empty success") {
  for (const auto& one : test::subjects()) {
    const auto& step = one.pages.front().steps.front();
    for (const auto& with : bodies) {
      INFO(one.name() << ": status 200 with " << with.what);
      const auto read = read_to_the_end(one, step, answer_with(step, 200, with));
      const bool page = one.endpoint().platform == "scrape";
      if (read.has_error()) {
        INFO(describe(read.error().code()).name << ": " << read.error().detail());
        CHECK((test::may_refuse_with(read.error().code()) ||
               (page && read.error().code() == errc::unsupported_content)));
        continue;
      }
      // JSON that is empty may be a source's way to say that nothing was found; a web page, plain
      // text or an error's body never is. A page is a page whatever is in it.
      const std::string_view what = with.what;
      CHECK((page || what == "an empty object" || what == "an empty list" || what == "no body"));
      if (one.endpoint().shape == catalog::answer_shape::lookup)
        CHECK(std::get<sources::listing>(*read).items.size() == 1);
    }
  }
}

TEST_CASE("conformance: a list of nothing that can be read is no empty success", "[many]") {
  constexpr std::size_t most_places = 160;
  std::set<std::string> held;
  for (const auto& one : test::subjects()) {
    for (const auto& step : one.pages.front().steps) {
      auto body = base::parse_json(step.answer.body);
      if (!body) continue;
      const auto read_with = [&](boost::json::value& at, boost::json::array instead) {
        auto before = std::exchange(at, std::move(instead));
        auto answer = step.answer;
        answer.body = boost::json::serialize(*body);
        at = std::move(before);
        return one.how->read({one.what, *one.where, answer, step.position, step.state});
      };
      for (const auto& place : test::json_places(*body, most_places)) {
        boost::json::error_code failed;
        auto* at = body->find_pointer(place, failed);
        if (at == nullptr || !at->is_array() || at->get_array().empty()) continue;
        const auto emptied = read_with(*at, {});
        const auto* page = emptied ? std::get_if<sources::listing>(&*emptied) : nullptr;
        if (page == nullptr || !page->items.empty()) continue;
        held.insert(std::string(one.source->name));
        for (const auto& odd : {boost::json::array{nullptr}, boost::json::array{1, true}}) {
          INFO(one.name() << ": " << boost::json::serialize(odd) << " at '" << place << "'");
          const auto read = read_with(*at, odd);
          if (read) {
            const auto* told = std::get_if<sources::listing>(&*read);
            CHECK((told != nullptr && (told->partial || !told->warnings.empty())));
          } else {
            CHECK(read.error().code() == errc::source_error);
          }
        }
      }
    }
  }
  CHECK(held.size() > 15);
}
