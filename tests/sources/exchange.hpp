// Exchanges for the tests of sources: recorded answers with their sidecars, hostile mutations of
// them, a source's own sandbox.har walked as the pipeline would, and what must hold for any item.
#pragma once

#include <algorithm>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <freshet/item.hpp>
#include <map>
#include <set>
#include <sources/hostile.hpp>
#include <sources/item_check.hpp>
#include <sources/recorded_answer.hpp>
#include <sources/recording_rows.hpp>
#include <sources/sandbox.hpp>
#include <sources/source.hpp>
#include <string>
#include <support/sanitized.hpp>
#include <support/shared.hpp>

namespace freshet::test {

namespace json = boost::json;
using base::member;

inline json::value parsed(std::string_view text) {
  auto value = base::parse_json(text);
  REQUIRE(value.has_value());
  return std::move(*value);
}

/// A recorded answer, from a body and the .meta.json beside it.
inline http::response recorded(const std::filesystem::path& body) {
  return recorded_answer(body, read_file(body), parsed(read_file(sidecar_of(body))));
}

/// The part of a recording's name before "__" or "_error": which endpoint it is of.
inline std::string endpoint_of(const std::filesystem::path& body) {
  const auto stem = body.stem().string();
  return stem.substr(0, stem.find("__"));
}

inline http::response answer_of(int status, std::string body,
                                std::string type = "application/json; charset=utf-8") {
  http::response answer;
  answer.status = status;
  answer.body = std::move(body);
  answer.headers = {{"Content-Type", std::move(type)}};
  return answer;
}

inline query::text_query query_of(std::string_view q) {
  auto query = query::parse_text_query(q);
  REQUIRE(query.has_value());
  return std::move(*query);
}

inline sources::listing listing_of(result<sources::step> read) {
  INFO((read ? std::string() : read.error().detail() + " | " + read.error().source_text));
  REQUIRE(read.has_value());
  REQUIRE(std::holds_alternative<sources::listing>(*read));
  return std::get<sources::listing>(std::move(*read));
}

inline sources::follow follow_of(result<sources::step> read) {
  REQUIRE(read.has_value());
  REQUIRE(std::holds_alternative<sources::follow>(*read));
  return std::get<sources::follow>(std::move(*read));
}

/// What must hold for every item of every source, whatever the answer was.
inline void check_item(const item& any, std::string_view source) {
  CHECK(joined(item_problems(any, source)) == "");
}

/// What must hold for every page.
inline void check_page(const sources::listing& page, std::string_view source) {
  CHECK(joined(page_problems(page, source)) == "");
}

/// And what must hold besides when the answer was an honest one.
inline void check_honest(const sources::listing& page, std::string_view source) {
  check_page(page, source);
  std::set<std::string> ids;
  for (const auto& any : page.items) {
    const auto& one = common(any);
    INFO("item " << one.id);
    CHECK(!one.url.empty());
    CHECK(one.created_at.has_value());
    ids.insert(one.id);
  }
}

/// Reads `rounds` broken copies of an answer. Nothing may crash, and what comes must be sound.
inline void read_mutations(const sources::capability& how, const sources::call& call,
                           const sources::settings& settings, const http::response& honest,
                           std::string_view position, std::string_view state,
                           std::string_view source, int rounds, unsigned seed) {
  std::mt19937 random(seed);
  const int tried = cases(rounds, rounds, std::min(rounds, std::max(10, rounds / 4)));
  for (int i = 0; i < tried; ++i) {
    auto answer = honest;
    answer.body = mutated(honest.body, random);
    const auto wrong = step_problems(how.read({call, settings, answer, position, state}), source);
    INFO("broken copy " << i << " of seed " << seed);
    CHECK(joined(wrong) == "");
  }
}

/// A source's sandbox.har: answers by method, URL and body.
class sandbox {
 public:
  explicit sandbox(const std::string& source) {
    const auto path = source_dir() / "lib/sources" / source / "sandbox.har";
    const auto har = parsed(read_file(path));
    for (const auto& entry : base::array_of(member(har, "log", "entries"))) {
      http::response answer;
      const auto& response = member(entry, "response");
      answer.status = static_cast<int>(base::integer_of(member(response, "status")).value_or(0));
      answer.body = base::text_of(member(response, "content", "text"));
      answer.final_url = base::text_of(member(entry, "request", "url"));
      for (const auto& header : base::array_of(member(response, "headers")))
        answer.headers.push_back(
            {base::text_of(member(header, "name")), base::text_of(member(header, "value"))});
      const auto& request = member(entry, "request");
      const auto key = key_of(base::text_of(member(request, "method")), answer.final_url,
                              base::text_of(member(request, "postData", "text")));
      CHECK(answers_.emplace(key, std::move(answer)).second);
    }
  }

  /// The page at `position`, as the pipeline would get it. Every request must be recorded exactly.
  result<sources::listing> page(const sources::capability& how, const sources::call& call,
                                const sources::settings& settings, std::string_view position) {
    auto request = how.plan(call, settings, position);
    if (!request) return request.error();
    std::string state;
    for (int i = 0; i <= sources::max_follow_steps; ++i) {
      const auto key = key_of(request->method, request->url, request->body);
      INFO(key);
      const auto found = answers_.find(key);
      REQUIRE(found != answers_.end());
      used_.insert(key);
      auto read = how.read({call, settings, found->second, position, state});
      if (!read) return read.error();
      if (auto* page = std::get_if<sources::listing>(&*read)) return std::move(*page);
      auto& next = std::get<sources::follow>(*read);
      request = std::move(next.request);
      state = std::move(next.state);
    }
    FAIL("too many steps");
    return error(errc::internal);
  }

  /// Every item, page by page, and how many pages there were.
  std::vector<item> walk(const sources::descriptor& source, const sources::call& call,
                         const sources::settings& settings, int& pages) {
    const auto* how = sources_capability(source, call.op);
    REQUIRE(how != nullptr);
    std::vector<item> all;
    std::string position;
    pages = 0;
    do {
      auto page = this->page(*how, call, settings, position);
      INFO((page ? std::string() : page.error().detail()));
      REQUIRE(page.has_value());
      check_honest(*page, source.name);
      for (auto& one : page->items) all.push_back(std::move(one));
      position = page->next;
      REQUIRE(++pages < 20);
    } while (!position.empty());
    return all;
  }

  static const sources::capability* sources_capability(const sources::descriptor& source,
                                                       catalog::operation op) {
    for (const auto& one : source.capabilities)
      if (one.op == op) return &one;
    return nullptr;
  }

 private:
  static std::string key_of(const std::string& method, const std::string& url,
                            const std::string& body) {
    return method + " " + url + (body.empty() ? "" : " " + body);
  }

  std::map<std::string, http::response> answers_;
  std::set<std::string> used_;
};

}  // namespace freshet::test
