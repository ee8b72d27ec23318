// What scripts hold is walked here; how it is parsed stands in markdown/about/script_json.
#include <algorithm>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <extract/linked_data.hpp>
#include <markdown/about/script_json.hpp>

namespace freshet::extract {
namespace json = base::json;

std::vector<json::value> read_linked_data(const html::document& page, int& broken) {
  std::vector<json::value> out;
  std::size_t scripts = 0;
  for (html::node_id at = 1; at < page.size() && scripts < max_scripts; ++at) {
    page.spend(1);
    if (!page.is_element(at, html::tag_id::script)) continue;
    const auto type = base::to_lower_ascii(page.attribute_of(at, "type"));
    if (type.find("ld+json") == std::string::npos) continue;
    ++scripts;
    const auto inside = page.at(at).first_child;
    if (inside == html::none) continue;
    const auto text = page.at(inside).text.substr(0, max_script_bytes);
    page.spend(1 + text.size() / 2);
    if (base::trim(text).empty()) continue;
    auto parsed = markdown::parse_script_json(base::trim(text));
    if (!parsed) {
      ++broken;
    } else if (auto* list = parsed->if_array()) {
      for (auto& one : *list) out.push_back(std::move(one));
    } else {
      out.push_back(std::move(*parsed));
    }
  }
  return out;
}

}  // namespace freshet::extract
