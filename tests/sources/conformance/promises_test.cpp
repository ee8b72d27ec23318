// Conformance: since, phrases and exclusions hold for every item, be it because the source is asked
// for them or because the engine's filter keeps them. The recorded answers of one call are read
// for another that differs in one promise.
#include <algorithm>
#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <model/json.hpp>
#include <set>
#include <sources/conformance/driver.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using sources::native_promise;

namespace {

bool takes(const test::subject& one, std::string_view parameter) {
  return catalog::find_parameter(one.endpoint(), parameter) != nullptr;
}

bool holds(const std::vector<item>& items, const std::string& id) {
  return std::any_of(items.begin(), items.end(),
                     [&id](const item& any) { return common(any).id == id; });
}

/// The first request of a call, as text; "" if the source refuses it without asking.
std::string request_text(const test::subject& one, const sources::call& call) {
  const auto planned = one.how->plan(call, *one.where, "");
  return planned ? planned->method + " " + planned->url + "\n" + planned->body : "";
}

/// Words of an item's title or text that stand there in ASCII, four letters or longer.
std::vector<std::string> plain_words(const item& any) {
  const auto& one = common(any);
  const auto& text = one.title.empty() ? one.text : one.title;
  std::vector<std::string> words(1);
  for (const char c : text.substr(0, text.find('\n'))) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  std::erase_if(words, [](const std::string& word) { return word.size() < 4; });
  return words;
}

/// Two words that stand side by side in the item's title or text; "" if there are none.
std::string phrase_in(const item& any) {
  const auto words = plain_words(any);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto phrase = words[i] + " " + words[i + 1];
    if (common(any).title.find(phrase) != std::string::npos ||
        common(any).text.find(phrase) != std::string::npos)
      return phrase;
  }
  return {};
}

/// The call with another q, and what became of the recorded items under it.
struct reading {
  std::string q;
  std::vector<item> kept;
  explicit reading(const test::subject& one, std::string text) : q(std::move(text)) {
    auto what = one.what;
    what.q = test::query_for(q);
    kept = test::reread(one, what);
  }
};

/// Everything kept must match, and everything that matches must be kept.
void check_filtered(const test::subject& one, const reading& reading) {
  const auto asked = test::query_for(reading.q);
  INFO("q: " << reading.q);
  for (const auto& any : reading.kept) {
    INFO(common(any).id);
    CHECK(query::matches(asked, any));
  }
  for (const auto* any : one.items()) {
    if (!query::matches(asked, *any)) continue;
    INFO(common(*any).id);
    CHECK(holds(reading.kept, common(*any).id));
  }
}

bool is_search(const test::subject& one) { return !one.what.q.terms.empty(); }

}  // namespace

TEST_CASE("conformance: since holds at the boundary second") {
  int judged = 0;
  for (const auto& one : test::subjects()) {
    if (!takes(one, "since")) continue;
    INFO(one.name());
    for (const auto* any : one.items()) {
      const auto& at = common(*any).created_at;
      if (!at || !query::matches(one.what.q, *any)) continue;
      INFO(common(*any).id);
      const auto second = std::chrono::floor<std::chrono::seconds>(*at);
      auto inside = one.what;
      inside.since = second;
      auto outside = one.what;
      outside.since = second + std::chrono::seconds{1};
      CHECK(holds(test::reread(one, inside), common(*any).id));
      // A source that keeps it by itself must be told to the second, or look at what it is given.
      const bool told = one.promises(sources::native_since) &&
                        request_text(one, inside) != request_text(one, outside);
      CHECK((told || !holds(test::reread(one, outside), common(*any).id)));
      if (++judged % 3 == 0) break;
    }
  }
  CHECK(judged > 0);
}

TEST_CASE("conformance: an exclusion takes out what it names and nothing else") {
  int judged = 0;
  for (const auto& one : test::subjects()) {
    if (!is_search(one)) continue;
    INFO(one.name());
    if (one.promises(sources::native_exclusions)) {
      auto what = one.what;
      what.q = test::query_for(one.what.q.raw + " -kelpmonger");
      CHECK(request_text(one, what) != request_text(one, one.what));
      CHECK(request_text(one, what).find("kelpmonger") != std::string::npos);
      ++judged;
      continue;
    }
    const auto items = one.items();
    for (std::size_t i = 0; i < std::min<std::size_t>(items.size(), 3); ++i) {
      const auto words = plain_words(*items[i]);
      for (std::size_t w = 0; w < std::min<std::size_t>(words.size(), 3); ++w) {
        const reading without(one, one.what.q.raw + " -" + words[w]);
        CHECK_FALSE(holds(without.kept, common(*items[i]).id));
        check_filtered(one, without);
        ++judged;
      }
      const auto phrase = phrase_in(*items[i]);
      if (phrase.empty()) continue;
      check_filtered(one, reading(one, one.what.q.raw + " -\"" + phrase + "\""));
    }
  }
  CHECK(judged > 0);
}

TEST_CASE("conformance: a phrase is contiguous and in its order") {
  int judged = 0;
  for (const auto& one : test::subjects()) {
    if (!is_search(one)) continue;
    INFO(one.name());
    if (one.promises(sources::native_phrases)) {
      auto quoted = one.what;
      quoted.q = test::query_for("\"gauge drift\"");
      auto loose = one.what;
      loose.q = test::query_for("gauge drift");
      CHECK(request_text(one, quoted) != request_text(one, loose));
      ++judged;
      continue;
    }
    for (const auto* any : one.items()) {
      const auto phrase = phrase_in(*any);
      if (phrase.empty()) continue;
      const reading exact(one, "\"" + phrase + "\"");
      CHECK(holds(exact.kept, common(*any).id));
      check_filtered(one, exact);
      const auto space = phrase.find(' ');
      check_filtered(one, reading(one, "\"" + phrase.substr(space + 1) + " " +
                                           phrase.substr(0, space) + "\""));
      ++judged;
      break;
    }
  }
  CHECK(judged > 0);
}

TEST_CASE("conformance: every word is in every item, unless the source promises that") {
  for (const auto& one : test::subjects()) {
    if (!is_search(one) || one.promises(sources::native_words)) continue;
    INFO(one.name());
    check_filtered(one, reading(one, one.what.q.raw));
    const reading nothing(one, one.what.q.raw + " kelpmonger");
    CHECK(nothing.kept.empty());
  }
}

TEST_CASE("conformance: what does not say until when it stands looks at no clock") {
  const auto json_of = [](const std::vector<item>& items) { return model::items_json(items); };
  int moving = 0;
  for (const auto& each : test::subjects()) {
    INFO(each.name());
    auto now = each.what;
    now.since.reset();
    now.now += std::chrono::milliseconds(1);  // not where one ends and another begins
    auto later = now;
    later.now += std::chrono::hours(26);
    if (each.how->stands_until != nullptr) {
      ++moving;
      const auto until = each.how->stands_until(now);
      REQUIRE(until > now.now);
      later.now = std::min<time_point>(until - std::chrono::milliseconds(1), later.now);
    }
    const auto planned = each.how->plan(now, *each.where, "");
    const auto planned_later = each.how->plan(later, *each.where, "");
    REQUIRE(planned);
    REQUIRE(planned_later);
    CHECK(planned->url == planned_later->url);
    CHECK(planned->body == planned_later->body);
    CHECK(json_of(test::reread(each, now)) == json_of(test::reread(each, later)));
  }
  CHECK(moving > 0);
}
