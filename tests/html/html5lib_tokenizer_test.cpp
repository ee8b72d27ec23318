// The HTML standard's own tests of the tokenizer (html5lib-tests). Parse errors are not looked at.
#include <algorithm>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <html/tokens/input_stream.hpp>
#include <html/tokens/tokenizer.hpp>
#include <iostream>
#include <string>
#include <support/shared.hpp>
#include <vector>

using namespace freshet;
namespace json = boost::json;

namespace {

/// Adds a code unit's three bytes as they are: a lone surrogate is not UTF-8, but must pass
/// through.
void append_point(std::string& out, unsigned point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else {
    out += static_cast<char>(0xE0 | point >> 12);
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  }
}

/// Replaces \uHHHH.
std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 6 > text.size() || text[at + 1] != 'u') {
      out += text[at++];
      continue;
    }
    append_point(
        out, static_cast<unsigned>(std::stoul(std::string(text.substr(at + 2, 4)), nullptr, 16)));
    at += 6;
  }
  return out;
}

/// Every string in a value, unescaped once more.
json::value unescape_all(const json::value& from) {
  if (from.is_string()) return json::value(unescape(from.get_string()));
  if (from.is_array()) {
    json::array out;
    for (const auto& one : from.get_array()) out.push_back(unescape_all(one));
    return out;
  }
  if (from.is_object()) {
    json::object out;
    for (const auto& [key, one] : from.get_object()) out[unescape(key)] = unescape_all(one);
    return out;
  }
  return from;
}

json::string_view view(std::string_view text) { return {text.data(), text.size()}; }

json::value identifier(bool has, std::string_view text) {
  return has ? json::value(view(text)) : json::value();
}

json::value token_of(const html::token& one) {
  using html::token_type;
  switch (one.type) {
    case token_type::doctype:
      return json::array{"DOCTYPE", one.name.empty() ? json::value() : json::value(view(one.name)),
                         identifier(one.has_public_id, one.public_id),
                         identifier(one.has_system_id, one.system_id), !one.force_quirks};
    case token_type::start_tag: {
      json::object attributes;
      for (const auto& each : one.attributes) attributes[view(each.name)] = view(each.value);
      json::array made{"StartTag", view(one.name), attributes};
      if (one.self_closing) made.push_back(true);
      return made;
    }
    case token_type::end_tag:
      return json::array{"EndTag", view(one.name)};
    case token_type::comment:
      return json::array{"Comment", view(one.text)};
    default:
      return json::array{"Character", view(one.text)};
  }
}

json::array tokens_of(std::string_view text, std::string_view state, std::string_view last_tag) {
  using state_of = html::tokenizer::state;
  html::text_arena arena;
  html::reached_limits limits;
  const auto input = html::make_input(text, arena, limits);
  html::tokenizer reader(input, arena, limits);
  reader.set_last_start_tag(last_tag);
  const std::pair<std::string_view, state_of> states[] = {
      {"PLAINTEXT state", state_of::plaintext}, {"RCDATA state", state_of::rcdata},
      {"RAWTEXT state", state_of::rawtext},     {"Script data state", state_of::script_data},
      {"CDATA section state", state_of::cdata}, {"Data state", state_of::data}};
  const auto* const found = std::find_if(std::begin(states), std::end(states),
                                         [&](const auto& one) { return one.first == state; });
  REQUIRE(found != std::end(states));
  reader.switch_to(found->second);
  json::array made;
  html::token one;
  for (reader.next(one, false); one.type != html::token_type::end_of_file;
       reader.next(one, false)) {
    auto next = token_of(one);
    const bool is_text = next.at(0) == "Character";
    if (is_text && !made.empty() && made.back().at(0) == "Character") {
      auto& joined = made.back().get_array()[1].get_string();
      joined += next.at(1).get_string();
    } else {
      made.push_back(std::move(next));
    }
  }
  return made;
}

struct score {
  std::size_t passed = 0, all = 0;
};

void replace_all(std::string& text, std::string_view old_part, std::string_view new_part) {
  for (auto at = text.find(old_part); at != std::string::npos;
       at = text.find(old_part, at + new_part.size())) {
    text.replace(at, old_part.size(), new_part);
  }
}

/// What XML cannot hold, replaced as the standard says for those who want XML: xmlViolation.test
/// asks for it of every token.
json::array coerced(const json::array& tokens) {
  auto text = json::serialize(tokens);
  replace_all(text, "\xEF\xBF\xBF", "\xEF\xBF\xBD");
  replace_all(text, "\\f", " ");
  replace_all(text, "--", "- -");
  return json::parse(text).as_array();
}

void run_case(const json::object& one, bool for_xml, score& so_far) {
  const bool escaped = one.contains("doubleEscaped") && one.at("doubleEscaped").as_bool();
  std::string input(one.at("input").as_string());
  json::value expected = one.at("output");
  if (escaped) {
    input = unescape(input);
    expected = unescape_all(expected);
  }
  std::string last_tag;
  if (one.contains("lastStartTag")) last_tag = one.at("lastStartTag").as_string();
  json::array states{"Data state"};
  if (one.contains("initialStates")) states = one.at("initialStates").as_array();
  for (const auto& state : states) {
    json::array made = tokens_of(input, std::string(state.as_string()), last_tag);
    if (for_xml) made = coerced(made);
    ++so_far.all;
    if (made == expected) ++so_far.passed;
    INFO(one.at("description") << " in " << state);
    CHECK(json::serialize(made) == json::serialize(expected));
  }
}

}  // namespace

TEST_CASE("html5lib: tokenizer") {
  const std::string folder = "corpora/html5lib-tests/tokenizer";
  if (!test::shared_has(folder)) return;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::shared_dir() / folder)) {
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  score so_far;
  for (const auto& file : files) {
    INFO(file.filename());
    json::parse_options options;
    options.allow_invalid_utf8 = true;
    const auto text = test::read_file(file);
    const auto parsed = json::parse(text, {}, options);
    const bool for_xml = parsed.as_object().contains("xmlViolationTests");
    const auto& cases = parsed.at(for_xml ? "xmlViolationTests" : "tests").as_array();
    for (const auto& one : cases) run_case(one.as_object(), for_xml, so_far);
  }
  std::cout << "html5lib tokenizer: " << so_far.passed << " of " << so_far.all << "\n";
  CHECK(so_far.all > 5000);
}
