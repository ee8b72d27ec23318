// Conformance: whatever somebody calls himself, a site, a community, a title or a tag, no text of
// one line holds what a terminal obeys or what turns letters, and no text of lines turns others'.
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <map>
#include <model/item_fields.hpp>
#include <model/shown_text.hpp>
#include <sources/conformance/driver.hpp>
#include <sources/hostile.hpp>

using namespace freshet;

namespace {

constexpr std::size_t most_signed_places = 160, most_tags = 40;

/// Controls of C0 and C1, DEL, an override, and an embedding and an isolate that stay open.
const std::string evil = "\x1B[31m\u202E\u009B1m\x7F\u2067\u202Bz";
/// The same as XML and HTML may hold it.
const std::string evil_markup = "\u202E\u009B1m\x7F\u2067\u202Bz";

bool holds_sign(std::string_view text, bool has_lines) {
  for (std::size_t at = 0; at < text.size();) {
    const auto point = base::next_point(text, at);
    if (has_lines && (point == '\n' || point == '\t')) continue;
    if (point < 0x20 || (point >= 0x7F && point <= 0x9F)) return true;
    if (point == 0x202D || point == 0x202E) return true;
    if (has_lines) continue;
    if ((point >= 0x202A && point <= 0x202C) || (point >= 0x2066 && point <= 0x2069)) return true;
  }
  // All that evil opens is open at its end.
  return has_lines && (text.find("\u2067") != text.npos || text.find("\u202B") != text.npos);
}

/// Finds the keys whose texts hold a sign.
class sign_finder {
 public:
  explicit sign_finder(std::set<std::string>& keys) : keys_(keys) {}
  void operator()(auto, std::string_view key, const std::string& text) {
    const bool has_lines =
        key == "text" || key == "description" || key == "alt" || key == "markdown";
    if (holds_sign(text, has_lines)) keys_.insert(std::string(key));
  }
  void operator()(auto, std::string_view key, const std::vector<std::string>& texts) {
    for (const auto& one : texts) {
      if (holds_sign(one, false)) keys_.insert(std::string(key));
    }
  }
  template <class Part>
  void operator()(auto, std::string_view, const std::vector<Part>& parts) {
    for (const auto& one : parts) model::each_field(one, *this);
  }
  template <class Value>
  void operator()(auto, std::string_view, const Value& value) {
    if constexpr (requires { model::each_field(value, *this); }) model::each_field(value, *this);
  }
  void object() {}
  void metrics() {}

 private:
  std::set<std::string>& keys_;
};

std::set<std::string> keys_with_signs(const item& any) {
  std::set<std::string> keys;
  std::visit(
      [&keys](const auto& one) {
        const item_common& shared = one;
        model::each_field(shared, sign_finder(keys));
        model::each_field(one, sign_finder(keys));
      },
      any);
  return keys;
}

/// A recorded answer with the signs in one string, or behind each tag of a kind, at a time.
std::vector<std::string> with_signs(const std::string& body) {
  std::vector<std::string> out;
  const auto parsed = base::parse_json(body);
  if (parsed && (parsed->is_object() || parsed->is_array())) {
    auto changing = *parsed;
    test::shorten_arrays(changing);
    const auto places = test::json_places(changing, most_signed_places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      boost::json::error_code failed;
      auto* at = changing.find_pointer(places[i], failed);
      if (at == nullptr || !at->is_string()) continue;
      const auto before = at->as_string();
      at->as_string().insert(before.size() / 2, evil);
      if (base::is_utf8(std::string_view(at->as_string())))
        out.push_back(boost::json::serialize(changing));
      *at = before;
    }
    return out;
  }
  std::set<std::string> seen;
  for (auto at = body.find('<'); at < body.size() && seen.size() < most_tags;
       at = body.find('<', at + 1)) {
    const auto end = body.find('>', at);
    if (end == std::string::npos || end + 1 >= body.size() || body[end + 1] == '<') continue;
    auto tag = body.substr(at, end + 1 - at);
    if (!seen.insert(tag).second) continue;
    auto changed = body;
    for (auto next = at; next != std::string::npos; next = changed.find(tag, next + tag.size()))
      changed.insert(next + tag.size(), evil_markup);
    out.push_back(std::move(changed));
  }
  return out;
}

/// What a source itself makes one line of, before the engine looks at all.
bool is_name(const std::string& key) {
  return key == "display_name" || key == "handle" || key == "community" || key == "site_name";
}

}  // namespace

TEST_CASE("conformance: no name or title forges what is shown around it", "[many]") {
  test::problem_list wrong;
  std::map<std::string_view, std::size_t> met;  ///< items that held a sign as they were read
  for (const auto& one : test::subjects()) {
    auto& count = met[one.source->name];
    for (const auto& page : one.pages) {
      const auto& step = page.steps.back();
      for (auto& body : with_signs(step.answer.body)) {
        auto answer = step.answer;
        answer.body = std::move(body);
        auto read = one.how->read({one.what, *one.where, answer, step.position, step.state});
        auto* listing = read ? std::get_if<sources::listing>(&*read) : nullptr;
        if (listing == nullptr) continue;
        for (auto& any : listing->items) {
          const auto read_keys = keys_with_signs(any);
          for (const auto& key : read_keys) {
            if (is_name(key)) wrong.push_back(one.name() + " itself leaves it in " + key);
          }
          count += read_keys.empty() ? 0 : 1;
          model::to_shown(any);
          for (const auto& key : keys_with_signs(any)) wrong.push_back(one.name() + ": " + key);
          for (auto& each : test::item_problems(any, one.source->name)) wrong.push_back(each);
        }
      }
      break;
    }
  }
  CHECK(test::joined(wrong, 20) == "");
  for (const auto& [source, count] : met) {
    INFO(source);
    // A page is freed of them where it is read.
    CHECK((count > 0) == (source != "web"));
  }
}
