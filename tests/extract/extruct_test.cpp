// The samples of extruct (tests/samples of its repository), where they are: the JSON-LD and the
// microdata that it reads from a page are those that we read.
#include <algorithm>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <extract/linked_data.hpp>
#include <extract/microdata.hpp>
#include <filesystem>
#include <set>
#include <support/shared.hpp>
#include <support/skips.hpp>

namespace freshet::extract {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr const char* absent = "the samples of extruct are not in ../shared/extruct";
constexpr const char* address = "http://www.example.com/";
/// Where extruct looks into items that itemref names; by the standard their properties are theirs.
const std::set<std::string> beyond_the_standard = {"product-ref"};

/// Texts with their spaces collapsed: extruct keeps those of the source. Depth is that of samples.
json::value collapsed(const json::value& of) {
  if (of.is_string()) return json::string(base::collapse_spaces(base::view_of(of)));
  if (const auto* list = of.if_array()) {
    json::array out;
    for (const auto& one : *list) out.push_back(collapsed(one));
    return out;
  }
  if (const auto* object = of.if_object()) {
    json::object out;
    for (const auto& one : *object) out[one.key()] = collapsed(one.value());
    return out;
  }
  return of;
}

/// An item as extruct writes it.
json::value as_extruct(const json::value& of) {
  if (const auto* list = of.if_array()) {
    json::array out;
    for (const auto& one : *list) out.push_back(as_extruct(one));
    return out;
  }
  const auto* object = of.if_object();
  if (object == nullptr) return of;
  json::object out, properties;
  for (const auto& one : *object) {
    if (one.key() == "@type") {
      out["type"] = one.value();
    } else if (one.key() == "@id") {
      out["id"] = one.value();
    } else {
      properties[one.key()] = as_extruct(one.value());
    }
  }
  out["properties"] = std::move(properties);
  return out;
}

fs::path samples() { return test::shared_dir() / "extruct/tests/samples"; }

/// Each page below a folder that has an answer with this ending.
std::vector<fs::path> pages_with(const std::string& folder, const std::string& ending) {
  std::vector<fs::path> out;
  if (!fs::exists(samples() / folder)) return out;
  for (const auto& one : fs::directory_iterator(samples() / folder)) {
    auto answer = one.path();
    if (one.path().extension() != ".html") continue;
    if (fs::exists(answer.replace_extension(ending))) out.push_back(one.path());
  }
  std::ranges::sort(out);
  return out;
}

json::value answer_of(fs::path page, const std::string& ending) {
  const auto text = test::read_file(page.replace_extension(ending));
  return collapsed(*base::parse_json(text));
}

}  // namespace

TEST_CASE("extruct: its samples of JSON-LD") {
  if (!fs::exists(samples())) return test::skip(absent);
  int count = 0;
  for (const auto* folder : {"schema.org", "schema.org.invalid", "custom.invalid", "songkick",
                             "misc", "control.characters"}) {
    for (const auto& path : pages_with(folder, ".jsonld")) {
      INFO(path);
      const auto text = test::read_file(path);
      const auto page = html::parse(text);
      int broken = 0;
      json::array found;
      for (auto& one : read_linked_data(page, broken)) {
        if (!one.is_null()) found.push_back(std::move(one));
      }
      CHECK(json::serialize(collapsed(found)) == json::serialize(answer_of(path, ".jsonld")));
      ++count;
    }
  }
  CHECK(count > 0);
}

TEST_CASE("extruct: its samples of microdata") {
  if (!fs::exists(samples())) return test::skip(absent);
  int count = 0;
  for (const auto& path : pages_with("schema.org", ".json")) {
    if (beyond_the_standard.contains(path.stem().string())) continue;
    INFO(path);
    const auto text = test::read_file(path);
    const auto page = html::parse(text);
    const auto wanted = answer_of(path, ".json");
    // Some of its answers were made with an address, and some without.
    const bool is_absolute = json::serialize(wanted).find(address) != std::string::npos;
    json::array found;
    copy_room room;
    const auto base = is_absolute ? base::parse_url(address) : std::nullopt;
    for (auto& one : read_microdata(page, base, room)) {
      found.push_back(as_extruct(one.value));
    }
    CHECK(collapsed(found) == wanted);
    ++count;
  }
  CHECK(count > 0);
}

}  // namespace freshet::extract
